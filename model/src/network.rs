//! [`Network`]: the residual tower with its heads, as it is trained.

use games::Game;
use serde::{Deserialize, Serialize};
use tch::{Device, Kind, Tensor};

use crate::auxiliary::{AuxiliaryHeads, Extras};
use crate::encode::{Batch, InputShape};
use crate::heads::{PolicyHead, ValueHead};
use crate::layers::{Convolution, Linear, Norm, cells_of, pool};
use crate::parameters::{self, Parameter, ParameterMismatch, Parameters};
use crate::settings::{NetworkSettings, SettingsError};
use crate::stencil::Stencil;

/// The numbers that a network computes with. Weights are kept in fp32 either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// 32 bits.
    Fp32,
    /// 16 bits with the exponent of fp32. Fast where the device has it.
    Bf16,
}

impl Precision {
    pub(crate) fn kind(self) -> Kind {
        match self {
            Self::Fp32 => Kind::Float,
            Self::Bf16 => Kind::BFloat16,
        }
    }
}

/// A network as it is trained: fp32 weights, running statistics, and the forward pass that gradients
/// go through.
///
/// A residual tower on the cells of the board, post-activation, so that every normalisation
/// folds into the convolution before it: conv, norm, ReLU, conv, norm, pooling bias, add, ReLU. See
/// `TorchSource` for playing.
#[derive(Debug)]
pub struct Network {
    settings: NetworkSettings,
    game: &'static Game,
    shape: InputShape,
    stencil: Stencil,
    device: Device,
    compute: Precision,
    parameters: Vec<Parameter>,
    pub(crate) input: Normalised,
    pub(crate) blocks: Vec<Block>,
    pub(crate) policy: PolicyHead,
    pub(crate) value: ValueHead,
    auxiliary: AuxiliaryHeads,
}

/// A convolution and its normalisation.
#[derive(Debug)]
pub(crate) struct Normalised {
    pub(crate) convolution: Convolution,
    pub(crate) norm: Norm,
}

/// One block of the tower.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) first: Normalised,
    pub(crate) second: Normalised,
    /// From the pooled output of `first`, fp32 `[batch, 2 * channels]`, to a bias of each channel.
    pub(crate) pooling: Option<Linear>,
}

/// What a network says about a batch.
#[derive(Debug)]
pub struct Outputs {
    /// A logit for each legal step of each sample, in the batch's order: fp32 `[steps]`.
    pub policy_logits: Tensor,
    /// Logits of win, draw and loss for the side to move: fp32 `[batch, 3]`.
    pub wdl_logits: Tensor,
    /// Plies until the end of the game, at least 0: fp32 `[batch]`. This and what follows is there if
    /// it was asked for and the network has the head.
    pub moves_left: Option<Tensor>,
    /// Logits of the softer policy, for the same steps: fp32 `[steps]`.
    pub soft_policy_logits: Option<Tensor>,
    /// A logit for each of the opponent's possible answers: fp32, in the order of [`Extras::reply`].
    pub reply_logits: Option<Tensor>,
    /// Logits of each cell's holder at the end, the side to move, the other or nobody: fp32
    /// `[batch * cells, 3]`.
    pub occupancy_logits: Option<Tensor>,
}

impl Network {
    /// A new network for `game` on `device`. Equal seeds give equal weights on every machine.
    ///
    /// # Errors
    /// If a setting is out of range.
    pub fn new(
        settings: &NetworkSettings,
        game: &'static Game,
        device: Device,
        seed: u64,
    ) -> Result<Self, SettingsError> {
        settings.validate()?;
        let shape = InputShape::of(game);
        let stencil = Stencil::of(&game.geometry, device);
        let channels = settings.channels as i64;
        let mut parameters = Parameters::new(device, seed);
        let p = &mut parameters;
        let layer = |p: &mut Parameters, name: &str, from: i64, gain: f64| Normalised {
            convolution: Convolution::new(p, name, &stencil, from, channels),
            norm: Norm::new(p, &format!("{name}.norm"), channels, gain),
        };
        let input = layer(p, "trunk.input", shape.planes as i64, 1.0);
        // The blocks together add as much variance as the input has, however many they are.
        let gain = 1.0 / (settings.blocks.max(1) as f64).sqrt();
        let blocks = (0..settings.blocks)
            .map(|index| {
                let name = format!("trunk.block{index:02}");
                Block {
                    first: layer(p, &format!("{name}.first"), channels, 1.0),
                    second: layer(p, &format!("{name}.second"), channels, gain),
                    pooling: settings.pools(index).then(|| {
                        Linear::new(p, &format!("{name}.pooling"), 2 * channels, channels, 0.1)
                    }),
                }
            })
            .collect();
        let policy = PolicyHead::new(p, "policy", settings, shape);
        let value = ValueHead::new(p, settings, shape);
        let auxiliary = AuxiliaryHeads::new(p, settings, shape);
        Ok(Self {
            settings: *settings,
            game,
            shape,
            stencil,
            device,
            compute: Precision::Fp32,
            parameters: parameters.list,
            input,
            blocks,
            policy,
            value,
            auxiliary,
        })
    }

