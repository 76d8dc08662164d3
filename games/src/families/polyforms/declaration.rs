//! What a game of this family declares: data only.

use std::ops::RangeInclusive;

use crate::{Offset, Symmetry};

/// As many steps as the board allows.
const ANY: u8 = u8::MAX;

/// A game in which connected checkers of one side move as one rigid piece.
#[derive(Debug)]
pub(crate) struct Declaration {
    /// The letters of a cell with one checker of White, with two, and so on: as many as a cell
    /// holds.
    pub(crate) letters: &'static str,
    /// The first is the single checker.
    pub(crate) shapes: Vec<Shape>,
    /// Whether each checker that arrives on its last rank earns another one in hand.
    pub(crate) arrivals_earn: bool,
    /// The symmetries of the board for the side that plays up the board.
    pub(crate) symmetries: Vec<Symmetry>,
}

/// A piece: checkers in a certain arrangement, in any rotation and reflection.
#[derive(Debug)]
pub(crate) struct Shape {
    /// Its name in kinds and planes.
    pub(crate) name: &'static str,
    /// One orientation: the checkers of each cell, `.` for none; layers separated by `|`, rows by
    /// `/`, the last rank first.
    pub(crate) drawing: &'static str,
    pub(crate) modes: Vec<Mode>,
    /// Whether what it captures goes into the hand of its side instead of leaving the game.
    pub(crate) keeps_captures: bool,
}

/// A way to move. Offsets are White's; Black's go the other way along the ranks.
#[derive(Debug)]
pub(crate) enum Mode {
    /// So many steps by one of the offsets. A leap is a slide of one step by a longer offset.
    Slide(Vec<Offset>, RangeInclusive<u8>),
    /// One step that captures nothing.
    Advance(Vec<Offset>),
    /// One step that captures.
    Strike(Vec<Offset>),
    /// Any number of steps along a diagonal, thrown back by the edges of the board as light by
    /// mirrors.
    Rebound(Vec<Offset>),
    /// Any number of steps by one of the offsets, then exactly two by the same or another one.
    SlideThenTwo(Vec<Offset>),
}

/// Any number of steps by one of `offsets`.
pub(crate) fn slide(offsets: Vec<Offset>) -> Mode {
    Mode::Slide(offsets, 1..=ANY)
}

/// Exactly one step by one of `offsets`.
pub(crate) fn step(offsets: Vec<Offset>) -> Mode {
    Mode::Slide(offsets, 1..=1)
}

/// The offsets by one cell along exactly `changed` of the first `axes` axes: with two axes 1 is
/// straight and 2 diagonal.
pub(crate) fn along(axes: usize, changed: usize) -> Vec<Offset> {
    within(axes, 1)
        .filter(|offset| offset.iter().filter(|&&by| by != 0).count() == changed)
        .collect()
}

/// The sixteen offsets to the second cells around on a board of two axes.
pub(crate) fn second_ring() -> Vec<Offset> {
    within(2, 2).filter(|offset| offset.iter().any(|by| by.abs() == 2)).collect()
}

/// All offsets that go at most `most` along each of the first `axes` axes.
fn within(axes: usize, most: i8) -> impl Iterator<Item = Offset> {
    let side = 2 * most as usize + 1;
    (0..side.pow(axes as u32)).map(move |number| {
        std::array::from_fn(|axis| {
            if axis >= axes { 0 } else { (number / side.pow(axis as u32) % side) as i8 - most }
        })
    })
}
