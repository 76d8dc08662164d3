//! Which moves there are.
//!
//! Without check every move is legal that a piece can make.

use std::ops::ControlFlow;

use super::position::BermudaPosition;
use super::rules::{KING, LOWER, PAWN, complements};
use crate::families::bulk::Bulk;
use crate::{Cell, CellSet, Outcome, Step};

impl Bulk<2> for BermudaPosition {
    fn visit_steps<B>(
        &self,
        mut visit: impl FnMut(u8, Option<Cell>, CellSet<2>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let movers = self.movers();
        let (own, occupied) = (self.pieces(self.turn.side), self.occupied());
        for (kind, &pieces) in self.rules.kinds.iter().zip(&self.kinds).skip(KING) {
            (pieces & movers).try_for_each(|from| {
                let mut targets = kind.leaps[from.index()] | drop_of(from);
                for &slide in &kind.slides {
                    targets |= self.rules.slides[slide].reach(from, self.turn.side, occupied);
                }
                visit(Step::PLAIN, Some(from), targets - own)
            })?;
        }
        for castling in &self.rules.castlings[self.turn.side.index()] {
            if self.rights & castling.right != 0 && !castling.between.meets(occupied) {
                let [from, to] = castling.king;
                visit(Step::PLAIN, Some(from), CellSet::of(to))?;
            }
        }
        (self.kinds[PAWN] & movers).try_for_each(|from| self.pawn_steps(from, &mut visit))
    }

    /// The last king is lost, or the side is stalemated (ruling R10).
    fn stuck(&self) -> Outcome {
        match self.kings(self.turn.side).is_empty() {
            true => Outcome::Win(self.turn.side.other()),
            false => Outcome::Draw,
        }
    }
}

impl BermudaPosition {
    /// The pieces of the side to move that may move: those on boards where it has a king.
    fn movers(&self) -> CellSet<2> {
        let kings = self.kings(self.turn.side).words();
        let boards = kings.map(|kings| if kings == 0 { 0 } else { !0 });
        self.pieces(self.turn.side) & CellSet::from_words(boards)
    }

    /// The steps of a pawn.
    fn pawn_steps<B>(
        &self,
        from: Cell,
        visit: &mut impl FnMut(u8, Option<Cell>, CellSet<2>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let side = self.turn.side.index();
        let occupied = self.occupied();
        let moves = &self.rules.pawns[side][from.index()];
        let mut quiet = moves.steps;
        if !moves.over.meets(occupied) {
            quiet |= moves.first;
        }
        let mut enemies = self.pieces(self.turn.side.other());
        if let Some(passed) = self.en_passant {
            enemies.insert(passed);
        }
        let captures = moves.captures & enemies;
        let targets = (quiet - occupied) | captures | (drop_of(from) - self.pieces(self.turn.side));
        // Where it arrives, or comes to when it rises after a capture on the lower board.
        let last_ranks = self.rules.last_ranks[side];
        let rising = captures & complements(last_ranks - occupied) & LOWER;
        let promoted = (targets & last_ranks) | rising;
        if !promoted.is_empty() {
            for kind in 1..=self.rules.promotions.len() as u8 {
                visit(kind, Some(from), promoted)?;
            }
        }
        visit(Step::PLAIN, Some(from), targets - promoted)
    }
}

/// Where a piece on `from` may drop to: the complement of an upper cell.
#[inline]
fn drop_of(from: Cell) -> CellSet<2> {
    complements(CellSet::of(from)) & LOWER
}
