//! [`write_atomically`]: a file is either the old one or the new one, never half of it.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use atomic_write_file::AtomicWriteFile;

/// A file could not be written; the old one, if any, is untouched.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {source}", path.display())]
pub struct WriteError {
    /// The file that was to be written.
    pub path: PathBuf,
    /// What the operating system said.
    pub source: io::Error,
}

/// Writes the file `path` with `write`: aside, flushed to the disk, renamed, the folder flushed. A
/// crash at any moment leaves the old file or the new one.
///
/// # Errors
/// If the file cannot be written, a full disk included; the message names the file.
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    let named = |source| WriteError { path: path.to_owned(), source };
    let mut file = AtomicWriteFile::open(path).map_err(named)?;
    let mut buffered = BufWriter::new(file.as_file_mut());
    write(&mut buffered).and_then(|()| buffered.flush()).map_err(named)?;
    drop(buffered);
    file.commit().map_err(named)
}
