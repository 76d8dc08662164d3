//! The random numbers behind position keys.

use crate::{Cell, Key};

/// The `index`th of a fixed sequence of well-mixed 64-bit numbers (SplitMix64, Steele et al. 2014).
///
/// Keys depend on nothing but the rules, so they are equal in every run and on every machine.
pub(crate) const fn number(index: u64) -> u64 {
    let mut z = index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Sets `slot`, which `key` covers, to `value`. `number` gives the random number of each value.
#[inline]
pub(crate) fn set<T: Copy>(key: &mut Key, slot: &mut T, value: T, number: impl Fn(T) -> u64) {
    *key ^= number(*slot) ^ number(value);
    *slot = value;
}

/// The random number of a cell, 0 if there is none.
#[inline]
pub(crate) fn of_cell(numbers: &[u64], cell: Option<Cell>) -> u64 {
    cell.map_or(0, |cell| numbers[cell.index()])
}
