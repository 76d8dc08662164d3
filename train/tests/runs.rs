use std::collections::HashSet;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use train::{
    Event, Observer, Phase, RunFiles, RunFolder, RunRequest, RunSummary, Settings, Status, run,
};

/// A run that takes a second or two.
const CONFIG: &str = r#"
[run]
game = "cheskers"
device = "cpu"
generations = 3
games = 6
[network]
blocks = 1
channels = 8
policy_dim = 4
policy_cell_dim = 2
value_channels = 4
value_hidden = 8
[selfplay]
workers = 1
games_per_worker = 4
[selfplay.search]
simulations = 4
[replay]
minimum = 50
window = 100
passes = 4.0
validation = 0.4
[learner]
batch = 16
"#;

/// Remembers what it was told, and can set the stop flag after so many events.
#[derive(Default)]
pub(crate) struct Listener {
    pub(crate) notes: Mutex<Vec<String>>,
    pub(crate) stop: AtomicBool,
    pub(crate) stop_after: Mutex<Option<usize>>,
}

impl Observer for Listener {
    fn event(&self, event: &Event<'_>) {
        if let Event::Note(note) = event {
            self.notes.lock().unwrap().push((*note).to_owned());
        }
        if matches!(event, Event::Saved) {
            return;
        }
        let mut left = self.stop_after.lock().unwrap();
        match left.as_mut() {
            Some(0) => self.stop.store(true, Ordering::Relaxed),
            Some(left) => *left -= 1,
            None => {}
        }
    }
}

pub(crate) fn settings(overrides: &[&str]) -> Settings {
    let overrides: Vec<String> = overrides.iter().map(|&o| o.to_owned()).collect();
    Settings::parse(Path::new("test.toml"), CONFIG, &overrides).unwrap()
}

pub(crate) fn sit(
    folder: &Path,
    overrides: &[&str],
    listener: &Listener,
) -> Result<RunSummary, String> {
    let settings = settings(overrides);
    let request = RunRequest { settings, folder: folder.to_owned(), init_from: None };
    run(&request, listener, &listener.stop).map_err(|error| error.to_string())
}

/// What every run that has come to its end must look like.
fn assert_whole(folder: &Path) {
    let run = RunFolder::open(folder, &settings(&[])).unwrap();
    let state = run.state().unwrap();
    assert_eq!(state.generations.len(), 3);
    let game = settings(&[]).game();
    let mut seeds = HashSet::new();
    for (generation, counted) in state.generations.iter().enumerate() {
        let shard = selfplay::read_shard(&run.games(generation as u32), game).unwrap();
        assert!(shard.bad.is_empty());
        assert_eq!(shard.games.len() as u64, counted.games);
        assert!(counted.games >= 6);
        let rows: usize = shard.games.iter().map(|g| train::rows_of(g).len()).sum();
        assert_eq!(rows as u64, counted.rows + counted.validation);
        assert!(shard.games.iter().all(|game| seeds.insert(game.seed)), "a game came twice");
    }
    for generation in 0..=3 {
        model::Checkpoint::load(&run.checkpoint(generation), game).unwrap();
    }
    let metrics = std::fs::read_to_string(folder.join("metrics.jsonl")).unwrap();
    let last = metrics.lines().last().unwrap();
    let last: serde_json::Value = serde_json::from_str(last).unwrap();
    assert_eq!(last["generation"], 2);
    assert_eq!(last["games"], state.games());
    let replay = settings(&[]).replay;
    assert_eq!(last["step"], train::steps_due(state.rows(), &replay, 16));
    assert_same_figures(&run);
}

