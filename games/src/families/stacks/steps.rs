//! Which moves there are: those that end by arriving, with or without capture.
//!
//! Steps come in bulk, as a kind, a cell and the set of cells they lead to, so that counting them
//! is counting bits.

use std::convert::Infallible;
use std::ops::ControlFlow;

use super::position::StacksPosition;
use super::rules::SlaveTables;
use super::safety::Safety;
use super::stack::{Motions, Moves, SLAVE};
use crate::families::bulk::Bulk;
use crate::{Cell, CellSet, MOST_MOVES, Outcome, Step};

/// Which cells moves may end on.
struct Ends {
    /// Where there are enemies that may be captured by arriving.
    prey: CellSet<2>,
    empty: CellSet<2>,
    /// In games with check.
    safety: Option<(Cell, Safety)>,
}

impl Ends {
    /// The cells of `ends` to which the unit on `from`, or only a `part` of it, may go.
    #[inline]
    fn safe(
        &self,
        position: &StacksPosition,
        from: Cell,
        part: bool,
        ends: CellSet<2>,
    ) -> CellSet<2> {
        match &self.safety {
            None => ends,
            Some((royal, safety)) if !part && safety.pinned.has(from) => {
                ends & safety.goal & position.pin(*royal, from)
            }
            Some((_, safety)) => ends & safety.goal,
        }
    }
}

impl Bulk<2> for StacksPosition {
    // Never with an empty set of cells.
    fn visit_steps<B>(
        &self,
        mut visit: impl FnMut(u8, Option<Cell>, CellSet<2>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let visit = &mut |kind, from, ends| visit(kind, Some(from), ends);
        if self.is_over() {
            return ControlFlow::Continue(());
        }
        if self.rules.jumps {
            let mut found = false;
            self.visit_jumps(&mut |kind, from, ends| {
                found = true;
                visit(kind, from, ends)
            })?;
            if found {
                return ControlFlow::Continue(());
            }
        }
        self.visit_arrivals(visit)
    }

    fn stuck(&self) -> Outcome {
        let lost = if self.rules.check { self.in_check(self.turn.side) } else { self.is_over() };
        if lost { Outcome::Win(self.turn.side.other()) } else { Outcome::Draw }
    }
}

impl StacksPosition {
    /// The number of legal moves; past [`MOST_MOVES`] there is no answer.
    pub(super) fn count_whole_moves(&self) -> Option<usize> {
        if self.is_over() {
            return Some(0);
        }
        let mut count = if self.rules.jumps { self.count_jumps() } else { 0 };
        if count == 0 {
            let ControlFlow::Continue(()) = self.visit_arrivals::<Infallible>(&mut |_, _, ends| {
                count += ends.len();
                ControlFlow::Continue(())
            });
        }
        (count <= MOST_MOVES).then_some(count)
    }

    /// Whether the side to move has lost its royal piece.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        !self.has_in_hand(self.turn.side) && self.royal(self.turn.side).is_none()
    }

