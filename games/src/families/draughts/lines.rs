//! [`Lines`]: the straight lines of a board of at most 64 cells, in eight directions.

use crate::{Cell, CellSet, Geometry, Offset};

/// The most cells a board of this family has.
pub(super) const CELLS: usize = 64;

/// The eight directions, as offsets of file and rank seen by White. The first four run up in cell
/// number, the last four are their opposites in the same order.
const OFFSETS: [Offset; 8] = [
    [1, 0, 0, 0],
    [-1, 1, 0, 0],
    [0, 1, 0, 0],
    [1, 1, 0, 0],
    [-1, 0, 0, 0],
    [1, -1, 0, 0],
    [0, -1, 0, 0],
    [-1, -1, 0, 0],
];

/// A set of the eight directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Directions(u8);

/// Along files and ranks.
pub(crate) const ORTHOGONAL: Directions = Directions(0b0101_0101);
/// Along diagonals.
pub(crate) const DIAGONAL: Directions = Directions(0b1010_1010);
/// Diagonally toward higher ranks.
pub(crate) const FORWARD_DIAGONAL: Directions = Directions(0b0000_1010);
/// All eight.
pub(crate) const EVERY_WAY: Directions = Directions(0b1111_1111);
/// Toward higher ranks, straight or diagonally.
pub(crate) const FORWARD: Directions = Directions(0b0000_1110);

impl Directions {
    /// The opposite directions: forward of White is backward of Black.
    pub(super) const fn reversed(self) -> Self {
        Self(self.0.rotate_left(4))
    }

    /// The members, as offsets.
    pub(super) fn offsets(self) -> impl Iterator<Item = Offset> {
        self.each().map(|direction| OFFSETS[direction])
    }

    /// The members, as indices into the tables of [`Lines`].
    #[inline]
    pub(super) fn each(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let direction = rest.trailing_zeros() as usize;
            rest &= rest.wrapping_sub(1);
            (direction < 8).then_some(direction)
        })
    }
}

/// Rays from every cell, and the direction from every cell to every other in line with it.
pub(super) struct Lines {
    rays: [[CellSet<1>; CELLS]; 8],
    directions: [[u8; CELLS]; CELLS],
}

impl Lines {
    /// The lines of `geometry`.
    ///
    /// # Panics
    /// If the board has more than [`CELLS`] cells: boards are written in the source.
    pub(super) fn new(geometry: &Geometry) -> Self {
        assert!(geometry.cell_count() <= CELLS, "the board of a jump-capture game fits one word");
        let mut lines =
            Self { rays: [[CellSet::EMPTY; CELLS]; 8], directions: [[0; CELLS]; CELLS] };
        for (direction, &offset) in OFFSETS.iter().enumerate() {
            for from in geometry.cells() {
                for to in geometry.ray(from, offset) {
                    lines.rays[direction][from.index()].insert(to);
                    lines.directions[from.index()][to.index()] = direction as u8;
                }
            }
        }
        lines
    }

    /// All cells behind `from` in `direction`.
    #[inline]
    pub(super) const fn ray(&self, direction: usize, from: Cell) -> CellSet<1> {
        self.rays[direction][from.index()]
    }

    /// The first member of `occupied` behind `from`.
    #[inline]
    pub(super) fn blocker(
        &self,
        direction: usize,
        from: Cell,
        occupied: CellSet<1>,
    ) -> Option<Cell> {
        let blockers = self.ray(direction, from) & occupied;
        if direction < 4 { blockers.first() } else { blockers.last() }
    }

    /// The unbroken run of empty cells behind `from`.
    #[inline]
    pub(super) fn run(&self, direction: usize, from: Cell, occupied: CellSet<1>) -> CellSet<1> {
        let ray = self.ray(direction, from);
        match self.blocker(direction, from, occupied) {
            None => ray,
            Some(blocker) => ray - self.ray(direction, blocker) - CellSet::of(blocker),
        }
    }

    /// The cells strictly between two cells in line.
    #[inline]
    pub(super) fn between(&self, from: Cell, to: Cell) -> CellSet<1> {
        let direction = usize::from(self.directions[from.index()][to.index()]);
        self.ray(direction, from) - self.ray(direction, to) - CellSet::of(to)
    }
}
