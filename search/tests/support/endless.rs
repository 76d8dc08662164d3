//! [`Endless`]: a game that never ends, with as many steps as wanted.

use games::{Cell, Key, Outcome, Side, State, Step};

/// A position of a game without an end: nothing is ever proven.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Endless {
    key: Key,
    /// Steps here and from the next position on.
    here: u16,
    later: u16,
    /// Steps played.
    pub(crate) depth: u32,
    /// The first step that was played.
    pub(crate) first: Option<Step>,
}

impl Endless {
    pub(crate) fn new(here: u16, later: u16) -> Self {
        Self { key: 1, here, later, depth: 0, first: None }
    }

    /// The step with this index: several kinds, so that canonical order is not that of generation.
    pub(crate) fn step(index: u16) -> Step {
        let cell = Cell::new(index / 3);
        Step::new((index % 3) as u8, cell, cell)
    }
}

impl State for Endless {
    fn side_to_move(&self) -> Side {
        // White, White, Black, Black: turns of two steps.
        Side::ALL[self.depth as usize / 2 % 2]
    }

    fn steps(&self, into: &mut Vec<Step>) -> Option<Outcome> {
        into.extend((0..self.here).map(Self::step));
        None
    }

    fn play(&mut self, step: Step) {
        self.first = self.first.or(Some(step));
        self.key = (self.key ^ u64::from(step.bits())).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.key ^= self.key >> 29;
        self.here = self.later;
        self.depth += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn key(&self) -> Key {
        self.key
    }
}
