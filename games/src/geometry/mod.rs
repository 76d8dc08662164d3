//! [`Geometry`]: the cells of a board, their names, coordinates, straight lines and neighbours.

mod boards;
mod draw;

pub use draw::{Picture, Span};

use std::collections::HashMap;

/// One cell of a [`Geometry`]: its number, 0 to 728 at most.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u16);

impl Cell {
    /// The cell with number `index`.
    #[inline]
    #[must_use]
    pub const fn new(index: u16) -> Self {
        Self(index)
    }

    /// The cell with number `index`.
    ///
    /// # Panics
    /// If `index` does not fit 16 bits: no board has so many cells.
    #[inline]
    #[must_use]
    pub const fn from_index(index: usize) -> Self {
        assert!(index <= u16::MAX as usize, "a board has fewer than 65536 cells");
        Self(index as u16)
    }

    /// The cell of bit `bit` in word `word` of a cell set.
    #[inline]
    pub(crate) const fn of_bit(word: usize, bit: u32) -> Self {
        Self((word * 64) as u16 + bit as u16)
    }

    /// The cell whose number is `by` higher, or lower if `by` is negative.
    ///
    /// # Panics
    /// If there is no such number.
    #[inline]
    #[must_use]
    pub(crate) const fn moved(self, by: i32) -> Self {
        let number = self.0 as i32 + by;
        assert!(0 <= number && number <= u16::MAX as i32, "cells are numbered from 0");
        Self(number as u16)
    }

    /// The number of the cell, an index into tables of its geometry.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Debug for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// How far a step goes along each axis. Unused axes are 0.
pub type Offset = [i8; 4];

/// The kind of board, which decides how the network convolves and how it is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Squares in files and ranks.
    Rectangle,
    /// Hexagons in upright files; axis 1 counts half cells.
    Hexagonal,
    /// A box with three or four axes, drawn flat in blocks of this side.
    Blocks(u8),
    /// Two boards of squares, one above the other.
    Pair,
    /// A box of three axes, drawn layer by layer.
    Layers,
}

/// A part of a board as it is written in a position string and drawn.
#[derive(Debug, Clone)]
pub struct Diagram {
    /// Its name for people; empty if it is the only one.
    pub title: String,
    /// The rows, the topmost first, each from the left.
    pub rows: Vec<Vec<Cell>>,
}

/// A board: cells with coordinates on 2 to 4 axes, and their names.
///
/// Cells are numbered lexicographically by coordinates, the last axis first (on a rectangle: rank
/// by rank from White's side, each rank from file a). Every straight line then runs up or down in
/// the number, so the first blocker on a ray is the lowest or the highest bit of
/// `ray & occupied`, on every board.
#[derive(Debug, Clone)]
pub struct Geometry {
    shape: Shape,
    extent: [u8; 4],
    coordinates: Vec<[u8; 4]>,
    names: Vec<String>,
    by_name: HashMap<String, Cell>,
    /// The cell at each point of the box of `extent`, the first axis fastest.
    points: Vec<Option<Cell>>,
    diagrams: Vec<Diagram>,
    taps: Vec<Vec<Option<Cell>>>,
}

