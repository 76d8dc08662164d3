//! [`Features`]: what the network is shown of a state, before it becomes a tensor.

use ndarray::ArrayViewMut2;

use crate::Cell;

/// The non-zero entries of the input planes of one state.
///
/// Sparse, because a position sets one cell in some thirty of a few thousand entries; the network
/// input of any layout and any symmetry is made from it. Planes are indices into
/// [`crate::Game::planes`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Features {
    marks: Vec<(u16, Cell)>,
    fills: Vec<(u16, f32)>,
}

impl Features {
    /// Takes everything out and keeps the memory.
    pub fn clear(&mut self) {
        self.marks.clear();
        self.fills.clear();
    }

    /// Sets `plane` to 1 on `cell`.
    #[inline]
    pub fn mark(&mut self, plane: usize, cell: Cell) {
        self.marks.push((plane as u16, cell));
    }

    /// Sets `plane` to `value` on all cells.
    #[inline]
    pub fn fill(&mut self, plane: usize, value: f32) {
        self.fills.push((plane as u16, value));
    }

    /// The entries that are 1 on one cell: (plane, cell).
    #[must_use]
    pub fn marks(&self) -> &[(u16, Cell)] {
        &self.marks
    }

    /// The planes with one value on all cells: (plane, value).
    #[must_use]
    pub fn fills(&self) -> &[(u16, f32)] {
        &self.fills
    }

    /// Moves every marked cell to `map[cell]`.
    pub fn map_cells(&mut self, map: &[Cell]) {
        for (_, cell) in &mut self.marks {
            *cell = map[cell.index()];
        }
    }

    /// Writes the planes densely into `[cells, planes]`, the layout of a channels-last tensor.
    ///
    /// # Panics
    /// If `into` has fewer cells or planes than the game.
    pub fn write(&self, mut into: ArrayViewMut2<'_, f32>) {
        into.fill(0.0);
        for &(plane, value) in &self.fills {
            into.column_mut(usize::from(plane)).fill(value);
        }
        for &(plane, cell) in &self.marks {
            into[[cell.index(), usize::from(plane)]] = 1.0;
        }
    }
}
