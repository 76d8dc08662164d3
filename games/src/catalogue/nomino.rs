//! Nomino, with the basic and with the full set of shapes: rulebook page `nomino.md`.
//!
//! The diagrams of the start and of the shapes are lost: rulings 1 and 2.

use super::{grand, omino};
use crate::families::polyforms::{
    Declaration, Mode, Shape, along, entry as enter, second_ring, slide, step,
};
use crate::game::{Basics, Entry};
use crate::{Example, Guide, Offset, PieceGuide, Repetition, Ruling, Section};

const LEFT_AHEAD: Offset = [-1, 1, 0, 0];
const AHEAD: Offset = [0, 1, 0, 0];
const RIGHT_AHEAD: Offset = [1, 1, 0, 0];

/// The catalogue entry of the basic set.
pub(crate) fn entry() -> Entry {
    game("nomino", "Nomino", basic_set(), guide(false))
}

/// The catalogue entry of the full set.
pub(crate) fn entry_pro() -> Entry {
    let shapes = basic_set().into_iter().chain(extra_set()).collect();
    game("nomino-pro", "Nomino Pro", shapes, guide(true))
}

fn game(id: &'static str, title: &'static str, shapes: Vec<Shape>, guide: Guide) -> Entry {
    let geometry = grand::board();
    let declaration = Declaration {
        letters: "PS",
        shapes,
        arrivals_earn: true,
        symmetries: omino::files_mirrored(&geometry),
    };
    let basics = Basics {
        id,
        title,
        edition: "edition of 2010-06-03",
        geometry,
        start: omino::START,
        repetition: Repetition::drawn_across_captures(3),
        maximum_plies: 400,
        guide,
    };
    enter(basics, declaration)
}

fn straight() -> Vec<Offset> {
    along(2, 1)
}

fn diagonal() -> Vec<Offset> {
    along(2, 2)
}

fn shape(name: &'static str, drawing: &'static str, modes: Vec<Mode>) -> Shape {
    Shape { name, drawing, modes, keeps_captures: false }
}

fn basic_set() -> Vec<Shape> {
    let leap = || step(second_ring());
    let episcope = || vec![slide(diagonal()), step(straight())];
    vec![
        shape(
            "pawn",
            "1",
            vec![Mode::Advance(vec![AHEAD]), Mode::Strike(vec![LEFT_AHEAD, RIGHT_AHEAD])],
        ),
        shape("sergeant", "2", vec![step(vec![LEFT_AHEAD, AHEAD, RIGHT_AHEAD])]),
        shape("horse", "11", vec![leap()]),
        shape("ninja", "21", vec![step(straight()), step(diagonal()), leap()]),
        shape("bishop", "1./11", vec![slide(diagonal())]),
        // Ruling 3: two shapes, one name.
        shape("end episcope", "2./11", episcope()),
        shape("corner episcope", "1./21", episcope()),
        shape("cardinal", "2./21", vec![slide(diagonal()), leap()]),
        shape("rook", "11/11", vec![slide(straight())]),
        shape("general", "21/11", vec![slide(straight()), step(diagonal())]),
        shape("marshal", "22/11", vec![slide(straight()), leap()]),
        shape("queen", "22/21", vec![slide(straight()), slide(diagonal())]),
        shape("king", "22/22", vec![slide(straight()), slide(diagonal()), leap()]),
    ]
}

fn extra_set() -> Vec<Shape> {
    let up_to_three = |offsets| Mode::Slide(offsets, 1..=3);
    vec![
        shape("adjutant", "22", vec![up_to_three(straight()), up_to_three(diagonal())]),
        shape("mirror", "2./22", vec![Mode::Rebound(diagonal())]),
        shape("joker", "2./12", vec![up_to_three(straight()), slide(diagonal())]),
        shape("wisemen", "21/12", vec![slide(straight()), up_to_three(diagonal())]),
    ]
}

fn guide(pro: bool) -> Guide {
    Guide {
        summary: "Draughts with stacks. A cell holds one or two checkers of a side; connected \
                  checkers within a square of four cells move as one rigid piece, and their \
                  arrangement says how. Whoever cannot move has lost.",
        board: "10/10/10/10/3p1p4/4*5/10/10/10/p9 w - - - 0 1",
        pieces: vec![
            PieceGuide {
                unit: "P",
                name: "Single",
                text: "Alone it is a pawn: one cell straight ahead, also onto a single of its own \
                       side, or one cell diagonally ahead to capture.",
                board: None,
            },
            PieceGuide {
                unit: "S",
                name: "Double",
                text: "Alone it is a sergeant: one cell straight or diagonally ahead, capturing or \
                       not. Its upper checker may also go as a pawn.",
                board: None,
            },
        ],
        sections: sections(pro),
        examples: examples(pro),
        rulings: rulings(),
    }
}

