//! The layers of the tower. How neighbours on a board are convolved is for [`Stencil`] to know.

use tch::{Kind, TchError, Tensor};

use crate::encode::InputShape;
use crate::parameters::Parameters;
use crate::stencil::Stencil;

/// Added to variances before their root is taken.
const EPSILON: f64 = 1e-5;
/// How far running statistics move towards those of each training batch.
const MOMENTUM: f64 = 0.1;

/// A convolution over the neighbours of each cell and the cell itself, without bias.
#[derive(Debug)]
pub(crate) struct Convolution {
    /// fp32, of the size that the board's [`Stencil`] asks for: one matrix `[to, from]` a tap.
    pub(crate) kernel: Tensor,
}

/// A normalisation of channels over batch and board (Ioffe and Szegedy 2015).
#[derive(Debug)]
pub(crate) struct Norm {
    gain: Tensor,
    bias: Tensor,
    mean: Tensor,
    variance: Tensor,
}

/// A matrix and a bias: `[rows, inputs]` to `[rows, outputs]`.
#[derive(Debug)]
pub(crate) struct Linear {
    /// fp32 `[outputs, inputs]`.
    pub(crate) matrix: Tensor,
    /// fp32 `[outputs]`.
    pub(crate) bias: Tensor,
}

impl Convolution {
    /// Drawn after He et al. 2015: the variance of what goes in and out is about the same before a
    /// ReLU.
    pub(crate) fn new(
        parameters: &mut Parameters,
        name: &str,
        stencil: &Stencil,
        from: i64,
        to: i64,
    ) -> Self {
        let deviation = (2.0 / (stencil.taps() * from) as f64).sqrt();
        let size = stencil.kernel_size(from, to);
        Self { kernel: parameters.normal(format!("{name}.kernel"), &size, 0.0, deviation) }
    }

    /// `[batch, from, ...]` to `[batch, to, ...]`, computed in the input's kind.
    pub(crate) fn forward(&self, stencil: &Stencil, input: &Tensor) -> Tensor {
        let kernel = stencil.packed(&self.kernel.to_kind(input.kind()));
        stencil.convolve(input, &kernel, None).expect("sizes fit by construction")
    }
}

impl Norm {
    /// With `gain` for all channels.
    pub(crate) fn new(parameters: &mut Parameters, name: &str, channels: i64, gain: f64) -> Self {
        Self {
            gain: parameters.constant(format!("{name}.gain"), &[channels], gain),
            bias: parameters.constant(format!("{name}.bias"), &[channels], 0.0),
            mean: parameters.statistic(format!("{name}.mean"), &[channels], 0.0),
            variance: parameters.statistic(format!("{name}.variance"), &[channels], 1.0),
        }
    }

    /// The normalised input, `[batch, channels, ...]`; with `train` by the statistics of this batch,
    /// which move the running ones, otherwise by those.
    pub(crate) fn forward(&self, input: &Tensor, train: bool) -> Tensor {
        input.batch_norm(
            Some(&self.gain),
            Some(&self.bias),
            Some(&self.mean),
            Some(&self.variance),
            train,
            MOMENTUM,
            EPSILON,
            true,
        )
    }

    /// The factor and the summand of each channel that this comes to after training: fp32
    /// `[channels]` each.
    pub(crate) fn folded(&self) -> (Tensor, Tensor) {
        let factor = &self.gain / (&self.variance + EPSILON).sqrt();
        let summand = &self.bias - &self.mean * &factor;
        (factor.detach(), summand.detach())
    }
}

impl Linear {
    /// Drawn after He et al. 2015, times `scale`; biases zero.
    pub(crate) fn new(
        parameters: &mut Parameters,
        name: &str,
        inputs: i64,
        outputs: i64,
        scale: f64,
    ) -> Self {
        let deviation = scale * (2.0 / inputs as f64).sqrt();
        Self {
            matrix: parameters.normal(format!("{name}.matrix"), &[outputs, inputs], 0.0, deviation),
            bias: parameters.constant(format!("{name}.bias"), &[outputs], 0.0),
        }
    }

    /// `[rows, inputs]` to `[rows, outputs]`, computed in the input's kind.
    pub(crate) fn forward(&self, input: &Tensor) -> Tensor {
        let kind = input.kind();
        input.linear(&self.matrix.to_kind(kind), Some(&self.bias.to_kind(kind)))
    }
}

/// The mean and the maximum over a sample's cells: `[batch, channels, rows, columns]`, channels last in
/// memory, to fp32 `[batch, 2 * channels]` (KataGo's global pooling; its third part says how large the
/// board is).
///
/// The maximum is `max_pool2d`, not `amax`, which takes 3 to 12 times as long on a processor.
///
/// # Errors
/// If libtorch fails: for want of memory, say.
pub(crate) fn pool(board: &Tensor) -> Result<Tensor, TchError> {
    let size = board.size();
    let whole = [size[2], size[3]];
    let mean = cells_of(board).f_mean_dim([1_i64].as_slice(), false, Kind::Float)?;
    let most = board.f_max_pool2d(whole, whole, [0, 0], [1, 1], false)?;
    Tensor::f_cat(&[mean, most.f_view([size[0], size[1]])?.f_to_kind(Kind::Float)?], 1)
}

/// `[batch, channels, rows, columns]`, channels last in memory, seen as `[batch, cells, channels]`.
pub(crate) fn cells_of(board: &Tensor) -> Tensor {
    let size = board.size();
    board.permute([0, 2, 3, 1]).reshape([size[0], size[2] * size[3], size[1]])
}

/// `[batch * cells, channels]` seen as `[batch, channels, rows, columns]`, channels last in memory.
pub(crate) fn board_of(cells: &Tensor, shape: InputShape) -> Tensor {
    let channels = cells.size()[1];
    let [rows, columns] = shape.board.map(|n| n as i64);
    cells.reshape([-1, rows, columns, channels]).permute([0, 3, 1, 2])
}
