//! Captures by jumping over, in games that have them.
//!
//! The moving part stays the same during the whole move. What it leaves behind stands on the
//! starting cell and is in its own way; a whole stack leaves that cell empty.

use std::ops::ControlFlow;

use super::position::StacksPosition;
use super::stack::{Motions, SLAVE};
use super::steps::some;
use crate::lines::EVERY_WAY;
use crate::{Cell, CellSet, MOST_MOVES, Side};

/// The most jumps that are followed to find out whether a royal piece can be captured. A position
/// in which they do not suffice, more than any game sees, counts as one in which it can.
const MOST_JUMPS: usize = 20_000;

impl StacksPosition {
    /// Calls `visit` with all jumps that can be the next step, until it breaks; never with an empty
    /// set of cells.
    pub(super) fn visit_jumps<B>(
        &self,
        visit: &mut impl FnMut(u8, Cell, CellSet<2>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let rules = self.rules;
        let (own, enemy) =
            (self.sides[self.turn.side.index()], self.sides[self.turn.side.other().index()]);
        if let Some(cell) = self.capturing {
            let number = self.stack_on(cell);
            let motions = rules.stacks.get(number).moves.captures;
            let to = rules.landings(motions, cell, enemy, self.occupied());
            return some(to, |to| visit(number, cell, to));
        }
        if let Some(slave) = &rules.slave {
            (self.layers[SLAVE] & own).try_for_each(|from| {
                let to = rules.landings(slave.moves.captures, from, enemy, self.occupied());
                self.visit_slave(slave, from, to, visit)
            })?;
        }
        self.stacks_of(self.turn.side).try_for_each(|from| {
            self.for_each_jumping_part(from, self.turn.side, enemy, |part, to| {
                visit(part, from, to)
            })
        })
    }

    /// Calls `visit` with each part of the stack of `side` on `from` that can jump over one of
    /// `enemy`, and where that leads.
    fn for_each_jumping_part<B>(
        &self,
        from: Cell,
        side: Side,
        enemy: CellSet<2>,
        mut visit: impl FnMut(u8, CellSet<2>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        debug_assert!(self.sides[side.index()].has(from), "no stack of {side} on {from:?}");
        let (rules, occupied) = (self.rules, self.occupied());
        let whole = rules.stacks.get(self.stack_on(from));
        let mut landings = [CellSet::EMPTY; Motions::MOST];
        let mut any = CellSet::EMPTY;
        for motion in whole.reach.captures.each() {
            let mut motions = Motions::default();
            motions.insert(motion);
            landings[motion] = rules.landings(motions, from, enemy, occupied);
            any |= landings[motion];
        }
        if any.is_empty() {
            return ControlFlow::Continue(());
        }
        whole.parts.iter().try_for_each(|&part| {
            let motions = rules.stacks.get(part).moves.captures;
            let to = motions.each().fold(CellSet::EMPTY, |to, motion| to | landings[motion]);
            some(to, |to| visit(part, to))
        })
    }

    /// Follows all captures of `part` of the stack on `from` whose next jump leads to one of `to`.
    /// Calls `visit` for each jump with the jumped piece and whether the capture ends with it.
    fn follow<B>(
        &self,
        (from, part): (Cell, u8),
        enemy: CellSet<2>,
        to: CellSet<2>,
        visit: &mut impl FnMut(CellSet<2>, bool) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let rules = self.rules;
        let stack = rules.stacks.get(part);
        let leaves_nothing = self.stack_on(from) == part;
        let start = if leaves_nothing { CellSet::of(from) } else { CellSet::EMPTY };
        let pieces = (enemy, self.occupied() - start);
        let next = |from, enemy, occupied| match stack.goes_on {
            true => rules.landings(stack.moves.captures, from, enemy, occupied),
            false => CellSet::EMPTY,
        };
        rules.lines.follow_jumps(from, to, pieces, &next, visit)
    }

    /// The number of whole moves that capture or go on capturing, or some number that is more than
    /// [`MOST_MOVES`].
    pub(super) fn count_jumps(&self) -> usize {
        let enemy = self.sides[self.turn.side.other().index()];
        let mut count = 0;
        let _ = self.visit_jumps(&mut |kind, from, to| {
            let is_stack = !self.layers[SLAVE].has(from);
            if !is_stack || !self.rules.stacks.get(kind).goes_on {
                count += to.len();
                return ControlFlow::Continue(());
            }
            self.follow((from, kind), enemy, to, &mut |_, ends| {
                count += usize::from(ends);
                if count > MOST_MOVES { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
        });
        count
    }

    /// Whether the other side, if it were to move, could capture the royal piece of `side` with
    /// any jump of a move.
    pub(super) fn can_be_jumped(&self, side: Side) -> bool {
        let Some(royal) = self.royal(side) else { return false };
        // A jump needs a cell before the royal piece and one behind it: in a corner it is safe.
        let lines = &self.rules.lines;
        let has_both_sides = |direction| {
            !lines.ray(direction, royal).is_empty()
                && !lines.ray((direction + 4) % 8, royal).is_empty()
        };
        EVERY_WAY.each().any(has_both_sides)
            && (self.is_next_to_be_jumped(royal, side.other()) || self.is_on_a_route(royal, side))
    }

    /// Whether a piece of `side` can capture on `royal` with the first jump of a move.
    fn is_next_to_be_jumped(&self, royal: Cell, side: Side) -> bool {
        let (rules, occupied) = (self.rules, self.occupied());
        EVERY_WAY.each().any(|direction| {
            let Some(from) = rules.lines.blocker(direction, royal, occupied) else { return false };
            let captures = match &rules.slave {
                _ if !self.sides[side.index()].has(from) => return false,
                Some(slave) if self.layers[SLAVE].has(from) => slave.moves.captures,
                _ => rules.stacks.get(self.stack_on(from)).reach.captures,
            };
            !rules.landings(captures, from, CellSet::of(royal), occupied).is_empty()
        })
    }

    /// Whether a stack of the other side that has to go on jumping can come to capture on `royal`,
    /// where the royal piece of `side` stands.
    fn is_on_a_route(&self, royal: Cell, side: Side) -> bool {
        let (other, enemy) = (side.other(), self.sides[side.index()]);
        let mut jumps = 0;
        (self.in_all_layers(self.rules.goes_on) & self.stacks_of(other))
            .try_for_each(|from| {
                self.for_each_jumping_part(from, other, enemy, |part, to| {
                    if !self.rules.stacks.get(part).goes_on {
                        return ControlFlow::Continue(());
                    }
                    self.follow((from, part), enemy, to, &mut |jumped, _| {
                        jumps += 1;
                        if jumped.has(royal) || jumps > MOST_JUMPS {
                            return ControlFlow::Break(());
                        }
                        ControlFlow::Continue(())
                    })
                })
            })
            .is_break()
    }
}
