//! `raja replay`: playing the moves of a recorded game.

use std::io::Write;
use std::path::PathBuf;

use games::{GameText, History, State as _};

use crate::failure::Verdict;
use crate::input::{self, Start};
use crate::progress;

/// Play the moves in a file; prints the final FEN and the result
///
/// Moves are separated by white space. Move numbers (`12.`), marks behind a move (`+ # ! ?`), results
/// at the end (`1-0`), comments in braces and from `;` to the end of the line are ignored. A brace
/// within a word, as in `c2e4{13}`, belongs to the move. Headers such as `[FEN "..."]` may come
/// first, as `raja match` and `raja play` write them.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    start: Start,
    /// The file of moves; `-` reads standard input
    file: PathBuf,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let GameText { start, moves, .. } =
        GameText::read(&input::read_text(&args.file)?, &args.start.position()?)?;
    let mut history = History::new(start);
    let steps = moves.iter().flat_map(|played| played.steps());
    steps.for_each(|&step| history.play(step));
    writeln!(out, "{}\n{}", history.position().fen(), input::result(&history))?;
    match history.end() {
        Some(end) => progress::say(format_args!("{} plies, {end}", history.plies())),
        None => progress::say(format_args!("{} plies, not over", history.plies())),
    }
    Ok(Verdict::Done)
}
