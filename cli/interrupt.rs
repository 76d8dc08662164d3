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

/// Whether there is work that [`Breaks`] end, and not the program.
static AT_WORK: AtomicBool = AtomicBool::new(false);

/// Ctrl-C (or SIGTERM) for a command that works now and then: it ends the work in hand, or if there
/// is none, the program.
#[derive(Debug)]
pub(crate) struct Breaks(());

impl Breaks {
    /// To be asked for once.
    pub(crate) fn heard() -> anyhow::Result<Self> {
        ctrlc::set_handler(|| {
            if !AT_WORK.load(Ordering::Relaxed) || STOP.swap(true, Ordering::Relaxed) {
                std::process::exit(INTERRUPTED);
            }
        })
        .context("cannot listen for Ctrl-C")?;
        Ok(Self(()))
    }

    /// Does `work`, which has to end when the flag is set.
    pub(crate) fn end<T>(&self, work: impl FnOnce(&AtomicBool) -> T) -> T {
        STOP.store(false, Ordering::Relaxed);
        AT_WORK.store(true, Ordering::Relaxed);
        let done = work(&STOP);
        AT_WORK.store(false, Ordering::Relaxed);
        done
    }
}
