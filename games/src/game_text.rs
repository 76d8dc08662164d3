//! [`game_text`]: a game as text, for people and for programs that read PGN. [`GameText`]: such a
//! text read again.

use std::fmt::Write;

use crate::{History, Move, MoveError, Outcome, Position, Side, State, Step};

/// Columns that the moves are wrapped to.
const WIDTH: usize = 80;

/// A game in the manner of PGN: `headers`, then the moves from `start` on in the game's own
/// notation, then the result, `*` for none. A game that was cut off within a move ends with the
/// text of that move's steps.
///
/// ```
/// use games::{Game, game_text};
/// let start = Game::by_id("chess")?.start();
/// let moves = start.parse_move("e2e4")?;
/// let text = game_text(&[("Variant", "chess")], &start, moves.steps(), None);
/// assert_eq!(text, "[Variant \"chess\"]\n\n1. e2e4 *\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// In debug builds, if a step is not legal.
#[must_use]
pub fn game_text(
    headers: &[(&str, &str)],
    start: &Position,
    steps: &[Step],
    outcome: Option<Outcome>,
) -> String {
    let mut text = String::new();
    for (header, value) in headers {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(text, "[{header} \"{value}\"]").expect("strings take everything");
    }
    let mut words = Vec::new();
    let (mut number, mut word, mut position) = (0, String::new(), start.clone());
    for &step in steps {
        if !position.mid_move() {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            let white = position.side_to_move() == Side::White;
            if white || number == 0 {
                number += 1;
                words.push(format!("{number}{}", if white { "." } else { "..." }));
            }
        }
        position.write_step(step, &mut word);
        position.play(step);
    }
    words.extend((!word.is_empty()).then_some(word));
    words.push(result_text(outcome).to_owned());
    let mut column = 0;
    for word in words {
        let gap = match column {
            0 => "\n",
            used if used + 1 + word.len() > WIDTH => {
                column = 0;
                "\n"
            }
            _ => " ",
        };
        column += word.len() + usize::from(gap == " ");
        text.push_str(gap);
        text.push_str(&word);
    }
    text.push('\n');
    text
}

/// The result as PGN writes it.
#[must_use]
pub fn result_text(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::Win(Side::White)) => "1-0",
        Some(Outcome::Win(Side::Black)) => "0-1",
        Some(Outcome::Draw) => "1/2-1/2",
        None => "*",
    }
}

/// A game read from its text.
#[derive(Debug, Clone)]
pub struct GameText {
    /// The headers with their values, in the order of the text.
    pub headers: Vec<(String, String)>,
    /// The position that the game starts from.
    pub start: Position,
    /// The moves, each legal where it is played, none after the end of the game.
    pub moves: Vec<Move>,
}

/// A text that is no game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GameTextError {
    /// A line cannot be understood.
    #[error("line {line}: {problem}")]
    Line {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// It is of another game.
    #[error("it is of the game `{found}`, not of `{expected}`")]
    OtherGame {
        /// The id of the game that was to be read.
        expected: String,
        /// What the text says.
        found: String,
    },
    /// A move cannot be played.
    #[error("ply {ply}: {problem}")]
    Ply {
        /// The ply, counted from 1.
        ply: u32,
        /// What is wrong with the move.
        problem: String,
    },
}

impl GameText {
    /// Reads what [`game_text`] writes, and what people write: moves between white space, with
    /// headers or without. Move numbers (`12.`), marks behind a move (`+ # ! ?`), results at the end
    /// (`1-0`), comments in braces and from `;` to the end of the line are passed over. A brace
    /// within a word, as in `c2e4{13}`, belongs to the move. The game begins where the header `FEN`
    /// says, else at `start`, whose game it has to be.
    ///
    /// # Errors
    /// At the first fault.
    pub fn read(text: &str, start: &Position) -> Result<Self, GameTextError> {
        let (headers, body) = split_headers(text)?;
        let mut read = Self { headers, start: start.clone(), moves: Vec::new() };
        if let Some(found) = read.header("Variant").filter(|&id| id != start.game().id) {
            let (expected, found) = (start.game().id.to_owned(), found.to_owned());
            return Err(GameTextError::OtherGame { expected, found });
        }
        if let Some(fen) = read.header("FEN") {
            let line = 1 + text.lines().position(|line| line.starts_with("[FEN ")).unwrap_or(0);
            let wrong = |error: crate::FenError| line_error(line, error.to_string());
            read.start = start.game().parse_fen(fen).map_err(wrong)?;
        }
        let mut history = History::new(read.start.clone());
        for word in words(&strip_comments(text, body)?) {
            let ply = history.plies() + 1;
            let wrong = |problem| GameTextError::Ply { ply, problem };
            if let Some(end) = history.end() {
                return Err(wrong(format!("`{word}` comes after the end of the game: {end}")));
            }
            let played =
                read_move(history.position(), word).map_err(|error| wrong(error.to_string()))?;
            played.steps().iter().for_each(|&step| history.play(step));
            read.moves.push(played);
        }
        Ok(read)
    }

    /// The value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(header, _)| header == name);
        found.map(|(_, value)| value.as_str())
    }
}

fn line_error(line: usize, problem: impl Into<String>) -> GameTextError {
    GameTextError::Line { line, problem: problem.into() }
}

/// The headers that `text` begins with, and the byte where they end.
fn split_headers(text: &str) -> Result<(Vec<(String, String)>, usize), GameTextError> {
    let (mut headers, mut at) = (Vec::new(), 0);
    for (number, whole) in text.split_inclusive('\n').enumerate() {
        let line = whole.trim();
        if line.starts_with('[') {
            let wrong =
                || line_error(number + 1, format!("expected [Name \"value\"], found `{line}`"));
            headers.push(read_header(line).ok_or_else(wrong)?);
        } else if !line.is_empty() {
            break;
        }
        at += whole.len();
    }
    Ok((headers, at))
}

/// The name and the value of `[Name "value"]`.
fn read_header(line: &str) -> Option<(String, String)> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?;
    let (name, value) = inner.split_once(' ')?;
    let quoted = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    let mut value = String::new();
    let mut letters = quoted.chars();
    while let Some(letter) = letters.next() {
        value.push(if letter == '\\' { letters.next()? } else { letter });
    }
    Some((name.to_owned(), value))
}

/// `text` from byte `from` on, with spaces in place of `{comments}` and `; comments`. Moves of
/// stacks name their parts in braces, so only a brace that begins a word begins a comment.
fn strip_comments(text: &str, from: usize) -> Result<String, GameTextError> {
    let mut kept = String::new();
    let mut rest = &text[from..];
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
                let problem = "the comment that begins with a brace has no end";
                return Err(line_error(line, problem));
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
