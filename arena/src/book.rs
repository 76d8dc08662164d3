//! [`OpeningBook`]: openings that a match starts from, in memory and as a file.

use std::io::Write;
use std::path::Path;

use atomic_write_file::AtomicWriteFile;
use games::Game;
use serde::{Deserialize, Serialize};

use crate::Line;

/// What the first field of every book says.
const FORMAT: &str = "raja openings 1";

/// Openings of one game that lead to different positions.
#[derive(Debug, Clone)]
pub struct OpeningBook {
    /// The game.
    pub game: &'static Game,
    /// The seed that they were found with.
    pub seed: u64,
    /// The openings.
    pub lines: Vec<Line>,
}

/// A book that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file system failed.
    #[error("opening book {path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// What failed.
        #[source]
        error: std::io::Error,
    },
    /// The file is no book of this game.
    #[error("opening book {path}: {problem}")]
    Content {
        /// The file.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
}

/// The book as JSON.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BookFile {
    format: String,
    game: String,
    rules: String,
    seed: u64,
    openings: Vec<OpeningFile>,
}

/// One opening as JSON: where it starts, its moves separated by spaces, where it leads.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OpeningFile {
    start: String,
    moves: String,
    fen: String,
}

impl OpeningBook {
    /// Whether its first openings are those of `other`, in their order.
    #[must_use]
    pub fn begins_with(&self, other: &Self) -> bool {
        let same = |(one, other): (&Line, &Line)| one.texts() == other.texts();
        self.lines.len() >= other.lines.len() && self.lines.iter().zip(&other.lines).all(same)
    }

    /// Writes the book to `path`: beside it first, then renamed, so that no half book is ever
    /// read.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), BookError> {
        let file = BookFile {
            format: FORMAT.to_owned(),
            game: self.game.id.to_owned(),
            rules: rules_of(self.game),
            seed: self.seed,
            openings: self.lines.iter().map(opening_file).collect(),
        };
        let mut text = serde_json::to_string_pretty(&file).expect("strings and numbers only");
        text.push('\n');
        let write = || {
            let mut file = AtomicWriteFile::open(path)?;
            file.write_all(text.as_bytes())?;
            file.commit()
        };
        write().map_err(|error| BookError::Io { path: path.display().to_string(), error })
    }

    /// Reads a book of `game` from `path` and plays every opening through.
    ///
    /// # Errors
    /// If the file cannot be read or is no book of this game with these rules; the error names the
    /// opening at fault, counted from 1.
    pub fn load(path: &Path, game: &'static Game) -> Result<Self, BookError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| BookError::Io { path: path.display().to_string(), error })?;
        Self::parse(&text, game)
            .map_err(|problem| BookError::Content { path: path.display().to_string(), problem })
    }

    fn parse(text: &str, game: &'static Game) -> Result<Self, String> {
        let file: BookFile = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let expect = |what: &str, expected: &str, found: &str| {
            if expected == found {
                return Ok(());
            }
            Err(format!("{what}: expected `{expected}`, found `{found}`"))
        };
        expect("format", FORMAT, &file.format)?;
        expect("game", game.id, &file.game)?;
        expect("rules", &rules_of(game), &file.rules)?;
        let mut seen = std::collections::HashMap::new();
        let mut lines = Vec::new();
        for (i, opening) in file.openings.iter().enumerate() {
            let number = i + 1;
            let line = read_opening(opening, game)
                .map_err(|problem| format!("opening {number}: {problem}"))?;
            if let Some(earlier) = seen.insert(games::State::key(line.state()), number) {
                return Err(format!("opening {number} leads to the position of {earlier}"));
            }
            lines.push(line);
        }
        Ok(Self { game, seed: file.seed, lines })
    }
}

/// The rules of `game` as a book writes them.
fn rules_of(game: &Game) -> String {
    format!("{:016x}", game.fingerprint)
}

fn opening_file(line: &Line) -> OpeningFile {
    OpeningFile {
        start: line.start().fen(),
        moves: line.texts().join(" "),
        fen: line.state().position().fen(),
    }
}

fn read_opening(opening: &OpeningFile, game: &'static Game) -> Result<Line, String> {
    let start = game.parse_fen(&opening.start).map_err(|error| error.to_string())?;
    let mut line = Line::new(start);
    for text in opening.moves.split_ascii_whitespace() {
        let chosen = line.state().position().parse_move(text).map_err(|error| error.to_string())?;
        line.play(chosen);
    }
    let fen = line.state().position().fen();
    if fen != opening.fen {
        return Err(format!("the moves lead to `{fen}`, not to `{}`", opening.fen));
    }
    match line.state().end() {
        Some(end) => Err(format!("the game is over: {end}")),
        None => Ok(line),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::OpeningSettings;

    fn book() -> OpeningBook {
        let settings = OpeningSettings::default();
        OpeningBook::find(&Game::all()[0], 5, &settings, 3, 1, &AtomicBool::new(false))
    }

    #[test]
    fn a_book_comes_back_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("openings.json");
        let book = book();
        book.save(&path).unwrap();
        book.save(&path).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing left beside it");
        let back = OpeningBook::load(&path, book.game).unwrap();
        assert_eq!(back.seed, 3);
        let texts = |book: &OpeningBook| book.lines.iter().map(Line::texts).collect::<Vec<_>>();
        assert_eq!(texts(&back), texts(&book));
        let shorter = OpeningBook { lines: book.lines[..4].to_vec(), ..book.clone() };
        assert!(back.begins_with(&book) && back.begins_with(&shorter));
        assert!(!shorter.begins_with(&book));
        let other = OpeningBook { lines: book.lines[1..].to_vec(), ..book };
        assert!(!back.begins_with(&other));
    }

    #[test]
    fn a_faulty_book_is_refused_in_words() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("openings.json");
        let book = book();
        book.save(&path).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let error = |text: &str| OpeningBook::parse(text, book.game).unwrap_err();
        assert!(error(&text[..text.len() / 2]).contains("line"));
        let other = text.replace(FORMAT, "raja openings 9");
        assert_eq!(error(&other), "format: expected `raja openings 1`, found `raja openings 9`");
        let game = format!("\"game\": \"{}\"", book.game.id);
        let other = text.replace(&game, "\"game\": \"halma\"");
        assert_eq!(error(&other), format!("game: expected `{}`, found `halma`", book.game.id));
        let second = book.lines[1].texts().join(" ");
        assert!(error(&text.replace(&second, "z9z9")).starts_with("opening 2: `z9z9` is not"));
        assert!(error(&text.replace(&second, "")).starts_with("opening 2: the moves lead to"));
        let missing = OpeningBook::load(&folder.path().join("none.json"), book.game);
        assert!(missing.unwrap_err().to_string().contains("none.json"));
    }
}
