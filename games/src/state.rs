//! [`State`]: the seam between rules and search.

use crate::Step;

/// One of the two players. White (in some games called Red) moves first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The side that moves first.
    White,
    /// The side that moves second.
    Black,
}

impl Side {
    /// Both sides, White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// 0 for White, 1 for Black: an index into tables of two.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The opponent.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl std::fmt::Display for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::White => "white",
            Self::Black => "black",
        })
    }
}

/// How a finished game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This side has won.
    Win(Side),
    /// Nobody has won.
    Draw,
}

impl Outcome {
    /// 1 if `side` has won, -1 if it has lost, 0 for a draw.
    #[inline]
    #[must_use]
    pub fn score(self, side: Side) -> i8 {
        match self {
            Self::Win(winner) if winner == side => 1,
            Self::Win(_) => -1,
            Self::Draw => 0,
        }
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Win(side) => side.fmt(f),
            Self::Draw => f.write_str("draw"),
        }
    }
}

/// Hash of a position: placement, side to move, rights and hands; counters are left out.
pub type Key = u64;

/// A game in progress, as the search sees it.
///
/// The side to move may stay the same over several steps (the legs of a jump capture), so whoever
/// backs values up asks each state for its side and never counts plies.
pub trait State: Clone + Send + Sync {
    /// The side that plays the next step.
    fn side_to_move(&self) -> Side;

    /// Appends the legal steps in a deterministic order, without duplicates. If the game is over
    /// nothing is appended and the outcome returned.
    fn steps(&self, into: &mut Vec<Step>) -> Option<Outcome>;

    /// Plays `step`, which must be one of [`State::steps`]; checked in debug builds only.
    fn play(&mut self, step: Step);

    /// The outcome if the game is over: `Some` exactly when [`State::steps`] returns it.
    fn outcome(&self) -> Option<Outcome> {
        self.steps(&mut Vec::new())
    }

    /// The outcome as soon as no play can change it any more, which may be before the move under
    /// way is complete: a captured king loses although the capturing piece has to jump on.
    fn foregone(&self) -> Option<Outcome> {
        self.outcome()
    }

    /// Appends for each of `steps`, all legal here, whether the game surely goes on after it:
    /// [`State::foregone`] is none then. `false` says nothing. Quicker than playing them, so that
    /// who looks for a step that wins at once need not play them all.
    fn open_after(&self, steps: &[Step], into: &mut Vec<bool>) {
        into.resize(into.len() + steps.len(), false);
    }

    /// The hash of the state.
    fn key(&self) -> Key;

    /// The hash of what an evaluator may see of the state: equal keys mean the same network input,
    /// and the same steps in the same order.
    fn evaluation_key(&self) -> Key {
        self.key()
    }
}
