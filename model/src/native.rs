//! [`Native`]: a folded network computed position by position without libtorch.
//!
//! The activations of one position (64 cells of 32 channels in bf16: 4 kB) and the weights of a layer stay
//! in the first and second cache, each layer is one pass that stores finished activations, and no call
//! costs more than a few instructions. So there is nothing to gain from batches: a single position takes
//! as long as one of many. For processors with AVX-512 BF16 but without AMX.
//!
//! Measured on one thread of a Zen 4 that does some 235 GFLOP/s in bf16 at most, cheskers, compiled as for
//! release, other programs running; positions a second in the quickest batch, encoding included:
//!
//! | blocks x channels | MFLOP | libtorch fp32, batch 128 | libtorch bf16, batch 1 / 32 / 128 | this, any batch |
//! |---|---|---|---|---|
//! | 4x32 | 10.5 | 9,300 | 1,700 / 13,000 / 13,600 | 21,600 (227 GFLOP/s) |
//! | 5x48 | 28.1 | 3,700 | 1,200 / 5,600 / 6,300 | 8,450 (238 GFLOP/s) |
//! | 6x64 | 58.8 | 1,800 | 900 / 3,000 / 3,600 | 4,100 (241 GFLOP/s) |
//!
//! Neighbours that are off the board count as operations; where a whole tile of cells lacks one, it is
//! left out: a twelfth of them here, two fifths on 3x3x3x3 cells, of which this does 3,300 positions a
//! second with 4 blocks of 32 channels. Two threads on two cores do twice that. With debug assertions the
//! inner loop checks its pointers and is up to three times slower.

mod kernel;

use games::{Cell, Features};
use tch::{Device, Kind, Tensor};

use crate::encode::EncodedSample;
use crate::folded;
use crate::layers::Linear;
use crate::network::Network;
pub(crate) use kernel::available;
use kernel::{Board, Layer, Output, TapTable};

/// The channels of a network must be a multiple of this.
pub(crate) const CHANNELS: usize = 16;

/// The weights, shared by all threads.
#[derive(Debug)]
pub(crate) struct Native {
    board: Board,
    taps: usize,
    channels: usize,
    /// The taps of the convolutions.
    neighbours: TapTable,
    /// The one tap of maps of a cell alone.
    alone: TapTable,
    /// For each cell, the taps through which it is seen and the cells that see it so.
    seen_by: Vec<Vec<(usize, usize)>>,
    /// For each cell, the taps that lead to a cell.
    sees: Vec<Vec<usize>>,
    /// fp32 `[planes, taps, channels]`: the input is so sparse that adding rows is quicker than a
    /// product.
    input: Vec<f32>,
    input_bias: Vec<f32>,
    blocks: Vec<NativeBlock>,
    /// Both heads' maps of a cell's channels, see `folded::cell_linear`.
    cells: Layer,
    cell_bias: Vec<f32>,
    /// fp32 `[kinds, width]`.
    kinds: Vec<f32>,
    width: usize,
    pooled: usize,
    hidden: Dense,
    wdl: Dense,
}

#[derive(Debug)]
struct NativeBlock {
    first: Layer,
    first_bias: Vec<f32>,
    second: Layer,
    second_bias: Vec<f32>,
    /// Its bias is part of `second_bias`.
    pooling: Option<Dense>,
}

/// A matrix `[inputs, outputs]` and a bias, fp32.
#[derive(Debug)]
struct Dense {
    matrix: Vec<f32>,
    bias: Vec<f32>,
}

/// The memory that one thread computes in.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    sums: Vec<f32>,
    trunk: Vec<u32>,
    middle: Vec<u32>,
    bias: Vec<f32>,
    pooled: Vec<f32>,
    rows: Vec<f32>,
    hidden: Vec<f32>,
}

