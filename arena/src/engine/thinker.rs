//! [`Thinker`]: what runs in the thread of an engine.

use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use games::{History, Move, Position, State, Step};
use search::{
    Algorithm, Answers, Decision, Ended, Evaluator, EvaluatorError, Gathered, Query, Searcher,
};

use super::found::{Found, variations, whole_moves};
use super::order::{Control, Order, Task};
use super::{EngineSettings, Report, Told};
use crate::limit::{FIRST_ROUND, MOST_SIMULATIONS};
use crate::seeds::derived;

/// Between two reports on a search that goes on.
const BETWEEN_REPORTS: Duration = Duration::from_millis(500);

/// Of the time left for a move the share of its next step, if more may follow.
const SHARE_OF_STEP: f64 = 0.6;

/// Searches are deterministic: rollouts are the only thing that is drawn.
const SEED: u64 = 1;

pub(super) struct Thinker<F> {
    control: Arc<Control>,
    tell: F,
    brain: Option<Brain>,
}

impl<F: Fn(Told)> Thinker<F> {
    pub(super) fn new(control: Arc<Control>, tell: F) -> Self {
        Self { control, tell, brain: None }
    }

    /// Does what it is told until nobody can tell it anything any more.
    pub(super) fn serve(mut self, tasks: &Receiver<Task>) {
        for task in tasks {
            match task {
                Task::Configure(settings) => match Brain::new(settings) {
                    Ok(brain) => self.brain = Some(brain),
                    Err(trouble) => (self.tell)(Told::Trouble(trouble)),
                },
                Task::Forget => {
                    if let Some(brain) = &mut self.brain {
                        brain.forget();
                    }
                }
                Task::Go { start, steps, order } => self.go(&start, &steps, order),
            }
        }
    }

    fn go(&mut self, start: &Position, steps: &[Step], order: Order) {
        let mut state = History::new(start.clone());
        steps.iter().for_each(|&step| state.play(step));
        let mut search = Search {
            control: &self.control,
            tell: &self.tell,
            order,
            start: &state,
            played: Vec::new(),
            line: Vec::new(),
            made: 0,
            began: Instant::now(),
            last_report: Instant::now(),
        };
        let chosen = match &mut self.brain {
            Some(brain) => {
                brain.place(start, steps, &state);
                search.choose_move(brain)
            }
            None => Err(EvaluatorError("the engine has no evaluator".to_owned())),
        };
        if let Err(error) = chosen {
            (self.tell)(Told::Trouble(error));
            // The tree may stand anywhere.
            self.brain.iter_mut().for_each(Brain::forget);
            search.complete_anyhow();
        }
        self.control.wait(order.bounds.is_endless());
        let moves = whole_moves(state.position(), &search.line);
        let chosen = Move::new(&search.played);
        let ponder = moves.get(1).filter(|_| moves[0] == chosen).cloned();
        (self.tell)(Told::Best { chosen, ponder });
    }
}

/// A tree and what judges its leaves.
struct Brain {
    settings: EngineSettings,
    searcher: Option<Searcher<History>>,
    /// The position string of the game that the searcher follows, and the steps from there to its
    /// root.
    start: String,
    steps: Vec<Step>,
    evaluators: Vec<(Box<dyn Evaluator>, Answers)>,
    /// Threads for all evaluators, if there are several.
    pool: Option<rayon::ThreadPool>,
}

impl Brain {
    fn new(settings: EngineSettings) -> Result<Self, EvaluatorError> {
        let evaluator = |number: usize| -> Result<(Box<dyn Evaluator>, Answers), EvaluatorError> {
            let seed = derived(SEED, &[number as u64]);
            Ok((settings.judge.evaluator(seed)?, Answers::default()))
        };
        let evaluators: Result<Vec<_>, _> = (0..settings.threads.max(1)).map(evaluator).collect();
        let evaluators = evaluators?;
        let pool = match evaluators.len() {
            1 => None,
            threads => {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let problem = |error| format!("cannot start {threads} threads: {error}");
                Some(pool.map_err(|error| EvaluatorError(problem(error)))?)
            }
        };
        let (start, steps) = (String::new(), Vec::new());
        Ok(Self { settings, searcher: None, start, steps, evaluators, pool })
    }

