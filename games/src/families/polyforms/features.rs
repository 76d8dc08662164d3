//! What the network sees of a position, from the mover's side.

use super::position::PolyformPosition;
use super::rules::Rules;
use crate::Features;

/// So many checkers in hand fill a plane with 1.
const FULL_HAND: f32 = 16.0;

/// Where each group of planes begins.
struct Layout {
    hands: usize,
    chosen: usize,
    shapes: usize,
}

impl<const W: usize, const K: usize> Rules<W, K> {
    const LAYOUT: Layout = Layout { hands: 2 * K, chosen: 2 * K + 2, shapes: 3 * K + 2 };

    /// The names of the planes, in the order of [`PolyformPosition::write_features`].
    pub(super) fn planes(&self) -> Vec<String> {
        let stacks = (1..=K).map(|count| match count {
            1 => "1 checker".to_owned(),
            count => format!("{count} checkers"),
        });
        let owners = ["my", "their"];
        let of_owners = owners
            .iter()
            .flat_map(|owner| stacks.clone().map(move |stack| format!("{owner} {stack}")));
        let hands = owners.iter().map(|owner| format!("{owner} hand"));
        let chosen = stacks.clone().map(|stack| format!("{stack} chosen"));
        let shapes = self.shapes.iter().map(|shape| format!("chosen {}", shape.name));
        of_owners.chain(hands).chain(chosen).chain(shapes).collect()
    }
}

impl<const W: usize, const K: usize> PolyformPosition<W, K> {
    /// As [`crate::position::Board::features`].
    pub(super) fn write_features(&self, into: &mut Features) {
        let layout = Rules::<W, K>::LAYOUT;
        for (whose, side) in [self.turn.side, self.turn.side.other()].into_iter().enumerate() {
            let levels = &self.levels[side.index()];
            for (level, &cells) in levels.iter().enumerate() {
                let exactly = levels.get(level + 1).map_or(cells, |&more| cells - more);
                exactly.for_each(|cell| into.mark(whose * K + level, cell));
            }
            let hand = self.hands[side.index()];
            if hand > 0 {
                into.fill(layout.hands + whose, f32::from(hand) / FULL_HAND);
            }
        }
        if let Some(chosen) = self.chosen {
            let orientation = self.orientation(chosen.kind);
            for part in &orientation.parts {
                into.mark(layout.chosen + part.checkers - 1, chosen.corner.moved(part.by));
            }
            into.fill(layout.shapes + orientation.shape, 1.0);
        }
    }
}
