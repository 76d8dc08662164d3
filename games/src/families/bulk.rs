//! [`Bulk`]: what every generator can answer that makes steps in bulk.

use std::convert::Infallible;
use std::ops::ControlFlow;

use crate::{Cell, CellSet, Outcome, Step};

/// A position whose generator visits legal steps as a kind, a cell and the set of cells they lead
/// to, so that counting them is counting bits.
pub(super) trait Bulk<const W: usize> {
    /// Calls `visit` with all legal steps, until it breaks: their kind, the cell they start from,
    /// if they have one, and the cells they lead to, perhaps none. Steps without a start, such as
    /// drops, are written as if they started where they end.
    fn visit_steps<B>(
        &self,
        visit: impl FnMut(u8, Option<Cell>, CellSet<W>) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

    /// The outcome if there is no legal step.
    fn stuck(&self) -> Outcome;

    /// As [`crate::State::steps`].
    fn list_steps(&self, into: &mut Vec<Step>) -> Option<Outcome> {
        let start = into.len();
        let ControlFlow::Continue(()) = self.visit_steps::<Infallible>(|kind, from, targets| {
            targets.for_each(|to| into.push(Step::new(kind, from.unwrap_or(to), to)));
            ControlFlow::Continue(())
        });
        if into.len() == start { Some(self.stuck()) } else { None }
    }

    /// The number of legal steps.
    fn count_steps(&self) -> usize {
        let mut count = 0;
        let ControlFlow::Continue(()) = self.visit_steps::<Infallible>(|_, _, targets| {
            count += targets.len();
            ControlFlow::Continue(())
        });
        count
    }

    /// Whether there is a legal step.
    fn can_move(&self) -> bool {
        self.visit_steps(|_, _, targets| break_if(!targets.is_empty())).is_break()
    }

    /// As [`crate::State::outcome`].
    fn decided(&self) -> Option<Outcome> {
        if self.can_move() { None } else { Some(self.stuck()) }
    }

    /// Whether `step` is legal.
    fn is_legal(&self, step: Step) -> bool {
        let (from, to) = (step.from(), step.to());
        self.visit_steps(|kind, start, targets| {
            break_if(kind == step.kind() && start.unwrap_or(to) == from && targets.has(to))
        })
        .is_break()
    }
}

/// Breaks if `found`.
fn break_if(found: bool) -> ControlFlow<()> {
    if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
