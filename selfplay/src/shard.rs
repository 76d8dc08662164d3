//! Shards: files of game records, immutable once closed.
//!
//! A shard is a valid zstd file, so `zstd -d` opens it: our own headers are zstd's skippable
//! frames. Numbers are little-endian.
//!
//! ```text
//! shard   head, (game head, zstd frame) for each game, tail
//! any head  0x184d2a5a u32, bytes that follow u32, tag [u8; 4], content, blake3 of tag and content [u8; 8]
//! head      tag "RAJA": format u16, fingerprint u64, game id (the rest)
//! game head tag "GAME": bytes compressed u32, bytes plain u32, blake3 of the compressed [u8; 16]
//! tail      tag "TAIL": games u32
//! ```
//!
//! Each game is found by its own head, so a spoilt one costs no other; the tail tells a whole file
//! from one that was cut at a frame's edge.

mod read;

use std::fs::{self, File};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use games::Game;

use read::read_part;
pub use read::{BadFrame, BadReason, Shard, read_shard, shard_game};

use crate::codec::{self, FORMAT, OLDEST_FORMAT};
use crate::record::GameRecord;
use crate::replay::ReplayError;

/// One of the magic numbers that zstd gives away for frames it skips.
const SKIPPABLE: [u8; 4] = 0x184d_2a5a_u32.to_le_bytes();
const HEAD: &[u8; 4] = b"RAJA";
const GAME: &[u8; 4] = b"GAME";
const TAIL: &[u8; 4] = b"TAIL";
const HEAD_SUM: usize = 8;
const GAME_SUM: usize = 16;
/// Fast, and close to the best for records of a few kilobytes.
const LEVEL: i32 = 3;
/// What a shard's name ends with.
const EXTENSION: &str = ".games.zst";

/// A shard could not be written or read at all.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// The system refused.
    #[error("{}: could not {action}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// The system's answer.
        #[source]
        error: io::Error,
    },
    /// There is a shard of this name; shards are never written over.
    #[error("{}: exists already, and game files are never written over", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The file does not begin like a shard.
    #[error("{}: not a file of game records", path.display())]
    NotAShard {
        /// The file.
        path: PathBuf,
    },
    /// The format is not one that this program knows.
    #[error(
        "{}: game records of format {found}, this program reads formats {OLDEST_FORMAT} to {FORMAT}",
        path.display()
    )]
    Format {
        /// The file.
        path: PathBuf,
        /// The format of the file.
        found: u16,
    },
    /// The records are of another game.
    #[error("{}: records of `{found}`, not of `{expected}`", path.display())]
    OtherGame {
        /// The file.
        path: PathBuf,
        /// The game of the file.
        found: String,
        /// The game asked for.
        expected: &'static str,
    },
    /// The records were played by other rules.
    #[error(
        "{}: played by other rules of `{game}` (fingerprint {found:016x}, now {expected:016x})",
        path.display()
    )]
    OtherRules {
        /// The file.
        path: PathBuf,
        /// The game.
        game: &'static str,
        /// The fingerprint in the file.
        found: u64,
        /// The fingerprint of the rules.
        expected: u64,
    },
    /// A record that does not replay was to be written.
    #[error("{}: game {index} of seed {seed} is no valid record: {error}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The number of the game in the file, from 0.
        index: usize,
        /// The seed of the game.
        seed: u64,
        /// What is wrong with it.
        error: ReplayError,
    },
}

/// The name of shard `number` in `folder`: `000123.games.zst`.
#[must_use]
pub fn shard_path(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("{number:06}{EXTENSION}"))
}

/// The closed shards of `folder`, with their numbers, in ascending order. Other files, unfinished
/// shards among them, are passed over.
///
/// # Errors
/// If the folder cannot be listed.
pub fn list_shards(folder: &Path) -> Result<Vec<(u32, PathBuf)>, ShardError> {
    let failed = |error| ShardError::Io { path: folder.to_owned(), action: "list", error };
    let mut shards = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let number = name.and_then(|name| name.strip_suffix(EXTENSION));
        if let Some(number) = number.and_then(|digits| digits.parse().ok()) {
            shards.push((number, path));
        }
    }
    shards.sort_unstable();
    Ok(shards)
}

/// Writes a whole shard: [`ShardWriter`] in one call. Returns its length in bytes.
///
/// # Errors
/// As [`ShardWriter`]; no file is left behind then.
pub fn write_shard(
    path: &Path,
    game: &'static Game,
    records: &[GameRecord],
) -> Result<u64, ShardError> {
    let mut writer = ShardWriter::create(path, game)?;
    records.iter().try_for_each(|record| writer.push(record))?;
    writer.finish()
}

/// Writes a shard game by game, under a name of its own until [`ShardWriter::finish`].
///
/// Dropped before that, it removes what it has written. If the program dies, the unfinished file
/// stays under its name with `.part` added, which the next writer of that shard takes over.
///
/// A game is written in one go. What a full disk took of it is cut off again, so that
/// [`ShardWriter::push`] may be tried anew.
pub struct ShardWriter {
    game: &'static Game,
    path: PathBuf,
    part: PathBuf,
    file: File,
    packer: zstd::bulk::Compressor<'static>,
    plain: Vec<u8>,
    games: u32,
    bytes: u64,
    /// Whether the file is to stay when this is dropped.
    stays: bool,
}

impl std::fmt::Debug for ShardWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ShardWriter").field("path", &self.path).finish_non_exhaustive()
    }
}

impl ShardWriter {
    /// Begins the shard of `game` that will stand at `path`.
    ///
    /// # Errors
    /// If a shard stands there already or the file cannot be made.
    pub fn create(path: &Path, game: &'static Game) -> Result<Self, ShardError> {
        Self::begin(path, part_of(path), game)
    }

