//! The players, one file each.

mod alphabeta;
mod greedy;
mod random;
mod tree_search;

pub(crate) use alphabeta::AlphaBetaPlayer;
pub(crate) use greedy::GreedyPlayer;
pub(crate) use random::RandomPlayer;
pub(crate) use tree_search::{MctsPlayer, NetPlayer};
