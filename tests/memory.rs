//! How much memory the largest game takes, each time in a process of its own.

use std::path::Path;

use games::Game;

use crate::networks;
use crate::program::{raja, within};

/// What a process may take, in MiB.
const MOST: f64 = 4096.0;

/// The game with the most cells.
fn largest() -> &'static str {
    Game::all().iter().max_by_key(|game| game.geometry.cell_count()).unwrap().id
}

#[test]
#[cfg(target_os = "linux")]
fn eight_games_at_a_time_of_the_largest_game_fit_in_memory() {
    let (game, folder) = (largest(), tempfile::tempdir().unwrap());
    let net = networks::with_default_sizes(game);
    let games = ["--games", "8", "--batch", "8", "--threads", "1", "--cut-off", "3"];
    let args = ["selfplay", game, "--net", net.file(), "--sims", "16", "--device", "cpu"];
    let out = ["--out", folder.path().to_str().unwrap()];
    let ran = raja(&[&args[..], &games, &out].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let (line, _) = ran.err.trim_end().rsplit_once(" MiB of memory at most").unwrap();
    let peak: f64 = line.rsplit(' ').next().unwrap().parse().unwrap();
    assert!(peak > 10.0 && peak < MOST, "{game}: {peak} MiB");
    println!("{game}: self-play took {peak} MiB at most");
}

/// Self-play and learning of a run, with the default network and batches of the usual size.
#[test]
#[cfg(target_os = "linux")]
fn learning_the_largest_game_fits_in_memory() {
    const CONFIG: &str = "
[run]
game = \"GAME\"
device = \"cpu\"
generations = 1
games = 8
[selfplay]
workers = 1
games_per_worker = 8
cut_off_plies = 3
opening_most = 0
[selfplay.search]
simulations = 2
[replay]
minimum = 1
passes = 4.0
[learner]
batch = 64
";
    let (game, folder) = (largest(), tempfile::tempdir().unwrap());
    std::fs::write(folder.path().join("large.toml"), CONFIG.replace("GAME", game)).unwrap();
    within(folder.path(), &["train", "large.toml"]).done();
    let metrics = folder.path().join("runs/large/metrics.jsonl");
    let report = last_line(&metrics);
    let peak = report["peak_memory_mib"].as_f64().unwrap();
    assert!(report["step"].as_i64().unwrap() >= 1, "{report}");
    assert!(peak > 10.0 && peak < MOST, "{game}: {peak} MiB");
    println!("{game}: a run took {peak:.0} MiB at most");
}

fn last_line(metrics: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(metrics).unwrap();
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}