impl Native {
    /// The network, if this processor and its sizes are such that it can be computed so.
    pub(crate) fn new(network: &Network) -> Option<Self> {
        let channels = network.settings().channels;
        if !available() || !channels.is_multiple_of(CHANNELS) {
            return None;
        }
        let board = Board::new(network.shape().cells());
        let to_row = |cell: &Option<Cell>| cell.map(Cell::index);
        let taps: Vec<Vec<Option<usize>>> = network
            .game()
            .geometry
            .taps()
            .iter()
            .map(|tap| tap.iter().map(to_row).collect())
            .collect();
        let mut seen_by = vec![Vec::new(); board.cells];
        let mut sees = vec![Vec::new(); board.cells];
        for (number, tap) in taps.iter().enumerate() {
            for (cell, to) in tap.iter().enumerate() {
                if let &Some(to) = to {
                    seen_by[to].push((number, cell));
                    sees[cell].push(number);
                }
            }
        }
        tch::no_grad(|| {
            let block = |block: &crate::network::Block| {
                let (first, first_bias) = block.first.folded();
                let (second, mut second_bias) = block.second.folded();
                if let Some(pooling) = &block.pooling {
                    second_bias += &pooling.bias;
                }
                NativeBlock {
                    first: Layer::pack(&numbers(&first), channels, taps.len(), board),
                    first_bias: numbers(&first_bias),
                    second: Layer::pack(&numbers(&second), channels, taps.len(), board),
                    second_bias: numbers(&second_bias),
                    pooling: block.pooling.as_ref().map(Dense::new),
                }
            };
            let (input, input_bias) = network.input.folded();
            let (cells, cell_bias) = folded::cell_linear(&network.policy, &network.value);
            let cells = Layer::pack(&numbers(&cells), channels, 1, board);
            let mut cell_bias = numbers(&cell_bias);
            cell_bias.resize(cells.outputs(), 0.0);
            let kinds = network.policy.kind_rows();
            Some(Self {
                board,
                taps: taps.len(),
                channels,
                neighbours: TapTable::new(board, &taps),
                alone: TapTable::alone(board),
                seen_by,
                sees,
                // From [channels, planes, taps].
                input: numbers(&input.flatten(2, -1).permute([1, 2, 0])),
                input_bias: numbers(&input_bias),
                blocks: network.blocks.iter().map(block).collect(),
                cells,
                cell_bias,
                width: kinds.size()[1] as usize,
                kinds: numbers(&kinds),
                pooled: network.settings().value_channels,
                hidden: Dense::new(&network.value.hidden),
                wdl: Dense::new(&network.value.wdl),
            })
        })
    }

    /// Appends a logit for each step of `sample` to `logits`; the chances of win, draw and loss.
    pub(crate) fn evaluate(
        &self,
        sample: &EncodedSample,
        scratch: &mut Scratch,
        logits: &mut Vec<f32>,
    ) -> [f32; 3] {
        self.add_input(sample.features(), scratch);
        for block in &self.blocks {
            let active = Output::Board { cells: &mut scratch.middle, add: false };
            block.first.apply(&self.neighbours, &scratch.trunk, &block.first_bias, active);
            scratch.bias.clone_from(&block.second_bias);
            if let Some(pooling) = &block.pooling {
                self.pool(&scratch.middle, &mut scratch.pooled);
                pooling.add_product(&scratch.pooled, &mut scratch.bias);
            }
            let active = Output::Board { cells: &mut scratch.trunk, add: true };
            block.second.apply(&self.neighbours, &scratch.middle, &scratch.bias, active);
        }
        let outputs = self.cells.outputs();
        scratch.rows.resize(self.board.tiled() * outputs, 0.0);
        let logits_and_value = Output::Numbers(&mut scratch.rows);
        self.cells.apply(&self.alone, &scratch.trunk, &self.cell_bias, logits_and_value);
        logits.extend(sample.steps().iter().map(|step| {
            let from = &scratch.rows[step.from().index() * outputs..][..self.width];
            let to = &scratch.rows[step.to().index() * outputs + self.width..][..self.width];
            let kind = &self.kinds[usize::from(step.kind()) * self.width..][..self.width];
            triple_product(from, to, kind)
        }));
        self.value(scratch)
    }

    /// The first layer: `trunk` from the features.
    fn add_input(&self, features: &Features, scratch: &mut Scratch) {
        let (channels, board, taps) = (self.channels, self.board, self.taps);
        let row = |plane: u16, tap: usize| {
            &self.input[(usize::from(plane) * taps + tap) * channels..][..channels]
        };
        scratch.sums.clear();
        scratch.sums.resize(board.cells * channels, 0.0);
        let sums = &mut scratch.sums;
        for &(plane, cell) in features.marks() {
            for &(tap, by) in &self.seen_by[cell.index()] {
                add(&mut sums[by * channels..][..channels], row(plane, tap), 1.0);
            }
        }
        // Filled planes together: one row a tap, which each cell adds if that neighbour is on the board.
        if !features.fills().is_empty() {
            scratch.pooled.clear();
            scratch.pooled.resize(taps * channels, 0.0);
            for &(plane, value) in features.fills() {
                for tap in 0..taps {
                    add(&mut scratch.pooled[tap * channels..][..channels], row(plane, tap), value);
                }
            }
            for (into, sees) in sums.chunks_exact_mut(channels).zip(&self.sees) {
                for tap in sees {
                    add(into, &scratch.pooled[tap * channels..][..channels], 1.0);
                }
            }
        }
        let pairs = channels / 2;
        for list in [&mut scratch.trunk, &mut scratch.middle] {
            list.resize(board.rows() * pairs, 0);
        }
        for (sums, into) in
            scratch.sums.chunks_exact(channels).zip(scratch.trunk.chunks_exact_mut(pairs))
        {
            for (into, (sums, bias)) in
                into.iter_mut().zip(sums.chunks_exact(2).zip(self.input_bias.chunks_exact(2)))
            {
                let active = |i: usize| rounded(relu(sums[i] + bias[i]));
                *into = active(0) | active(1) << 16;
            }
        }
    }

