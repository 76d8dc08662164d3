//! What goes to stderr beside the results.

use std::fmt::Display;
use std::io::{IsTerminal as _, Write as _};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Writes one line to stderr. Nobody has to be there to read it.
pub(crate) fn say(line: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// How long a log stays silent at most while something is going on.
const SILENCE: Duration = Duration::from_secs(15);

/// How far a long piece of work is: a bar on a terminal, a line now and then in a log.
pub(crate) struct Meter {
    /// Hidden unless stderr is a terminal.
    bar: ProgressBar,
    last_line: Mutex<Instant>,
}

impl Meter {
    /// A meter that shows nothing yet.
    pub(crate) fn new() -> Self {
        let style = ProgressStyle::with_template("{prefix} [{bar:30}] {pos}/{len} {msg}")
            .expect("the template is valid")
            .progress_chars("=> ");
        Self { bar: ProgressBar::new(0).with_style(style), last_line: Mutex::new(Instant::now()) }
    }

    /// Shows that so many of `total` pieces of work called `what` are done, and how it stands.
    pub(crate) fn show(&self, what: impl Display, done: u64, total: u64, standing: impl Display) {
        if std::io::stderr().is_terminal() {
            self.bar.update(|state| {
                state.set_len(total);
                state.set_pos(done);
            });
            self.bar.set_prefix(what.to_string());
            self.bar.set_message(standing.to_string());
        } else if self.silent_for() >= SILENCE {
            self.say(format_args!("{what} {done} of {total}: {standing}"));
        }
    }

    /// Writes a line that stays, above the bar.
    pub(crate) fn say(&self, line: impl Display) {
        *self.last_line.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        self.bar.suspend(|| say(line));
    }

    fn silent_for(&self) -> Duration {
        self.last_line.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
