//! Russian cheskers: rulebook page `cheskers.md`.

use crate::families::draughts::{DIAGONAL, EVERY_WAY, FORWARD, ORTHOGONAL, Piece, Rules, Variant};
use crate::game::{self, Entry};
use crate::{Geometry, Symmetry};

/// Pieces that may march any distance.
const ANY_DISTANCE: usize = 7;

static CHESKERS: Variant = Variant {
    id: "cheskers",
    start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - - 0 1",
    pieces: &[
        // Marches forward, jumps in all directions (ruling R2).
        Piece {
            letter: 'P',
            name: "pawn",
            value: 100,
            marches: FORWARD,
            march_length: 1,
            leaps: false,
            jumps: EVERY_WAY,
            flies: false,
            continues: false,
            promotes_to: Some('Q'),
            royal: false,
        },
        // Along lines, never over a piece except in a jump (ruling R1).
        Piece {
            letter: 'N',
            name: "knight",
            value: 250,
            marches: EVERY_WAY,
            march_length: 2,
            leaps: false,
            jumps: EVERY_WAY,
            flies: false,
            continues: true,
            promotes_to: None,
            royal: false,
        },
        Piece {
            letter: 'B',
            name: "bishop",
            value: 350,
            marches: DIAGONAL,
            march_length: ANY_DISTANCE,
            leaps: false,
            jumps: DIAGONAL,
            flies: true,
            continues: true,
            promotes_to: None,
            royal: false,
        },
        Piece {
            letter: 'R',
            name: "rook",
            value: 500,
            marches: ORTHOGONAL,
            march_length: ANY_DISTANCE,
            leaps: false,
            jumps: ORTHOGONAL,
            flies: true,
            continues: true,
            promotes_to: None,
            royal: false,
        },
        Piece {
            letter: 'Q',
            name: "queen",
            value: 900,
            marches: EVERY_WAY,
            march_length: ANY_DISTANCE,
            leaps: false,
            jumps: EVERY_WAY,
            flies: true,
            continues: true,
            promotes_to: None,
            royal: false,
        },
        // The leap over an own piece is a march (ruling R8); he jumps once, like a pawn.
        Piece {
            letter: 'K',
            name: "king",
            value: 0,
            marches: EVERY_WAY,
            march_length: 1,
            leaps: true,
            jumps: EVERY_WAY,
            flies: false,
            continues: false,
            promotes_to: None,
            royal: true,
        },
    ],
};

/// The catalogue entry.
pub(crate) fn entry() -> Entry {
    let geometry = Geometry::rectangle("abcdefgh", 8);
    // Leaked once: the catalogue lives as long as the process.
    let rules: &'static Rules = Box::leak(Box::new(Rules::new(&CHESKERS, &geometry)));
    Entry {
        id: CHESKERS.id,
        title: "Russian cheskers",
        family: "draughts",
        edition: "edition of 05.07.2010, rulebook page cheskers.md",
        kinds: vec!["plain".to_owned()],
        planes: rules.planes(),
        repetition_limit: 3,
        maximum_plies: 200,
        colour_turn: geometry.mirrored([true, true, false, false]),
        // No piece knows left from right; the start, where it does, is only one position.
        symmetries: vec![Symmetry {
            name: "files mirrored",
            cells: geometry.mirrored([true, false, false, false]),
            without_castling: false,
        }],
        geometry,
        rules: game::Rules::Draughts(rules),
    }
}
