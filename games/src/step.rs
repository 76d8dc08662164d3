//! [`Step`]: the unit of play, and [`Move`]: one or more steps of one side.

use crate::Cell;

/// One step: a kind, the cell it leaves and the cell it reaches, unique among the legal steps of a
/// state.
///
/// Search, policy and records work in steps. A chess-like move is one step; a jump capture takes
/// one step a leg, a polyform two: which piece, and where to. `kind` indexes
/// [`crate::Game::kinds`]; kind 0 is a plain step. Steps order by (kind, from, to), the canonical
/// order of records. Packed into 32 bits: 8 + 12 + 12.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step(u32);

impl Step {
    /// The kind of a step that only goes from one cell to another.
    pub const PLAIN: u8 = 0;

    /// A step of kind `kind` from `from` to `to`.
    #[inline]
    #[must_use]
    pub const fn new(kind: u8, from: Cell, to: Cell) -> Self {
        Self((kind as u32) << 24 | (from.index() as u32) << 12 | to.index() as u32)
    }

    /// A step of kind [`Step::PLAIN`].
    #[inline]
    #[must_use]
    pub const fn plain(from: Cell, to: Cell) -> Self {
        Self::new(Self::PLAIN, from, to)
    }

    /// The kind: an index into [`crate::Game::kinds`].
    #[inline]
    #[must_use]
    pub const fn kind(self) -> u8 {
        (self.0 >> 24) as u8
    }

    /// The cell the step leaves; of a drop, the cell it reaches.
    #[inline]
    #[must_use]
    pub const fn from(self) -> Cell {
        Cell::new((self.0 >> 12 & 0xfff) as u16)
    }

    /// The cell the step reaches.
    #[inline]
    #[must_use]
    pub const fn to(self) -> Cell {
        Cell::new((self.0 & 0xfff) as u16)
    }

    /// The 32 bits of the step, for records.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The step with these 32 bits. Whether it is legal anywhere is for the rules to say.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
}

impl std::fmt::Debug for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{:?}-{:?}", self.kind(), self.from(), self.to())
    }
}

/// A whole move: the steps one side makes before the turn passes, in order. Never empty.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(Box<[Step]>);

impl Move {
    /// The move made of `steps`.
    ///
    /// # Panics
    /// If `steps` is empty.
    #[must_use]
    pub fn new(steps: &[Step]) -> Self {
        assert!(!steps.is_empty(), "a move has at least one step");
        Self(steps.into())
    }

    /// The steps, in the order in which they are played.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.0
    }
}
