//! [`Lock`]: what only one process at a time may do.

use std::fs::{File, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A file that this process has locked; its id is in it. The operating system lets go of it when the
/// process ends, however it ends.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

/// A lock that cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process has it.
    #[error("held by process {holder}")]
    Held {
        /// The id of the process, as far as it is known.
        holder: String,
    },
    /// The file system failed.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was being done.
        action: &'static str,
        /// To which file.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
}

impl LockError {
    fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }
}

impl Lock {
    /// Locks the file `path`, which is made if need be. Whoever asks for the [`Self::holder`] shares
    /// it for an instant, which is waited for.
    ///
    /// # Errors
    /// If another process has it, or the file cannot be used.
    pub fn take(path: &Path) -> Result<Self, LockError> {
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(LockError::io("open", path))?;
        let mut locked = file.try_lock();
        for _ in 0..5 {
            if !matches!(locked, Err(TryLockError::WouldBlock)) {
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
            locked = file.try_lock();
        }
        match locked {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LockError::Held { holder: read(path)? }),
            Err(TryLockError::Error(error)) => return Err(LockError::io("lock", path)(error)),
        }
        file.set_len(0)
            .and_then(|()| write!(file, "{}", std::process::id()))
            .map_err(LockError::io("write", path))?;
        Ok(Self { _file: file })
    }

    /// The id of the process that has locked the file `path`, if there is one.
    ///
    /// # Errors
    /// If the file is there and cannot be used.
    pub fn holder(path: &Path) -> Result<Option<String>, LockError> {
        let file = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            other => other.map_err(LockError::io("open", path))?,
        };
        match file.try_lock_shared() {
            Ok(()) => Ok(None),
            Err(TryLockError::WouldBlock) => read(path).map(Some),
            Err(TryLockError::Error(error)) => Err(LockError::io("lock", path)(error)),
        }
    }
}

/// The id in the file.
fn read(path: &Path) -> Result<String, LockError> {
    let mut holder = String::new();
    File::open(path)
        .and_then(|mut file| file.read_to_string(&mut holder))
        .map_err(LockError::io("read", path))?;
    Ok(holder.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time_has_it_and_the_others_are_told_who() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        assert_eq!(Lock::holder(&path).unwrap(), None);
        let lock = Lock::take(&path).unwrap();
        let own = std::process::id().to_string();
        assert_eq!(Lock::holder(&path).unwrap(), Some(own.clone()));
        let refused = Lock::take(&path).unwrap_err();
        assert_eq!(refused.to_string(), format!("held by process {own}"));
        drop(lock);
        assert_eq!(Lock::holder(&path).unwrap(), None);
        Lock::take(&path).unwrap();
        let absent = folder.path().join("absent/lock");
        assert!(matches!(Lock::take(&absent), Err(LockError::Io { action: "open", .. })));
    }
}
