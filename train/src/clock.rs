//! [`TrainingClock`]: how long a run has trained.

use std::time::Instant;

use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

/// What the minutes of a run are counted by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClockChoice {
    /// The clock on the wall.
    #[default]
    Wall,
    /// The time that all threads together have had on the processors: two minutes a minute where two
    /// cores are busy, whatever else runs on the machine. Runs that are compared at equal cost want
    /// it; it says nothing of the work of a GPU.
    Processor,
}

/// Seconds of training in a run, all sittings together.
#[derive(Debug)]
pub(crate) struct TrainingClock {
    choice: ClockChoice,
    begun: Instant,
    /// What was added before this sitting, less what was left out since and what the clock showed
    /// when it began.
    offset: f64,
}

/// What a [`TrainingClock`] showed at some moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment(f64);

impl TrainingClock {
    /// One that goes on from `before` seconds.
    pub(crate) fn start(choice: ClockChoice, before: f64) -> Self {
        let mut clock = Self { choice, begun: Instant::now(), offset: 0.0 };
        clock.offset = before - clock.reading();
        clock
    }

    /// Seconds of training until now.
    pub(crate) fn seconds(&self) -> f64 {
        self.offset + self.reading()
    }

    /// Now, for [`Self::leave_out_since`].
    pub(crate) fn now(&self) -> Moment {
        Moment(self.reading())
    }

    /// Takes what has passed since `moment` for something else than training.
    pub(crate) fn leave_out_since(&mut self, Moment(reading): Moment) {
        self.offset -= self.reading() - reading;
    }

    fn reading(&self) -> f64 {
        match self.choice {
            ClockChoice::Wall => self.begun.elapsed().as_secs_f64(),
            ClockChoice::Processor => {
                let busy = clock_gettime(ClockId::ProcessCPUTime);
                busy.tv_sec as f64 + busy.tv_nsec as f64 / 1e9
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_on_from_where_it_stood_and_leaves_out_what_it_is_told_to() {
        for choice in [ClockChoice::Wall, ClockChoice::Processor] {
            let mut clock = TrainingClock::start(choice, 100.0);
            let before = clock.now();
            work();
            let shown = clock.seconds();
            assert!(shown > 100.0, "{choice:?}: {shown}");
            clock.leave_out_since(before);
            let left = clock.seconds();
            assert!(left < shown && left >= 100.0, "{choice:?}: {shown}, then {left}");
        }
    }

    /// Some milliseconds of it.
    fn work() {
        let begun = clock_gettime(ClockId::ThreadCPUTime);
        let spent = || {
            let now = clock_gettime(ClockId::ThreadCPUTime);
            (now.tv_sec - begun.tv_sec) * 1_000_000_000 + (now.tv_nsec - begun.tv_nsec)
        };
        while spent() < 5_000_000 {}
    }
}
