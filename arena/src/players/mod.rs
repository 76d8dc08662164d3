//! The players, one file each.

mod alphabeta;
mod greedy;
mod outside;
mod planner;
mod random;
mod tree_search;

pub(crate) use alphabeta::LookAhead;
pub(crate) use greedy::Greedy;
pub(crate) use outside::OutsidePlayer;
pub(crate) use planner::PlannedPlayer;
pub(crate) use random::RandomPlayer;
pub(crate) use tree_search::{MctsPlayer, NetPlayer};
