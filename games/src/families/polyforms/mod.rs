//! Polyforms: connected checkers move together as one rigid piece, whose shape says how.
//!
//! A move takes two steps of one side, first the piece, then where it goes; the position remembers
//! the chosen piece in between. Both steps have the kind of the piece's shape in its orientation and
//! start from its lowest cell, so that a map of the board can tell the image of a step from the step
//! alone. A drop is one step.
//!
//! A game is a [`Declaration`]; [`entry`] compiles it into [`Rules`].
//!
//! | to change | open |
//! |---|---|
//! | what a game can declare | `declaration.rs`, then `rules.rs` |
//! | how a shape is drawn and turned | `orientations.rs` |
//! | where a piece can go | `reach.rs` for one, `placements.rs` for all at once |
//! | what a move does | `play.rs` |
//! | position strings and move texts | `notation.rs` |
//! | what the network sees | `features.rs` |

mod declaration;
mod features;
mod notation;
mod orientations;
mod placements;
mod play;
mod position;
mod reach;
mod rules;

use crate::game::{self, Basics, Entry};
use crate::variants_ini::Variant;

pub(crate) use declaration::{Declaration, Mode, Shape, along, second_ring, slide, step};
pub use position::PolyformPosition;
pub(crate) use rules::Rules;

/// The catalogue entry of a declared game.
///
/// # Panics
/// If no size of position fits the game: games are written in the source.
pub(crate) fn entry(basics: Basics, declared: Declaration) -> Entry {
    match (basics.geometry.cell_count(), declared.letters.len()) {
        (..=128, 1) => enter(basics, declared, game::Rules::Polyominoes),
        (..=128, 2) => enter(basics, declared, game::Rules::Polystacks),
        (..=768, 1) => enter(basics, declared, game::Rules::Polycubes),
        (cells, checkers) => panic!("no position has {cells} cells with {checkers} checkers"),
    }
}

fn enter<const W: usize, const K: usize>(
    basics: Basics,
    declared: Declaration,
    family: fn(&'static Rules<W, K>) -> game::Rules,
) -> Entry {
    // The catalogue is made once and lives as long as the program.
    let rules: &'static Rules<W, K> = Box::leak(Box::new(Rules::compile(&basics, &declared)));
    Entry {
        family: "polyforms",
        kinds: rules.kinds(),
        planes: rules.planes(),
        // Which shape moves how is inferred: the diagrams are lost.
        readings: format!("{} {:?}", declared.arrivals_earn, declared.shapes),
        colour_turn: basics.geometry.mirrored([false, true, false, false]),
        symmetries: declared.symmetries,
        basics,
        variant: Variant::Inexpressible("its pieces cover several cells".to_owned()),
        rules: family(rules),
    }
}

#[cfg(test)]
mod tests {
    use super::{Declaration, Mode, Shape, along, entry, slide, step};
    use crate::game::Basics;
    use crate::{Game, Geometry};

    /// The fingerprint of a game of dominoes that move by `mode`.
    fn fingerprint(mode: Mode, keeps_captures: bool, arrivals_earn: bool) -> u64 {
        let omino = Game::by_id("omino").unwrap();
        let basics = Basics {
            id: "dominoes",
            title: "Dominoes",
            edition: "made for a test",
            geometry: Geometry::rectangle("abcd", 4),
            start: "pppp/4/4/PPPP w - - - 0 1",
            repetition: omino.repetition,
            maximum_plies: omino.maximum_plies,
            guide: omino.guide.clone(),
        };
        let shape = |name, drawing, mode, keeps_captures| Shape {
            name,
            drawing,
            modes: vec![mode],
            keeps_captures,
        };
        let shapes = vec![
            shape("pawn", "1", step(along(2, 1)), false),
            shape("horse", "11", mode, keeps_captures),
        ];
        let declared = Declaration { letters: "P", shapes, arrivals_earn, symmetries: vec![] };
        Game::new(entry(basics, declared)).fingerprint
    }

    #[test]
    fn the_fingerprint_covers_how_shapes_move() {
        let game = fingerprint(slide(along(2, 1)), false, false);
        assert_eq!(game, fingerprint(slide(along(2, 1)), false, false));
        assert_ne!(game, fingerprint(slide(along(2, 2)), false, false));
        assert_ne!(game, fingerprint(step(along(2, 1)), false, false));
        assert_ne!(game, fingerprint(slide(along(2, 1)), true, false));
        assert_ne!(game, fingerprint(slide(along(2, 1)), false, true));
    }
}
