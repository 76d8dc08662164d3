//! What the network sees of a position, from the mover's side.

use super::position::ChessPosition;
use super::rules::Rules;
use crate::{Features, Side};

/// Where each group of planes begins.
struct Layout {
    rights: usize,
    leapers: usize,
    en_passant: usize,
    spent: usize,
    hands: usize,
}

impl<const W: usize> Rules<W> {
    fn layout(&self) -> Layout {
        let rights = 2 * self.kinds.len();
        let leapers = rights + self.rights.len();
        let en_passant = leapers + if self.two_kings { 2 } else { 0 };
        let spent = en_passant + usize::from(self.pawn.passes);
        let hands = spent + 2 * usize::from(self.pawn.tracks_spent);
        Layout { rights, leapers, en_passant, spent, hands }
    }

    /// The names of the planes, in the order of [`ChessPosition::write_features`].
    pub(super) fn planes(&self) -> Vec<String> {
        let mut planes = Vec::new();
        for owner in ["my", "their"] {
            planes.extend(self.kinds.iter().map(|kind| format!("{owner} {}", kind.name)));
        }
        for owner in ["my", "their"] {
            let white = self.rights.iter().filter(|right| right.side == Side::White);
            planes.extend(white.map(|right| format!("{owner} {} right", right.name)));
        }
        if self.two_kings {
            planes.extend(["my leaping kings", "their leaping kings"].map(str::to_owned));
        }
        if self.pawn.passes {
            planes.push("en passant".to_owned());
        }
        if self.pawn.tracks_spent {
            planes.extend(["my spent pawns", "their spent pawns"].map(str::to_owned));
        }
        for owner in ["my", "their"] {
            let held = self.held.iter().map(|held| self.kinds[held.kind].name);
            planes.extend(held.map(|name| format!("{owner} {name} in hand")));
        }
        planes
    }
}

impl<const W: usize> ChessPosition<W> {
    /// As [`crate::position::Board::features`].
    pub(super) fn write_features(&self, into: &mut Features) {
        let rules = self.rules;
        let layout = rules.layout();
        for (whose, side) in [self.turn.side, self.turn.side.other()].into_iter().enumerate() {
            let own = self.sides[side.index()];
            for kind in 0..rules.kinds.len() {
                let plane = whose * rules.kinds.len() + kind;
                (self.kinds[kind] & own).for_each(|cell| into.mark(plane, cell));
            }
            let mut plane = layout.rights + whose * rules.rights.len() / 2;
            for (bit, right) in rules.rights.iter().enumerate() {
                if right.side == side {
                    if self.rights >> bit & 1 != 0 {
                        into.fill(plane, 1.0);
                    }
                    plane += 1;
                }
            }
            (self.leapers & own).for_each(|cell| into.mark(layout.leapers + whose, cell));
            (self.spent & own).for_each(|cell| into.mark(layout.spent + whose, cell));
            let hands = layout.hands + whose * rules.held.len();
            let held = rules.held.iter().zip(self.hands[side.index()]);
            for (plane, (held, count)) in (hands..).zip(held) {
                if count > 0 {
                    into.fill(plane, f32::from(count) / f32::from(held.most));
                }
            }
        }
        if let Some(cell) = self.en_passant {
            into.mark(layout.en_passant, cell);
        }
    }
}
