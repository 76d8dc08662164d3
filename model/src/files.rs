//! [`write_atomically`]: a file is either the old one or the new one, never half of it.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use atomic_write_file::AtomicWriteFile;

/// A file could not be written; the old one, if any, is untouched.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {source}{}", path.display(), room(*bytes))]
pub struct WriteError {
    /// The file that was to be written.
    pub path: PathBuf,
    /// How long it was going to be, as far as that was known when the system refused.
    pub bytes: u64,
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
    let mut bytes = 0;
    let done = AtomicWriteFile::open(path).and_then(|mut file| {
        let mut buffered = BufWriter::new(Counted { inner: file.as_file_mut(), bytes: &mut bytes });
        write(&mut buffered).and_then(|()| buffered.flush())?;
        drop(buffered);
        file.commit()
    });
    done.map_err(|source| WriteError { path: path.to_owned(), bytes, source })
}

/// What a file of so many bytes needs, in words.
fn room(bytes: u64) -> String {
    if bytes == 0 { String::new() } else { format!(", the file takes {bytes} bytes") }
}

/// Counts what is to be written, also if it is refused.
struct Counted<'f> {
    inner: &'f mut std::fs::File,
    bytes: &'f mut u64,
}

impl Write for Counted<'_> {
    fn write(&mut self, content: &[u8]) -> io::Result<usize> {
        self.write_all(content).map(|()| content.len())
    }

    fn write_all(&mut self, content: &[u8]) -> io::Result<()> {
        *self.bytes += content.len() as u64;
        self.inner.write_all(content)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