/// Every figure of the metrics is in TensorBoard's file, once, and nothing else is.
fn assert_same_figures(run: &RunFiles) {
    let (reports, spoilt) = run.reports().unwrap();
    assert!(spoilt.is_empty());
    let generations: Vec<u32> = reports.iter().map(|report| report.generation).collect();
    assert_eq!(generations, [0, 1, 2]);
    for report in &reports {
        assert!(report.length > 1.0 && report.white + report.draws <= 1.0, "{report:?}");
    }
    for validation in reports.iter().filter_map(|report| report.validation) {
        assert!(validation.games > 0 && validation.value > 0.0 && validation.policy > 0.0);
        assert_eq!(validation.value_error.is_some(), validation.games > 1);
    }
    let mut found: Vec<(i64, String, f32)> = train::read_events(&run.tensorboard())
        .unwrap()
        .into_iter()
        .map(|scalar| (scalar.step, scalar.tag, scalar.value))
        .collect();
    let mut expected = Vec::new();
    for report in &reports {
        let line = serde_json::to_value(report).unwrap();
        for (key, value) in line.as_object().unwrap() {
            let step = report.generation.into();
            for (inner, value) in value.as_object().into_iter().flatten() {
                expected.extend(value.as_f64().map(|v| (step, format!("{key}/{inner}"), v as f32)));
            }
            if let Some(value) = value.as_f64().filter(|_| key != "generation" && key != "time") {
                expected.push((step, format!("run/{key}"), value as f32));
            }
        }
    }
    let order = |a: &(i64, String, f32), b: &(i64, String, f32)| (a.0, &a.1).cmp(&(b.0, &b.1));
    found.sort_by(order);
    expected.sort_by(order);
    assert_eq!(found, expected);
    assert!(found.iter().any(|(_, tag, _)| tag == "losses/value"));
}

#[test]
fn a_run_comes_to_its_end_and_stays_there() {
    let folder = tempfile::tempdir().unwrap();
    let listener = Listener::default();
    let summary = sit(folder.path(), &[], &listener).unwrap();
    assert!(summary.complete && summary.generations == 3);
    assert_whole(folder.path());
    let (reports, _) = RunFiles::open(folder.path()).unwrap().reports().unwrap();
    assert!(reports.iter().any(|report| report.validation.is_some()));
    let again = sit(folder.path(), &[], &listener).unwrap();
    assert_eq!(again, summary);
    assert_whole(folder.path());
}

/// Seed and steps of every game of a run, in the order of its files.
fn games_of(folder: &Path) -> Vec<(u64, Vec<u32>)> {
    let run = RunFolder::open(folder, &settings(&[])).unwrap();
    let shards = (0..3).map(|generation| {
        selfplay::read_shard(&run.games(generation), settings(&[]).game()).unwrap().games
    });
    let steps =
        |game: &selfplay::GameRecord| game.steps.iter().map(|step| step.played.bits()).collect();
    shards.flatten().map(|game| (game.seed, steps(&game))).collect()
}

#[test]
fn a_reproducible_run_is_the_same_on_any_number_of_threads() {
    let played = |overrides: &[&str]| {
        // An answer then depends on nothing else, whatever computes it.
        let always = ["selfplay.reproducible=true", "selfplay.batch=1"];
        let folder = tempfile::tempdir().unwrap();
        let summary = sit(folder.path(), &[&always, overrides].concat(), &Listener::default());
        assert!(summary.unwrap().complete);
        games_of(folder.path())
    };
    let expected = played(&[]);
    assert_eq!(expected.len(), 18, "no game of a generation is left for the next");
    assert_eq!(played(&["selfplay.workers=3", "selfplay.games_per_worker=2"]), expected);
}

