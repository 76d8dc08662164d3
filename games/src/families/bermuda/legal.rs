//! Which moves there are.
//!
//! Without check every move is legal that a piece can make. Steps come in bulk, as a kind, a cell
//! and the set of cells they lead to, so that counting them is counting bits.

use std::convert::Infallible;
use std::ops::ControlFlow;

use super::position::BermudaPosition;
use super::rules::{KING, LOWER, PAWN, complements};
use crate::{Cell, CellSet, Outcome, Step};

impl BermudaPosition {
    /// As [`crate::State::steps`].
    pub(super) fn list_steps(&self, into: &mut Vec<Step>) -> Option<Outcome> {
        let start = into.len();
        let ControlFlow::Continue(()) = self.visit_steps::<Infallible>(|kind, from, targets| {
            targets.for_each(|to| into.push(Step::new(kind, from, to)));
            ControlFlow::Continue(())
        });
        if into.len() == start { Some(self.stuck()) } else { None }
    }

    /// The number of legal steps.
    pub(super) fn count_steps(&self) -> usize {
        let mut count = 0;
        let ControlFlow::Continue(()) = self.visit_steps::<Infallible>(|_, _, targets| {
            count += targets.len();
            ControlFlow::Continue(())
        });
        count
    }

    /// Whether there is a legal step.
    pub(super) fn can_move(&self) -> bool {
        self.visit_steps(|_, _, targets| match targets.is_empty() {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        })
        .is_break()
    }

    /// Whether `step` is legal.
    pub(super) fn is_legal(&self, step: Step) -> bool {
        self.visit_steps(|kind, from, targets| {
            match kind == step.kind() && from == step.from() && targets.has(step.to()) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })
        .is_break()
    }

    /// The outcome if there is no legal step: the last king is lost, or the side is stalemated
    /// (ruling R10).
    pub(super) fn stuck(&self) -> Outcome {
        match self.kings(self.side).is_empty() {
            true => Outcome::Win(self.side.other()),
            false => Outcome::Draw,
        }
    }

    /// The pieces of the side to move that may move: those on boards where it has a king.
    fn movers(&self) -> CellSet<2> {
        let kings = self.kings(self.side).words();
        let boards = kings.map(|kings| if kings == 0 { 0 } else { !0 });
        self.pieces(self.side) & CellSet::from_words(boards)
    }

    /// Calls `visit` with all legal steps, until it breaks; perhaps with empty sets of targets.
    fn visit_steps<B>(
        &self,
        mut visit: impl FnMut(u8, Cell, CellSet<2>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let movers = self.movers();
        let (own, occupied) = (self.pieces(self.side), self.occupied());
        for (kind, &pieces) in self.rules.kinds.iter().zip(&self.kinds).skip(KING) {
            (pieces & movers).try_for_each(|from| {
                let mut targets = kind.leaps[from.index()] | drop_of(from);
                for &slide in &kind.slides {
                    targets |= self.rules.slides[slide].reach(from, self.side, occupied);
                }
                visit(Step::PLAIN, from, targets - own)
            })?;
        }
        for castling in &self.rules.castlings[self.side.index()] {
            if self.rights & castling.right != 0 && !castling.between.meets(occupied) {
                let [from, to] = castling.king;
                visit(Step::PLAIN, from, CellSet::of(to))?;
            }
        }
        (self.kinds[PAWN] & movers).try_for_each(|from| self.pawn_steps(from, &mut visit))
    }

    /// The steps of a pawn.
    fn pawn_steps<B>(
        &self,
        from: Cell,
        visit: &mut impl FnMut(u8, Cell, CellSet<2>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let side = self.side.index();
        let occupied = self.occupied();
        let moves = &self.rules.pawns[side][from.index()];
        let mut quiet = moves.steps;
        if !moves.over.meets(occupied) {
            quiet |= moves.first;
        }
        let mut enemies = self.pieces(self.side.other());
        if let Some(passed) = self.en_passant {
            enemies.insert(passed);
        }
        let captures = moves.captures & enemies;
        let targets = (quiet - occupied) | captures | (drop_of(from) - self.pieces(self.side));
        // Where it arrives, or comes to when it rises after a capture on the lower board.
        let last_ranks = self.rules.last_ranks[side];
        let rising = captures & complements(last_ranks - occupied) & LOWER;
        let promoted = (targets & last_ranks) | rising;
        if !promoted.is_empty() {
            for kind in 1..=self.rules.promotions.len() as u8 {
                visit(kind, from, promoted)?;
            }
        }
        visit(Step::PLAIN, from, targets - promoted)
    }
}

/// Where a piece on `from` may drop to: the complement of an upper cell.
#[inline]
fn drop_of(from: Cell) -> CellSet<2> {
    complements(CellSet::of(from)) & LOWER
}
