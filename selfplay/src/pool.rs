//! [`Pool`]: many games at a time, on all cores.

use std::collections::BTreeMap;
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Instant;

use crossbeam::channel::{Receiver, bounded};
use games::Game;
use search::EvaluatorError;

use crate::evaluators::Evaluators;
use crate::goal::{Goal, Standing};
use crate::progress::{Progress, Throughput};
use crate::record::GameRecord;
use crate::replay::ReplayError;
use crate::seat::Finished;
use crate::settings::{SelfPlaySettings, SettingsError};
use crate::shared::message;
use crate::worker::{Job, Worker};

/// Finished games that may wait for their receiver; then the workers wait.
const MOST_WAITING: usize = 64;

/// Games in progress and the workers that play them.
///
/// Games that are under way when a run ends go on in the next one, with its evaluators, so that no
/// work is lost between two checkpoints. Each worker thread owns its games: it collects one state
/// from each of them, has them evaluated in one batch, and plays what is due. Whether it computes
/// the batch itself or hands it over is up to the [`Evaluators`].
///
/// All chance comes from the seed. Games are numbered as they begin, whoever plays them, and a game
/// depends on seed and number alone, as far as answers do not depend on the rest of their batch. So
/// one worker with evaluators of its own always plays the same games; with more, a goal of
/// [`Goal::AllOf`] gets the same set of games, and in the same order with
/// [`SelfPlaySettings::reproducible`]. The other goals are cut by the clock.
#[derive(Debug)]
pub struct Pool {
    workers: Vec<Worker>,
    /// The number of the next game to begin.
    begun: u64,
    in_order: bool,
}

/// What a [`Pool::run`] is given.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// Where states are evaluated, and by which network.
    pub evaluators: &'a dyn Evaluators,
    /// When to stop.
    pub goal: Goal,
    /// Set it to stop before that: the batches under way are the last.
    pub stop: &'a AtomicBool,
    /// Counters to watch while the run is on.
    pub progress: &'a Progress,
}

impl std::fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Run").field("goal", &self.goal).finish_non_exhaustive()
    }
}

/// Why a finished game was refused.
pub type DeliveryError = Box<dyn Error + Send + Sync>;

/// Self-play has failed.
#[derive(Debug, thiserror::Error)]
pub enum SelfPlayError {
    /// An evaluator could not be made or could not answer. All games go on in the next run.
    #[error("self-play worker {worker}: {error}")]
    Evaluator {
        /// The number of the worker.
        worker: usize,
        /// What the evaluator said.
        error: EvaluatorError,
    },
    /// A worker panicked. Its games are lost; those of the others go on in the next run.
    #[error("self-play worker {worker} panicked: {message}")]
    Panic {
        /// The number of the worker.
        worker: usize,
        /// The panic's message.
        message: String,
    },
    /// A finished game whose record does not replay: a fault in rules or search.
    #[error("self-play worker {worker}: the game of seed {seed} left a bad record: {error}")]
    Record {
        /// The number of the worker.
        worker: usize,
        /// The seed of the game.
        seed: u64,
        /// What is wrong with the record.
        error: ReplayError,
    },
    /// A finished game was refused.
    #[error("a finished game could not be delivered: {0}")]
    Delivery(DeliveryError),
}

impl Pool {
    /// A pool for `game` in which no game has begun.
    ///
    /// # Errors
    /// If the settings are impossible.
    pub fn new(
        game: &'static Game,
        settings: SelfPlaySettings,
        seed: u64,
    ) -> Result<Self, SettingsError> {
        settings.check()?;
        let workers = 0..settings.worker_count();
        Ok(Self {
            workers: workers.map(|index| Worker::new(game, settings, seed, index)).collect(),
            begun: 0,
            in_order: settings.reproducible,
        })
    }

    /// The number of games under way.
    #[must_use]
    pub fn games_under_way(&self) -> usize {
        self.workers.iter().flat_map(Worker::under_way).count()
    }

    /// Gives the next game to begin this number, and those after it the numbers that follow. So a
    /// program that goes on where another ended plays the games that the other would have played.
    pub fn number_from(&mut self, number: u64) {
        self.begun = number;
    }

