//! What keeps the royal piece from capture, in games with check.

use super::position::StacksPosition;
use crate::{Cell, CellSet, Side};

/// What a move has to mind.
pub(super) struct Safety {
    /// The cells where the royal piece would be captured.
    pub(super) attacked: CellSet<2>,
    /// Where moves of other pieces have to end: in check on the cells that answer it.
    pub(super) goal: CellSet<2>,
    /// The units that alone stand in the way of an attack. Only a part of one may leave its line.
    pub(super) pinned: CellSet<2>,
}

impl StacksPosition {
    /// What the side to move, whose royal piece stands on `royal`, has to mind.
    pub(super) fn safety(&self, royal: Cell) -> Safety {
        let (rules, enemy) = (self.rules, self.turn.side.other());
        let (own, occupied) = (self.sides[self.turn.side.index()], self.occupied());
        // Without the royal piece, so that it cannot hide behind itself.
        let others = occupied - CellSet::of(royal);
        let mut safety =
            Safety { attacked: CellSet::EMPTY, goal: rules.cells, pinned: CellSet::EMPTY };
        self.for_each_attack(enemy, |motion, pieces| {
            pieces.for_each(|from| safety.attacked |= rules.ends(motion, enemy, from, others));
            let slides = self.slides(motion).is_some();
            (self.origins(motion, enemy, royal) & pieces).for_each(|attacker| {
                let between = match slides {
                    true => rules.lines.between(royal, attacker),
                    false => CellSet::EMPTY,
                };
                let blockers = between & occupied;
                if blockers.is_empty() {
                    safety.goal &= between | CellSet::of(attacker);
                } else if blockers.len() == 1 {
                    safety.pinned |= blockers & own;
                }
            });
        });
        safety
    }

    /// Where the pinned unit on `from` may go as a whole: to the cells of the line to the attacker.
    pub(super) fn pin(&self, royal: Cell, from: Cell) -> CellSet<2> {
        let lines = &self.rules.lines;
        let direction = lines.direction(royal, from).expect("a pinned unit is on a line");
        lines.reach(direction, royal, self.occupied() - CellSet::of(from))
    }

    /// Whether the royal piece of `side` is attacked.
    pub(super) fn in_check(&self, side: Side) -> bool {
        let Some(royal) = self.royal(side) else { return false };
        let mut attacked = false;
        self.for_each_attack(side.other(), |motion, pieces| {
            attacked = attacked || !self.attackers(motion, side.other(), pieces, royal).is_empty();
        });
        attacked
    }
}