    fn forget(&mut self) {
        self.searcher = None;
    }

    /// Goes to `state`, which `steps` lead to from `start`, and keeps what the tree knows of it.
    fn place(&mut self, start: &Position, steps: &[Step], state: &History) {
        let fen = start.fen();
        let rest = (self.start == fen).then(|| steps.strip_prefix(self.steps.as_slice())).flatten();
        match (&mut self.searcher, rest) {
            (Some(searcher), Some(rest)) => rest.iter().for_each(|&step| searcher.advance(step)),
            (Some(searcher), None) => searcher.reset(state),
            (none, _) => {
                *none = Some(Searcher::new(state.clone(), self.settings.search, SEED));
            }
        }
        self.start = fen;
        self.steps = steps.to_vec();
    }

    /// The searcher, which is there since the brain was [placed](Self::place).
    fn searcher(&mut self) -> &mut Searcher<History> {
        self.searcher.as_mut().expect("the brain was placed")
    }

    fn advance(&mut self, step: Step) {
        self.searcher().advance(step);
        self.steps.push(step);
    }

    /// The most simulations of one search.
    fn most_simulations(&self) -> u32 {
        match self.settings.search.algorithm {
            // Visits of earlier rounds are taken off one by one.
            Algorithm::Gumbel(_) => MOST_SIMULATIONS,
            Algorithm::Puct(_) => 1 << 30,
        }
    }

    /// Answers the states that wait.
    fn evaluate(&mut self) -> Result<(), EvaluatorError> {
        let searcher = self.searcher.as_mut().expect("the brain was placed");
        let queries: Vec<Query<'_>> = searcher.queries().collect();
        let share = queries.len().div_ceil(self.evaluators.len());
        let parts = queries.len().div_ceil(share);
        match &self.pool {
            Some(pool) if parts > 1 => {
                use rayon::prelude::*;
                pool.install(|| {
                    self.evaluators.par_iter_mut().zip(queries.par_chunks(share)).try_for_each(
                        |((evaluator, answers), queries)| evaluator.evaluate(queries, answers),
                    )
                })?;
            }
            _ => {
                let (evaluator, answers) = &mut self.evaluators[0];
                evaluator.evaluate(&queries, answers)?;
            }
        }
        for (_, answers) in &self.evaluators[..parts] {
            for index in 0..answers.len() {
                searcher.apply(answers.get(index));
            }
        }
        Ok(())
    }
}

/// One order being carried out.
struct Search<'a, F> {
    control: &'a Control,
    tell: &'a F,
    order: Order,
    /// Where it began.
    start: &'a History,
    /// The steps chosen so far.
    played: Vec<Step>,
    /// The line that is expected: these steps, and what comes after them.
    line: Vec<Step>,
    /// Simulations of the rounds that are over.
    made: u64,
    began: Instant,
    last_report: Instant,
}

