//! Seeds for the parts of something that is seeded itself.

use rand::{RngCore as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A seed for part `index` of something seeded by `seed`.
pub(crate) fn mixed(seed: u64, index: u64) -> u64 {
    Xoshiro256PlusPlus::seed_from_u64(seed ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15)).next_u64()
}
