//! [`Lines`]: the straight lines of a board of squares in eight directions, and jumps along them.

use std::ops::ControlFlow;

use crate::{Cell, CellSet, Geometry, Offset};

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

/// Stands for the direction between cells that are not in line.
const NOT_IN_LINE: u8 = OFFSETS.len() as u8;

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
    pub(crate) const fn reversed(self) -> Self {
        Self(self.0.rotate_left(4))
    }

    /// The members, as offsets.
    pub(crate) fn offsets(self) -> impl Iterator<Item = Offset> {
        self.each().map(|direction| OFFSETS[direction])
    }

    /// The members, as indices into the tables of [`Lines`].
    #[inline]
    pub(crate) fn each(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let direction = rest.trailing_zeros() as usize;
            rest &= rest.wrapping_sub(1);
            (direction < 8).then_some(direction)
        })
    }
}

/// Rays from every cell, and the direction from every cell to every other in line with it.
pub(crate) struct Lines<const W: usize> {
    /// By cell, then direction.
    rays: Vec<[CellSet<W>; 8]>,
    /// By the cell from which and the cell to which one looks.
    directions: Vec<Vec<u8>>,
}

impl<const W: usize> Lines<W> {
    /// The lines of `geometry`.
    ///
    /// # Panics
    /// If the board has more cells than a set can hold: boards are written in the source.
    pub(crate) fn new(geometry: &Geometry) -> Self {
        let cells = geometry.cell_count();
        assert!(cells <= W * 64, "a board of {cells} cells fits {W} words");
        let mut lines = Self {
            rays: vec![[CellSet::EMPTY; 8]; cells],
            directions: vec![vec![NOT_IN_LINE; cells]; cells],
        };
        for (direction, &offset) in OFFSETS.iter().enumerate() {
            for from in geometry.cells() {
                for to in geometry.ray(from, offset) {
                    lines.rays[from.index()][direction].insert(to);
                    lines.directions[from.index()][to.index()] = direction as u8;
                }
            }
        }
        lines
    }

    /// All cells behind `from` in `direction`.
    #[inline]
    pub(crate) fn ray(&self, direction: usize, from: Cell) -> CellSet<W> {
        self.rays[from.index()][direction]
    }

    /// The direction in which `to` lies from `from`, if they are in line.
    #[inline]
    pub(crate) fn direction(&self, from: Cell, to: Cell) -> Option<usize> {
        let direction = self.directions[from.index()][to.index()];
        (direction != NOT_IN_LINE).then_some(direction.into())
    }

    /// The first member of `occupied` behind `from`.
    #[inline]
    pub(crate) fn blocker(
        &self,
        direction: usize,
        from: Cell,
        occupied: CellSet<W>,
    ) -> Option<Cell> {
        let blockers = self.ray(direction, from) & occupied;
        if direction < 4 { blockers.first() } else { blockers.last() }
    }

    /// The cells behind `from` up to the first member of `occupied`, that member included.
    #[inline]
    pub(crate) fn reach(&self, direction: usize, from: Cell, occupied: CellSet<W>) -> CellSet<W> {
        let ray = self.ray(direction, from);
        match self.blocker(direction, from, occupied) {
            None => ray,
            Some(blocker) => ray - self.ray(direction, blocker),
        }
    }

    /// The unbroken run of empty cells behind `from`.
    #[inline]
    pub(crate) fn run(&self, direction: usize, from: Cell, occupied: CellSet<W>) -> CellSet<W> {
        self.reach(direction, from, occupied) - occupied
    }

    /// The cells strictly between two cells in line; none if they are not.
    #[inline]
    pub(crate) fn between(&self, from: Cell, to: Cell) -> CellSet<W> {
        match self.direction(from, to) {
            None => CellSet::EMPTY,
            Some(direction) => {
                self.ray(direction, from) - self.ray(direction, to) - CellSet::of(to)
            }
        }
    }

    /// Where a piece on `from` lands that jumps in `directions` over the first piece it meets: on
    /// any cell of the run of empty cells behind that piece, if it is in `over`.
    #[inline]
    pub(crate) fn landings(
        &self,
        directions: Directions,
        from: Cell,
        over: CellSet<W>,
        occupied: CellSet<W>,
    ) -> CellSet<W> {
        let mut landings = CellSet::EMPTY;
        for direction in directions.each() {
            if let Some(jumped) = self.blocker(direction, from, occupied)
                && over.has(jumped)
            {
                landings |= self.run(direction, jumped, occupied);
            }
        }
        landings
    }

    /// Follows all captures of a piece on `from` that has to go on jumping while it can, each
    /// jumped piece leaving the board at once. The next jump leads to one of `landings`; later ones
    /// to where `next` says, given the piece's cell, the enemies and all other pieces that are
    /// left. `occupied` is without the jumping piece.
    ///
    /// Calls `visit` for each jump with the jumped piece and whether the capture ends with it,
    /// until it breaks.
    pub(crate) fn follow_jumps<B>(
        &self,
        from: Cell,
        landings: CellSet<W>,
        (enemy, occupied): (CellSet<W>, CellSet<W>),
        next: &impl Fn(Cell, CellSet<W>, CellSet<W>) -> CellSet<W>,
        visit: &mut impl FnMut(CellSet<W>, bool) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        landings.try_for_each(|landing| {
            let jumped = self.between(from, landing) & enemy;
            let (enemy, occupied) = (enemy - jumped, occupied - jumped);
            let landings = next(landing, enemy, occupied);
            visit(jumped, landings.is_empty())?;
            self.follow_jumps(landing, landings, (enemy, occupied), next, visit)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_cells_in_line_have_cells_between() {
        let geometry = Geometry::rectangle("abcdefghi", 9);
        let lines = Lines::<2>::new(&geometry);
        let cell = |name| geometry.cell(name).expect("a cell");
        let between = |from, to| {
            let cells = lines.between(cell(from), cell(to)).iter();
            cells.map(|cell| geometry.name(cell)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(between("a1", "d4"), "b2 c3");
        assert_eq!(between("i9", "i6"), "i7 i8");
        assert_eq!(between("a1", "b1"), "");
        assert_eq!(between("a1", "b3"), "");
        assert_eq!(lines.direction(cell("a1"), cell("a1")), None);
    }
}
