//! Russian cheskers: rulebook page `cheskers.md`.

use crate::families::draughts::{Declaration, Piece, entry as enter};
use crate::game::{Basics, Entry};
use crate::lines::{DIAGONAL, EVERY_WAY, FORWARD, ORTHOGONAL};
use crate::{Example, Geometry, Guide, PieceGuide, Repetition, Ruling, Section};

/// The catalogue entry.
pub(crate) fn entry() -> Entry {
    let basics = Basics {
        id: "cheskers",
        title: "Russian cheskers",
        edition: "edition of 2010-07-05",
        geometry: Geometry::rectangle("abcdefgh", 8),
        start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - - 0 1",
        repetition: Repetition::drawn_at(3),
        maximum_plies: 200,
        guide: guide(),
    };
    let (short, long) = (Piece::short, Piece::long);
    let declaration = Declaration {
        dark_cells_only: false,
        stuck_loses: false,
        pieces: vec![
            // Marches forward, jumps in all directions (ruling R2).
            Piece {
                marches: FORWARD,
                promotes_to: Some('Q'),
                ..short('P', "pawn", 100, EVERY_WAY)
            },
            // Along lines, never over a piece except in a jump (ruling R1).
            Piece { march_length: 2, continues: true, ..short('N', "knight", 250, EVERY_WAY) },
            long('B', "bishop", 350, DIAGONAL),
            long('R', "rook", 500, ORTHOGONAL),
            long('Q', "queen", 900, EVERY_WAY),
            // The leap over an own piece is a march (ruling R8); he jumps once, like a pawn.
            Piece { leaps: true, royal: true, ..short('K', "king", 0, EVERY_WAY) },
        ],
    };
    enter(basics, declaration)
}

fn guide() -> Guide {
    let piece = PieceGuide::new;
    Guide {
        summary: "Chess pieces that capture as in draughts, by jumping over. Whoever can capture \
                  must. The king is taken like any other piece, and whoever loses him has lost.",
        board: "4k3/8/8/8/3*4/8/8/K7 w - - - 0 1",
        pieces: vec![
            piece(
                "K",
                "King",
                "One cell in any direction, or over an adjacent piece of his own to the empty cell \
                 behind it. Jumps once, like a pawn.",
            )
            .on("4k3/8/8/8/3*4/2P5/8/8 w - - - 0 1"),
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
