//! [`Declaration`]: a game of stacks as data, the way the rulebook tells it.
//!
//! Everything is told for White, who plays up the board.

use crate::Offset;
use crate::lines::Directions;

/// A game of stacks.
#[derive(Debug)]
pub(crate) struct Declaration {
    /// The axes that are mirrored when the board is turned for Black, as in
    /// [`crate::Geometry::mirrored`].
    pub(crate) turn: [bool; 4],
    /// The checkers that stacks are made of. Those of different classes are never on one cell.
    pub(crate) classes: Vec<Class>,
    pub(crate) slave: Option<Slave>,
    pub(crate) royal: Royal,
    pub(crate) capture: Capture,
    /// Whether no move may leave the own royal piece where it can be captured, so that checkmate
    /// wins. Otherwise the capture itself wins.
    pub(crate) check: bool,
    pub(crate) adjudication: Adjudication,
}

/// How enemies are captured.
#[derive(Debug)]
pub(crate) enum Capture {
    /// By arriving on their cell.
    Arrival,
    /// By jumping over one to an empty cell behind it. A side that can jump must. A moving part
    /// that holds the checkers of these sizes has to go on while it can.
    Jump {
        /// Sizes, as in [`When`].
        goes_on: &'static str,
    },
}

/// What a game of maximum length comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Adjudication {
    /// A draw.
    Draw,
    /// A win for the side whose checkers are worth more, royal pieces left out.
    Material,
}

/// Checkers that may lie on each other.
#[derive(Debug)]
pub(crate) struct Class {
    /// What stands before the sizes in the text of a stack; empty if nothing does.
    pub(crate) letter: &'static str,
    /// The name of a checker before its size, in the input planes.
    pub(crate) name: &'static str,
    /// What a checker is worth in hundredths of a pawn, for size 1, 2 and so on.
    pub(crate) values: Vec<i32>,
    /// How many checkers of one size a stack may hold: 1 or 2.
    pub(crate) most: usize,
    /// How its stacks move; a moving part has all modes whose condition it meets.
    pub(crate) modes: Vec<Mode>,
    /// Whether a stack to which a part moves on its side's last rank gets a second checker of each
    /// size it holds, and moves of parts that hold no two of a size restart the clock.
    pub(crate) men: bool,
}

/// One way in which some moving parts move.
#[derive(Debug, Clone)]
pub(crate) struct Mode {
    pub(crate) when: When,
    pub(crate) motion: Motion,
    pub(crate) uses: Uses,
}

/// A condition on a moving part. Sizes are digits; a digit written twice stands for two checkers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum When {
    /// It holds at least these.
    Has(&'static str),
    /// It holds exactly one of this size.
    One(char),
    /// It is exactly these.
    Is(&'static str),
}

/// Where a piece gets from a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Motion {
    /// To the cells at these offsets, whatever stands between.
    Leap(Vec<Offset>),
    /// Up to so many cells along lines, over empty cells. With [`Capture::Jump`] a capturing piece
    /// meets an enemy there and lands behind it, but no farther than one cell more than that.
    Slide(Directions, usize),
    /// Any distance along lines, whatever stands between.
    Fly(Directions),
}

/// What a motion is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Uses {
    /// Moves with and without capture.
    Both,
    /// Moves without capture, among them those that unite stacks.
    Quiet,
    /// Captures.
    Captures,
}

/// The piece that is promoted and never stacked.
#[derive(Debug)]
pub(crate) struct Slave {
    pub(crate) letter: char,
    pub(crate) name: &'static str,
    /// In hundredths of a pawn.
    pub(crate) value: i32,
    pub(crate) moves: Vec<(Motion, Uses)>,
    /// Jumps to an empty cell by a slave that has never moved. A slave that stands on its home
    /// rank although it has moved is *spent*; the rights field of the position string lists it.
    pub(crate) first: Vec<Offset>,
    /// The rank, from 1, where the slaves of White stand at the start.
    pub(crate) home_rank: u8,
    /// How many checkers the stack may have that it becomes, always, on the last rank.
    pub(crate) promotes_to: usize,
}

/// The piece, one a side, that must not be lost.
#[derive(Debug)]
pub(crate) struct Royal {
    pub(crate) letter: char,
    pub(crate) name: &'static str,
    pub(crate) moves: Vec<(Motion, Uses)>,
    /// How else it moves until it has been attacked when its side was to move: its leap right. If
    /// empty the game knows no such right.
    pub(crate) leaps: Vec<(Motion, Uses)>,
    /// Whether it starts in hand. Setting it on any empty cell is then a move, and its side
    /// captures nothing before.
    pub(crate) in_hand: bool,
}
