//! [`Folded`]: a network as it plays, with every normalisation folded into the weights before it.

use tch::{Device, Kind, TchError, Tensor, no_grad};

use crate::encode::InputShape;
use crate::heads::{PolicyHead, ValueHead};
use crate::layers::{Linear, board_of, cells_of, pool};
use crate::network::{Block, Network, Normalised, Precision};
use crate::packed::{PackedBatch, StepRows, Unpacked};
use crate::stencil::Stencil;

/// The weights of a network for playing, on one device, in one precision.
///
/// Folded in fp32 and then cast. All that is linear in the trunk's channels at a cell, both heads', is
/// one matrix. The handles of a clone share the weights.
#[derive(Debug)]
pub(crate) struct Folded {
    input: FoldedConvolution,
    blocks: Vec<FoldedBlock>,
    /// `[channels, 2 * width + value_channels]`: the columns for a step's from cell, for its to cell, for
    /// the value head; see [`cell_linear`].
    cell_matrix: Tensor,
    /// `[2 * width + value_channels]`.
    cell_bias: Tensor,
    /// fp32 `[kinds, width]`: the weights of the products of a step's two cells.
    kinds: Tensor,
    hidden: FoldedLinear,
    wdl: FoldedLinear,
    kind: Kind,
    shape: InputShape,
    stencil: Stencil,
}

#[derive(Debug)]
struct FoldedConvolution {
    /// As [`Stencil::packed`] gives it.
    kernel: Tensor,
    bias: Tensor,
}

#[derive(Debug)]
struct FoldedBlock {
    first: FoldedConvolution,
    second: FoldedConvolution,
    pooling: Option<FoldedLinear>,
}

/// fp32; `matrix` is `[inputs, outputs]`.
#[derive(Debug)]
struct FoldedLinear {
    matrix: Tensor,
    bias: Tensor,
}

impl Folded {
    /// Folds `network` for `device`.
    pub(crate) fn new(network: &Network, device: Device, precision: Precision) -> Self {
        let kind = precision.kind();
        let stencil = Stencil::of(&network.game().geometry, device);
        no_grad(|| {
            let place = |tensor: &Tensor| tensor.detach().to_device(device).to_kind(kind);
            // Never the storage of the network itself, whose training may go on meanwhile.
            let copy =
                |tensor: &Tensor| tensor.detach().to_device_(device, Kind::Float, false, true);
            // What is pooled is little: fp32 is exact, and quicker than the set-up of a bf16 product.
            let linear = |layer: &Linear| FoldedLinear {
                matrix: copy(&layer.matrix.tr()).contiguous(),
                bias: copy(&layer.bias),
            };
            let convolution = |layer: &Normalised| {
                let (kernel, bias) = layer.folded();
                let kernel = stencil.packed(&place(&kernel));
                FoldedConvolution { kernel, bias: place(&bias) }
            };
            let block = |block: &Block| FoldedBlock {
                first: convolution(&block.first),
                second: convolution(&block.second),
                pooling: block.pooling.as_ref().map(linear),
            };
            let (cell_matrix, cell_bias) = cell_linear(&network.policy, &network.value);
            Self {
                input: convolution(&network.input),
                blocks: network.blocks.iter().map(block).collect(),
                cell_matrix: place(&cell_matrix.tr()).contiguous(),
                cell_bias: place(&cell_bias),
                kinds: network.policy.kind_rows().to_device(device),
                hidden: linear(&network.value.hidden),
                wdl: linear(&network.value.wdl),
                kind,
                shape: network.shape(),
                stencil,
            }
        })
    }

    /// Handles of the same weights, for another thread.
    pub(crate) fn share(&self) -> Self {
        Self {
            input: self.input.share(),
            blocks: self.blocks.iter().map(FoldedBlock::share).collect(),
            cell_matrix: self.cell_matrix.shallow_clone(),
            cell_bias: self.cell_bias.shallow_clone(),
            kinds: self.kinds.shallow_clone(),
            hidden: self.hidden.share(),
            wdl: self.wdl.share(),
            kind: self.kind,
            shape: self.shape,
            stencil: self.stencil.share(),
        }
    }

