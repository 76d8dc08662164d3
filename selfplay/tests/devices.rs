use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use search::{EvaluatorError, Wdl};
use selfplay::{
    Choice, Evaluators, GameRecord, Goal, LocalEvaluators, Pool, Progress, Run, SelfPlaySettings,
    SharedDevices,
};

use crate::support::{
    Hashed, Hooked, Keys, Scripted, contents, games, in_time, plays_to_the_end, pool, run_with,
    settings,
};

fn devices(source: Scripted, count: usize, most: usize) -> SharedDevices<Keys> {
    SharedDevices::new("hashed", Arc::new(source), count, most).unwrap()
}

/// Reproducible settings.
fn in_order(workers: usize, games: usize) -> SelfPlaySettings {
    SelfPlaySettings { reproducible: true, ..settings(workers, games) }
}

#[test]
fn the_same_games_in_the_same_order_on_any_threads_and_devices() {
    let expected = contents(&games(in_order(1, 1), 4, 30));
    for workers in [1, 2, 5] {
        for seats in [1, 8] {
            let local = LocalEvaluators::new("hashed", Arc::new(Hashed));
            let shared = devices(Scripted::plain(), 1 + workers % 2, 6);
            for evaluators in [&local as &dyn Evaluators, &shared] {
                let mut pool = pool(in_order(workers, seats), 4);
                // In two parts: numbers go on from run to run.
                let mut found = run_with(&mut pool, evaluators, Goal::AllOf(11)).0;
                found.extend(run_with(&mut pool, evaluators, Goal::AllOf(19)).0);
                assert_eq!(contents(&found), expected, "{workers} workers, {seats} games");
            }
        }
    }
    assert_ne!(contents(&games(in_order(1, 1), 5, 30)), expected, "another seed");
}

#[test]
fn games_under_way_come_before_new_ones() {
    let mut pool = pool(in_order(1, 8), 4);
    let local = LocalEvaluators::new("hashed", Arc::new(Hashed));
    let (first, _) = run_with(&mut pool, &local, Goal::Games(5));
    let under_way = pool.games_under_way();
    let (rest, _) = run_with(&mut pool, &local, Goal::AllOf(20));
    let all = games(in_order(1, 1), 4, 25);
    let place = |record: &GameRecord| all.iter().position(|one| one.seed == record.seed).unwrap();
    for (part, count) in [(&first, 5), (&rest, 20)] {
        let places: Vec<usize> = part.iter().map(place).collect();
        assert_eq!(places.len(), count);
        assert!(places.is_sorted(), "{places:?}");
    }
    assert!(under_way > 0 && rest.len() == 20);
}

#[test]
fn every_run_comes_to_an_end() {
    for (workers, seats, batch) in [
        (1, 1, 1),
        (1, 1, 1024),
        (1, 512, 1024),
        (2, 7, 3),
        (3, 2, 1),
        (4, 64, 32),
        (16, 1, 16),
        (16, 5, 1024),
        (16, 40, 64),
    ] {
        for goal in [1, 3, 50] {
            plays_to_the_end(workers, seats, batch, goal);
        }
    }
}

#[test]
fn devices_get_several_batches_at_a_time() {
    let together = Arc::new(AtomicUsize::new(0));
    let slow = {
        let together = Arc::clone(&together);
        Scripted::new(move |_, states, _| {
            together.fetch_max(states, Ordering::Relaxed);
            thread::sleep(Duration::from_micros(300));
            Ok(())
        })
    };
    let mut pool = pool(settings(4, 8), 1);
    let (_, outcome) = run_with(&mut pool, &devices(slow, 1, 16), Goal::AllOf(64));
    let throughput = outcome.unwrap();
    // A worker has at most four states in a batch.
    assert!((5..=16).contains(&together.load(Ordering::Relaxed)), "{together:?}");
    assert!(throughput.evaluations > 4 * throughput.batches, "{throughput:?}");
    assert!(throughput.waiting > throughput.tree, "{throughput:?}");
}

#[test]
fn the_work_goes_to_all_devices() {
    let calls: Arc<[AtomicUsize; 2]> = Arc::default();
    let counting = {
        let calls = Arc::clone(&calls);
        Scripted::new(move |device, _, _| {
            calls[device].fetch_add(1, Ordering::Relaxed);
            thread::sleep(Duration::from_micros(100));
            Ok(())
        })
    };
    run_with(&mut pool(settings(3, 8), 1), &devices(counting, 2, 8), Goal::AllOf(64)).1.unwrap();
    let [first, second] = [0, 1].map(|device| calls[device].load(Ordering::Relaxed));
    assert!(first > 10 && second > 10, "{first} and {second} calls");
}

