//! [`Progress`] and [`Throughput`]: how far self-play is and what its time goes into.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::evaluators::Spent;

/// Counters that the workers keep up and anyone may read while they play.
#[derive(Debug, Default)]
pub struct Progress {
    evaluations: AtomicU64,
    looked_up: AtomicU64,
    found: AtomicU64,
    batches: AtomicU64,
    places: AtomicU64,
    steps: AtomicU64,
    games: AtomicU64,
    repaired: AtomicU64,
    full_trees: AtomicU64,
    network_nanos: AtomicU64,
    encoding_nanos: AtomicU64,
    tree_nanos: AtomicU64,
    waiting_nanos: AtomicU64,
    delivery_nanos: AtomicU64,
    stall_nanos: AtomicU64,
}

/// What self-play did in some time. Times are sums over all workers.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Throughput {
    /// States evaluated by a network.
    pub evaluations: u64,
    /// States looked for among remembered evaluations.
    pub looked_up: u64,
    /// Those that were found there, and needed no evaluation.
    pub found: u64,
    /// Calls of evaluators or devices.
    pub batches: u64,
    /// States that these calls could have had: of a worker's own, one of each game of its group; of
    /// a device, as many as it takes.
    pub places: u64,
    /// Steps played.
    pub steps: u64,
    /// Games finished.
    pub games: u64,
    /// Evaluations that were no numbers or no chances, and were taken as knowing nothing.
    pub repaired: u64,
    /// Searches that ended early because their trees had reached
    /// [`tree_bytes`](search::SearchSettings::tree_bytes).
    pub full_trees: u64,
    /// Time in networks: the workers' own, or that of the devices beside them.
    pub network: Duration,
    /// Time for bringing states into the form that networks take.
    pub encoding: Duration,
    /// Time in trees, rules and records.
    pub tree: Duration,
    /// Time waiting for devices.
    pub waiting: Duration,
    /// Time waiting for the receiver of finished games.
    pub delivery: Duration,
    /// The longest time from one batch of a worker to its next since the counters were made.
    pub longest_stall: Duration,
    /// Time on the clock.
    pub elapsed: Duration,
}

impl Throughput {
    /// The share of the batches' places that was used. Of a worker's own: close to 1 except where the
    /// last games run out.
    #[must_use]
    pub fn batch_fill(&self) -> f64 {
        if self.places == 0 { 0.0 } else { self.evaluations as f64 / self.places as f64 }
    }

    /// The share of the states looked for among remembered evaluations that were found.
    #[must_use]
    pub fn cache_hits(&self) -> f64 {
        if self.looked_up == 0 { 0.0 } else { self.found as f64 / self.looked_up as f64 }
    }

    /// Evaluations a second on the clock.
    #[must_use]
    pub fn evaluations_per_second(&self) -> f64 {
        let seconds = self.elapsed.as_secs_f64();
        if seconds == 0.0 { 0.0 } else { self.evaluations as f64 / seconds }
    }

    /// What was added since `earlier`, over `elapsed`.
    #[must_use]
    pub fn since(&self, earlier: &Self, elapsed: Duration) -> Self {
        Self {
            evaluations: self.evaluations - earlier.evaluations,
            looked_up: self.looked_up - earlier.looked_up,
            found: self.found - earlier.found,
            batches: self.batches - earlier.batches,
            places: self.places - earlier.places,
            steps: self.steps - earlier.steps,
            games: self.games - earlier.games,
            repaired: self.repaired - earlier.repaired,
            full_trees: self.full_trees - earlier.full_trees,
            network: self.network.saturating_sub(earlier.network),
            encoding: self.encoding.saturating_sub(earlier.encoding),
            tree: self.tree.saturating_sub(earlier.tree),
            waiting: self.waiting.saturating_sub(earlier.waiting),
            delivery: self.delivery.saturating_sub(earlier.delivery),
            longest_stall: self.longest_stall,
            elapsed,
        }
    }
}

/// What one round of one worker adds.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Round {
    pub(crate) evaluations: u64,
    pub(crate) looked_up: u64,
    pub(crate) found: u64,
    pub(crate) steps: u64,
    pub(crate) games: u64,
    pub(crate) repaired: u64,
    pub(crate) full_trees: u64,
    pub(crate) spent: Spent,
    pub(crate) tree: Duration,
    pub(crate) delivery: Duration,
    /// Since the worker's round before.
    pub(crate) stall: Duration,
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
            looked_up: read(&self.looked_up),
            found: read(&self.found),
            batches: read(&self.batches),
            places: read(&self.places),
            steps: read(&self.steps),
            games: read(&self.games),
            repaired: read(&self.repaired),
            full_trees: read(&self.full_trees),
            network: time(&self.network_nanos),
            encoding: time(&self.encoding_nanos),
            tree: time(&self.tree_nanos),
            waiting: time(&self.waiting_nanos),
            delivery: time(&self.delivery_nanos),
            longest_stall: time(&self.stall_nanos),
            elapsed: Duration::ZERO,
        }
    }

    pub(crate) fn add(&self, round: &Round) {
        let Round { evaluations, looked_up, found, steps, games, .. } = *round;
        let Round { repaired, full_trees, spent, tree, delivery, stall, .. } = *round;
        let add = |counter: &AtomicU64, more: u64| {
            counter.fetch_add(more, Ordering::Relaxed);
        };
        let add_time = |counter, more: Duration| add(counter, more.as_nanos() as u64);
        add(&self.evaluations, evaluations);
        add(&self.looked_up, looked_up);
        add(&self.found, found);
        add(&self.batches, spent.batches);
        add(&self.places, spent.places);
        add(&self.steps, steps);
        add(&self.games, games);
        add(&self.repaired, repaired);
        add(&self.full_trees, full_trees);
        add_time(&self.network_nanos, spent.network);
        add_time(&self.encoding_nanos, spent.encoding);
        add_time(&self.waiting_nanos, spent.waiting);
        add_time(&self.tree_nanos, tree);
        add_time(&self.delivery_nanos, delivery);
        self.stall_nanos.fetch_max(stall.as_nanos() as u64, Ordering::Relaxed);
    }
}
