//! What only some games have: steps that do not capture, pieces that turn over, drops.
//!
//! Kept apart, and out of line, so that the games without them stay as fast as they are.

use std::ops::ControlFlow;

use super::legal::some;
use super::position::ChessPosition;
use super::rules::{Kind, PAWN};
use crate::families::bulk::Bulk as _;
use crate::{Cell, CellSet, Step};

impl<const W: usize> ChessPosition<W> {
    /// Visits the steps to `goal` of `pieces`, all of `kind`, which has quiet steps or turns over.
    #[inline(never)]
    pub(super) fn peculiar_steps<B>(
        &self,
        kind: &Kind<W>,
        pieces: CellSet<W>,
        goal: CellSet<W>,
        visit: &mut impl FnMut(u8, Option<Cell>, CellSet<W>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        pieces.try_for_each(|from| {
            let mut targets = self.reach(kind, from) & goal;
            if let Some(quiet) = &kind.quiet {
                targets |= (quiet[self.turn.side.index()][from.index()] & goal) - self.occupied();
            }
            let targets = self.turning_steps(kind, from, targets, visit)?;
            some(targets, |targets| visit(Step::PLAIN, Some(from), targets))
        })
    }

    /// Visits the steps from `from` to `targets` that turn over a piece of `kind`, and returns the
    /// cells where it may arrive as it is.
    #[inline]
    pub(super) fn turning_steps<B>(
        &self,
        kind: &Kind<W>,
        from: Cell,
        targets: CellSet<W>,
        visit: &mut impl FnMut(u8, Option<Cell>, CellSet<W>) -> ControlFlow<B>,
    ) -> ControlFlow<B, CellSet<W>> {
        if kind.turns_into.is_none() {
            return ControlFlow::Continue(targets);
        }
        let side = self.turn.side.index();
        let zone = self.rules.turning_zone[side];
        let turns = if zone.has(from) { targets } else { targets & zone };
        some(turns, |turns| visit(self.rules.turning, Some(from), turns))?;
        ControlFlow::Continue(targets - kind.stuck[side])
    }

    /// Visits the drops on `goal`, a set of empty cells.
    #[inline(never)]
    pub(super) fn drops<B>(
        &self,
        goal: CellSet<W>,
        visit: &mut impl FnMut(u8, Option<Cell>, CellSet<W>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (rules, side) = (self.rules, self.turn.side.index());
        for ((step_kind, held), &count) in
            (rules.first_drop..).zip(&rules.held).zip(&self.hands[side])
        {
            if count == 0 {
                continue;
            }
            let mut targets = goal - rules.kinds[held.kind].stuck[side];
            if held.kind == PAWN {
                targets = self.pawn_drops(targets);
            }
            some(targets, |targets| visit(step_kind, None, targets))?;
        }
        ControlFlow::Continue(())
    }

    /// Those members of `goal` where a pawn may be dropped: on no file with a pawn of its side, and
    /// not with mate.
    fn pawn_drops(&self, goal: CellSet<W>) -> CellSet<W> {
        let (rules, side) = (self.rules, self.turn.side.index());
        let mut targets = goal;
        (self.kinds[PAWN] & self.sides[side])
            .for_each(|pawn| targets = targets - rules.files[pawn.index()]);
        let Some(king) = self.bound_king(self.turn.side.other()) else { return targets };
        let checks = rules.pawn_captures().from[side][king.index()] & targets;
        checks.for_each(|cell| {
            let mut next = *self;
            next.put(self.turn.side, PAWN, cell);
            next.turn.pass(&mut next.key);
            if !next.can_move() {
                targets.remove(cell);
            }
        });
        targets
    }
}
