//! [`Progress`] and [`Throughput`]: how far self-play is and what its time goes into.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Counters that the workers keep up and anyone may read while they play.
#[derive(Debug, Default)]
pub struct Progress {
    evaluations: AtomicU64,
    batches: AtomicU64,
    seats: AtomicU64,
    steps: AtomicU64,
    games: AtomicU64,
    repaired: AtomicU64,
    evaluator_nanos: AtomicU64,
    tree_nanos: AtomicU64,
    delivery_nanos: AtomicU64,
}

/// What self-play did in some time. Times are sums over all workers.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Throughput {
    /// States evaluated.
    pub evaluations: u64,
    /// Calls of evaluators.
    pub batches: u64,
    /// Games that stood at those calls, with or without a state to evaluate.
    pub seats: u64,
    /// Steps played.
    pub steps: u64,
    /// Games finished.
    pub games: u64,
    /// Evaluations that were no numbers or no chances, and were taken as knowing nothing.
    pub repaired: u64,
    /// Time in evaluators.
    pub evaluator: Duration,
    /// Time in trees, rules and records.
    pub tree: Duration,
    /// Time waiting for the receiver of finished games.
    pub delivery: Duration,
    /// Time on the clock.
    pub elapsed: Duration,
}

impl Throughput {
    /// The share of the batches' places that was used: close to 1 except where the last games run
    /// out.
    #[must_use]
    pub fn batch_fill(&self) -> f64 {
        if self.seats == 0 { 0.0 } else { self.evaluations as f64 / self.seats as f64 }
    }

    /// Evaluations a second on the clock.
    #[must_use]
    pub fn evaluations_per_second(&self) -> f64 {
        let seconds = self.elapsed.as_secs_f64();
        if seconds == 0.0 { 0.0 } else { self.evaluations as f64 / seconds }
    }

    /// The share of the workers' time spent in the evaluator.
    #[must_use]
    pub fn evaluator_share(&self) -> f64 {
        let all = (self.evaluator + self.tree + self.delivery).as_secs_f64();
        if all == 0.0 { 0.0 } else { self.evaluator.as_secs_f64() / all }
    }

    /// What was added since `earlier`, over `elapsed`.
    #[must_use]
    pub fn since(&self, earlier: &Self, elapsed: Duration) -> Self {
        Self {
            evaluations: self.evaluations - earlier.evaluations,
            batches: self.batches - earlier.batches,
            seats: self.seats - earlier.seats,
            steps: self.steps - earlier.steps,
            games: self.games - earlier.games,
            repaired: self.repaired - earlier.repaired,
            evaluator: self.evaluator.saturating_sub(earlier.evaluator),
            tree: self.tree.saturating_sub(earlier.tree),
            delivery: self.delivery.saturating_sub(earlier.delivery),
            elapsed,
        }
    }
}

/// What one round of one worker adds.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Round {
    pub(crate) evaluations: usize,
    pub(crate) seats: usize,
    pub(crate) steps: u64,
    pub(crate) games: u64,
    pub(crate) repaired: u64,
    pub(crate) evaluator: Duration,
    pub(crate) tree: Duration,
    pub(crate) delivery: Duration,
}

impl Progress {
    /// Counters at 0.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The counters now; `elapsed` is left at 0, since they may have run for many runs.
    #[must_use]
    pub fn total(&self) -> Throughput {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let time = |counter| Duration::from_nanos(read(counter));
        Throughput {
            evaluations: read(&self.evaluations),
            batches: read(&self.batches),
            seats: read(&self.seats),
            steps: read(&self.steps),
            games: read(&self.games),
            repaired: read(&self.repaired),
            evaluator: time(&self.evaluator_nanos),
            tree: time(&self.tree_nanos),
            delivery: time(&self.delivery_nanos),
            elapsed: Duration::ZERO,
        }
    }

    pub(crate) fn add(&self, round: &Round) {
        let add = |counter: &AtomicU64, more: u64| {
            counter.fetch_add(more, Ordering::Relaxed);
        };
        add(&self.evaluations, round.evaluations as u64);
        if round.evaluations > 0 {
            add(&self.batches, 1);
            add(&self.seats, round.seats as u64);
        }
        add(&self.steps, round.steps);
        add(&self.games, round.games);
        add(&self.repaired, round.repaired);
        add(&self.evaluator_nanos, round.evaluator.as_nanos() as u64);
        add(&self.tree_nanos, round.tree.as_nanos() as u64);
        add(&self.delivery_nanos, round.delivery.as_nanos() as u64);
    }
}
