//! Bermuda chess: rulebook page `bermuda.md`.

use crate::families::bermuda::{Castling, Declaration, entry as enter};
use crate::families::chess::{DIAGONAL, ORTHOGONAL, Piece, leaper, offset, ring};
use crate::game::{Basics, Entry};
use crate::{Example, Geometry, Guide, PieceGuide, Repetition, Ruling, Section};

/// The catalogue entry.
pub(crate) fn entry() -> Entry {
    let piece = Piece::new;
    let castling = |letters, king, rook| Castling { letters, king, rook };
    let basics = Basics {
        id: "bermuda",
        title: "Bermuda chess",
        edition: "edition of 2011-02-28",
        geometry: Geometry::pair(8),
        start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR|\
                RP4pr/NP4pn/BP4pb/KP4pq/QP4pk/BP4pb/NP4pn/RP4pr w AHOEahoe - - 0 1",
        repetition: Repetition::drawn_at(3),
        maximum_plies: 400,
        guide: guide(),
    };
    let declaration = Declaration {
        forward: [offset(0, 1), offset(1, 0)],
        pieces: vec![
            // One of two can be lost, so he has a price.
            piece('K', "king", 500, ring(1), vec![]),
            piece('Q', "queen", 900, vec![], vec![ORTHOGONAL, DIAGONAL]),
            piece('R', "rook", 500, vec![], vec![ORTHOGONAL]),
            piece('B', "bishop", 310, vec![], vec![DIAGONAL]),
            piece('N', "knight", 300, leaper(1, 2), vec![]),
        ],
        promotion: "QRBN",
        // Black's are the half turns, so that his `h` answers White's `A`.
        castling: vec![
            castling(['A', 'h'], ["d1", "b1"], ["a1", "c1"]),
            castling(['H', 'a'], ["d1", "f1"], ["h1", "e1"]),
            castling(['O', 'e'], ["A5", "A3"], ["A1", "A4"]),
            castling(['E', 'o'], ["A5", "A7"], ["A8", "A6"]),
        ],
        rights: "AHOEahoe",
    };
    enter(basics, &declaration)
}

fn guide() -> Guide {
    let piece = PieceGuide::new;
    Guide {
        summary: "Chess on two boards, one above the other. Pieces captured above are pushed down \
                  on whatever stands below them; pieces above may drop, and captures below throw \
                  the captor up. Each side has two kings and loses with the second.",
        board: "4k3/8/8/8/8/8/8/8|8/8/8/8/K2*4/8/8/8 w - - - 0 1",
        pieces: vec![
            piece("K", "King", "One cell in any direction. There is no check."),
            piece("Q", "Queen", "Any distance along files, ranks and diagonals."),
            piece("R", "Rook", "Any distance along files and ranks."),
            piece("B", "Bishop", "Any distance along diagonals."),
            piece("N", "Knight", "Two cells along a file or rank and one aside, over anything."),
            piece(
                "P",
                "Pawn",
                "One cell forward, two from its second rank; captures one cell diagonally \
                 forward. Forward is upwards on the lower board. The upper board is turned by a \
                 quarter: White's forward is to the right there, Black's to the left.",
            ),
        ],
        sections: vec![
            Section {
                title: "Two boards",
                text: "Cells of the lower board are written with a small letter, those of the \
                       upper one with a capital letter: `e4` lies right below `E4`. A piece moves \
                       on its own board as in chess. It may move only if a king of its side, \
                       either of the two, stands on that board; without one the pieces of a side \
                       stand still there, but can be captured and pushed.",
            },
            Section {
                title: "Capture above",
                text: "A piece captured on the upper board falls to the cell right below. What \
                       stood there, friend or enemy, king or not, is taken off the game.",
            },
            Section {
                title: "Drop",
                text: "Any upper piece may fall by itself to the cell right below, if that is \
                       empty or holds an enemy, who is taken off.",
            },
            Section {
                title: "Capture below",
                text: "A piece captured on the lower board is taken off the game, and the captor \
                       rises to the cell right above the captured one if that is empty. There is \
                       no other way up.",
            },
            Section {
                title: "En passant and castling",
                text: "As in chess, on either board; captures en passant push down or rise as all \
                       captures do, below or above the cell that the pawn has come to. The king castles with each rook of his board, two cells \
                       toward it, if all cells between them are empty; attacked cells do not \
                       matter. The right ends when either home cell is left, reached or hit by a \
                       push.",
            },
            Section {
                title: "Promotion",
                text: "A pawn becomes a queen, rook, bishop or knight if its own move brings it \
                       to the last rank of the board it is on at that moment, also when it drops \
                       there or rises there after a capture. A pawn pushed to its last rank stays \
                       a pawn and cannot move.",
            },
            Section {
                title: "End of the game",
                text: "A side without a king has lost; a king that is pushed down is not lost. A \
                       side that has a king and no move draws. Captures and all moves of pawns \
                       restart the clock.",
            },
        ],
        examples: vec![
            Example {
                title: "A pawn below",
                text: "It captures on h5 and rises to H5, which is its last rank: a promotion.",
                fen: "4k3/8/8/5p1r/6P1/8/8/3K4|8/8/8/K7/7k/8/8/8 w - - - 0 9",
                moves: "g4",
            },
            Example {
                title: "A rook above",
                text: "Taking on D8 pushes the knight down on the black king; the drop to d4 takes \
                       the pawn.",
                fen: "3k4/8/8/8/3p4/8/8/8|3n4/8/8/K7/3R3k/8/8/8 w - - - 0 9",
                moves: "D4",
            },
        ],
        rulings: vec![
            Ruling::Reconstruction(
                "The diagram of the start is lost. Below it is said to be classical, and the whole \
                 symmetrical about its centre: so the kings stand crosswise, White's to the left \
                 of his queen as in the author's other games of that kind.",
            ),
            Ruling::Reconstruction(
                "Above, the same array is turned by a quarter, White on file A.",
            ),
            Ruling::Reading("A push takes off what stands below, of either colour."),
            Ruling::Reading(
                "The first king of a side may be taken without harm; a king pushed down is not \
                 taken.",
            ),
            Ruling::Reading("Two kings of a side may come to stand on the same board."),
            Ruling::Reading("A piece that captures by dropping stays below."),
            Ruling::Reading(
                "En passant and castling exist, but the rules of castling about attacked cells do \
                 not.",
            ),
            Ruling::Reading(
                "The double step depends on where a pawn stands, not on whether it has moved.",
            ),
            Ruling::Reading("A pawn promotes by its owner's moves only, not when it is pushed."),
            Ruling::Reading("Stalemate is a draw."),
        ],
    }
}
