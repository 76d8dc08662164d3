//! Jump captures: pieces march along straight lines and capture by jumping over an enemy.
//!
//! A step is one leg: a whole march, or one jump. After a jump from which the piece has to go on,
//! the side to move stays the same and the position remembers the capturing piece. The jumped
//! piece leaves the board with its leg, not at the end of the move.
//!
//! A [`Variant`] is the data that `catalogue` writes; [`Rules`] are the tables compiled from it.

mod notation;
mod play;
mod position;
mod rules;
mod steps;

pub use position::DraughtsPosition;
pub(crate) use rules::{Piece, Rules, Variant};
