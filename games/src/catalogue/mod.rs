//! The games, one small file each: data and a reference to the rulebook. Only this folder names a
//! game.

use crate::game::Entry;

mod agc;
mod bermuda;
mod brilliant;
mod cheskers;
mod chess;
mod chips;
mod cubic;
mod doseki;
mod english_draughts;
mod grand;
mod guru;
mod mgc;
mod mgc1;
mod nihongi;
mod nomino;
mod omino;
mod pyramids;
mod shogi;
mod shogi1;
mod shogi2;
mod waterloo;

/// How games are called that are too many to list.
pub(crate) const UNLISTED: &str = mgc1::FORM;

/// Every listed game, in the order in which they are listed to people.
pub(crate) fn entries() -> Vec<Entry> {
    vec![
        chess::entry(),
        english_draughts::entry(),
        shogi::entry(),
        mgc::entry(),
        mgc1::Army::COMPLETE.entry(),
        mgc1::Army::incomplete().entry(),
        mgc1::Army::simple().entry(),
        agc::entry(),
        guru::entry(),
        waterloo::entry(),
        cheskers::entry(),
        pyramids::first_edition(),
        pyramids::weak(),
        pyramids::weak_7(),
        pyramids::strong(),
        pyramids::cheskers(),
        pyramids::cheskers_7(),
        chips::entry(),
        cubic::symmetrical(),
        cubic::asymmetrical(),
        nihongi::entry(),
        brilliant::entry(),
        bermuda::entry(),
        shogi1::entry(),
        shogi2::entry(),
        omino::entry(),
        nomino::entry(),
        nomino::entry_pro(),
        doseki::entry(),
    ]
}

/// The game called `id` if that is a name as in [`UNLISTED`]: its proper id, which may be that of a
/// listed game, and what makes its entry.
///
/// # Errors
/// If the name has that form but there is no such game, in words.
pub(crate) fn unlisted(id: &str) -> Option<Result<(String, impl Fn() -> Entry), String>> {
    Some(mgc1::Army::of_id(id)?.map(|army| (army.id(), move || army.entry())))
}