#[test]
fn resignations_are_counted_and_how_often_they_are_wrong() {
    // Networks that know nothing: sides resign as soon as they are a little worse.
    let overrides = [
        "selfplay.resign_plies=1",
        "selfplay.resign_score=-0.01",
        "selfplay.resign_played_out=0.6",
    ];
    let folder = tempfile::tempdir().unwrap();
    let listener = Listener::default();
    // Stopped in the middle of a generation, whose first games another sitting then counts.
    *listener.stop_after.lock().unwrap() = Some(9);
    sit(folder.path(), &overrides, &listener).unwrap();
    assert!(sit(folder.path(), &overrides, &Listener::default()).unwrap().complete);
    assert_whole(folder.path());
    let files = RunFiles::open(folder.path()).unwrap();
    let (reports, _) = files.reports().unwrap();
    let mut all = selfplay::Resignations::default();
    for (generation, report) in (0..3).zip(&reports) {
        let mut found = selfplay::Resignations::default();
        let shard = selfplay::read_shard(&files.games(generation), settings(&[]).game()).unwrap();
        shard.games.iter().for_each(|game| {
            found.add(game);
            all.add(game);
        });
        assert_eq!(report.resignations, Some(found), "generation {generation}");
    }
    assert!(all.resigned > 0 && all.played_out > 0, "{all:?}");
    let known = Status::of(folder.path()).unwrap().last.unwrap().false_resignations.unwrap();
    assert_eq!((Some(known.rate), known.games), (all.wrong_share(), all.played_out));
    let events = train::read_events(&files.tensorboard()).unwrap();
    let tags = ["resignations/resigned", "false_resignations/rate", "false_resignations/games"];
    for tag in tags {
        assert!(events.iter().any(|scalar| scalar.tag == tag), "{tag}");
    }
}

#[test]
fn workers_can_share_devices() {
    let folder = tempfile::tempdir().unwrap();
    let overrides = ["run.device=cpu,cpu", "selfplay.workers=2"];
    let summary = sit(folder.path(), &overrides, &Listener::default()).unwrap();
    assert!(summary.complete);
    assert_whole(folder.path());
    let run = RunFolder::open(folder.path(), &settings(&[])).unwrap();
    let last = selfplay::read_shard(&run.games(2), settings(&[]).game()).unwrap();
    let nets = last.games.iter().flat_map(|game| &game.nets);
    assert!(nets.into_iter().any(|span| span.net == "000002"), "the newest network played");
}

/// The networks that had a part in a generation's games.
fn nets_of(folder: &Path, generation: u32) -> HashSet<String> {
    let run = RunFolder::open(folder, &settings(&[])).unwrap();
    let shard = selfplay::read_shard(&run.games(generation), settings(&[]).game()).unwrap();
    shard.games.iter().flat_map(|game| &game.nets).map(|span| span.net.clone()).collect()
}

#[test]
fn games_are_played_while_the_learner_learns() {
    // No game goes on in the next generation then: what networks it has met tells when it was played.
    let whole = "selfplay.reproducible=true";
    for (overrides, ahead) in [
        (&[whole, "run.concurrent=off", "run.device=cpu,cpu"], false),
        (&[whole, "run.concurrent=on", "run.device=cpu,cpu"], true),
        (&[whole, "run.concurrent=on", "run.device=cpu"], true),
    ] {
        let folder = tempfile::tempdir().unwrap();
        assert!(sit(folder.path(), overrides, &Listener::default()).unwrap().complete);
        assert_whole(folder.path());
        assert_eq!(nets_of(folder.path(), 0), HashSet::from(["000000".to_owned()]));
        for generation in [1, 2] {
            let nets = nets_of(folder.path(), generation);
            let older = format!("{:06}", generation - 1);
            assert_eq!(nets.contains(&older), ahead, "{overrides:?}: {nets:?}");
        }
    }
}

#[test]
fn a_generation_that_was_played_ahead_is_taken_up() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    sit(root, &["run.generations=1"], &Listener::default()).unwrap();
    let files = ["state.json", "optimizer/latest.safetensors", "metrics.jsonl"];
    let before = files.map(|file| std::fs::read(root.join(file)).unwrap());
    sit(root, &["run.generations=3"], &Listener::default()).unwrap();
    let games = games_of(root);
    // As if the learner had not begun with the second generation when the third was complete.
    for (file, before) in files.iter().zip(before) {
        std::fs::write(root.join(file), before).unwrap();
    }
    for generation in [2, 3] {
        std::fs::remove_file(root.join(format!("checkpoints/{generation:06}.safetensors")))
            .unwrap();
    }
    std::fs::remove_dir_all(root.join("tensorboard")).unwrap();
    assert!(sit(root, &["run.concurrent=on"], &Listener::default()).unwrap().complete);
    assert_eq!(games_of(root), games, "nothing was played again");
    assert_whole(root);
}

