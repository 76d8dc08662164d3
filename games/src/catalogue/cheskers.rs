//! Russian cheskers: rulebook page `cheskers.md`.

use crate::game::Entry;

/// The catalogue entry.
pub(crate) fn entry() -> Entry {
    todo!()
}
