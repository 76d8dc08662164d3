//! Ctrl-C: the first one asks the work in hand to end, the second ends the program at once.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context as _;

use crate::progress;

static STOP: AtomicBool = AtomicBool::new(false);

/// The exit code of a program that a second Ctrl-C ends, as shells count signals.
const INTERRUPTED: i32 = 130;

/// The flag that Ctrl-C (or SIGTERM) sets. To be asked for once, by commands that work long.
pub(crate) fn flag() -> anyhow::Result<&'static AtomicBool> {
    ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
        progress::say("stopping; once more to stop at once");
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(&STOP)
}
