//! Avant-garde Grand Chess: rulebook page `agc.md`.

use crate::families::chess::{
    DIAGONAL, Declaration, King, ORTHOGONAL, Piece, Zone, ZoneCells, entry as enter, leaper, offset,
};
use crate::game::{Basics, Entry};
use crate::{Example, Geometry, Guide, PieceGuide, Repetition, Ruling, Section};

/// The catalogue entry.
pub(crate) fn entry() -> Entry {
    let piece = Piece::new;
    let basics = Basics {
        id: "agc",
        title: "Avant-garde Grand Chess",
        edition: "edition of 2013-02-25",
        geometry: Geometry::rectangle("abcdefghik", 10),
        start: "rmcakqacmr/nnbggggbnn/pppppppppp/10/10/10/10/PPPPPPPPPP/NNBGGGGBNN/RMCAKQACMR \
                w KDkd - - 0 1",
        repetition: Repetition::drawn_at(3),
        maximum_plies: 400,
        guide: guide(),
    };
    let declaration = Declaration {
        // Ruling 7: ahead, straight or diagonally.
        king: King {
            leaps_until_checked: leaper(1, 2),
            double_move: vec![offset(-1, 1), offset(0, 1), offset(1, 1)],
            ..King::orthodox()
        },
        pieces: vec![
            piece('N', "knight", 300, leaper(1, 2), vec![]),
            // Ruling 3: it does not jump.
            piece('G', "guard", 450, vec![], vec![ORTHOGONAL.up_to(2), DIAGONAL.up_to(2)]),
            piece('B', "bishop", 350, vec![], vec![DIAGONAL]),
            piece('C', "cardinal", 750, leaper(1, 2), vec![DIAGONAL]),
            piece('R', "rook", 550, vec![], vec![ORTHOGONAL]),
            piece('M', "marshal", 900, leaper(1, 2), vec![ORTHOGONAL]),
            piece('A', "adviser", 950, vec![], vec![ORTHOGONAL, DIAGONAL]),
            piece('Q', "queen", 1250, leaper(1, 2), vec![ORTHOGONAL, DIAGONAL]),
        ],
        // Ruling 5.
        promotion: vec![
            Zone { cells: ZoneCells::Rank(9), pieces: "NGB", optional: true },
            Zone { cells: ZoneCells::Rank(10), pieces: "NGBCRMAQ", optional: false },
        ],
        ..Declaration::orthodox()
    };
    enter(basics, &declaration)
}

fn guide() -> Guide {
    let piece = PieceGuide::new;
    Guide {
        summary: "Grand chess on a hundred cells with all the compounds of chess: queen, adviser, \
                  marshal and cardinal, besides four guards. The king leaps like a knight until \
                  he is checked, and instead of castling he may once take a double step ahead. \
                  Checkmate wins.",
        board: "k9/10/10/4p5/10/4*1p3/10/2p7/10/9K w - - - 0 1",
        pieces: vec![
            piece(
                "K",
                "King",
                "One cell in any direction. Until he is checked for the first time also a \
                     knight's leap, by which he attacks as well. If he has not moved either, he \
                     may go two cells ahead, straight or diagonally.",
            )
            .on("k9/10/10/10/10/4*1p3/10/10/10/10 w K - - 0 1"),
            piece("Q", "Queen", "Files, ranks, diagonals, and the knight's leap."),
            piece("A", "Adviser", "Files, ranks and diagonals."),
            piece("M", "Marshal", "Files and ranks, and the knight's leap."),
            piece("R", "Rook", "Files and ranks."),
            piece("C", "Cardinal", "Diagonals, and the knight's leap."),
            piece("B", "Bishop", "Diagonals."),
            piece("G", "Guard", "One or two cells in any direction, but not over a piece."),
            piece("N", "Knight", "Two cells along a file or rank and one aside, over anything."),
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
                text: "On the ninth rank a pawn may become a knight, guard or bishop, or stay a \
                       pawn. On the tenth it has to become something, anything but a king.",
            },
            Section {
                title: "The leap right",
                text: "A king that stands in check when his side is to move has lost his leaps for \
                       good, also as an answer to that check. Leaping does not use the right up. \
                       While it lasts, the enemy king cannot come near.",
            },
            Section {
                title: "The double move",
                text: "It starts from wherever the king has always stood, needs both cells empty \
                       and the first of them not attacked, and captures nothing. The first check \
                       ends this right too.",
            },
            Section {
                title: "End of the game",
                text: "Checkmate wins, stalemate draws. There is no castling.",
            },
        ],
        examples: vec![
            Example {
                title: "A double move",
                text: "The rook attacks d2, so the king cannot pass there to c3.",
                fen: "k9/10/3r6/10/10/10/10/10/10/4K5 w KD - - 0 1",
                moves: "e1",
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
            Ruling::Reading("The knight is the one of chess, the guard slides and does not jump."),
            Ruling::Reading(
                "Pawns walk and capture as in chess. Nothing lets them stay pawns on the last \
                 rank, so there they promote.",
            ),
            Ruling::Reading(
                "The king's double move stands in the place of castling: once, ahead, without \
                 capture, and neither out of check nor through an attacked cell.",
            ),
        ],
    }
}
