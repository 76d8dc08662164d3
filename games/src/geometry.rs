//! [`Geometry`]: the cells of a board, their names, coordinates and straight lines.

use std::fmt::Write as _;

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

/// A board: cells with coordinates on 2 to 4 axes, and their names.
///
/// Cells are numbered lexicographically by coordinates, the last axis first (on a rectangle: rank
/// by rank from White's side, each rank from file a). Every straight line then runs up or down in
/// the number, so the first blocker on a ray is the lowest or the highest bit of
/// `ray & occupied`, on every board.
#[derive(Debug, Clone)]
pub struct Geometry {
    extent: Vec<u8>,
    files: &'static [u8],
    names: Vec<String>,
}

impl Geometry {
    /// A rectangle with one file for each letter of `files` and `ranks` ranks, cells `a1`, `b1`...
    ///
    /// # Panics
    /// If there is no file, no rank, or more than 26 of one: boards are written in the source.
    #[must_use]
    pub fn rectangle(files: &'static str, ranks: u8) -> Self {
        let files = files.as_bytes();
        assert!((1..=26).contains(&files.len()) && (1..=26).contains(&ranks));
        let mut names = Vec::new();
        for rank in 1..=ranks {
            for &file in files {
                names.push(format!("{}{rank}", char::from(file)));
            }
        }
        Self { extent: vec![files.len() as u8, ranks], files, names }
    }

    /// The number of cells.
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.names.len()
    }

    /// The length of each axis; on a rectangle `[files, ranks]`.
    #[must_use]
    pub fn extent(&self) -> &[u8] {
        &self.extent
    }

    /// All cells in the order of their numbers.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        (0..self.names.len()).map(Cell::from_index)
    }

    /// The name of `cell`, such as `e4` or `k10`.
    #[must_use]
    pub fn name(&self, cell: Cell) -> &str {
        &self.names[cell.index()]
    }

    /// The cell called `name`, if there is one.
    #[must_use]
    pub fn cell(&self, name: &str) -> Option<Cell> {
        self.names.iter().position(|n| n == name).map(Cell::from_index)
    }

    /// Splits `text` after the cell name it begins with, the longest that fits: `k10k9` gives `k10`.
    #[must_use]
    pub fn split_cell<'t>(&self, text: &'t str) -> Option<(Cell, &'t str)> {
        let digits = text.bytes().skip(1).take_while(u8::is_ascii_digit).count();
        (1..=digits).rev().find_map(|n| Some((self.cell(text.get(..=n)?)?, &text[n + 1..])))
    }

    /// The letters of the files of a rectangle.
    #[must_use]
    pub fn files(&self) -> &'static [u8] {
        self.files
    }

    /// The coordinates of `cell`; unused axes are 0.
    #[must_use]
    pub fn coordinates(&self, cell: Cell) -> [u8; 4] {
        let mut rest = cell.index();
        let mut coordinates = [0; 4];
        for (coordinate, &length) in coordinates.iter_mut().zip(&self.extent) {
            *coordinate = (rest % usize::from(length)) as u8;
            rest /= usize::from(length);
        }
        coordinates
    }

    /// The cell at `coordinates`, if it is on the board.
    #[must_use]
    pub fn at(&self, coordinates: [i16; 4]) -> Option<Cell> {
        let mut index = 0;
        for (axis, &coordinate) in coordinates.iter().enumerate().rev() {
            let length = self.extent.get(axis).map_or(1, |&n| i16::from(n));
            if !(0..length).contains(&coordinate) {
                return None;
            }
            index = index * length as usize + coordinate as usize;
        }
        Some(Cell::from_index(index))
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

    /// The permutation of the cells that mirrors the axes chosen in `axes`.
    ///
    /// `[false, true, ..]` reflects the ranks of a rectangle, `[true, true, ..]` is its half turn.
    #[must_use]
    pub fn mirrored(&self, axes: [bool; 4]) -> Vec<Cell> {
        self.cells()
            .map(|cell| {
                let mut to = self.coordinates(cell).map(i16::from);
                for axis in 0..self.extent.len() {
                    if axes[axis] {
                        to[axis] = i16::from(self.extent[axis]) - 1 - to[axis];
                    }
                }
                self.at(to).expect("a mirror image stays on the board")
            })
            .collect()
    }

    /// Draws the board in text, the last rank first, with `mark(cell)` in each cell.
    #[must_use]
    pub fn draw(&self, mark: impl Fn(Cell) -> char) -> String {
        let (files, ranks) = (usize::from(self.extent[0]), usize::from(self.extent[1]));
        let mut text = String::new();
        for rank in (0..ranks).rev() {
            write!(text, "{:>3} ", rank + 1).expect("a String takes all text");
            for file in 0..files {
                text.push(' ');
                text.push(mark(Cell::from_index(rank * files + file)));
            }
            text.push('\n');
        }
        text.push_str("\n    ");
        for &file in self.files {
            text.push(' ');
            text.push(char::from(file));
        }
        text.push('\n');
        text
    }
}
