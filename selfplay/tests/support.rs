use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crossbeam::channel::RecvTimeoutError;
use games::{Game, State, Step};
use search::{
    Answers, Device, DeviceBatch, DeviceSource, Evaluator, EvaluatorError, EvaluatorSource, Query,
    Wdl,
};
use selfplay::{
    Evaluators, GameRecord, Goal, LocalEvaluators, Pool, Progress, Run, SelfPlayError,
    SelfPlaySettings, SharedDevices, Throughput,
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

/// Runs `pool` with evaluators of its workers' own and collects what it delivers.
pub(crate) fn run(
    pool: &mut Pool,
    source: &(impl EvaluatorSource + Clone + 'static),
    net: &str,
    goal: Goal,
) -> (Vec<GameRecord>, Result<Throughput, SelfPlayError>) {
    run_with(pool, &LocalEvaluators::new(net, Arc::new(source.clone())), goal)
}

/// Runs `pool` and collects what it delivers.
pub(crate) fn run_with(
    pool: &mut Pool,
    evaluators: &dyn Evaluators,
    goal: Goal,
) -> (Vec<GameRecord>, Result<Throughput, SelfPlayError>) {
    let (stop, progress) = (AtomicBool::new(false), Progress::new());
    let mut records = Vec::new();
    let run = Run { evaluators, goal, stop: &stop, progress: &progress };
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
        let GameRecord { seed, start, nets, steps, end, resignation, .. } = record;
        format!("{seed} {start} {nets:?} {steps:?} {end:?} {resignation:?}")
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
        CALLS.fetch_add(1, Ordering::Relaxed);
        answers.clear();
        queries.iter().for_each(|query| opine(query.state.key(), query.steps, answers));
        Ok(())
    }
}

/// Adds the opinion of [`Hashed`] about a state and its steps.
pub(crate) fn opine(key: u64, steps: &[Step], answers: &mut Answers) {
    let [win, draw, loss] = [1, 2, 3].map(|salt| unit(key ^ salt << 40) + 0.01);
    let sum = win + draw + loss;
    let value = Wdl { win: win / sum, draw: draw / sum, loss: loss / sum };
    let logit = |step: &Step| 4.0 * unit(key ^ u64::from(step.bits()) << 20);
    answers.push(value, steps.iter().map(logit));
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

/// States as [`Scripted`] devices take them.
#[derive(Debug, Default)]
pub(crate) struct Keys(Vec<(u64, Vec<Step>)>);

impl DeviceBatch for Keys {
    fn clear(&mut self) {
        self.0.clear();
    }

    fn push(&mut self, query: &Query<'_>) -> Result<(), EvaluatorError> {
        self.0.push((query.state.key(), query.steps.to_vec()));
        Ok(())
    }

    fn append(&mut self, other: &Self) {
        self.0.extend_from_slice(&other.0);
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}

type DeviceHook = dyn Fn(usize, usize, &mut Answers) -> Result<(), EvaluatorError> + Send + Sync;

/// Devices with the opinions of [`Hashed`], which go through a hook that also gets the number of the
/// device and of the states.
#[derive(Clone)]
pub(crate) struct Scripted(Arc<DeviceHook>);

impl Scripted {
    pub(crate) fn new(
        hook: impl Fn(usize, usize, &mut Answers) -> Result<(), EvaluatorError> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(hook))
    }

    /// Without a hook.
    pub(crate) fn plain() -> Self {
        Self::new(|_, _, _| Ok(()))
    }
}

impl DeviceSource<Keys> for Scripted {
    fn batch(&self) -> Keys {
        Keys::default()
    }

    fn device(&self, index: usize) -> Result<Box<dyn Device<Keys>>, EvaluatorError> {
        Ok(Box::new(ScriptedDevice { index, hook: Arc::clone(&self.0) }))
    }
}

struct ScriptedDevice {
    index: usize,
    hook: Arc<DeviceHook>,
}

impl Device<Keys> for ScriptedDevice {
    fn evaluate(&mut self, batch: &Keys, answers: &mut Answers) -> Result<(), EvaluatorError> {
        CALLS.fetch_add(1, Ordering::Relaxed);
        answers.clear();
        batch.0.iter().for_each(|(key, steps)| opine(*key, steps, answers));
        (self.hook)(self.index, batch.0.len(), answers)
    }
}

/// Calls of the evaluators and devices of this module, by all tests.
static CALLS: AtomicUsize = AtomicUsize::new(0);

/// What `work` comes to; a panic if it has not ended and for 30 s nobody has evaluated anything.
pub(crate) fn in_time<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> T {
    let (sender, receiver) = crossbeam::channel::bounded(1);
    let thread = std::thread::spawn(move || drop(sender.send(work())));
    loop {
        let before = CALLS.load(Ordering::Relaxed);
        match receiver.recv_timeout(Duration::from_secs(30)) {
            Ok(found) => return found,
            Err(RecvTimeoutError::Timeout) => {
                assert_ne!(CALLS.load(Ordering::Relaxed), before, "{name}: nothing moves any more");
            }
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => unreachable!("a thread that ends well has sent"),
            },
        }
    }
}

/// Plays to the end with any number of workers, games and states a batch, on evaluators of the workers'
/// own and on shared devices.
pub(crate) fn plays_to_the_end(workers: usize, games: usize, batch: usize, goal: u64) {
    let mut settings = settings(workers, games);
    settings.batch = batch;
    settings.search.simulations = 2;
    settings.cut_off_plies = Some(12);
    let name = format!("{workers} workers, {games} games, batches of {batch}");
    in_time(&name.clone(), move || {
        let largest = Arc::new(AtomicUsize::new(0));
        let watched = {
            let largest = Arc::clone(&largest);
            Scripted::new(move |_, states, _| {
                largest.fetch_max(states, Ordering::Relaxed);
                Ok(())
            })
        };
        let local = LocalEvaluators::new("a", Arc::new(Hashed));
        let shared = SharedDevices::new("a", Arc::new(watched), 2, batch).unwrap();
        for evaluators in [&local as &dyn Evaluators, &shared] {
            let mut pool = pool(settings, 1);
            let (records, outcome) = run_with(&mut pool, evaluators, Goal::AllOf(goal));
            let throughput = outcome.unwrap();
            assert_eq!((records.len() as u64, throughput.games), (goal, goal), "{name}");
            assert_eq!(pool.games_under_way(), 0, "{name}");
            assert!(throughput.batch_fill() <= 1.0, "{name}: {throughput:?}");
            let steps: usize = records.iter().map(|record| record.steps.len()).sum();
            assert_eq!(throughput.steps, steps as u64, "{name}");
        }
        assert!(largest.load(Ordering::Relaxed) <= batch, "{name}");
    });
}