impl Geometry {
    /// The number of cells.
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.names.len()
    }

    /// The length of each axis; unused axes have length 1.
    #[must_use]
    pub fn extent(&self) -> [u8; 4] {
        self.extent
    }

    /// `[files, ranks]` if the board is a rectangle of squares.
    #[must_use]
    pub fn rectangle_extent(&self) -> Option<[usize; 2]> {
        let [files, ranks, ..] = self.extent.map(usize::from);
        (self.shape == Shape::Rectangle).then_some([files, ranks])
    }

    /// All cells in the order of their numbers.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        (0..self.names.len()).map(Cell::from_index)
    }

    /// All cells in the order in which lists of them are written: rank by rank from White's side,
    /// each from the left.
    pub fn written(&self) -> impl Iterator<Item = Cell> {
        self.diagrams.iter().flat_map(|part| part.rows.iter().rev().flatten().copied())
    }

    /// The name of `cell`, such as `e4` or `k10`.
    #[must_use]
    pub fn name(&self, cell: Cell) -> &str {
        &self.names[cell.index()]
    }

    /// The cell called `name`, if there is one.
    #[must_use]
    pub fn cell(&self, name: &str) -> Option<Cell> {
        self.by_name.get(name).copied()
    }

    /// Splits `text` after the cell name it begins with, the longest that fits: `k10k9` gives `k10`.
    #[must_use]
    pub fn split_cell<'t>(&self, text: &'t str) -> Option<(Cell, &'t str)> {
        /// Characters of the longest names: `Ab9`, `k10`.
        const LONGEST: usize = 3;
        (2..=LONGEST).rev().find_map(|end| Some((self.cell(text.get(..end)?)?, &text[end..])))
    }

    /// The number of the row in which `cell` is written, counted from White's side: its rank.
    #[must_use]
    pub fn rank(&self, cell: Cell) -> &str {
        self.name(cell).trim_start_matches(|c: char| c.is_ascii_alphabetic())
    }

    /// The parts in which the board is written and drawn.
    #[must_use]
    pub fn diagrams(&self) -> &[Diagram] {
        &self.diagrams
    }

    /// The coordinates of `cell`; unused axes are 0.
    #[must_use]
    pub fn coordinates(&self, cell: Cell) -> [u8; 4] {
        self.coordinates[cell.index()]
    }

    /// The cell at `coordinates`, if it is on the board.
    #[must_use]
    pub fn at(&self, coordinates: [i16; 4]) -> Option<Cell> {
        let mut index = 0;
        for (coordinate, length) in coordinates.into_iter().zip(self.extent).rev() {
            if !(0..i16::from(length)).contains(&coordinate) {
                return None;
            }
            index = index * usize::from(length) + coordinate as usize;
        }
        self.points[index]
    }

    /// The cell that lies `times` times `offset` from `cell`, if it is on the board.
    #[must_use]
    pub fn shifted(&self, cell: Cell, offset: Offset, times: i16) -> Option<Cell> {
        let from = self.coordinates(cell);
        self.at(std::array::from_fn(|i| i16::from(from[i]) + i16::from(offset[i]) * times))
    }

    /// The cells met when going from `from` by `offset` again and again, nearest first.
    pub fn ray(&self, from: Cell, offset: Offset) -> impl Iterator<Item = Cell> {
        (1..).map_while(move |times| self.shifted(from, offset, times))
    }

    /// What a convolution of the board gathers for each cell: `taps()[tap][cell]`.
    ///
    /// The taps are the cell itself and its neighbours one step away, in the same direction for
    /// every cell: 9 on a rectangle, in the order of a 3x3 kernel over `[ranks, files]`; 7 on
    /// hexagons; 27 or 81 with three or four axes; on two boards 9 and the cell above or below.
    #[must_use]
    pub fn taps(&self) -> &[Vec<Option<Cell>>] {
        &self.taps
    }

    /// The permutation of the cells that mirrors the axes chosen in `axes`.
    ///
    /// `[false, true, ..]` reflects the ranks of a rectangle, `[true, true, ..]` is its half turn.
    #[must_use]
    pub fn mirrored(&self, axes: [bool; 4]) -> Vec<Cell> {
        self.mapped(|from| {
            std::array::from_fn(|i| if axes[i] { self.extent[i] - 1 - from[i] } else { from[i] })
        })
    }

    /// The permutation of the cells that a map of their coordinates makes.
    ///
    /// # Panics
    /// If an image is not on the board: maps are written in the source.
    pub(crate) fn mapped(&self, map: impl Fn([u8; 4]) -> [u8; 4]) -> Vec<Cell> {
        let image = |cell| self.at(map(self.coordinates(cell)).map(i16::from));
        self.cells().map(|cell| image(cell).expect("the image is on the board")).collect()
    }
}
