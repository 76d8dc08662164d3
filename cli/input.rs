//! What several commands take and give: a game, a position, a file, a result.

use std::io::{Read, Write};
use std::path::Path;

use anyhow::Context as _;
use games::{Game, History, Position};

/// A game and where it starts from.
#[derive(Debug, clap::Args)]
pub(crate) struct Start {
    /// The id of the game, as `raja games` lists it
    #[arg(value_parser = Game::by_id)]
    pub(crate) game: &'static Game,
    /// Start from this position instead of the game's own
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
}

impl Start {
    /// The position.
    pub(crate) fn position(&self) -> anyhow::Result<Position> {
        match &self.fen {
            Some(fen) => Ok(self.game.parse_fen(fen)?),
            None => Ok(self.game.start()),
        }
    }
}

/// How the game stands, in one word: `white`, `black`, `draw` or `none`.
pub(crate) fn result(history: &History) -> String {
    history.end().map_or_else(|| "none".to_owned(), |end| end.outcome.to_string())
}

/// The text of the file at `path`, or of standard input if that is `-`.
pub(crate) fn read_text(path: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    if path.as_os_str() == "-" {
        std::io::stdin().lock().read_to_string(&mut text).context("standard input")?;
    } else {
        text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    }
    Ok(text)
}

/// The number of threads meant by `threads`, where 0 is one a core.
pub(crate) fn threads(threads: u16) -> usize {
    match threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        some => some.into(),
    }
}

/// Writes `value` as JSON, for other programs.
pub(crate) fn write_json(
    value: &impl serde::Serialize,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

/// Writes `value` as JSON into the file `path`, whole or not at all.
pub(crate) fn save_json(value: &impl serde::Serialize, path: &Path) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(value)?;
    Ok(model::write_atomically(path, |file| writeln!(file, "{text}"))?)
}

/// A number of games in pairs.
pub(crate) fn even(text: &str) -> Result<u32, &'static str> {
    let number: u32 = text.parse().unwrap_or(0);
    if number > 0 && number.is_multiple_of(2) {
        Ok(number)
    } else {
        Err("expected an even number of 2 or more")
    }
}
