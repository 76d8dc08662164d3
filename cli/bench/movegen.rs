//! `raja bench movegen`: how fast the rules are.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use games::Game;
use serde_json::json;

use super::Listed;
use crate::failure::Verdict;
use crate::input;

/// Leaf nodes a second from the start of a game, on one thread, about a second each
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    listed: Listed,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let json = args.listed.json;
    let games = args.listed.games();
    let width = games.iter().map(|game| game.id.len()).max().unwrap_or(0);
    let mut found = Vec::new();
    for game in games {
        let speed = Speed::of(game).with_context(|| game.id.to_owned())?;
        let Speed { depth, leaves, seconds } = speed;
        if json {
            found.push(json!({
                "game": game.id,
                "depth": depth,
                "nodes": leaves,
                "seconds": seconds,
                "nodes_per_second": speed.a_second(),
            }));
            continue;
        }
        let millions = speed.a_second() / 1e6;
        writeln!(out, "{:width$}  depth {depth:>2}  {millions:8.2} million nodes/s", game.id)?;
        // It takes a while, and somebody may be watching.
        out.flush()?;
    }
    if json {
        input::write_json(&found, out)?;
    }
    Ok(Verdict::Done)
}

/// How fast the leaves of a tree were counted.
struct Speed {
    depth: u32,
    /// All that were counted, over and over again.
    leaves: u64,
    seconds: f64,
}

impl Speed {
    /// How long it is measured.
    const TIME: Duration = Duration::from_secs(1);

    /// Counts from the start of `game`, as deep as is likely to take no longer than
    /// [`Speed::TIME`].
    fn of(game: &Game) -> Result<Self, games::TooManyMoves> {
        let start = game.start();
        let clocked = |depth| {
            let clock = Instant::now();
            games::perft(&start, depth).map(|leaves| (leaves, clock.elapsed().as_secs_f64()))
        };
        let (mut leaves, mut seconds) = clocked(1)?;
        let (mut depth, mut growth) = (1, leaves as f64);
        while leaves > 0 && seconds * growth < Self::TIME.as_secs_f64() {
            // A tree that cannot be counted is not counted.
            let Ok((more, longer)) = clocked(depth + 1) else { break };
            growth = more as f64 / leaves as f64;
            (depth, leaves, seconds) = (depth + 1, more, longer);
        }
        let clock = Instant::now();
        let mut runs = 0;
        while clock.elapsed() < Self::TIME {
            games::perft(&start, depth)?;
            runs += 1;
        }
        Ok(Self { depth, leaves: leaves * runs, seconds: clock.elapsed().as_secs_f64() })
    }

    fn a_second(&self) -> f64 {
        self.leaves as f64 / self.seconds
    }
}
