//! Chips: rulebook page `chips.md`. Board, start and the rules of groups are reconstructions.

use super::grand;
use crate::families::chess::{offset, ring};
use crate::families::stacks::{
    Adjudication, Capture, Class, Declaration, Mode, Motion, Royal, Uses, When, entry as enter,
};
use crate::game::{Basics, Entry};
use crate::lines::{DIAGONAL, ORTHOGONAL};
use crate::{Example, Guide, Offset, PieceGuide, Repetition, Ruling, Section};

/// Slides of any distance.
const ANY: usize = usize::MAX;

/// The catalogue entry.
pub(crate) fn entry() -> Entry {
    let basics = Basics {
        id: "chips",
        title: "Chips",
        edition: "edition of 2016-07-01",
        geometry: grand::board(),
        start: "(p4)(p3)(p4)(p3)(p4)(p4)(p3)(p4)(p3)(p4)/(p2)(p1)(p2)(p1)(p2)(p2)(p1)(p2)(p1)(p2)/\
                (s2)(s1)(s2)(s1)(s2)(s2)(s1)(s2)(s1)(s2)/10/10/10/10/\
                [s2][s1][s2][s1][s2][s2][s1][s2][s1][s2]/[p2][p1][p2][p1][p2][p2][p1][p2][p1][p2]/\
                [p4][p3][p4][p3][p4][p4][p3][p4][p3][p4] w - - Kk 0 1",
        // Men that were doubled go back and divide again, so that even chips captured and chips
        // added can cancel out.
        repetition: Repetition::drawn_across_captures(3),
        maximum_plies: 400,
        guide: guide(),
    };
    let declaration = Declaration {
        turn: [false, true, false, false],
        classes: vec![stones(), pieces()],
        slave: None,
        royal: Royal {
            letter: 'K',
            name: "king",
            moves: vec![(Motion::Leap(ring(1)), Uses::Both)],
            leaps: Vec::new(),
            in_hand: true,
        },
        capture: Capture::Arrival,
        // Ruling R8: he is really taken.
        check: false,
        adjudication: Adjudication::Material,
    };
    enter(basics, &declaration)
}

/// A chip is worth its units, here a hundred each.
fn stones() -> Class {
    let to = |offsets: &[Offset]| Motion::Leap(offsets.to_vec());
    let mode = |sizes, motion, uses| Mode { when: When::Has(sizes), motion, uses };
    Class {
        letter: "s",
        name: "s",
        values: vec![100, 200],
        most: 2,
        // A double stone has the mode of a single one ahead and back (ruling R7).
        modes: vec![
            mode("1", to(&[offset(0, 1)]), Uses::Both),
            mode("11", to(&[offset(0, -1)]), Uses::Both),
            mode("2", to(&[offset(0, 1)]), Uses::Quiet),
            mode("2", to(&[offset(-1, 1), offset(1, 1)]), Uses::Captures),
            mode("22", to(&[offset(0, -1)]), Uses::Quiet),
            mode("22", to(&[offset(-1, -1), offset(1, -1)]), Uses::Captures),
        ],
        men: true,
    }
}

fn pieces() -> Class {
    use When::{Has, One};
    let mode = |when, motion| Mode { when, motion, uses: Uses::Both };
    let second_cells = |[a, b]: [Offset; 2]| {
        let offsets = [a, b].into_iter().flat_map(|[x, y, ..]| [offset(x, y), offset(-x, -y)]);
        Motion::Leap(offsets.collect())
    };
    Class {
        letter: "p",
        name: "p",
        values: vec![300, 400, 500, 600],
        most: 2,
        // Ruling R4: single means exactly one.
        modes: vec![
            mode(One('1'), Motion::Slide(DIAGONAL, 1)),
            mode(Has("11"), second_cells([offset(2, 2), offset(-2, 2)])),
            mode(One('2'), Motion::Slide(ORTHOGONAL, 1)),
            mode(Has("22"), second_cells([offset(2, 0), offset(0, 2)])),
            mode(One('3'), Motion::Slide(DIAGONAL, 2)),
            mode(Has("33"), Motion::Slide(DIAGONAL, ANY)),
            mode(Has("1133"), Motion::Fly(DIAGONAL)),
            mode(Has("13"), Motion::Leap(ring(2))),
            mode(One('4'), Motion::Slide(ORTHOGONAL, 2)),
            mode(Has("44"), Motion::Slide(ORTHOGONAL, ANY)),
            mode(Has("2244"), Motion::Fly(ORTHOGONAL)),
            mode(Has("24"), Motion::Leap(ring(1))),
        ],
        men: false,
    }
}

