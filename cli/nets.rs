//! Networks for the commands that play.

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;

use arena::{NetLoader, PlayerSpec};
use games::Game;
use model::device::{DeviceChoice, DeviceError, DeviceList};
use model::{Checkpoint, Network, Precision, TorchSource};
use search::EvaluatorSource;
use train::{NetEvaluators, PrecisionChoice};

use crate::{failure, progress};

/// `network`, called `net`, where self-play asks it: on `devices`, with batches of at most `batch`
/// states there.
pub(crate) fn evaluators(
    net: &str,
    network: &Network,
    devices: &DeviceList,
    precision: PrecisionChoice,
    batch: usize,
) -> anyhow::Result<NetEvaluators> {
    model::single_threaded();
    if let (_, Some(note)) = devices.first().resolve()? {
        progress::say(note);
    }
    Ok(NetEvaluators::new(net, network, devices.shared()?, precision, batch)?)
}

/// Loads networks onto one device.
pub(crate) struct Nets {
    device: DeviceChoice,
    /// Why it is not the device one would wish for, until that has been said.
    note: Cell<Option<String>>,
}

impl Nets {
    /// Networks on the device that `choice` comes to on this machine.
    pub(crate) fn on(choice: DeviceChoice) -> Result<Self, DeviceError> {
        let (_, note) = choice.resolve()?;
        Ok(Self { device: choice, note: Cell::new(note) })
    }

    /// Networks on `choice` if one of `players` plays by one. Nothing asks a GPU otherwise.
    pub(crate) fn of_players(
        players: &[&PlayerSpec],
        choice: DeviceChoice,
    ) -> Result<Self, DeviceError> {
        match players.iter().any(|player| matches!(player, PlayerSpec::Net { .. })) {
            true => Self::on(choice),
            false => Self::on(DeviceChoice::Cpu),
        }
    }

    /// The network in the file `path`, which must have been made for `game`.
    pub(crate) fn open(&self, game: &'static Game, path: &Path) -> anyhow::Result<TorchSource> {
        let (device, _) = self.device.resolve()?;
        let network = Checkpoint::load(path, game)?.network(game, device);
        if let Some(note) = self.note.take() {
            progress::say(note);
        }
        Ok(TorchSource::new(&network, device, Precision::best_for(device)))
    }
}

impl NetLoader for Nets {
    fn load(&self, game: &'static Game, path: &Path) -> Result<Arc<dyn EvaluatorSource>, String> {
        match self.open(game, path) {
            Ok(source) => Ok(Arc::new(source)),
            Err(error) => Err(failure::sentence(&error)),
        }
    }
}
