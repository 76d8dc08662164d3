//! [`Order`]: what an engine is to do; [`Control`]: how it is stopped.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use games::{Position, Step};

use super::EngineSettings;

/// What ends a search: whichever comes first. Without any, only [`super::Engine::stop`] does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Simulations a step; visits that the tree was kept with count.
    pub(crate) simulations: Option<u32>,
    /// Whole moves in the principal line.
    pub(crate) plies: Option<u32>,
    /// Time for the whole move.
    pub(crate) time: Option<Duration>,
}

impl Bounds {
    /// Whether nothing but a stop ends the search.
    pub(crate) fn is_endless(self) -> bool {
        self == Self::default()
    }
}

/// A search to make.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Order {
    pub(crate) bounds: Bounds,
    /// Whether the move that the position ends with is only expected: the bounds do not count
    /// before [`super::Engine::ponder_hit`].
    pub(crate) pondering: bool,
    /// How many moves are reported on.
    pub(crate) lines: usize,
    /// Whether the last report is on all moves.
    pub(crate) all_lines_at_the_end: bool,
}

/// What the thread of an engine is told.
pub(super) enum Task {
    Configure(EngineSettings),
    Forget,
    Go { start: Box<Position>, steps: Vec<Step>, order: Order },
}

/// What may be asked of a search while it runs.
#[derive(Debug, Default)]
pub(super) struct Control {
    asked: Mutex<Asked>,
    changed: Condvar,
}

#[derive(Debug, Clone, Copy)]
struct Asked {
    stop: bool,
    pondering: bool,
    /// Since when the bounds count.
    since: Instant,
}

impl Asked {
    fn has_to_wait(self, endless: bool) -> bool {
        !self.stop && (endless || self.pondering)
    }
}

impl Default for Asked {
    fn default() -> Self {
        Self { stop: false, pondering: false, since: Instant::now() }
    }
}

impl Control {
    fn lock(&self) -> MutexGuard<'_, Asked> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Another order is given.
    pub(super) fn begin(&self, pondering: bool) {
        *self.lock() = Asked { pondering, ..Asked::default() };
    }

    pub(super) fn stop(&self) {
        self.lock().stop = true;
        self.changed.notify_all();
    }

    pub(super) fn ponder_hit(&self) {
        let mut asked = self.lock();
        asked.pondering = false;
        asked.since = Instant::now();
        self.changed.notify_all();
    }

    /// Whether the search was stopped.
    pub(super) fn stopped(&self) -> bool {
        self.lock().stop
    }

    /// How long the bounds have counted; none while they do not.
    pub(super) fn elapsed(&self) -> Option<Duration> {
        let asked = *self.lock();
        (!asked.pondering).then(|| asked.since.elapsed())
    }

    /// Whether [`Control::wait`] would wait.
    pub(super) fn has_to_wait(&self, endless: bool) -> bool {
        self.lock().has_to_wait(endless)
    }

    /// Waits until the search is stopped or, unless `endless`, until it does not ponder (any more).
    pub(super) fn wait(&self, endless: bool) {
        let mut asked = self.lock();
        while asked.has_to_wait(endless) {
            asked = self.changed.wait(asked).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
