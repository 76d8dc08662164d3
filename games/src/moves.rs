//! Whole moves: composed of steps, written and read as text.

use crate::{Move, Position, State, Step};

/// The most whole moves that are ever collected. The rules stop there, so that no hand-made
/// position with millions of capture routes is a memory bomb.
pub const MOST_MOVES: usize = 65_535;

/// A position has more than [`MOST_MOVES`] whole moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the position has more than {MOST_MOVES} moves")]
pub struct TooManyMoves;

/// A text that is no legal move of a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a legal move here: {legal}")]
pub struct MoveError {
    /// The text.
    pub text: String,
    /// What was legal, in a few words.
    pub legal: String,
}

impl Position {
    /// Calls `visit` with the steps of each whole move, in generation order.
    ///
    /// # Errors
    /// [`TooManyMoves`] once more than [`MOST_MOVES`] have been visited.
    pub fn for_each_move(&self, mut visit: impl FnMut(&[Step])) -> Result<(), TooManyMoves> {
        let mut seen = 0;
        extend(self, &mut Vec::new(), &mut |steps: &[Step]| {
            seen += 1;
            if seen > MOST_MOVES {
                return Err(TooManyMoves);
            }
            visit(steps);
            Ok(())
        })
    }

    /// The legal whole moves in generation order; none if the game is over.
    ///
    /// # Errors
    /// [`TooManyMoves`] if there are more than [`MOST_MOVES`].
    pub fn moves(&self) -> Result<Vec<Move>, TooManyMoves> {
        let mut moves = Vec::new();
        self.for_each_move(|steps| moves.push(Move::new(steps)))?;
        Ok(moves)
    }

    /// The texts of the legal whole moves, in ASCII order.
    ///
    /// # Errors
    /// As [`Position::moves`].
    pub fn move_texts(&self) -> Result<Vec<String>, TooManyMoves> {
        self.move_texts_beginning("")
    }

    /// The texts of those legal whole moves that begin with `beginning`, in ASCII order. Follows
    /// only the steps that fit it.
    ///
    /// # Errors
    /// [`TooManyMoves`] if more than [`MOST_MOVES`] begin so.
    pub fn move_texts_beginning(&self, beginning: &str) -> Result<Vec<String>, TooManyMoves> {
        let mut texts = Vec::new();
        extend_texts(self, beginning, &mut String::new(), &mut texts)?;
        texts.sort_unstable();
        Ok(texts)
    }

    /// The text of `played`, which must be legal here.
    #[must_use]
    pub fn move_text(&self, played: &Move) -> String {
        self.text_of(played.steps())
    }

    /// The text of the steps of a move, complete or not, that starts here.
    #[must_use]
    pub fn text_of(&self, steps: &[Step]) -> String {
        let mut text = String::new();
        let mut position = self.clone();
        for &step in steps {
            position.write_step(step, &mut text);
            position.play(step);
        }
        text
    }

    /// Plays all steps of `chosen`, which must be legal here.
    pub fn play_move(&mut self, chosen: &Move) {
        chosen.steps().iter().for_each(|&step| self.play(step));
    }

    /// Reads a move.
    ///
    /// Follows only the steps whose text the input begins with, so a position with millions of
    /// moves costs no more than the length of the text.
    ///
    /// # Errors
    /// If `text` is no legal move here; the error says what is.
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        match self.follow(text, &mut Vec::new()) {
            Some(found) => Ok(found),
            None => Err(MoveError { text: text.to_owned(), legal: self.legal_in_words() }),
        }
    }

    fn follow(&self, rest: &str, played: &mut Vec<Step>) -> Option<Move> {
        let mut steps = Vec::new();
        self.steps(&mut steps);
        let mut head = String::new();
        steps.into_iter().find_map(|step| {
            head.clear();
            self.write_step(step, &mut head);
            let rest = rest.strip_prefix(&head)?;
            let mut next = self.clone();
            next.play(step);
            played.push(step);
            let found = match (next.mid_move(), rest.is_empty()) {
                (true, false) => next.follow(rest, played),
                (false, true) => Some(Move::new(played)),
                _ => None,
            };
            played.pop();
            found
        })
    }

    /// The legal moves as a phrase of bounded length.
    fn legal_in_words(&self) -> String {
        const SHOWN: usize = 40;
        match self.move_texts() {
            Err(error) => error.to_string(),
            Ok(texts) if texts.is_empty() => "the game is over".to_owned(),
            Ok(texts) => {
                let more = texts.len().saturating_sub(SHOWN);
                let mut words = format!("legal are {}", texts[..texts.len() - more].join(" "));
                if more > 0 {
                    words.push_str(&format!(" and {more} more"));
                }
                words
            }
        }
    }
}

/// Visits the completions of the move whose steps so far are `played`.
fn extend<E>(
    position: &Position,
    played: &mut Vec<Step>,
    visit: &mut impl FnMut(&[Step]) -> Result<(), E>,
) -> Result<(), E> {
    let mut steps = Vec::new();
    position.steps(&mut steps);
    for step in steps {
        let mut next = position.clone();
        next.play(step);
        played.push(step);
        if next.mid_move() {
            extend(&next, played, visit)?;
        } else {
            visit(played)?;
        }
        played.pop();
    }
    Ok(())
}

/// Collects the texts of the moves that go on with the steps of which `text` is the text and begin
/// with `beginning`.
fn extend_texts(
    position: &Position,
    beginning: &str,
    text: &mut String,
    texts: &mut Vec<String>,
) -> Result<(), TooManyMoves> {
    let mut steps = Vec::new();
    position.steps(&mut steps);
    for step in steps {
        let length = text.len();
        position.write_step(step, text);
        if text.starts_with(beginning) || beginning.starts_with(text.as_str()) {
            let mut next = position.clone();
            next.play(step);
            if next.mid_move() {
                extend_texts(&next, beginning, text, texts)?;
            } else if text.starts_with(beginning) {
                if texts.len() == MOST_MOVES {
                    return Err(TooManyMoves);
                }
                texts.push(text.clone());
            }
        }
        text.truncate(length);
    }
    Ok(())
}
