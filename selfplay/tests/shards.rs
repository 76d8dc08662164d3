use std::fs;
use std::path::Path;

use proptest::prelude::*;
use proptest::sample::Index;
use selfplay::{
    GameRecord, Shard, ShardError, ShardWriter, list_shards, read_shard, shard_game, shard_path,
    write_shard,
};

use crate::forge::{self, Parts};
use crate::support::{cheskers, contents, games, settings};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// Some games, and the bytes of their shard.
fn sample() -> (Vec<GameRecord>, Vec<u8>) {
    let records = games(settings(1, 6), 3, 6);
    let folder = folder();
    let path = shard_path(folder.path(), 1);
    let len = write_shard(&path, cheskers(), &records).unwrap();
    let bytes = fs::read(path).unwrap();
    assert_eq!(len, bytes.len() as u64);
    (records, bytes)
}

fn read(bytes: &[u8]) -> Result<Shard, ShardError> {
    let folder = folder();
    let path = shard_path(folder.path(), 1);
    fs::write(&path, bytes).unwrap();
    read_shard(&path, cheskers())
}

/// Where a shard says its format.
const FORMAT_AT: usize = 12;

/// A shard with another byte in its head, whose checksum is made to fit.
fn with_head(shard: &[u8], at: usize, value: u8) -> Vec<u8> {
    let mut bytes = shard.to_vec();
    bytes[at] = value;
    let end = 8 + bytes[4] as usize;
    let sum = blake3::hash(&bytes[8..end - 8]);
    bytes[end - 8..end].copy_from_slice(&sum.as_bytes()[..8]);
    bytes
}

/// Whether `found` is a part of `all`, in order.
fn is_part(found: &[GameRecord], all: &[GameRecord]) -> bool {
    let mut rest = contents(all).into_iter();
    contents(found).iter().all(|game| rest.any(|other| other == *game))
}

#[test]
fn records_come_back_as_they_were() {
    let (records, bytes) = sample();
    let shard = read(&bytes).unwrap();
    assert!(shard.bad.is_empty());
    assert_eq!(contents(&shard.games), contents(&records));
    // Anyone's zstd unpacks it.
    assert!(zstd::decode_all(&bytes[..]).unwrap().len() > bytes.len());
    let empty = folder();
    let path = empty.path().join("empty.games.zst");
    write_shard(&path, cheskers(), &[]).unwrap();
    let shard = read_shard(&path, cheskers()).unwrap();
    assert!(shard.games.is_empty() && shard.bad.is_empty());
}

/// It has everything but the resignation, a last byte that says 0 if there was none.
#[test]
fn format_1_is_still_read() {
    let (records, bytes) = sample();
    let mut parts = Parts::of(&bytes);
    for game in &mut parts.games {
        assert_eq!(game.pop(), Some(0), "nobody resigned");
    }
    let shard = read(&with_head(&parts.shard(0), FORMAT_AT, 1)).unwrap();
    assert!(shard.bad.is_empty(), "{:?}", shard.bad);
    assert_eq!(contents(&shard.games), contents(&records));

    // A run that was interrupted by a new version goes on with its games, in the new format.
    let folder = folder();
    let path = shard_path(folder.path(), 1);
    let part = folder.path().join("000001.games.zst.part");
    fs::write(part, with_head(&parts.shard(0), FORMAT_AT, 1)).unwrap();
    let (writer, kept) = ShardWriter::resume(&path, cheskers(), <[_]>::len).unwrap();
    assert_eq!(contents(&kept.games), contents(&records));
    writer.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn a_flipped_bit_costs_one_game_at_most() {
    let (records, bytes) = sample();
    let head = 30;
    let config = ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() };
    proptest!(config, |(at in head..bytes.len(), bit in 0_u32..8)| {
        let mut spoilt = bytes.clone();
        spoilt[at] ^= 1_u8 << bit;
        // Where the head ends depends on the name of the game; a spoilt head is refused.
        let Ok(shard) = read(&spoilt) else {
            prop_assert!(at < 64);
            return Ok(());
        };
        prop_assert_eq!(shard.bad.len(), 1);
        prop_assert!(shard.games.len() + 1 >= records.len());
        prop_assert!(is_part(&shard.games, &records));
        let told = shard.bad[0].to_string();
        prop_assert!(told.contains("000001.games.zst: byte "), "{}", told);
    });
}