    /// Calls `visit` with the legal steps that do not jump, until it breaks; never with an empty set of
    /// cells.
    fn visit_arrivals<B>(
        &self,
        visit: &mut impl FnMut(u8, Cell, CellSet<2>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let royal = self.royal(self.turn.side);
        let arrives = !self.rules.jumps && royal.is_some();
        let prey =
            if arrives { self.sides[self.turn.side.other().index()] } else { CellSet::EMPTY };
        let empty = self.rules.cells - self.occupied();
        let safety = royal.filter(|_| self.rules.check).map(|cell| (cell, self.safety(cell)));
        let ends = Ends { prey, empty, safety };
        match royal {
            Some(royal) => self.visit_royal(royal, &ends, visit)?,
            None => {
                let kind = self.rules.setting_kind();
                empty.try_for_each(|cell| visit(kind, cell, CellSet::of(cell)))?;
            }
        }
        if ends.safety.as_ref().is_some_and(|(_, safety)| safety.goal.is_empty()) {
            return ControlFlow::Continue(());
        }
        if let Some(slave) = &self.rules.slave {
            (self.layers[SLAVE] & self.sides[self.turn.side.index()]).try_for_each(|from| {
                let moves =
                    match slave.homes[self.turn.side.index()].has(from) && !self.spent.has(from) {
                        true => slave.moves.or(slave.first),
                        false => slave.moves,
                    };
                let to = self.arrivals(moves, from, &ends);
                self.visit_slave(slave, from, ends.safe(self, from, false, to), visit)
            })?;
        }
        self.stacks_of(self.turn.side).try_for_each(|from| self.visit_stack(from, &ends, visit))
    }

    fn visit_royal<B>(
        &self,
        from: Cell,
        ends: &Ends,
        visit: &mut impl FnMut(u8, Cell, CellSet<2>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut to = self.arrivals(self.royal_moves(self.turn.side), from, ends);
        if let Some((_, safety)) = &ends.safety {
            to = to - safety.attacked;
        }
        some(to, |to| visit(Step::PLAIN, from, to))
    }

    /// Where a piece that is not stacked gets from `from`.
    #[inline]
    fn arrivals(&self, moves: Moves, from: Cell, ends: &Ends) -> CellSet<2> {
        let reach = |motions: Motions, onto: CellSet<2>| match onto.is_empty() {
            true => CellSet::EMPTY,
            false => self.rules.all_ends(motions, self.turn.side, from, self.occupied()) & onto,
        };
        if moves.quiet == moves.captures {
            return reach(moves.quiet, ends.empty | ends.prey);
        }
        reach(moves.quiet, ends.empty) | reach(moves.captures, ends.prey)
    }

    /// Visits the steps of the slave on `from` to the cells of `to`.
    pub(super) fn visit_slave<B>(
        &self,
        slave: &SlaveTables,
        from: Cell,
        to: CellSet<2>,
        visit: &mut impl FnMut(u8, Cell, CellSet<2>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        debug_assert!(
            slave.stands[self.turn.side.index()].has(from),
            "no slave stands on {from:?}"
        );
        let last = self.rules.last_rank[self.turn.side.index()];
        some(to & last, |to| {
            self.rules.promotion_kinds().try_for_each(|kind| visit(kind, from, to))
        })?;
        some(to - last, |to| visit(Step::PLAIN, from, to))
    }

    /// Visits the steps of all parts of the stack on `from`.
    fn visit_stack<B>(
        &self,
        from: Cell,
        ends: &Ends,
        visit: &mut impl FnMut(u8, Cell, CellSet<2>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (rules, occupied) = (self.rules, self.occupied());
        let number = self.stack_on(from);
        let whole = rules.stacks.get(number);
        let wanted = if ends.prey.is_empty() { whole.reach.quiet } else { whole.reach.all() };
        let mut reached = [CellSet::EMPTY; Motions::MOST];
        for motion in wanted.each() {
            reached[motion] = rules.ends(motion, self.turn.side, from, occupied);
        }
        let of = |motions: Motions| {
            motions.each().fold(CellSet::EMPTY, |reach, motion| reach | reached[motion])
        };
        let hosts = self.of_class(whole.class) & self.sides[self.turn.side.index()];
        whole.parts.iter().try_for_each(|&part| {
            let stack = rules.stacks.get(part);
            let open = ends.empty | (hosts - self.in_any_layer(stack.conflicts));
            let to = if stack.moves.quiet == stack.moves.captures {
                of(stack.moves.quiet) & (open | ends.prey)
            } else {
                (of(stack.moves.quiet) & open) | (of(stack.moves.captures) & ends.prey)
            };
            some(ends.safe(self, from, part != number, to), |to| visit(part, from, to))
        })
    }
}

/// Calls `visit` unless `to` is empty.
#[inline]
pub(super) fn some<B>(
    to: CellSet<2>,
    visit: impl FnOnce(CellSet<2>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    if to.is_empty() { ControlFlow::Continue(()) } else { visit(to) }
}