#[test]
fn a_run_stopped_anywhere_goes_on_to_the_same_end() {
    for concurrent in ["run.concurrent=off", "run.concurrent=on"] {
        for stop_after in [0, 4, 9, 20, 44] {
            let folder = tempfile::tempdir().unwrap();
            let listener = Listener::default();
            *listener.stop_after.lock().unwrap() = Some(stop_after);
            let summary = sit(folder.path(), &[concurrent], &listener).unwrap();
            let listener = Listener::default();
            let finished = sit(folder.path(), &[concurrent], &listener).unwrap();
            assert!(finished.complete, "{concurrent}, stopped after {stop_after}: {summary:?}");
            assert_whole(folder.path());
        }
    }
}

#[test]
fn a_network_plays_once_it_has_passed_the_gate() {
    let gate = ["gate.games=40", "gate.simulations=2", "selfplay.reproducible=true"];
    // Who is not hopeless passes; who is not overwhelming fails.
    let low = ["gate.elo0=-1500", "gate.elo1=-1200"];
    let high = ["gate.elo0=1200", "gate.elo1=1500"];
    for (bounds, passes) in [(low, true), (high, false)] {
        for concurrent in ["run.concurrent=off", "run.concurrent=on"] {
            let overrides = [&gate[..], &bounds, &[concurrent]].concat();
            let folder = tempfile::tempdir().unwrap();
            // Stopped now and then, also among the games at the gate.
            for stop_after in [10, 30] {
                let listener = Listener::default();
                *listener.stop_after.lock().unwrap() = Some(stop_after);
                sit(folder.path(), &overrides, &listener).unwrap();
            }
            let listener = Listener::default();
            assert!(sit(folder.path(), &overrides, &listener).unwrap().complete);
            let status = Status::of(folder.path()).unwrap();
            assert_whole(folder.path());
            assert_eq!((status.plays, status.phase), (if passes { 3 } else { 0 }, Phase::Complete));
            let state = RunFiles::open(folder.path()).unwrap().state().unwrap();
            let tested: Vec<_> = state.gates.iter().map(|gate| gate.checkpoint).collect();
            assert_eq!(tested, [1, 2, 3]);
            for gate in &state.gates {
                assert_eq!(gate.passed, passes, "{gate:?}");
                assert_eq!(gate.against, if passes { gate.checkpoint - 1 } else { 0 });
                assert!(gate.games > 0 && gate.games <= 40 && gate.points >= 0.0);
            }
            let newest = nets_of(folder.path(), 2);
            let expected = match (passes, concurrent) {
                (false, _) => "000000",
                (true, "run.concurrent=off") => "000002",
                // The second is tested only when the games are played.
                (true, _) => "000001",
            };
            assert_eq!(newest, HashSet::from([expected.to_owned()]), "{overrides:?}");
        }
    }
}

