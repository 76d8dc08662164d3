//! Killing `raja train` and starting it again.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::process::Child;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use games::Game;
use rand::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

use crate::program::{begun, ended};

/// A run of a few seconds that goes through every phase again and again.
pub(crate) const CONFIG: &str = r#"
[run]
game = "cheskers"
device = "cpu"
generations = 8
games = 8
[network]
blocks = 1
channels = 8
policy_dim = 4
policy_cell_dim = 2
[selfplay]
workers = 2
games_per_worker = 4
[selfplay.search]
simulations = 8
[replay]
minimum = 100
window = 400
passes = 4.0
[learner]
batch = 16
[table]
games = 4
simulations = 2
opponents = ["random"]
baseline = []
[ladder]
every = 4
games = 2
simulations = 2
ancestors = 1
opponents = ["random", "greedy"]
"#;

/// A folder with [`CONFIG`] as `short.toml`, to run the program in.
pub(crate) fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("short.toml"), CONFIG).unwrap();
    folder
}

/// Starts the run in `folder`.
pub(crate) fn start(folder: &Path) -> Child {
    start_with(folder, &[])
}

/// Starts the run in `folder` with other values for some keys.
fn start_with(folder: &Path, sets: &[&str]) -> Child {
    let sets = sets.iter().flat_map(|set| ["--set", set]);
    let args: Vec<&str> = ["train", "short.toml"].into_iter().chain(sets).collect();
    begun(folder, &args)
}

/// The seeds of all games of the run that are whole on the disk.
fn seeds(run: &Path) -> HashSet<u64> {
    let game = Game::by_id("cheskers").unwrap();
    let Ok(files) = std::fs::read_dir(run.join("games")) else { return HashSet::new() };
    let paths = files.map(|file| file.unwrap().path());
    let whole = paths.filter(|path| path.extension().is_some_and(|e| e == "zst" || e == "part"));
    // A file that was killed before its head was written has no games.
    let shards = whole.filter_map(|path| selfplay::read_shard(&path, game).ok());
    shards.flat_map(|shard| shard.games.into_iter().map(|game| game.seed)).collect()
}

/// Makes the run short, and the same whoever plays its games.
const SAME: [&str; 9] = [
    "run.generations=4",
    "run.games=4",
    "selfplay.search.simulations=2",
    "selfplay.reproducible=true",
    "selfplay.batch=1",
    "selfplay.cut_off_plies=20",
    "replay.minimum=20",
    "replay.passes=1.0",
    "table.games=2",
];

/// What a complete run has come to: its games, checkpoints and learner byte by byte, its count of
/// games, and the figures of each generation but for those of the clock.
#[derive(Debug, PartialEq)]
struct Outcome {
    files: BTreeMap<String, Vec<u8>>,
    generations: Value,
    lines: Vec<Value>,
}

impl Outcome {
    /// The outcome of the run in `folder`.
    fn of(folder: &Path) -> Self {
        let run = folder.join("runs/short");
        let mut files = BTreeMap::new();
        for part in ["games", "checkpoints", "optimizer"] {
            for file in std::fs::read_dir(run.join(part)).unwrap() {
                let path = file.unwrap().path();
                files.insert(path.strip_prefix(&run).unwrap().display().to_string(), path);
            }
        }
        let read = |name: &str| std::fs::read_to_string(run.join(name)).unwrap();
        let state: Value = serde_json::from_str(&read("state.json")).unwrap();
        let lines = read("metrics.jsonl");
        let lines = lines.lines().map(|line| {
            let mut line: Value = serde_json::from_str(line).unwrap();
            let kept = ["generation", "step", "games", "rows", "losses", "validation", "white"];
            line.as_object_mut().unwrap().retain(|key, _| kept.contains(&key.as_str()));
            line
        });
        Self {
            generations: state["generations"].clone(),
            lines: lines.collect(),
            files: files.into_iter().map(|(n, path)| (n, std::fs::read(path).unwrap())).collect(),
        }
    }

