//! Random numbers that depend on what they are for, not on which thread asked first.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The generator of every random choice in this crate.
pub(crate) type Random = Xoshiro256PlusPlus;

/// A seed for the use named by `path` (game number, side...) below `seed`.
pub(crate) fn derived(seed: u64, path: &[u64]) -> u64 {
    path.iter().fold(mixed(seed), |state, &part| mixed(state ^ mixed(part)))
}

/// The generator that starts from `seed`.
pub(crate) fn random(seed: u64) -> Random {
    Random::seed_from_u64(seed)
}

/// One round of SplitMix64.
fn mixed(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
