//! The players of a run's own matches, its checkpoints and reference players without networks, and how
//! they meet.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arena::{Entrant, MatchSettings, OpeningBook, OpeningSettings, PlayerError};
use games::Game;
use model::{Checkpoint, TorchSource};
use search::EvaluatorSource;

use crate::run::RunError;
use crate::run_files::RunFiles;
use crate::settings::Settings;

/// What the checkpoint of `generation` is called where it plays with so many simulations a step.
pub(crate) fn checkpoint_name(generation: u32, simulations: u32) -> String {
    format!("checkpoint {generation} @{simulations}")
}

/// The checkpoint of `generation`, on the first device of the run.
///
/// # Errors
/// If it cannot be read, or the device cannot be had.
pub(crate) fn checkpoint(
    files: &RunFiles,
    settings: &Settings,
    generation: u32,
    simulations: u32,
) -> Result<Entrant, RunError> {
    let game = settings.game();
    let (device, _) = settings.run.device.first().resolve()?;
    let network = Checkpoint::load(&files.checkpoint(generation), game)?.network(game, device);
    let source = TorchSource::new(&network, device, settings.run.precision.on(device));
    let source: Arc<dyn EvaluatorSource> = Arc::new(source);
    Ok(Entrant::net(checkpoint_name(generation, simulations), source, simulations))
}

/// The reference player that the settings write as `player`, which have been checked.
///
/// # Errors
/// If it plays by a network after all.
pub(crate) fn reference(player: &str, game: &'static Game) -> Result<Entrant, PlayerError> {
    let no_nets = |_: &'static Game, _: &Path| Err("give a reference player".to_owned());
    let spec = player.parse().expect("checked when the settings were read");
    Entrant::new(&spec, game, &no_nets)
}

/// Balanced openings, as many as there are up to `needed`; none if stopped.
pub(crate) fn book(
    game: &'static Game,
    needed: usize,
    seed: u64,
    stop: &AtomicBool,
) -> Option<OpeningBook> {
    let openings = OpeningSettings::default();
    let book = OpeningBook::find(game, needed, &openings, seed, cores(), stop);
    (!stop.load(Ordering::Relaxed)).then_some(book)
}

/// A match that has the whole machine.
pub(crate) fn all_cores(seed: u64) -> MatchSettings {
    MatchSettings { seed, threads: cores(), ..MatchSettings::default() }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
