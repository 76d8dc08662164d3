//! `raja match`: two players, many games. (`match` is a keyword.)

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::Context as _;
use arena::{
    Entrant, Match, MatchResult, MatchSettings, OpeningBook, OpeningSettings, PlayerSpec, Row,
};
use games::Game;
use model::device::DeviceChoice;

use crate::failure::Verdict;
use crate::nets::Nets;
use crate::progress::{self, Meter};
use crate::{input, interrupt};

/// Let two players play a match; prints score and Elo difference, seen by A
///
/// Each opening is a few random moves that an alpha-beta search finds balanced, and is played with
/// both colours.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The id of the game, as `raja games` lists it
    #[arg(value_parser = Game::by_id)]
    game: &'static Game,
    /// random, greedy, alphabeta:DEPTH, mcts:SIMS, net:PATH or net:PATH@SIMS
    a: PlayerSpec,
    /// The opponent, likewise
    b: PlayerSpec,
    /// How many games to play, an even number
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = even)]
    games: u32,
    /// The seed of the openings and of all players' random choices
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How many threads play; 0 is one a core
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: u16,
    /// Random plies of the longest openings
    #[arg(long, value_name = "N", default_value_t = OpeningSettings::default().most_plies)]
    opening_plies: u32,
    /// Take the openings from this file, written by an earlier match
    #[arg(long, value_name = "FILE", conflicts_with = "opening_plies")]
    book: Option<PathBuf>,
    /// Write openings.json and match.json into this folder; matches/... unless given
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// Exit with code 1 unless A scores this many per cent
    #[arg(long, value_name = "PERCENT")]
    at_least: Option<f64>,
    /// Where networks run: auto, cpu, cuda or cuda:N
    #[arg(long, default_value_t = DeviceChoice::Auto)]
    device: DeviceChoice,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let [a, b] = entrants(args)?;
    let folder = args.out.clone().unwrap_or_else(|| folder_of(args));
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let stop = interrupt::flag()?;
    let threads = input::threads(args.threads);
    let book = match &args.book {
        Some(path) => OpeningBook::load(path, args.game)?,
        None => {
            progress::say("looking for openings");
            let least_plies = OpeningSettings::default().least_plies.min(args.opening_plies);
            let settings = OpeningSettings {
                least_plies,
                most_plies: args.opening_plies,
                ..OpeningSettings::default()
            };
            let openings = args.games as usize / 2;
            OpeningBook::find(args.game, openings, &settings, args.seed, threads, stop)
        }
    };
    if stop.load(Ordering::Relaxed) {
        progress::say("stopped before the first game");
        return Ok(Verdict::NotMet);
    }
    book.save(&folder.join("openings.json"))?;
    let settings =
        MatchSettings { games: args.games, seed: args.seed, threads, ..MatchSettings::default() };
    let meter = Meter::new();
    let show = |so_far: &arena::Progress| {
        meter.show("game", so_far.finished.into(), so_far.games.into(), so_far.score);
    };
    let result = Match::new(&a, &b, &book, settings)?.play(&show, stop)?;
    drop(meter);
    let row = Row { elo: result.elo(), result };
    save(&row, &folder.join("match.json"))?;
    progress::say(format_args!("openings and result are in {}", folder.display()));
    if args.json {
        input::write_json(&row, out)?;
    } else {
        tell(&row.result, out)?;
    }
    Ok(verdict(args, &row.result))
}

fn entrants(args: &Args) -> anyhow::Result<[Entrant; 2]> {
    // Each thread of the match makes its own calls.
    model::single_threaded();
    let nets = Nets::of_players(&[&args.a, &args.b], args.device)?;
    let a = Entrant::new(&args.a, args.game, &nets)?;
    let b = Entrant::new(&args.b, args.game, &nets)?;
    Ok([a, b])
}

/// Where a match is kept unless told otherwise. The same match again has the same folder.
fn folder_of(args: &Args) -> PathBuf {
    let Args { game, a, b, games, seed, .. } = args;
    let name = format!("{}_{a}_{b}_{games}-games_seed-{seed}", game.id);
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.@".contains(c);
    Path::new("matches").join(name.replace(|c| !plain(c), "-"))
}

fn even(text: &str) -> Result<u32, &'static str> {
    let number: u32 = text.parse().unwrap_or(0);
    if number > 0 && number.is_multiple_of(2) {
        Ok(number)
    } else {
        Err("expected an even number of 2 or more")
    }
}

fn save(row: &Row, path: &Path) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(row)?;
    Ok(model::write_atomically(path, |file| writeln!(file, "{text}"))?)
}

/// The result for people.
fn tell(result: &MatchResult, out: &mut dyn Write) -> std::io::Result<()> {
    let share = |score: arena::Score| format!("{:.1}% ({score})", score.share() * 100.0);
    let ends = result.ends;
    writeln!(out, "{result}")?;
    writeln!(out, "as white {}, as black {}", share(result.as_white), share(result.as_black))?;
    writeln!(
        out,
        "pairs of 0, 1/2, 1, 3/2, 2 points: {}",
        result.pentanomial.map(|count| count.to_string()).join(" ")
    )?;
    write!(out, "ended by rules {}, repetition {}, ", ends.rules, ends.repetition)?;
    if ends.perpetual_check > 0 {
        write!(out, "perpetual check {}, ", ends.perpetual_check)?;
    }
    writeln!(
        out,
        "hundred plies {}, maximum length {}; mean length {:.1} plies",
        ends.hundred_plies, ends.maximum_length, result.mean_plies
    )?;
    writeln!(out, "{:.1} s", result.seconds)
}

fn verdict(args: &Args, result: &MatchResult) -> Verdict {
    if !result.complete {
        progress::say(format_args!(
            "stopped: the {} games of complete pairs are counted",
            result.score.games()
        ));
        return Verdict::NotMet;
    }
    let percent = result.score.share() * 100.0;
    match args.at_least {
        Some(least) if percent < least => {
            progress::say(format_args!(
                "{} has {percent:.1}% and should have {least}% at least",
                result.a
            ));
            Verdict::NotMet
        }
        _ => Verdict::Done,
    }
}
