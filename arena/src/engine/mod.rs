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

use games::{End, EndReason, Move};
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

/// `line` as it is to be searched for another program, which has the last word on when a game is
/// over: where a counter of the game alone has ended it, another one begins in that position.
///
/// # Errors
/// How it has ended, if the position is over by its own rules.
pub(crate) fn searchable(line: &Line) -> Result<Line, End> {
    let state = line.state();
    let Some(end) = state.end() else { return Ok(line.clone()) };
    if end.reason == EndReason::Rules {
        return Err(end);
    }
    let here = Line::new(state.position().clone());
    if here.state().end().is_none() {
        return Ok(here);
    }
    // That is the clock of the hundred plies, the last field but one.
    let fen = state.position().fen();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields.iter_mut().nth_back(1).into_iter().for_each(|clock| *clock = "0");
    state.game().parse_fen(&fields.join(" ")).map(Line::new).map_err(|_| end)
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

#[cfg(test)]
mod tests {
    use games::Game;

    use super::*;

    /// The longest game: no move that ends it, and none that cannot be undone unless it is time.
    fn longest(game: &'static Game) -> Line {
        let mut line = Line::new(game.start());
        while line.state().end().is_none() {
            let after = |played: Move| {
                let mut after = line.clone();
                after.play(played);
                after
            };
            let reason = |line: &Line| line.state().end().map(|end| end.reason);
            let is_open = |line: &Line| reason(line).is_none_or(|r| r == EndReason::MaximumLength);
            let (moves, has_time) =
                (line.state().position().moves().unwrap(), line.state().position().clock() < 98);
            let open = moves.into_iter().map(after).filter(is_open);
            let next = open.min_by_key(|after| (after.state().position().clock() == 0) == has_time);
            line = next.unwrap();
        }
        line
    }

    #[test]
    fn games_that_only_a_counter_has_ended_begin_anew() {
        let chess = Game::by_id("chess").unwrap();
        let long = longest(chess);
        assert_eq!(long.state().end().unwrap().reason, EndReason::MaximumLength);
        let late = Line::new(chess.parse_fen("7k/8/8/8/8/8/8/KR6 w - - - 100 90").unwrap());
        for (line, fen) in [
            (&long, long.state().position().fen()),
            (&late, "7k/8/8/8/8/8/8/KR6 w - - - 0 90".to_owned()),
        ] {
            let anew = searchable(line).unwrap();
            assert_eq!((anew.start().fen(), anew.moves()), (fen, &[][..]));
            assert_eq!(anew.state().end(), None);
        }
        let mated = Line::new(chess.parse_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - - 100 90").unwrap());
        assert_eq!(searchable(&mated).unwrap_err().reason, EndReason::Rules);
        let begun = Line::new(chess.start());
        assert_eq!(searchable(&begun).unwrap().moves(), begun.moves());
    }
}