    /// Computes the trunk's forward pass in `precision` from now on. Weights, their gradients,
    /// statistics and logits stay fp32.
    pub fn set_compute(&mut self, precision: Precision) {
        self.compute = precision;
    }

    /// What the network says about `batch`, which must be on its device, with the `extras` that only
    /// training asks for. With `train`, norms use the statistics of the batch and move the running ones.
    #[must_use]
    pub fn forward(&self, batch: &Batch, train: bool, extras: &Extras<'_>) -> Outputs {
        let planes = batch.planes.to_kind(self.compute.kind());
        let mut trunk = self.input.forward(&self.stencil, &planes, train).relu_();
        for block in &self.blocks {
            trunk = block.forward(&self.stencil, &trunk, train);
        }
        self.read_off(&trunk, batch, train, extras)
    }

    /// What the heads make of the trunk.
    fn read_off(&self, trunk: &Tensor, batch: &Batch, train: bool, extras: &Extras<'_>) -> Outputs {
        let cells = cells_of(trunk).flatten(0, 1);
        let policy_logits = self.policy.forward(&cells, batch);
        let (wdl_logits, moves_left) = self.value.forward(&cells, train, extras.moves_left);
        let auxiliary = self.auxiliary.forward(&cells, batch, extras);
        Outputs {
            policy_logits,
            wdl_logits,
            moves_left,
            soft_policy_logits: auxiliary.soft_policy,
            reply_logits: auxiliary.reply,
            occupancy_logits: auxiliary.occupancy,
        }
    }

    /// As [`Network::forward`] out of training, but without any of what makes it quick; see
    /// `PlainEvaluator`.
    pub(crate) fn forward_plainly(&self, batch: &Batch) -> Outputs {
        if !self.stencil.is_rectangle() {
            return self.forward(batch, false, &Extras::default());
        }
        let layer = |layer: &Normalised, input: &Tensor| {
            let kernel = &layer.convolution.kernel;
            let sums = input.conv2d(kernel, None::<Tensor>, [1, 1], [1, 1], [1, 1], 1);
            layer.norm.forward(&sums, false)
        };
        let mut trunk = layer(&self.input, &batch.planes.contiguous()).relu();
        for block in &self.blocks {
            let middle = layer(&block.first, &trunk).relu();
            let mut output = layer(&block.second, &middle) + &trunk;
            if let Some(pooling) = &block.pooling {
                let pooled = pool(&middle).expect("sizes fit by construction");
                output += pooling.forward(&pooled).unsqueeze(-1).unsqueeze(-1);
            }
            trunk = output.relu();
        }
        self.read_off(&trunk, batch, false, &Extras::default())
    }

    /// All named tensors, trained and statistics, in a fixed order.
    #[must_use]
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Handles of the tensors that gradients train, in a fixed order.
    #[must_use]
    pub fn trained(&self) -> Vec<Tensor> {
        let trained = self.parameters.iter().filter(|p| p.trained);
        trained.map(|p| p.tensor.shallow_clone()).collect()
    }

    /// Copies `tensors`, in any order, over the parameters of the same names: weights and statistics
    /// of a checkpoint, say.
    ///
    /// # Errors
    /// If names, shapes or kinds differ; nothing is changed then.
    pub fn set_parameters(
        &mut self,
        tensors: &[(String, Tensor)],
    ) -> Result<(), ParameterMismatch> {
        parameters::overwrite(&mut self.parameters, tensors)
    }

    /// The sizes.
    #[must_use]
    pub fn settings(&self) -> &NetworkSettings {
        &self.settings
    }

    /// The game it plays.
    #[must_use]
    pub fn game(&self) -> &'static Game {
        self.game
    }

    /// The sizes of its input.
    #[must_use]
    pub fn shape(&self) -> InputShape {
        self.shape
    }

    /// Where it computes.
    #[must_use]
    pub fn device(&self) -> Device {
        self.device
    }
}

impl Normalised {
    /// The kernel and the bias `[to]` that this comes to after training.
    pub(crate) fn folded(&self) -> (Tensor, Tensor) {
        let (factor, summand) = self.norm.folded();
        let kernel = &self.convolution.kernel;
        let rows = kernel.view([kernel.size()[0], -1]) * factor.unsqueeze(1);
        (rows.view_as(kernel), summand)
    }

    fn forward(&self, stencil: &Stencil, input: &Tensor, train: bool) -> Tensor {
        self.norm.forward(&self.convolution.forward(stencil, input), train)
    }
}

impl Block {
    fn forward(&self, stencil: &Stencil, input: &Tensor, train: bool) -> Tensor {
        let middle = self.first.forward(stencil, input, train).relu_();
        let mut output = self.second.forward(stencil, &middle, train) + input;
        if let Some(pooling) = &self.pooling {
            let pooled = pool(&middle).expect("sizes fit by construction");
            let bias = pooling.forward(&pooled).to_kind(output.kind());
            output += bias.unsqueeze(-1).unsqueeze(-1);
        }
        output.relu_()
    }
}
