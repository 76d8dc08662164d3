//! Reading shards, spoilt ones too.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use games::Game;

use super::{GAME, GAME_SUM, HEAD, HEAD_SUM, SKIPPABLE, ShardError, TAIL};
use crate::codec::{self, DecodeError, FORMAT, OLDEST_FORMAT};
use crate::record::GameRecord;
use crate::replay::ReplayError;

/// No game is larger; a length above it is not believed.
const MOST_BYTES: usize = 1 << 26;
/// The head of a shard is not longer.
const MOST_HEAD: u64 = 1024;

/// What a shard holds.
#[derive(Debug)]
pub struct Shard {
    /// The games that are whole, in file order; each has passed [`GameRecord::check`].
    pub games: Vec<GameRecord>,
    /// The parts that are not, in file order.
    pub bad: Vec<BadFrame>,
}

/// A part of a shard that could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: byte {at}: {reason}", path.display())]
pub struct BadFrame {
    /// The file.
    pub path: PathBuf,
    /// Where the part begins.
    pub at: usize,
    /// What is wrong with it.
    pub reason: BadReason,
}

/// Why a part of a shard could not be read.
#[derive(Debug, thiserror::Error)]
pub enum BadReason {
    /// So many bytes that belong to no frame.
    #[error("{0} bytes that belong to no game")]
    Lost(usize),
    /// The file does not begin like a shard, and nobody knows of which game the rest is.
    #[error("the file is no file of game records, or its beginning is spoilt")]
    Head,
    /// The file ends within a game or without its tail.
    #[error("the file is cut off")]
    CutOff,
    /// The checksum is another.
    #[error("the checksum of a game does not match")]
    Checksum,
    /// Unpacking failed.
    #[error("a game does not unpack: {0}")]
    Unpack(io::Error),
    /// The bytes are no record.
    #[error("a game does not decode: {0}")]
    Decode(DecodeError),
    /// The rules do not confirm the record.
    #[error("a game does not replay: {0}")]
    Replay(ReplayError),
    /// The tail counts another number of games.
    #[error("the file should hold {0} games")]
    Count(u32),
}

/// Reads the shard of `game` at `path` and replays each of its games.
///
/// Games that are spoilt are left out and listed in [`Shard::bad`]; the rest is returned.
///
/// # Errors
/// If the file cannot be read, is no shard, or belongs to another game, rules or format.
pub fn read_shard(path: &Path, game: &'static Game) -> Result<Shard, ShardError> {
    let failed = |error| ShardError::Io { path: path.to_owned(), action: "read", error };
    let bytes = fs::read(path).map_err(failed)?;
    let Head { format, rest, .. } = open(&bytes, path, game)?;
    let unpacker = zstd::bulk::Decompressor::new().map_err(failed)?;
    let at = bytes.len() - rest.len();
    let (frames, skipped, tail_seen) = (0, false, false);
    let scan = Scan { game, format, bytes: &bytes, at, frames, skipped, tail_seen, unpacker };
    let mut shard = Shard { games: Vec::new(), bad: Vec::new() };
    for (at, frame) in scan {
        match frame {
            Ok(record) => shard.games.push(record),
            Err(reason) => shard.bad.push(BadFrame { path: path.to_owned(), at, reason }),
        }
    }
    Ok(shard)
}

/// Reads what there is of the unfinished shard at `path`, whose end is missing.
pub(super) fn read_part(path: &Path, game: &'static Game) -> Result<Shard, ShardError> {
    let mut shard = match read_shard(path, game) {
        Err(ShardError::NotAShard { path }) => {
            let bad = BadFrame { path, at: 0, reason: BadReason::Head };
            return Ok(Shard { games: Vec::new(), bad: vec![bad] });
        }
        other => other?,
    };
    let failed = |error| ShardError::Io { path: path.to_owned(), action: "read", error };
    let length = fs::metadata(path).map_err(failed)?.len();
    let is_end =
        |bad: &BadFrame| matches!(bad.reason, BadReason::CutOff) && bad.at as u64 == length;
    shard.bad.retain(|bad| !is_end(bad));
    Ok(shard)
}

/// The id of the game whose records the shard at `path` holds.
///
/// # Errors
/// If the file cannot be read or is no shard.
pub fn shard_game(path: &Path) -> Result<String, ShardError> {
    let mut begin = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MOST_HEAD).read_to_end(&mut begin))
        .map_err(|error| ShardError::Io { path: path.to_owned(), action: "read", error })?;
    Ok(head_of_shard(&begin, path)?.id)
}

/// What the head of a shard says, and the bytes behind it.
struct Head<'b> {
    format: u16,
    fingerprint: u64,
    id: String,
    rest: &'b [u8],
}

fn head_of_shard<'b>(bytes: &'b [u8], path: &Path) -> Result<Head<'b>, ShardError> {
    let parse = || {
        let (content, rest) = split_head(bytes, HEAD)?;
        let (format, content) = content.split_first_chunk()?;
        let (fingerprint, id) = content.split_first_chunk()?;
        Some(Head {
            format: u16::from_le_bytes(*format),
            fingerprint: u64::from_le_bytes(*fingerprint),
            id: String::from_utf8_lossy(id).into_owned(),
            rest,
        })
    };
    parse().ok_or_else(|| ShardError::NotAShard { path: path.to_owned() })
}

