//! What goes to stderr beside the results.

use std::fmt::Display;
use std::io::{IsTerminal as _, Write as _};
use std::sync::Mutex;
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
    what: &'static str,
    total: u64,
    /// Hidden unless stderr is a terminal.
    bar: ProgressBar,
    last_line: Mutex<Instant>,
}

impl Meter {
    /// Nothing done of `total` pieces of work called `what`.
    pub(crate) fn new(what: &'static str, total: u64) -> Self {
        let style = ProgressStyle::with_template("{prefix} [{bar:30}] {pos}/{len} {msg}")
            .expect("the template is valid")
            .progress_chars("=> ");
        let bar = ProgressBar::new(total).with_style(style).with_prefix(what);
        Self { what, total, bar, last_line: Mutex::new(Instant::now()) }
    }

    /// Shows that so many pieces are done, and how it stands.
    pub(crate) fn show(&self, done: u64, standing: impl Display) {
        self.bar.set_position(done);
        self.bar.set_message(standing.to_string());
        if std::io::stderr().is_terminal() {
            return;
        }
        let mut last = self.last_line.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if last.elapsed() >= SILENCE {
            *last = Instant::now();
            say(format_args!("{} {done} of {}: {standing}", self.what, self.total));
        }
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
