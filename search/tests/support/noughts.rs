//! [`Noughts`]: three in a row on nine cells, with turns of one step or of two.

use std::collections::HashMap;

use games::{Cell, Key, Outcome, Side, State, Step};

/// A position. With turns of two steps White opens with one, as in Connect6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Noughts {
    /// Cells of White and of Black, as bits.
    cells: [u16; 2],
    double: bool,
}

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Noughts {
    pub(crate) fn new(double: bool) -> Self {
        Self { cells: [0, 0], double }
    }

    pub(crate) fn empty(&self) -> u32 {
        9 - (self.cells[0] | self.cells[1]).count_ones()
    }

    /// All positions in which the game goes on, and their values for White by exhaustive search.
    pub(crate) fn solve_all(double: bool) -> HashMap<Self, i8> {
        let mut values = HashMap::new();
        Self::new(double).solve(&mut values);
        values
    }

    fn solve(self, values: &mut HashMap<Self, i8>) -> i8 {
        if let Some(outcome) = self.outcome() {
            return outcome.score(Side::White);
        }
        if let Some(&value) = values.get(&self) {
            return value;
        }
        let mut steps = Vec::new();
        self.steps(&mut steps);
        let behind = steps.iter().map(|&step| {
            let mut next = self;
            next.play(step);
            next.solve(values)
        });
        let value = match self.side_to_move() {
            Side::White => behind.max(),
            Side::Black => behind.min(),
        };
        let value = value.expect("an unfinished game has steps");
        values.insert(self, value);
        value
    }
}

impl State for Noughts {
    fn side_to_move(&self) -> Side {
        let played = 9 - self.empty() as usize;
        Side::ALL[if self.double { played.div_ceil(2) % 2 } else { played % 2 }]
    }

    fn steps(&self, into: &mut Vec<Step>) -> Option<Outcome> {
        let outcome = self.outcome();
        if outcome.is_none() {
            let taken = self.cells[0] | self.cells[1];
            let free = (0..9).filter(|cell| taken >> cell & 1 == 0).map(Cell::new);
            into.extend(free.map(|cell| Step::plain(cell, cell)));
        }
        outcome
    }

    fn play(&mut self, step: Step) {
        let side = self.side_to_move().index();
        self.cells[side] |= 1 << step.to().index();
    }

    fn outcome(&self) -> Option<Outcome> {
        for side in Side::ALL {
            if LINES.iter().any(|line| self.cells[side.index()] & line == *line) {
                return Some(Outcome::Win(side));
            }
        }
        (self.empty() == 0).then_some(Outcome::Draw)
    }

    fn key(&self) -> Key {
        u64::from(self.cells[0]) << 16 | u64::from(self.cells[1])
    }
}