/// Checks that `bytes` begin a shard of `game`, and returns its head.
fn open<'b>(bytes: &'b [u8], path: &Path, game: &'static Game) -> Result<Head<'b>, ShardError> {
    let head = head_of_shard(bytes, path)?;
    let (path, expected) = (path.to_owned(), game.fingerprint);
    if !(OLDEST_FORMAT..=FORMAT).contains(&head.format) {
        Err(ShardError::Format { path, found: head.format })
    } else if head.id != game.id {
        Err(ShardError::OtherGame { path, found: head.id, expected: game.id })
    } else if head.fingerprint != expected {
        Err(ShardError::OtherRules { path, game: game.id, found: head.fingerprint, expected })
    } else {
        Ok(head)
    }
}

/// The content of the skippable frame with `tag` that `bytes` begin with, and what follows it;
/// `None` if there is no such frame or its checksum does not match.
fn split_head<'b>(bytes: &'b [u8], tag: &[u8; 4]) -> Option<(&'b [u8], &'b [u8])> {
    let rest = bytes.strip_prefix(&SKIPPABLE)?;
    let (size, rest) = rest.split_first_chunk()?;
    let (frame, rest) = rest.split_at_checked(u32::from_le_bytes(*size) as usize)?;
    let (tagged, sum) = frame.split_at_checked(frame.len().checked_sub(HEAD_SUM)?)?;
    let content = tagged.strip_prefix(tag)?;
    (blake3::hash(tagged).as_bytes()[..HEAD_SUM] == *sum).then_some((content, rest))
}

/// A game of a shard as it lies there.
struct Packed<'b> {
    plain_len: usize,
    sum: &'b [u8],
    bytes: &'b [u8],
}

/// Goes through the frames of a shard; yields where each begins, and the game or what is wrong.
struct Scan<'b> {
    game: &'static Game,
    format: u16,
    bytes: &'b [u8],
    at: usize,
    /// Games so far, with those that are spoilt behind their heads.
    frames: u32,
    /// Whether bytes were skipped, so that nobody knows how many games were lost.
    skipped: bool,
    tail_seen: bool,
    unpacker: zstd::bulk::Decompressor<'static>,
}

impl Iterator for Scan<'_> {
    type Item = (usize, Result<GameRecord, BadReason>);

    fn next(&mut self) -> Option<Self::Item> {
        let begin = self.at;
        let rest = &self.bytes[begin..];
        if rest.is_empty() && self.tail_seen {
            return None;
        }
        if !self.tail_seen
            && let Some((content, after)) = split_head(rest, TAIL)
        {
            self.tail_seen = true;
            self.at = self.bytes.len() - after.len();
            let games = content.first_chunk().map_or(0, |games| u32::from_le_bytes(*games));
            return if games == self.frames || self.skipped {
                self.next()
            } else {
                Some((begin, Err(BadReason::Count(games))))
            };
        }
        let found = match split_head(rest, GAME) {
            Some((content, after)) if !self.tail_seen => self.packed(content, after),
            _ => Err(self.lost(rest)),
        };
        Some((begin, found.and_then(|packed| self.unpack(&packed))))
    }
}

impl<'b> Scan<'b> {
    /// The game behind a head with this content. Moves to the frame behind it.
    fn packed(&mut self, content: &'b [u8], after: &'b [u8]) -> Result<Packed<'b>, BadReason> {
        self.frames += 1;
        self.at = self.bytes.len() - after.len();
        let fields = content.split_first_chunk().and_then(|(len, content)| {
            let (plain_len, sum) = content.split_first_chunk()?;
            Some((u32::from_le_bytes(*len) as usize, u32::from_le_bytes(*plain_len) as usize, sum))
        });
        let (len, plain_len, sum) = fields.ok_or(BadReason::Checksum)?;
        let Some((bytes, after)) = after.split_at_checked(len) else {
            return Err(self.cut_off());
        };
        self.at = self.bytes.len() - after.len();
        Ok(Packed { plain_len, sum, bytes })
    }

    fn unpack(&mut self, packed: &Packed<'_>) -> Result<GameRecord, BadReason> {
        if blake3::hash(packed.bytes).as_bytes()[..GAME_SUM] != *packed.sum {
            return Err(BadReason::Checksum);
        }
        let most = packed.plain_len.min(MOST_BYTES);
        let plain = self.unpacker.decompress(packed.bytes, most).map_err(BadReason::Unpack)?;
        let record = codec::decode(&plain, self.game, self.format).map_err(BadReason::Decode)?;
        record.check().map_err(BadReason::Replay)?;
        Ok(record)
    }

    /// Moves over bytes that begin no frame, to the next that do.
    fn lost(&mut self, rest: &[u8]) -> BadReason {
        let begins = |at: &usize| {
            rest[*at..].starts_with(&SKIPPABLE)
                && [GAME, TAIL].iter().any(|&tag| rest[*at + 8..].starts_with(tag))
        };
        self.skipped = true;
        match (1..rest.len().saturating_sub(8)).find(begins) {
            Some(skipped) if !self.tail_seen => {
                self.at += skipped;
                BadReason::Lost(skipped)
            }
            _ if self.tail_seen => {
                self.at = self.bytes.len();
                BadReason::Lost(rest.len())
            }
            _ => self.cut_off(),
        }
    }

    /// Ends the scan.
    fn cut_off(&mut self) -> BadReason {
        self.at = self.bytes.len();
        self.tail_seen = true;
        BadReason::CutOff
    }
}
