//! Modern Grand Chess, 2nd edition: rulebook page `mgc.md`.

use crate::families::chess::{
    DIAGONAL, Declaration, FirstMove, King, ORTHOGONAL, Pawn, Piece, Zone, ZoneCells,
    entry as enter, offset, ring,
};
use crate::game::{Basics, Entry};
use crate::{Example, Geometry, Guide, PieceGuide, Repetition, Ruling, Section};

/// The catalogue entry.
pub(crate) fn entry() -> Entry {
    let piece = Piece::new;
    let basics = Basics {
        id: "mgc",
        title: "Modern Grand Chess",
        edition: "2nd edition, 2010-12-10",
        geometry: Geometry::rectangle("abcdefghik", 10),
        start: "lgmaqkamgl/hncebbecnh/pppppppppp/10/10/10/10/PPPPPPPPPP/HNCEBBECNH/LGMAKQAMGL \
                w Kk - - 0 1",
        repetition: Repetition::drawn_at(3),
        maximum_plies: 400,
        guide: guide(),
    };
    let declaration = Declaration {
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
            anywhere: false,
        },
        king: King { leaps_until_checked: [ring(2), ring(3)].concat(), ..King::orthodox() },
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
        // Ruling 6: to any kind but king and pawn, or not at all.
        promotion: vec![Zone { cells: ZoneCells::Rank(10), pieces: "HNBECLGMAQ", optional: true }],
        ..Declaration::orthodox()
    };
    enter(basics, &declaration)
}

fn guide() -> Guide {
    let piece = PieceGuide::new;
    Guide {
        summary: "Grand chess on a hundred cells. Every piece is made of three movements: along \
                  files and ranks, along diagonals, and jumps to the ring of cells at a given \
                  distance. Checkmate wins.",
        board: "k9/10/10/4p5/10/4*1p3/10/2p7/10/9K w - - - 0 1",
        pieces: vec![
            piece(
                "K",
                "King",
                "One cell in any direction. Until he is checked for the first time also jumps \
                     to any cell at distance two or three, which he attacks as well.",
            )
            .on("k9/10/10/10/10/4*1p3/10/10/10/10 w K - - 0 1"),
            piece("Q", "Queen", "Files, ranks, diagonals, and jumps at distance two."),
            piece("A", "Adviser", "Files, ranks and diagonals."),
            piece("M", "Marshal", "Files and ranks, and jumps at distance two."),
            piece("G", "General", "Files and ranks, and one cell in any direction."),
            piece("L", "Legion", "Files and ranks."),
            piece("C", "Cardinal", "Diagonals, and jumps at distance two."),
            piece("E", "Episcope", "Diagonals, and one cell in any direction."),
            piece("B", "Bishop", "Diagonals."),
            piece("N", "Ninja", "Any cell at distance one or two."),
            piece("H", "Horse", "Any cell at distance two, over anything."),
            piece(
                "P",
                "Pawn",
                "One cell to an empty cell that does not lie behind it. As its first move it \
                     may jump to an empty cell at distance two that gains ground. Captures one \
                     cell diagonally ahead, and nothing else.",
            )
            .on("k9/10/10/10/10/10/3p6/4*5/10/9K w - - - 0 1"),
        ],
        sections: vec![
            Section {
                title: "Promotion",
                text: "A pawn that arrives on the last rank may become any piece but a king, or \
                       stay a pawn; then it can only walk sideways, and never promotes later.",
            },
            Section {
                title: "The leap right",
                text: "A king that stands in check when his side is to move has lost his jumps for \
                       good, also as an answer to that check. Jumping does not use the right up. \
                       While it lasts, the enemy king cannot come near.",
            },
            Section {
                title: "End of the game",
                text: "Checkmate wins, stalemate draws. There is no castling and no en passant. A \
                       pawn step that changes rank, and a capture, restart the clock.",
            },
        ],
        examples: vec![Example {
            title: "A spent pawn",
            text: "The pawn on f3 has stepped there from e3 along the rank, so its first move is \
                   over; the rights field lists it.",
            fen: "k9/10/10/10/10/10/10/5P4/10/9K w -:f3 - - 0 1",
            moves: "f3",
        }],
        rulings: vec![
            Ruling::Reading(
                "The second edition's list leaves Black's horses and ninjas where the first had \
                 them; the recorded game and the symmetry of the start put them on a9, k9 and b9, \
                 i9.",
            ),
            Ruling::Reading(
                "Pawn steps go ahead or sideways, never back: the recorded game has sideways steps \
                 and no retreat. The first jump gains at least one rank.",
            ),
            Ruling::Reading(
                "A pawn that walks along its first rank has made its first move, hence the list of \
                 spent pawns in the position string.",
            ),
            Ruling::Reading(
                "Legality is judged with the enemy king's jumps as they were before the move; only \
                 then does a checked king lose them.",
            ),
        ],
    }
}
