//! Pyramids, both editions and all variants: rulebook page `pyramids.md`.

mod guide;

use super::mgc;
use crate::families::chess::{offset, ring};
use crate::families::stacks::{
    Adjudication, Capture, Class, Declaration, Mode, Motion, Royal, Slave, Uses, When,
    entry as enter,
};
use crate::game::{Basics, Entry};
use crate::lines::{DIAGONAL, EVERY_WAY, ORTHOGONAL};
use crate::{Geometry, Guide, Repetition};

/// A board and its start (rulings R1 and R2).
struct Board {
    files: &'static str,
    ranks: u8,
    slave_rank: u8,
    /// How far a faraon leaps.
    leap: i8,
    start: &'static str,
}

const NINE: Board = Board {
    files: "abcdefghi",
    ranks: 9,
    slave_rank: 3,
    leap: 3,
    start: "(4)(14)(24)(34)f(34)(24)(14)(4)/(2)(12)(23)(13)(234)(13)(23)(12)(2)/sssssssss/9/9/9/\
            SSSSSSSSS/[2][12][23][13][234][13][23][12][2]/[4][14][24][34]F[34][24][14][4] \
            w Ff - - 0 1",
};

const SEVEN: Board = Board {
    files: "abcdefg",
    ranks: 7,
    slave_rank: 2,
    leap: 2,
    start: "(14)(24)(34)f(34)(24)(14)/sssssss/7/7/7/SSSSSSS/[14][24][34]F[34][24][14] w Ff - - 0 1",
};

/// The edition of all variants but the first.
const SECOND: &str = "2nd edition, 2011-04-12";

impl Board {
    /// What a game on it is declared with.
    fn basics(
        &self,
        id: &'static str,
        title: &'static str,
        edition: &'static str,
        guide: Guide,
    ) -> Basics {
        Basics {
            id,
            title,
            edition,
            geometry: Geometry::rectangle(self.files, self.ranks),
            start: self.start,
            repetition: Repetition::drawn_at(3),
            maximum_plies: 300,
            guide,
        }
    }
}

/// The catalogue entry of the 1st edition.
pub(crate) fn first_edition() -> Entry {
    let second = second_edition(&NINE, [weak_modes(), vec![any("134", leaps(3))]].concat());
    let captures = |moves: Vec<(Motion, Uses)>| -> Vec<(Motion, Uses)> {
        moves.into_iter().map(|(motion, _)| (motion, Uses::Both)).collect()
    };
    let declaration = Declaration {
        slave: second.slave.map(|slave| Slave { promotes_to: 4, ..slave }),
        royal: Royal {
            moves: captures(second.royal.moves),
            leaps: captures(second.royal.leaps),
            ..second.royal
        },
        ..second
    };
    let edition = "1st edition, 2011-03-17";
    let basics = NINE.basics("pyramids1", "Pyramids, 1st edition", edition, guide::first());
    enter(basics, &declaration)
}

/// The catalogue entry of the weak variant.
pub(crate) fn weak() -> Entry {
    let modes = [weak_modes(), vec![any("12", leaps(3))]].concat();
    let basics = NINE.basics("pyramids-weak", "Pyramids (weak)", SECOND, guide::weak());
    enter(basics, &second_edition(&NINE, modes))
}

/// The catalogue entry of the weak variant for beginners.
pub(crate) fn weak_7() -> Entry {
    let title = "Pyramids (weak) for beginners";
    let basics = SEVEN.basics("pyramids-weak-7", title, SECOND, guide::weak_7());
    enter(basics, &second_edition(&SEVEN, weak_modes()))
}

/// The catalogue entry of the strong variant.
pub(crate) fn strong() -> Entry {
    let modes = vec![any("1", leaps(2)), any("2", leaps(3)), any("3", DIAGONALS), any("4", LINES)];
    let weak = second_edition(&NINE, Vec::new());
    let declaration = Declaration {
        classes: pinos([450, 550, 350, 550], modes),
        slave: weak.slave.map(|slave| Slave { moves: vec![(slave_steps(), Uses::Both)], ..slave }),
        ..weak
    };
    let basics = NINE.basics("pyramids-strong", "Pyramids (strong)", SECOND, guide::strong());
    enter(basics, &declaration)
}

