//! [`Stderr`]: what a program writes to its standard error.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Bytes that are remembered until there is a file for them.
const MOST_HELD: usize = 1 << 16;

/// Bytes that are kept of all that is written.
const MOST_KEPT: usize = 1 << 24;

/// Keeps what the processes of one player write to their standard error: in memory until it is told
/// a file, and there from then on. The file is made when there is something to write; one that cannot
/// be written is given up, since games do not depend on it.
#[derive(Debug, Default)]
pub(crate) struct Stderr(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    held: Vec<u8>,
    file: Place,
    written: usize,
}

#[derive(Debug, Default)]
enum Place {
    #[default]
    Memory,
    File(std::path::PathBuf),
    Open(File),
    Nowhere,
}

impl Stderr {
    /// Adds a line.
    pub(crate) fn write(&self, line: &str) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let room = match kept.file {
            Place::Memory => MOST_HELD.saturating_sub(kept.held.len()),
            _ => MOST_KEPT.saturating_sub(kept.written),
        };
        if line.len() < room {
            kept.held.extend_from_slice(line.as_bytes());
            kept.held.push(b'\n');
            kept.flush();
        }
    }

    /// Appends to the file `path` what has been written so far and what will be.
    pub(crate) fn keep_in(&self, path: &Path) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.file = Place::File(path.to_owned());
        kept.flush();
    }
}

impl Kept {
    fn flush(&mut self) {
        if self.held.is_empty() {
            return;
        }
        if let Place::File(path) = &self.file {
            let opened = File::options().append(true).create(true).open(path);
            self.file = opened.map_or(Place::Nowhere, Place::Open);
        }
        match &mut self.file {
            Place::Memory => return,
            Place::Open(file) => {
                self.written += self.held.len();
                if file.write_all(&self.held).is_err() {
                    self.file = Place::Nowhere;
                }
            }
            Place::File(_) | Place::Nowhere => {}
        }
        self.held.clear();
    }
}