#[test]
fn a_truncated_file_gives_what_is_whole() {
    let (records, bytes) = sample();
    for len in (0..bytes.len()).step_by(11).chain(bytes.len() - 40..bytes.len()) {
        let Ok(shard) = read(&bytes[..len]) else {
            assert!(len < 64);
            continue;
        };
        assert_eq!(shard.bad.len(), 1, "{len} of {} bytes", bytes.len());
        let told = shard.bad[0].to_string();
        assert!(
            told.contains("000001.games.zst: ") && told.ends_with("the file is cut off"),
            "{told}"
        );
        assert_eq!(contents(&shard.games), contents(&records[..shard.games.len()]));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_bytes_are_read_without_a_panic(noise in proptest::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(read(&noise).is_err());
        let (records, bytes) = sample();
        let shard = read(&[&bytes[..], &noise].concat()).unwrap();
        prop_assert_eq!(shard.games.len(), records.len());
        prop_assert_eq!(shard.bad.len(), usize::from(!noise.is_empty()));
    }
}

#[test]
fn forged_games_are_confirmed_by_the_rules_or_refused() {
    let (_, bytes) = sample();
    let good = Parts::of(&bytes);
    assert_eq!(read(&good.shard(0)).unwrap().games.len(), good.games.len());
    let config = ProptestConfig { cases: 128, failure_persistence: None, ..Default::default() };
    proptest!(config, |(at in any::<Index>(), edits in forge::edits())| {
        let mut parts = good.clone();
        let at = at.index(parts.games.len());
        parts.games[at] = forge::edited(&parts.games[at], &edits);
        let shard = read(&parts.shard(0)).unwrap();
        prop_assert_eq!(shard.games.len() + shard.bad.len(), good.games.len());
        for record in &shard.games {
            prop_assert!(record.check().is_ok());
            prop_assert!(record.to_text().is_ok());
        }
    });
}

#[test]
fn a_game_is_not_believed_to_be_longer_than_any() {
    let (_, bytes) = sample();
    let mut parts = Parts::of(&bytes);
    // What is claimed costs nothing as long as it is not there.
    assert_eq!(read(&parts.shard(u32::MAX)).unwrap().games.len(), parts.games.len());
    // Zeros pack well: some kilobytes that would be hundreds of megabytes.
    parts.games[0] = vec![0; 1 << 27];
    let shard = read(&parts.shard(0)).unwrap();
    let told = shard.bad[0].reason.to_string();
    assert!(told.starts_with("a game does not unpack: "), "{told}");
}

#[test]
fn lost_and_foreign_bytes_between_games_are_skipped() {
    let (records, bytes) = sample();
    for at in [bytes.len() / 3, bytes.len() / 2] {
        for spoilt in [
            [&bytes[..at], b"foreign", &bytes[at..]].concat(),
            [&bytes[..at], &bytes[at + 1_000..]].concat(),
        ] {
            let shard = read(&spoilt).unwrap();
            assert!(!shard.bad.is_empty());
            assert!(shard.games.len() + 2 >= records.len(), "{} games", shard.games.len());
            assert!(is_part(&shard.games, &records));
        }
    }
}

#[test]
fn only_whole_shards_have_their_name() {
    let folder = folder();
    let path = shard_path(folder.path(), 12);
    let records = games(settings(1, 2), 3, 2);
    let mut writer = ShardWriter::create(&path, cheskers()).unwrap();
    writer.push(&records[0]).unwrap();
    assert!(!path.exists());
    assert!(list_shards(folder.path()).unwrap().is_empty());
    drop(writer);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");

    // A writer that died left this.
    fs::write(folder.path().join("000012.games.zst.part"), "half a shard").unwrap();
    write_shard(&path, cheskers(), &records).unwrap();
    write_shard(&shard_path(folder.path(), 3), cheskers(), &records[..1]).unwrap();
    fs::write(folder.path().join("notes.txt"), "").unwrap();
    let listed: Vec<u32> =
        list_shards(folder.path()).unwrap().into_iter().map(|(number, _)| number).collect();
    assert_eq!(listed, [3, 12]);
    assert_eq!(shard_game(&path).unwrap(), "cheskers");

    let again = write_shard(&path, cheskers(), &records).unwrap_err();
    assert!(matches!(again, ShardError::Exists { .. }), "{again}");
    assert_eq!(read_shard(&path, cheskers()).unwrap().games.len(), 2);
}

#[test]
fn what_a_program_has_left_is_taken_up_and_what_is_spoilt_in_it_is_told() {
    let folder = folder();
    let path = shard_path(folder.path(), 1);
    let part = folder.path().join("000001.games.zst.part");
    let records = games(settings(1, 6), 3, 6);
    let all = <[GameRecord]>::len;
    // The program has not begun it, dies, and has left four games.
    let (mut writer, kept) = ShardWriter::resume(&path, cheskers(), all).unwrap();
    assert!(kept.games.is_empty() && kept.bad.is_empty());
    records[..4].iter().for_each(|record| writer.push(record).unwrap());
    drop(writer);
    let (writer, kept) = ShardWriter::resume(&path, cheskers(), all).unwrap();
    assert!(kept.bad.is_empty(), "that the end is missing is nothing bad");
    assert_eq!(contents(&kept.games), contents(&records[..4]));
    drop(writer);
    // It dies while it writes the fourth.
    let bytes = fs::read(&part).unwrap();
    fs::write(&part, &bytes[..bytes.len() - 7]).unwrap();
    let (writer, kept) = ShardWriter::resume(&path, cheskers(), all).unwrap();
    assert_eq!((kept.games.len(), kept.bad.len(), writer.games()), (3, 1, 3));
    let told = kept.bad[0].to_string();
    assert!(told.contains("000001.games.zst.part: byte "), "{told}");
    drop(writer);
    // Only two are wanted.
    let (mut writer, kept) =
        ShardWriter::resume(&path, cheskers(), |games| games.len() - 1).unwrap();
    assert_eq!(contents(&kept.games), contents(&records[..2]));
    records[2..].iter().for_each(|record| writer.push(record).unwrap());
    writer.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), sample().1, "as if written in one go");
    // Nothing can be known of this.
    let path = shard_path(folder.path(), 2);
    fs::write(folder.path().join("000002.games.zst.part"), "").unwrap();
    let (_, kept) = ShardWriter::resume(&path, cheskers(), all).unwrap();
    assert_eq!((kept.games.len(), kept.bad.len()), (0, 1));
}

