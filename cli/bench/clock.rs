//! [`Clock`]: how long a piece of work took, as far as this program is to blame.

use std::time::Instant;

use rustix::time::{ClockId, clock_gettime};

/// A moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    /// Whose time on a processor counts.
    whose: ClockId,
    /// Seconds of it until then.
    busy: f64,
    start: Instant,
}

impl Clock {
    /// Now, for work of this thread.
    pub(super) fn start() -> Self {
        Self::of(ClockId::ThreadCPUTime)
    }

    /// Now, for work of all threads.
    pub(super) fn of_all_threads() -> Self {
        Self::of(ClockId::ProcessCPUTime)
    }

    fn of(whose: ClockId) -> Self {
        Self { whose, busy: seconds(whose), start: Instant::now() }
    }

    /// Seconds on a processor since then: other programs on the machine hardly matter.
    pub(super) fn busy(self) -> f64 {
        seconds(self.whose) - self.busy
    }

    /// Seconds since then on the wall.
    pub(super) fn wall(self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }
}

fn seconds(whose: ClockId) -> f64 {
    let time = clock_gettime(whose);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
