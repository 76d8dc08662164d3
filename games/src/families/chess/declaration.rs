//! [`Declaration`]: a chess-like game as data, the way the rulebook tells it.
//!
//! Everything is told for White, who plays up the board; Black's half follows from
//! [`Declaration::turn`].

use crate::{Cell, Geometry, Offset};

/// The offset `files` to the right and `ranks` forward on a rectangle.
pub(crate) const fn offset(files: i8, ranks: i8) -> Offset {
    [files, ranks, 0, 0]
}

/// A set of lines along which a piece slides: a mode such as O or D.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lines {
    pub(crate) along: &'static [Offset],
    /// Whether it slides back along them too.
    pub(crate) both_ways: bool,
    /// How many cells it slides at most.
    pub(crate) range: usize,
}

impl Lines {
    /// Lines of any length, both ways.
    const fn endless(along: &'static [Offset]) -> Self {
        Self { along, both_ways: true, range: usize::MAX }
    }

    /// The same lines for a piece that does not slide back.
    const fn one_way(self) -> Self {
        Self { both_ways: false, ..self }
    }

    /// The same lines for a piece that slides at most `range` cells.
    pub(crate) const fn up_to(self, range: usize) -> Self {
        Self { range, ..self }
    }
}

/// Files and ranks (mode O).
pub(crate) const ORTHOGONAL: Lines = Lines::endless(&[offset(1, 0), offset(0, 1)]);

/// Diagonals of a rectangle (mode D).
pub(crate) const DIAGONAL: Lines = Lines::endless(&[offset(1, 1), offset(-1, 1)]);

/// The lines that cross the edges of hexagons; axis 1 counts half cells (mode S).
pub(crate) const STAR: Lines = Lines::endless(&[offset(0, 2), offset(1, 1), offset(-1, 1)]);

/// The file ahead.
pub(crate) const AHEAD: Lines = Lines::endless(&[offset(0, 1)]).one_way();

/// The offsets to all cells at Chebyshev distance exactly `distance` on a rectangle, mode N(n): 8
/// for distance 1, 16 for 2, 24 for 3.
pub(crate) fn ring(distance: i8) -> Vec<Offset> {
    let range = -distance..=distance;
    let square = range.clone().flat_map(|files| range.clone().map(move |ranks| (files, ranks)));
    square
        .filter(|&(files, ranks)| files.abs().max(ranks.abs()) == distance)
        .map(|(files, ranks)| offset(files, ranks))
        .collect()
}

/// The offsets of one cell along exactly `count` of the first `axes` axes of a box: mode O for 1, F
/// for 2, D for 3.
pub(crate) fn changing(axes: usize, count: usize) -> Vec<Offset> {
    let along = |i: usize| if i < axes { -1..=1 } else { 0..=0 };
    let places = along(3).flat_map(|w| along(2).map(move |z| (z, w)));
    let planes = places.flat_map(|(z, w)| along(1).map(move |y| (y, z, w)));
    let offsets = planes.flat_map(|(y, z, w)| along(0).map(move |x| [x, y, z, w]));
    offsets.filter(|offset| offset.iter().filter(|&&step| step != 0).count() == count).collect()
}

/// The lines along the offsets that [`changing`] gives.
pub(crate) fn lines_changing(axes: usize, count: usize) -> Lines {
    let mut lines = changing(axes, count);
    lines.retain(|offset| offset.iter().find(|&&step| step != 0) == Some(&1));
    // The catalogue is made once and lives as long as the program.
    Lines::endless(lines.leak())
}

/// All offsets that go as far as `(files, ranks)` does, in every direction of a rectangle: 8 for
/// the knight's (1, 2), 4 for (0, 2) or (2, 2).
pub(crate) fn leaper(files: i8, ranks: i8) -> Vec<Offset> {
    let far = [files.abs(), ranks.abs()];
    let turned = [far, [far[1], far[0]]];
    ring(far[0].max(far[1]))
        .into_iter()
        .filter(|&[files, ranks, ..]| turned.contains(&[files.abs(), ranks.abs()]))
        .collect()
}

