//! Bermuda chess: two boards one above the other, and pieces that fall and rise between them.
//!
//! The cell above or below a cell is its *complement*. A capture on the upper board pushes the
//! captured piece down to the complement and takes off what stands there; an upper piece may drop
//! to its own complement; a piece that captures on the lower board rises to the complement if that
//! is empty. A side has two kings, moves only on boards where one of them stands, and loses with
//! the last. There is no check.
//!
//! Lines, tables and random numbers are those of the chess family. Every move is one step, and no
//! two of them have the same cells and promotion: castling needs no kind of its own.

mod compile;
mod declaration;
mod features;
mod fen;
mod legal;
mod play;
mod position;
mod rules;

use crate::game::{self, Basics, Entry};
use crate::variants_ini::Variant;

pub(crate) use declaration::{Castling, Declaration};
pub use position::BermudaPosition;
pub(crate) use rules::Rules;

/// The catalogue entry of a declared game.
pub(crate) fn entry(basics: Basics, declaration: &Declaration) -> Entry {
    // The catalogue is made once and lives as long as the program.
    let rules: &'static Rules = Box::leak(Box::new(Rules::compile(&basics, declaration)));
    Entry {
        family: "bermuda",
        kinds: rules.step_kinds(),
        planes: rules.planes(),
        readings: String::new(),
        colour_turn: basics.geometry.mirrored([true, true, false, false]),
        // A map that keeps complements together turns both boards alike, and pawns go up the one
        // and to the right on the other.
        symmetries: vec![],
        basics,
        variant: Variant::Inexpressible("it is played on two boards".to_owned()),
        rules: game::Rules::Bermuda(rules),
    }
}
