//! Modern Shogi, 2nd edition: rulebook page `shogi.md`.

use super::{shogi, shogi1};
use crate::families::chess::{
    DIAGONAL, Declaration, ORTHOGONAL, Piece, entry as enter, leaper, ring,
};
use crate::game::Entry;
use crate::{Example, Guide, PieceGuide, Ruling};

/// The catalogue entry.
pub(crate) fn entry() -> Entry {
    let piece = Piece::new;
    // Ruling 7: a step, or a jump of exactly two cells, in any of the eight directions.
    let marshal = [ring(1), leaper(0, 2), leaper(2, 2)].concat();
    let basics = shogi::basics(
        "shogi2",
        "Modern Shogi",
        "2nd edition, 2011-05-02",
        "r7r/1hbgkgbh1/ppppppppp/9/9/9/PPPPPPPPP/1HBGKGBH1/R7R w - - - 0 1",
        guide(),
    );
    let declaration = Declaration {
        turn: [true, true, false, false],
        pieces: vec![
            piece('G', "general", 700, ring(1), vec![]),
            piece('R', "rook", 1000, vec![], vec![ORTHOGONAL]),
            // Ruling 8: the orthogonal step captures nothing and attacks nothing.
            Piece { quiet: leaper(0, 1), ..piece('B', "bishop", 950, vec![], vec![DIAGONAL]) },
            piece('H', "horse", 650, leaper(1, 2), vec![]),
        ],
        hands: "RBGHP",
        ..shogi::turning_into(vec![
            piece('G', "marshal", 1200, marshal, vec![]),
            piece('R', "dragon", 1400, ring(1), vec![ORTHOGONAL]),
            piece('B', "episcope", 1200, ring(1), vec![DIAGONAL]),
            piece('H', "ninja", 1200, [ring(1), leaper(1, 2)].concat(), vec![]),
            piece('P', "pionnier", 700, ring(1), vec![]),
        ])
    };
    enter(basics, &declaration)
}

fn guide() -> Guide {
    let piece = PieceGuide::new;
    let shared = shogi1::shared_piece;
    let mut rulings = shogi1::shared_rulings();
    rulings.push(Ruling::Reading(
        "A marshal jumps exactly two cells in the directions in which a king steps, so not to the \
         cells of a knight's jump: those the author gave to the ninja in this edition.",
    ));
    Guide {
        summary: "The second edition of Modern Shogi: the array is even on both wings, bishops may \
                  change the colour of their cells, and marshals jump in straight lines. Captured \
                  pieces come back on the captor's side; checkmate wins.",
        board: "3k5/9/9/4p4/9/4*1p2/9/9/5K3 w - - - 0 1",
        pieces: vec![
            shared("K"),
            shared("G"),
            piece(
                "+G",
                "Marshal",
                "One cell in any direction, or a jump of exactly two cells in one, over anything.",
            ),
            shared("R"),
            shared("+R"),
            piece(
                "B",
                "Bishop",
                "Diagonals; also one cell along a file or rank, but only to an empty cell: he \
                 neither captures nor gives check that way.",
            ),
            shared("+B"),
            piece("H", "Horse", "Two cells along a file or rank and one aside, over anything."),
            piece("+H", "Ninja", "The horse's jump, or one cell in any direction."),
            shared("P"),
            shared("+P"),
        ],
        sections: [vec![shogi1::PROMOTION], shogi::shared_sections()].concat(),
        examples: vec![Example {
            title: "The bishop's step",
            text: "The bishop may go to e5, which is empty, but not capture the pawn beside him.",
            fen: "3k5/9/9/9/9/3pB4/9/9/4K4 w - - - 0 1",
            moves: "e4",
        }],
        rulings,
    }
}
