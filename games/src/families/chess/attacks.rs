//! Leaps and slides, and who attacks what.

use super::position::ChessPosition;
use crate::{Cell, CellSet, Side};

/// A set of cells for each cell of the board.
pub(in crate::families) type Table<const W: usize> = Vec<CellSet<W>>;

/// The jumps of one or more kinds of pieces.
#[derive(Debug)]
pub(super) struct Leap<const W: usize> {
    /// For each side and cell, the cells it jumps to.
    pub(super) to: [Table<W>; 2],
    /// For each side and cell, the cells from which it jumps there.
    pub(super) from: [Table<W>; 2],
    /// The kinds that have exactly these jumps.
    pub(super) kinds: Vec<u8>,
}

/// A set of lines along which some kinds of pieces slide.
#[derive(Debug)]
pub(in crate::families) struct Slide<const W: usize> {
    /// The lines through cell 0, those through cell 1, and so on, once for all who slide along the
    /// same lines.
    pub(in crate::families) lines: Vec<Line<W>>,
    /// Where the lines begin along which each side's pieces slide away from a cell.
    pub(super) out: [usize; 2],
    /// Where the lines begin along which each side's pieces slide towards a cell; the same if they
    /// slide both ways.
    pub(super) into: [usize; 2],
    /// The number of lines through a cell.
    pub(super) lines_per_cell: usize,
    /// The kinds that slide along these lines.
    pub(super) kinds: Vec<u8>,
}

impl<const W: usize> Slide<W> {
    /// The lines along which pieces of `side` slide towards `cell`.
    #[inline]
    pub(super) fn towards(&self, cell: Cell, side: Side) -> &[Line<W>] {
        self.through(self.into[side.index()], cell)
    }

    /// The lines through `cell` of those that begin at `start`.
    #[inline]
    fn through(&self, start: usize, cell: Cell) -> &[Line<W>] {
        &self.lines[start + cell.index() * self.lines_per_cell..][..self.lines_per_cell]
    }

    /// The cells that a slider of `side` on `cell` attacks, blockers included.
    #[inline]
    pub(in crate::families) fn reach(
        &self,
        cell: Cell,
        side: Side,
        occupied: CellSet<W>,
    ) -> CellSet<W> {
        let mut reach = CellSet::EMPTY;
        for line in self.through(self.out[side.index()], cell) {
            reach |= line.reach(occupied);
        }
        reach
    }
}

/// The two halves of a straight line through a cell, which itself belongs to neither.
///
/// Cells are numbered so that one half lies below the cell and the other above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::families) struct Line<const W: usize> {
    pub(super) below: CellSet<W>,
    pub(super) above: CellSet<W>,
}

impl<const W: usize> Line<W> {
    /// Both halves.
    #[inline]
    pub(super) fn both(&self) -> CellSet<W> {
        self.below | self.above
    }

    /// The cells up to the first member of `occupied` on either side, that member included.
    ///
    /// Obstruction difference: with the sets as numbers of `64 * W` bits, subtracting the highest
    /// blocker below from the blockers above flips exactly the bits from that blocker up to the
    /// lowest blocker above. Without a blocker below, bit 0 stands in for it; without one above,
    /// the subtraction borrows past the end of the board.
    #[inline]
    pub(super) fn reach(&self, occupied: CellSet<W>) -> CellSet<W> {
        let below = (self.below & occupied).words();
        let above = (self.above & occupied).words();
        let mut highest = [0; W];
        let mut found = false;
        for i in (0..W).rev() {
            let word = if i == 0 { below[i] | 1 } else { below[i] };
            if !found && word != 0 {
                highest[i] = 1 << (63 - word.leading_zeros());
                found = true;
            }
        }
        let mut span = [0; W];
        let mut borrow = false;
        for i in 0..W {
            let (difference, first) = above[i].overflowing_sub(highest[i]);
            let (difference, second) = difference.overflowing_sub(u64::from(borrow));
            borrow = first | second;
            span[i] = above[i] ^ difference;
        }
        self.both() & CellSet::from_words(span)
    }

    /// The cells from this line's own cell, `from`, up to `to`, which is included and must lie on
    /// the line.
    #[inline]
    pub(super) fn path(&self, from: Cell, to: Cell) -> CellSet<W> {
        let half = if to > from { self.above } else { self.below };
        half & self.reach(CellSet::of(to))
    }
}

impl<const W: usize> ChessPosition<W> {
    /// The pieces of both sides that are of one of `kinds`.
    #[inline]
    pub(super) fn of_kinds(&self, kinds: &[u8]) -> CellSet<W> {
        let mut pieces = CellSet::EMPTY;
        for &kind in kinds {
            pieces |= self.kinds[usize::from(kind)];
        }
        pieces
    }

    /// The cells that `side` attacks if `occupied` are the cells where something stands.
    pub(super) fn attacked_by(&self, side: Side, occupied: CellSet<W>) -> CellSet<W> {
        let (rules, own) = (self.rules, self.sides[side.index()]);
        let mut attacked = CellSet::EMPTY;
        for leap in &rules.leaps {
            let to = &leap.to[side.index()];
            (self.of_kinds(&leap.kinds) & own).for_each(|cell| attacked |= to[cell.index()]);
        }
        let to = &rules.king_leap.to[side.index()];
        self.leaping_kings(side).for_each(|cell| attacked |= to[cell.index()]);
        for slide in &rules.slides {
            (self.of_kinds(&slide.kinds) & own)
                .for_each(|cell| attacked |= slide.reach(cell, side, occupied));
        }
        attacked
    }

    /// The members of `pieces`, all of `side`, that attack `cell` with a jump.
    #[inline]
    pub(super) fn leapers_at(&self, cell: Cell, side: Side, pieces: CellSet<W>) -> CellSet<W> {
        let mut leapers = CellSet::EMPTY;
        for leap in &self.rules.leaps {
            leapers |= leap.from[side.index()][cell.index()] & self.of_kinds(&leap.kinds);
        }
        let leaping = self.leaping_kings(side);
        if !leaping.is_empty() {
            leapers |= self.rules.king_leap.from[side.index()][cell.index()] & leaping;
        }
        leapers & pieces
    }

    /// Whether one of `pieces`, all of `side`, attacks `cell` if `occupied` are the cells where
    /// something stands.
    pub(super) fn is_attacked(
        &self,
        cell: Cell,
        side: Side,
        pieces: CellSet<W>,
        occupied: CellSet<W>,
    ) -> bool {
        if !self.leapers_at(cell, side, pieces).is_empty() {
            return true;
        }
        self.rules.slides.iter().any(|slide| {
            let sliders = self.of_kinds(&slide.kinds) & pieces;
            slide
                .towards(cell, side)
                .iter()
                .any(|line| line.both().meets(sliders) && line.reach(occupied).meets(sliders))
        })
    }

    /// Whether `king`, of `side`, is attacked.
    pub(super) fn is_king_attacked(&self, king: Cell, side: Side) -> bool {
        let enemy = side.other();
        self.is_attacked(king, enemy, self.sides[enemy.index()], self.occupied())
    }

    /// Whether the only king of `side` is attacked.
    pub(super) fn in_check(&self, side: Side) -> bool {
        self.bound_king(side).is_some_and(|king| self.is_king_attacked(king, side))
    }
}
