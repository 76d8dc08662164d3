//! [`watch`]: one position, looked at for as long as one likes; [`analyse_all`]: many, as fast as
//! they come.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use games::History;
use search::{
    Algorithm, Answers, EvaluatorError, EvaluatorSource, Gathered, GumbelSettings, PuctSettings,
    SearchSettings, Searcher,
};

use crate::engine::{Bounds, Engine, EngineSettings, Found, Judge, Order, Told};
use crate::seeds::derived;
use crate::{Limit, Line};

/// Who analyses.
#[derive(Clone)]
pub struct Analyst {
    judge: Judge,
    /// Threads that evaluate.
    threads: usize,
    /// Positions that each thread evaluates together.
    batch: usize,
}

/// How often it is looked whether an analysis has been stopped.
const HEARTBEAT: Duration = Duration::from_millis(50);

impl Analyst {
    /// One that asks a network or, without any, random rollouts, in so many threads, for so many
    /// positions at a time in each of them; both at least 1.
    #[must_use]
    pub fn new(network: Option<Arc<dyn EvaluatorSource>>, threads: usize, batch: usize) -> Self {
        let judge = network.map_or(Judge::Rollouts, Judge::Net);
        Self { judge, threads: threads.max(1), batch: batch.max(1) }
    }

    /// The search of players of matches: Gumbel with a network, PUCT with rollouts.
    fn settings(&self, leaves: usize) -> SearchSettings {
        let algorithm = match self.judge {
            Judge::Net(_) => Algorithm::Gumbel(GumbelSettings::default()),
            Judge::Rollouts => Algorithm::Puct(PuctSettings::default()),
        };
        SearchSettings { algorithm, leaves: leaves.clamp(1, 1024), ..SearchSettings::default() }
    }
}

impl std::fmt::Debug for Analyst {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { threads, batch, .. } = self;
        f.debug_struct("Analyst").field("threads", threads).field("batch", batch).finish()
    }
}

/// Searches the position that `line` ends with, which is not over, until `limit` or `stop`; without
/// a limit until `stop`. [Nodes](Limit::Nodes) are simulations here. Twice a second and at the end
/// `show` is told what has been found about the best `lines` moves, simulations a second, and
/// whether that was all.
///
/// # Errors
/// If an evaluation or `show` fails.
pub fn watch(
    analyst: &Analyst,
    line: &Line,
    limit: Option<Limit>,
    lines: usize,
    show: &mut dyn FnMut(&Found, f64, bool) -> io::Result<()>,
    stop: &AtomicBool,
) -> Result<(), AnalysisError> {
    let (sender, told) = channel();
    let engine = Engine::new(move |what| {
        // Nobody listens any more after an error.
        let _ = sender.send(what);
    });
    let batch = if matches!(analyst.judge, Judge::Net(_)) { analyst.batch } else { 1 };
    engine.configure(EngineSettings {
        judge: analyst.judge.clone(),
        search: analyst.settings(analyst.threads * batch),
        threads: analyst.threads,
    });
    let mut bounds = Bounds::default();
    match limit {
        None => {}
        Some(Limit::Milliseconds(_)) => bounds.time = limit.and_then(Limit::time),
        Some(Limit::Simulations(number) | Limit::Nodes(number)) => {
            bounds.simulations = Some(number);
        }
    }
    let order = Order { bounds, pondering: false, lines, all_lines_at_the_end: false };
    engine.go(line, order);
    let mut shown_last = false;
    loop {
        match told.recv_timeout(HEARTBEAT) {
            Ok(Told::Report(report)) => {
                // Of a move of several steps only the first search is on all of them.
                if !shown_last {
                    show(&report.found, report.rate, !report.interim)?;
                }
                shown_last |= !report.interim;
            }
            Ok(Told::Trouble(error)) => return Err(error.into()),
            // No more visits come, as the table shows.
            Ok(Told::Full) => {}
            Ok(Told::Best { .. }) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => {
                if stop.load(Ordering::Relaxed) {
                    engine.stop();
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(EvaluatorError("the search has ended".to_owned()).into());
            }
        }
    }
}

/// Why an analysis has ended early.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    /// The evaluator could not answer.
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    /// What was found could not be shown.
    #[error(transparent)]
    Show(#[from] io::Error),
}

/// What is to be answered; `T` is what the answer will be known by.
#[derive(Debug)]
pub struct Question<T> {
    /// What the answer comes with.
    pub tag: T,
    /// What has to be found out; if there is nothing, the tag is passed on alone.
    pub task: Option<AnalysisTask>,
}

/// A position to be analysed.
#[derive(Debug)]
pub struct AnalysisTask {
    /// The position, which is not over.
    pub state: History,
    /// Simulations, at least 1.
    pub simulations: u32,
    /// Moves that are reported on.
    pub lines: usize,
}

/// Analyses all that comes, many positions in one batch, and passes the answers to `answer` as they
/// are found. Ends when the sender of `questions` is gone and all is answered. What an answer says
/// does not depend on the other questions, as far as the network's own does not; rollouts differ.
///
/// # Errors
/// As soon as `answer` fails. What is under way is dropped.
pub fn analyse_all<T: Send + 'static>(
    analyst: &Analyst,
    questions: Receiver<Question<T>>,
    answer: &mut dyn FnMut(T, Option<Result<Found, EvaluatorError>>) -> io::Result<()>,
) -> io::Result<()> {
    let (sender, answers) = channel();
    let questions = Arc::new(Mutex::new(questions));
    for number in 0..analyst.threads {
        let (questions, sender) = (Arc::clone(&questions), sender.clone());
        let analyst = analyst.clone();
        // Not waited for: after an error they may still wait for a question.
        std::thread::spawn(move || work(&analyst, number, &questions, &sender));
    }
    drop(sender);
    answers.iter().try_for_each(|(tag, found)| answer(tag, found))
}