    /// The logits of all steps, fp32 `[steps]`, from the rows that [`cell_linear`] makes of the cells.
    fn score_steps(&self, cells: &Tensor, rows: &StepRows) -> Result<Tensor, TchError> {
        let count = rows.kinds.size()[0];
        let width = self.kinds.size()[1];
        let chunk = chunk_of_steps(cells.device());
        let (of_from, of_to) = (cells.f_narrow(1, 0, width)?, cells.f_narrow(1, width, width)?);
        let score = |start: i64| {
            let steps = chunk.min(count - start);
            let taken = |table: &Tensor, index: &Tensor| {
                table.f_index_select(0, &index.f_narrow(0, start, steps)?)?.f_to_kind(Kind::Float)
            };
            taken(&of_from, &rows.from)?
                .f_mul_(&taken(&of_to, &rows.to)?)?
                .f_mul_(&taken(&self.kinds, &rows.kinds)?)?
                .f_sum_dim_intlist([1_i64].as_slice(), false, Kind::Float)
        };
        if count <= chunk {
            return score(0);
        }
        let chunks = (0..count).step_by(chunk as usize);
        let logits: Result<Vec<_>, _> = chunks.map(score).collect();
        Tensor::f_cat(&logits?, 0)
    }

    /// What the network says about `batch`, which has a sample: fp32 `[steps + 3 * batch]`, a logit for
    /// each legal step, then chances of win, draw and loss for each sample. In one piece, so that a GPU
    /// is asked for it once. `buffer` is memory to be used again.
    ///
    /// # Errors
    /// If libtorch fails: for want of memory, say.
    pub(crate) fn evaluate(
        &self,
        batch: &PackedBatch,
        buffer: &mut Vec<i32>,
    ) -> Result<Tensor, TchError> {
        // The guard holds for this thread alone.
        no_grad(|| {
            let Unpacked { planes, steps } = batch.unpack(self.device(), self.kind, buffer)?;
            let mut trunk = self.input.forward(&self.stencil, &planes)?.f_relu_()?;
            for block in &self.blocks {
                trunk = block.forward(&self.stencil, &trunk)?;
            }
            let cells = cells_of(&trunk).f_flatten(0, 1)?;
            let cells = self.cell_bias.f_addmm(&cells, &self.cell_matrix)?;
            let width = self.kinds.size()[1];
            let logits = self.score_steps(&cells, &steps)?;
            let reduced = cells.f_narrow(1, 2 * width, cells.size()[1] - 2 * width)?.f_relu()?;
            let pooled = pool(&board_of(&reduced, self.shape))?;
            let hidden = self.hidden.forward(&pooled)?.f_relu_()?;
            let wdl = self.wdl.forward(&hidden)?.f_softmax(1, Kind::Float)?;
            Tensor::f_cat(&[logits, wdl.f_flatten(0, 1)?], 0)
        })
    }

    fn device(&self) -> Device {
        self.kinds.device()
    }
}

/// Legal steps that are scored at a time: some positions have ten thousand, and a batch of them
/// would fill the memory.
fn chunk_of_steps(device: Device) -> i64 {
    if device == Device::Cpu { 1 << 14 } else { 1 << 20 }
}

