//! [`game_text`]: a game as text, for people and for programs that read PGN. [`GameText`]: such a
//! text, or several of them, read again.

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
    /// It is several games where one is expected.
    #[error("it has {games} games, not one")]
    Several {
        /// How many.
        games: usize,
    },
    /// One of several games is none.
    #[error("game {number}, {error}")]
    Game {
        /// The game, counted from 1.
        number: usize,
        /// What is wrong with it.
        error: Box<GameTextError>,
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
    /// At the first fault, or if there are several games.
    pub fn read(text: &str, start: &Position) -> Result<Self, GameTextError> {
        match &mut split(text)?[..] {
            [only] => Self::of(std::mem::take(only), start),
            several => Err(GameTextError::Several { games: several.len() }),
        }
    }

    /// Reads one game or several, as [`GameText::read`] does each: headers behind moves begin
    /// another game.
    ///
    /// # Errors
    /// At the first fault.
    pub fn read_all(text: &str, start: &Position) -> Result<Vec<Self>, GameTextError> {
        let parts = split(text)?;
        let alone = parts.len() == 1;
        let read = |(index, part)| {
            Self::of(part, start).map_err(|error| match alone {
                true => error,
                false => GameTextError::Game { number: index + 1, error: Box::new(error) },
            })
        };
        parts.into_iter().enumerate().map(read).collect()
    }

    /// The game that `part` tells.
    fn of(part: Part, start: &Position) -> Result<Self, GameTextError> {
        let Part { headers, fen_line, body } = part;
        let mut read = Self { headers, start: start.clone(), moves: Vec::new() };
        if let Some(found) = read.header("Variant").filter(|&id| id != start.game().id) {
            let (expected, found) = (start.game().id.to_owned(), found.to_owned());
            return Err(GameTextError::OtherGame { expected, found });
        }
        if let Some(fen) = read.header("FEN") {
            let wrong = |error: crate::FenError| line_error(fen_line, error.to_string());
            read.start = start.game().parse_fen(fen).map_err(wrong)?;
        }
        let mut history = History::new(read.start.clone());
        for word in words(&body) {
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

/// The part of a text that is one game.
#[derive(Default)]
struct Part {
    headers: Vec<(String, String)>,
    /// The line of the last header `FEN`.
    fen_line: usize,
    /// The rest, without comments.
    body: String,
}

/// The games in `text`, at least one.
fn split(text: &str) -> Result<Vec<Part>, GameTextError> {
    // Some editors begin files so.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (mut done, mut part) = (Vec::new(), Part::default());
    // The line in which the comment under way begins.
    let mut comment = None;
    for (line, number) in text.lines().zip(1..) {
        let header = line.trim();
        if comment.is_some() || !header.starts_with('[') {
            strip_comments(line, number, &mut comment, &mut part.body);
            part.body.push('\n');
            continue;
        }
        if !part.body.trim().is_empty() {
            done.push(std::mem::take(&mut part));
        }
        let wrong = || line_error(number, format!("expected [Name \"value\"], found `{header}`"));
        let (name, value) = read_header(header).ok_or_else(wrong)?;
        if name == "FEN" {
            part.fen_line = number;
        }
        part.headers.push((name, value));
    }
    if let Some(line) = comment {
        return Err(line_error(line, "the comment that begins with a brace has no end"));
    }
    done.push(part);
    Ok(done)
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

/// Adds `line`, the line `number`, to `kept`, with spaces in place of `{comments}` and
/// `; comments`. Moves of stacks name their parts in braces, so only a brace that begins a word
/// begins a comment; `comment` is the line where the one under way began.
fn strip_comments(line: &str, number: usize, comment: &mut Option<usize>, kept: &mut String) {
    for letter in line.chars() {
        match letter {
            '}' if comment.is_some() => {
                *comment = None;
                kept.push(' ');
            }
            _ if comment.is_some() => {}
            ';' => return,
            '{' if !kept.ends_with(|c: char| !c.is_ascii_whitespace()) => *comment = Some(number),
            _ => kept.push(letter),
        }
    }
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
