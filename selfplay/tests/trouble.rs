use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use search::{Evaluator, EvaluatorError, EvaluatorSource, Wdl};
use selfplay::{Goal, LocalEvaluators, Progress, Run, SelfPlayError};

use crate::support::{Hashed, Hooked, pool, run, settings};

#[test]
fn an_evaluator_that_fails_ends_the_run_and_costs_nothing() {
    for workers in [1, 4] {
        let failing = Hooked::new(|call, _| match call {
            0..100 => Ok(()),
            _ => Err(EvaluatorError("the device is gone".to_owned())),
        });
        let mut pool = pool(settings(workers, 8), 1);
        let (mut records, outcome) = run(&mut pool, &failing, "a", Goal::Games(1_000_000));
        let error = outcome.unwrap_err();
        assert!(matches!(error, SelfPlayError::Evaluator { .. }), "{error}");
        assert!(error.to_string().ends_with("evaluation failed: the device is gone"), "{error}");
        // What was under way goes on where it stood; a late thread had not begun.
        let under_way = pool.games_under_way();
        assert!((1..=workers).contains(&(under_way / 8)), "{under_way} games");
        let (rest, outcome) = run(&mut pool, &Hashed, "a", Goal::AllOf(1));
        outcome.unwrap();
        assert_eq!(rest.len(), under_way);
        if workers == 1 {
            records.extend(rest);
            let seeds = |records: &[selfplay::GameRecord]| {
                let mut seeds: Vec<_> = records.iter().map(|record| record.seed).collect();
                seeds.sort_unstable();
                seeds
            };
            let undisturbed = crate::support::games(settings(1, 8), 1, records.len() as u64);
            assert_eq!(seeds(&records), seeds(&undisturbed));
        }
    }
}

#[test]
fn a_worker_that_panics_ends_the_run() {
    let panicking = Hooked::new(|call, _| {
        assert!(call < 50, "a bug in call {call}");
        Ok(())
    });
    let mut pool = pool(settings(3, 4), 1);
    let (_, outcome) = run(&mut pool, &panicking, "a", Goal::Games(1_000_000));
    let error = outcome.unwrap_err();
    assert!(matches!(error, SelfPlayError::Panic { .. }), "{error}");
    assert!(error.to_string().contains("panicked: a bug in call 5"), "{error}");
    assert!(pool.games_under_way() < 12, "the games of whoever panicked are given up");
    let (records, outcome) = run(&mut pool, &Hashed, "a", Goal::AllOf(20));
    outcome.unwrap();
    assert_eq!(records.len(), 20);
}

#[test]
fn an_evaluator_that_loses_a_query_is_found_out() {
    let forgetful = Hooked::new(|call, answers| {
        if call == 10 {
            answers.clear();
        }
        Ok(())
    });
    let (_, outcome) = run(&mut pool(settings(1, 4), 1), &forgetful, "a", Goal::Games(1_000));
    assert!(outcome.unwrap_err().to_string().ends_with("0 answers to 4 queries"));
}

#[test]
fn a_source_that_makes_no_evaluator_ends_the_run() {
    #[derive(Clone)]
    struct Broken;
    impl EvaluatorSource for Broken {
        fn evaluator(&self) -> Result<Box<dyn Evaluator>, EvaluatorError> {
            Err(EvaluatorError("no memory".to_owned()))
        }
    }
    let (_, outcome) = run(&mut pool(settings(2, 4), 1), &Broken, "a", Goal::Games(1));
    let error = outcome.unwrap_err().to_string();
    assert_eq!(error, "self-play worker 0: evaluation failed: no memory");
}

#[test]
fn what_is_no_number_is_repaired_and_counted() {
    let spoilt = Hooked::new(|call, answers| {
        if call % 3 == 0 {
            let steps: Vec<usize> =
                (0..answers.len()).map(|index| answers.get(index).logits.len()).collect();
            answers.clear();
            for count in steps {
                let nothing = Wdl { win: f32::NAN, draw: 0.0, loss: f32::INFINITY };
                answers.push(nothing, (0..count).map(|_| f32::NEG_INFINITY));
            }
        }
        Ok(())
    });
    let (records, outcome) = run(&mut pool(settings(1, 8), 1), &spoilt, "a", Goal::AllOf(8));
    let throughput = outcome.unwrap();
    assert_eq!(records.len(), 8);
    let share = throughput.repaired as f64 / throughput.evaluations as f64;
    assert!((0.25..0.42).contains(&share), "{share}");
}