    /// Plays until the goal is reached or `stop` is set, and gives every finished game to `on_game`
    /// on the calling thread. While that is busy, finished games wait in a short queue; when it is
    /// full the workers wait: a slow disk slows self-play down and loses nothing.
    ///
    /// Each game has passed [`GameRecord::check`]. They come in the order in which they end, or begin
    /// if the settings ask for [reproducible](SelfPlaySettings::reproducible) runs; after the goal is
    /// reached a few more may come from the other workers.
    ///
    /// # Errors
    /// If an evaluator fails, a worker panics or `on_game` refuses a game. The run ends then, and
    /// games that end after a refusal are lost. The pool can be used again.
    ///
    /// # Panics
    /// If `on_game` does.
    pub fn run(
        &mut self,
        run: &Run<'_>,
        on_game: &mut dyn FnMut(GameRecord) -> Result<(), DeliveryError>,
    ) -> Result<Throughput, SelfPlayError> {
        let (began, before) = (Instant::now(), run.progress.total());
        let Run { evaluators, progress, .. } = *run;
        let mut under_way: Vec<u64> = self.workers.iter().flat_map(Worker::under_way).collect();
        under_way.sort_unstable();
        let standing = Standing::new(run.goal, run.stop, under_way.len(), self.begun);
        let order = self.in_order.then(|| Order::new(under_way, self.begun));
        let (sender, receiver) = bounded(MOST_WAITING);
        let outcome = thread::scope(|scope| {
            let spawn = |worker| {
                let (standing, finished) = (&standing, sender.clone());
                let job = Job { evaluators, standing, progress, finished };
                scope.spawn(move || play(worker, &job))
            };
            let threads: Vec<_> = self.workers.iter_mut().map(spawn).collect();
            drop(sender);
            let delivered = deliver(&standing, receiver, order, on_game);
            let mut outcome = Ok(());
            for thread in threads {
                // The first failure is told; the later ones are mostly its consequences.
                outcome = outcome.and(thread.join().expect("workers catch their panics"));
            }
            outcome.and(delivered)
        });
        self.begun = standing.next_game();
        outcome?;
        Ok(progress.total().since(&before, began.elapsed()))
    }
}

/// One worker thread. Whatever goes wrong in it ends the run.
fn play(worker: &mut Worker, job: &Job<'_>) -> Result<(), SelfPlayError> {
    let outcome = catch_unwind(AssertUnwindSafe(|| worker.play(job))).unwrap_or_else(|panic| {
        worker.abandon_games();
        Err(SelfPlayError::Panic { worker: worker.index(), message: message(panic.as_ref()) })
    });
    if outcome.is_err() {
        job.standing.fail();
    }
    outcome
}

/// Gives every finished game to `on_game` until the last worker has ended. It owns the queue's
/// end, so that a panic in `on_game` closes it: a worker that waits for room goes on and ends.
fn deliver(
    standing: &Standing<'_>,
    finished: Receiver<Finished>,
    mut order: Option<Order>,
    on_game: &mut dyn FnMut(GameRecord) -> Result<(), DeliveryError>,
) -> Result<(), SelfPlayError> {
    /// Ends the run if `on_game` panics.
    struct FailOnDrop<'a>(&'a Standing<'a>);
    impl Drop for FailOnDrop<'_> {
        fn drop(&mut self) {
            self.0.fail();
        }
    }
    let _guard = FailOnDrop(standing);
    let mut outcome = Ok(());
    let mut give = |record| {
        if outcome.is_ok()
            && let Err(refusal) = on_game(record)
        {
            standing.fail();
            outcome = Err(SelfPlayError::Delivery(refusal));
        }
    };
    for finished in finished {
        match &mut order {
            Some(order) => order.put(finished, &mut give),
            None => give(finished.record),
        }
    }
    // If the run was cut short, some that come before these are still under way.
    order.into_iter().flat_map(|order| order.early.into_values()).for_each(give);
    outcome
}

/// Puts games back into the order in which they began.
struct Order {
    /// The numbers of the games under way when the run began that have not ended, the last first.
    older: Vec<u64>,
    /// The first number of the run's own games that has not ended.
    next: u64,
    /// Games that ended before one that comes before them.
    early: BTreeMap<u64, GameRecord>,
}

impl Order {
    /// For a run that begins with the games `under_way`, in order, and goes on with number `next`.
    fn new(mut under_way: Vec<u64>, next: u64) -> Self {
        under_way.reverse();
        Self { older: under_way, next, early: BTreeMap::new() }
    }

    /// Takes a game, and gives all whose turn it is.
    fn put(&mut self, finished: Finished, give: &mut impl FnMut(GameRecord)) {
        self.early.insert(finished.number, finished.record);
        while let Some(record) = self.early.remove(self.older.last().unwrap_or(&self.next)) {
            if self.older.pop().is_none() {
                self.next += 1;
            }
            give(record);
        }
    }
}
