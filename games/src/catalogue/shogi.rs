//! Shogi, a control game: its perft counts are published. What its modern sisters share with it is
//! here too.

use crate::families::chess::{
    AHEAD, DIAGONAL, Declaration, FirstMove, King, ORTHOGONAL, Pawn, Piece, Stalemate, Symmetries,
    Turning, entry as enter, offset, ring,
};
use crate::game::Entry;
use crate::{Example, Geometry, Guide, PieceGuide, Repetition, Section};

/// The catalogue entry.
pub(crate) fn entry() -> Entry {
    let piece = Piece::new;
    let gold = || [(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (0, -1)].map(|(x, y)| offset(x, y));
    let silver = [(-1, 1), (0, 1), (1, 1), (-1, -1), (1, -1)].map(|(x, y)| offset(x, y));
    enter(Declaration {
        id: "shogi",
        title: "Shogi",
        edition: "rules of the Japan Shogi Association, draws added; control game",
        geometry: board(),
        turn: [true, true, false, false],
        symmetries: Symmetries::LeftRight,
        pawn: pawn(),
        king: king(),
        pieces: vec![
            piece('L', "lance", 350, vec![], vec![AHEAD]),
            piece('N', "knight", 450, vec![offset(-1, 2), offset(1, 2)], vec![]),
            piece('S', "silver", 550, silver.to_vec(), vec![]),
            piece('G', "gold", 600, gold().to_vec(), vec![]),
            piece('B', "bishop", 950, vec![], vec![DIAGONAL]),
            piece('R', "rook", 1100, vec![], vec![ORTHOGONAL]),
        ],
        castling: vec![],
        promotion: vec![],
        turning: Some(Turning {
            ranks: ZONE,
            pieces: vec![
                piece('P', "promoted pawn", 600, gold().to_vec(), vec![]),
                piece('L', "promoted lance", 600, gold().to_vec(), vec![]),
                piece('N', "promoted knight", 600, gold().to_vec(), vec![]),
                piece('S', "promoted silver", 600, gold().to_vec(), vec![]),
                piece('B', "horse", 1150, ring(1), vec![DIAGONAL]),
                piece('R', "dragon", 1500, ring(1), vec![ORTHOGONAL]),
            ],
        }),
        hands: "RBGSNLP",
        stalemate: Stalemate::Loses,
        start: "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - - - 0 1",
        left_out: "",
        maximum_plies: 400,
        repetition: REPETITION,
        guide: guide(),
    })
}

/// The board of all games of shogi.
pub(super) fn board() -> Geometry {
    Geometry::rectangle("abcdefghi", 9)
}

/// The ranks of the promotion zone.
pub(super) const ZONE: u8 = 3;

/// A pawn that captures as it moves.
pub(super) fn pawn() -> Pawn {
    let ahead = || vec![offset(0, 1)];
    Pawn { steps: ahead(), captures: ahead(), first: FirstMove::Plain, anywhere: false }
}

pub(super) fn king() -> King {
    King { leaps: ring(1), leaps_until_checked: vec![], double_move: vec![], second: None }
}

/// The fourth occurrence ends the game, and perpetual check loses.
pub(super) const REPETITION: Repetition =
    Repetition { limit: 4, perpetual_check_loses: true, outlasts_clock: true };

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
    let piece = |unit, name, text, board| PieceGuide { unit, name, text, board };
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
            piece("K", "King", "One cell in any direction.", {
                Some("3k5/9/9/4p4/9/4*1p2/9/9/9 w - - - 0 1")
            }),
            piece("R", "Rook", "Files and ranks.", None),
            piece("+R", "Dragon", "Files and ranks, and one cell in any direction.", None),
            piece("B", "Bishop", "Diagonals.", None),
            piece("+B", "Horse", "Diagonals, and one cell in any direction.", None),
            piece("G", "Gold", "One cell in any direction but diagonally back.", None),
            piece("S", "Silver", "One cell straight ahead or diagonally.", None),
            piece("+S", "Promoted silver", "As a gold.", None),
            piece("N", "Knight", "Two cells ahead and one aside, over anything.", None),
            piece("+N", "Promoted knight", "As a gold.", None),
            piece("L", "Lance", "Any distance straight ahead.", None),
            piece("+L", "Promoted lance", "As a gold.", None),
            piece("P", "Pawn", "One cell straight ahead, capturing as it moves.", None),
            piece("+P", "Promoted pawn", "As a gold.", None),
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