/// The heads' linear maps of the trunk's channels at a cell, as one: `[outputs, channels]` and
/// `[outputs]`. Of the policy's halves, the left is `[q, u, 1]` and the right `[k, 1, w]`: then all
/// three terms of a logit are one sum of products of three rows, see [`PolicyHead::kind_rows`].
pub(crate) fn cell_linear(policy: &PolicyHead, value: &ValueHead) -> (Tensor, Tensor) {
    let (product_dim, cell_dim) = (policy.product.size()[1], policy.leaving.size()[1]);
    let channels = policy.from.matrix.size()[1];
    let zeros = Tensor::zeros([cell_dim, channels], (Kind::Float, policy.from.matrix.device()));
    let ones = Tensor::ones([cell_dim], (Kind::Float, zeros.device()));
    let (factor, summand) = value.norm.folded();
    let halves = |tensor: &Tensor| tensor.split_with_sizes([product_dim, cell_dim], 0);
    let (to_matrix, to_bias) = (halves(&policy.to.matrix), halves(&policy.to.bias));
    let matrix = Tensor::cat(
        &[
            &policy.from.matrix,
            &zeros,
            &to_matrix[0],
            &zeros,
            &to_matrix[1],
            &(&value.reduce * factor.unsqueeze(1)),
        ],
        0,
    );
    let bias =
        Tensor::cat(&[&policy.from.bias, &ones, &to_bias[0], &ones, &to_bias[1], &summand], 0);
    (matrix, bias)
}

impl FoldedConvolution {
    fn forward(&self, stencil: &Stencil, input: &Tensor) -> Result<Tensor, TchError> {
        stencil.convolve(input, &self.kernel, Some(&self.bias))
    }

    fn share(&self) -> Self {
        Self { kernel: self.kernel.shallow_clone(), bias: self.bias.shallow_clone() }
    }
}

impl FoldedBlock {
    fn forward(&self, stencil: &Stencil, input: &Tensor) -> Result<Tensor, TchError> {
        let middle = self.first.forward(stencil, input)?.f_relu_()?;
        let mut output = self.second.forward(stencil, &middle)?.f_add_(input)?;
        if let Some(pooling) = &self.pooling {
            let bias = pooling.forward(&pool(&middle)?)?.f_to_kind(output.kind())?;
            // As a product with a column of ones: adding the bias with broadcasting takes 5 times as
            // long in bf16 when the channels are no multiple of 32.
            let mut cells = cells_of(&output);
            let size = cells.size();
            let ones = Tensor::f_ones([size[0], size[1], 1], (output.kind(), output.device()))?;
            let _ = cells.f_baddbmm_(&ones, &bias.f_unsqueeze(1)?)?;
        }
        output.f_relu_()
    }

    fn share(&self) -> Self {
        Self {
            first: self.first.share(),
            second: self.second.share(),
            pooling: self.pooling.as_ref().map(FoldedLinear::share),
        }
    }
}

impl FoldedLinear {
    fn forward(&self, input: &Tensor) -> Result<Tensor, TchError> {
        self.bias.f_addmm(input, &self.matrix)
    }

    fn share(&self) -> Self {
        Self { matrix: self.matrix.shallow_clone(), bias: self.bias.shallow_clone() }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use games::{Game, History, State};

    use super::*;
    use crate::encode::EncodedSample;
    use crate::settings::NetworkSettings;

    /// libtorch records graphs in every thread that is not told otherwise.
    #[test]
    fn no_thread_records_a_graph() {
        let game = Game::by_id("cheskers").expect("a listed game");
        let settings = NetworkSettings { blocks: 2, channels: 16, ..NetworkSettings::default() };
        let network = Network::new(&settings, game, Device::Cpu, 1).expect("good settings");
        assert!(network.trained().iter().all(Tensor::requires_grad));
        let history = History::new(game.start());
        let mut steps = Vec::new();
        assert_eq!(history.steps(&mut steps), None);
        let mut batch = PackedBatch::new(network.shape());
        batch.push(&EncodedSample::new(&history, &steps, None));
        for precision in [Precision::Fp32, Precision::Bf16] {
            let mut folded = Folded::new(&network, Device::Cpu, precision);
            // Even if a weight were one that is trained.
            folded.kinds = folded.kinds.set_requires_grad(true);
            let answer = |folded: &Folded| {
                folded.evaluate(&batch, &mut Vec::new()).expect("memory").requires_grad()
            };
            assert!(!answer(&folded));
            let (share, answer) = (folded.share(), &answer);
            let elsewhere = thread::scope(|scope| {
                scope.spawn(move || answer(&share)).join().expect("no panic")
            });
            assert!(!elsewhere);
        }
    }
}
