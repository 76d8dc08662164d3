//! [`Learner`]: a network, its optimiser and the average that plays, fitted batch by batch.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use games::Game;
use model::{Checkpoint, Extras, Network, NetworkSettings, Outputs, WriteError, tensors};
use serde::{Deserialize, Serialize};
use tch::{Device, Kind, Tensor, no_grad};

use crate::batch::TrainingBatch;
use crate::events::Losses;
use crate::loss;
use crate::optimizer::{Optimizer, OptimizerChoice, StepSize};
use crate::schedule::{average_share, learning_rate};
use crate::settings::LearnerSettings;

/// The version of the learner's file. Version 1 knew AdamW only.
const FORMAT: u32 = 2;

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
    #[serde(default)]
    optimizer: OptimizerChoice,
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
    optimizer: Optimizer,
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
        "training failed at step {step}: the loss is not finite ({losses}); the last checkpoint is intact, try a lower learner.rate"
    )]
    NotFinite {
        /// The step that was not taken.
        step: i64,
        /// What came out.
        losses: Box<Losses>,
    },
}

impl Learner {
    /// A learner with a new network.
    ///
    /// # Errors
    /// If the sizes are impossible.
    pub fn new(
        settings: &NetworkSettings,
        optimizer: OptimizerChoice,
        game: &'static Game,
        device: Device,
        seed: u64,
    ) -> Result<Self, LearnError> {
        Ok(Self::of(Network::new(settings, game, device, seed)?, optimizer))
    }

    /// A learner that starts from the weights in the file `path`, with an optimiser that has seen
    /// nothing. The network may have other heads for training than the checkpoint: new ones are drawn
    /// with `seed`.
    ///
    /// # Errors
    /// If the file is no checkpoint of the game or its network has other sizes than `settings`.
    pub fn from_checkpoint(
        path: &Path,
        settings: &NetworkSettings,
        optimizer: OptimizerChoice,
        game: &'static Game,
        device: Device,
        seed: u64,
    ) -> Result<Self, LearnError> {
        let checkpoint = Checkpoint::load(path, game)?;
        if !checkpoint.manifest.network.plays_like(settings) {
            return Err(LearnError::Foreign {
                path: path.to_owned(),
                problem: "its network has other sizes than [network] says".to_owned(),
            });
        }
        let network = Network::new(settings, game, device, seed)?;
        let found: HashMap<String, Tensor> = checkpoint.tensors.into_iter().collect();
        no_grad(|| {
            for parameter in network.parameters() {
                if let Some(tensor) = found.get(&parameter.name) {
                    parameter.tensor.shallow_clone().copy_(tensor);
                }
            }
        });
        Ok(Self::of(network, optimizer))
    }

    fn of(network: Network, optimizer: OptimizerChoice) -> Self {
        let trained = network.trained();
        let average =
            no_grad(|| network.parameters().iter().map(|p| p.tensor.detach().copy()).collect());
        let optimizer = Optimizer::new(optimizer, &trained);
        Self { optimizer, trained, average, network, step: 0 }
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
        let reply = batch.reply.as_ref().filter(|_| settings.reply_weight > 0.0);
        let extras = Extras {
            moves_left: settings.moves_left_weight > 0.0,
            soft_policy: settings.soft_policy_weight > 0.0,
            occupancy: settings.occupancy_weight > 0.0 && batch.holders.is_some(),
            reply: reply.map(|reply| &reply.steps),
        };
        let outputs = self.network.forward(&batch.input, true, &extras);
        let terms = terms(&outputs, batch, settings);
        let total = terms.iter().flatten().map(|term| &term.loss * term.weight);
        total.reduce(|a, b| a + b).expect("there is always a policy loss").backward();
        // Read in one piece: each reading waits until a GPU has come to an end.
        let zero = Tensor::zeros([], (Kind::Float, self.network.device()));
        let mut scalars: Vec<&Tensor> =
            terms.iter().map(|term| term.as_ref().map_or(&zero, |term| &term.loss)).collect();
        let (entropy, norm) = (loss::target_entropy(&batch.policy), Optimizer::norm(&self.trained));
        scalars.extend([&entropy, &norm]);
        let scalars = Vec::<f64>::try_from(Tensor::stack(&scalars, 0).detach());
        let scalars = scalars.expect("a flat tensor of numbers");
        let [policy, value, moves_left, soft_policy, reply, occupancy, target_entropy, gradient] =
            scalars[..]
        else {
            unreachable!("six losses, an entropy and a norm")
        };
        let losses = Losses {
            policy,
            target_entropy,
            value,
            moves_left,
            soft_policy,
            reply,
            occupancy,
            gradient,
        };
        if !scalars.iter().all(|scalar| scalar.is_finite()) {
            return Err(LearnError::NotFinite { step: self.step, losses: Box::new(losses) });
        }
        let size = StepSize {
            rate: learning_rate(self.step, progress, settings),
            decay: settings.decay,
            momentum: settings.momentum,
            clip: settings.clip,
        };
        self.optimizer.step(&self.trained, gradient, &size);
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
        let optimizer = self.optimizer.choice();
        let mut moments = self.optimizer.moments().iter();
        for (parameter, average) in self.network.parameters().iter().zip(&self.average) {
            let mut add = |role: &str, tensor: &Tensor| {
                list.push((format!("{role}.{}", parameter.name), tensor.shallow_clone()));
            };
            add("weight", &parameter.tensor);
            add("average", average);
            if parameter.trained {
                let moments = moments.next().expect("each trained tensor has moments");
                optimizer.roles().iter().zip(moments).for_each(|(role, moment)| add(role, moment));
            }
        }
        let game = self.network.game();
        let stamp = Stamp {
            format: FORMAT,
            game: game.id.to_owned(),
            rules: game.fingerprint,
            generation,
            step: self.step,
            optimizer,
        };
        let stamp = serde_json::to_string(&stamp).expect("a stamp is plain data");
        tensors::write(path, &list, &BTreeMap::from([(STAMP.to_owned(), stamp)]))
    }

