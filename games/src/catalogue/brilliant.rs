//! Brilliant chess, on hexagons: rulebook page `brilliant.md`.

use crate::families::chess::{
    Declaration, FirstMove, King, Pawn, Piece, STAR, Zone, ZoneCells, entry as enter, offset,
};
use crate::game::{Basics, Entry};
use crate::{Example, Geometry, Guide, Offset, PieceGuide, Repetition, Ruling, Section};

/// One cell in any direction (mode S); files, and ranks in half cells.
const NEIGHBOURS: [Offset; 6] =
    [offset(0, 2), offset(1, 1), offset(1, -1), offset(0, -2), offset(-1, -1), offset(-1, 1)];

/// The cells at distance two (mode J).
const SECOND_RING: [Offset; 12] = [
    offset(0, 4),
    offset(1, 3),
    offset(2, 2),
    offset(2, 0),
    offset(2, -2),
    offset(1, -3),
    offset(0, -4),
    offset(-1, -3),
    offset(-2, -2),
    offset(-2, 0),
    offset(-2, 2),
    offset(-1, 3),
];

/// The catalogue entry.
pub(crate) fn entry() -> Entry {
    let piece = Piece::new;
    let zone = |cells, pieces| Zone { cells: ZoneCells::Named(cells), pieces, optional: false };
    let basics = Basics {
        id: "brilliant",
        title: "Brilliant chess",
        edition: "edition of 2010-07-05",
        geometry: Geometry::hexagonal(&[8, 7, 8, 7, 8, 7, 8, 7, 8]),
        start: "rqkqr/pnpbpbpnp/1p1p1p1p1/9/9/9/PPPPPPPPP/RNQBKBQNR w e1,e8 - - 0 1",
        repetition: Repetition::drawn_at(3),
        maximum_plies: 300,
        guide: guide(),
    };
    let declaration = Declaration {
        pawn: Pawn {
            steps: vec![offset(0, 2)],
            captures: vec![offset(-1, 1), offset(1, 1)],
            first: FirstMove::Double(offset(0, 2)),
            anywhere: true,
        },
        king: King {
            leaps: NEIGHBOURS.to_vec(),
            leaps_until_checked: SECOND_RING.to_vec(),
            second: Some(400),
            ..King::orthodox()
        },
        pieces: vec![
            piece('N', "knight", 550, [&NEIGHBOURS[..], &SECOND_RING].concat(), vec![]),
            piece('B', "bishop", 350, vec![], vec![STAR.up_to(2)]),
            piece('R', "rook", 500, vec![], vec![STAR.up_to(3)]),
            piece('Q', "queen", 800, vec![], vec![STAR]),
        ],
        // Ruling 7: the kind of the enemy officer that starts there.
        promotion: vec![
            zone(&["b7", "h7"], "N"),
            zone(&["d7", "f7"], "B"),
            zone(&["a8", "i8"], "R"),
            zone(&["c8", "g8"], "Q"),
            zone(&["e8"], "K"),
        ],
        ..Declaration::orthodox()
    };
    enter(basics, &declaration)
}

fn guide() -> Guide {
    let piece = PieceGuide::new;
    Guide {
        summary: "Chess on 68 hexagons. All lines are those that cross the edges of cells; queen, \
                  rook and bishop differ only in how far they go. Pawns may become a second king. \
                  Checkmate of the last king wins.",
        board: "k4/9/9/6p2/4*4/9/9/8K w - - - 0 1",
        pieces: vec![
            piece(
                "K",
                "King",
                "One cell in any direction. As long as this king has never been attacked also \
                 jumps to any cell at distance two, which he attacks as well.",
            )
            .on("k4/9/4p4/9/4*4/9/9/9 w e4 - - 0 1"),
            piece("Q", "Queen", "Any distance along the six lines."),
            piece("R", "Rook", "Up to three cells along the six lines."),
            piece("B", "Bishop", "One or two cells along the six lines."),
            piece("N", "Knight", "Any cell at distance one or two, over anything."),
            piece(
                "P",
                "Pawn",
                "One cell ahead to an empty cell; from any cell where a pawn of its side starts \
                 also two. Captures on the two cells obliquely ahead, also en passant.",
            )
            .on("k4/9/9/9/9/9/4*p3/8K w - - - 0 1"),
        ],
        sections: vec![
            Section {
                title: "The board",
                text: "Five files of eight cells and four of seven, which stand half a cell \
                       higher. Above a cell lies the next of its file; obliquely above e4 lie d4 \
                       and f4, obliquely above d4 lie c5 and e5.",
            },
            Section {
                title: "Promotion",
                text: "At the end of its file a pawn must become what the enemy has there at the \
                       start: a rook on files a and i, a knight on b and h, a queen on c and g, a \
                       bishop on d and f, a king on e. If there are two kings already, a pawn \
                       that arrives at the end of file e stays a pawn for good.",
            },
            Section {
                title: "Two kings",
                text: "A side with two kings need not mind checks: it may leave either of them \
                       attacked, and either may be captured like any other piece. Then the other \
                       is a king like any, and may find himself checkmated.",
            },
            Section {
                title: "The jump right",
                text: "Each king has his own. He loses it for good when he stands attacked after \
                       an enemy move. A king made by promotion begins with it. The position string \
                       lists the cells of the kings that have it.",
            },
            Section {
                title: "End of the game",
                text: "A side with one king that is attacked and cannot help it is checkmated. \
                       Without a legal move otherwise the game is drawn. There is no castling.",
            },
        ],
        examples: vec![
            Example {
                title: "A second king answers a check",
                text: "The rook on a3 attacks the king. Promotion to a king ends the check, for a \
                       side with two kings cannot be in check.",
                fen: "5/4P4/9/8k/9/r8/9/K8 w - - - 0 50",
                moves: "e7",
            },
            Example {
                title: "En passant",
                text: "The pawn went from d6 to d4 and is taken on the cell it passed over.",
                fen: "k4/9/9/9/2Pp5/9/9/8K w - d5 - 0 30",
                moves: "c4",
            },
        ],
        rulings: vec![
            Ruling::Reconstruction(
                "The picture of the board is lost. The starting cells give five files of eight \
                 cells and four of seven, 68 as the text says; raising the short files by half a \
                 cell is the only way in which the two armies mirror each other.",
            ),
            Ruling::Reconstruction(
                "The pictures of the modes are lost. Arrow is read as along the file, fork as the \
                 four oblique neighbours, and star, which the text calls both together, as all \
                 six; that makes the pawn the one of Glinski's chess, to which the text refers.",
            ),
            Ruling::Reading(
                "The jump is one to any of the twelve cells at distance two, as in Modern Grand \
                 Chess of the same year.",
            ),
            Ruling::Reading(
                "The double step belongs to the cell, not to the history: a pawn that has captured \
                 onto the starting cell of a neighbour may make it.",
            ),
            Ruling::Reading(
                "The text limits kings to two, so a third is not made; it does not forbid the move \
                 of the pawn.",
            ),
            Ruling::Reading(
                "Nothing is said about check with two kings. As in the author's Bermuda chess, one \
                 of them can be lost without losing the game.",
            ),
            Ruling::Reading(
                "Legality is judged with the enemy kings' jump rights as they were before the \
                 move.",
            ),
        ],
    }
}
