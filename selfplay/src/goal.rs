//! [`Goal`]: when a run of self-play ends, and where it stands.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// When a run ends by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// After so many more finished games. Others are under way then and stay in the pool: short
    /// games come first out of a fresh pool, and no kind is preferred once it has been running.
    Games(u64),
    /// After finished games with so many steps together; otherwise the same.
    Steps(u64),
    /// After exactly so many games, those under way included, each played to its end, so that none
    /// stays in the pool. The last ones are played in ever smaller batches. If more are under way,
    /// all of them are finished.
    AllOf(u64),
}

/// Where a run stands, for all its workers.
#[derive(Debug)]
pub(crate) struct Standing<'a> {
    goal: Goal,
    stop: &'a AtomicBool,
    failed: AtomicBool,
    /// Games under way when the run began.
    under_way: u64,
    /// The number of the first game to begin.
    first: u64,
    /// Requests to begin a game.
    asked: AtomicU64,
    games: AtomicU64,
    steps: AtomicU64,
}

impl<'a> Standing<'a> {
    /// The standing of a run towards `goal` that begins with some games under way, and in the pool's
    /// life with its game `first`.
    pub(crate) fn new(goal: Goal, stop: &'a AtomicBool, under_way: usize, first: u64) -> Self {
        Self {
            goal,
            stop,
            failed: AtomicBool::new(false),
            under_way: under_way as u64,
            first,
            asked: AtomicU64::new(0),
            games: AtomicU64::new(0),
            steps: AtomicU64::new(0),
        }
    }

    /// Whether the workers have to stop where they are.
    pub(crate) fn is_over(&self) -> bool {
        let reached = match self.goal {
            Goal::Games(games) => self.games.load(Ordering::Relaxed) >= games,
            Goal::Steps(steps) => self.steps.load(Ordering::Relaxed) >= steps,
            Goal::AllOf(_) => false,
        };
        reached || self.stop.load(Ordering::Relaxed) || self.failed.load(Ordering::Relaxed)
    }

    /// The number of the next game, which begins herewith; `None` if none may begin any more.
    pub(crate) fn begin_game(&self) -> Option<u64> {
        let begun = self.asked.fetch_add(1, Ordering::Relaxed);
        (begun < self.most_begun()).then_some(self.first + begun)
    }

    /// The number of the first game that has not begun.
    pub(crate) fn next_game(&self) -> u64 {
        self.first + self.asked.load(Ordering::Relaxed).min(self.most_begun())
    }

    /// How many games may begin.
    fn most_begun(&self) -> u64 {
        match self.goal {
            Goal::Games(_) | Goal::Steps(_) => u64::MAX,
            Goal::AllOf(games) => games.saturating_sub(self.under_way),
        }
    }

    /// Counts a finished game.
    pub(crate) fn end_game(&self, steps: usize) {
        self.games.fetch_add(1, Ordering::Relaxed);
        self.steps.fetch_add(steps as u64, Ordering::Relaxed);
    }

    /// Ends the run for all workers.
    pub(crate) fn fail(&self) {
        self.failed.store(true, Ordering::Relaxed);
    }
}
