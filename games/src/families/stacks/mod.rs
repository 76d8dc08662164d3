//! Games of stacks: checkers of one side lie on top of each other, and any part of a stack moves
//! as one piece, by the modes of its own checkers alone. A part may unite with another stack of its
//! side. Beside the stacks there are one royal piece a side and, in some games, slaves, which are
//! never stacked.
//!
//! A step is the part that moves (its kind), the cell it leaves and the cell it reaches. Captures
//! are made by arriving or, as in draughts, by jumping over; then a move may take several steps.
//!
//! A game is a [`Declaration`]; [`entry`] compiles it into [`Rules`].
//!
//! | to change | open |
//! |---|---|
//! | what a game can declare | `declaration.rs`, then `rules.rs` |
//! | how stacks divide and unite | `stack.rs` |
//! | where a piece moves, jumps or attacks | `motions.rs` |
//! | which moves there are | `steps.rs`; with jumps: `jumps.rs`; with check: `safety.rs` |
//! | what a move does | `play.rs` |
//! | the position string | `fen.rs` |

mod declaration;
mod fen;
mod jumps;
mod motions;
mod play;
mod position;
mod rules;
mod safety;
mod stack;
mod steps;

use crate::Symmetry;
use crate::game::{self, Basics, Entry};
use crate::variants_ini::Variant;

pub(crate) use declaration::{
    Adjudication, Capture, Class, Declaration, Mode, Motion, Royal, Slave, Uses, When,
};
pub use position::StacksPosition;
pub(crate) use rules::Rules;

/// The catalogue entry of a declared game.
pub(crate) fn entry(basics: Basics, declaration: &Declaration) -> Entry {
    // The catalogue is made once and lives as long as the program.
    let rules: &'static Rules = Box::leak(Box::new(Rules::compile(&basics, declaration)));
    let geometry = &basics.geometry;
    Entry {
        family: "stacks",
        kinds: rules.step_kinds(),
        planes: rules.planes(),
        readings: String::new(),
        colour_turn: geometry.mirrored(declaration.turn),
        // No piece knows left from right.
        symmetries: vec![Symmetry {
            name: "left-right",
            cells: geometry.mirrored([true, false, false, false]),
            without_castling: false,
        }],
        basics,
        variant: Variant::Inexpressible("its pieces are stacks".to_owned()),
        rules: game::Rules::Stacks(rules),
    }
}
