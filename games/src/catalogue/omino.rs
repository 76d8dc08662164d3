//! Omino: rulebook page `omino.md`.
//!
//! The diagrams of the start and of the shapes are lost: rulings 1 and 2.

use super::grand;
use crate::families::polyforms::{
    Declaration, Mode, Shape, along, entry as enter, second_ring, slide, step,
};
use crate::game::{Basics, Entry};
use crate::{Example, Geometry, Guide, Offset, PieceGuide, Repetition, Ruling, Section, Symmetry};

const AHEAD: Offset = [0, 1, 0, 0];
const DIAGONALLY_AHEAD: [Offset; 2] = [[-1, 1, 0, 0], [1, 1, 0, 0]];

/// The catalogue entry.
pub(crate) fn entry() -> Entry {
    let geometry = grand::board();
    let straight = || along(2, 1);
    let diagonal = || along(2, 2);
    let leap = || step(second_ring());
    let shape =
        |name, drawing, modes| Shape { name, drawing, modes, keeps_captures: name == "king" };
    let declaration = Declaration {
        letters: "P",
        shapes: vec![
            shape(
                "pawn",
                "1",
                vec![Mode::Advance(vec![AHEAD]), Mode::Strike(DIAGONALLY_AHEAD.into())],
            ),
            shape("horse", "11", vec![leap()]),
            shape("ninja", "111", vec![step(straight()), step(diagonal()), leap()]),
            shape("bishop", "1./11", vec![slide(diagonal())]),
            shape("rook", "11/11", vec![slide(straight())]),
            shape("cardinal", ".11/11.", vec![slide(diagonal()), leap()]),
            shape("marshal", "..1/111", vec![slide(straight()), leap()]),
            shape("queen", ".1./111", vec![slide(straight()), slide(diagonal())]),
            // Rulings 6 and 9: whatever a piece of this shape captures changes sides.
            shape("king", ".1./111/.1.", vec![slide(straight()), slide(diagonal()), leap()]),
        ],
        arrivals_earn: false,
        symmetries: files_mirrored(&geometry),
    };
    let basics = Basics {
        id: "omino",
        title: "Omino",
        edition: "edition of 2010-06-03",
        geometry,
        start: START,
        repetition: Repetition::drawn_across_captures(3),
        maximum_plies: 400,
        guide: guide(),
    };
    enter(basics, declaration)
}

/// The start of Omino and Nomino (ruling 1).
pub(super) const START: &str =
    "pppppppppp/pppppppppp/10/10/10/10/10/10/PPPPPPPPPP/PPPPPPPPPP w - - - 0 1";

/// The symmetries of the flat boards.
pub(super) fn files_mirrored(geometry: &Geometry) -> Vec<Symmetry> {
    let cells = geometry.mirrored([true, false, false, false]);
    vec![Symmetry { name: "files mirrored", cells, without_castling: false }]
}

fn guide() -> Guide {
    let example = |title, text, fen, moves| Example { title, text, fen, moves };
    Guide {
        summary: "Draughts with polyominoes. A group of touching checkers that forms one of nine \
                  shapes moves as one rigid piece, and the shape says how. Whoever cannot move has \
                  lost.",
        board: "10/10/10/10/3p1p4/4*5/10/10/10/p9 w - - - 0 1",
        pieces: vec![PieceGuide {
            unit: "P",
            name: "Checker",
            text: "Alone it is a pawn: one cell straight ahead onto an empty cell, or one cell \
                   diagonally ahead to capture. It has no double step and no promotion.",
            board: None,
        }],
        sections: vec![
            Section {
                title: "Shapes",
                text: "In any rotation and reflection. Straight is along a rank or file; the leap is \
                       to one of the sixteen cells of the second ring, over anything.\n\n\
                       | name | shape | moves |\n|---|---|---|\n\
                       | pawn | `1` | one cell ahead; captures diagonally ahead |\n\
                       | horse | `11` | leap |\n\
                       | ninja | `111` | one cell straight or diagonally; leap |\n\
                       | bishop | `1. / 11` | any distance diagonally |\n\
                       | rook | `11 / 11` | any distance straight |\n\
                       | cardinal | `.11 / 11.` | any distance diagonally; leap |\n\
                       | marshal | `..1 / 111` | any distance straight; leap |\n\
                       | queen | `.1. / 111` | any distance straight or diagonally |\n\
                       | king | `.1. / 111 / .1.` | any distance straight or diagonally; leap |",
            },
            Section {
                title: "Moving",
                text: "Take any checkers of yours that form a shape, whatever else touches them. They \
                       are lifted and put down again without being turned. A slide passes \
                       empty cells only; those that the piece itself has left are empty. At the end \
                       none of its cells may hold another checker of yours, and every enemy on its \
                       cells is captured, up to five at once.",
            },
            Section {
                title: "Prisoners",
                text: "What a king captures goes into the hand of its side, everything else leaves \
                       the game. Instead of moving, a player may put a checker from the hand onto \
                       any empty cell.",
            },
            Section {
                title: "End of the game",
                text: "Whoever cannot move on their turn, for want of checkers or of room, has lost; \
                       a drop is a move. No shape is royal. Captures and drops restart the clock.",
            },
            Section {
                title: "Notation",
                text: "The cells of the piece, and behind `-` where the first of them goes: \
                       `e2+f2-e4`. A drop is `P*e5`. The diagrams mark where that first cell, the \
                       lowest and then the leftmost, may go.",
            },
        ],
        examples: vec![
            example(
                "A square stops where it captures",
                "It may go one row up, or two and take the checker on e4, but not on from there.",
                "10/10/10/10/10/4p5/4p5/10/4PP4/4PP4 w - - - 0 1",
                "e1+f1+e2+f2-",
            ),
            example(
                "A king takes a prisoner",
                "Two rows up it captures the checker on e7, which then is White's to drop.",
                "10/10/10/4p5/10/4P5/3PPP4/4P5/10/p9 w - - - 7 9",
                "e3+d4+e4+f4+e5-",
            ),
            example(
                "A horse leaps",
                "Two checkers side by side, to the second ring.",
                "10/10/10/10/10/4PP4/10/10/10/p9 w - - - 0 1",
                "e5+f5-",
            ),
        ],
        rulings: vec![
            Ruling::Reconstruction(
                "The start: two full ranks a side, compact, so that there are shapes from the first \
                 move; two full planes fit the sister game Doseki.",
            ),
            Ruling::Reconstruction(
                "The shapes: sizes and moves settle the pieces of up to three checkers; the square \
                 and the plus follow from the sister games. Which of the other tetrominoes is the \
                 cardinal, the marshal and the queen is the likeliest assignment.",
            ),
            Ruling::Reading("A piece may leave a hole: any checkers that form a shape can go."),
            Ruling::Reading("Neither own nor enemy checkers can be passed over by a slide."),
            Ruling::Reading("Pawns go ahead only."),
            Ruling::Reading("King is a shape, not a person: it can be taken apart and captured."),
            Ruling::Reading(
                "A side without checkers on the board but with one in hand plays on: a drop is a \
                 move.",
            ),
            Ruling::Reading(
                "A checker may be dropped on the last rank, where it cannot move alone.",
            ),
        ],
    }
}
