//! Chess-like games: pieces that leap or slide, one royal piece a side or two, pawns, castling.
//!
//! A game is a [`Declaration`]; [`entry`] compiles it into [`Rules`], tables that the generator
//! looks things up in. The generator is legal from the start: it knows the attacked cells, the
//! answers to a check and the pins, emits whole target sets and never takes a move back.
//!
//! | to change | open |
//! |---|---|
//! | what a game can declare | `declaration.rs`, then `compile.rs` and `rules.rs` |
//! | leaps, slides, who attacks what | `attacks.rs` |
//! | which moves there are | `legal.rs`, `drops.rs` |
//! | what a move does | `play.rs` |
//! | the position string | `fen.rs` |
//! | what the network sees | `features.rs` |
//! | what Fairy-Stockfish is told | `variant.rs`, `betza.rs` |

mod attacks;
mod betza;
mod calm;
mod compile;
mod declaration;
mod drops;
mod features;
mod fen;
mod legal;
mod play;
mod position;
mod rules;
#[cfg(test)]
mod tests;
mod variant;

use crate::game::{self, Basics, Entry, Symmetry};

pub(crate) use declaration::{
    AHEAD, Castling, DIAGONAL, Declaration, FirstMove, King, ORTHOGONAL, Pawn, Piece, STAR,
    Stalemate, Symmetries, Turning, Zone, ZoneCells, changing, leaper, lines_changing, offset,
    ring,
};
pub use position::ChessPosition;
pub(crate) use rules::Rules;
pub(in crate::families) use {
    attacks::{Slide, Table},
    compile::TurnedBoard,
    rules::{Keys, PawnMoves},
};

/// The catalogue entry of a declared game.
pub(crate) fn entry(basics: Basics, declaration: &Declaration) -> Entry {
    match basics.geometry.cell_count() {
        ..=64 => enter(basics, declaration, game::Rules::Chess1),
        _ => enter(basics, declaration, game::Rules::Chess2),
    }
}

fn enter<const W: usize>(
    basics: Basics,
    declaration: &Declaration,
    family: fn(&'static Rules<W>) -> game::Rules,
) -> Entry {
    // The catalogue is made once and lives as long as the program.
    let rules: &'static Rules<W> = Box::leak(Box::new(Rules::compile(&basics, declaration)));
    let geometry = &basics.geometry;
    let without_castling = !declaration.castling.is_empty();
    let symmetry = |(name, cells)| Symmetry { name, cells, without_castling };
    let symmetries = declaration.symmetries.maps(geometry).into_iter().map(symmetry).collect();
    Entry {
        family: "chess",
        kinds: rules.step_kinds(),
        planes: rules.planes(),
        readings: String::new(),
        colour_turn: geometry.mirrored(declaration.turn),
        symmetries,
        variant: variant::variant(&basics, declaration, rules.pawn.homes[0]),
        basics,
        rules: family(rules),
    }
}
