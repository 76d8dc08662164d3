//! [`Trainer`]: the half of a run that learns, and keeps the books.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant, SystemTime};

use crossbeam::channel;
use model::{Checkpoint, Network};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use tch::Device;

use crate::alarms::new_alarms;
use crate::batch::TrainingBatch;
use crate::clock::TrainingClock;
use crate::disk::Disk;
use crate::events::{Event, GenerationReport, Losses};
use crate::learner::{LearnError, Learner};
use crate::memory;
use crate::phase::Grouped;
use crate::player::{Figures, Order, Played};
use crate::replay::Replay;
use crate::resigning::FalseResignations;
use crate::resume::read_games;
use crate::run::RunError;
use crate::run_folder::{RunFolder, RunFolderError, RunState, add_report};
use crate::samples::{Targets, make_samples};
use crate::schedule::{learning_rate, progress, steps_due, window_rows};
use crate::seeds::mixed;
use crate::settings::Settings;
use crate::tensorboard::EventFile;
use crate::validation::{Validation, validate};

/// Learns from complete generations, one after the other. The newest one that is complete has been
/// learned, or is next: [`RunState::generations`] is at most one longer than the count of those
/// learned.
pub(crate) struct Trainer<'r> {
    pub(crate) settings: &'r Settings,
    pub(crate) device: Device,
    pub(crate) disk: Disk<'r>,
    pub(crate) folder: RunFolder,
    pub(crate) state: RunState,
    pub(crate) learner: Learner,
    /// Generations whose learning is done and whose checkpoint is saved.
    pub(crate) learned: u32,
    /// Whether games are played at the same time.
    pub(crate) concurrent: bool,
    pub(crate) replay: Replay,
    /// What has been reported of the generations so far.
    pub(crate) reports: Vec<GenerationReport>,
    /// TensorBoard's copy of that.
    pub(crate) events: EventFile,
    /// What the games of the newest complete generation were like.
    pub(crate) figures: Figures,
    /// Seconds that the learner has waited for batches in the current generation.
    pub(crate) waited: f64,
    pub(crate) clock: TrainingClock,
}

impl Trainer<'_> {
    /// The generation whose games are played next.
    pub(crate) fn generation(&self) -> u32 {
        self.state.generations.len() as u32
    }

    /// Whether there is a complete generation to learn from.
    pub(crate) fn is_behind(&self) -> bool {
        self.learned < self.generation()
    }

    pub(crate) fn stopped(&self) -> bool {
        self.disk.stop.load(Ordering::Relaxed)
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.clock.seconds()
    }

    /// How far the run is on its way to its nearest limit, 0 to 1; 0 without a limit.
    pub(crate) fn progress(&self) -> f64 {
        progress(&self.settings.run, self.seconds(), self.learned)
    }

    /// Whether the limit will be reached when the complete generations are learned: none is played
    /// then any more.
    pub(crate) fn has_enough_games(&self) -> bool {
        progress(&self.settings.run, self.seconds(), self.generation()) >= 1.0
    }

    /// Whether the limit is reached and the last generation learned.
    pub(crate) fn is_complete(&self) -> bool {
        self.progress() >= 1.0 && !self.is_behind()
    }

    /// The next generation, to be played.
    pub(crate) fn order(&self) -> Order {
        let generation = self.generation();
        let path = self.folder.games(generation);
        Order { generation, path, games: self.state.games(), rows: self.state.rows() }
    }

    pub(crate) fn save_state(&self) -> Result<(), RunFolderError> {
        self.disk.write(|| self.folder.save_state(&self.state))
    }

    /// The checkpoint that plays.
    pub(crate) fn plays(&self) -> u32 {
        self.state.plays(self.learned, &self.settings.gate)
    }

    /// Its network.
    pub(crate) fn network(&self) -> Result<Network, RunError> {
        let game = self.settings.game();
        let checkpoint = Checkpoint::load(&self.folder.checkpoint(self.plays()), game)?;
        Ok(checkpoint.network(game, Device::Cpu))
    }

    /// Takes the games of the next generation in. Without effect if there are some missing.
    pub(crate) fn take_in(&mut self, played: Played) -> Result<(), RunError> {
        if !played.whole {
            return Ok(());
        }
        for record in played.records {
            self.replay.push(record);
        }
        self.figures = played.figures;
        self.state.generations.push(played.generated);
        self.state.seconds = self.seconds();
        self.save_state()?;
        self.replay.shrink(window_rows(self.state.rows(), &self.settings.replay));
        Ok(())
    }

    /// Takes the steps that are due, then saves checkpoint and learner. If stopped before that,
    /// saves the learner alone, to go on from there.
    pub(crate) fn learn(&mut self) -> Result<(), RunError> {
        let generation = self.generation();
        let begun = Instant::now();
        let replay = &self.settings.replay;
        let batch = self.settings.learner.batch;
        let due = steps_due(self.state.rows(), replay, batch);
        if self.state.rows() < replay.minimum {
            self.disk.observer.event(&Event::Note(&format!(
                "{} of {} rows before the first step",
                Grouped(self.state.rows()),
                Grouped(replay.minimum)
            )));
        }
        if self.figures.games == 0.0 {
            // Another sitting played them, and ended before it could report.
            let path = self.folder.games(generation - 1);
            let games = read_games(&path, self.settings.game(), self.disk.observer)?;
            games.iter().for_each(|record| self.figures.add(record));
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
        self.state.plays = Some(self.state.plays(generation, &self.settings.gate));
        self.save_state()?;
        save_learner(&self.folder, &self.learner, generation, self.disk)?;
        self.learned = generation;
        self.publish(report)
    }

    /// Trains until `due` steps have been taken in the run, or until stopped. Returns the mean
    /// losses, if there was a step.
    fn take_steps(&mut self, due: i64) -> Result<Option<Losses>, RunError> {
        let first = self.learner.steps();
        let progress = self.progress();
        let (device, settings, concurrent) = (self.device, self.settings, self.concurrent);
        let (game, Disk { observer, stop }) = (settings.game(), self.disk);
        let generation = self.generation() - 1;
        let Self { replay, learner, folder, .. } = self;
        let window = replay.training();
        if window.rows() == 0 && first < due {
            observer
                .event(&Event::Note("no games are left to learn from: the steps wait for more"));
            return Ok(None);
        }
        let shape = learner.network().shape();
        let (sender, batches) = channel::bounded(2);
        if !concurrent {
            set_learner_threads();
        }
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
                    // The first row's symmetry is not to follow from which row it is.
                    let samples = make_samples(game, &rows, &targets, mixed(seed, 1));
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
        let Figures { games, white, draws, steps, resignations, ref throughput, seconds } =
            self.figures;
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
            full_trees: throughput.full_trees,
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
        self.disk.observer.event(&Event::Generation(&report));
        self.reports.push(report);
        for alarm in new_alarms(&self.reports) {
            self.disk.observer.event(&Event::Note(&format!("alarm: {alarm}")));
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

/// Lets the learner's libtorch calls use every core: nothing else runs while it learns. Self-play
/// goes back to one thread a call.
fn set_learner_threads() {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get() as i32);
    tch::set_num_threads(cores);
}
