//! Doseki: rulebook page `doseki.md`.
//!
//! The diagrams of the start and of the shapes are lost: rulings 1 and 2.

use crate::families::polyforms::{Declaration, Mode, Shape, along, entry as enter, slide};
use crate::game::{Basics, Entry};
use crate::{Example, Geometry, Guide, Offset, PieceGuide, Repetition, Ruling, Section, Symmetry};

/// Files, ranks and layers.
const SIDE: u8 = 9;

const AHEAD: Offset = [0, 1, 0, 0];
/// One rank ahead and one cell aside, in file or layer.
const ASIDE_AHEAD: [Offset; 4] = [[-1, 1, 0, 0], [1, 1, 0, 0], [0, 1, -1, 0], [0, 1, 1, 0]];

/// The catalogue entry.
pub(crate) fn entry() -> Entry {
    let geometry = Geometry::layers(SIDE);
    // The seed's O, F and D: along an axis, diagonally in a face, diagonally in space.
    let axis = || along(3, 1);
    let face = || along(3, 2);
    let space = || along(3, 3);
    let two = |offsets| Mode::Slide(offsets, 2..=2);
    let shape = |name, drawing, modes| Shape { name, drawing, modes, keeps_captures: false };
    let declaration = Declaration {
        letters: "P",
        shapes: vec![
            shape("pawn", "1", vec![Mode::Advance(vec![AHEAD]), Mode::Strike(ASIDE_AHEAD.into())]),
            shape("horse", "11", vec![two(axis()), two(face())]),
            shape("bishop", "1./11", vec![slide(face())]),
            shape("rook", "11/11", vec![slide(axis())]),
            shape("archbishop", "1./11|../1.", vec![two(axis()), slide(face())]),
            shape("episcope", "1./11|1./..", vec![slide(face()), two(space())]),
            shape("cardinal", "1./11|1./.1", vec![slide(face()), slide(space())]),
            shape("general", "11/11|../1.", vec![slide(axis()), two(face())]),
            shape("joker", "1./11|11/.1", vec![Mode::SlideThenTwo(face())]),
            shape("marshal", "11/11|../11", vec![slide(axis()), slide(space())]),
            shape("wisemen", "11/11|1./.1", vec![Mode::SlideThenTwo(axis())]),
            shape("queen", "11/11|1./11", vec![slide(axis()), slide(face())]),
            shape("king", "11/11|11/11", vec![slide(axis()), slide(face()), slide(space())]),
        ],
        arrivals_earn: true,
        symmetries: symmetries(&geometry),
    };
    let layer = "ppppppppp/ppppppppp/9/9/9/9/9/PPPPPPPPP/PPPPPPPPP";
    let basics = Basics {
        id: "doseki",
        title: "Doseki",
        edition: "edition of 2010-07-19",
        geometry,
        // The catalogue is made once and lives as long as the program.
        start: format!("{} w - - - 0 1", vec![layer; SIDE.into()].join("|")).leak(),
        repetition: Repetition::drawn_across_captures(3),
        maximum_plies: 600,
        guide: guide(),
    };
    enter(basics, declaration)
}

/// A map of file and layer.
type Turn = fn(u8, u8) -> [u8; 2];

/// Files and layers are alike: all maps of a square onto itself but the identity.
fn symmetries(geometry: &Geometry) -> Vec<Symmetry> {
    const fn back(coordinate: u8) -> u8 {
        SIDE - 1 - coordinate
    }
    let maps: [(&str, Turn); 7] = [
        ("files mirrored", |file, layer| [back(file), layer]),
        ("layers mirrored", |file, layer| [file, back(layer)]),
        ("files and layers mirrored", |file, layer| [back(file), back(layer)]),
        ("files and layers exchanged", |file, layer| [layer, file]),
        ("files and layers exchanged and mirrored", |file, layer| [back(layer), back(file)]),
        ("quarter turn from files to layers", |file, layer| [back(layer), file]),
        ("quarter turn from layers to files", |file, layer| [layer, back(file)]),
    ];
    let symmetry = |(name, map): (&'static str, Turn)| {
        let cells = geometry.mapped(|[file, rank, layer, _]| {
            let [file, layer] = map(file, layer);
            [file, rank, layer, 0]
        });
        Symmetry { name, cells, without_castling: false }
    };
    maps.map(symmetry).into()
}

