//! Shogi, a control game: its perft counts are published. What its modern sisters share with it is
//! here too.

use crate::families::chess::{
    AHEAD, DIAGONAL, Declaration, FirstMove, ORTHOGONAL, Pawn, Piece, Stalemate, Turning,
    entry as enter, offset, ring,
};
use crate::game::{Basics, Entry};
use crate::{Example, Geometry, Guide, PieceGuide, Repetition, Section};

/// The catalogue entry.
pub(crate) fn entry() -> Entry {
    let piece = Piece::new;
    let gold = || [(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (0, -1)].map(|(x, y)| offset(x, y));
    let silver = [(-1, 1), (0, 1), (1, 1), (-1, -1), (1, -1)].map(|(x, y)| offset(x, y));
    let basics = basics(
        "shogi",
        "Shogi",
        "rules of the Japan Shogi Association, draws added; control game",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - - - 0 1",
        guide(),
    );
    let declaration = Declaration {
        turn: [true, true, false, false],
        pieces: vec![
            piece('L', "lance", 350, vec![], vec![AHEAD]),
            piece('N', "knight", 450, vec![offset(-1, 2), offset(1, 2)], vec![]),
            piece('S', "silver", 550, silver.to_vec(), vec![]),
            piece('G', "gold", 600, gold().to_vec(), vec![]),
            piece('B', "bishop", 950, vec![], vec![DIAGONAL]),
            piece('R', "rook", 1100, vec![], vec![ORTHOGONAL]),
        ],
        hands: "RBGSNLP",
        ..turning_into(vec![
            piece('P', "promoted pawn", 600, gold().to_vec(), vec![]),
            piece('L', "promoted lance", 600, gold().to_vec(), vec![]),
            piece('N', "promoted knight", 600, gold().to_vec(), vec![]),
            piece('S', "promoted silver", 600, gold().to_vec(), vec![]),
            piece('B', "horse", 1150, ring(1), vec![DIAGONAL]),
            piece('R', "dragon", 1500, ring(1), vec![ORTHOGONAL]),
        ])
    };
    enter(basics, &declaration)
}

/// What all games of shogi are declared with: the fourth occurrence ends the game, and perpetual
/// check loses.
pub(super) fn basics(
    id: &'static str,
    title: &'static str,
    edition: &'static str,
    start: &'static str,
    guide: Guide,
) -> Basics {
    Basics {
        id,
        title,
        edition,
        geometry: Geometry::rectangle("abcdefghi", 9),
        start,
        repetition: Repetition { limit: 4, perpetual_check_loses: true, outlasts_clock: true },
        maximum_plies: 400,
        guide,
    }
}

/// The rules of all games of shogi: pawns that capture as they move, pieces that turn into
/// `others` in the three farthest ranks, and no stalemate.
pub(super) fn turning_into(others: Vec<Piece>) -> Declaration {
    let ahead = || vec![offset(0, 1)];
    Declaration {
        pawn: Pawn { steps: ahead(), captures: ahead(), first: FirstMove::Plain, anywhere: false },
        turning: Some(Turning { ranks: 3, pieces: others }),
        stalemate: Stalemate::Loses,
        ..Declaration::orthodox()
    }
}

/// What the pages of all games of shogi say about drops, the end and repetition.
pub(super) fn shared_sections() -> Vec<Section> {
    vec![
        Section {
            title: "Drops",
            text: "A captured piece changes sides and goes to its captor's hand, unpromoted. In \
                   place of a move a side may drop a piece from its hand on any empty cell from \
                   where that piece could ever move, in the zone too, always unpromoted. A pawn \
                   may not be dropped on a file where its side has an unpromoted pawn already, nor \
                   to give checkmate at once; a dropped pawn may give check, and every other \
                   mate is fine.",
        },
        Section {
            title: "End of the game",
            text: "A side without a legal move has lost, in check or not. If a position occurs for \
                   the fourth time, with the same side to move and the same hands, the game is \
                   drawn; but a side that has given check with each of its moves since the first \
                   occurrence loses, unless both have.",
        },
    ]
}

fn guide() -> Guide {
    let piece = PieceGuide::new;
    let mut sections = vec![Section {
        title: "Promotion",
        text: "The zone is the three farthest ranks. A piece that moves into it, within it or out \
               of it may promote, except king and gold, and has to if it could never move again: a \
               pawn or lance on the last rank, a knight on the last two. It stays promoted until \
               it is captured.",
    }];
    sections.extend(shared_sections());
    Guide {
        summary: "The Japanese chess, here to check drops and promotion by: its node counts are \
                  published. Captured pieces come back on the captor's side; checkmate wins.",
        board: "3k5/9/9/4p4/9/4*1p2/9/9/5K3 w - - - 0 1",
        pieces: vec![
            piece("K", "King", "One cell in any direction.")
                .on("3k5/9/9/4p4/9/4*1p2/9/9/9 w - - - 0 1"),
            piece("R", "Rook", "Files and ranks."),
            piece("+R", "Dragon", "Files and ranks, and one cell in any direction."),
            piece("B", "Bishop", "Diagonals."),
            piece("+B", "Horse", "Diagonals, and one cell in any direction."),
            piece("G", "Gold", "One cell in any direction but diagonally back."),
            piece("S", "Silver", "One cell straight ahead or diagonally."),
            piece("+S", "Promoted silver", "As a gold."),
            piece("N", "Knight", "Two cells ahead and one aside, over anything."),
            piece("+N", "Promoted knight", "As a gold."),
            piece("L", "Lance", "Any distance straight ahead."),
            piece("+L", "Promoted lance", "As a gold."),
            piece("P", "Pawn", "One cell straight ahead, capturing as it moves."),
            piece("+P", "Promoted pawn", "As a gold."),
        ],
        sections,
        examples: vec![Example {
            title: "A pawn in hand",
            text: "Not on file e, where White has a pawn, but on file g, where he has only a \
                   promoted one; nowhere on the last rank; and not on i8, for that would be mate.",
            fen: "6+P1k/6R2/9/9/9/9/4P4/9/4K4 w - - P 0 1",
            moves: "P*",
        }],
        rulings: vec![],
    }
}
