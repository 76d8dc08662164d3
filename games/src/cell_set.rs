//! [`CellSet`]: a set of cells on `W` machine words.

use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, ControlFlow, Not, Sub,
};

use crate::Cell;

/// A set of cells of one geometry, one bit a cell, `W` 64-bit words.
///
/// `W` is 1 for boards of up to 64 cells (chess, cheskers), 2 up to 128 (the 10x10 games) and 12
/// for the 729 cells of doseki. Operators are set operations; `a - b` is the difference.
///
/// ```
/// use games::{Cell, CellSet};
/// let set = CellSet::<2>::from_iter([Cell::new(3), Cell::new(99)]);
/// assert_eq!(set.len(), 2);
/// assert_eq!(set.first(), Some(Cell::new(3)));
/// assert_eq!(set.last(), Some(Cell::new(99)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CellSet<const W: usize>([u64; W]);

impl<const W: usize> CellSet<W> {
    /// The set without members.
    pub const EMPTY: Self = Self([0; W]);

    /// The set with the single member `cell`.
    #[inline]
    #[must_use]
    pub const fn of(cell: Cell) -> Self {
        let mut words = [0; W];
        words[cell.index() / 64] = 1 << (cell.index() % 64);
        Self(words)
    }

    /// The set with these machine words, lowest cells first.
    #[inline]
    #[must_use]
    pub const fn from_words(words: [u64; W]) -> Self {
        Self(words)
    }

    /// The set of the first `count` cells.
    #[must_use]
    pub fn first_cells(count: usize) -> Self {
        (0..count).map(Cell::from_index).collect()
    }

    /// Whether `cell` is a member.
    #[inline]
    #[must_use]
    pub const fn has(self, cell: Cell) -> bool {
        self.0[cell.index() / 64] >> (cell.index() % 64) & 1 != 0
    }

    /// Adds `cell`.
    #[inline]
    pub const fn insert(&mut self, cell: Cell) {
        self.0[cell.index() / 64] |= 1 << (cell.index() % 64);
    }

    /// Removes `cell`.
    #[inline]
    pub const fn remove(&mut self, cell: Cell) {
        self.0[cell.index() / 64] &= !(1 << (cell.index() % 64));
    }

    /// The number of members.
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is no member.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Whether every member is also in `other`.
    #[inline]
    #[must_use]
    pub fn is_subset(self, other: Self) -> bool {
        (self - other).is_empty()
    }

    /// Whether a cell is in both sets.
    #[inline]
    #[must_use]
    pub fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// The member with the lowest number.
    #[inline]
    #[must_use]
    pub fn first(self) -> Option<Cell> {
        (0..W).find(|&i| self.0[i] != 0).map(|i| Cell::of_bit(i, self.0[i].trailing_zeros()))
    }

    /// The member with the highest number.
    #[inline]
    #[must_use]
    pub fn last(self) -> Option<Cell> {
        (0..W)
            .rev()
            .find(|&i| self.0[i] != 0)
            .map(|i| Cell::of_bit(i, 63 - self.0[i].leading_zeros()))
    }

    /// Calls `visit` with each member, lowest number first.
    ///
    /// Internal iteration, word by word, is what makes wide sets cheap: an iterator over two words
    /// has to ask at every step which word it is in.
    #[inline]
    pub fn for_each(self, mut visit: impl FnMut(Cell)) {
        for (i, mut word) in self.0.into_iter().enumerate() {
            while word != 0 {
                visit(Cell::of_bit(i, word.trailing_zeros()));
                word &= word - 1;
            }
        }
    }

    /// Calls `visit` with each member, lowest number first, until it breaks.
    #[inline]
    pub fn try_for_each<B>(self, mut visit: impl FnMut(Cell) -> ControlFlow<B>) -> ControlFlow<B> {
        for (i, mut word) in self.0.into_iter().enumerate() {
            while word != 0 {
                visit(Cell::of_bit(i, word.trailing_zeros()))?;
                word &= word - 1;
            }
        }
        ControlFlow::Continue(())
    }

    /// The members, lowest number first. For hot loops use [`CellSet::for_each`].
    pub fn iter(self) -> impl Iterator<Item = Cell> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let cell = rest.first()?;
            rest.remove(cell);
            Some(cell)
        })
    }

    /// The set of the cells whose numbers are `by` higher, or lower if `by` is negative. Members
    /// that would leave the words drop out.
    #[inline]
    #[must_use]
    pub fn shifted(self, by: i32) -> Self {
        let (words, bits) = (by.unsigned_abs() as usize / 64, by.unsigned_abs() % 64);
        let mut shifted = [0; W];
        // What crosses to the next word is shifted twice: once by 64 would be out of range.
        if by >= 0 {
            for (into, word) in shifted.iter_mut().skip(words).zip(self.0) {
                *into = word << bits;
            }
            for (into, word) in shifted.iter_mut().skip(words + 1).zip(self.0) {
                *into |= word >> 1 >> (63 - bits);
            }
        } else {
            for (into, word) in shifted.iter_mut().zip(self.0.into_iter().skip(words)) {
                *into = word >> bits;
            }
            for (into, word) in shifted.iter_mut().zip(self.0.into_iter().skip(words + 1)) {
                *into |= word << 1 << (63 - bits);
            }
        }
        Self(shifted)
    }

    /// The machine words, lowest cells first.
    #[inline]
    #[must_use]
    pub const fn words(self) -> [u64; W] {
        self.0
    }
}

impl<const W: usize> Default for CellSet<W> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const W: usize> FromIterator<Cell> for CellSet<W> {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        let mut set = Self::EMPTY;
        for cell in cells {
            set.insert(cell);
        }
        set
    }
}

impl<const W: usize> std::fmt::Debug for CellSet<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter().map(Cell::index)).finish()
    }
}

impl<const W: usize> Not for CellSet<W> {
    type Output = Self;
    /// The complement, bits past the last cell included: intersect it with a set of real cells.
    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

/// Implements one word-wise binary operator and its assigning form.
macro_rules! word_wise {
    ($($operator:ident $method:ident $assign:ident $assign_method:ident $word:expr;)*) => {$(
        impl<const W: usize> $operator for CellSet<W> {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                let word: fn(u64, u64) -> u64 = $word;
                Self(std::array::from_fn(|i| word(self.0[i], other.0[i])))
            }
        }
        impl<const W: usize> $assign for CellSet<W> {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                *self = $operator::$method(*self, other);
            }
        }
    )*};
}

word_wise! {
    BitAnd bitand BitAndAssign bitand_assign |a, b| a & b;
    BitOr bitor BitOrAssign bitor_assign |a, b| a | b;
    BitXor bitxor BitXorAssign bitxor_assign |a, b| a ^ b;
}

impl<const W: usize> Sub for CellSet<W> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }
}