    /// Mean and maximum of each channel of an active board: `[2 * channels]`.
    fn pool(&self, active: &[u32], into: &mut Vec<f32>) {
        let pairs = self.channels / 2;
        into.clear();
        into.resize(2 * self.channels, 0.0);
        let (mean, most) = into.split_at_mut(self.channels);
        for cell in active.chunks_exact(pairs).take(self.board.cells) {
            for (&both, (mean, most)) in
                cell.iter().zip(mean.chunks_exact_mut(2).zip(most.chunks_exact_mut(2)))
            {
                let (low, high) = (f32::from_bits(both << 16), f32::from_bits(both & 0xffff_0000));
                mean[0] += low;
                mean[1] += high;
                most[0] = most[0].max(low);
                most[1] = most[1].max(high);
            }
        }
        let cells = self.board.cells as f32;
        mean.iter_mut().for_each(|mean| *mean /= cells);
    }

    /// Chances of win, draw and loss from the value columns of `rows`.
    fn value(&self, scratch: &mut Scratch) -> [f32; 3] {
        scratch.pooled.clear();
        scratch.pooled.resize(2 * self.pooled, 0.0);
        let (mean, most) = scratch.pooled.split_at_mut(self.pooled);
        for row in scratch.rows.chunks_exact(self.cells.outputs()).take(self.board.cells) {
            let reduced = &row[2 * self.width..][..self.pooled];
            for ((mean, most), &number) in mean.iter_mut().zip(&mut *most).zip(reduced) {
                let active = relu(number);
                *mean += active;
                *most = most.max(active);
            }
        }
        let cells = self.board.cells as f32;
        mean.iter_mut().for_each(|mean| *mean /= cells);
        scratch.hidden.clone_from(&self.hidden.bias);
        self.hidden.add_product(&scratch.pooled, &mut scratch.hidden);
        scratch.hidden.iter_mut().for_each(|unit| *unit = relu(*unit));
        let mut wdl = [self.wdl.bias[0], self.wdl.bias[1], self.wdl.bias[2]];
        self.wdl.add_product(&scratch.hidden, &mut wdl);
        let most = wdl.into_iter().fold(f32::NEG_INFINITY, f32::max);
        let chances = wdl.map(|logit| (logit - most).exp());
        let sum: f32 = chances.iter().sum();
        chances.map(|chance| chance / sum)
    }
}

impl Dense {
    fn new(layer: &Linear) -> Self {
        Self { matrix: numbers(&layer.matrix.tr()), bias: numbers(&layer.bias) }
    }

    /// Adds `inputs` times the matrix to `into`.
    fn add_product(&self, inputs: &[f32], into: &mut [f32]) {
        for (&input, row) in inputs.iter().zip(self.matrix.chunks_exact(into.len())) {
            add(into, row, input);
        }
    }
}

/// Adds `factor * row` to `into`.
fn add(into: &mut [f32], row: &[f32], factor: f32) {
    for (into, number) in into.iter_mut().zip(row) {
        *into += factor * number;
    }
}

/// Not below zero; NaN stays NaN.
fn relu(number: f32) -> f32 {
    if number < 0.0 { 0.0 } else { number }
}

fn rounded(number: f32) -> u32 {
    u32::from(half::bf16::from_f32(number).to_bits())
}

/// The sum of the products of three rows, in eight parts so that it can be computed in vectors.
fn triple_product(a: &[f32], b: &[f32], c: &[f32]) -> f32 {
    let mut sums = [0.0; 8];
    let whole = a.len() / 8 * 8;
    for ((a, b), c) in a.chunks_exact(8).zip(b.chunks_exact(8)).zip(c.chunks_exact(8)) {
        for i in 0..8 {
            sums[i] += a[i] * b[i] * c[i];
        }
    }
    let rest = a[whole..].iter().zip(&b[whole..]).zip(&c[whole..]);
    sums.iter().sum::<f32>() + rest.map(|((a, b), c)| a * b * c).sum::<f32>()
}

/// The numbers of a tensor in row-major order.
fn numbers(tensor: &Tensor) -> Vec<f32> {
    let flat =
        tensor.detach().to_device(Device::Cpu).to_kind(Kind::Float).contiguous().flatten(0, -1);
    Vec::try_from(flat).expect("a flat fp32 tensor is a list of numbers")
}