impl<F: Fn(Told)> Search<'_, F> {
    /// Searches step by step until a whole move is chosen.
    fn choose_move(&mut self, brain: &mut Brain) -> Result<(), EvaluatorError> {
        loop {
            let decision = self.choose_step(brain)?;
            self.report(brain, &decision, 0, false);
            self.line.truncate(self.played.len());
            let best = variations(brain.searcher(), &decision, 1);
            self.line.extend(best.into_iter().flat_map(|best| best.steps));
            self.played.push(decision.step);
            let mut next = brain.searcher().root().position().clone();
            next.play(decision.step);
            if !next.mid_move() {
                return Ok(());
            }
            brain.advance(decision.step);
        }
    }

    /// Searches for one step.
    fn choose_step(&mut self, brain: &mut Brain) -> Result<Decision, EvaluatorError> {
        let bounds = self.order.bounds;
        let most = brain.most_simulations();
        let goal = bounds.simulations.map_or(most, |simulations| simulations.min(most));
        let in_rounds = bounds.simulations.is_none() || bounds.plies.is_some();
        let share = if may_go_on(brain.searcher().root()) { SHARE_OF_STEP } else { 1.0 };
        let begun = self.control.elapsed().unwrap_or_default();
        let time = bounds.time.map(|time| begun + time.saturating_sub(begun).mul_f64(share));
        let mut round = if in_rounds { FIRST_ROUND.min(goal) } else { goal };
        let mut first = true;
        loop {
            if first && self.is_time(time) {
                // No more than the root's own evaluation, and what the tree knows.
                round = 0;
            }
            brain.searcher().start(round, false);
            while brain.searcher().gather() == Gathered::Leaf {
                if !first && self.is_time(time) {
                    return Ok(self.end_round(brain));
                }
                first = false;
                brain.evaluate()?;
                if self.last_report.elapsed() >= BETWEEN_REPORTS {
                    let decision = brain.searcher().decision();
                    self.report(brain, &decision, decision.simulations, true);
                }
            }
            first = false;
            let decision = self.end_round(brain);
            if decision.ended == Ended::TreeFull {
                (self.tell)(Told::Full);
            }
            let spent = decision.ended == Ended::Spent && round < goal && round > 0;
            if !spent || self.is_time(time) || self.is_deep(brain, &decision) {
                if self.played.is_empty() && self.control.has_to_wait(bounds.is_endless()) {
                    self.report(brain, &decision, 0, true);
                    self.control.wait(bounds.is_endless());
                }
                return Ok(decision);
            }
            round = round.saturating_mul(2).min(goal);
        }
    }

    /// Counts the simulations of the search that ends.
    fn end_round(&mut self, brain: &mut Brain) -> Decision {
        let decision = brain.searcher().decision();
        self.made += u64::from(decision.simulations);
        decision
    }

    /// Whether the search was stopped, or has taken so long.
    fn is_time(&self, most: Option<Duration>) -> bool {
        self.control.stopped()
            || most.is_some_and(|most| self.control.elapsed().is_some_and(|time| time >= most))
    }

    /// Whether the principal line is as long as it has to be.
    fn is_deep(&self, brain: &mut Brain, decision: &Decision) -> bool {
        self.order.bounds.plies.is_some_and(|plies| {
            let line = variations(brain.searcher(), decision, 1).into_iter().flat_map(|v| v.steps);
            let steps: Vec<Step> = self.played.iter().copied().chain(line).collect();
            whole_moves(self.start.position(), &steps).len() >= plies as usize
        })
    }

    /// Tells how the search stands; `running` are the simulations of a round that is not over.
    fn report(&mut self, brain: &mut Brain, decision: &Decision, running: u32, interim: bool) {
        self.last_report = Instant::now();
        let lines = match (self.played.is_empty(), self.order.all_lines_at_the_end && !interim) {
            // The other moves begin with other steps.
            (false, _) => 1,
            (true, true) => usize::MAX,
            (true, false) => self.order.lines,
        };
        let made = self.made + u64::from(running);
        let time = self.began.elapsed();
        let rate = made as f64 / time.as_secs_f64().max(1e-6);
        let start = self.start.position();
        let found = Found::of(brain.searcher(), decision, start, &self.played, lines);
        let report = Report { found, time, rate, interim };
        (self.tell)(Told::Report(report));
    }

    /// Ends the move with whatever is legal: there has to be an answer.
    fn complete_anyhow(&mut self) {
        let mut state = self.start.clone();
        self.played.iter().for_each(|&step| state.play(step));
        while self.played.is_empty() || state.position().mid_move() {
            let mut steps = Vec::new();
            state.steps(&mut steps);
            self.played.push(steps[0]);
            state.play(steps[0]);
        }
    }
}

/// Whether a step may be followed by another one of the same move.
fn may_go_on(state: &History) -> bool {
    let mut steps = Vec::new();
    state.steps(&mut steps);
    steps.into_iter().any(|step| {
        let mut next = state.position().clone();
        next.play(step);
        next.mid_move()
    })
}
