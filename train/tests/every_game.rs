//! Every game of the catalogue, from nothing to a measured checkpoint: self-play, learning, matches.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use games::Game;
use train::{RunFolder, RunRequest, Settings, run};

use crate::runs::Listener;

/// As little of everything as there can be, with every part of a run in it.
const CONFIG: &str = r#"
[run]
game = "GAME"
device = "cpu"
generations = 1
games = 4
[network]
blocks = 1
channels = 16
pooling_every = 1
policy_dim = 4
policy_cell_dim = 2
value_channels = 4
value_hidden = 8
[selfplay]
workers = 1
games_per_worker = 4
opening_most = 2
cut_off_plies = 10
[selfplay.search]
simulations = 4
[replay]
minimum = 1
passes = 3.0
[learner]
batch = 8
[table]
games = 2
simulations = 1
opponents = ["random"]
baseline = []
"#;

/// A run of `game` with its strength table; how long it took.
fn smoke(game: &'static Game) -> String {
    let begun = Instant::now();
    let config = CONFIG.replace("GAME", game.id);
    let settings = Settings::parse(Path::new("smoke.toml"), &config, &[]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let request =
        RunRequest { settings: settings.clone(), folder: folder.path().into(), init_from: None };
    let listener = Listener::default();
    let summary = run(&request, &listener, &listener.stop).unwrap();
    assert!(summary.complete, "{}", game.id);
    let open = RunFolder::open(folder.path(), &settings).unwrap();
    let shard = selfplay::read_shard(&open.games(0), game).unwrap();
    assert!(shard.bad.is_empty() && shard.games.len() >= 4, "{}", game.id);
    let checkpoint = model::Checkpoint::load(&summary.checkpoint, game).unwrap();
    let rows: usize = shard.games.iter().map(|record| train::rows_of(record).len()).sum();
    assert!(checkpoint.manifest.step >= 3 && rows >= 8, "{}: {rows} rows", game.id);
    let table = summary.strength.expect("the run measures itself").table;
    let [random, first] = &table.rows[..] else { panic!("{}: {table:?}", game.id) };
    for row in [random, first] {
        assert_eq!(row.result.score.games(), 2, "{}", game.id);
    }
    format!("{:<22}{:6.2} s", game.id, begun.elapsed().as_secs_f64())
}

#[test]
fn every_game_is_played_learned_and_measured() {
    let games = Game::all();
    let next = AtomicUsize::new(0);
    let lines = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(game) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let line = smoke(game);
                    lines.lock().unwrap().push(line);
                }
            });
        }
    });
    let lines = lines.into_inner().unwrap();
    assert_eq!(lines.len(), games.len(), "{lines:#?}");
    println!("{}", lines.join("\n"));
}
