//! Self-play for long does not grow.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "the everyday tests use all of it")]
mod support;

use std::sync::{Arc, atomic::AtomicBool};
use std::thread;

use search::Uniform;
use selfplay::{Evaluators, Goal, LocalEvaluators, Progress, Run, SharedDevices};

use support::{Scripted, in_time, pool, settings};

/// Kibibytes of this process in memory.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Plays 400 games and again 800, while `swap` puts in networks all the time; the thousandth at least
/// before the end. Checks that the second part takes no more memory than the first.
fn memory_stays_flat(evaluators: &dyn Evaluators, swap: &(dyn Fn() + Sync)) {
    let mut settings = settings(1, 16);
    settings.search.simulations = 8;
    let mut pool = pool(settings, 1);
    let mut play = |games| {
        let (stop, progress) = (AtomicBool::new(false), Progress::new());
        let goal = Goal::Games(games);
        let run = Run { evaluators, goal, stop: &stop, progress: &progress };
        thread::scope(|scope| {
            scope.spawn(|| {
                let mut swaps = 0;
                while progress.total().games < games || swaps < 200 {
                    let batches = progress.total().batches;
                    swap();
                    swaps += 1;
                    while progress.total().batches < batches + 5 && progress.total().games < games {
                        thread::yield_now();
                    }
                }
            });
            pool.run(&run, &mut |_| Ok(())).unwrap();
        });
        resident()
    };
    play(200);
    let warm = play(200);
    let later = (0..8).map(|_| play(100)).last().unwrap();
    assert!(later < warm + 2_048, "{warm} KiB after 400 games, {later} KiB after 1200");
}

/// One test, since both measure the process.
#[test]
fn memory_stays_flat_while_networks_are_swapped() {
    in_time("networks swapped", || {
        let local = LocalEvaluators::new("none", Arc::new(Uniform));
        memory_stays_flat(&local, &|| local.swap("none", Arc::new(Uniform)));
    });
    in_time("networks swapped on devices", || {
        let scripted = || Arc::new(Scripted::plain());
        let shared = SharedDevices::new("none", scripted(), 2, 16).unwrap();
        memory_stays_flat(&shared, &|| shared.swap("none", scripted()));
    });
}
