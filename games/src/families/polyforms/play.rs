//! Playing one step.

use super::position::{Chosen, PolyformPosition};
use crate::turn::MOST_COUNTED;
use crate::{Cell, Step};

impl<const W: usize, const K: usize> PolyformPosition<W, K> {
    /// See [`crate::State::play`].
    pub(super) fn play_step(&mut self, step: Step) {
        debug_assert!(self.is_legal(step), "{step:?} is not legal in {self:?}");
        if let Some(chosen) = self.chosen {
            self.choose(None);
            self.carry(chosen, step.to().index() as i32 - step.from().index() as i32);
        } else if step.kind() == self.rules.drop_kind() {
            self.set_hand(self.turn.side, self.hands[self.turn.side.index()] - 1);
            self.put(self.turn.side, step.to());
            self.turn.clock = 0;
        } else {
            let corner = step.from().moved(-self.orientation(step.kind()).lowest);
            self.choose(Some(Chosen { kind: step.kind(), corner }));
            return;
        }
        self.turn.pass(&mut self.key);
    }

    /// Carries the chosen piece to its destination, `by` cell numbers away.
    fn carry(&mut self, chosen: Chosen, by: i32) {
        let (side, enemy) = (self.turn.side, self.turn.side.other());
        let orientation = self.orientation(chosen.kind);
        let earning = self.rules.earning[side.index()];
        let mut captured = 0;
        let mut arrived = 0;
        for part in &orientation.parts {
            let cell = chosen.corner.moved(part.by);
            (0..part.checkers).for_each(|_| self.take(side, cell));
        }
        for part in &orientation.parts {
            let from = chosen.corner.moved(part.by);
            let to = from.moved(by);
            while self.cells(enemy).has(to) {
                self.take(enemy, to);
                captured += 1;
            }
            (0..part.checkers).for_each(|_| self.put(side, to));
            if earning.has(to) && !earning.has(from) {
                arrived += part.checkers as u16;
            }
        }
        self.turn.clock = if captured > 0 { 0 } else { MOST_COUNTED.min(self.turn.clock + 1) };
        let kept = self.rules.shapes[orientation.shape].keeps_captures;
        let earned = arrived + if kept { captured } else { 0 };
        if earned > 0 {
            self.set_hand(side, MOST_COUNTED.min(self.hands[side.index()] + earned));
        }
    }

    /// Whether `step` is one of the legal steps.
    fn is_legal(&self, step: Step) -> bool {
        let (kind, from, to) = (step.kind(), step.from(), step.to());
        if kind == self.rules.drop_kind() {
            return self.chosen.is_none() && from == to && self.drops().has(to);
        }
        let Some(orientation) = self.rules.orientations.get(usize::from(kind)) else {
            return false;
        };
        let fits = self.rules.frames[orientation.frame].fits;
        let corner = |lowest: Cell| {
            let number = lowest.index() as i32 - orientation.lowest;
            u16::try_from(number).ok().map(Cell::new).filter(|&corner| fits.has(corner))
        };
        match self.chosen {
            Some(chosen) => {
                chosen.kind == kind
                    && corner(from) == Some(chosen.corner)
                    && corner(to)
                        .is_some_and(|to| self.destinations(orientation, chosen.corner).has(to))
            }
            None => {
                from == to
                    && corner(from).is_some_and(|corner| {
                        let stands = |part: &super::rules::Part| {
                            self.count(self.turn.side, corner.moved(part.by)) >= part.checkers
                        };
                        orientation.parts.iter().all(stands)
                            && !self.destinations(orientation, corner).is_empty()
                    })
            }
        }
    }
}
