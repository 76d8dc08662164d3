//! Chess, a control game: its perft counts are published.

use crate::Geometry;
use crate::families::chess::{
    Castling, DIAGONAL, Declaration, FirstMove, King, ORTHOGONAL, Pawn, Piece, Zone,
    entry as enter, offset, ring,
};
use crate::game::Entry;

/// The catalogue entry.
pub(crate) fn entry() -> Entry {
    let knight = vec![
        offset(1, 2),
        offset(2, 1),
        offset(2, -1),
        offset(1, -2),
        offset(-1, -2),
        offset(-2, -1),
        offset(-2, 1),
        offset(-1, 2),
    ];
    let piece = |letter, name, value, leaps, slides| Piece { letter, name, value, leaps, slides };
    enter(Declaration {
        id: "chess",
        title: "Chess",
        edition: "FIDE laws of 2023; control game",
        geometry: Geometry::rectangle("abcdefgh", 8),
        turn: [false, true, false, false],
        pawn: Pawn {
            steps: vec![offset(0, 1)],
            captures: vec![offset(-1, 1), offset(1, 1)],
            first: FirstMove::Double(offset(0, 1)),
        },
        king: King { leaps: ring(1), leaps_until_checked: vec![] },
        pieces: vec![
            piece('N', "knight", 300, knight, vec![]),
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
        promotion: vec![Zone { rank: 8, pieces: "NBRQ", optional: false }],
        start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - - 0 1",
        maximum_plies: 400,
    })
}
