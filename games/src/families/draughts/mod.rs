//! Jump captures: pieces march along straight lines and capture by jumping over an enemy.
//!
//! A step is one leg: a whole march, or one jump. After a jump from which the piece has to go on,
//! the side to move stays the same and the position remembers the capturing piece. The jumped
//! piece leaves the board with its leg, not at the end of the move.
//!
//! A game is a [`Declaration`]; [`entry`] compiles it into [`Rules`].

mod notation;
mod play;
mod position;
mod rules;
mod steps;

use crate::Symmetry;
use crate::game::{self, Basics, Entry};
use crate::variants_ini::Variant;

pub use position::DraughtsPosition;
pub(crate) use rules::{Declaration, Piece, Rules};

/// The catalogue entry of a declared game.
pub(crate) fn entry(basics: Basics, declaration: Declaration) -> Entry {
    let geometry = &basics.geometry;
    let mirror = Symmetry {
        name: "files mirrored",
        cells: geometry.mirrored([true, false, false, false]),
        without_castling: false,
    };
    // No piece knows left from right, but the mirror brings dark cells on light ones.
    let symmetries = if declaration.dark_cells_only { vec![] } else { vec![mirror] };
    // The catalogue is made once and lives as long as the program.
    let rules: &'static Rules = Box::leak(Box::new(Rules::compile(&basics, declaration)));
    Entry {
        family: "draughts",
        kinds: vec!["plain".to_owned()],
        planes: rules.planes(),
        readings: String::new(),
        colour_turn: geometry.mirrored([true, true, false, false]),
        symmetries,
        basics,
        variant: Variant::Inexpressible("pieces are captured by jumping over them".to_owned()),
        rules: game::Rules::Draughts(rules),
    }
}
