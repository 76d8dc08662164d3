//! The games, one small file each: data and a reference to the rulebook. Only this folder names a
//! game.

use crate::game::Entry;

mod bermuda;
mod cheskers;
mod chess;
mod cubic;
mod english_draughts;
mod mgc;
mod nihongi;

/// Every game, in the order in which they are listed to people.
pub(crate) fn entries() -> Vec<Entry> {
    vec![
        chess::entry(),
        english_draughts::entry(),
        mgc::entry(),
        cheskers::entry(),
        cubic::symmetrical(),
        cubic::asymmetrical(),
        nihongi::entry(),
        bermuda::entry(),
    ]
}
