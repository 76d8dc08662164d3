//! The player that looks a few moves ahead and counts material.

use games::History;

use super::planner::Planner;
use crate::alphabeta::AlphaBeta;
use crate::seeds::Random;
use crate::walk::BestMove;

/// Plans one of the best moves of a full-width search, without quiescence; a nearer win is better.
#[derive(Debug)]
pub(crate) struct LookAhead {
    depth: u32,
    search: AlphaBeta,
}

impl LookAhead {
    /// Looks `depth` whole moves ahead.
    pub(crate) fn new(depth: u32) -> Self {
        Self { depth, search: AlphaBeta::default() }
    }
}

impl Planner for LookAhead {
    fn plan(&mut self, state: &History, best: &mut BestMove, random: &mut Random) {
        self.search.choose(state, self.depth, best, random);
    }
}
