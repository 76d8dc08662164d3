//! Chess, a control game: its perft counts are published.

use crate::families::chess::{
    Castling, DIAGONAL, Declaration, ORTHOGONAL, Piece, Zone, ZoneCells, entry as enter, leaper,
};
use crate::game::{Basics, Entry};
use crate::{Example, Geometry, Guide, PieceGuide, Repetition, Section};

/// The catalogue entry.
pub(crate) fn entry() -> Entry {
    let piece = Piece::new;
    let basics = Basics {
        id: "chess",
        title: "Chess",
        edition: "FIDE laws of 2023; control game",
        geometry: Geometry::rectangle("abcdefgh", 8),
        start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - - 0 1",
        repetition: Repetition::drawn_at(3),
        maximum_plies: 400,
        guide: guide(),
    };
    let declaration = Declaration {
        pieces: vec![
            piece('N', "knight", 300, leaper(1, 2), vec![]),
            piece('B', "bishop", 310, vec![], vec![DIAGONAL]),
            piece('R', "rook", 500, vec![], vec![ORTHOGONAL]),
            piece('Q', "queen", 900, vec![], vec![ORTHOGONAL, DIAGONAL]),
        ],
        castling: vec![
            Castling {
                letter: 'K',
                name: "short castling",
                king: ["e1", "g1"],
                rooks: vec![["h1", "f1"]],
                must_be_empty: vec!["f1", "g1"],
                must_be_safe: vec!["e1", "f1", "g1"],
            },
            Castling {
                letter: 'Q',
                name: "long castling",
                king: ["e1", "c1"],
                rooks: vec![["a1", "d1"]],
                must_be_empty: vec!["b1", "c1", "d1"],
                must_be_safe: vec!["c1", "d1", "e1"],
            },
        ],
        promotion: vec![Zone { cells: ZoneCells::Rank(8), pieces: "NBRQ", optional: false }],
        ..Declaration::orthodox()
    };
    enter(basics, &declaration)
}

fn guide() -> Guide {
    let piece = PieceGuide::new;
    Guide {
        summary: "The chess that everybody knows, here to check the machinery by: its node counts \
                  are published and strong engines play it.",
        board: "k7/8/8/8/3*1p2/8/8/7K w - - - 0 1",
        pieces: vec![
            piece("K", "King", "One cell in any direction, never onto an attacked cell.")
                .on("k7/8/8/8/3*4/8/4r3/8 w - - - 0 1"),
            piece("Q", "Queen", "Any distance along files, ranks and diagonals."),
            piece("R", "Rook", "Any distance along files and ranks."),
            piece("B", "Bishop", "Any distance along diagonals."),
            piece("N", "Knight", "Two cells along a file or rank and one aside, over anything."),
            piece(
                "P",
                "Pawn",
                "One cell ahead, from its first place also two; captures diagonally ahead.",
            )
            .on("k7/8/8/8/8/2p5/3*4/7K w - - - 0 1"),
        ],
        sections: vec![
            Section {
                title: "Promotion",
                text: "A pawn that arrives on the last rank becomes a knight, bishop, rook or queen.",
            },
            Section {
                title: "End of the game",
                text: "Checkmate wins; a side that cannot move and is not in check draws.",
            },
        ],
        examples: vec![
            Example {
                title: "Castling",
                text: "King and rook that have never moved, nothing between them, and the king \
                       neither in check nor passing an attacked cell.",
                fen: "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - - 0 1",
                moves: "e1",
            },
            Example {
                title: "En passant",
                text: "A pawn that has just gone two cells is taken on the cell it passed over.",
                fen: "k7/8/8/3pP3/8/8/8/7K w - d6 - 0 1",
                moves: "e5",
            },
        ],
        rulings: vec![],
    }
}
