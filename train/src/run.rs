//! [`run`]: the loop. Generate games, learn from them, keep a checkpoint; again.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use crossbeam::channel;
use games::{Game, Outcome, Side};
use model::device::DeviceError;
use model::{Checkpoint, Network};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use search::EvaluatorError;
use selfplay::{
    GameRecord, Goal, Pool, Progress, Resignations, Run, SelfPlayError, ShardError, ShardWriter,
    Throughput, game_seed,
};
use tch::Device;

use crate::alarms::new_alarms;
use crate::batch::TrainingBatch;
use crate::disk::Disk;
use crate::evaluators::NetEvaluators;
use crate::events::{Event, GenerationReport, Losses, Observer};
use crate::ladder::climb;
use crate::learner::{LearnError, Learner};
use crate::measure::{Strength, measure};
use crate::memory;
use crate::need::{MemoryError, MemoryNeed};
use crate::phase::Grouped;
use crate::replay::{GameRows, Replay};
use crate::resigning::FalseResignations;
use crate::resume::{
    complete_reports, left_out, open_events, open_folder, open_learner, read_games, read_reports,
    read_state, read_window,
};
use crate::run_folder::{Generated, RunFolder, RunFolderError, RunState, add_ratings, add_report};
use crate::samples::{Targets, make_samples};
use crate::schedule::{learning_rate, progress, steps_due, window_rows};
use crate::seeds::mixed;
use crate::settings::Settings;
use crate::tensorboard::EventFile;
use crate::validation::{Validation, validate};

/// What to train, where to keep it, and what to start from.
#[derive(Debug, Clone)]
pub struct RunRequest {
    /// The configuration.
    pub settings: Settings,
    /// The run folder. If it holds a run already, that run goes on.
    pub folder: PathBuf,
    /// The checkpoint whose weights a new run starts from.
    pub init_from: Option<PathBuf>,
}

/// How a sitting ended.
#[derive(Debug, Clone, PartialEq)]
pub struct RunSummary {
    /// Whether the run has reached its limit. It was stopped from outside otherwise.
    pub complete: bool,
    /// Generations so far.
    pub generations: u32,
    /// The newest checkpoint.
    pub checkpoint: PathBuf,
    /// Its strength, if the run is complete and measures it.
    pub strength: Option<Strength>,
}

