use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use games::{Game, State};
use search::{Answers, Evaluator, EvaluatorError, EvaluatorSource, Query, Wdl};
use selfplay::{
    GameRecord, Goal, Pool, Progress, Run, SelfPlayError, SelfPlaySettings, Throughput,
};

/// A game with moves of several steps.
pub(crate) fn cheskers() -> &'static Game {
    Game::by_id("cheskers").unwrap()
}

/// Small and quick: `games` at a time in each of `workers` threads.
pub(crate) fn settings(workers: usize, games: usize) -> SelfPlaySettings {
    let mut settings = SelfPlaySettings { workers, games_per_worker: games, ..Default::default() };
    settings.search.simulations = 4;
    settings
}

/// A pool for [`cheskers`].
pub(crate) fn pool(settings: SelfPlaySettings, seed: u64) -> Pool {
    Pool::new(cheskers(), settings, seed).unwrap()
}

/// Runs `pool` and collects what it delivers.
pub(crate) fn run(
    pool: &mut Pool,
    source: &dyn EvaluatorSource,
    net: &str,
    goal: Goal,
) -> (Vec<GameRecord>, Result<Throughput, SelfPlayError>) {
    let (stop, progress) = (AtomicBool::new(false), Progress::new());
    let mut records = Vec::new();
    let run = Run { source, net, goal, stop: &stop, progress: &progress };
    let outcome = pool.run(&run, &mut |record| {
        records.push(record);
        Ok(())
    });
    (records, outcome)
}

/// `count` whole games of cheskers of one worker.
pub(crate) fn games(settings: SelfPlaySettings, seed: u64, count: u64) -> Vec<GameRecord> {
    games_of(cheskers(), settings, seed, count)
}

/// `count` whole games of `game` of one worker.
pub(crate) fn games_of(
    game: &'static Game,
    settings: SelfPlaySettings,
    seed: u64,
    count: u64,
) -> Vec<GameRecord> {
    let mut pool = Pool::new(game, settings, seed).unwrap();
    let (records, outcome) = run(&mut pool, &Hashed, "hashed", Goal::AllOf(count));
    outcome.unwrap();
    records
}

/// Everything in the records, for comparison.
pub(crate) fn contents(records: &[GameRecord]) -> Vec<String> {
    let words = |record: &GameRecord| {
        let GameRecord { seed, start, nets, steps, end, .. } = record;
        format!("{seed} {start} {nets:?} {steps:?} {end:?}")
    };
    records.iter().map(words).collect()
}

/// Opinions made from the hash of the state and the step: always the same, in any batch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hashed;

impl Evaluator for Hashed {
    fn evaluate(
        &mut self,
        queries: &[Query<'_>],
        answers: &mut Answers,
    ) -> Result<(), EvaluatorError> {
        answers.clear();
        for query in queries {
            let key = query.state.key();
            let [win, draw, loss] = [1, 2, 3].map(|salt| unit(key ^ salt << 40) + 0.01);
            let sum = win + draw + loss;
            let value = Wdl { win: win / sum, draw: draw / sum, loss: loss / sum };
            let logit = |step: &games::Step| 4.0 * unit(key ^ u64::from(step.bits()) << 20);
            answers.push(value, query.steps.iter().map(logit));
        }
        Ok(())
    }
}

/// A number from 0 to 1 made from the bits of `hash`.
fn unit(hash: u64) -> f32 {
    let mixed = (hash ^ hash >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40) as f32 / (1 << 24) as f32
}

impl EvaluatorSource for Hashed {
    fn evaluator(&self) -> Result<Box<dyn Evaluator>, EvaluatorError> {
        Ok(Box::new(*self))
    }
}

type Hook = dyn Fn(usize, &mut Answers) -> Result<(), EvaluatorError> + Send + Sync;

/// [`Hashed`], whose answers go through a hook that also gets the number of the call, from 0 and
/// counted over all threads.
#[derive(Clone)]
pub(crate) struct Hooked {
    hook: Arc<Hook>,
    calls: Arc<AtomicUsize>,
}

impl Hooked {
    pub(crate) fn new(
        hook: impl Fn(usize, &mut Answers) -> Result<(), EvaluatorError> + Send + Sync + 'static,
    ) -> Self {
        Self { hook: Arc::new(hook), calls: Arc::default() }
    }

    pub(crate) fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }
}

impl Evaluator for Hooked {
    fn evaluate(
        &mut self,
        queries: &[Query<'_>],
        answers: &mut Answers,
    ) -> Result<(), EvaluatorError> {
        Hashed.evaluate(queries, answers)?;
        (self.hook)(self.calls.fetch_add(1, Ordering::Relaxed), answers)
    }
}

impl EvaluatorSource for Hooked {
    fn evaluator(&self) -> Result<Box<dyn Evaluator>, EvaluatorError> {
        Ok(Box::new(self.clone()))
    }
}
