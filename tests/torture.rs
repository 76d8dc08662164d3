//! What takes too long for every day; `make torture` runs it.

#![allow(clippy::print_stdout, reason = "tests may tell what they left out")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod in_xboard;
#[allow(dead_code, reason = "the everyday tests use all of it")]
mod killing;
#[allow(dead_code, reason = "the everyday tests use all of it")]
mod networks;
#[allow(dead_code, reason = "the everyday tests use all of it")]
mod program;
mod rivals;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use arena::{Entrant, Match, MatchSettings, OpeningBook, OpeningSettings, Sprt, SprtVerdict};
use games::Game;
use killing::{folder, killed_runs_come_to_their_end};
use model::{Checkpoint, Precision, TorchSource};
use program::{raja, within};
use search::EvaluatorSource;

#[test]
fn runs_killed_two_hundred_times_come_to_the_same_end() {
    killed_runs_come_to_their_end(200, 100);
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
    within(folder.path(), &args).done();
    let metrics = std::fs::read_to_string(folder.path().join("runs/short/metrics.jsonl")).unwrap();
    let memory: Vec<f64> = metrics
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|line| line["memory_mib"].as_f64().unwrap())
        .collect();
    let (middle, last) = (memory[memory.len() / 2], memory[memory.len() - 1]);
    assert!(last < middle + 40.0, "resident memory went from {middle} to {last} MiB");
}

/// Two hundred real tests of a network against itself: an error of at most one in twenty is allowed,
/// and more than 18 of 200 have a chance of one in a hundred then.
#[test]
fn tests_of_identical_networks_seldom_prefer_one() {
    model::single_threaded();
    let game = Game::by_id("cheskers").unwrap();
    let net = networks::tiny("cheskers");
    let load = |game: &'static Game, path: &Path| {
        let (device, _) = model::device::DeviceChoice::Cpu.resolve().unwrap();
        let network = Checkpoint::load(path, game).unwrap().network(game, device);
        let source = TorchSource::new(&network, device, Precision::best_for(device));
        Ok(Arc::new(source) as Arc<dyn EvaluatorSource>)
    };
    let player = format!("net:{}@2,t=1", net.file());
    let player = Entrant::new(&player.parse().unwrap(), game, &load).unwrap();
    let stop = AtomicBool::new(false);
    let book = OpeningBook::find(game, 500, &OpeningSettings::default(), 1, 2, &stop);
    let sprt = Sprt { elo1: 100.0, ..Sprt::default() };
    let (mut accepted, mut counted) = ([0; 2], 0);
    for seed in 0..200 {
        // A test ends after some sixty games; those begun beyond that are for nothing.
        let (games, threads, games_at_once) = (10_000, 2, 16);
        let settings =
            MatchSettings { games, seed, threads, games_at_once, ..MatchSettings::default() };
        let prepared = Match::new(&player, &player, &book, settings).unwrap().until(sprt).unwrap();
        let result = prepared.play(&|_| {}, &stop).unwrap();
        assert!(result.complete, "{result}");
        counted += result.score.games();
        match sprt.verdict(&result.pentanomial) {
            SprtVerdict::AcceptH0 => accepted[0] += 1,
            SprtVerdict::AcceptH1 => accepted[1] += 1,
            SprtVerdict::Undecided => {}
        }
    }
    println!("of 200 tests {accepted:?} accepted H0 and H1, after {counted} games");
    assert!(accepted[1] <= 18, "{accepted:?} of 200 tests accepted H0 and H1");
    assert!(accepted[0] >= 180, "{accepted:?} of 200 tests accepted H0 and H1");
}

/// A thousand fast games, and some in which the engine is killed.
#[test]
fn fairy_stockfish_plays_a_thousand_games() {
    let Some(rival) = rivals::fairy_stockfish_or_skip() else { return };
    rivals::fast_games(&rival, 250);
    rivals::killed_engines(&rival, 60, 5);
}

/// Whole games in XBoard, of boards that it does not know and of one that it does.
#[test]
fn xboard_shows_whole_games() {
    let Some(programs) = in_xboard::Programs::found_or_skip() else { return };
    for game in ["mgc", "waterloo", "chess"] {
        programs.play(Game::by_id(game).unwrap(), 2);
    }
}

/// A hundred games of every game between players that aim at a result, and a hundred between
/// players that do not: these are long, and meet the rules against endless games.
#[test]
fn long_matches_of_all_games_end() {
    for game in games::Game::all().iter().map(|game| game.id) {
        // One search of doseki tries thousands of steps.
        let able = if game == "doseki" { "greedy" } else { "mcts:20" };
        for (a, b) in [(able, "greedy"), ("random", "random")] {
            match_of_a_hundred(game, a, b);
        }
    }
    match_of_a_hundred("chess", "alphabeta:2", "mcts:50");
    match_of_a_hundred("cheskers", "alphabeta:4", "mcts:200");
}

fn match_of_a_hundred(game: &str, a: &str, b: &str) {
    let folder = tempfile::tempdir().unwrap();
    let out = ["--json", "--out", folder.path().to_str().unwrap()];
    let args = ["match", game, a, b, "--games", "100", "--threads", "2"];
    let ran = raja(&[&args[..], &out].concat()).done();
    let result: serde_json::Value = serde_json::from_str(&ran).unwrap();
    let ends = result["result"]["ends"].as_object().unwrap();
    let ended: u64 = ends.values().map(|games| games.as_u64().unwrap()).sum();
    assert_eq!(ended, 100, "{game}: {a} against {b}: {ran}");
}
