//! `raja perft`: counting move sequences, the yardstick of a move generator.

use std::io::Write;
use std::time::Instant;

use anyhow::Context as _;
use games::{Position, TooManyMoves};
use rayon::prelude::*;

use crate::failure::Verdict;
use crate::input::{self, Start};
use crate::progress;

/// Count the sequences of DEPTH moves; the last line is `nodes N`
///
/// Time and speed go to stderr. Draws by repetition, by the hundred-ply rule and by length are
/// ignored.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    start: Start,
    /// The number of moves in a sequence
    depth: u32,
    /// Print the count below each first move
    #[arg(long)]
    divide: bool,
    /// How many threads count; 0 is one a core
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: u16,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let position = args.start.position()?;
    anyhow::ensure!(!args.divide || args.depth > 0, "--divide needs a depth of at least 1");
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(input::threads(args.threads))
        .build()
        .context("cannot start the threads")?;
    let clock = Instant::now();
    let nodes = if args.divide {
        let counts = pool.install(|| divide(&position, args.depth))?;
        for (text, nodes) in &counts {
            writeln!(out, "{text}: {nodes}")?;
        }
        counts.iter().map(|(_, nodes)| nodes).sum()
    } else {
        pool.install(|| count(&position, args.depth))?
    };
    writeln!(out, "nodes {nodes}")?;
    let seconds = clock.elapsed().as_secs_f64();
    progress::say(format_args!(
        "{seconds:.3} s, {:.2} million nodes/s",
        nodes as f64 / seconds.max(1e-9) / 1e6
    ));
    Ok(Verdict::Done)
}

/// The count below each move of `position`, in the order of the texts.
fn divide(position: &Position, depth: u32) -> Result<Vec<(String, u64)>, TooManyMoves> {
    let mut counts: Vec<(String, u64)> = position
        .moves()?
        .into_par_iter()
        .map(|chosen| {
            let mut next = position.clone();
            next.play_move(&chosen);
            Ok((position.move_text(&chosen), count(&next, depth - 1)?))
        })
        .collect::<Result<_, _>>()?;
    counts.sort_unstable();
    Ok(counts)
}

/// As [`games::perft`], on all threads of the pool.
fn count(position: &Position, depth: u32) -> Result<u64, TooManyMoves> {
    /// Trees of this depth are too small to be worth sharing out.
    const ALONE: u32 = 3;
    if depth <= ALONE || rayon::current_num_threads() == 1 {
        return games::perft(position, depth);
    }
    let below = |chosen: games::Move| {
        let mut next = position.clone();
        next.play_move(&chosen);
        count(&next, depth - 1)
    };
    position.moves()?.into_par_iter().map(below).try_reduce(|| 0, |a, b| Ok(a + b))
}
