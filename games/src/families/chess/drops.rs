//! What only some games have: steps that do not capture, pieces that turn over, drops.
//!
//! Kept apart, and out of line, so that the games without them stay as fast as they are.

use std::ops::ControlFlow;

use super::legal::some;
use super::position::ChessPosition;
use super::rules::{Kind, PAWN};
use crate::{Cell, CellSet, Step};

impl<const W: usize> ChessPosition<W> {
    /// Visits the steps of a piece of `kind` that are more than to go from `from` to `targets`, its
    /// reach in `goal`: it has quiet steps as well, and turns over or not.
    #[inline(never)]
    pub(super) fn peculiar_steps<B>(
        &self,
        kind: &Kind<W>,
        from: Cell,
        mut targets: CellSet<W>,
        goal: CellSet<W>,
        visit: &mut impl FnMut(u8, Option<Cell>, CellSet<W>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let side = self.side.index();
        if let Some(quiet) = &kind.quiet {
            targets |= (quiet[side][from.index()] & goal) - self.occupied();
        }
        if kind.turns_into.is_some() {
            let zone = self.rules.turning_zone[side];
            let turns = if zone.has(from) { targets } else { targets & zone };
            some(turns, |turns| visit(self.rules.turning, Some(from), turns))?;
            targets = targets - kind.stuck[side];
        }
        some(targets, |targets| visit(Step::PLAIN, Some(from), targets))
    }

    /// Visits the drops on `goal`, a set of empty cells.
    #[inline(never)]
    pub(super) fn drops<B>(
        &self,
        goal: CellSet<W>,
        visit: &mut impl FnMut(u8, Option<Cell>, CellSet<W>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (rules, side) = (self.rules, self.side.index());
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
        let (rules, side) = (self.rules, self.side.index());
        let mut targets = goal;
        (self.kinds[PAWN] & self.sides[side])
            .for_each(|pawn| targets = targets - rules.files[pawn.index()]);
        let Some(king) = self.bound_king(self.side.other()) else { return targets };
        let checks = rules.pawn_captures().from[side][king.index()] & targets;
        checks.for_each(|cell| {
            let mut next = *self;
            next.put(self.side, PAWN, cell);
            next.turn();
            if !next.can_move() {
                targets.remove(cell);
            }
        });
        targets
    }
}
