//! Files of game records under random bytes for minutes, records of every game; pools of all sizes.
//! `make torture` runs it.
//!
//! Each run with bytes tries others. A failure tells its seed, and `TORTURE_SEED=... make torture` begins with
//! the same bytes.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod forge;
#[allow(dead_code, reason = "the everyday tests use all of it")]
mod support;

use std::fs;
use std::hash::{BuildHasher as _, RandomState};
use std::time::{Duration, Instant};

use games::Game;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use selfplay::{RecordStats, Replayer, Shard, ShardError, read_shard, shard_path, write_shard};

use forge::Parts;
use support::{contents, games_of, plays_to_the_end, settings};

/// How long each test looks for trouble.
const TIME: Duration = Duration::from_secs(60);

/// How many files are tried on a game before the next has its turn.
const CASES: u32 = 50;

/// Games a file, and plies a game.
const GAMES: u64 = 3;
const PLIES: u32 = 12;

/// Good records of one game and their file.
struct Sample {
    game: &'static Game,
    contents: Vec<String>,
    bytes: Vec<u8>,
    folder: tempfile::TempDir,
}

impl Sample {
    fn new(game: &'static Game) -> Self {
        let mut settings = settings(1, GAMES as usize);
        settings.cut_off_plies = Some(PLIES);
        let records = games_of(game, settings, 3, GAMES);
        let folder = tempfile::tempdir().unwrap();
        let path = shard_path(folder.path(), 1);
        write_shard(&path, game, &records).unwrap();
        let bytes = fs::read(path).unwrap();
        Self { game, contents: contents(&records), bytes, folder }
    }

    fn read(&self, bytes: &[u8]) -> Result<Shard, ShardError> {
        let path = shard_path(self.folder.path(), 2);
        fs::write(&path, bytes).unwrap();
        read_shard(&path, self.game)
    }
}

/// Everything that is done with what a file holds.
fn use_all(game: &'static Game, shard: &Shard) {
    let mut stats = RecordStats::default();
    stats.add_shard(shard);
    assert_eq!(stats.games, shard.games.len() as u64);
    let mut replayer = Replayer::new(game);
    for record in &shard.games {
        record.check().unwrap();
        assert!(record.to_text().unwrap().starts_with("[Variant \""));
        for (index, step) in record.steps.iter().enumerate() {
            let moment = replayer.sample_at(record, index).unwrap();
            let mut policy = Vec::new();
            if let Some(target) = &step.target {
                target.write(moment.legal.len(), &mut policy);
                assert!((policy.iter().sum::<f32>() - 1.0).abs() < 0.01, "{policy:?}");
            }
            let _ = (record.net_at(index), record.opening_len());
        }
    }
    shard.bad.iter().for_each(|bad| assert!(bad.to_string().contains("byte ")));
}

/// The seed told by a failure, or a new one.
fn first_seed() -> u64 {
    match std::env::var("TORTURE_SEED") {
        Ok(text) => text.parse().expect("TORTURE_SEED is a whole number"),
        Err(_) => RandomState::new().hash_one(0) >> 1,
    }
}

/// Shows `check` some values with a file of each game in turn, until the time is over.
fn torture<S: Strategy>(values: &S, check: impl Fn(&Sample, S::Value)) {
    let samples: Vec<Sample> = Game::all().iter().map(Sample::new).collect();
    let (begin, seed) = (Instant::now(), first_seed());
    for seed in seed.. {
        for sample in &samples {
            let config =
                ProptestConfig { cases: CASES, failure_persistence: None, ..Default::default() };
            let mut bytes = [0; 32];
            bytes[..8].copy_from_slice(&seed.to_le_bytes());
            let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
            let checked = |value| {
                check(sample, value);
                Ok(())
            };
            if let Err(error) = TestRunner::new_with_rng(config, random).run(values, checked) {
                panic!("records of {}, seed {seed}: {error}", sample.game.id);
            }
        }
        if begin.elapsed() > TIME {
            return;
        }
    }
}

#[test]
fn any_bytes_are_read_without_a_panic() {
    let noise = prop::collection::vec(any::<u8>(), 0..2000);
    torture(&(noise, any::<bool>()), |sample, (noise, behind)| {
        if behind {
            let shard = sample.read(&[&sample.bytes[..], &noise].concat()).unwrap();
            assert_eq!(contents(&shard.games), sample.contents);
            use_all(sample.game, &shard);
        } else {
            assert!(sample.read(&noise).is_err());
        }
    });
}

#[test]
fn spoilt_files_give_back_whole_games_only() {
    torture(&forge::edits(), |sample, edits| {
        let Ok(shard) = sample.read(&forge::edited(&sample.bytes, &edits)) else { return };
        let found = contents(&shard.games);
        assert!(found.iter().all(|game| sample.contents.contains(game)));
        use_all(sample.game, &shard);
    });
}

#[test]
fn forged_games_are_true_to_the_rules_or_refused() {
    let claimed = prop_oneof![8 => Just(0), 1 => 0..100_u32, 1 => Just(u32::MAX)];
    torture(&(any::<Index>(), forge::edits(), claimed), |sample, (at, edits, claimed)| {
        let mut parts = Parts::of(&sample.bytes);
        let games = parts.games.len();
        let at = at.index(games);
        parts.games[at] = forge::edited(&parts.games[at], &edits);
        let shard = sample.read(&parts.shard(claimed)).unwrap();
        assert_eq!(shard.games.len() + shard.bad.len(), games);
        assert!(shard.bad.len() <= 1);
        use_all(sample.game, &shard);
    });
}

#[test]
fn pools_of_all_sizes_come_to_an_end() {
    for workers in [1, 2, 3, 7, 16] {
        for games in [1, 2, 3, 64, 511, 512] {
            for batch in [1, 2, 31, 512, 1024] {
                for goal in [1, 2, 700] {
                    plays_to_the_end(workers, games, batch, goal);
                }
            }
        }
    }
}
