//! Modern Grand Chess, 2nd edition: rulebook page `mgc.md`.

use super::grand;
use crate::families::chess::{
    DIAGONAL, Declaration, FirstMove, King, ORTHOGONAL, Pawn, Piece, Zone, ZoneCells,
    entry as enter, offset, ring,
};
use crate::game::{Basics, Entry};
use crate::{Example, Guide, Offset, PieceGuide, Repetition, Ruling, Section};

/// The catalogue entry.
pub(crate) fn entry() -> Entry {
    let basics = Basics {
        id: "mgc",
        title: "Modern Grand Chess",
        edition: "2nd edition, 2010-12-10",
        geometry: grand::board(),
        start: "lgmaqkamgl/hncebbecnh/pppppppppp/10/10/10/10/PPPPPPPPPP/HNCEBBECNH/LGMAKQAMGL \
                w Kk - - 0 1",
        repetition: Repetition::drawn_at(3),
        maximum_plies: 400,
        guide: guide(),
    };
    let declaration = Declaration {
        turn: [true, true, false, false],
        pawn: pawn(),
        king: King { leaps_until_checked: [ring(2), ring(3)].concat(), ..King::orthodox() },
        pieces: pieces(('L', "legion"), ('A', "adviser")),
        // Ruling 6: to any kind but king and pawn, or not at all.
        promotion: vec![Zone { cells: ZoneCells::Rank(10), pieces: "HNBECLGMAQ", optional: true }],
        ..Declaration::orthodox()
    };
    enter(basics, &declaration)
}

/// Where pawns step to: never back (rulings 2 and 3).
pub(super) fn pawn_steps() -> Vec<Offset> {
    vec![offset(-1, 0), offset(1, 0), offset(-1, 1), offset(0, 1), offset(1, 1)]
}

/// Where pawns jump to with their first move: it gains ground (ruling 5).
pub(super) fn first_jumps() -> Vec<Offset> {
    vec![
        offset(-2, 1),
        offset(2, 1),
        offset(-2, 2),
        offset(-1, 2),
        offset(0, 2),
        offset(1, 2),
        offset(2, 2),
    ]
}

/// The pawn of both editions.
pub(super) fn pawn() -> Pawn {
    Pawn {
        steps: pawn_steps(),
        captures: vec![offset(-1, 1), offset(1, 1)],
        first: FirstMove::Jump(first_jumps()),
        anywhere: false,
    }
}

/// The pieces of both editions. They call two of them differently: the one that slides along files
/// and ranks, and the one that slides along all lines.
pub(super) fn pieces(lines: (char, &'static str), all: (char, &'static str)) -> Vec<Piece> {
    let piece = Piece::new;
    vec![
        piece('H', "horse", 450, ring(2), vec![]),
        piece('N', "ninja", 700, [ring(1), ring(2)].concat(), vec![]),
        piece('B', "bishop", 350, vec![], vec![DIAGONAL]),
        piece('E', "episcope", 550, ring(1), vec![DIAGONAL]),
        piece('C', "cardinal", 850, ring(2), vec![DIAGONAL]),
        piece(lines.0, lines.1, 550, vec![], vec![ORTHOGONAL]),
        piece('G', "general", 750, ring(1), vec![ORTHOGONAL]),
        piece('M', "marshal", 1050, ring(2), vec![ORTHOGONAL]),
        piece(all.0, all.1, 950, vec![], vec![ORTHOGONAL, DIAGONAL]),
        piece('Q', "queen", 1450, ring(2), vec![ORTHOGONAL, DIAGONAL]),
    ]
}

/// What is told of the pieces of both editions, their names as in [`pieces`].
pub(super) fn piece_guides(
    king: &'static str,
    lines: (&'static str, &'static str),
    all: (&'static str, &'static str),
) -> Vec<PieceGuide> {
    let piece = PieceGuide::new;
    vec![
        piece("K", "King", king).on(grand::LEAPING_KING),
        piece("Q", "Queen", "Files, ranks, diagonals, and jumps at distance two."),
        piece(all.0, all.1, "Files, ranks and diagonals."),
        piece("M", "Marshal", "Files and ranks, and jumps at distance two."),
        piece("G", "General", "Files and ranks, and one cell in any direction."),
        piece(lines.0, lines.1, "Files and ranks."),
        piece("C", "Cardinal", "Diagonals, and jumps at distance two."),
        piece("E", "Episcope", "Diagonals, and one cell in any direction."),
        piece("B", "Bishop", "Diagonals."),
        piece("N", "Ninja", "Any cell at distance one or two."),
        piece("H", "Horse", "Any cell at distance two, over anything."),
        piece(
            "P",
            "Pawn",
            "One cell to an empty cell that does not lie behind it. As its first move it may jump \
             to an empty cell at distance two that gains ground. Captures one cell diagonally \
             ahead, and nothing else.",
        )
        .on(grand::PAWN_SHOWN_ON),
    ]
}

/// The leap right, where kings jump.
pub(super) const LEAP_RIGHT: Section = Section {
    title: "The leap right",
    text: "A king that stands in check when his side is to move has lost his jumps for good, also \
           as an answer to that check. Jumping does not use the right up. While it lasts, the \
           enemy king cannot come near.",
};

/// How both editions end.
pub(super) const END: Section = Section {
    title: "End of the game",
    text: "Checkmate wins, stalemate draws. There is no castling and no en passant. A pawn step \
           that changes rank, and a capture, restart the clock.",
};

/// A spent pawn.
pub(super) const SPENT: Example = Example {
    title: "A spent pawn",
    text: "The pawn on f3 has stepped there from e3 along the rank, so its first move is over; the \
           rights field lists it.",
    fen: "k9/10/10/10/10/10/10/5P4/10/9K w -:f3 - - 0 1",
    moves: "f3",
};

/// The ruling behind spent pawns.
pub(super) const WALKED: Ruling = Ruling::Reading(
    "A pawn that walks along its first rank has made its first move, hence the list of spent pawns \
     in the position string.",
);

fn guide() -> Guide {
    Guide {
        summary: "Grand chess on a hundred cells. Every piece is made of three movements: along \
                  files and ranks, along diagonals, and jumps to the ring of cells at a given \
                  distance. Checkmate wins.",
        board: grand::SHOWN_ON,
        pieces: piece_guides(
            "One cell in any direction. Until he is checked for the first time also jumps to any \
             cell at distance two or three, which he attacks as well.",
            ("L", "Legion"),
            ("A", "Adviser"),
        ),
        sections: vec![
            Section {
                title: "Promotion",
                text: "A pawn that arrives on the last rank may become any piece but a king, or \
                       stay a pawn; then it can only walk sideways, and never promotes later.",
            },
            LEAP_RIGHT,
            END,
        ],
        examples: vec![SPENT],
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
            WALKED,
            Ruling::Reading(
                "Legality is judged with the enemy king's jumps as they were before the move; only \
                 then does a checked king lose them.",
            ),
        ],
    }
}