/// The catalogue entry of the cheskers variant.
pub(crate) fn cheskers() -> Entry {
    let basics = NINE.basics("pyramids-cheskers", "Pyramids cheskers", SECOND, guide::cheskers());
    enter(basics, &jumping(&NINE))
}

/// The catalogue entry of the cheskers variant for beginners.
pub(crate) fn cheskers_7() -> Entry {
    let title = "Pyramids cheskers for beginners";
    let basics = SEVEN.basics("pyramids-cheskers-7", title, SECOND, guide::cheskers_7());
    enter(basics, &jumping(&SEVEN))
}

const DIAGONALS: Motion = Motion::Slide(DIAGONAL, usize::MAX);
const LINES: Motion = Motion::Slide(ORTHOGONAL, usize::MAX);

fn leaps(distance: i8) -> Motion {
    Motion::Leap(ring(distance))
}

/// A mode of the moving sets that hold `sizes`, with and without capture.
fn any(sizes: &'static str, motion: Motion) -> Mode {
    Mode { when: When::Has(sizes), motion, uses: Uses::Both }
}

/// The modes of single checkers in all variants but the strong one and cheskers.
fn weak_modes() -> Vec<Mode> {
    vec![any("1", leaps(1)), any("2", leaps(2)), any("3", DIAGONALS), any("4", LINES)]
}

/// The pinos, with the modes of the moving set (ruling R4).
fn pinos(values: [i32; 4], modes: Vec<Mode>) -> Vec<Class> {
    vec![Class { letter: "", name: "p", values: values.into(), most: 1, modes, men: false }]
}

/// The steps of a slave, which are those of a pawn of Modern Grand Chess (ruling R5).
fn slave_steps() -> Motion {
    Motion::Leap(mgc::pawn_steps())
}

/// The variants of the 2nd edition in which captures are made by arriving.
fn second_edition(board: &Board, modes: Vec<Mode>) -> Declaration {
    Declaration {
        turn: [true, true, false, false],
        classes: pinos([250, 450, 350, 550], modes),
        slave: Some(Slave {
            letter: 'S',
            name: "slave",
            value: 100,
            moves: vec![
                (slave_steps(), Uses::Quiet),
                (Motion::Leap(vec![offset(-1, 1), offset(1, 1)]), Uses::Captures),
            ],
            first: mgc::first_jumps(),
            home_rank: board.slave_rank,
            promotes_to: 1,
        }),
        // Ruling R7: he never captures.
        royal: Royal {
            letter: 'F',
            name: "faraon",
            moves: vec![(leaps(1), Uses::Quiet)],
            leaps: (2..=board.leap).map(|distance| (leaps(distance), Uses::Quiet)).collect(),
            in_hand: false,
        },
        capture: Capture::Arrival,
        check: true,
        adjudication: Adjudication::Draw,
    }
}

/// Jumps instead of captures by arriving, and no check (ruling R10).
fn jumping(board: &Board) -> Declaration {
    let mut modes = vec![any("3", DIAGONALS), any("4", LINES)];
    // Ruling R13: p2 moves on its own only alone or with p1.
    for when in [When::Has("1"), When::Is("2")] {
        let jump = Motion::Slide(EVERY_WAY, 1);
        modes.push(Mode { when, motion: leaps(2), uses: Uses::Quiet });
        modes.push(Mode { when, motion: jump, uses: Uses::Captures });
    }
    let weak = second_edition(board, Vec::new());
    Declaration {
        classes: pinos([250, 300, 350, 500], modes),
        // Ruling R11: slaves jump in all directions.
        slave: weak.slave.map(|slave| Slave {
            moves: vec![
                (slave_steps(), Uses::Quiet),
                (Motion::Slide(EVERY_WAY, 1), Uses::Captures),
            ],
            first: Vec::new(),
            ..slave
        }),
        capture: Capture::Jump { goes_on: "2" },
        check: false,
        ..weak
    }
}
