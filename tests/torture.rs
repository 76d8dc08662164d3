//! What takes too long for every day; `make torture` runs it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod killing;
#[allow(dead_code, reason = "the everyday tests use all of it")]
mod program;

use std::process::Stdio;

use killing::{ended, folder, killed_run_comes_to_its_end};
use program::{program, raja};

#[test]
fn a_run_killed_ten_times_comes_to_its_end() {
    (0..5).for_each(|seed| killed_run_comes_to_its_end(10, 100 + seed));
}

/// Self-play and learning for some minutes: what the metrics say of memory must not rise.
#[test]
fn memory_is_flat_over_many_generations() {
    let folder = folder();
    let sets = [
        "run.generations=200",
        "run.games=16",
        "table.games=0",
        "replay.window=2000",
        "replay.passes=0.5",
    ];
    let overrides = sets.iter().flat_map(|set| ["--set", set]);
    let args: Vec<&str> = ["train", "short.toml"].into_iter().chain(overrides).collect();
    let child = program(&args)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    ended(child.unwrap()).done();
    let metrics = std::fs::read_to_string(folder.path().join("runs/short/metrics.jsonl")).unwrap();
    let memory: Vec<f64> = metrics
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|line| line["memory_mib"].as_f64().unwrap())
        .collect();
    let (middle, last) = (memory[memory.len() / 2], memory[memory.len() - 1]);
    assert!(last < middle + 40.0, "resident memory went from {middle} to {last} MiB");
}

#[test]
fn long_matches_of_all_games_end() {
    for (game, players) in [
        ("chess", ["alphabeta:2", "mcts:50"]),
        ("mgc", ["alphabeta:1", "random"]),
        ("cheskers", ["alphabeta:4", "mcts:200"]),
    ] {
        let [a, b] = players;
        let args = ["match", game, a, b, "--games", "100", "--threads", "2"];
        let told = raja(&args).done();
        assert!(told.contains("100 games"), "{told}");
    }
}
