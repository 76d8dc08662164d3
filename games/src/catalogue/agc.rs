//! Avant-garde Grand Chess: rulebook page `agc.md`.

use super::grand;
use crate::families::chess::{
    DIAGONAL, Declaration, King, ORTHOGONAL, Piece, Zone, ZoneCells, entry as enter, leaper, offset,
};
use crate::game::{Basics, Entry};
use crate::{Example, Guide, PieceGuide, Repetition, Ruling, Section};

/// The catalogue entry.
pub(crate) fn entry() -> Entry {
    let piece = Piece::new;
    let basics = Basics {
        id: "agc",
        title: "Avant-garde Grand Chess",
        edition: "edition of 2013-02-25",
        geometry: grand::board(),
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
        pieces: [
            vec![
                grand::knight(),
                // Ruling 3: it does not jump.
                piece('G', "guard", 450, vec![], vec![ORTHOGONAL.up_to(2), DIAGONAL.up_to(2)]),
            ],
            grand::sliders(('A', "adviser"), ('Q', "queen")),
        ]
        .concat(),
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
        board: grand::SHOWN_ON,
        pieces: [
            vec![
                piece(
                    "K",
                    "King",
                    "One cell in any direction. Until he is checked for the first time also a \
                     knight's leap, by which he attacks as well. If he has not moved either, he \
                     may go two cells ahead, straight or diagonally.",
                )
                .on(grand::LEAPING_KING),
            ],
            grand::slider_guides(("Q", "Queen"), ("A", "Adviser")),
            vec![
                piece("G", "Guard", "One or two cells in any direction, but not over a piece."),
                grand::KNIGHT,
                grand::PAWN,
            ],
        ]
        .concat(),
        sections: vec![
            Section {
                title: "Promotion",
                text: "On the ninth rank a pawn may become a knight, guard or bishop, or stay a \
                       pawn. On the tenth it has to become something, anything but a king.",
            },
            grand::LEAP_RIGHT,
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
            grand::EN_PASSANT,
        ],
        rulings: vec![
            grand::KINGS_FACE,
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