/// Settings may change from sitting to sitting, also while a checkpoint is being tested; and what the
/// gate has said does not go with `state.json`.
#[test]
fn a_test_at_the_gate_by_other_settings_is_begun_anew() {
    let high = ["gate.games=40", "gate.elo0=1200", "gate.elo1=1500", "run.generations=2"];
    let with = |simulations| [&high[..], &[simulations]].concat();
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    sit(root, &with("gate.simulations=2"), &Listener::default()).unwrap();
    let state = RunFiles::open(root).unwrap().state().unwrap();
    assert_eq!((state.plays, state.gates.len()), (Some(0), 2));
    // As if it had been stopped in the test of the third.
    std::fs::create_dir_all(root.join("gate/000003")).unwrap();
    let journal = root.join("gate/000003/match.jsonl");
    std::fs::copy(root.join("gate/000002/match.jsonl"), &journal).unwrap();
    let path = root.join("state.json");
    let damaged = std::fs::read_to_string(&path).unwrap().replace("\"plays\":0", "\"plays\":1");
    std::fs::write(&path, damaged).unwrap();
    let overrides = [&high[..3], &["gate.simulations=4"]].concat();
    let listener = Listener::default();
    assert!(sit(root, &overrides, &listener).unwrap().complete);
    let notes = listener.notes.lock().unwrap().join("\n");
    assert!(notes.contains("match.jsonl: begun anew, since it is of a test by other"), "{notes}");
    assert!(notes.contains("the games of the run are counted again"), "{notes}");
    assert!(root.join("gate/000003/match.jsonl.old").exists());
    let state = RunFiles::open(root).unwrap().state().unwrap();
    assert_eq!((state.plays, state.gates.len()), (Some(0), 2), "of checkpoints 2 and 3");
}

#[test]
fn a_gate_can_come_later() {
    let folder = tempfile::tempdir().unwrap();
    sit(folder.path(), &["run.generations=2"], &Listener::default()).unwrap();
    let high = ["gate.games=40", "gate.simulations=2", "gate.elo0=1200", "gate.elo1=1500"];
    sit(folder.path(), &high, &Listener::default()).unwrap();
    let status = Status::of(folder.path()).unwrap();
    assert_eq!((status.plays, status.generations), (2, 3), "the one that played then plays on");
    assert_whole(folder.path());
}

/// What goes wrong in one half of a run ends the other.
#[test]
fn a_failure_ends_a_concurrent_run() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    sit(root, &["run.generations=1"], &Listener::default()).unwrap();
    let learner = root.join("optimizer/latest.safetensors");
    let mut file = model::tensors::read(&learner).unwrap();
    for (_, tensor) in file.tensors.iter_mut().filter(|(name, _)| name == "weight.policy.product") {
        *tensor = &*tensor * 1e38;
    }
    model::tensors::write(&learner, &file.tensors, &file.metadata).unwrap();
    let games = "run.games=100000";
    let overrides = ["run.concurrent=on", "run.generations=9", games];
    // The second generation is short, the third would take hours.
    sit(root, &["run.generations=1"], &Listener::default()).unwrap();
    let shard = root.join("games/000000.games.zst");
    std::fs::copy(&shard, root.join("games/000001.games.zst")).unwrap();
    let error = sit(root, &overrides, &Listener::default()).unwrap_err();
    assert!(error.starts_with("training failed at step "), "{error}");
    assert!(root.join("games/000002.games.zst.part").exists(), "games were under way");
}

/// Weights out of all bounds are the surest way to a loss that is no number.
#[test]
fn a_loss_that_is_no_number_stops_the_run_and_keeps_the_batch() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    sit(root, &["run.generations=1"], &Listener::default()).unwrap();
    let learner = root.join("optimizer/latest.safetensors");
    let sound = std::fs::read(&learner).unwrap();
    let mut file = model::tensors::read(&learner).unwrap();
    for (_, tensor) in file.tensors.iter_mut().filter(|(name, _)| name == "weight.policy.product") {
        *tensor = &*tensor * 1e38;
    }
    model::tensors::write(&learner, &file.tensors, &file.metadata).unwrap();
    let spoilt = std::fs::read(&learner).unwrap();
    let error = sit(root, &["run.generations=2"], &Listener::default()).unwrap_err();
    assert!(error.starts_with("training failed at step ") && error.lines().count() == 1, "{error}");
    assert!(error.contains("the last checkpoint is intact"), "{error}");
    let kept = Path::new(error.split_once("the batch is kept in ").unwrap().1);
    let kept = model::tensors::read(kept).unwrap();
    assert!(kept.metadata["losses"].contains("policy "), "{:?}", kept.metadata);
    let rows = |name: &str| {
        kept.tensors.iter().find(|(found, _)| found == name).map(|(_, tensor)| tensor.size()[0])
    };
    assert_eq!([rows("planes"), rows("wdl"), rows("moves_left")], [Some(16); 3]);
    assert_eq!(rows("policy"), rows("kinds"));
    model::Checkpoint::load(&root.join("checkpoints/000001.safetensors"), settings(&[]).game())
        .unwrap();
    assert_eq!(std::fs::read(&learner).unwrap(), spoilt, "nothing was saved");
    std::fs::write(&learner, sound).unwrap();
    assert!(sit(root, &[], &Listener::default()).unwrap().complete);
    assert_whole(root);
}

