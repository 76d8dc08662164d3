//! What `raja match` and `raja sprt` share: two players, the openings, the rules of the match.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use arena::{
    Adjudication, BookError, EndCounts, Entrant, Journal, Lock, Match, MatchResult, MatchSettings,
    OpeningBook, OpeningSettings, Patience, PlayerSpec, Progress, Score,
};
use games::Game;
use model::device::DeviceChoice;

use crate::input;
use crate::nets::Nets;
use crate::progress::{self, Meter};

/// Who plays what, how, and where it is kept.
#[derive(Debug, clap::Args)]
pub(crate) struct Contest {
    /// The id of the game, as `raja games` lists it
    #[arg(value_parser = Game::by_id)]
    pub(crate) game: &'static Game,
    /// random, greedy, alphabeta:DEPTH, mcts:SIMS, net:PATH or net:PATH@SIMS, uci:COMMAND or
    /// xboard:COMMAND, either with @TIME behind it; for SIMS simulations a step there may be positions
    /// evaluated (500nodes) or time (50ms), the engines have 100ms unless told otherwise; a network is
    /// made weaker by `,t=TEMPERATURE` behind SIMS
    pub(crate) a: PlayerSpec,
    /// The opponent, likewise
    pub(crate) b: PlayerSpec,
    #[command(flatten)]
    pub(crate) rules: Rules,
    /// Keep openings, games and result in this folder; matches/... unless given
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// How games begin, how they are played and how they end, whoever plays.
#[derive(Debug, clap::Args)]
pub(crate) struct Rules {
    /// The seed of the openings and of all players' random choices
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many threads play; 0 is one a core
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: u16,
    /// Random plies of the longest openings
    #[arg(long, value_name = "N", default_value_t = OpeningSettings::default().most_plies)]
    opening_plies: u32,
    /// Take the openings from this file, written by an earlier match
    #[arg(long, value_name = "FILE", conflicts_with = "opening_plies")]
    book: Option<PathBuf>,
    /// End games as won when both players expect the same side to score this much (0 to 1)
    #[arg(long, value_name = "SCORE")]
    resign: Option<f32>,
    /// End games as drawn when neither player expects a side to score more than this (0 to 1)
    #[arg(long, value_name = "SCORE")]
    draw: Option<f32>,
    /// Plies in a row for which --resign and --draw must hold
    #[arg(long, value_name = "N", default_value_t = Adjudication::default().plies)]
    adjudicate_plies: u32,
    /// How long an engine that is limited by nodes may think about a move, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = Patience::default().search.as_secs(), value_parser = clap::value_parser!(u64).range(1..=86_400))]
    patience: u64,
    /// Where networks run: auto, cpu, cuda or cuda:N
    #[arg(long, default_value_t = DeviceChoice::Auto)]
    device: DeviceChoice,
}

impl Contest {
    /// A and B.
    pub(crate) fn entrants(&self) -> anyhow::Result<[Entrant; 2]> {
        let mut entrants = self.rules.entrants(self.game, &[&self.a, &self.b])?;
        let b = entrants.remove(1);
        Ok([entrants.remove(0), b])
    }

    /// The folder that the contest is kept in, made if need be: `--out`, or one named after `kind`
    /// and the players. The same command again has the same folder. What engines write to their
    /// standard error is kept there.
    pub(crate) fn folder(&self, kind: &str, entrants: [&Entrant; 2]) -> anyhow::Result<Folder> {
        let [a, b] = entrants.map(Entrant::name);
        let name = format!("{kind}_{}_{a}_{b}_seed-{}", self.game.id, self.rules.seed);
        Folder::open(self.out.as_deref(), &name, entrants)
    }
}

/// Where a contest is kept. No other process plays there meanwhile.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    _lock: Lock,
}

impl std::ops::Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

