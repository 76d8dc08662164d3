//! The players of a run's own matches: its checkpoints, and reference players without networks.

use std::path::Path;
use std::sync::Arc;

use arena::{Entrant, PlayerError};
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
