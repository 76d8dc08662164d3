//! `raja replay`: playing the moves of a recorded game.

use std::io::Write;
use std::path::PathBuf;

use anyhow::bail;
use games::{History, Move, MoveError, Position, State};

use crate::failure::Verdict;
use crate::input::{self, Start};
use crate::progress;

/// Play the moves in a file; prints the final FEN and the result
///
/// Moves are separated by white space. Move numbers (`12.`), marks behind a move (`+ # ! ?`), results
/// at the end (`1-0`), comments in braces and from `;` to the end of the line are ignored. A brace
/// within a word, as in `c2e4{13}`, belongs to the move.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    start: Start,
    /// The file of moves; `-` reads standard input
    file: PathBuf,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let text = input::read_text(&args.file)?;
    let mut history = History::new(args.start.position()?);
    for word in words(&strip_comments(&text)?) {
        let ply = history.plies() + 1;
        if let Some(end) = history.end() {
            bail!("ply {ply}: `{word}` comes after the end of the game: {end}");
        }
        match read_move(history.position(), word) {
            Ok(chosen) => chosen.steps().iter().for_each(|&step| history.play(step)),
            Err(error) => bail!("ply {ply}: {error}"),
        }
    }
    writeln!(out, "{}\n{}", history.position().fen(), input::result(&history))?;
    match history.end() {
        Some(end) => progress::say(format_args!("{} plies, {end}", history.plies())),
        None => progress::say(format_args!("{} plies, not over", history.plies())),
    }
    Ok(Verdict::Done)
}

/// `text` with spaces in place of `{comments}` and `; comments`. Moves of stacks name their parts in
/// braces, so only a brace that begins a word begins a comment.
fn strip_comments(text: &str) -> anyhow::Result<String> {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', ';']) {
        kept.push_str(&rest[..at]);
        if rest[at..].starts_with('{') && kept.ends_with(|c: char| !c.is_ascii_whitespace()) {
            kept.push('{');
            rest = &rest[at + 1..];
            continue;
        }
        kept.push(' ');
        let end = match rest[at..].starts_with('{') {
            true => rest[at..].find('}').map(|length| length + 1),
            false => Some(rest[at..].find('\n').unwrap_or(rest.len() - at)),
        };
        match end {
            Some(length) => rest = &rest[at + length..],
            None => {
                let line = 1 + text[..text.len() - rest.len() + at].matches('\n').count();
                bail!("line {line}: the comment that begins with a brace has no end");
            }
        }
    }
    kept.push_str(rest);
    Ok(kept)
}

/// The words that should be moves.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_ascii_whitespace()
        .map(without_number)
        .filter(|word| !matches!(*word, "" | "1-0" | "0-1" | "1/2-1/2" | "*"))
}

/// `word` without the move number it begins with: `12.`, or `12...`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < word.len() && rest.starts_with('.') {
        rest.trim_start_matches('.')
    } else {
        word
    }
}

/// The move `word` stands for. Marks behind it are taken off only if it is none with them, for in
/// some games they belong to the move.
fn read_move(position: &Position, word: &str) -> Result<Move, MoveError> {
    position.parse_move(word).or_else(|error| {
        let bare = word.trim_end_matches(['+', '#', '!', '?']);
        if bare == word {
            return Err(error);
        }
        position.parse_move(bare).map_err(|_| error)
    })
}
