//! Waterloo, 3rd edition: rulebook page `waterloo.md`.

use crate::families::chess::{
    DIAGONAL, Declaration, King, ORTHOGONAL, Piece, Zone, ZoneCells, entry as enter, leaper, ring,
};
use crate::game::{Basics, Entry};
use crate::{Example, Geometry, Guide, PieceGuide, Repetition, Ruling, Section};

/// The catalogue entry.
pub(crate) fn entry() -> Entry {
    // Ruling 3: three kinds of neighbours, eight cells each. These jumps are N(2).
    let two_cells = [leaper(0, 2), leaper(2, 2)].concat();
    let piece = Piece::new;
    let basics = Basics {
        id: "waterloo",
        title: "Waterloo",
        edition: "3rd edition, 2015-12-26",
        geometry: Geometry::rectangle("abcdefghik", 10),
        // Ruling 1: the kings face each other.
        start: "rmcakqacmr/ggbnnnnbgg/pppppppppp/10/10/10/10/PPPPPPPPPP/GGBNNNNBGG/RMCAKQACMR \
                w Kk - - 0 1",
        repetition: Repetition::drawn_at(3),
        maximum_plies: 400,
        guide: guide(),
    };
    let declaration = Declaration {
        king: King { leaps_until_checked: ring(2), ..King::orthodox() },
        pieces: vec![
            piece('S', "spy", 300, ring(1), vec![]),
            piece('N', "knight", 300, leaper(1, 2), vec![]),
            piece('G', "guard", 500, [ring(1), two_cells].concat(), vec![]),
            piece('B', "bishop", 350, vec![], vec![DIAGONAL]),
            piece('C', "cardinal", 750, leaper(1, 2), vec![DIAGONAL]),
            piece('R', "rook", 550, vec![], vec![ORTHOGONAL]),
            piece('M', "marshal", 900, leaper(1, 2), vec![ORTHOGONAL]),
            piece('A', "adviser", 950, vec![], vec![ORTHOGONAL, DIAGONAL]),
            piece('Q', "queen", 1250, leaper(1, 2), vec![ORTHOGONAL, DIAGONAL]),
        ],
        // Ruling 5: a pawn may stay one even on rank 10, where it has no move left.
        promotion: vec![
            Zone { cells: ZoneCells::Rank(8), pieces: "S", optional: true },
            Zone { cells: ZoneCells::Rank(9), pieces: "NGB", optional: true },
            Zone { cells: ZoneCells::Rank(10), pieces: "CRMAQ", optional: true },
        ],
        ..Declaration::orthodox()
    };
    enter(basics, &declaration)
}

fn guide() -> Guide {
    let piece = PieceGuide::new;
    Guide {
        summary: "Grand chess on a hundred cells with jumping guards. Pawns may promote on three \
                  ranks, each time to what belongs there, or not at all. The king jumps two cells \
                  far until he is checked. Checkmate wins.",
        board: "k9/10/10/4p5/10/4*1p3/10/2p7/10/9K w - - - 0 1",
        pieces: vec![
            piece(
                "K",
                "King",
                "One cell in any direction. Until he is checked for the first time also jumps \
                     to any cell two away, which he attacks as well.",
            )
            .on("k9/10/10/10/10/4*1p3/10/10/10/10 w K - - 0 1"),
            piece("Q", "Queen", "Files, ranks, diagonals, and the knight's leap."),
            piece("A", "Adviser", "Files, ranks and diagonals."),
            piece("M", "Marshal", "Files and ranks, and the knight's leap."),
            piece("R", "Rook", "Files and ranks."),
            piece("C", "Cardinal", "Diagonals, and the knight's leap."),
            piece("B", "Bishop", "Diagonals."),
            piece(
                "G",
                "Guard",
                "One cell in any direction, or two straight or diagonally, over anything.",
            ),
            piece("N", "Knight", "Two cells along a file or rank and one aside, over anything."),
            piece("S", "Spy", "One cell in any direction. There is none at the start."),
            piece(
                "P",
                "Pawn",
                "One cell ahead, from its first place also two; captures diagonally ahead, \
                     also en passant.",
            )
            .on("k9/10/10/10/10/10/3p6/4*5/10/9K w - - - 0 1"),
        ],
        sections: vec![
            Section {
                title: "Promotion",
                text: "A pawn that arrives on the eighth rank may become a spy, on the ninth a \
                       knight, guard or bishop, on the tenth a cardinal, rook, marshal, adviser or \
                       queen. It may always stay a pawn; on the tenth rank it then has no move \
                       left. Only pawns promote.",
            },
            Section {
                title: "The leap right",
                text: "A king that stands in check when his side is to move has lost his leaps for \
                       good, also as an answer to that check. Leaping does not use the right up. \
                       While it lasts, the enemy king cannot come near.",
            },
            Section {
                title: "End of the game",
                text: "Checkmate wins, stalemate draws. There is no castling.",
            },
        ],
        examples: vec![
            Example {
                title: "A guard jumps",
                text: "It passes over the pieces next to it, its own and others.",
                fen: "k9/10/10/10/4p5/3PGP4/4p5/10/10/9K w - - - 0 1",
                moves: "e5",
            },
            Example {
                title: "En passant",
                text: "The pawn has just gone two cells and is taken on the cell that it passed \
                       over.",
                fen: "k9/10/10/10/4pP4/10/10/10/10/9K w - e7 - 0 1",
                moves: "f6",
            },
        ],
        rulings: vec![
            Ruling::Reading(
                "Black's king stands on e10, opposite White's, as the list of pieces says; a \
                 remark on symmetry about the centre would have him on f10.",
            ),
            Ruling::Reading(
                "The three kinds of neighbours are the eight cells around, the eight two cells \
                 away in a line, and the eight of the knight; not rings of cells.",
            ),
            Ruling::Reading(
                "On the ninth and tenth rank a pawn becomes what stands there at the start; a \
                 pawn that declines on the tenth stays there for good.",
            ),
            Ruling::Reading(
                "The spy goes one cell in any direction; the page names no other move of it.",
            ),
        ],
    }
}
