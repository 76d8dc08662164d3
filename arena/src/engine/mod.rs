//! [`Engine`]: a search in a thread of its own, for protocols and analysis.
//!
//! Whoever leads the engine gives it [`Order`]s and may stop it at any time; what it finds comes
//! back as [`Told`]. The tree is kept from order to order. A [`Talk`] leads it by the lines of another
//! program, whatever the protocol.

mod budget;
mod found;
mod notation;
mod options;
mod order;
mod score;
mod talk;
mod thinker;

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use games::Move;
use search::{Evaluator, EvaluatorError, EvaluatorSource, SearchSettings};

pub(crate) use budget::Budget;
pub use found::{Found, FoundLine};
pub(crate) use notation::Notation;
pub(crate) use options::{Described, EMPTY, Kind, Touched};
pub use options::{EngineOptions, EngineSearch};
pub(crate) use order::{Bounds, Order};
use order::{Control, Task};
pub(crate) use score::Score;
pub(crate) use talk::{Event, Talk};
use thinker::Thinker;

use crate::Line;
use crate::rollouts::Rollouts;

/// What judges positions.
#[derive(Clone)]
pub(crate) enum Judge {
    /// A network.
    Net(Arc<dyn EvaluatorSource>),
    /// Random rollouts, as `mcts:` players have them.
    Rollouts,
}

impl Judge {
    /// What a thread asks; rollouts are drawn with `seed`.
    pub(crate) fn evaluator(&self, seed: u64) -> Result<Box<dyn Evaluator>, EvaluatorError> {
        match self {
            Self::Net(source) => source.evaluator(),
            Self::Rollouts => Ok(Box::new(Rollouts::new(seed))),
        }
    }
}

/// How an engine searches.
#[derive(Clone)]
pub(crate) struct EngineSettings {
    pub(crate) judge: Judge,
    /// The tree; [`SearchSettings::leaves`] is for all threads together.
    pub(crate) search: SearchSettings,
    /// Threads that evaluate the states of a search.
    pub(crate) threads: usize,
}

/// What an engine has to say.
#[derive(Debug)]
pub(crate) enum Told {
    /// How the search stands.
    Report(Report),
    /// What went wrong. An answer comes nevertheless.
    Trouble(EvaluatorError),
    /// The search tree is full: this search finds no more.
    Full,
    /// The search is over. Comes once an order, and last.
    Best {
        /// The move to play.
        chosen: Move,
        /// The answer that is expected.
        ponder: Option<Move>,
    },
}

/// How a search stands.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) found: Found,
    /// Since the order.
    pub(crate) time: Duration,
    /// Simulations of this search a second.
    pub(crate) rate: f64,
    /// Whether the search goes on.
    pub(crate) interim: bool,
}

/// A thread that searches when it is told to.
pub(crate) struct Engine {
    tasks: Option<Sender<Task>>,
    control: Arc<Control>,
    thread: Option<JoinHandle<()>>,
}

impl Engine {
    /// An engine that has to be [configured](Self::configure) before its first order, and calls
    /// `tell` from its own thread.
    pub(crate) fn new(tell: impl Fn(Told) + Send + 'static) -> Self {
        let control = Arc::new(Control::default());
        let (tasks, orders) = channel();
        let thread = {
            let control = Arc::clone(&control);
            std::thread::spawn(move || Thinker::new(control, tell).serve(&orders))
        };
        Self { tasks: Some(tasks), control, thread: Some(thread) }
    }

    /// Takes other settings and drops the tree, after the order under way.
    pub(crate) fn configure(&self, settings: EngineSettings) {
        self.send(Task::Configure(settings));
    }

    /// Drops the tree, after the order under way.
    pub(crate) fn forget(&self) {
        self.send(Task::Forget);
    }

    /// Searches the position at the end of `line`, where the game is not over. Not to be called before
    /// the last order's [`Told::Best`] has come.
    pub(crate) fn go(&self, line: &Line, order: Order) {
        self.control.begin(order.pondering);
        let steps = line.moves().iter().flat_map(|played| played.steps()).copied().collect();
        self.send(Task::Go { start: Box::new(line.start().clone()), steps, order });
    }

    /// Ends the order under way: its answer comes at once.
    pub(crate) fn stop(&self) {
        self.control.stop();
    }

    /// The move that was pondered on has been played: the bounds count from now on.
    pub(crate) fn ponder_hit(&self) {
        self.control.ponder_hit();
    }

    fn send(&self, task: Task) {
        let tasks = self.tasks.as_ref().expect("there until the engine is dropped");
        // A thread that is no more cannot be told anything: that is noticed where answers are read.
        let _ = tasks.send(task);
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.control.stop();
        self.tasks = None;
        if let Some(thread) = self.thread.take() {
            // If it has panicked, its message is on stderr already.
            let _ = thread.join();
        }
    }
}
