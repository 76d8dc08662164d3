//! Playing one step.

use super::position::DraughtsPosition;
use crate::Step;

impl DraughtsPosition {
    /// See [`crate::State::play`].
    pub(super) fn play_step(&mut self, step: Step) {
        debug_assert!(self.is_legal(step), "{step:?} is not legal in {self:?}");
        let (side, from, to) = (self.turn.side, step.from(), step.to());
        let jumped = (self.rules.lines.between(from, to) & self.pieces(side.other())).first();
        let kind = self.kind_on(from).expect("a step moves a piece");
        let rules = &self.rules.kinds[kind][side.index()];
        let promotes = rules.promotion.has(to);
        self.take(side, kind, from);
        self.put(side, if promotes { rules.promoted } else { kind }, to);
        if let Some(cell) = self.capturing.take() {
            self.key ^= self.rules.capturing_key(cell);
        }
        if let Some(cell) = jumped {
            // At once, before the next jump (ruling R6).
            let captured = self.kind_on(cell).expect("a piece was jumped");
            self.take(side.other(), captured, cell);
            self.turn.clock = 0;
            // Going on is compulsory (ruling R4); a promotion ends the move.
            if rules.continues && !promotes && !self.jumps(rules, to).is_empty() {
                self.capturing = Some(to);
                self.key ^= self.rules.capturing_key(to);
                return;
            }
        } else if rules.resets_clock {
            self.turn.clock = 0;
        } else {
            self.turn.count_ply();
        }
        self.turn.pass(&mut self.key);
    }

    /// Whether `step` is one of the legal steps.
    fn is_legal(&self, step: Step) -> bool {
        let (from, to) = (step.from(), step.to());
        let Some(kind) = self.kind_on(from).filter(|_| self.pieces(self.turn.side).has(from))
        else {
            return false;
        };
        let kind = &self.rules.kinds[kind][self.turn.side.index()];
        step.kind() == Step::PLAIN
            && match self.capturing {
                Some(cell) => cell == from && self.jumps(kind, from).has(to),
                None => {
                    self.has_royal(self.turn.side)
                        && (self.jumps(kind, from).has(to)
                            || self.marches(kind, from).has(to) && !self.can_jump())
                }
            }
    }
}
