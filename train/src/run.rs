//! [`run`]: the loop. Generate games, learn from them, keep a checkpoint; again.

use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use model::device::DeviceError;
use search::EvaluatorError;
use selfplay::{SelfPlayError, ShardError};

use crate::clock::TrainingClock;
use crate::disk::Disk;
use crate::events::{Event, Observer};
use crate::gate::judge;
use crate::ladder::climb;
use crate::learner::LearnError;
use crate::measure::{Strength, measure};
use crate::need::{MemoryError, MemoryNeed};
use crate::player::{Figures, Player, net_name};
use crate::replay::{GameRows, Replay};
use crate::resume::{
    complete_reports, open_events, open_folder, open_learner, read_reports, read_state, read_window,
};
use crate::run_folder::{Generated, RunFolderError, add_ratings};
use crate::settings::Settings;
use crate::trainer::Trainer;

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
    sitting.gate()?;
    sitting.climb()?;
    while !sitting.trainer.is_complete() && !sitting.trainer.stopped() {
        let trainer = &mut sitting.trainer;
        if !trainer.is_behind() {
            sitting.play()?;
            continue;
        }
        if trainer.concurrent && !trainer.has_enough_games() {
            sitting.learn_and_play()?;
        } else {
            trainer.learn()?;
        }
        sitting.gate()?;
        sitting.climb()?;
    }
    let Sitting { mut trainer, .. } = sitting;
    let complete = trainer.is_complete();
    if !complete {
        trainer.state.seconds = trainer.seconds();
        trainer.save_state()?;
    }
    // The newest one, or with a gate the one that has passed it.
    let best = trainer.plays();
    let Trainer { settings, folder, learned, .. } = trainer;
    let stopped = stop.load(Ordering::Relaxed);
    let strength = if complete && settings.table.games > 0 && !stopped {
        measure(&folder, settings, best, observer, stop)?
    } else {
        None
    };
    let checkpoint = folder.checkpoint(best);
    Ok(RunSummary { complete, generations: learned, checkpoint, strength })
}

/// A run in the hands of this process.
struct Sitting<'r> {
    player: Player<'r>,
    trainer: Trainer<'r>,
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
        let concurrent = settings.run.is_concurrent()?;
        let mut devices = settings.run.device.shared()?;
        if concurrent && devices.len() > 1 {
            // The first is the learner's.
            devices.remove(0);
        }
        if let Some(note) = note {
            observer.event(&Event::Note(&note));
        }
        let disk = Disk { observer, stop };
        let folder = open_folder(request, disk)?;
        let mut reports = read_reports(&folder, disk)?;
        let mut state = read_state(&folder, settings, &reports, disk)?;
        MemoryNeed::of(settings, state.rows()).check()?;
        let (learner, learned) = open_learner(request, &folder, &state, game, device, disk)?;
        // What was played ahead of the learner is taken in when its turn comes.
        state.generations.truncate(learned as usize + 1);
        state.plays = Some(state.plays(learned, &settings.gate));
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
            player: Player::new(settings, devices, disk),
            trainer: Trainer {
                settings,
                device,
                disk,
                folder,
                clock: TrainingClock::start(settings.run.clock, state.seconds),
                state,
                learner,
                learned,
                concurrent,
                replay,
                reports,
                events,
                figures: Figures::default(),
                waited: 0.0,
            },
        })
    }

    /// Plays the games of the next generation.
    fn play(&mut self) -> Result<(), RunError> {
        let Self { player, trainer } = self;
        player.put_in(trainer.plays(), &trainer.network()?)?;
        model::single_threaded();
        let played = player.play(&trainer.order())?;
        trainer.take_in(played)
    }

    /// Learns from the newest generation while the games of the next are played. The new network
    /// plays as soon as it is there, or has passed the gate, where there is one. Whichever half is
    /// done first waits for the other: so neither more nor fewer steps are taken than the games are
    /// worth.
    fn learn_and_play(&mut self) -> Result<(), RunError> {
        let Self { player, trainer } = self;
        let evaluators = player.put_in(trainer.plays(), &trainer.network()?)?;
        model::single_threaded();
        let (order, stop) = (trainer.order(), trainer.disk.stop);
        let (played, learned) = thread::scope(|scope| {
            let playing = scope.spawn(move || or_stop(stop, player.play(&order)));
            let learned = trainer.learn().and_then(|()| trainer.network());
            let learned = or_stop(stop, learned)
                .map(|network| evaluators.swap(&net_name(trainer.plays()), &network));
            let played = playing.join().unwrap_or_else(|panic| resume_unwind(panic));
            (played, learned)
        });
        learned?;
        let played = played?;
        // If the learner was stopped, games that are complete stay where the next sitting finds them.
        if trainer.is_behind() { Ok(()) } else { trainer.take_in(played) }
    }

    /// Tests the newest checkpoint against the one that plays, if it has to pass and has not been
    /// tested yet.
    fn gate(&mut self) -> Result<(), RunError> {
        let trainer = &mut self.trainer;
        let Trainer { settings, learned, disk: Disk { observer, stop }, .. } = *trainer;
        if !trainer.state.awaits_gate(learned, &settings.gate) || trainer.stopped() {
            return Ok(());
        }
        let begun = trainer.clock.now();
        let players = [learned, trainer.plays()];
        let found = judge(&trainer.folder, settings, players, observer, stop)?;
        // The run's limit is one of training.
        trainer.clock.leave_out_since(begun);
        if let Some(gate) = found {
            observer.event(&Event::Note(&gate.to_string()));
            if gate.passed {
                trainer.state.plays = Some(gate.checkpoint);
            }
            trainer.state.gates.push(gate);
            trainer.save_state()?;
        }
        Ok(())
    }

    /// Lets the newest checkpoint take its place on the ladder, if it has one and has not got it
    /// yet.
    fn climb(&mut self) -> Result<(), RunError> {
        let trainer = &mut self.trainer;
        let Trainer { settings, learned, disk: Disk { observer, stop }, .. } = *trainer;
        if !settings.ladder.has_place(learned) {
            return Ok(());
        }
        let begun = trainer.clock.now();
        let standings = climb(&trainer.folder, settings, &[learned], observer, stop)?;
        // The run's limit is one of training.
        trainer.clock.leave_out_since(begun);
        if !trainer.stopped() {
            let ratings = settings.ladder.ratings(&standings);
            trainer.disk.write(|| add_ratings(&mut trainer.events, &ratings))?;
        }
        Ok(())
    }
}

/// Stops the other half of the run if this one has failed.
fn or_stop<T>(stop: &AtomicBool, result: Result<T, RunError>) -> Result<T, RunError> {
    if result.is_err() {
        stop.store(true, Ordering::Relaxed);
    }
    result
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
