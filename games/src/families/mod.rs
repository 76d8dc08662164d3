//! The families of games: one generator each, configured by the data in `catalogue`.

pub(crate) mod bermuda;
pub(crate) mod chess;
pub(crate) mod draughts;
pub(crate) mod polyforms;
pub(crate) mod stacks;
