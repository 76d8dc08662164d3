//! Self-play for long does not grow.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![cfg(target_os = "linux")]

use std::sync::atomic::AtomicBool;

use games::Game;
use search::Uniform;
use selfplay::{Goal, Pool, Progress, Run, SelfPlaySettings};

/// Kibibytes of this process in memory.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn memory_stays_flat() {
    let mut settings = SelfPlaySettings { workers: 1, games_per_worker: 16, ..Default::default() };
    settings.search.simulations = 8;
    let mut pool = Pool::new(Game::by_id("cheskers").unwrap(), settings, 1).unwrap();
    let mut play = |games| {
        let (stop, progress) = (AtomicBool::new(false), Progress::new());
        let goal = Goal::Games(games);
        let run = Run { source: &Uniform, net: "none", goal, stop: &stop, progress: &progress };
        pool.run(&run, &mut |_| Ok(())).unwrap();
        resident()
    };
    play(200);
    let warm = play(200);
    let later = (0..8).map(|_| play(100)).last().unwrap();
    assert!(later < warm + 2_048, "{warm} KiB after 400 games, {later} KiB after 1200");
}
