use std::mem::{size_of, size_of_val};
use std::path::Path;

use selfplay::{GameRecord, Policy, StepRecord};
use train::{MemoryNeed, RunRequest, Settings, rows_of, run};

use crate::data::games_with;
use crate::runs::Listener;

fn settings(text: &str) -> Settings {
    Settings::parse(Path::new("need.toml"), text, &[]).unwrap()
}

/// The bytes behind a game, without what allocations cost.
fn bytes(record: &GameRecord) -> usize {
    let behind = |step: &StepRecord| {
        let target = match &step.target {
            Some(Policy::Dense(dense)) => size_of_val(&dense[..]),
            Some(Policy::Sparse { listed, .. }) => size_of_val(&listed[..]),
            None => 0,
        };
        size_of::<StepRecord>() + size_of_val(&step.visited[..]) + target
    };
    record.steps.iter().map(behind).sum()
}

#[test]
fn games_take_about_what_they_are_thought_to_need() {
    for (game, rest) in [
        ("chess", "full_share = 0.25"),
        ("chess", "[selfplay.search.algorithm.puct]"),
        ("cheskers", ""),
        ("nomino", ""),
        ("shogi", ""),
    ] {
        let text = format!(
            "[run]\ngame = \"{game}\"\n[replay]\nwindow = 100_000\nvalidation = 0.0\n\
             [selfplay]\nworkers = 1\ngames_per_worker = 4\ncheap_simulations = 8\n\
             opening_most = 0\ncut_off_plies = 40\n{rest}\n[selfplay.search]\nsimulations = 24"
        );
        let settings = settings(&text);
        let records = games_with(settings.game(), settings.selfplay, 4);
        let rows: usize = records.iter().map(|record| rows_of(record).len()).sum();
        let found = records.iter().map(bytes).sum::<usize>() as f64 / rows as f64;
        let need = MemoryNeed::of(&settings, 0);
        assert_eq!(need.rows, 100_000);
        let thought = need.window_mib * f64::from(1 << 20) / 100_000.0;
        println!("{game}: {found:.0} bytes a row, thought {thought:.0}");
        assert!((0.5..1.7).contains(&(found / thought)), "{game}: {found}, thought {thought}");
    }
}

#[test]
fn validation_caches_and_trees_count() {
    let of = |text: &str| {
        let start = "[run]\ngame = \"chess\"\n[selfplay]\nworkers = 3\ncache_bytes = 2_097_152\n";
        MemoryNeed::of(&settings(&format!("{start}{text}")), 0)
    };
    let need = of("games_per_worker = 10\n[replay]\nwindow = 1000\nvalidation = 0.5");
    assert_eq!((need.rows, need.caches_mib), (2000, 6.0));
    let more = of("games_per_worker = 20\n[replay]\nwindow = 1000\nvalidation = 0.0");
    assert_eq!((more.rows, more.trees_mib), (1000, 2.0 * need.trees_mib));
    assert!((need.window_mib - 2.0 * more.window_mib).abs() < 1e-9);
    assert_eq!(need.mib(), need.window_mib + need.caches_mib + need.trees_mib);
    // A run that goes on has more rows already.
    let chess = settings("[run]\ngame = \"chess\"\n[replay]\nwindow = 1000\nvalidation = 0.0");
    assert!(MemoryNeed::of(&chess, 1_000_000).rows > 10_000);
}

#[test]
fn a_window_that_does_not_fit_is_refused_before_the_first_game() {
    let folder = tempfile::tempdir().unwrap();
    let listener = Listener::default();
    let text = |generations| {
        format!(
            "[run]\ngame = \"cheskers\"\ngames = 1\ngenerations = {generations}\n\
             [network]\nblocks = 1\nchannels = 8\n\
             [selfplay]\nworkers = 1\ngames_per_worker = 1\n[selfplay.search]\nsimulations = 1\n\
             [replay]\nwindow = 1_000_000_000_000\nvalidation = 0.0"
        )
    };
    let request = |generations| RunRequest {
        settings: settings(&text(generations)),
        folder: folder.path().join("run"),
        init_from: None,
    };
    let error = run(&request(0), &listener, &listener.stop).unwrap_err().to_string();
    assert!(error.starts_with("the run would take about ") && error.lines().count() == 1);
    assert!(error.contains(" for 1,000,000,000,000 rows (replay.window), "), "{error}");
    let checkpoints = folder.path().join("run/checkpoints").read_dir().unwrap().count();
    assert_eq!(checkpoints, 0, "nothing was begun");
    // A short run never has so many.
    assert!(run(&request(1), &listener, &listener.stop).unwrap().complete);
}