#[test]
fn searches_with_full_trees_are_counted_and_their_games_go_on() {
    let counted = |tree_bytes| {
        let mut settings = settings(1, 4);
        settings.search.simulations = 500;
        settings.search.tree_bytes = tree_bytes;
        settings.cut_off_plies = Some(12);
        let (records, outcome) = run(&mut pool(settings, 1), &Hashed, "a", Goal::AllOf(4));
        assert_eq!(records.len(), 4);
        outcome.unwrap().full_trees
    };
    assert_eq!(counted(1 << 24), 0);
    let full = counted(1 << 16);
    assert!((5..=48).contains(&full), "{full}");
}

#[test]
fn a_receiver_that_refuses_ends_the_run() {
    for workers in [1, 4] {
        let (stop, progress) = (AtomicBool::new(false), Progress::new());
        let goal = Goal::Games(1_000_000);
        let evaluators = LocalEvaluators::new("a", Arc::new(Hashed));
        let run = Run { evaluators: &evaluators, goal, stop: &stop, progress: &progress };
        let mut taken = 0;
        let outcome = pool(settings(workers, 4), 1).run(&run, &mut |_| {
            taken += 1;
            if taken == 3 { Err("the disk is full".into()) } else { Ok(()) }
        });
        let error = outcome.unwrap_err().to_string();
        assert_eq!(error, "a finished game could not be delivered: the disk is full");
        assert_eq!(taken, 3, "nothing is delivered after a refusal");
    }
}

#[test]
fn a_receiver_that_panics_does_not_hang_the_run() {
    let (stop, progress) = (AtomicBool::new(false), Progress::new());
    let goal = Goal::Games(1_000_000);
    let evaluators = LocalEvaluators::new("a", Arc::new(Hashed));
    let run = Run { evaluators: &evaluators, goal, stop: &stop, progress: &progress };
    let mut pool = pool(settings(2, 4), 1);
    // When nothing moves any more, the queue of finished games is full and all workers wait.
    let mut on_game = |_| {
        let mut before = None;
        while before != Some(progress.total().evaluations) {
            before = Some(progress.total().evaluations);
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("receiver")
    };
    let caught = catch_unwind(AssertUnwindSafe(|| pool.run(&run, &mut on_game)));
    assert!(caught.is_err());
}

#[test]
fn a_slow_receiver_loses_nothing() {
    let (stop, progress) = (AtomicBool::new(false), Progress::new());
    let goal = Goal::AllOf(150);
    let evaluators = LocalEvaluators::new("a", Arc::new(Hashed));
    let run = Run { evaluators: &evaluators, goal, stop: &stop, progress: &progress };
    let mut taken = 0;
    let outcome = pool(settings(2, 50), 1).run(&run, &mut |_| {
        std::thread::sleep(Duration::from_millis(2));
        taken += 1;
        Ok(())
    });
    assert_eq!((outcome.unwrap().games, taken), (150, 150));
}

#[test]
fn stop_ends_the_run_at_once() {
    let stop = Arc::new(AtomicBool::new(true));
    let progress = Progress::new();
    let goal = Goal::AllOf(1_000_000);
    let stopping = {
        let stop = Arc::clone(&stop);
        Hooked::new(move |call, _| {
            stop.fetch_or(call >= 30, Ordering::Relaxed);
            Ok(())
        })
    };
    let evaluators = LocalEvaluators::new("a", Arc::new(stopping.clone()));
    let run = Run { evaluators: &evaluators, goal, stop: &stop, progress: &progress };
    let mut pool = pool(settings(2, 4), 1);
    let throughput = pool.run(&run, &mut |_| Ok(())).unwrap();
    assert_eq!((throughput.evaluations, stopping.calls()), (0, 0), "stopped before it began");

    stop.store(false, Ordering::Relaxed);
    pool.run(&run, &mut |_| Ok(())).unwrap();
    assert!((31..=32).contains(&stopping.calls()), "{} calls", stopping.calls());
    assert!(matches!(pool.games_under_way(), 4 | 8), "a late thread had not begun");
}
