//! [`Disk`]: where all writes of a run go through, so that a full disk makes it wait.

use std::error::Error;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use crate::events::{Event, Observer};

/// How long to wait before a write is tried again.
const PAUSE: Duration = Duration::from_secs(1);
/// How soon a stop is noticed meanwhile.
const LOOK: Duration = Duration::from_millis(50);

/// Writes of a run. As long as the disk is full they wait, say so, and are tried again.
#[derive(Clone, Copy)]
pub(crate) struct Disk<'r> {
    /// Who is told.
    pub(crate) observer: &'r dyn Observer,
    /// Set it to give up waiting.
    pub(crate) stop: &'r AtomicBool,
}

impl Disk<'_> {
    /// Does `write` until it succeeds or fails for another reason than a full disk. A write that has
    /// failed must leave nothing behind that another attempt would find in its way.
    ///
    /// # Errors
    /// What `write` comes to; also that the disk is full, if there is a stop meanwhile.
    pub(crate) fn write<T, E: Error + 'static>(
        self,
        mut write: impl FnMut() -> Result<T, E>,
    ) -> Result<T, E> {
        let mut waited = false;
        loop {
            match write() {
                Err(error) if is_full(&error) && !self.stopped() => {
                    if !waited {
                        self.note(&format!(
                            "{error}; the run waits until there is room, and loses nothing"
                        ));
                    }
                    waited = true;
                    self.pause();
                }
                Ok(done) => {
                    if waited {
                        self.note("there is room on the disk again: the run goes on");
                    }
                    self.observer.event(&Event::Saved);
                    return Ok(done);
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn note(self, text: &str) {
        self.observer.event(&Event::Note(text));
    }

    fn stopped(self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Waits a little, or until there is a stop.
    fn pause(self) {
        let mut left = PAUSE;
        while !left.is_zero() && !self.stopped() {
            sleep(LOOK);
            left = left.saturating_sub(LOOK);
        }
    }
}

/// Whether `error` comes from a disk, or a user's share of it, without room.
fn is_full(error: &(dyn Error + 'static)) -> bool {
    let is_io = error.downcast_ref::<io::Error>().is_some_and(|error| {
        matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
    });
    is_io || error.source().is_some_and(is_full)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Mutex;

    use model::WriteError;

    use super::*;
    use crate::{LearnError, RunError, RunFolderError};

    /// Remembers the notes, and sets the stop flag after the first if it is asked to.
    struct Listener<'s> {
        notes: Mutex<Vec<String>>,
        stop: Option<&'s AtomicBool>,
    }

    impl Observer for Listener<'_> {
        fn event(&self, event: &Event<'_>) {
            if let Event::Note(note) = event {
                self.notes.lock().unwrap().push((*note).to_owned());
                if let Some(stop) = self.stop {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        }
    }

    fn full() -> io::Error {
        io::ErrorKind::StorageFull.into()
    }

    #[test]
    fn a_full_disk_is_known_in_all_errors_that_a_write_can_end_with() {
        let path = PathBuf::from("x");
        let write = || WriteError { path: path.clone(), bytes: 9, source: full() };
        let errors: [RunError; 4] = [
            RunFolderError::io("write", &path)(full()).into(),
            RunFolderError::from(write()).into(),
            LearnError::from(write()).into(),
            selfplay::ShardError::Io { path: path.clone(), action: "write", error: full() }.into(),
        ];
        for error in errors {
            assert!(is_full(&error), "{error:?}");
        }
        assert!(!is_full(&RunFolderError::io("write", &path)(io::ErrorKind::NotFound.into())));
    }

    #[test]
    fn a_full_disk_is_waited_for_and_told_once() {
        let stop = AtomicBool::new(false);
        let listener = Listener { notes: Mutex::default(), stop: None };
        let disk = Disk { observer: &listener, stop: &stop };
        let mut attempts = 0;
        let done = disk.write(|| {
            attempts += 1;
            if attempts < 3 { Err(full()) } else { Ok(attempts) }
        });
        assert_eq!(done.unwrap(), 3);
        let notes = listener.notes.into_inner().unwrap();
        assert!(notes.len() == 2 && notes[0].contains("the run waits until there is room"));
        assert!(notes[1].contains("there is room"));
    }

    #[test]
    fn a_stop_ends_the_wait_and_other_errors_end_it_at_once() {
        let stop = AtomicBool::new(false);
        let listener = Listener { notes: Mutex::default(), stop: Some(&stop) };
        let disk = Disk { observer: &listener, stop: &stop };
        let gone = disk.write(|| Err::<(), _>(io::Error::from(io::ErrorKind::NotFound)));
        assert_eq!(gone.unwrap_err().kind(), io::ErrorKind::NotFound);
        assert!(listener.notes.lock().unwrap().is_empty());
        let stopped = disk.write(|| Err::<(), _>(full()));
        assert_eq!(stopped.unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(listener.notes.lock().unwrap().len(), 1);
    }
}