impl Folder {
    /// `out`, or a folder below `matches` with a name like `name`; made if need be. What those of
    /// `entrants` that are engines write to their standard error is kept there.
    pub(crate) fn open<'e>(
        out: Option<&Path>,
        name: &str,
        entrants: impl IntoIterator<Item = &'e Entrant>,
    ) -> anyhow::Result<Self> {
        let path = out
            .map(Path::to_owned)
            .unwrap_or_else(|| Path::new("matches").join(arena::file_name(name)));
        std::fs::create_dir_all(&path).with_context(|| path.display().to_string())?;
        let lock = Lock::take(&path.join("lock")).with_context(|| path.display().to_string())?;
        entrants.into_iter().for_each(|entrant| entrant.keep_stderr(&path));
        Ok(Self { path, _lock: lock })
    }

    /// Plays what is left of the match that is kept here, telling what `meter` does not show.
    pub(crate) fn play(
        &self,
        prepared: &Match<'_>,
        meter: &Meter,
        show: &(dyn Fn(&Progress<'_>) + Sync),
        stop: &AtomicBool,
    ) -> anyhow::Result<MatchResult> {
        let opened = Journal::open(&self.join("match.jsonl"), prepared)?;
        opened.bad.iter().for_each(|sentence| meter.say(sentence));
        self.say_played(opened.games.len(), meter);
        self.keep(prepared.book())?;
        let show = |so_far: &Progress<'_>| {
            so_far.game.note.iter().for_each(|note| meter.say(note));
            show(so_far);
        };
        let result = prepared.play_kept(opened, &show, stop)?;
        progress::say(format_args!("openings, games and result are in {}", self.display()));
        Ok(result)
    }

    /// Tells that games need not be played again, so that nobody takes them for new ones.
    pub(crate) fn say_played(&self, games: usize, meter: &Meter) {
        if games > 0 {
            meter.say(format_args!("{games} games have been played before: {}", self.display()));
        }
    }

    /// Writes the openings, unless they are the first ones of those that are there already.
    pub(crate) fn keep(&self, book: &OpeningBook) -> Result<(), BookError> {
        let path = self.join("openings.json");
        match OpeningBook::load(&path, book.game) {
            Ok(old) if old.begins_with(book) => Ok(()),
            _ => book.save(&path),
        }
    }
}

impl Rules {
    /// The players, in their order.
    pub(crate) fn entrants(
        &self,
        game: &'static Game,
        players: &[&PlayerSpec],
    ) -> anyhow::Result<Vec<Entrant>> {
        self.settings(2).adjudication.check()?;
        // Each thread of the match makes its own calls.
        model::single_threaded();
        let nets = Nets::of_players(players, self.device)?;
        let patience =
            Patience { search: Duration::from_secs(self.patience), ..Patience::default() };
        let entrant = |spec: &&PlayerSpec| Entrant::new(spec, game, &nets);
        players.iter().map(|spec| Ok(entrant(spec)?.with_patience(patience))).collect()
    }

    /// How `games` games are played.
    pub(crate) fn settings(&self, games: u32) -> MatchSettings {
        let Self { resign, draw, adjudicate_plies: plies, .. } = *self;
        let adjudication = Adjudication { resign, draw, plies };
        let threads = input::threads(self.threads);
        MatchSettings { games, seed: self.seed, threads, adjudication, ..MatchSettings::default() }
    }

    /// As many openings as there are, up to `count`. None if stopped meanwhile.
    pub(crate) fn book(
        &self,
        game: &'static Game,
        count: usize,
        stop: &AtomicBool,
    ) -> anyhow::Result<Option<OpeningBook>> {
        let book = match &self.book {
            Some(path) => OpeningBook::load(path, game)?,
            None => {
                progress::say("looking for openings");
                let least_plies = OpeningSettings::default().least_plies.min(self.opening_plies);
                let settings = OpeningSettings {
                    least_plies,
                    most_plies: self.opening_plies,
                    ..OpeningSettings::default()
                };
                let threads = input::threads(self.threads);
                OpeningBook::find(game, count, &settings, self.seed, threads, stop)
            }
        };
        if stop.load(Ordering::Relaxed) {
            progress::say("stopped before the first game");
            return Ok(None);
        }
        Ok(Some(book))
    }
}

/// The result for people.
pub(crate) fn tell(result: &MatchResult, out: &mut dyn std::io::Write) -> std::io::Result<()> {
    let share = |score: Score| format!("{:.1}% ({score})", score.share() * 100.0);
    let ends: EndCounts = result.ends;
    writeln!(out, "{result}")?;
    writeln!(out, "as white {}, as black {}", share(result.as_white), share(result.as_black))?;
    let pairs = result.pentanomial.map(|count| count.to_string()).join(" ");
    writeln!(
        out,
        "pairs of 0, 1/2, 1, 3/2, 2 points: {pairs}; A is the stronger one with a likelihood of \
         {:.1}%",
        result.superiority() * 100.0
    )?;
    writeln!(
        out,
        "ended by {ends}; drawn {:.1}%, mean length {:.1} plies",
        result.draw_share() * 100.0,
        result.mean_plies
    )?;
    match result.evaluations {
        0 => writeln!(out, "{:.1} s", result.seconds),
        _ => {
            writeln!(out, "{:.1} s, {:.0} eval/s", result.seconds, result.evaluations_per_second())
        }
    }
}
