//! [`Declaration`]: a game of this family as data.

use crate::Offset;
use crate::families::chess::Piece;

/// A game on two boards of 64 cells each. Everything is told for White; Black's half is its half turn.
#[derive(Debug)]
pub(crate) struct Declaration {
    /// One step ahead for a pawn, on the lower and on the upper board.
    pub(crate) forward: [Offset; 2],
    /// Everything but pawns, the king first.
    pub(crate) pieces: Vec<Piece>,
    /// The letters of the pieces to which a pawn promotes.
    pub(crate) promotion: &'static str,
    pub(crate) castling: Vec<Castling>,
    /// The letters of all castling rights, in the order of the rights field.
    pub(crate) rights: &'static str,
}

/// A castling of White, and its right on either side. All cells between king and rook are empty.
#[derive(Debug)]
pub(crate) struct Castling {
    /// Of White's right and of that of Black's castling, which is this one half-turned.
    pub(crate) letters: [char; 2],
    /// From and to.
    pub(crate) king: [&'static str; 2],
    /// From and to.
    pub(crate) rook: [&'static str; 2],
}