    /// Checks what can be said of a run without another: all is counted once.
    fn check(&self, run: &Path) {
        let game = Game::by_id("cheskers").unwrap();
        let generations = self.generations.as_array().unwrap();
        assert_eq!(generations.len(), 4);
        let mut seeds = HashSet::new();
        let (mut rows, mut games) = (0, 0);
        for (generation, counted) in (0..).zip(generations) {
            let shard =
                selfplay::read_shard(&selfplay::shard_path(&run.join("games"), generation), game);
            let shard = shard.unwrap();
            assert!(shard.bad.is_empty(), "{:?}", shard.bad);
            let count = |name: &str| counted[name].as_u64().unwrap();
            assert_eq!((shard.games.len() as u64, count("games")), (4, 4));
            let found: usize = shard.games.iter().map(|game| train::rows_of(game).len()).sum();
            assert_eq!(found as u64, count("rows") + count("validation"));
            assert!(shard.games.iter().all(|game| seeds.insert(game.seed)), "a game came twice");
            (rows, games) = (rows + count("rows"), games + 4);
            let line = &self.lines[generation as usize];
            assert_eq!((&line["generation"], &line["games"]), (&generation.into(), &games.into()));
            assert_eq!(line["rows"], rows);
        }
        assert_eq!(self.lines.len(), 4, "each generation has one line");
        let ladder = std::fs::read_to_string(run.join("ladder.json")).unwrap();
        let ladder: Value = serde_json::from_str(&ladder).unwrap();
        let encounters = ladder["encounters"].as_array().unwrap();
        // Two checkpoints with the reference players and with each other, and these.
        assert!(encounters.len() >= 3 && encounters.len() <= 6, "{ladder}");
        let games = encounters.iter().map(|encounter| encounter["openings"].as_u64().unwrap());
        assert!(games.into_iter().all(|pairs| pairs <= 1), "no match is played twice: {ladder}");
        assert_eq!(ladder["anchor"], "greedy");
    }
}

/// The outcome of a run that nobody kills, and how long that takes.
fn undisturbed() -> &'static (Outcome, Duration) {
    static UNDISTURBED: OnceLock<(Outcome, Duration)> = OnceLock::new();
    UNDISTURBED.get_or_init(|| {
        let (folder, begun) = (folder(), Instant::now());
        ended(start_with(folder.path(), &SAME)).done();
        let outcome = Outcome::of(folder.path());
        outcome.check(&folder.path().join("runs/short"));
        (outcome, begun.elapsed())
    })
}

/// Kills runs `kills` times, each at any moment of its life, and starts them again. Nothing may be
/// lost but games being played, and all must come to what a run comes to that nobody kills.
pub(crate) fn killed_runs_come_to_their_end(kills: usize, seed: u64) {
    let (expected, undisturbed) = undisturbed();
    let mut life = *undisturbed;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut killed, mut runs) = (0, 0);
    while killed < kills {
        let folder = folder();
        let run = folder.path().join("runs/short");
        let mut before = HashSet::new();
        runs += 1;
        let told = loop {
            let mut child = start_with(folder.path(), &SAME);
            if killed < kills {
                let begun = Instant::now();
                let end = life.mul_f64(rng.random_range(0.0..1.0));
                while begun.elapsed() < end {
                    if child.try_wait().unwrap().is_some() {
                        // The undisturbed run was slow, the machine had other work: in so long a
                        // life hardly any kill would find the run alive.
                        life = life.min(begun.elapsed() * 2);
                        break;
                    }
                    std::thread::sleep(Duration::from_millis(5));
                }
                child.kill().unwrap();
            }
            let ran = ended(child);
            let what = format!("seed {seed}, kill {killed}: {ran:?}");
            // A game may have been cut short while it was written; nothing else is left out.
            let mut left_out = ran.err.lines().filter(|line| line.contains("left out"));
            assert!(!ran.err.contains("panicked"), "{what}");
            assert!(left_out.all(|line| line.contains(".part: byte")), "{what}");
            let after = seeds(&run);
            assert!(before.is_subset(&after), "finished games are gone: {what}");
            before = after;
            if ran.code.is_some() {
                break ran.done();
            }
            killed += 1;
        };
        assert!(told.contains("play it: "), "{told}");
        let found = Outcome::of(folder.path());
        found.check(&run);
        assert_eq!(found.lines, expected.lines, "seed {seed}, run {runs}");
        let names = |outcome: &Outcome| outcome.files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&found), names(expected), "seed {seed}, run {runs}");
        let same = |(name, bytes): (&String, &Vec<u8>)| found.files[name] == *bytes;
        let other = expected.files.iter().find(|&file| !same(file)).map(|(name, _)| name);
        assert_eq!(other, None, "seed {seed}, run {runs}: other games or weights");
        assert!(found == *expected, "seed {seed}, run {runs}");
    }
}
