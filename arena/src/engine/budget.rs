//! [`Budget`]: what a protocol says about how long a move may take.

use std::time::Duration;

use super::{Bounds, EngineOptions};
use crate::limit::MOST_SIMULATIONS;

/// What a protocol says about how long a move may take; times are in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Budget {
    /// What is left on the clock of the side to move.
    pub(crate) clock: Option<u64>,
    /// What each move adds to it.
    pub(crate) increment: u64,
    /// The moves that the clock is for.
    pub(crate) moves_to_go: Option<u64>,
    /// For this move alone.
    pub(crate) move_time: Option<u64>,
    /// Simulations.
    pub(crate) nodes: Option<u64>,
    /// Moves in the expected line.
    pub(crate) depth: Option<u64>,
}

/// The moves that a clock is divided by unless it is for fewer.
const MOVES_LEFT: u64 = 30;

impl Budget {
    /// The time for the move, if there is one, where `overhead` milliseconds a move are lost on the
    /// way, and `may_ponder` says that time is won while the opponent thinks.
    pub(crate) fn time(&self, overhead: u64, may_ponder: bool) -> Option<Duration> {
        let by_clock = self.clock.map(|left| {
            let left = left.saturating_sub(overhead);
            let moves = self.moves_to_go.unwrap_or(MOVES_LEFT).clamp(1, MOVES_LEFT);
            let share = left / moves + self.increment.saturating_mul(3) / 4;
            (if may_ponder { share + share / 4 } else { share }).min(left)
        });
        let move_time = self.move_time.map(|time| time.saturating_sub(overhead));
        let time = by_clock.into_iter().chain(move_time).min();
        time.map(|time| Duration::from_millis(time.max(1)))
    }

    /// What ends the search; if nothing is said, as many simulations as the options say.
    pub(crate) fn bounds(&self, options: &EngineOptions) -> Bounds {
        let time = self.time(options.overhead.into(), options.ponder);
        let at_most = |number: u64| number.clamp(1, u32::MAX.into()) as u32;
        let (nodes, plies) = (self.nodes.map(at_most), self.depth.map(at_most));
        let unbounded = time.is_none() && nodes.is_none() && plies.is_none();
        let usual = options.simulations.min(MOST_SIMULATIONS);
        Bounds { simulations: nodes.or(unbounded.then_some(usual)), plies, time }
    }
}