#[test]
fn a_run_keeps_its_game_seed_and_network_and_is_held_by_one_process() {
    let folder = tempfile::tempdir().unwrap();
    sit(folder.path(), &["run.generations=1"], &Listener::default()).unwrap();
    for (change, key) in [
        ("run.game=chess", "run.game"),
        ("run.seed=2", "run.seed"),
        ("network.blocks=2", "network"),
        ("replay.validation=0.1", "replay.validation"),
    ] {
        let error = sit(folder.path(), &[change], &Listener::default()).unwrap_err();
        assert!(error.contains(&format!("was started with {key} = ")), "{error}");
    }
    let _held = RunFolder::open(folder.path(), &settings(&[])).unwrap();
    let error = sit(folder.path(), &[], &Listener::default()).unwrap_err();
    assert!(error.contains("the run is held by process"), "{error}");
}

#[test]
fn another_run_can_start_from_a_checkpoint() {
    let first = tempfile::tempdir().unwrap();
    let checkpoint =
        sit(first.path(), &["run.generations=1"], &Listener::default()).unwrap().checkpoint;
    let second = tempfile::tempdir().unwrap();
    let folder = second.path().to_owned();
    let init_from = Some(checkpoint.clone());
    let mut request = RunRequest { settings: settings(&["run.generations=1"]), folder, init_from };
    let listener = Listener::default();
    run(&request, &listener, &listener.stop).unwrap();
    let game = settings(&[]).game();
    let before = model::Checkpoint::load(&checkpoint, game).unwrap();
    let started = second.path().join("checkpoints/000000.safetensors");
    let started = model::Checkpoint::load(&started, game).unwrap();
    for ((name, a), (_, b)) in before.tensors.iter().zip(&started.tensors) {
        assert!(a.equal(b), "{name}");
    }
    request.settings = settings(&["run.generations=2"]);
    let error = run(&request, &listener, &listener.stop).unwrap_err().to_string();
    assert!(error.ends_with("the run has begun already, --init-from is for a new one"), "{error}");
}

