//! The families of games: one generator each, configured by the data in `catalogue`.

pub(crate) mod bermuda;
mod bulk;
pub(crate) mod chess;
pub(crate) mod draughts;
pub(crate) mod polyforms;
pub(crate) mod stacks;
