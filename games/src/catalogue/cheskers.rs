//! Russian cheskers: rulebook page `cheskers.md`.

use crate::families::draughts::{Piece, Rules, Variant};
use crate::game::{self, Entry};
use crate::lines::{DIAGONAL, EVERY_WAY, FORWARD, ORTHOGONAL};
use crate::{Example, Geometry, Guide, PieceGuide, Repetition, Ruling, Section, Symmetry};

/// Pieces that may march any distance.
const ANY_DISTANCE: usize = 7;

static CHESKERS: Variant = Variant {
    id: "cheskers",
    start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - - 0 1",
    dark_cells_only: false,
    stuck_loses: false,
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
            resets_clock: false,
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
            resets_clock: false,
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
            resets_clock: false,
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
            resets_clock: false,
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
            resets_clock: false,
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
            resets_clock: false,
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
        repetition: Repetition::drawn_at(3),
        maximum_plies: 200,
        colour_turn: geometry.mirrored([true, true, false, false]),
        // No piece knows left from right; the start, where it does, is only one position.
        symmetries: vec![Symmetry {
            name: "files mirrored",
            cells: geometry.mirrored([true, false, false, false]),
            without_castling: false,
        }],
        guide: guide(),
        geometry,
        rules: game::Rules::Draughts(rules),
    }
}

fn guide() -> Guide {
    let piece = |unit, name, text| PieceGuide { unit, name, text, board: None };
    Guide {
        summary: "Chess pieces that capture as in draughts, by jumping over. Whoever can capture \
                  must. The king is taken like any other piece, and whoever loses him has lost.",
        board: "4k3/8/8/8/3*4/8/8/K7 w - - - 0 1",
        pieces: vec![
            PieceGuide {
                board: Some("4k3/8/8/8/3*4/2P5/8/8 w - - - 0 1"),
                ..piece(
                    "K",
                    "King",
                    "One cell in any direction, or over an adjacent piece of his own to the empty \
                     cell behind it. Jumps once, like a pawn.",
                )
            },
            piece("Q", "Queen", "Any distance in all eight directions."),
            piece("R", "Rook", "Any distance along files and ranks."),
            piece("B", "Bishop", "Any distance along diagonals."),
            piece("N", "Knight", "One cell in any direction, or two in line over an empty cell."),
            piece("P", "Pawn", "One cell ahead, straight or diagonally."),
        ],
        sections: vec![
            Section {
                title: "Capturing",
                text: "Pawn, knight and king jump over an adjacent enemy, in any of the eight \
                       directions, to the empty cell right behind it. Rook, bishop and queen jump \
                       along their lines over an enemy at any distance and may land on any free \
                       cell behind it. What was jumped over leaves the board at once. Queen, rook, \
                       bishop and knight must go on as long as they can jump; pawn and king jump \
                       once. Of several captures the player chooses any.",
            },
            Section {
                title: "Promotion",
                text: "A pawn that arrives on the last rank becomes a queen, and its move ends.",
            },
            Section {
                title: "End of the game",
                text: "A side without its king has lost. A side that cannot move draws. There is no \
                       check: a king may stand where he can be taken. Only captures restart the \
                       clock.",
            },
        ],
        examples: vec![
            Example {
                title: "A pawn must capture",
                text: "In any direction, also backwards; marches are not allowed now.",
                fen: "4k3/8/8/4p3/3P4/2p5/8/K7 w - - - 0 1",
                moves: "d4",
            },
            Example {
                title: "A queen's tour",
                text: "Every cell where a leg of a capture may end.",
                fen: "4k3/8/1p1p4/8/8/3p4/8/Q2K4 w - - - 0 1",
                moves: "a1",
            },
        ],
        rulings: vec![
            Ruling::Reading(
                "A knight walks in lines: two cells need an empty cell between, and the chess \
                 knight's leap does not exist.",
            ),
            Ruling::Reading("Pawns march ahead only, but jump in all eight directions."),
            Ruling::Reading(
                "If any piece can capture, only captures are legal; each goes on until its piece \
                 can jump no more, also after taking the king.",
            ),
            Ruling::Reading(
                "Landing cells are free, as a recorded game shows, and no capture has to be the \
                 largest.",
            ),
            Ruling::Reading(
                "The king's leap over an own piece is a march: not while a jump exists.",
            ),
        ],
    }
}
