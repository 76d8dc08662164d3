//! Killing `raja train` and starting it again.

use std::collections::HashSet;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use games::Game;
use rand::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

use crate::program::{Ran, program};

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
    program(&["train", "short.toml"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits for `child`.
pub(crate) fn ended(child: Child) -> Ran {
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
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

/// Kills the run `kills` times at random moments, then lets it end, and checks that nothing was
/// lost but the games being played and nothing half written was ever read.
pub(crate) fn killed_run_comes_to_its_end(kills: usize, seed: u64) {
    let folder = folder();
    let run = folder.path().join("runs/short");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut before = HashSet::new();
    for kill in 0..kills {
        let mut child = start(folder.path());
        std::thread::sleep(Duration::from_millis(rng.random_range(100..2500)));
        child.kill().unwrap();
        let Ran { code, err, .. } = ended(child);
        // Killed, or done already.
        assert!(matches!(code, None | Some(0)), "kill {kill}: {code:?} {err}");
        assert!(!err.contains("panicked") && !err.contains("left out"), "kill {kill}: {err}");
        let after = seeds(&run);
        let lost = before.difference(&after).count();
        assert_eq!(lost, 0, "kill {kill}: {lost} finished games are gone");
        before = after;
    }
    let ran = ended(start(folder.path()));
    assert!(!ran.err.contains("left out"), "{}", ran.err);
    let told = ran.done();
    assert!(told.contains("play it: "), "{told}");

    let state = std::fs::read_to_string(run.join("state.json")).unwrap();
    let state: Value = serde_json::from_str(&state).unwrap();
    let generations = state["generations"].as_array().unwrap();
    assert_eq!(generations.len(), 8);
    let counted: u64 = generations.iter().map(|g| g["games"].as_u64().unwrap()).sum();
    assert_eq!(seeds(&run).len() as u64, counted, "games are counted once");
    assert!(before.is_subset(&seeds(&run)));
    for generation in 0..=8 {
        let path = run.join(format!("checkpoints/{generation:06}.safetensors"));
        model::Checkpoint::load(&path, Game::by_id("cheskers").unwrap()).unwrap();
    }
    let ladder = std::fs::read_to_string(run.join("ladder.json")).unwrap();
    let ladder: Value = serde_json::from_str(&ladder).unwrap();
    let encounters = ladder["encounters"].as_array().unwrap();
    // Three checkpoints and the reference players with these, two checkpoints with the one before.
    assert!(encounters.len() >= 3 && encounters.len() <= 9, "{ladder}");
    let games = encounters.iter().map(|encounter| encounter["openings"].as_u64().unwrap());
    assert!(games.into_iter().all(|pairs| pairs <= 1), "no match is played twice: {ladder}");
    assert_eq!(ladder["anchor"], "greedy");
    let metrics = std::fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    let last: Value = serde_json::from_str(metrics.lines().last().unwrap()).unwrap();
    assert_eq!((&last["generation"], &last["games"]), (&7.into(), &counted.into()));
}
