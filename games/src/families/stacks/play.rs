//! What a step does.

use super::position::StacksPosition;
use super::rules::StepKind;
use super::stack::{NOTHING, ROYAL, SLAVE, Unit};
use crate::families::bulk::Bulk as _;
use crate::{Cell, Step};

impl StacksPosition {
    /// As [`crate::State::play`].
    pub(super) fn play_step(&mut self, step: Step) {
        debug_assert!(self.is_legal(step), "{step:?} is not legal in {self:?}");
        let (from, to) = (step.from(), step.to());
        self.turn.count_ply();
        match self.rules.step_kind(step) {
            StepKind::Setting => {
                self.change(self.turn.side, to, 0, 1 << ROYAL);
                self.set_hands(self.hands & !(1 << self.turn.side.index()));
                self.turn.clock = 0;
            }
            StepKind::Plain => self.move_single(from, to, None),
            StepKind::Promotion(number) => {
                self.move_single(from, to, Some(self.rules.stacks.get(number).unit));
            }
            StepKind::Part(part) => {
                if self.move_part(part, from, to) {
                    return;
                }
            }
        }
        self.set_capturing(None);
        self.divided = false;
        self.turn.pass(&mut self.key);
        // Judged after the move is complete: legality minds the right as it was before.
        if self.has_leap_right(self.turn.side) && self.is_threatened(self.turn.side) {
            self.set_leaps(self.leaps & !(1 << self.turn.side.index()));
        }
    }

    /// Moves a slave or a royal piece; it may become another unit.
    fn move_single(&mut self, from: Cell, to: Cell, becomes: Option<Unit>) {
        let unit = self.unit_on(from);
        let is_slave = unit == 1 << SLAVE;
        if is_slave {
            self.capture(from, to);
        } else if !self.rules.jumps {
            // Where captures are jumps the royal piece leaps over enemies and leaves them alone.
            self.capture_on(to);
        }
        self.change(self.turn.side, from, unit, 0);
        self.change(self.turn.side, to, 0, becomes.unwrap_or(unit));
        let Some(slave) = self.rules.slave.as_ref().filter(|_| is_slave) else { return };
        let rank = |cell: Cell| self.rules.geometry.coordinates(cell)[1];
        if rank(from) != rank(to) {
            self.turn.clock = 0;
        }
        if slave.tracks_spent() {
            self.set_spent(from, false);
            self.set_spent(to, slave.homes[self.turn.side.index()].has(to));
        }
    }

    /// Moves a part of the stack on `from`. Whether it has to go on, so that the move is not over.
    fn move_part(&mut self, part: u8, from: Cell, to: Cell) -> bool {
        let rules = self.rules;
        let stacks = &rules.stacks;
        let (whole, stack) = (self.stack_on(from), stacks.get(part));
        let rest = stacks.rest(whole, part);
        let host = match self.sides[self.turn.side.index()].has(to) {
            true => self.stack_on(to),
            false => NOTHING,
        };
        let jumped = host == NOTHING && self.capture(from, to);
        let mut united = stacks.union(host, part);
        if rules.classes[stack.class].men {
            if stack.is_single {
                self.turn.clock = 0;
            }
            if rules.last_rank[self.turn.side.index()].has(to) {
                let doubled = stacks.get(united).doubled;
                if doubled != united {
                    self.turn.clock = 0;
                }
                united = doubled;
            }
        }
        self.change(self.turn.side, from, stacks.get(whole).unit, stacks.get(rest).unit);
        self.change(self.turn.side, to, stacks.get(host).unit, stacks.get(united).unit);
        if !(jumped && stack.goes_on) {
            return false;
        }
        let enemy = self.sides[self.turn.side.other().index()];
        if rules.landings(stack.moves.captures, to, enemy, self.occupied()).is_empty() {
            return false;
        }
        if self.capturing.is_none() {
            self.divided = rest != NOTHING;
        }
        self.set_capturing(Some(to));
        true
    }

    /// Takes what a slave or a stack going from `from` to `to` captures off the board, if it
    /// captures anything. Whether it has jumped over something.
    fn capture(&mut self, from: Cell, to: Cell) -> bool {
        if !self.rules.jumps {
            self.capture_on(to);
            return false;
        }
        // A march to an empty cell in line with an enemy in between would be a jump as well.
        let jumped =
            self.rules.lines.between(from, to) & self.sides[self.turn.side.other().index()];
        jumped.for_each(|cell| self.capture_on(cell));
        !jumped.is_empty()
    }

    /// Takes the enemy on `cell`, if there is one, off the board.
    fn capture_on(&mut self, cell: Cell) {
        let enemy = self.turn.side.other();
        if self.sides[enemy.index()].has(cell) {
            self.change(enemy, cell, self.unit_on(cell), 0);
            self.set_spent(cell, false);
            self.turn.clock = 0;
        }
    }

    /// Whether the move that `part` goes on with, or begins, from `from` leaves something behind on
    /// its first cell.
    pub(super) fn leaves_rest(&self, part: u8, from: Cell) -> bool {
        match self.capturing {
            Some(_) => self.divided,
            None => self.stack_on(from) != part,
        }
    }
}
