//! [`MemoryNeed`]: how much memory a run is going to take, estimated before it does.

use std::mem::size_of;

use games::{Game, History, State, Step};
use rand::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use search::Algorithm;
use selfplay::{Policy, SelfPlaySettings, StepRecord, Visited};

use crate::memory::available_mib;
use crate::phase::Grouped;
use crate::schedule::window_rows;
use crate::settings::Settings;

/// About how much memory a run takes for what its settings ask for: games and searches. The network
/// and what it computes with come on top; on the processor that is little beside the window of any
/// run that is worth the name, and a GPU has its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MemoryNeed {
    /// The rows that the window holds, those kept for validation included.
    pub rows: u64,
    /// The MiB that their games take.
    pub window_mib: f64,
    /// The MiB in which all threads remember evaluations.
    pub caches_mib: f64,
    /// The MiB of the search trees of all games under way.
    pub trees_mib: f64,
}

/// A run would not fit in memory.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(
    "the run would take about {:.0} MiB of memory, and {free_mib:.0} MiB are free: {:.0} for {} rows \
     (replay.window), {:.0} for remembered evaluations (selfplay.cache_bytes of each of \
     selfplay.workers), {:.0} for search trees (selfplay.games_per_worker)",
    need.mib(), need.window_mib, Grouped(need.rows), need.caches_mib, need.trees_mib
)]
pub struct MemoryError {
    /// What the run takes.
    pub need: MemoryNeed,
    /// The MiB that can be had.
    pub free_mib: f64,
}

impl MemoryNeed {
    /// What a run with `settings` takes that has made `rows` rows to learn from so far.
    ///
    /// The window counts as large as the settings say, or as it is already if it has grown beyond, and
    /// never larger than the games of a short run can fill. How large positions are is found out by
    /// some random play.
    #[must_use]
    pub fn of(settings: &Settings, rows: u64) -> Self {
        let selfplay = &settings.selfplay;
        let workers = selfplay.worker_count() as f64;
        let legal = legal_steps(settings.game());
        let mean = legal.iter().sum::<usize>() as f64 / legal.len() as f64;
        let games = workers * selfplay.games_per_worker as f64;
        let rows = rows_held(settings, rows);
        Self {
            rows,
            window_mib: mib(rows as f64 * row_bytes(selfplay, &legal)),
            caches_mib: mib(workers * selfplay.cache_bytes as f64),
            trees_mib: mib(games * selfplay.search.tree_need(mean)),
        }
    }

    /// All of it, in MiB.
    #[must_use]
    pub fn mib(&self) -> f64 {
        self.window_mib + self.caches_mib + self.trees_mib
    }

    /// Refuses what would not fit in the memory that can be had now, none of it being taken yet.
    pub(crate) fn check(self) -> Result<(), MemoryError> {
        match available_mib() {
            Some(free_mib) if self.mib() > free_mib => Err(MemoryError { need: self, free_mib }),
            _ => Ok(()),
        }
    }
}

fn mib(bytes: f64) -> f64 {
    bytes / f64::from(1 << 20)
}

/// The rows of the window on both sides, to learn from and to validate with.
fn rows_held(settings: &Settings, rows: u64) -> u64 {
    let Settings { run, replay, .. } = settings;
    let both = |training: u64| (training as f64 / (1.0 - replay.validation)) as u64;
    let most = match run.generations {
        0 => u64::MAX,
        generations => {
            let games = u64::from(generations) * u64::from(run.games);
            games * u64::from(settings.game().maximum_plies)
        }
    };
    both(replay.window).min(most).max(both(window_rows(rows, replay)))
}

/// The bytes that a row takes in the window, in positions with so many `legal` steps.
fn row_bytes(settings: &SelfPlaySettings, legal: &[usize]) -> f64 {
    /// What an allocation takes beyond its contents.
    const ALLOCATION: usize = 16;
    // Where the window keeps it, and its chance to be drawn.
    let place = (size_of::<u32>() + size_of::<f32>()) as f64;
    let share = f64::from(settings.full_share);
    let (mut rows, mut bytes) = (0.0, 0.0);
    for &legal in legal {
        bytes += size_of::<StepRecord>() as f64;
        if legal == 1 {
            // Nothing is searched.
            continue;
        }
        let visited = |simulations: u32| {
            let most = match settings.search.algorithm {
                Algorithm::Gumbel(gumbel) => gumbel.considered.min(simulations),
                // It goes to the best ones again and again.
                Algorithm::Puct(_) => simulations / 2,
            };
            legal.min(most as usize)
        };
        let list = |simulations| (visited(simulations) * size_of::<Visited>() + ALLOCATION) as f64;
        let target = match legal {
            few if few <= Policy::MOST_DENSE => few * size_of::<u16>(),
            _ => {
                let listed = Policy::BEST_UNVISITED + visited(settings.search.simulations);
                listed * size_of::<(u16, u16)>()
            }
        };
        let full = (target + ALLOCATION) as f64 + list(settings.search.simulations) + place;
        bytes += share * full + (1.0 - share) * list(settings.cheap_simulations);
        rows += share;
    }
    bytes / rows
}

/// The numbers of legal steps in some positions of random play.
fn legal_steps(game: &'static Game) -> Vec<usize> {
    const POSITIONS: usize = 200;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut history = History::new(game.start());
    let mut legal: Vec<Step> = Vec::new();
    let mut found = Vec::with_capacity(POSITIONS);
    while found.len() < POSITIONS {
        legal.clear();
        if history.steps(&mut legal).is_some() {
            history = History::new(game.start());
            continue;
        }
        found.push(legal.len());
        history.play(legal[rng.random_range(0..legal.len())]);
    }
    found
}
