//! [`Pool`]: many games at a time, on all cores, against one evaluator a thread.

use std::any::Any;
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Instant;

use crossbeam::channel::{Receiver, bounded};
use games::Game;
use search::{EvaluatorError, EvaluatorSource};

use crate::goal::{Goal, Standing};
use crate::progress::{Progress, Throughput};
use crate::record::GameRecord;
use crate::replay::ReplayError;
use crate::settings::{SelfPlaySettings, SettingsError};
use crate::worker::{Job, Worker};

/// Finished games that may wait for their receiver; then the workers wait.
const MOST_WAITING: usize = 64;

/// Games in progress and the workers that play them.
///
/// Games that are under way when a run ends go on in the next one, with its evaluator, so that no
/// work is lost between two checkpoints. Each worker thread owns its games and its evaluator: it
/// collects one state from every game, has them evaluated in one batch, and plays what is due.
/// Nothing is handed from thread to thread but finished games.
///
/// All chance comes from the seed. With one worker and an evaluator whose answers do not depend on
/// the batch, the same seed gives the same games. With more, each worker plays the same games again,
/// but the goal may cut them elsewhere.
#[derive(Debug)]
pub struct Pool {
    workers: Vec<Worker>,
}

/// What a [`Pool::run`] is given.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// Where each worker gets its evaluator from.
    pub source: &'a dyn EvaluatorSource,
    /// The id of that network, for the records.
    pub net: &'a str,
    /// When to stop.
    pub goal: Goal,
    /// Set it to stop before that: the batches under way are the last.
    pub stop: &'a AtomicBool,
    /// Counters to watch while the run is on.
    pub progress: &'a Progress,
}

impl std::fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { net, goal, .. } = self;
        f.debug_struct("Run").field("net", net).field("goal", goal).finish_non_exhaustive()
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
        })
    }

    /// The number of games under way.
    #[must_use]
    pub fn games_under_way(&self) -> usize {
        self.workers.iter().map(Worker::games_under_way).sum()
    }

    /// Plays until the goal is reached or `stop` is set, and gives every finished game to `on_game`
    /// on the calling thread. While that is busy, finished games wait in a short queue; when it is
    /// full the workers wait: a slow disk slows self-play down and loses nothing.
    ///
    /// Each game has passed [`GameRecord::check`]. They come in the order in which they end; after
    /// the goal is reached a few more may come from the other workers.
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
        let standing = Standing::new(run.goal, run.stop, self.games_under_way());
        let (sender, receiver) = bounded(MOST_WAITING);
        thread::scope(|scope| {
            let spawn = |worker| {
                let Run { source, net, progress, .. } = *run;
                let (standing, finished) = (&standing, sender.clone());
                let job = Job { source, net, standing, progress, finished };
                scope.spawn(move || play(worker, &job))
            };
            let threads: Vec<_> = self.workers.iter_mut().map(spawn).collect();
            drop(sender);
            let delivered = deliver(&standing, receiver, on_game);
            let mut outcome = Ok(());
            for thread in threads {
                // The first failure is told; the later ones are mostly its consequences.
                outcome = outcome.and(thread.join().expect("workers catch their panics"));
            }
            outcome.and(delivered)
        })?;
        Ok(run.progress.total().since(&before, began.elapsed()))
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

/// What was said at a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned()
}

/// Gives every finished game to `on_game` until the last worker has ended. It owns the queue's
/// end, so that a panic in `on_game` closes it: a worker that waits for room goes on and ends.
fn deliver(
    standing: &Standing<'_>,
    finished: Receiver<GameRecord>,
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
    for record in finished {
        if outcome.is_ok()
            && let Err(refusal) = on_game(record)
        {
            standing.fail();
            outcome = Err(SelfPlayError::Delivery(refusal));
        }
    }
    outcome
}