    /// Goes on with the shard that will stand at `path` where a program left it that died or
    /// paused, and gives back what it had written, as [`read_shard`] does; that the end is still
    /// missing is nothing bad. Of the games that are whole, `keep` says how many stay, from the
    /// first on; the shard given back holds no others. Games pushed from now on are
    /// safe from the death of this program, and stay for the next one even if this writer is
    /// dropped.
    ///
    /// # Errors
    /// If a shard stands there already, or what was left cannot be read or is of another game.
    pub fn resume(
        path: &Path,
        game: &'static Game,
        keep: impl FnOnce(&[GameRecord]) -> usize,
    ) -> Result<(Self, Shard), ShardError> {
        let part = part_of(path);
        let mut kept = match part.exists() {
            true => read_part(&part, game)?,
            false => Shard { games: Vec::new(), bad: Vec::new() },
        };
        kept.games.truncate(keep(&kept.games));
        // What was left is replaced in one go, so that its games are never only in memory.
        let mut aside = part.clone().into_os_string();
        aside.push(".new");
        let mut writer = Self::begin(path, aside.into(), game)?;
        kept.games.iter().try_for_each(|record| writer.push(record))?;
        writer.flush()?;
        fs::rename(&writer.part, &part).map_err(|error| writer.failed("rename", error))?;
        writer.part = part;
        writer.stays = true;
        Ok((writer, kept))
    }

    fn begin(path: &Path, part: PathBuf, game: &'static Game) -> Result<Self, ShardError> {
        let path = path.to_owned();
        if path.exists() {
            return Err(ShardError::Exists { path });
        }
        let failed = |error| ShardError::Io { path: part.clone(), action: "create", error };
        let file = File::create(&part).map_err(failed)?;
        let packer = zstd::bulk::Compressor::new(LEVEL).map_err(failed)?;
        let plain = Vec::new();
        let (games, bytes, stays) = (0, 0, false);
        let mut writer = Self { game, path, part, file, packer, plain, games, bytes, stays };
        let mut content = FORMAT.to_le_bytes().to_vec();
        content.extend(game.fingerprint.to_le_bytes());
        content.extend(game.id.as_bytes());
        writer.put(&head(HEAD, &content))?;
        Ok(writer)
    }

    /// Adds a game, after [`GameRecord::check`]: nothing that does not replay reaches the disk.
    ///
    /// # Errors
    /// If the record is of another game, does not pass, or the disk refuses.
    pub fn push(&mut self, record: &GameRecord) -> Result<(), ShardError> {
        let path = || self.path.clone();
        if record.game.id != self.game.id {
            let (found, expected) = (record.game.id.to_owned(), self.game.id);
            return Err(ShardError::OtherGame { path: path(), found, expected });
        }
        record.check().map_err(|error| ShardError::Invalid {
            path: path(),
            index: self.games as usize,
            seed: record.seed,
            error,
        })?;
        self.plain.clear();
        codec::encode(record, &mut self.plain);
        let packed =
            self.packer.compress(&self.plain).map_err(|error| self.failed("pack", error))?;
        let mut content = (packed.len() as u32).to_le_bytes().to_vec();
        content.extend((self.plain.len() as u32).to_le_bytes());
        content.extend(&blake3::hash(&packed).as_bytes()[..GAME_SUM]);
        let mut frame = head(GAME, &content);
        frame.extend(packed);
        self.put(&frame)?;
        self.games += 1;
        Ok(())
    }

    /// Puts everything so far on the disk.
    fn flush(&mut self) -> Result<(), ShardError> {
        self.file.sync_all().map_err(|error| self.failed("flush", error))
    }

    /// The number of games so far.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Closes the shard: writes its tail, flushes it to the disk and gives it its name. Returns its
    /// length in bytes.
    ///
    /// # Errors
    /// If the disk refuses. No shard stands at the path then, unless only the flushing of its
    /// folder failed.
    pub fn finish(mut self) -> Result<u64, ShardError> {
        self.put(&head(TAIL, &self.games.to_le_bytes()))?;
        self.flush()?;
        fs::rename(&self.part, &self.path).map_err(|error| self.failed("rename", error))?;
        self.stays = true;
        let folder = match self.path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        // The new name is on the disk when its folder is.
        File::open(folder)
            .and_then(|folder| folder.sync_all())
            .map_err(|error| self.failed("flush the folder of", error))?;
        Ok(self.bytes)
    }

    /// Writes `bytes` at the end of the file, or nothing.
    fn put(&mut self, bytes: &[u8]) -> Result<(), ShardError> {
        if let Err(error) = self.file.write_all(bytes) {
            // If this fails too, readers skip what is left.
            let _ = self.file.set_len(self.bytes);
            let _ = self.file.seek(SeekFrom::Start(self.bytes));
            return Err(self.failed("write", error));
        }
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    fn failed(&self, action: &'static str, error: io::Error) -> ShardError {
        ShardError::Io { path: self.part.clone(), action, error }
    }
}

impl Drop for ShardWriter {
    fn drop(&mut self) {
        if !self.stays {
            // A leftover would be harmless: the next writer takes it over.
            fs::remove_file(&self.part).ok();
        }
    }
}

/// The name of an unfinished shard.
fn part_of(path: &Path) -> PathBuf {
    let mut part = path.to_owned().into_os_string();
    part.push(".part");
    part.into()
}

/// A skippable frame with this tag and content.
fn head(tag: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let tagged = [tag, content].concat();
    let sum = blake3::hash(&tagged);
    let size = (tagged.len() + HEAD_SUM) as u32;
    [&SKIPPABLE, &size.to_le_bytes()[..], &tagged, &sum.as_bytes()[..HEAD_SUM]].concat()
}