    /// Reads back what [`Learner::save`] has written, and the generation it was saved in.
    ///
    /// # Errors
    /// If the file is missing, damaged, or of another game, rules, network or optimiser.
    pub fn load(
        path: &Path,
        settings: &NetworkSettings,
        optimizer: OptimizerChoice,
        game: &'static Game,
        device: Device,
    ) -> Result<(Self, u32), LearnError> {
        let foreign = |problem: String| LearnError::Foreign { path: path.to_owned(), problem };
        let file = tensors::read(path)?;
        let stamp =
            file.metadata.get(STAMP).ok_or_else(|| foreign("it holds no learner".into()))?;
        let stamp: Stamp = serde_json::from_str(stamp).map_err(|e| foreign(e.to_string()))?;
        if !(1..=FORMAT).contains(&stamp.format) {
            return Err(foreign(format!("expected format 1 to {FORMAT}, found {}", stamp.format)));
        }
        if stamp.game != game.id || stamp.rules != game.fingerprint {
            return Err(foreign(format!("it is for other rules than those of {}", game.id)));
        }
        if stamp.optimizer != optimizer {
            let problem = format!("it is the state of {}, not of {optimizer}", stamp.optimizer);
            return Err(foreign(problem));
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
        let (mut average, mut moments) = (Vec::new(), Vec::new());
        for parameter in network.parameters() {
            let mut take = |role| take(role, &parameter.name, &parameter.tensor);
            let weight = take("weight")?;
            no_grad(|| parameter.tensor.shallow_clone().copy_(&weight));
            average.push(take("average")?);
            if parameter.trained {
                let roles = optimizer.roles().iter().map(|role| take(role));
                moments.push(roles.collect::<Result<_, _>>()?);
            }
        }
        let learner = Self {
            trained: network.trained(),
            optimizer: Optimizer::from_moments(optimizer, moments, stamp.step),
            average,
            network,
            step: stamp.step,
        };
        Ok((learner, stamp.generation))
    }
}

/// A loss and how much it counts.
#[derive(Debug)]
struct Term {
    loss: Tensor,
    weight: f64,
}

/// The losses in the order of [`Losses`]: policy, value, moves left, soft policy, reply, occupancy;
/// `None` where a head was not asked.
fn terms(
    outputs: &Outputs,
    batch: &TrainingBatch,
    settings: &LearnerSettings,
) -> [Option<Term>; 6] {
    let term = |loss, weight| Some(Term { loss, weight });
    let moves_left = outputs.moves_left.as_ref().map(|out| loss::moves_left_loss(out, batch));
    let soft = outputs.soft_policy_logits.as_ref();
    let soft = soft.map(|logits| loss::soft_policy_loss(logits, &batch.policy));
    let reply = outputs.reply_logits.as_ref().zip(batch.reply.as_ref());
    let reply = reply.map(|(logits, reply)| loss::policy_loss(logits, &reply.policy));
    let occupancy = outputs.occupancy_logits.as_ref().zip(batch.holders.as_ref());
    let occupancy = occupancy.map(|(logits, holders)| loss::occupancy_loss(logits, holders, batch));
    [
        term(loss::policy_loss(&outputs.policy_logits, &batch.policy), 1.0),
        term(loss::value_loss(&outputs.wdl_logits, batch), settings.value_weight),
        moves_left.and_then(|loss| term(loss, settings.moves_left_weight)),
        soft.and_then(|loss| term(loss, settings.soft_policy_weight)),
        reply.and_then(|loss| term(loss, settings.reply_weight)),
        occupancy.and_then(|loss| term(loss, settings.occupancy_weight)),
    ]
}