fn guide() -> Guide {
    let example = |title, text, fen, moves| Example { title, text, fen, moves };
    Guide {
        summary: "Draughts in a cube of 729 cells. Connected checkers within a cube of eight cells \
                  move as one rigid piece, and their arrangement says how. Whoever cannot move has \
                  lost.",
        board: "9/9/9/9/9/9/9/9/9|9/9/9/9/9/9/9/9/9|9/9/9/9/9/9/9/9/9|9/9/9/4p4/9/9/9/9/9|\
                9/9/9/3p1p3/4*4/9/9/9/9|9/9/9/4p4/9/9/9/9/9|9/9/9/9/9/9/9/9/9|\
                9/9/9/9/9/9/9/9/9|9/9/9/9/9/9/9/9/9 w - - - 0 1",
        pieces: vec![PieceGuide {
            unit: "P",
            name: "Checker",
            text: "Alone it is a pawn: one rank straight ahead onto an empty cell, or one rank ahead \
                   and one file or layer aside to capture.",
            board: None,
        }],
        sections: vec![
            Section {
                title: "Board",
                text: "A cell has a layer `A` to `I`, a file `a` to `i` and a rank: `Ab8`. Ahead is \
                       along the ranks; files and layers are both sideways.",
            },
            Section {
                title: "Shapes",
                text: "Lower layer and upper layer, in any rotation and reflection. *Axis* is along \
                       one coordinate, *face* along two at once, *space* along all three; a slide has \
                       any length unless it is of exactly two cells.\n\n\
                       | name | shape | moves |\n|---|---|---|\n\
                       | pawn | `1` | one rank ahead; captures aside ahead |\n\
                       | horse | `11` | two along an axis or face |\n\
                       | bishop | `1. / 11` | face |\n\
                       | rook | `11 / 11` | axis |\n\
                       | archbishop | `1. / 11` and `.. / 1.` | two along an axis; face |\n\
                       | episcope | `1. / 11` and `1. / ..` | face; two in space |\n\
                       | cardinal | `1. / 11` and `1. / .1` | face; space |\n\
                       | general | `11 / 11` and `.. / 1.` | axis; two along a face |\n\
                       | joker | `1. / 11` and `11 / .1` | face, and then two along a face |\n\
                       | marshal | `11 / 11` and `.. / 11` | axis; space |\n\
                       | wisemen | `11 / 11` and `1. / .1` | axis, and then two along an axis |\n\
                       | queen | `11 / 11` and `1. / 11` | axis; face |\n\
                       | king | `11 / 11` and `11 / 11` | axis; face; space |",
            },
            Section {
                title: "Moving",
                text: "Take any checkers of yours that form a shape, whatever else touches them. They \
                       are lifted and put down again without being turned. A slide passes empty \
                       places only, also one of two cells, and so does the place where the first \
                       part of a two-part move ends. At the end none of the piece's cells may hold \
                       another checker of yours, and every enemy on them is captured. Both parts of \
                       a two-part move are compulsory, and it may not end where it began.",
            },
            Section {
                title: "Arrival and drops",
                text: "Each checker that comes to the last rank from another one earns its side a \
                       checker in hand, and stays what it is; passing through in the middle of a \
                       move does not count. Instead of moving, a player may put a checker from the \
                       hand onto any empty cell. Captured checkers leave the game.",
            },
            Section {
                title: "End of the game",
                text: "Whoever cannot move on their turn, for want of checkers or of room, has lost; \
                       a drop is a move. No shape is royal. Captures and drops restart the clock.",
            },
            Section {
                title: "Notation",
                text: "The cells of the piece, by layer, rank and file, and behind `-` where the first \
                       of them goes: `Ae2+Be2-Ae4`. A drop is `P*Ee5`. The diagrams mark where that \
                       first cell may go.",
            },
        ],
        examples: vec![example(
            "Wisemen",
            "Any number of cells along an axis, then two more along the same or another one. The \
             checker on Ae1 can be captured, not passed.",
            "9/9/9/9/9/9/9/PP7/PP2p4|9/9/9/9/9/9/9/1P7/P8|9/9/9/9/9/9/9/9/9|9/9/9/9/9/9/9/9/9|\
             9/9/9/9/9/9/9/9/9|9/9/9/9/9/9/9/9/9|9/9/9/9/9/9/9/9/9|9/9/9/9/9/9/9/9/9|\
             9/9/9/9/9/9/9/9/9 w - - - 0 1",
            "Aa1+Ab1+Aa2+Ab2+Ba1+Bb2-",
        )],
        rulings: vec![
            Ruling::Reconstruction(
                "The start: two full planes of checkers a side, which is the number that the author \
                 gives.",
            ),
            Ruling::Reconstruction(
                "The shapes are all connected parts of a cube of eight cells, thirteen of them, as \
                 many as the author names. Their sizes, moves and numbers of orientations settle \
                 which is which but for marshal and wisemen.",
            ),
            Ruling::Reading("A slide of exactly two cells can be blocked; nothing leaps."),
            Ruling::Reading(
                "The parts of a two-part move may go the same way, back or elsewhere. Two routes to \
                 the same end are one move.",
            ),
            Ruling::Reading("Pawns go ahead only."),
            Ruling::Reading("Each arriving checker earns one in hand, also as part of a piece."),
            Ruling::Reading(
                "The aim is that of the sister games: to capture or to block all checkers.",
            ),
        ],
    }
}
