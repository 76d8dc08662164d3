//! [`Learner`]: a network, its optimiser and the average that plays, fitted batch by batch.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use games::Game;
use model::{Checkpoint, Network, NetworkSettings, WriteError, tensors};
use serde::{Deserialize, Serialize};
use tch::{Device, Tensor, no_grad};

use crate::events::Losses;
use crate::loss;
use crate::optimizer::AdamW;
use crate::samples::TrainingBatch;
use crate::schedule::{average_share, learning_rate};
use crate::settings::LearnerSettings;

/// The version of the learner's file.
const FORMAT: u32 = 1;

/// The metadata entry that holds [`Stamp`] as JSON.
const STAMP: &str = "raja-learner";

/// What the learner's file says about itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stamp {
    format: u32,
    game: String,
    rules: u64,
    generation: u32,
    step: i64,
}

/// A network in training.
///
/// Self-play and matches use the exponential moving average of its weights, which takes the running
/// statistics of the normalisations along (Izmailov et al. 2018; KataGo does the same).
#[derive(Debug)]
pub struct Learner {
    network: Network,
    /// Handles of the trained tensors, in the order of the optimiser's moments.
    trained: Vec<Tensor>,
    optimizer: AdamW,
    /// One tensor for each of [`Network::parameters`].
    average: Vec<Tensor>,
    step: i64,
}

/// The learner cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// The sizes of the network are impossible.
    #[error(transparent)]
    Network(#[from] model::SettingsError),
    /// The saved state cannot be read.
    #[error(transparent)]
    File(#[from] tensors::TensorsError),
    /// The checkpoint to start from cannot be read.
    #[error(transparent)]
    Checkpoint(#[from] model::CheckpointError),
    /// The saved state is not this run's.
    #[error("{} does not belong to this run: {problem}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        problem: String,
    },
    /// The state cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A loss or gradient is infinite or undefined.
    #[error(
        "training failed at step {step}: the loss is not finite (policy {policy}, value {value}, gradient {gradient}); the last checkpoint is intact, try a lower learner.rate"
    )]
    NotFinite {
        /// The step that was not taken.
        step: i64,
        /// The policy loss.
        policy: f64,
        /// The value loss.
        value: f64,
        /// The norm of the gradient.
        gradient: f64,
    },
}

impl Learner {
    /// A learner with a new network.
    ///
    /// # Errors
    /// If the sizes are impossible.
    pub fn new(
        settings: &NetworkSettings,
        game: &'static Game,
        device: Device,
        seed: u64,
    ) -> Result<Self, LearnError> {
        Ok(Self::of(Network::new(settings, game, device, seed)?))
    }

    /// A learner that starts from the weights in the file `path`, with an optimiser that has seen
    /// nothing.
    ///
    /// # Errors
    /// If the file is no checkpoint of the game or its network has other sizes than `settings`.
    pub fn from_checkpoint(
        path: &Path,
        settings: &NetworkSettings,
        game: &'static Game,
        device: Device,
    ) -> Result<Self, LearnError> {
        let checkpoint = Checkpoint::load(path, game)?;
        if checkpoint.manifest.network != *settings {
            return Err(LearnError::Foreign {
                path: path.to_owned(),
                problem: "its network has other sizes than [network] says".to_owned(),
            });
        }
        Ok(Self::of(checkpoint.network(game, device)))
    }

    fn of(network: Network) -> Self {
        let trained = network.trained();
        let average =
            no_grad(|| network.parameters().iter().map(|p| p.tensor.detach().copy()).collect());
        Self { optimizer: AdamW::new(&trained), trained, average, network, step: 0 }
    }

    /// Takes one step on `batch` and moves the average. `progress` is how far the run is, 0 to 1.
    ///
    /// # Errors
    /// If the losses or their gradient are not finite; weights and average are then as before.
    pub fn step(
        &mut self,
        batch: &TrainingBatch,
        settings: &LearnerSettings,
        progress: f64,
    ) -> Result<Losses, LearnError> {
        self.network.set_compute(settings.precision.on(self.network.device()));
        let outputs = self.network.forward(&batch.input, true);
        let policy = loss::policy_loss(&outputs.policy_logits, batch);
        let value = loss::value_loss(&outputs.wdl_logits, batch);
        let mut total = &policy + &value * settings.value_weight;
        let moves_left = outputs.moves_left.filter(|_| settings.moves_left_weight > 0.0);
        let moves_left = moves_left.map(|predicted| loss::moves_left_loss(&predicted, batch));
        if let Some(moves_left) = &moves_left {
            total += moves_left * settings.moves_left_weight;
        }
        total.backward();
        let scalar = |tensor: &Tensor| tensor.double_value(&[]);
        let mut losses = Losses {
            policy: scalar(&policy),
            target_entropy: loss::target_entropy(batch),
            value: scalar(&value),
            moves_left: moves_left.as_ref().map_or(0.0, scalar),
            gradient: f64::NAN,
        };
        let rate = learning_rate(self.step, progress, settings);
        if losses.policy.is_finite() && losses.value.is_finite() {
            losses.gradient =
                self.optimizer.step(&self.trained, rate, settings.decay, settings.clip);
        }
        if !losses.gradient.is_finite() {
            return Err(LearnError::NotFinite {
                step: self.step,
                policy: losses.policy,
                value: losses.value,
                gradient: losses.gradient,
            });
        }
        self.move_average(average_share(self.step, settings));
        self.step += 1;
        Ok(losses)
    }

