//! What the network sees of a position, from the mover's side.

use super::position::BermudaPosition;
use super::rules::{KINDS, Rules};
use crate::{Features, Side};

impl Rules {
    /// The names of the planes, in the order of [`BermudaPosition::write_features`]. Castlings are
    /// named by the home of White's rook, which the turned board shows for either side.
    pub(super) fn planes(&self) -> Vec<String> {
        let mut planes = Vec::new();
        for owner in ["my", "their"] {
            planes.extend(self.kinds.iter().map(|kind| format!("{owner} {}", kind.name)));
        }
        for owner in ["my", "their"] {
            let rooks = self.castlings[Side::White.index()].iter().map(|castling| castling.rook[0]);
            let names = rooks.map(|rook| self.geometry.name(rook));
            planes.extend(names.map(|rook| format!("{owner} right to castle with {rook}")));
        }
        planes.push("en passant".to_owned());
        planes
    }
}

impl BermudaPosition {
    /// As [`crate::position::Board::features`].
    pub(super) fn write_features(&self, into: &mut Features) {
        let castlings = self.rules.castlings[0].len();
        for (whose, side) in [self.turn.side, self.turn.side.other()].into_iter().enumerate() {
            for (kind, &pieces) in self.kinds.iter().enumerate() {
                (pieces & self.pieces(side)).for_each(|cell| into.mark(whose * KINDS + kind, cell));
            }
            for (number, castling) in self.rules.castlings[side.index()].iter().enumerate() {
                if self.rights & castling.right != 0 {
                    into.fill(2 * KINDS + whose * castlings + number, 1.0);
                }
            }
        }
        if let Some(cell) = self.en_passant {
            into.mark(2 * (KINDS + castlings), cell);
        }
    }
}
