//! `raja tournament`: many players, all against all or each against its neighbours.

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context as _, bail};
use arena::{PlayerSpec, Progress, Standings, Tournament};
use games::Game;

use crate::contest::{Folder, Rules};
use crate::failure::Verdict;
use crate::progress::{self, Meter};
use crate::{input, interrupt};

/// Let many players meet; prints their ratings with 95% intervals and a crosstable
///
/// The same command goes on with a tournament that was stopped; with more --games or more players it
/// only plays what is missing.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The id of the game, as `raja games` lists it
    #[arg(value_parser = Game::by_id)]
    game: &'static Game,
    /// Two players or more: random, greedy, alphabeta:DEPTH, mcts:SIMS, net:PATH or
    /// net:PATH@SIMS, uci:COMMAND or xboard:COMMAND, either with @TIME behind it
    #[arg(required = true, num_args = 2..)]
    players: Vec<PlayerSpec>,
    /// How many games two players play, an even number
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = input::even)]
    games: u32,
    /// Let each player meet only those before and after it in the list
    #[arg(long)]
    ladder: bool,
    /// The player that has rating 0; the first one unless given
    #[arg(long, value_name = "PLAYER")]
    anchor: Option<PlayerSpec>,
    #[command(flatten)]
    rules: Rules,
    /// Keep openings, games, standings and their picture in this folder; matches/... unless given
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the standings as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let Args { game, players, rules, .. } = args;
    let mut seen = HashSet::new();
    if let Some(twice) = players.iter().find(|player| !seen.insert(player.to_string())) {
        bail!("player `{twice}` is listed twice");
    }
    let anchor = args.anchor.as_ref().unwrap_or(&players[0]);
    if !players.contains(anchor) {
        bail!("the anchor `{anchor}` is none of the players");
    }
    let entrants = rules.entrants(game, &players.iter().collect::<Vec<_>>())?;
    let name = format!("tournament_{}_seed-{}", game.id, rules.seed);
    let folder = Folder::open(args.out.as_deref(), &name, &entrants)?;
    let anchor = &entrants[players.iter().position(|player| player == anchor).unwrap_or(0)];
    let mut pairs = Vec::new();
    for (i, a) in entrants.iter().enumerate() {
        let last = if args.ladder { i + 1 } else { entrants.len() - 1 };
        pairs.extend(entrants.iter().take(last + 1).skip(i + 1).map(|b| [a, b]));
    }
    let stop = interrupt::flag()?;
    let Some(book) = rules.book(game, args.games as usize / 2, stop)? else {
        return Ok(Verdict::NotMet);
    };
    let meter = Meter::new();
    let settings = rules.settings(args.games);
    let note = &mut |sentence: &str| meter.say(sentence);
    let tournament = Tournament::open(&pairs, anchor, &book, settings, &folder, note)?;
    folder.say_played(tournament.played() as usize, &meter);
    folder.keep(&book)?;
    let games = args.games * pairs.len() as u32;
    let done = AtomicU32::new(tournament.played());
    let names: Vec<_> = (0..pairs.len()).map(|row| tournament.players(row).join(" - ")).collect();
    let show = |row: usize, so_far: &Progress<'_>| {
        so_far.game.note.iter().for_each(|note| meter.say(note));
        let done = 1 + done.fetch_add(1, Ordering::Relaxed);
        let match_now = format_args!("{} {}", names[row], so_far.score);
        meter.show("game", done.into(), games.into(), match_now);
    };
    let path = folder.join("standings.json");
    let save = |standings: &Standings| standings.save(&path);
    let standings = tournament.play(&show, &save, stop)?;
    drop(meter);
    let picture = folder.join("standings.svg");
    model::write_atomically(&picture, |file| write!(file, "{}", standings.to_svg()))
        .with_context(|| picture.display().to_string())?;
    progress::say(format_args!(
        "openings, games, standings and picture are in {}",
        folder.display()
    ));
    if args.json {
        input::write_json(&standings, out)?;
    } else {
        write!(out, "{standings}")?;
    }
    let missing = pairs.iter().any(|[a, b]| standings.missing(a.name(), b.name(), args.games) > 0);
    if missing {
        progress::say("stopped; the same command goes on");
    }
    Ok(Verdict::of(!missing))
}