    /// Moves the average towards the weights, keeping `share` of itself.
    fn move_average(&mut self, share: f64) {
        no_grad(|| {
            for (average, parameter) in self.average.iter_mut().zip(self.network.parameters()) {
                let _ = average.lerp_(&parameter.tensor.detach(), 1.0 - share);
            }
        });
    }

    /// Steps taken.
    #[must_use]
    pub fn steps(&self) -> i64 {
        self.step
    }

    /// The network as it is trained.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The averaged network as a checkpoint.
    #[must_use]
    pub fn checkpoint(&self, notes: BTreeMap<String, String>) -> Checkpoint {
        let names = self.network.parameters().iter().map(|p| p.name.clone());
        let tensors = self.average.iter().map(|t| t.copy().to_device(Device::Cpu));
        let step = self.step.unsigned_abs();
        Checkpoint::with_tensors(&self.network, names.zip(tensors).collect(), step, notes)
    }

    /// Writes everything that the next step depends on to `path`: weights, average, moments, step.
    ///
    /// # Errors
    /// If the file cannot be written; an old one then stays as it was.
    pub fn save(&self, path: &Path, generation: u32) -> Result<(), WriteError> {
        let mut list = Vec::new();
        let (first, second) = self.optimizer.moments();
        let mut moments = first.iter().zip(second);
        for (parameter, average) in self.network.parameters().iter().zip(&self.average) {
            let mut add = |role: &str, tensor: &Tensor| {
                list.push((format!("{role}.{}", parameter.name), tensor.shallow_clone()));
            };
            add("weight", &parameter.tensor);
            add("average", average);
            if parameter.trained {
                let (first, second) = moments.next().expect("each trained tensor has moments");
                add("first", first);
                add("second", second);
            }
        }
        let game = self.network.game();
        let stamp = Stamp {
            format: FORMAT,
            game: game.id.to_owned(),
            rules: game.fingerprint,
            generation,
            step: self.step,
        };
        let stamp = serde_json::to_string(&stamp).expect("a stamp is plain data");
        tensors::write(path, &list, &BTreeMap::from([(STAMP.to_owned(), stamp)]))
    }

    /// Reads back what [`Learner::save`] has written, and the generation it was saved in.
    ///
    /// # Errors
    /// If the file is missing, damaged, or of another game, rules or network.
    pub fn load(
        path: &Path,
        settings: &NetworkSettings,
        game: &'static Game,
        device: Device,
    ) -> Result<(Self, u32), LearnError> {
        let foreign = |problem: String| LearnError::Foreign { path: path.to_owned(), problem };
        let file = tensors::read(path)?;
        let stamp =
            file.metadata.get(STAMP).ok_or_else(|| foreign("it holds no learner".into()))?;
        let stamp: Stamp = serde_json::from_str(stamp).map_err(|e| foreign(e.to_string()))?;
        if stamp.format != FORMAT {
            return Err(foreign(format!("expected format {FORMAT}, found {}", stamp.format)));
        }
        if stamp.game != game.id || stamp.rules != game.fingerprint {
            return Err(foreign(format!("it is for other rules than those of {}", game.id)));
        }
        let network = Network::new(settings, game, device, 0)?;
        let mut saved: HashMap<String, Tensor> = file.tensors.into_iter().collect();
        let mut take = |role: &str, name: &str, like: &Tensor| {
            let tensor = saved.remove(&format!("{role}.{name}"));
            let tensor = tensor.filter(|tensor| tensor.size() == like.size());
            let problem =
                || foreign(format!("tensor {role}.{name} is missing or has another shape"));
            tensor.map(|tensor| tensor.to_device(device)).ok_or_else(problem)
        };
        let (mut average, mut first, mut second) = (Vec::new(), Vec::new(), Vec::new());
        for parameter in network.parameters() {
            let mut take = |role| take(role, &parameter.name, &parameter.tensor);
            let weight = take("weight")?;
            no_grad(|| parameter.tensor.shallow_clone().copy_(&weight));
            average.push(take("average")?);
            if parameter.trained {
                first.push(take("first")?);
                second.push(take("second")?);
            }
        }
        let learner = Self {
            trained: network.trained(),
            optimizer: AdamW::from_moments(first, second, stamp.step),
            average,
            network,
            step: stamp.step,
        };
        Ok((learner, stamp.generation))
    }
}
