//! [`Checkpoint`]: a network in one file that belongs to one game, one encoding, one architecture.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use games::Game;
use serde::{Deserialize, Serialize};
use tch::{Device, Kind, Tensor};
use thiserror::Error;

use crate::encode::ENCODING_VERSION;
use crate::files::WriteError;
use crate::network::Network;
use crate::parameters::ParameterMismatch;
use crate::settings::{NetworkSettings, SettingsError};
use crate::tensors::{self, TensorsError};

/// Goes up when the manifest changes or tensors get other names or shapes. Older formats are read:
/// 1 knew no head for training only but the moves left.
pub const FORMAT_VERSION: u32 = 2;

/// The metadata entry of the file that holds the manifest as JSON.
const MANIFEST: &str = "raja";

/// What a checkpoint says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// [`FORMAT_VERSION`] of the program that wrote it.
    pub format: u32,
    /// The id of the game.
    pub game: String,
    /// [`Game::fingerprint`] in 16 hexadecimal digits.
    pub rules: String,
    /// [`ENCODING_VERSION`] of the program that wrote it.
    pub encoding: u32,
    /// The architecture: the sizes and which heads there are.
    pub network: NetworkSettings,
    /// Training steps taken.
    pub step: u64,
    /// Anything else worth knowing, such as the version of raja.
    pub notes: BTreeMap<String, String>,
}

/// A network's weights and running statistics with their manifest, on the CPU.
#[derive(Debug)]
pub struct Checkpoint {
    /// What it is.
    pub manifest: Manifest,
    /// fp32 tensors by name, in the order of their names.
    pub tensors: Vec<(String, Tensor)>,
}

/// Why a checkpoint is refused. Each message is one sentence that names the file.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file is missing, something else, cut short or damaged.
    #[error(transparent)]
    File(#[from] TensorsError),
    /// A sound tensor file that holds no network, such as an optimiser's state.
    #[error("{} holds tensors but no raja checkpoint: {reason}", path.display())]
    NoManifest {
        /// The file.
        path: PathBuf,
        /// What is wrong with the manifest.
        reason: String,
    },
    /// Written by a newer raja.
    #[error("{} has checkpoint format {found}, this raja reads up to {FORMAT_VERSION}: update raja", path.display())]
    TooNew {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u64,
    },
    /// A network for another game.
    #[error("{} is a network for {found}, not for {expected}", path.display())]
    OtherGame {
        /// The file.
        path: PathBuf,
        /// The game asked for.
        expected: &'static str,
        /// The game it is for.
        found: String,
    },
    /// The rules have changed since.
    #[error("{} was trained on other rules of {game}: their fingerprint was {found} and is now {expected}", path.display())]
    OtherRules {
        /// The file.
        path: PathBuf,
        /// The game.
        game: &'static str,
        /// The fingerprint of the rules now.
        expected: String,
        /// The fingerprint of the rules it was trained on.
        found: String,
    },
    /// The network's input is laid out otherwise now.
    #[error("{} reads positions in encoding {found}, this raja writes encoding {ENCODING_VERSION}", path.display())]
    OtherEncoding {
        /// The file.
        path: PathBuf,
        /// Its encoding.
        found: u32,
    },
    /// The architecture in the manifest cannot be.
    #[error("{}: {source}", path.display())]
    Network {
        /// The file.
        path: PathBuf,
        /// Why it cannot be.
        source: SettingsError,
    },
    /// The tensors are not those of the architecture.
    #[error("{} does not match its own architecture: {source}", path.display())]
    Shapes {
        /// The file.
        path: PathBuf,
        /// The first difference.
        source: ParameterMismatch,
    },
    /// The training had failed when it was written.
    #[error("{}: tensor {name} has numbers that are infinite or undefined", path.display())]
    NotFinite {
        /// The file.
        path: PathBuf,
        /// The tensor.
        name: String,
    },
}

impl Manifest {
    /// The manifest in `path`; the whole file is checked, but not whether it fits a game of now.
    ///
    /// # Errors
    /// If the file is missing, no checkpoint, damaged or of a newer format.
    pub fn read(path: &Path) -> Result<Self, CheckpointError> {
        Self::parse(path, &tensors::read_metadata(path)?)
    }