fn guide() -> Guide {
    let piece = PieceGuide::new;
    let stone = |unit, name, text| PieceGuide {
        unit,
        name,
        text,
        board: Some("k9/10/10/10/3(s1)(s1)5/4*5/10/10/10/9K w - - - 0 1"),
    };
    Guide {
        summary: "Chips of six kinds are stacked into groups, which move by what they hold. Each \
                  side sets its king when it likes, and captures only from then on. Taking the \
                  king wins.",
        board: "k9/10/10/2(s2)7/10/4*2(s1)2/10/10/10/9K w - - - 0 1",
        pieces: vec![
            piece("K", "King", "One cell in any direction.")
                .on("k9/10/10/10/4(s2)5/4*5/10/10/10/10 w - - - 0 1"),
            stone("[s1]", "Stone of one unit", "One cell straight ahead, also to capture."),
            stone("[s11]", "The same, doubled", "Straight ahead or back, also to capture."),
            stone(
                "[s2]",
                "Stone of two units",
                "One cell straight ahead without capture; captures one cell diagonally ahead.",
            ),
            stone("[s22]", "The same, doubled", "As one alone, and the same backwards."),
            piece("[p1]", "Piece of three units", "One cell diagonally."),
            piece("[p11]", "The same, doubled", "To the second cell on a diagonal, over anything."),
            piece("[p2]", "Piece of four units", "One cell along a file or rank."),
            piece(
                "[p22]",
                "The same, doubled",
                "To the second cell on a file or rank, over anything.",
            ),
            piece("[p3]", "Piece of five units", "One or two cells diagonally."),
            piece("[p33]", "The same, doubled", "Any distance diagonally."),
            piece("[p4]", "Piece of six units", "One or two cells along a file or rank."),
            piece("[p44]", "The same, doubled", "Any distance along a file or rank."),
            piece(
                "[p13]",
                "Three and five units",
                "As each of the two, and leaps to any cell at distance two.",
            ),
            piece(
                "[p1133]",
                "Three and five units, doubled",
                "As doubled pieces and to distance two, and any distance diagonally over anything.",
            ),
            piece("[p24]", "Four and six units", "As each of the two, and to any adjacent cell."),
            piece(
                "[p2244]",
                "Four and six units, doubled",
                "As doubled pieces and to any adjacent cell, and any distance along a file or rank \
                 over anything.",
            ),
        ],
        sections: vec![
            Section {
                title: "Groups",
                text: "A group is a stack of chips of one side on one cell, all stones or all \
                       pieces, with two of a kind at most. A player moves it whole or takes some \
                       chips off to move them together; what moves does so by its own chips only, \
                       each kind counted for itself. A move without capture may end on an own \
                       group of the same sort if no kind then occurs three times. A group is \
                       captured whole, by arriving on its cell. The move text names the moving \
                       chips in braces when some stay behind; the diagrams above show the moves \
                       of all parts of a group.",
            },
            Section {
                title: "The king",
                text: "Both kings begin in the hand, where nothing can happen to them. Setting the \
                       king on any empty cell is a move, and a side captures nothing before.",
            },
            Section {
                title: "Doubling",
                text: "When stones move to the last row, each kind in the group that then stands \
                       there becomes double, with chips from outside the game.",
            },
            Section {
                title: "End of the game",
                text: "A side whose king is taken has lost; there is no check. A side that cannot \
                       move draws. The clock restarts with a capture, the setting of a king, a \
                       doubling, and a move of stones that holds no two of a kind. A game of \
                       maximum length is won by the side whose chips have more units.",
            },
        ],
        examples: vec![
            Example {
                title: "A stone is doubled",
                text: "The stone on d9 may go on, or take diagonally; either way it becomes double.",
                fen: "4(p1)5/3[s2]6/10/10/9k/10/10/10/10/9K w - - - 0 1",
                moves: "d9",
            },
            Example {
                title: "Setting the king",
                text: "Any empty cell will do, next to an enemy as well.",
                fen: "k9/10/10/10/4(p1)5/10/10/10/10/[p3][p4]8 w - - K 0 1",
                moves: "K*",
            },
        ],
        rulings: vec![
            Ruling::Reconstruction(
                "The author gives no board and no start. The board is that of his other great \
                 games; the chips stand in three rows, the lighter in front, the straight movers \
                 next to the diagonal ones.",
            ),
            Ruling::Reconstruction(
                "How groups arise is not told: they unite and divide as the pinos of Pyramids do, \
                 with up to two equal chips, as the text knows single and double ones.",
            ),
            Ruling::Reading(
                "Single means exactly one: a double chip does not move as a single one, but can be \
                 divided.",
            ),
            Ruling::Reading("The lighter stone captures straight ahead, as it moves."),
            Ruling::Reconstruction(
                "Double stones also go back; ahead only, a doubled group could never move again.",
            ),
            Ruling::Reading("Taking the king ends the game, and units count only at its end."),
        ],
    }
}
