//! Modern Grand Chess, 2nd edition: rulebook page `mgc.md`.

use crate::Geometry;
use crate::families::chess::{
    DIAGONAL, Declaration, FirstMove, King, ORTHOGONAL, Pawn, Piece, Zone, entry as enter, offset,
    ring,
};
use crate::game::Entry;

/// The catalogue entry.
pub(crate) fn entry() -> Entry {
    let piece = |letter, name, value, leaps, slides| Piece { letter, name, value, leaps, slides };
    enter(Declaration {
        id: "mgc",
        title: "Modern Grand Chess",
        edition: "2nd edition, 2010-12-10; rulebook mgc.md",
        geometry: Geometry::rectangle("abcdefghik", 10),
        turn: [true, true, false, false],
        // Rulings 2, 3 and 5: steps never go back, the first jump gains ground.
        pawn: Pawn {
            steps: vec![offset(-1, 0), offset(1, 0), offset(-1, 1), offset(0, 1), offset(1, 1)],
            captures: vec![offset(-1, 1), offset(1, 1)],
            first: FirstMove::Jump(vec![
                offset(-2, 1),
                offset(2, 1),
                offset(-2, 2),
                offset(-1, 2),
                offset(0, 2),
                offset(1, 2),
                offset(2, 2),
            ]),
        },
        king: King { leaps: ring(1), leaps_until_checked: [ring(2), ring(3)].concat() },
        pieces: vec![
            piece('H', "horse", 450, ring(2), vec![]),
            piece('N', "ninja", 700, [ring(1), ring(2)].concat(), vec![]),
            piece('B', "bishop", 350, vec![], vec![DIAGONAL]),
            piece('E', "episcope", 550, ring(1), vec![DIAGONAL]),
            piece('C', "cardinal", 850, ring(2), vec![DIAGONAL]),
            piece('L', "legion", 550, vec![], vec![ORTHOGONAL]),
            piece('G', "general", 750, ring(1), vec![ORTHOGONAL]),
            piece('M', "marshal", 1050, ring(2), vec![ORTHOGONAL]),
            piece('A', "adviser", 950, vec![], vec![ORTHOGONAL, DIAGONAL]),
            piece('Q', "queen", 1450, ring(2), vec![ORTHOGONAL, DIAGONAL]),
        ],
        castling: vec![],
        // Ruling 6: to any kind but king and pawn, or not at all.
        promotion: vec![Zone { rank: 10, pieces: "HNBECLGMAQ", optional: true }],
        start: "lgmaqkamgl/hncebbecnh/pppppppppp/10/10/10/10/PPPPPPPPPP/HNCEBBECNH/LGMAKQAMGL \
                w Kk - - 0 1",
        maximum_plies: 400,
    })
}