    fn parse(path: &Path, metadata: &BTreeMap<String, String>) -> Result<Self, CheckpointError> {
        let bad = |reason| CheckpointError::NoManifest { path: path.to_owned(), reason };
        let text = metadata
            .get(MANIFEST)
            .ok_or_else(|| bad(format!("its metadata has no entry {MANIFEST:?}")))?;
        // The format first: a newer one may have other fields.
        let json: serde_json::Value =
            serde_json::from_str(text).map_err(|error| bad(error.to_string()))?;
        match json["format"].as_u64() {
            Some(found) if found > u64::from(FORMAT_VERSION) => {
                Err(CheckpointError::TooNew { path: path.to_owned(), found })
            }
            _ => serde_json::from_value(json).map_err(|error| bad(error.to_string())),
        }
    }

    fn check_game(&self, path: &Path, game: &'static Game) -> Result<(), CheckpointError> {
        let path = path.to_owned();
        let rules = fingerprint(game);
        if self.game != game.id {
            let found = self.game.clone();
            Err(CheckpointError::OtherGame { path, expected: game.id, found })
        } else if self.rules != rules {
            let found = self.rules.clone();
            Err(CheckpointError::OtherRules { path, game: game.id, expected: rules, found })
        } else if self.encoding != ENCODING_VERSION {
            Err(CheckpointError::OtherEncoding { path, found: self.encoding })
        } else {
            Ok(())
        }
    }
}

fn fingerprint(game: &Game) -> String {
    format!("{:016x}", game.fingerprint)
}

impl Checkpoint {
    /// A copy of the network's weights and statistics as they are now.
    #[must_use]
    pub fn of(network: &Network, step: u64, notes: BTreeMap<String, String>) -> Self {
        let tensors = network.parameters().iter().map(|p| {
            let copy = p.tensor.detach().to_device_(Device::Cpu, Kind::Float, false, true);
            (p.name.clone(), copy)
        });
        Self::with_tensors(network, tensors.collect(), step, notes)
    }

    /// A checkpoint of `network`'s architecture with other weights, averaged ones for instance: fp32,
    /// on the CPU, one for each of [`Network::parameters`] under the same name.
    #[must_use]
    pub fn with_tensors(
        network: &Network,
        mut tensors: Vec<(String, Tensor)>,
        step: u64,
        notes: BTreeMap<String, String>,
    ) -> Self {
        tensors.sort_by(|a, b| a.0.cmp(&b.0));
        let manifest = Manifest {
            format: FORMAT_VERSION,
            game: network.game().id.to_owned(),
            rules: fingerprint(network.game()),
            encoding: ENCODING_VERSION,
            network: *network.settings(),
            step,
            notes,
        };
        Self { manifest, tensors }
    }

    /// Writes it to `path`, atomically.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), WriteError> {
        let manifest = serde_json::to_string(&self.manifest).expect("a manifest is plain JSON");
        tensors::write(path, &self.tensors, &BTreeMap::from([(MANIFEST.to_owned(), manifest)]))
    }

    /// Reads the checkpoint in `path` as a network for `game`.
    ///
    /// # Errors
    /// If it is missing, not whole, or of another game, rules, encoding or format; see
    /// [`CheckpointError`].
    pub fn load(path: &Path, game: &'static Game) -> Result<Self, CheckpointError> {
        let file = tensors::read(path)?;
        let mut manifest = Manifest::parse(path, &file.metadata)?;
        manifest.check_game(path, game)?;
        // Written again, it has all keys of the newest.
        manifest.format = FORMAT_VERSION;
        let checkpoint = Self { manifest, tensors: file.tensors };
        checkpoint.check_tensors(path, game)?;
        Ok(checkpoint)
    }

    fn check_tensors(&self, path: &Path, game: &'static Game) -> Result<(), CheckpointError> {
        let path = || path.to_owned();
        let mut network = Network::new(&self.manifest.network, game, Device::Cpu, 0)
            .map_err(|source| CheckpointError::Network { path: path(), source })?;
        network
            .set_parameters(&self.tensors)
            .map_err(|source| CheckpointError::Shapes { path: path(), source })?;
        match self.tensors.iter().find(|(_, tensor)| !all_finite(tensor)) {
            Some((name, _)) => Err(CheckpointError::NotFinite { path: path(), name: name.clone() }),
            None => Ok(()),
        }
    }

    /// The network on `device`, of the game this checkpoint was loaded for.
    ///
    /// # Panics
    /// If manifest and tensors do not belong together, as they do in any checkpoint that was made of a
    /// network or loaded.
    #[must_use]
    pub fn network(&self, game: &'static Game, device: Device) -> Network {
        let mut network = Network::new(&self.manifest.network, game, device, 0)
            .expect("a checkpoint's architecture is one of this game");
        network.set_parameters(&self.tensors).expect("a checkpoint has its network's tensors");
        network
    }
}

fn all_finite(tensor: &Tensor) -> bool {
    tensor.isfinite().all().int64_value(&[]) != 0
}