#[test]
fn a_device_that_fails_or_panics_ends_the_run_and_can_be_used_again() {
    for panics in [false, true] {
        let broken = Arc::new(AtomicBool::new(true));
        let calls = AtomicUsize::new(0);
        let failing = {
            let broken = Arc::clone(&broken);
            Scripted::new(move |_, _, _| {
                if calls.fetch_add(1, Ordering::Relaxed) < 20 || !broken.load(Ordering::Relaxed) {
                    return Ok(());
                }
                assert!(!panics, "a bug");
                Err(EvaluatorError("out of memory".to_owned()))
            })
        };
        in_time("a failing device", move || {
            let devices = devices(failing, 2, 8);
            let mut pool = pool(settings(3, 8), 1);
            let (_, outcome) = run_with(&mut pool, &devices, Goal::AllOf(1_000_000));
            let error = outcome.unwrap_err().to_string();
            let ending = if panics { "panicked: a bug" } else { "failed: out of memory" };
            assert!(error.ends_with(ending), "{error}");
            let under_way = pool.games_under_way();
            assert!(under_way > 0);
            broken.store(false, Ordering::Relaxed);
            let (rest, outcome) = run_with(&mut pool, &devices, Goal::AllOf(1));
            outcome.unwrap();
            assert_eq!(rest.len(), under_way, "no game was lost");
        });
    }
}

#[test]
fn a_device_that_loses_a_query_is_found_out() {
    let forgetful = Scripted::new(|_, _, answers| {
        answers.clear();
        Ok(())
    });
    let (_, outcome) =
        run_with(&mut pool(settings(1, 4), 1), &devices(forgetful, 1, 8), Goal::AllOf(4));
    let error = outcome.unwrap_err().to_string();
    assert!(
        error.ends_with("answers to 2 queries") || error.ends_with("answers to 4 queries"),
        "{error}"
    );
}

/// What network `number` says of every state, as far as records keep it.
fn signature(number: u16) -> Wdl {
    let win = f32::from(number) / 1024.0;
    Wdl { win, draw: 0.0, loss: 1.0 - win }
}

/// Puts the signature of a network in place of all values.
fn sign(number: u16, answers: &mut search::Answers) {
    let logits: Vec<Vec<f32>> =
        (0..answers.len()).map(|index| answers.get(index).logits.to_vec()).collect();
    answers.clear();
    logits.into_iter().for_each(|logits| answers.push(signature(number), logits));
}

/// Plays until `swap` has put in network after network, 1 to `swaps`, each while games were played.
fn play_and_swap(
    evaluators: &dyn Evaluators,
    mut pool: Pool,
    swaps: u16,
    swap: impl Fn(u16) + Sync,
) -> Vec<GameRecord> {
    let (stop, progress) = (AtomicBool::new(false), Progress::new());
    let mut records = Vec::new();
    thread::scope(|scope| {
        scope.spawn(|| {
            for number in 1..=swaps {
                let batches = progress.total().batches;
                swap(number);
                while progress.total().batches < batches + 5 {
                    thread::sleep(Duration::from_micros(50));
                }
            }
            stop.store(true, Ordering::Relaxed);
        });
        let goal = Goal::AllOf(u64::MAX);
        let run = Run { evaluators, goal, stop: &stop, progress: &progress };
        pool.run(&run, &mut |record| {
            records.push(record);
            Ok(())
        })
        .unwrap();
    });
    records
}

/// Checks that each step names the network that evaluated it.
fn check_signatures(records: &[GameRecord]) {
    let mut several = 0;
    for record in records {
        several += usize::from(record.nets.len() > 1);
        for (index, step) in record.steps.iter().enumerate() {
            if step.choice != Choice::Opening {
                continue;
            }
            let raw = step.values.unwrap().raw.unwrap();
            let number: u16 = record.net_at(index).parse().unwrap();
            assert_eq!(raw, signature(number).into(), "step {index} of network {number}");
        }
    }
    assert!(several > records.len() / 2, "{several} of {} games", records.len());
}

/// Each step is sampled from one evaluation, whose value the record keeps.
fn one_evaluation_a_step(workers: usize) -> Pool {
    let mut settings =
        SelfPlaySettings { opening_least: 1_000, opening_most: 1_000, ..settings(workers, 16) };
    settings.search.reuse = false;
    pool(settings, 1)
}

#[test]
fn every_step_names_its_network_while_networks_are_swapped_on_devices() {
    let source = |number| {
        Arc::new(Scripted::new(move |_, _, answers| {
            sign(number, answers);
            Ok(())
        }))
    };
    in_time("networks swapped on devices", move || {
        let devices = SharedDevices::new("0", source(0), 2, 16).unwrap();
        let swap = |number: u16| devices.swap(&number.to_string(), source(number));
        check_signatures(&play_and_swap(&devices, one_evaluation_a_step(3), 60, swap));
    });
}

#[test]
fn every_step_names_its_network_while_workers_change_evaluators() {
    let source = |number| {
        Arc::new(Hooked::new(move |_, answers| {
            sign(number, answers);
            Ok(())
        }))
    };
    in_time("evaluators changed", move || {
        let local = LocalEvaluators::new("0", source(0));
        let swap = |number: u16| local.swap(&number.to_string(), source(number));
        check_signatures(&play_and_swap(&local, one_evaluation_a_step(3), 60, swap));
    });
}
