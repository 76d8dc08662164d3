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
        colour_turn: basics.geometry.mirrored([false, true, false, false]),
        symmetries: declared.symmetries,
        basics,
        rules: family(rules),
    }
}
