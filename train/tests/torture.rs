//! Real networks under self-play in every shape, and many of them one after the other; many damaged
//! runs; `make torture` runs it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "the everyday tests use all of it")]
mod damage;
#[allow(dead_code, reason = "the everyday tests use all of it")]
mod runs;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use games::Game;
use model::{Network, NetworkSettings};
use selfplay::{Goal, Pool, Progress, Run, SelfPlaySettings, Throughput};
use tch::Device;
use train::{NetEvaluators, PrecisionChoice};

/// How long nothing may be evaluated before a run counts as stuck.
const STUCK: Duration = Duration::from_secs(30);

/// The tests of this file measure the process, so they take turns.
static TURN: Mutex<()> = Mutex::new(());

fn cheskers() -> &'static Game {
    Game::by_id("cheskers").unwrap()
}

fn network(seed: u64) -> Network {
    let settings = NetworkSettings { blocks: 1, channels: 16, ..NetworkSettings::default() };
    Network::new(&settings, cheskers(), Device::Cpu, seed).unwrap()
}

/// The network on `devices` processors that workers share, or on the workers' own if that is 0.
fn evaluators(devices: usize, batch: usize) -> NetEvaluators {
    let devices = vec![Device::Cpu; devices];
    NetEvaluators::new("first", &network(1), devices, PrecisionChoice::Fp32, batch).unwrap()
}

/// What `work` comes to; a panic if `progress` stands still.
fn watched<T: Send + 'static>(
    name: &str,
    progress: &Progress,
    work: impl FnOnce() -> T + Send + 'static,
) -> T {
    let (sender, receiver) = mpsc::channel();
    let thread = thread::spawn(move || drop(sender.send(work())));
    loop {
        let before = progress.total().evaluations;
        match receiver.recv_timeout(STUCK) {
            Ok(found) => return found,
            Err(RecvTimeoutError::Timeout) => {
                assert_ne!(progress.total().evaluations, before, "{name}: nothing moves any more");
            }
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => unreachable!("a thread that ends well has sent"),
            },
        }
    }
}

/// Plays `goal` games to their end and checks that none is missing.
fn plays_to_the_end(workers: usize, games: usize, batch: usize, devices: usize, goal: u64) {
    let name = format!("{workers} workers, {games} games, batches of {batch}, {devices} devices");
    let mut settings =
        SelfPlaySettings { workers, games_per_worker: games, batch, ..SelfPlaySettings::default() };
    settings.search.simulations = 2;
    settings.cut_off_plies = Some(10);
    let progress = Arc::new(Progress::new());
    let played: (u64, Throughput) = watched(&name, &Arc::clone(&progress), move || {
        let evaluators = evaluators(devices, batch);
        let mut pool = Pool::new(cheskers(), settings, 1).unwrap();
        let stop = AtomicBool::new(false);
        let goal = Goal::AllOf(goal);
        let run = Run { evaluators: &evaluators, goal, stop: &stop, progress: &progress };
        let mut delivered = 0;
        let deliver = &mut |_| {
            delivered += 1;
            Ok(())
        };
        let throughput = pool.run(&run, deliver).unwrap();
        assert_eq!(pool.games_under_way(), 0);
        (delivered, throughput)
    });
    let (delivered, throughput) = played;
    assert_eq!((delivered, throughput.games), (goal, goal), "{name}");
    assert!(throughput.batch_fill() <= 1.0, "{name}: {throughput:?}");
}

#[test]
fn every_run_of_a_network_comes_to_an_end() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    for workers in [1, 2, 3, 8, 16] {
        for games in [1, 7, 64, 512] {
            for batch in [1, 7, 64, 1024] {
                for devices in [0, 1, 2] {
                    // The last game alone, and more games than there is room for.
                    for goal in [1, 150] {
                        plays_to_the_end(workers, games, batch, devices, goal);
                    }
                }
            }
        }
    }
}

/// Kibibytes of this process in memory.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Puts `swaps` networks in while games are played, each after the last has evaluated something.
/// Returns the resident memory after a tenth of them and at the end.
fn swap_under_load(devices: usize, swaps: u32, progress: &Arc<Progress>) -> (u64, u64) {
    let progress = Arc::clone(progress);
    let name = format!("{swaps} networks swapped on {devices} devices");
    watched(&name, &Arc::clone(&progress), move || {
        let evaluators = evaluators(devices, 32);
        let mut settings =
            SelfPlaySettings { workers: 4, games_per_worker: 16, ..SelfPlaySettings::default() };
        settings.search.simulations = 8;
        // Full in no time.
        settings.cache_bytes = 1 << 18;
        let mut pool = Pool::new(cheskers(), settings, 1).unwrap();
        let stop = AtomicBool::new(false);
        let run = Run {
            evaluators: &evaluators,
            goal: Goal::Games(u64::MAX),
            stop: &stop,
            progress: &progress,
        };
        thread::scope(|scope| {
            let swapper = scope.spawn(|| {
                let mut early = 0;
                for swap in 1..=swaps {
                    let before = progress.total().evaluations;
                    while progress.total().evaluations == before {
                        thread::sleep(Duration::from_micros(200));
                    }
                    evaluators.swap(&format!("net {swap}"), &network(swap.into()));
                    if swap == swaps / 10 {
                        early = resident();
                    }
                }
                stop.store(true, Ordering::Relaxed);
                (early, resident())
            });
            let mut newest = 0;
            let deliver = &mut |record: selfplay::GameRecord| {
                newest = newest.max(record.nets.len());
                Ok(())
            };
            pool.run(&run, deliver).unwrap();
            assert!(newest > 1, "no game has met two networks");
            swapper.join().unwrap()
        })
    })
}

#[test]
fn memory_stays_flat_over_a_thousand_networks() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    for devices in [0, 2] {
        let progress = Arc::new(Progress::new());
        let (early, late) = swap_under_load(devices, 1_000, &progress);
        // A network of this size has about 100 KiB: a leak of all would be 90 MiB.
        assert!(late < early + (16 << 10), "{early} KiB after 100 networks, {late} KiB after 1000");
    }
}

#[test]
fn no_damage_to_a_run_goes_by_in_silence() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    damage::damaged_at_random(1, 500);
}
