//! [`Clock`]: how long a piece of work took, as far as this program is to blame.

use std::time::Instant;

use rustix::time::{ClockId, clock_gettime};

/// A moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    /// Seconds that this thread has run.
    busy: f64,
    start: Instant,
}

impl Clock {
    /// Now.
    pub(super) fn start() -> Self {
        Self { busy: busy(), start: Instant::now() }
    }

    /// Seconds since then that this thread has run: other programs on the machine hardly matter.
    pub(super) fn busy(self) -> f64 {
        busy() - self.busy
    }

    /// Seconds since then on the wall.
    pub(super) fn wall(self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }
}

fn busy() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