/// The answer to a question, if it had a task.
type Answered<T> = (T, Option<Result<Found, EvaluatorError>>);

/// Answers questions until there are no more; none if nobody wants the answers any more.
fn work<T>(
    analyst: &Analyst,
    number: usize,
    questions: &Mutex<Receiver<Question<T>>>,
    answers: &Sender<Answered<T>>,
) -> Option<()> {
    let mut evaluator = analyst.judge.evaluator(derived(1, &[number as u64]));
    let mut replies = Answers::default();
    let mut desk = Desk { analyst, answers, seats: Vec::new() };
    loop {
        desk.take(questions)?;
        if desk.seats.is_empty() {
            return Some(());
        }
        desk.gather()?;
        let queries: Vec<_> = desk.seats.iter().map(|seat| seat.searcher.query()).collect();
        let evaluated = match &mut evaluator {
            _ if queries.is_empty() => Ok(()),
            Ok(evaluator) => evaluator.evaluate(&queries, &mut replies).map_err(|error| error.0),
            Err(error) => Err(error.0.clone()),
        };
        match evaluated {
            Ok(()) => desk.apply(&replies),
            Err(problem) => desk.fail(&problem)?,
        }
    }
}

/// The questions that a thread is at.
struct Desk<'a, T> {
    analyst: &'a Analyst,
    answers: &'a Sender<Answered<T>>,
    seats: Vec<Seat<T>>,
}

/// A question being answered.
struct Seat<T> {
    tag: T,
    lines: usize,
    searcher: Searcher<History>,
}

impl<T> Desk<'_, T> {
    /// Takes questions until a batch is full or there are no more now; waits for one if there is
    /// nothing else to do.
    fn take(&mut self, questions: &Mutex<Receiver<Question<T>>>) -> Option<()> {
        while self.seats.len() < self.analyst.batch {
            let Some(Question { tag, task }) = next(questions, self.seats.is_empty()) else {
                break;
            };
            match task {
                Some(AnalysisTask { state, simulations, lines }) => {
                    let mut searcher = Searcher::new(state, self.analyst.settings(1), 1);
                    searcher.start(simulations, false);
                    self.seats.push(Seat { tag, lines, searcher });
                }
                None => self.answer(tag, None)?,
            }
        }
        Some(())
    }

    /// Goes on with every search until it needs an evaluation; answers those that are done.
    fn gather(&mut self) -> Option<()> {
        let mut index = 0;
        while let Some(seat) = self.seats.get_mut(index) {
            match seat.searcher.gather() {
                Gathered::Leaf => index += 1,
                Gathered::Done => {
                    let Seat { tag, lines, searcher } = self.seats.swap_remove(index);
                    let decision = searcher.decision();
                    let start = searcher.root().position();
                    let found = Found::of(&searcher, &decision, start, &[], lines);
                    self.answer(tag, Some(Ok(found)))?;
                }
            }
        }
        Some(())
    }

    /// Gives every search its evaluation.
    fn apply(&mut self, replies: &Answers) {
        for (index, seat) in self.seats.iter_mut().enumerate() {
            seat.searcher.apply(replies.get(index));
        }
    }

    /// Answers all questions with `problem`.
    fn fail(&mut self, problem: &str) -> Option<()> {
        for Seat { tag, .. } in std::mem::take(&mut self.seats) {
            self.answer(tag, Some(Err(EvaluatorError(problem.to_owned()))))?;
        }
        Some(())
    }

    fn answer(&self, tag: T, found: Option<Result<Found, EvaluatorError>>) -> Option<()> {
        self.answers.send((tag, found)).ok()
    }
}

/// The next question; if there is none yet, it is waited for only if `wait`. None also when there
/// will be no more.
fn next<T>(questions: &Mutex<Receiver<Question<T>>>, wait: bool) -> Option<Question<T>> {
    if wait {
        return questions.lock().unwrap_or_else(PoisonError::into_inner).recv().ok();
    }
    // Somebody else may be waiting there.
    questions.try_lock().ok()?.try_recv().ok()
}
