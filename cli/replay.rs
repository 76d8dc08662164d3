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
/// first, as `raja match` and `raja play` write them. Headers behind moves begin another game; of
/// several games each has a line: its number, the result, the plies, the final FEN.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    start: Start,
    /// The file of moves; `-` reads standard input
    file: PathBuf,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let text = input::read_text(&args.file)?;
    let games = GameText::read_all(&text, &args.start.position()?)?;
    if let [game] = &games[..] {
        let history = played(game);
        writeln!(out, "{}\n{}", history.position().fen(), input::result(&history))?;
        match history.end() {
            Some(end) => progress::say(format_args!("{} plies, {end}", history.plies())),
            None => progress::say(format_args!("{} plies, not over", history.plies())),
        }
        return Ok(Verdict::Done);
    }
    let (mut plies, mut over) = (0, 0);
    for (number, game) in (1..).zip(&games) {
        let history = played(game);
        plies += u64::from(history.plies());
        over += usize::from(history.end().is_some());
        let result = input::result(&history);
        let fen = history.position().fen();
        writeln!(out, "{number:>5}  {result:<5}  {:>5}  {fen}", history.plies())?;
    }
    let rest = games.len() - over;
    progress::say(format_args!("{} games, {plies} plies, {over} over, {rest} not", games.len()));
    Ok(Verdict::Done)
}

/// Where `game` ends.
fn played(game: &GameText) -> History {
    let mut history = History::new(game.start.clone());
    let steps = game.moves.iter().flat_map(|played| played.steps());
    steps.for_each(|&step| history.play(step));
    history
}