/// A chess-like game. Pawns have their first move on the cells where they stand at the start, and
/// castling moves the pieces that stand there on the named cells.
#[derive(Debug)]
pub(crate) struct Declaration {
    /// The axes that are mirrored when the board is turned for Black, as in
    /// [`Geometry::mirrored`].
    pub(crate) turn: [bool; 4],
    pub(crate) symmetries: Symmetries,
    pub(crate) pawn: Pawn,
    pub(crate) king: King,
    /// Everything else.
    pub(crate) pieces: Vec<Piece>,
    pub(crate) castling: Vec<Castling>,
    /// Where pawns promote to a piece of their side's choice.
    pub(crate) promotion: Vec<Zone>,
    /// How pieces turn over into others, if they do.
    pub(crate) turning: Option<Turning>,
    /// The letters of the pieces that change sides when they are captured, in the order of the
    /// hands field: they go to the hand of the captor, who may drop one in place of a move. Empty
    /// if captured pieces leave the game.
    ///
    /// A piece is dropped on an empty cell from where it could move on an empty board, a pawn only
    /// on a file without an unturned pawn of its side and not with mate.
    pub(crate) hands: &'static str,
    pub(crate) stalemate: Stalemate,
    /// The letters of the kinds that are taken off the board before the game.
    pub(crate) left_out: &'static str,
}

impl Declaration {
    /// Chess without its officers and without castling: what games are taken to be in all that they
    /// do not say. The board is turned for Black by mirroring the ranks, pawns do not promote,
    /// captured pieces leave the game, and stalemate draws.
    pub(crate) fn orthodox() -> Self {
        Self {
            turn: [false, true, false, false],
            symmetries: Symmetries::LeftRight,
            pawn: Pawn::orthodox(),
            king: King::orthodox(),
            pieces: Vec::new(),
            castling: Vec::new(),
            promotion: Vec::new(),
            turning: None,
            hands: "",
            stalemate: Stalemate::Draws,
            left_out: "",
        }
    }
}

/// The maps of the board onto itself, besides the turn, that keep the rules.
#[derive(Debug)]
pub(crate) enum Symmetries {
    /// The first axis mirrored. Castling, which knows left from right, is in its way.
    LeftRight,
    /// Permutations of the axes, each named by the old axes in their new order, `x` the first:
    /// `yxz` swaps two of three.
    Axes(&'static [&'static str]),
}

impl Symmetries {
    /// The name of each map, and where it takes each cell.
    pub(super) fn maps(&self, geometry: &Geometry) -> Vec<(&'static str, Vec<Cell>)> {
        match self {
            Self::LeftRight => {
                vec![("left-right", geometry.mirrored([true, false, false, false]))]
            }
            Self::Axes(orders) => {
                let permuted = |&order: &&'static str| {
                    let place = |axis: u8| "xyzw".bytes().position(|letter| letter == axis);
                    let axes: Vec<usize> = order.bytes().filter_map(place).collect();
                    let from = |axis: usize| axes.get(axis).copied().unwrap_or(axis);
                    (order, geometry.mapped(|at| std::array::from_fn(|axis| at[from(axis)])))
                };
                orders.iter().map(permuted).collect()
            }
        }
    }
}

/// What a side gets that cannot move although it is not in check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stalemate {
    Draws,
    Loses,
}

/// Pieces that turn over: a move that begins or ends in the zone may turn its piece, and must if
/// that could otherwise never move again. Drops turn nothing.
#[derive(Debug)]
pub(crate) struct Turning {
    /// How many ranks belong to the zone, counted from the far end.
    pub(crate) ranks: u8,
    /// The other sides of pieces, each with the letter of the piece that turns into it; they are
    /// written `+` and that letter. A captured one comes to the hand as what it was.
    pub(crate) pieces: Vec<Piece>,
}

/// A piece.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    pub(crate) letter: char,
    pub(crate) name: &'static str,
    /// In hundredths of a pawn.
    pub(crate) value: i32,
    /// Jumps, whatever stands in between.
    pub(crate) leaps: Vec<Offset>,
    /// Slides over empty cells.
    pub(crate) slides: Vec<Lines>,
    /// Jumps to an empty cell only.
    pub(crate) quiet: Vec<Offset>,
}

