//! Test vectors and traces: what the rules have to give, one JSON object a line.

use std::collections::BTreeMap;

use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use crate::{FenError, Game, History, MoveError, State, TooManyMoves, perft};

/// What the rules have to say about one position.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vector {
    /// The position.
    pub fen: String,
    /// How deep `nodes` looks, in plies.
    pub depth: Option<u32>,
    /// The perft count at `depth`.
    pub nodes: Option<u64>,
    /// The texts of the legal moves, in ASCII order.
    pub moves: Option<Vec<String>>,
    /// The SHA-256 of those texts joined by newlines, in hexadecimal: where there are thousands.
    pub moves_sha256: Option<String>,
    /// The position after each of some moves.
    pub after: Option<BTreeMap<String, String>>,
    /// How the game is over here, by its own rules or by the hundred-ply rule: `white` or `black`
    /// has won, or `draw`.
    pub result: Option<String>,
}

/// A game, move by move.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// The position it starts from.
    pub fen: String,
    /// The moves.
    pub moves: Vec<String>,
    /// The positions after some numbers of plies.
    pub fens: BTreeMap<usize, String>,
    /// How it ended, as in [`Vector::result`]; nothing if it was cut off.
    pub result: Option<String>,
}

/// A line that is no vector or trace, or that the rules contradict.
#[derive(Debug, thiserror::Error)]
pub enum VectorError {
    /// Not JSON, or not of this form.
    #[error("not a vector or trace: {0}")]
    Format(#[from] serde_json::Error),
    /// A vector that gives only one of `depth` and `nodes`, or nothing at all.
    #[error("the vector lacks {0}")]
    Incomplete(&'static str),
    /// A position string that the game refuses.
    #[error("`{fen}`: {error}")]
    Fen {
        /// The position string.
        fen: String,
        /// What is wrong with it.
        error: FenError,
    },
    /// A move that is not legal.
    #[error("at ply {ply}: {error}")]
    Move {
        /// How many plies were played before.
        ply: usize,
        /// What is wrong with it.
        error: MoveError,
    },
    /// A position with more moves than the rules list.
    #[error(transparent)]
    TooMany(#[from] TooManyMoves),
    /// The rules say something else.
    #[error("{what}: expected {expected}, found {found}")]
    Mismatch {
        /// What was compared.
        what: String,
        /// What the line says.
        expected: String,
        /// What the rules say.
        found: String,
    },
}

/// Checks one line of a file of vectors or traces of `game`.
///
/// # Errors
/// If the line is neither, or the rules contradict it.
pub fn check_line(game: &Game, line: &str) -> Result<(), VectorError> {
    let object: serde_json::Value = serde_json::from_str(line)?;
    if object.get("fens").is_some() {
        serde_json::from_value::<Trace>(object)?.check(game)
    } else {
        serde_json::from_value::<Vector>(object)?.check(game)
    }
}

impl Vector {
    /// Checks that the rules of `game` say the same.
    ///
    /// # Errors
    /// If they do not.
    pub fn check(&self, game: &Game) -> Result<(), VectorError> {
        let moves = self.moves.is_some() || self.moves_sha256.is_some();
        if self.result.is_none() && self.nodes.is_none() && !moves {
            return Err(VectorError::Incomplete("`nodes`, `moves` or `result`"));
        }
        let position = read(game, &self.fen)?;
        same(|| "the position written again".to_owned(), &self.fen, &position.fen())?;
        match (self.depth, self.nodes) {
            (Some(depth), Some(nodes)) => {
                same(|| format!("nodes at depth {depth}"), &nodes, &perft(&position, depth)?)?;
            }
            (None, None) => {}
            (Some(_), None) => return Err(VectorError::Incomplete("`nodes`")),
            (None, Some(_)) => return Err(VectorError::Incomplete("`depth`")),
        }
        if moves {
            let found = position.move_texts()?;
            if let Some(moves) = &self.moves {
                same(|| "moves".to_owned(), &moves.join(" "), &found.join(" "))?;
            }
            if let Some(hash) = &self.moves_sha256 {
                let found = format!("{:x}", Sha256::digest(found.join("\n")));
                same(|| "SHA-256 of the moves".to_owned(), hash, &found)?;
            }
        }
        for (text, fen) in self.after.iter().flatten() {
            let chosen =
                position.parse_move(text).map_err(|error| VectorError::Move { ply: 0, error })?;
            let mut next = position.clone();
            next.play_move(&chosen);
            same(|| format!("the position after {text}"), fen, &next.fen())?;
        }
        if self.result.is_some() {
            same_result(self.result.as_deref(), &History::new(position))?;
        }
        Ok(())
    }
}

impl Trace {
    /// Checks that the game can be played as it is told.
    ///
    /// # Errors
    /// If it cannot.
    pub fn check(&self, game: &Game) -> Result<(), VectorError> {
        let mut history = History::new(read(game, &self.fen)?);
        for ply in 0..=self.moves.len() {
            if let Some(fen) = self.fens.get(&ply) {
                same(|| format!("the position after {ply} plies"), fen, &history.position().fen())?;
            }
            if let Some(text) = self.moves.get(ply) {
                same_result(None, &history)?;
                let chosen = history
                    .position()
                    .parse_move(text)
                    .map_err(|error| VectorError::Move { ply, error })?;
                chosen.steps().iter().for_each(|&step| history.play(step));
            }
        }
        if let Some((ply, fen)) = self.fens.range(self.moves.len() + 1..).next() {
            let found = format!("the game ends after {}", self.moves.len());
            return Err(mismatch(format!("the position after {ply} plies"), fen, &found));
        }
        same_result(self.result.as_deref(), &history)
    }
}

/// The position written as `fen`.
fn read(game: &Game, fen: &str) -> Result<crate::Position, VectorError> {
    game.parse_fen(fen).map_err(|error| VectorError::Fen { fen: fen.to_owned(), error })
}

/// An error unless the game has ended as `expected` says.
fn same_result(expected: Option<&str>, history: &History) -> Result<(), VectorError> {
    let found = history.outcome().map(|outcome| outcome.to_string());
    let words = |result: Option<&str>| result.unwrap_or("none").to_owned();
    same(
        || format!("the result after {} plies", history.plies()),
        &words(expected),
        &words(found.as_deref()),
    )
}

/// An error unless `found` is `expected`.
fn same<T: PartialEq + std::fmt::Display>(
    what: impl Fn() -> String,
    expected: &T,
    found: &T,
) -> Result<(), VectorError> {
    if expected == found { Ok(()) } else { Err(mismatch(what(), expected, found)) }
}

fn mismatch(
    what: String,
    expected: &impl std::fmt::Display,
    found: &impl std::fmt::Display,
) -> VectorError {
    VectorError::Mismatch { what, expected: expected.to_string(), found: found.to_string() }
}