fn sections(pro: bool) -> Vec<Section> {
    let mut sections = vec![
        Section {
            title: "Shapes",
            text: "Digits are the checkers taken from each cell; any rotation and reflection will do. \
                   Straight is along a rank or file; the leap is to one of the sixteen cells of the \
                   second ring, over anything.\n\n\
                   | name | shape | moves |\n|---|---|---|\n\
                   | pawn | `1` | one cell ahead; captures diagonally ahead |\n\
                   | sergeant | `2` | one cell ahead, straight or diagonally |\n\
                   | horse | `11` | leap |\n\
                   | ninja | `21` | one cell straight or diagonally; leap |\n\
                   | bishop | `1. / 11` | any distance diagonally |\n\
                   | episcope | `2. / 11` or `1. / 21` | any distance diagonally; one cell straight \
                   |\n\
                   | cardinal | `2. / 21` | any distance diagonally; leap |\n\
                   | rook | `11 / 11` | any distance straight |\n\
                   | general | `21 / 11` | any distance straight; one cell diagonally |\n\
                   | marshal | `22 / 11` | any distance straight; leap |\n\
                   | queen | `22 / 21` | any distance straight or diagonally |\n\
                   | king | `22 / 22` | any distance straight or diagonally; leap |",
        },
        Section {
            title: "Moving",
            text: "Take one or two checkers from each cell of a shape, whatever else stands there \
                   and around. They are lifted and put down again without being turned. On the way \
                   no cell may come to hold more than two checkers, the piece's own and those of \
                   both sides together: singles pass over singles, a double over nothing. At the \
                   end only own checkers count towards the two, and all enemies on the piece's \
                   cells are captured.",
        },
        Section {
            title: "Arrival and drops",
            text: "Each checker that comes to the last rank from another one earns its side a \
                   checker in hand, and stays what it is. Instead of moving, a player may put a \
                   checker from the hand onto an empty cell or an own single. Captured checkers leave \
                   the game.",
        },
        Section {
            title: "End of the game",
            text: "Whoever cannot move on their turn, for want of checkers or of room, has lost; a \
                   drop is a move. No shape is royal. Captures and drops restart the clock.",
        },
        Section {
            title: "Notation",
            text: "The cells of the piece, `*2` behind a cell from which both checkers go, and behind \
                   `-` where the first of them goes: `e2*2+f2-e5`. A drop is `P*e5`. The diagrams \
                   mark where that first cell, the lowest and then the leftmost, may go.",
        },
    ];
    if pro {
        let extra = Section {
            title: "Extra shapes",
            text: "| name | shape | moves |\n|---|---|---|\n\
                   | adjutant | `22` | up to three cells straight or diagonally |\n\
                   | mirror | `2. / 22` | diagonally, thrown back by the edges of the board |\n\
                   | joker | `2. / 12` | up to three cells straight; any distance diagonally |\n\
                   | wisemen | `21 / 12` | any distance straight; up to three cells diagonally |",
        };
        sections.insert(1, extra);
    }
    sections
}

fn examples(pro: bool) -> Vec<Example> {
    let example = |title, text, fen, moves| Example { title, text, fen, moves };
    let mut examples = vec![
        example(
            "A bishop passes over a single",
            "On f3 it captures the single on f4, on g4 it has passed it, on h5 it captures the \
             double on h6. Over a double it cannot pass.",
            "10/10/10/10/7s2/10/5p4/10/3P6/3PP5 w - - - 0 1",
            "d1+e1+d2-",
        ),
        example(
            "A square stopped by a double",
            "Two singles do not stop it, a double does.",
            "10/10/10/10/10/10/4s5/10/3PP5/3PP5 w - - - 0 1",
            "d1+e1+d2+e2-",
        ),
        example(
            "Two checkers arrive",
            "Both of them earn a checker in hand.",
            "10/4S5/10/10/10/10/10/10/p9/10 w - - - 4 40",
            "e9*2-",
        ),
    ];
    if pro {
        examples.push(example(
            "A mirror",
            "It runs up and down the board until it would repeat itself.",
            "10/10/10/10/10/10/p9/10/7SS1/7S2 w - - - 0 1",
            "h1*2+h2*2+i2*2-",
        ));
    }
    examples
}

fn rulings() -> Vec<Ruling> {
    vec![
        Ruling::Reconstruction("The start: two full ranks of singles a side."),
        Ruling::Reconstruction(
            "The shapes: each is a flat shape with another one upon it and moves as both do. That \
             gives the author's list of sizes and moves exactly.",
        ),
        Ruling::Reading("Singles pass over singles of either side."),
        Ruling::Reading(
            "Checkers that have been lifted do not stand in the way of their own piece.",
        ),
        Ruling::Reading("One checker of a double may go and leave the other."),
        Ruling::Reading("Pawn and sergeant go ahead only; all other shapes in every direction."),
        Ruling::Reading("Coming to the last rank by any move earns; moving along it does not."),
        Ruling::Reading("No hand is too full, and nobody has to drop."),
    ]
}