/// A run cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The device cannot be had.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The run folder cannot be used.
    #[error(transparent)]
    Folder(#[from] RunFolderError),
    /// The learner cannot be made, saved, read or go on.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// A checkpoint cannot be read.
    #[error(transparent)]
    Checkpoint(#[from] model::CheckpointError),
    /// A file of games cannot be read or written.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// The self-play settings are impossible.
    #[error(transparent)]
    Settings(#[from] selfplay::SettingsError),
    /// The network cannot be asked.
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    /// Self-play failed.
    #[error(transparent)]
    SelfPlay(#[from] SelfPlayError),
    /// The openings of the table cannot be written.
    #[error(transparent)]
    Book(#[from] arena::BookError),
    /// A player of the table cannot be had.
    #[error(transparent)]
    Player(#[from] arena::PlayerError),
    /// A match of the table could not be played.
    #[error(transparent)]
    Match(#[from] arena::MatchError),
    /// A round of the ladder could not be played.
    #[error(transparent)]
    Round(#[from] arena::RoundError),
    /// The ladder cannot be read.
    #[error(transparent)]
    Standings(#[from] arena::StandingsError),
    /// A recorded game contradicts the rules.
    #[error("a game of the run does not replay: {0}")]
    Replay(#[from] selfplay::ReplayError),
    /// A loss or gradient is infinite or undefined.
    #[error("{failure}; {batch}")]
    Spoilt {
        /// What failed.
        failure: Box<LearnError>,
        /// Where the batch is that it failed on, in words.
        batch: String,
    },
    /// Its games and searches would not fit in memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// A start was asked for that a run that has begun cannot take any more.
    #[error("{}: the run has begun already, --init-from is for a new one", .0.display())]
    Begun(PathBuf),
}

/// Trains until the run's limit or until `stop` is set. The same request goes on with the run.
///
/// Whatever happens, at most the games that were being played are lost: each game is on disk when
/// it is over, and all other files appear whole or not at all. With
/// [reproducible](selfplay::SelfPlaySettings::reproducible) self-play, a game waits for those that
/// began before it; what is lost is played again, the same. A full disk is waited for.
///
/// # Errors
/// If the device, the folder or a file in it cannot be used, or training fails.
pub fn run(
    request: &RunRequest,
    observer: &dyn Observer,
    stop: &AtomicBool,
) -> Result<RunSummary, RunError> {
    let mut sitting = Sitting::open(request, observer, stop)?;
    sitting.climb()?;
    while !sitting.is_complete() && !sitting.stopped() {
        if sitting.learned < sitting.generation() {
            sitting.learn()?;
            sitting.climb()?;
        } else {
            sitting.generate()?;
        }
    }
    let complete = sitting.is_complete();
    if !complete {
        sitting.state.seconds = sitting.seconds();
        sitting.save_state()?;
    }
    let Sitting { settings, folder, learned, .. } = sitting;
    let stopped = stop.load(Ordering::Relaxed);
    let strength = if complete && settings.table.games > 0 && !stopped {
        measure(&folder, settings, learned, observer, stop)?
    } else {
        None
    };
    let checkpoint = folder.checkpoint(learned);
    Ok(RunSummary { complete, generations: learned, checkpoint, strength })
}

/// A run in the hands of this process.
struct Sitting<'r> {
    settings: &'r Settings,
    game: &'static Game,
    device: Device,
    observer: &'r dyn Observer,
    stop: &'r AtomicBool,
    disk: Disk<'r>,
    folder: RunFolder,
    state: RunState,
    learner: Learner,
    /// Generations whose learning is done and whose checkpoint is saved.
    learned: u32,
    replay: Replay,
    /// What has been reported of the generations so far.
    reports: Vec<GenerationReport>,
    /// TensorBoard's copy of that.
    events: EventFile,
    /// The devices of self-play, as [`NetEvaluators::new`] takes them.
    devices: Vec<Device>,
    /// The network that plays, once one has.
    evaluators: Option<NetEvaluators>,
    /// The games under way, once there are any.
    pool: Option<Pool>,
    /// What the games of the current generation were like, for its report.
    played: Played,
    /// Seconds that the learner has waited for batches in the current generation.
    waited: f64,
    begun: Instant,
    /// Seconds of training before this sitting.
    seconds_before: f64,
}

/// Figures of the games of one generation.
#[derive(Debug, Clone, Default)]
struct Played {
    games: f64,
    white: f64,
    draws: f64,
    steps: f64,
    resignations: Resignations,
    throughput: Throughput,
    seconds: f64,
}

impl Played {
    /// Counts a game.
    fn add(&mut self, record: &GameRecord) {
        self.games += 1.0;
        self.steps += record.steps.len() as f64;
        self.resignations.add(record);
        match record.outcome() {
            Some(Outcome::Win(Side::White)) => self.white += 1.0,
            Some(Outcome::Draw) => self.draws += 1.0,
            Some(Outcome::Win(Side::Black)) | None => {}
        }
    }
}

impl<'r> Sitting<'r> {
    /// Opens the run and brings everything to where it stood.
    fn open(
        request: &'r RunRequest,
        observer: &'r dyn Observer,
        stop: &'r AtomicBool,
    ) -> Result<Self, RunError> {
        let settings = &request.settings;
        let game = settings.game();
        let (device, note) = settings.run.device.first().resolve()?;
        let devices = settings.run.device.shared()?;
        if let Some(note) = note {
            observer.event(&Event::Note(&note));
        }
        let disk = Disk { observer, stop };
        let folder = open_folder(request, disk)?;
        let mut reports = read_reports(&folder, disk)?;
        let state = read_state(&folder, settings, &reports, disk)?;
        MemoryNeed::of(settings, state.rows()).check()?;
        let (learner, learned) = open_learner(request, &folder, &state, game, device, disk)?;
        let mut replay = Replay::new(settings.replay.validation, settings.replay.surprise);
        read_window(&folder, &state, settings, &mut replay, observer)?;
        complete_reports(&folder, &state, learned, &mut reports, disk)?;
        let events = open_events(&folder, settings, learned, &reports, disk)?;
        if learner.steps() > 0 || state.games() > 0 {
            observer.event(&Event::Note(&format!(
                "going on with {}: {} games, {} steps, checkpoint {learned}",
                folder.root().display(),
                state.games(),
                learner.steps(),
            )));
        }
        Ok(Self {
            settings,
            game,
            device,
            observer,
            stop,
            disk,
            devices,
            evaluators: None,
            pool: None,
            seconds_before: state.seconds,
            folder,
            state,
            learner,
            learned,
            replay,
            reports,
            events,
            played: Played::default(),
            waited: 0.0,
            begun: Instant::now(),
        })
    }

    /// The generation whose games are played next.
    fn generation(&self) -> u32 {
        self.state.generations.len() as u32
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn seconds(&self) -> f64 {
        self.seconds_before + self.begun.elapsed().as_secs_f64()
    }

    /// How far the run is on its way to its nearest limit, 0 to 1; 0 without a limit.
    fn progress(&self) -> f64 {
        progress(&self.settings.run, self.seconds(), self.learned)
    }

    /// Whether the limit is reached and the last generation learned.
    fn is_complete(&self) -> bool {
        self.progress() >= 1.0 && self.learned == self.generation()
    }

    /// Plays the games of the next generation.
    fn generate(&mut self) -> Result<(), RunError> {
        let generation = self.generation();
        let path = self.folder.games(generation);
        let (disk, reproducible) = (self.disk, self.settings.selfplay.reproducible);
        let first = first_number(generation);
        let keep = |games: &[GameRecord]| match reproducible {
            false => games.len(),
            true => {
                let seed = reproducible_seed(self.settings);
                let numbered = games.iter().zip(first..);
                numbered.take_while(|&(game, n)| game.seed == game_seed(seed, n)).count()
            }
        };
        let (mut writer, kept) = disk.write(|| ShardWriter::resume(&path, self.game, keep))?;
        kept.bad.iter().for_each(|bad| left_out(bad, self.observer));
        self.played = Played::default();
        let mut generated = Generated::default();
        let network = self.network()?;
        let (replay, played) = (&mut self.replay, &mut self.played);
        let mut take_in = |record: GameRecord| {
            played.add(&record);
            generated.count(replay.push(record));
            (generated.games, generated.rows)
        };
        let (kept, _) = kept.games.into_iter().map(&mut take_in).last().unwrap_or_default();
        let rows_before = self.state.rows();
        let minimum = self.settings.replay.minimum;
        let observer = self.observer;
        let goal = u64::from(self.settings.run.games);
        let begun = Instant::now();
        model::single_threaded();
        let progress = Progress::new();
        let missing = goal.saturating_sub(kept);
        let net = format!("{:06}", self.learned);
        let evaluators = match &mut self.evaluators {
            Some(evaluators) => {
                evaluators.swap(&net, &network);
                evaluators
            }
            none => {
                let Settings { run, selfplay, .. } = self.settings;
                let devices = self.devices.clone();
                let (precision, batch) = (run.precision, selfplay.batch);
                none.insert(NetEvaluators::new(&net, &network, devices, precision, batch)?)
            }
        };
        let run = Run {
            evaluators,
            goal: match self.settings.selfplay.reproducible {
                true => Goal::AllOf(missing),
                false => Goal::Games(missing),
            },
            stop: self.stop,
            progress: &progress,
        };
        let pool = match &mut self.pool {
            Some(pool) => pool,
            none => {
                let seed = match reproducible {
                    true => reproducible_seed(self.settings),
                    // Another seed in each sitting, or the run would play games again that it has.
                    false => mixed(self.settings.run.seed, self.state.games() + kept),
                };
                none.insert(Pool::new(self.game, self.settings.selfplay, seed)?)
            }
        };
        if reproducible {
            pool.number_from(first + kept);
        }
        let throughput = pool.run(&run, &mut |record| {
            disk.write(|| writer.push(&record))?;
            let (games, rows) = take_in(record);
            observer.event(&Event::Generating {
                generation,
                games: games as u32,
                goal: goal as u32,
                rows: rows_before + rows,
                minimum,
                evaluations_per_second: progress.total().evaluations as f64
                    / begun.elapsed().as_secs_f64(),
            });
            Ok(())
        })?;
        self.played.throughput = throughput;
        self.played.seconds = begun.elapsed().as_secs_f64();
        if generated.games < goal {
            // Stopped: the games so far stay where the next sitting finds them.
            return Ok(());
        }
        let mut writer = Some(writer);
        disk.write(|| match writer.take() {
            Some(writer) => writer.finish(),
            // The disk was full, and the games have stayed.
            None => ShardWriter::resume(&path, self.game, <[_]>::len)?.0.finish(),
        })?;
        self.state.generations.push(generated);
        self.state.seconds = self.seconds();
        self.save_state()?;
        self.replay.shrink(window_rows(self.state.rows(), &self.settings.replay));
        Ok(())
    }

    fn save_state(&self) -> Result<(), RunFolderError> {
        self.disk.write(|| self.folder.save_state(&self.state))
    }

    /// The averaged network.
    fn network(&self) -> Result<Network, RunError> {
        let checkpoint = Checkpoint::load(&self.folder.checkpoint(self.learned), self.game)?;
        Ok(checkpoint.network(self.game, Device::Cpu))
    }

    /// Takes the steps that are due, then saves checkpoint and learner. If stopped before that,
    /// saves the learner alone, to go on from there.
    fn learn(&mut self) -> Result<(), RunError> {
        let generation = self.generation();
        let begun = Instant::now();
        let replay = &self.settings.replay;
        let batch = self.settings.learner.batch;
        let due = steps_due(self.state.rows(), replay, batch);
        if self.state.rows() < replay.minimum {
            self.observer.event(&Event::Note(&format!(
                "{} of {} rows before the first step",
                Grouped(self.state.rows()),
                Grouped(replay.minimum)
            )));
        }
        if self.played.games == 0.0 {
            // Another sitting played them, and ended before it could report.
            let path = self.folder.games(generation - 1);
            let games = read_games(&path, self.game, self.observer)?;
            games.iter().for_each(|record| self.played.add(record));
        }
        let losses = self.take_steps(due)?;
        if self.stopped() && self.learner.steps() < due {
            save_learner(&self.folder, &self.learner, self.learned, self.disk)?;
            return Ok(());
        }
        let validation = if losses.is_some() { self.validate()? } else { None };
        let report = self.report(losses, validation, begun.elapsed().as_secs_f64());
        save_checkpoint(&self.folder, &self.learner, generation, self.disk)?;
        // The report is on the disk before the generation counts as learned, so that its line of
        // metrics will be written whatever happens.
        self.state.seconds = report.seconds;
        self.state.report = Some(report.clone());
        self.save_state()?;
        save_learner(&self.folder, &self.learner, generation, self.disk)?;
        self.learned = generation;
        self.publish(report)
    }

    /// Lets the newest checkpoint take its place on the ladder, if it has one and has not got it
    /// yet.
    fn climb(&mut self) -> Result<(), RunError> {
        let Self { settings, learned, observer, stop, .. } = *self;
        if !settings.ladder.has_place(learned) {
            return Ok(());
        }
        let begun = Instant::now();
        let standings = climb(&self.folder, settings, &[learned], observer, stop)?;
        // The run's limit is one of training.
        self.begun += begun.elapsed();
        if !self.stopped() {
            let ratings = settings.ladder.ratings(&standings);
            self.disk.write(|| add_ratings(&mut self.events, &ratings))?;
        }
        Ok(())
    }

    /// Trains until `due` steps have been taken in the run, or until stopped. Returns the mean
    /// losses, if there was a step.
    fn take_steps(&mut self, due: i64) -> Result<Option<Losses>, RunError> {
        let first = self.learner.steps();
        let progress = self.progress();
        let (game, device, settings) = (self.game, self.device, self.settings);
        let generation = self.generation() - 1;
        let Self { replay, learner, observer, stop, folder, .. } = self;
        let window = replay.training();
        if window.rows() == 0 && first < due {
            observer
                .event(&Event::Note("no games are left to learn from: the steps wait for more"));
            return Ok(None);
        }
        let shape = learner.network().shape();
        let (sender, batches) = channel::bounded(2);
        set_learner_threads();
        let mut sum = Losses::default();
        let mut waited = Duration::ZERO;
        std::thread::scope(|scope| {
            // Rows are drawn, encoded and sent to the device ahead, so that the learner never waits
            // for them. The seed of a step's batch depends on nothing but the run's seed and the step.
            scope.spawn(move || {
                for step in first..due {
                    let seed = mixed(settings.run.seed, step as u64);
                    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
                    let rows = window.sample(settings.learner.batch, &mut rng);
                    let targets = Targets::at(step, &settings.learner, &settings.network);
                    let samples = make_samples(game, &rows, &targets, seed);
                    let batch = samples.map(|samples| TrainingBatch::new(shape, &samples, device));
                    if sender.send(batch).is_err() {
                        return;
                    }
                }
            });
            loop {
                let before = Instant::now();
                let Ok(batch) = batches.recv() else { break };
                waited += before.elapsed();
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let batch = batch?;
                let losses = learner
                    .step(&batch, &settings.learner, progress)
                    .map_err(|failure| spoilt(failure, &batch, folder))?;
                sum.add(&losses);
                let step = learner.steps();
                observer.event(&Event::Learning { generation, step, due, losses });
            }
            // What the other thread still sends has no one to wait for.
            drop(batches);
            Ok::<(), RunError>(())
        })?;
        self.waited = waited.as_secs_f64();
        Ok(sum.over(self.learner.steps() - first))
    }

    /// The losses of the network on the games that it does not learn from.
    fn validate(&self) -> Result<Option<Validation>, RunError> {
        let seed = mixed(self.settings.run.seed, self.learner.steps() as u64);
        let (network, window) = (self.learner.network(), self.replay.validation());
        let Settings { learner, network: sizes, .. } = self.settings;
        let targets = Targets::at(self.learner.steps(), learner, sizes);
        Ok(validate(network, window, learner.batch, &targets, seed)?)
    }

    /// The figures of the generation that has been learned.
    fn report(
        &self,
        losses: Option<Losses>,
        validation: Option<Validation>,
        learning_seconds: f64,
    ) -> GenerationReport {
        let Played { games, white, draws, steps, resignations, ref throughput, seconds } =
            self.played;
        let may_resign = self.settings.selfplay.resign_plies > 0;
        let resignations = may_resign.then_some(resignations);
        let share = |part: f64| if games > 0.0 { part / games } else { 0.0 };
        GenerationReport {
            generation: self.generation() - 1,
            step: self.learner.steps(),
            games: self.state.games(),
            rows: self.state.rows(),
            window: self.replay.training().rows(),
            white: share(white),
            draws: share(draws),
            length: share(steps),
            resignations,
            false_resignations: resignations
                .and_then(|now| FalseResignations::after(&self.reports, &now)),
            losses,
            validation,
            rate: learning_rate(self.learner.steps(), self.progress(), &self.settings.learner),
            evaluations_per_second: throughput.evaluations as f64 / seconds.max(1e-9),
            cache_hits: throughput.cache_hits(),
            batch_fill: throughput.batch_fill(),
            selfplay_seconds: seconds,
            learning_seconds,
            learner_waiting: self.waited / learning_seconds.max(1e-9),
            seconds: self.seconds(),
            time: SystemTime::UNIX_EPOCH.elapsed().map_or(0.0, |since| since.as_secs_f64()),
            memory_mib: memory::resident_mib(),
            peak_memory_mib: memory::peak_mib(),
        }
    }

    /// Writes a generation's line of metrics and tells the user.
    fn publish(&mut self, report: GenerationReport) -> Result<(), RunError> {
        self.disk.write(|| self.folder.append_metrics(&report))?;
        self.disk.write(|| add_report(&mut self.events, &report))?;
        self.observer.event(&Event::Generation(&report));
        self.reports.push(report);
        for alarm in new_alarms(&self.reports) {
            self.observer.event(&Event::Note(&format!("alarm: {alarm}")));
        }
        Ok(())
    }
}

/// Keeps the batch that a step failed on, for someone to look at.
fn spoilt(failure: LearnError, batch: &TrainingBatch, folder: &RunFolder) -> RunError {
    let LearnError::NotFinite { step, ref losses } = failure else { return failure.into() };
    let notes = [("step", step.to_string()), ("losses", losses.to_string())];
    let notes = notes.into_iter().map(|(key, note)| (key.to_owned(), note)).collect();
    let path = folder.spoilt_batch(step);
    let batch = match batch.save(&path, &notes) {
        Ok(()) => format!("the batch is kept in {}", path.display()),
        Err(error) => format!("the batch is lost: {error}"),
    };
    RunError::Spoilt { failure: Box::new(failure), batch }
}

impl Generated {
    /// Counts a game with such rows.
    pub(crate) fn count(&mut self, rows: GameRows) {
        self.games += 1;
        match rows {
            GameRows::Training(rows) => self.rows += rows,
            GameRows::Validation(rows) => self.validation += rows,
        }
    }
}

/// Saves the averaged network as checkpoint `generation`.
pub(crate) fn save_checkpoint(
    folder: &RunFolder,
    learner: &Learner,
    generation: u32,
    disk: Disk<'_>,
) -> Result<(), LearnError> {
    let notes =
        [("raja", env!("CARGO_PKG_VERSION").to_owned()), ("generation", generation.to_string())];
    let notes: BTreeMap<String, String> =
        notes.into_iter().map(|(key, note)| (key.to_owned(), note)).collect();
    let checkpoint = learner.checkpoint(notes);
    Ok(disk.write(|| checkpoint.save(&folder.checkpoint(generation)))?)
}

/// Saves the learner, which makes its generation and its steps count.
pub(crate) fn save_learner(
    folder: &RunFolder,
    learner: &Learner,
    generation: u32,
    disk: Disk<'_>,
) -> Result<(), LearnError> {
    Ok(disk.write(|| learner.save(&folder.learner(), generation))?)
}

/// The number of the first game of `generation` in a reproducible run: how many others there are
/// makes no difference.
fn first_number(generation: u32) -> u64 {
    u64::from(generation) << 32
}

/// The seed of all games of a reproducible run, in whatever sitting they are played.
fn reproducible_seed(settings: &Settings) -> u64 {
    /// No count of games, from which other runs make their seeds.
    const INDEX: u64 = u64::MAX;
    mixed(settings.run.seed, INDEX)
}

/// Lets the learner's libtorch calls use every core: nothing else runs while it learns. Self-play
/// goes back to one thread a call.
fn set_learner_threads() {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get() as i32);
    tch::set_num_threads(cores);
}
