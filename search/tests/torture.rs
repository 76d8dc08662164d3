//! Ten million simulations on one searcher after the other; `make torture` runs it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod soak;
#[allow(dead_code, unused_imports, reason = "the everyday tests use all of it")]
mod support;

use search::SearchSettings;
use support::{gumbel, puct};

#[test]
fn memory_stays_flat_over_ten_million_simulations() {
    let small = SearchSettings { tree_bytes: 1 << 16, ..puct() };
    let many = SearchSettings { leaves: 8, ..gumbel() };
    for id in ["cheskers", "chess"] {
        for settings in [gumbel(), puct(), small, many] {
            soak::soak(id, settings, 1_200_000);
        }
    }
    soak::soak("mgc", gumbel(), 400_000);
}