#[test]
fn a_bad_record_is_not_written() {
    let folder = folder();
    let path = shard_path(folder.path(), 1);
    let mut records = games(settings(1, 2), 3, 2);
    let step = records[1].steps.iter_mut().find(|step| !step.visited.is_empty()).unwrap();
    step.visited[0].q = half::f16::NAN;
    let refused = write_shard(&path, cheskers(), &records).unwrap_err();
    assert!(matches!(refused, ShardError::Invalid { index: 1, .. }), "{refused}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn what_is_no_shard_of_the_game_is_refused_in_a_sentence() {
    let refuse = |path: &Path, game: &str| {
        let game = games::Game::by_id(game).unwrap();
        read_shard(path, game).unwrap_err().to_string()
    };
    let folder = folder();
    let path = folder.path().join("a.games.zst");
    let named = |rest: &str| format!("{}: {rest}", path.display());
    assert_eq!(
        refuse(&path, "cheskers"),
        named("could not read: No such file or directory (os error 2)")
    );
    for bytes in [&b""[..], b"not a shard at all, but long enough to be one", &[0; 100]] {
        fs::write(&path, bytes).unwrap();
        assert_eq!(refuse(&path, "cheskers"), named("not a file of game records"));
    }
    fs::remove_file(&path).unwrap();
    write_shard(&path, cheskers(), &[]).unwrap();
    assert_eq!(refuse(&path, "chess"), named("records of `cheskers`, not of `chess`"));

    // The head with another fingerprint or format.
    let bytes = fs::read(&path).unwrap();
    for format in [0, 3, 9] {
        fs::write(&path, with_head(&bytes, FORMAT_AT, format)).unwrap();
        let told = format!("game records of format {format}, this program reads formats 1 to 2");
        assert_eq!(refuse(&path, "cheskers"), named(&told));
    }
    fs::write(&path, with_head(&bytes, 14, bytes[14] ^ 1)).unwrap();
    let told = refuse(&path, "cheskers");
    assert!(told.contains("played by other rules of `cheskers` (fingerprint "), "{told}");
}