impl Piece {
    /// A piece that captures wherever it goes.
    pub(crate) fn new(
        letter: char,
        name: &'static str,
        value: i32,
        leaps: Vec<Offset>,
        slides: Vec<Lines>,
    ) -> Self {
        Self { letter, name, value, leaps, slides, quiet: Vec::new() }
    }
}

/// The royal piece, letter K: no move may leave the only one of its side attacked.
#[derive(Debug)]
pub(crate) struct King {
    /// Where it goes at any time.
    pub(crate) leaps: Vec<Offset>,
    /// Where else it goes as long as it has never been in check (its leap right, letter K); if
    /// empty the game knows no such right.
    pub(crate) leaps_until_checked: Vec<Offset>,
    /// Where it goes twice in one move, if both cells are empty and the first of them is not
    /// attacked, as long as it has neither moved nor been in check (its double-move right, letter
    /// D); if empty the game knows no such right.
    pub(crate) double_move: Vec<Offset>,
    /// The value of a second king in hundredths of a pawn, if a side may have one. No check binds
    /// a side with two, and either may be captured. Each king then has a leap right of its own, a
    /// new one too, and the rights field lists the cells of those that still have it.
    pub(crate) second: Option<i32>,
}

impl King {
    /// The king of chess: one cell in any direction, and no rights.
    pub(crate) fn orthodox() -> Self {
        Self {
            leaps: ring(1),
            leaps_until_checked: Vec::new(),
            double_move: Vec::new(),
            second: None,
        }
    }
}

/// The piece that moves and captures differently and promotes, letter P.
#[derive(Debug)]
pub(crate) struct Pawn {
    /// Moves to an empty cell.
    pub(crate) steps: Vec<Offset>,
    /// Moves with capture, the cells it attacks.
    pub(crate) captures: Vec<Offset>,
    /// What it may do besides from the cells where its side's pawns stand at the start.
    pub(crate) first: FirstMove,
    /// Whether a position string may have it where no game takes it, as some rulebook pages do;
    /// never where it would have had to promote.
    pub(crate) anywhere: bool,
}

impl Pawn {
    /// The pawn of chess: one cell ahead, from its first place also two, and captures diagonally
    /// ahead.
    pub(crate) fn orthodox() -> Self {
        Self {
            steps: vec![offset(0, 1)],
            captures: vec![offset(-1, 1), offset(1, 1)],
            first: FirstMove::Double(offset(0, 1)),
            anywhere: false,
        }
    }
}

/// The first move of a pawn.
#[derive(Debug)]
pub(crate) enum FirstMove {
    /// Like any other.
    Plain,
    /// Twice this step, if both cells are empty. An enemy pawn may take it on the cell passed
    /// over, en passant, with the very next move.
    Double(Offset),
    /// A jump to an empty cell at one of these offsets, by a pawn that has never moved. A pawn
    /// that stands on a starting cell although it has moved is *spent*; the rights field of the
    /// position string lists it.
    Jump(Vec<Offset>),
}

/// A castling of White: the king and one or more rooks move at once.
#[derive(Debug)]
pub(crate) struct Castling {
    /// Of its right, in the rights field.
    pub(crate) letter: char,
    pub(crate) name: &'static str,
    /// From and to.
    pub(crate) king: [&'static str; 2],
    /// From and to. The right needs all of them, and the king, never to have moved.
    pub(crate) rooks: Vec<[&'static str; 2]>,
    pub(crate) must_be_empty: Vec<&'static str>,
    pub(crate) must_be_safe: Vec<&'static str>,
}

/// Cells where an arriving pawn may or must promote. A pawn that moves from one cell of a zone to
/// another does not arrive.
#[derive(Debug)]
pub(crate) struct Zone {
    pub(crate) cells: ZoneCells,
    /// The letters of the pieces to choose from. K stands alone; where it does, a pawn whose side
    /// already has two kings stays a pawn.
    pub(crate) pieces: &'static str,
    /// Whether it may stay a pawn.
    pub(crate) optional: bool,
}

/// The cells of a [`Zone`].
#[derive(Debug)]
pub(crate) enum ZoneCells {
    /// A rank of a rectangle, from 1, counted from the pawn's own side.
    Rank(u8),
    /// These, for White.
    Named(&'static [&'static str]),
}
