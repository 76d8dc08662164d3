//! Shards with spoilt bytes, and shards whose games are spoilt but whose checksums fit: made as
//! `shard.rs` documents the format, with nothing of its code.

use proptest::prelude::*;
use proptest::sample::Index;

const SKIPPABLE: [u8; 4] = 0x184d_2a5a_u32.to_le_bytes();
const LEVEL: i32 = 3;

/// A change of some bytes.
#[derive(Debug, Clone)]
pub(crate) enum Edit {
    Set(Index, u8),
    Flip(Index, u8),
    Insert(Index, Vec<u8>),
    Delete(Index, usize),
    /// Bytes from the one place come again at the other.
    Copy(Index, Index, usize),
    Cut(Index),
}

/// A few changes.
pub(crate) fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let bytes = prop_oneof![
        3 => prop::collection::vec(any::<u8>(), 1..12),
        1 => Just(vec![0xff; 5]),
        1 => Just(vec![0; 8]),
    ];
    let telling = prop_oneof![any::<u8>(), prop::sample::select(vec![0, 1, 0x7f, 0x80, 0xff])];
    let edit = prop_oneof![
        3 => (any::<Index>(), telling).prop_map(|(at, byte)| Edit::Set(at, byte)),
        3 => (any::<Index>(), 0..8_u8).prop_map(|(at, bit)| Edit::Flip(at, bit)),
        1 => (any::<Index>(), bytes).prop_map(|(at, bytes)| Edit::Insert(at, bytes)),
        1 => (any::<Index>(), 1..40_usize).prop_map(|(at, len)| Edit::Delete(at, len)),
        1 => (any::<Index>(), any::<Index>(), 1..400_usize)
            .prop_map(|(from, to, len)| Edit::Copy(from, to, len)),
        1 => any::<Index>().prop_map(Edit::Cut),
    ];
    prop::collection::vec(edit, 1..4)
}

/// `bytes` with these changes.
pub(crate) fn edited(bytes: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for edit in edits {
        let length = bytes.len();
        if length == 0 {
            break;
        }
        match edit {
            Edit::Set(at, byte) => bytes[at.index(length)] = *byte,
            Edit::Flip(at, bit) => bytes[at.index(length)] ^= 1 << bit,
            Edit::Insert(at, more) => {
                let at = at.index(length);
                bytes.splice(at..at, more.iter().copied());
            }
            Edit::Delete(at, len) => {
                let at = at.index(length);
                bytes.drain(at..length.min(at + len));
            }
            Edit::Copy(from, to, len) => {
                let (from, to) = (from.index(length), to.index(length));
                let part = bytes[from..length.min(from + len)].to_vec();
                bytes.splice(to..to, part);
            }
            Edit::Cut(at) => bytes.truncate(at.index(length)),
        }
    }
    bytes
}

/// A skippable frame with its checksum.
fn frame(tag: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let tagged = [tag, content].concat();
    let sum = blake3::hash(&tagged);
    let size = tagged.len() as u32 + 8;
    [&SKIPPABLE[..], &size.to_le_bytes(), &tagged, &sum.as_bytes()[..8]].concat()
}

/// What a shard is made of.
#[derive(Debug, Clone)]
pub(crate) struct Parts {
    head: Vec<u8>,
    /// The bytes of each game, unpacked.
    pub(crate) games: Vec<Vec<u8>>,
}

impl Parts {
    /// Takes a good shard apart.
    pub(crate) fn of(shard: &[u8]) -> Self {
        let number = |at: usize| u32::from_le_bytes(shard[at..at + 4].try_into().unwrap()) as usize;
        let mut at = 8 + number(4);
        let head = shard[..at].to_vec();
        let mut games = Vec::new();
        while shard[at + 8..].starts_with(b"GAME") {
            let (size, packed, plain) = (number(at + 4), number(at + 12), number(at + 16));
            at += 8 + size;
            games.push(zstd::bulk::decompress(&shard[at..at + packed], plain).unwrap());
            at += packed;
        }
        Self { head, games }
    }

    /// Puts a shard together, with all checksums in order. Each game claims to be `claimed` bytes
    /// longer than it is.
    pub(crate) fn shard(&self, claimed: u32) -> Vec<u8> {
        let mut shard = self.head.clone();
        for plain in &self.games {
            let packed = zstd::bulk::compress(plain, LEVEL).unwrap();
            let mut content = (packed.len() as u32).to_le_bytes().to_vec();
            content.extend((plain.len() as u32).saturating_add(claimed).to_le_bytes());
            content.extend(&blake3::hash(&packed).as_bytes()[..16]);
            shard.extend(frame(b"GAME", &content));
            shard.extend(packed);
        }
        shard.extend(frame(b"TAIL", &(self.games.len() as u32).to_le_bytes()));
        shard
    }
}
