//! Self-play for long does not grow.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "the everyday tests use all of it")]
mod support;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use selfplay::{Evaluators, Goal, LocalEvaluators, Progress, Run, SharedDevices};

use support::{Hooked, Keys, Scripted, in_time, pool, settings};

/// Kibibytes of this process in memory.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Plays 200 games and again 200, and checks that those take no more memory.
fn memory_stays_flat(evaluators: &dyn Evaluators) {
    let mut settings = settings(2, 16);
    settings.search.simulations = 8;
    // Full in no time.
    settings.cache_bytes = 1 << 18;
    let mut pool = pool(settings, 1);
    let mut play = |games| {
        let (stop, progress) = (AtomicBool::new(false), Progress::new());
        let goal = Goal::Games(games);
        let run = Run { evaluators, goal, stop: &stop, progress: &progress };
        pool.run(&run, &mut |_| Ok(())).unwrap();
        resident()
    };
    play(100);
    let warm = play(100);
    let later = (0..4).map(|_| play(50)).last().unwrap();
    assert!(later < warm + 2_048, "{warm} KiB after 200 games, {later} KiB after 400");
}

/// Every how many batches another network is put in.
const BATCHES: usize = 5;

/// One test, since both halves measure the process. The networks are swapped by those who use them, in
/// the midst of their batches: nothing else is sure to be on time on a busy machine.
#[test]
fn memory_stays_flat_while_networks_are_swapped() {
    let swaps = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&swaps);
    in_time("evaluators swapped", move || {
        let local = Arc::new(OnceLock::<LocalEvaluators>::new());
        let source = Arc::new(OnceLock::<Hooked>::new());
        let hook = {
            let (local, source) = (Arc::clone(&local), Arc::clone(&source));
            move |call: usize, _: &mut _| {
                if call.is_multiple_of(BATCHES) {
                    let swap = counted.fetch_add(1, Ordering::Relaxed).to_string();
                    local.get().unwrap().swap(&swap, Arc::new(source.get().unwrap().clone()));
                }
                Ok(())
            }
        };
        let first = source.get_or_init(|| Hooked::new(hook)).clone();
        memory_stays_flat(local.get_or_init(|| LocalEvaluators::new("first", Arc::new(first))));
    });
    let by_workers = swaps.swap(0, Ordering::Relaxed);
    assert!(by_workers > 1_000, "{by_workers} swaps");

    let counted = Arc::clone(&swaps);
    in_time("devices swapped", move || {
        let shared = Arc::new(OnceLock::<SharedDevices<Keys>>::new());
        let source = Arc::new(OnceLock::<Scripted>::new());
        let hook = {
            let (shared, source) = (Arc::clone(&shared), Arc::clone(&source));
            let calls = AtomicUsize::new(0);
            move |_, _, _: &mut _| {
                if calls.fetch_add(1, Ordering::Relaxed).is_multiple_of(BATCHES) {
                    let swap = counted.fetch_add(1, Ordering::Relaxed).to_string();
                    shared.get().unwrap().swap(&swap, Arc::new(source.get().unwrap().clone()));
                }
                Ok(())
            }
        };
        let first = Arc::new(source.get_or_init(|| Scripted::new(hook)).clone());
        let devices = || SharedDevices::new("first", first, 2, 16).unwrap();
        memory_stays_flat(shared.get_or_init(devices));
    });
    let by_devices = swaps.load(Ordering::Relaxed);
    assert!(by_devices > 1_000, "{by_devices} swaps");
}
