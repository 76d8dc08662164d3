//! [`Player`]: the half of a run that plays.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use games::{Outcome, Side};
use model::Network;
use selfplay::{
    GameRecord, Goal, Pool, Progress, Resignations, Run, ShardWriter, Throughput, game_seed,
};
use tch::Device;

use crate::disk::Disk;
use crate::evaluators::NetEvaluators;
use crate::events::Event;
use crate::replay::GameRows;
use crate::resume::{left_out, read_games};
use crate::run::RunError;
use crate::run_folder::Generated;
use crate::seeds::mixed;
use crate::settings::Settings;

/// Plays the games of one generation after the other, and keeps those under way for the next.
pub(crate) struct Player<'r> {
    settings: &'r Settings,
    disk: Disk<'r>,
    /// Where networks run, as [`NetEvaluators::new`] takes them.
    devices: Vec<Device>,
    /// The network that plays, once one has.
    evaluators: Option<Arc<NetEvaluators>>,
    /// The games under way, once there are any.
    pool: Option<Pool>,
}

/// A generation to play.
#[derive(Debug)]
pub(crate) struct Order {
    /// Which, counted from 0.
    pub(crate) generation: u32,
    /// Where its games go.
    pub(crate) path: PathBuf,
    /// Games of the run before it.
    pub(crate) games: u64,
    /// Rows to learn from in them.
    pub(crate) rows: u64,
}

/// The games of a generation, or as many as there are if it was stopped.
#[derive(Debug, Default)]
pub(crate) struct Played {
    pub(crate) records: Vec<GameRecord>,
    /// How many there are.
    pub(crate) generated: Generated,
    /// Whether these are all, and their file is closed.
    pub(crate) whole: bool,
    pub(crate) figures: Figures,
}

/// What the games of a generation were like, for its report.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Figures {
    pub(crate) games: f64,
    pub(crate) white: f64,
    pub(crate) draws: f64,
    pub(crate) steps: f64,
    pub(crate) resignations: Resignations,
    /// Of this sitting.
    pub(crate) throughput: Throughput,
    pub(crate) seconds: f64,
}

impl Figures {
    /// Counts a game.
    pub(crate) fn add(&mut self, record: &GameRecord) {
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

impl Played {
    fn add(&mut self, record: GameRecord, validation: f64) {
        self.figures.add(&record);
        self.generated.count(GameRows::of(&record, validation));
        self.records.push(record);
    }
}

impl<'r> Player<'r> {
    /// One that has not played yet.
    pub(crate) fn new(settings: &'r Settings, devices: Vec<Device>, disk: Disk<'r>) -> Self {
        Self { settings, disk, devices, evaluators: None, pool: None }
    }

    /// Lets `network`, the averaged one of checkpoint `number`, play from now on. What comes back
    /// can put another one in, also while games are played.
    pub(crate) fn put_in(
        &mut self,
        number: u32,
        network: &Network,
    ) -> Result<Arc<NetEvaluators>, RunError> {
        let evaluators = match &self.evaluators {
            Some(evaluators) => {
                evaluators.swap(&net_name(number), network);
                evaluators
            }
            None => {
                let Settings { run, selfplay, .. } = self.settings;
                let (name, devices) = (net_name(number), self.devices.clone());
                let (precision, batch) = (run.precision, selfplay.batch);
                let evaluators = NetEvaluators::new(&name, network, devices, precision, batch)?;
                self.evaluators.insert(Arc::new(evaluators))
            }
        };
        Ok(Arc::clone(evaluators))
    }

    /// Plays what is missing of a generation, with the network that was [put in](Self::put_in).
    /// Every game is on the disk when it is over.
    pub(crate) fn play(&mut self, order: &Order) -> Result<Played, RunError> {
        let (settings, game, disk) = (self.settings, self.settings.game(), self.disk);
        let validation = settings.replay.validation;
        let mut played = Played::default();
        if order.path.exists() {
            // It was complete already when the run was interrupted.
            let records = read_games(&order.path, game, disk.observer)?;
            records.into_iter().for_each(|record| played.add(record, validation));
            played.whole = true;
            return Ok(played);
        }
        let reproducible = settings.selfplay.reproducible;
        let first = first_number(order.generation);
        let keep = |games: &[GameRecord]| match reproducible {
            false => games.len(),
            true => {
                let seed = reproducible_seed(settings);
                let numbered = games.iter().zip(first..);
                numbered.take_while(|&(game, n)| game.seed == game_seed(seed, n)).count()
            }
        };
        let (mut writer, kept) = disk.write(|| ShardWriter::resume(&order.path, game, keep))?;
        kept.bad.iter().for_each(|bad| left_out(bad, disk.observer));
        kept.games.into_iter().for_each(|record| played.add(record, validation));
        let goal = u64::from(settings.run.games);
        let missing = goal.saturating_sub(played.generated.games);
        let progress = Progress::new();
        let evaluators = self.evaluators.as_deref().expect("a network was put in");
        let run = Run {
            evaluators,
            goal: match reproducible {
                true => Goal::AllOf(missing),
                false => Goal::Games(missing),
            },
            stop: disk.stop,
            progress: &progress,
        };
        let pool = match &mut self.pool {
            Some(pool) => pool,
            none => {
                let seed = match reproducible {
                    true => reproducible_seed(settings),
                    // Another seed in each sitting, or the run would play games again that it has.
                    false => mixed(settings.run.seed, order.games + played.generated.games),
                };
                none.insert(Pool::new(game, settings.selfplay, seed)?)
            }
        };
        if reproducible {
            pool.number_from(first + played.generated.games);
        }
        let begun = Instant::now();
        let throughput = pool.run(&run, &mut |record| {
            disk.write(|| writer.push(&record))?;
            played.add(record, validation);
            disk.observer.event(&Event::Generating {
                generation: order.generation,
                games: played.generated.games as u32,
                goal: goal as u32,
                rows: order.rows + played.generated.rows,
                minimum: settings.replay.minimum,
                evaluations_per_second: progress.total().evaluations as f64
                    / begun.elapsed().as_secs_f64(),
            });
            Ok(())
        })?;
        played.figures.throughput = throughput;
        played.figures.seconds = begun.elapsed().as_secs_f64();
        if played.generated.games >= goal {
            let mut writer = Some(writer);
            disk.write(|| match writer.take() {
                Some(writer) => writer.finish(),
                // The disk was full, and the games have stayed.
                None => ShardWriter::resume(&order.path, game, <[_]>::len)?.0.finish(),
            })?;
            played.whole = true;
        }
        // Else it was stopped: the games so far stay where the next sitting finds them.
        Ok(played)
    }
}

/// What records call the network of a checkpoint.
pub(crate) fn net_name(checkpoint: u32) -> String {
    format!("{checkpoint:06}")
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