#[test]
fn the_ladder_of_a_run_is_seen_in_its_status_and_in_tensorboard() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let ladder = [
        "run.generations=2",
        "ladder.every=2",
        "ladder.games=2",
        "ladder.simulations=2",
        "ladder.opponents=[\"random\"]",
        "ladder.anchor=random",
    ];
    sit(root, &ladder, &Listener::default()).unwrap();
    let settings = settings(&ladder);
    let files = RunFiles::open(root).unwrap();
    let rated = || -> Vec<(i64, f32)> {
        let standings = files.standings(settings.game()).unwrap().unwrap();
        let ratings = settings.ladder.ratings(&standings);
        ratings.iter().map(|(generation, rated)| ((*generation).into(), rated.elo as f32)).collect()
    };
    let told = || -> Vec<(i64, f32)> {
        let scalars = train::read_events(&files.tensorboard()).unwrap();
        let elo = scalars.into_iter().filter(|scalar| scalar.tag == "ladder/elo");
        elo.map(|scalar| (scalar.step, scalar.value)).collect()
    };
    let before = rated();
    assert_eq!(before.iter().map(|&(generation, _)| generation).collect::<Vec<_>>(), [0, 2]);
    let steps: Vec<i64> = told().iter().map(|&(step, _)| step).collect();
    assert_eq!((steps, told()[1]), (vec![0, 2], before[1]));
    let status = Status::of(root).unwrap();
    let newest = status.ladder.unwrap();
    assert_eq!((newest.standing.generation, newest.anchor.as_str()), (Some(2), "random"));
    assert_eq!((newest.standing.elo as f32, status.phase), (before[1].1, Phase::Complete));

    // What is gone comes back: TensorBoard's ratings from the ladder, the ladder from its games,
    // though only those of the newest checkpoint.
    std::fs::remove_file(files.tensorboard()).unwrap();
    sit(root, &ladder, &Listener::default()).unwrap();
    assert_eq!(told(), before);
    std::fs::remove_file(files.ladder()).unwrap();
    let rating = Phase::Rating { checkpoint: 2, games: 0, goal: 4 };
    assert_eq!(Status::of(root).unwrap().phase, rating);
    sit(root, &ladder, &Listener::default()).unwrap();
    assert_eq!(rated().last().map(|&(generation, _)| generation), Some(2));
    assert_eq!(Status::of(root).unwrap().phase, Phase::Complete);
}

#[test]
fn the_status_of_a_run_says_where_it_stands_and_what_it_waits_for() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let nothing = Status::of(root).unwrap_err().to_string();
    assert!(nothing.ends_with("there is no run: it has no config.toml"), "{nothing}");

    // Stopped when some games of the first generation were over.
    let listener = Listener::default();
    *listener.stop_after.lock().unwrap() = Some(2);
    sit(root, &["replay.minimum=5000"], &listener).unwrap();
    let status = Status::of(root).unwrap();
    let Phase::Playing { generation: 0, games: games @ 3..=6, goal: 6, rows, minimum: 5000 } =
        status.phase
    else {
        panic!("{status:?}");
    };
    assert!(rows > 0 && status.games == games && status.generations == 0, "{status:?}");
    let wait = format!("{rows} of 5,000 rows before the first step");
    assert!(status.waits_for.ends_with(&wait), "{status:?}");
    assert_eq!((status.rates, status.seconds_left, status.held_by), (None, None, None));

    // Held, with two generations of three behind it, and a spoilt line.
    sit(root, &["run.generations=2"], &Listener::default()).unwrap();
    let held = RunFolder::open(root, &settings(&[])).unwrap();
    let metrics = std::fs::read_to_string(held.metrics()).unwrap();
    std::fs::write(held.metrics(), format!("{}\n{metrics}", &metrics[..30])).unwrap();
    let status = Status::of(root).unwrap();
    assert_eq!(status.held_by, Some(std::process::id().to_string()));
    assert_eq!(status.spoilt_lines, [1]);
    assert!(matches!(status.phase, Phase::Playing { generation: 2, games: 0, .. }), "{status:?}");
    let (rates, left) = (status.rates.unwrap(), status.seconds_left.unwrap());
    assert!(rates.games > 0.0 && rates.evaluations > 0.0 && rates.steps > 0.0);
    assert!(left > 0.0 && left <= rates.generation_seconds);
    assert!(status.last.unwrap().losses.unwrap().policy > 0.0);
    assert!(status.disk.games > 0 && status.disk.checkpoints > status.disk.games);
    assert!(status.disk.all > status.disk.games + status.disk.checkpoints);
    drop(held);

    // Played, not learned.
    let state = RunFiles::open(root).unwrap().state().unwrap();
    std::fs::remove_file(root.join("checkpoints/000002.safetensors")).unwrap();
    let due = train::steps_due(state.rows(), &settings(&[]).replay, 16);
    let learning = Phase::Learning { generation: 1, step: due, due };
    assert_eq!(Status::of(root).unwrap().phase, learning);
}
