//! The inner loop: products of bf16 in AVX-512 registers.
//!
//! A board is stored with one cell of zeros around it, `[ranks + 2, files + 2, channels]`, bf16, two
//! channels in each `u32`: `vdpbf16ps` multiplies pairs and adds both products to an fp32 sum. A tile is
//! `M` neighbouring cells of a rank times `16 * V` output channels, all in registers: 1 load for each
//! `M * V / (M + V)` instructions. Bias, skip connection, ReLU and rounding happen before anything is
//! stored.

/// Where the results of a layer go.
#[derive(Debug)]
pub(super) enum Output<'a> {
    /// To a padded board, after a ReLU; with `add`, what was there is added before the ReLU.
    Board { cells: &'a mut [u32], add: bool },
    /// As fp32 `[cells, outputs]`, outputs padded to a multiple of 16.
    Numbers(&'a mut [f32]),
}

/// A linear map of each cell's neighbours and itself, or of the cell alone, in the order the inner loop
/// reads it.
#[derive(Debug)]
pub(super) struct Layer {
    /// For each tile of outputs, for each tap, for each pair of inputs: the pair's weights for each
    /// output of the tile.
    weights: Vec<u32>,
    /// The size of each tile of outputs, in vectors of 16.
    tiles: Vec<usize>,
    /// Pairs of inputs.
    pairs: usize,
    /// Where each tap's cell is, counted in cells of the padded board from the one up and left of the
    /// output's.
    taps: Vec<usize>,
    /// Outputs, padded to a multiple of 16.
    outputs: usize,
    board: Board,
}

/// The sizes of a board, and how its ranks are cut into tiles.
#[derive(Debug, Clone, Copy)]
pub(super) struct Board {
    pub(super) ranks: usize,
    pub(super) files: usize,
    /// Cells of a tile; divides `files`.
    tile: usize,
}

/// Outputs of one vector.
const LANES: usize = 16;
/// Vector registers for sums, weights and one broadcast input.
const REGISTERS: usize = 32;

impl Board {
    /// The board of this size, if its ranks can be cut into tiles of 5 to 12 cells.
    pub(super) fn new(ranks: usize, files: usize) -> Option<Self> {
        let tile = (5..=12).rev().find(|&tile| files.is_multiple_of(tile))?;
        Some(Self { ranks, files, tile })
    }

    /// Cells of the padded board.
    pub(super) fn padded(self) -> usize {
        (self.ranks + 2) * (self.files + 2)
    }

    /// The index of a cell in the padded board.
    pub(super) fn index(self, rank: usize, file: usize) -> usize {
        (rank + 1) * (self.files + 2) + file + 1
    }

    /// The most vectors of outputs that a tile can have.
    fn most_vectors(self) -> usize {
        ((REGISTERS - 1) / (self.tile + 1)).min(4)
    }
}

impl Layer {
    /// Packs `matrix`, `[outputs, inputs, taps]` with 9 taps (rank by rank) or 1. `inputs` is even.
    pub(super) fn pack(matrix: &[f32], inputs: usize, taps: usize, board: Board) -> Self {
        assert!(inputs.is_multiple_of(2) && (taps == 1 || taps == 9));
        let given = matrix.len() / (inputs * taps);
        let vectors = given.div_ceil(LANES);
        // As even as can be: 4 vectors are 2 + 2, not 3 + 1.
        let count = vectors.div_ceil(board.most_vectors());
        let tiles: Vec<usize> =
            (0..count).map(|tile| (tile + 1) * vectors / count - tile * vectors / count).collect();
        let weight = |output: usize, input: usize, tap: usize| {
            let value =
                if output < given { matrix[(output * inputs + input) * taps + tap] } else { 0.0 };
            u32::from(half::bf16::from_f32(value).to_bits())
        };
        let mut weights = Vec::with_capacity(vectors * LANES * inputs * taps / 2);
        let mut first = 0;
        for tile in &tiles {
            let outputs = first..first + tile * LANES;
            first = outputs.end;
            for tap in 0..taps {
                for pair in 0..inputs / 2 {
                    weights.extend(outputs.clone().map(|output| {
                        weight(output, 2 * pair, tap) | weight(output, 2 * pair + 1, tap) << 16
                    }));
                }
            }
        }
        let width = board.files + 2;
        let taps = match taps {
            1 => vec![width + 1],
            _ => (0..9).map(|tap| tap / 3 * width + tap % 3).collect(),
        };
        Self { weights, tiles, pairs: inputs / 2, taps, outputs: vectors * LANES, board }
    }

    /// Outputs, padded to a multiple of 16.
    pub(super) fn outputs(&self) -> usize {
        self.outputs
    }

    /// Applies the layer to the padded board `input` and adds `bias`, one number an output.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn apply(&self, input: &[u32], bias: &[f32], mut output: Output<'_>) {
        assert_eq!(input.len(), self.board.padded() * self.pairs);
        assert_eq!(bias.len(), self.outputs);
        match &output {
            Output::Board { cells, .. } => {
                assert_eq!(cells.len(), self.board.padded() * self.outputs / 2);
            }
            Output::Numbers(numbers) => {
                assert_eq!(numbers.len(), self.board.ranks * self.board.files * self.outputs);
            }
        }
        assert!(available());
        let mut weights = self.weights.as_slice();
        let mut first = 0;
        for &vectors in &self.tiles {
            let (tile, rest) = weights.split_at(self.taps.len() * self.pairs * vectors * LANES);
            weights = rest;
            let part = avx512::Part { layer: self, weights: tile, first, input, bias };
            // SAFETY: `available` has found the instructions; the slices have the lengths that the
            // board's sizes ask for, as asserted above. Measured: 2 times the speed of libtorch's
            // convolutions on a network of 4 blocks and 32 channels, which is what raja needs most.
            unsafe { avx512::dispatch(self.board.tile, vectors, &part, &mut output) };
            first += vectors * LANES;
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    pub(super) fn apply(&self, _: &[u32], _: &[f32], _: Output<'_>) {
        unreachable!("`available` is false on this processor");
    }
}

/// Whether this processor has the instructions.
pub(super) fn available() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512bf16")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::{
        __m256bh, __m256i, __m512, __m512bh, __m512i, _mm256_loadu_si256, _mm256_storeu_si256,
        _mm512_add_ps, _mm512_castsi512_ps, _mm512_cvtepu16_epi32, _mm512_cvtneps_pbh,
        _mm512_dpbf16_ps, _mm512_loadu_ps, _mm512_loadu_si512, _mm512_max_ps, _mm512_set1_epi32,
        _mm512_setzero_ps, _mm512_setzero_si512, _mm512_slli_epi32, _mm512_storeu_ps,
    };
    use std::mem::transmute;

    use super::{LANES, Layer, Output};

    /// One tile of outputs of a layer.
    pub(super) struct Part<'a> {
        pub(super) layer: &'a Layer,
        /// The tile's weights.
        pub(super) weights: &'a [u32],
        /// Its first output.
        pub(super) first: usize,
        /// The padded board.
        pub(super) input: &'a [u32],
        /// Of all outputs.
        pub(super) bias: &'a [f32],
    }

    /// # Safety
    /// The processor has the instructions; lengths are those that `Layer::apply` asserts.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bf16")]
    pub(super) unsafe fn dispatch(
        cells: usize,
        vectors: usize,
        part: &Part<'_>,
        output: &mut Output<'_>,
    ) {
        // SAFETY: passed on.
        unsafe {
            match (cells, vectors) {
                (5, 1) => tiles::<5, 1>(part, output),
                (5, 2) => tiles::<5, 2>(part, output),
                (5, 3) => tiles::<5, 3>(part, output),
                (5, 4) => tiles::<5, 4>(part, output),
                (6, 1) => tiles::<6, 1>(part, output),
                (6, 2) => tiles::<6, 2>(part, output),
                (6, 3) => tiles::<6, 3>(part, output),
                (6, 4) => tiles::<6, 4>(part, output),
                (7, 1) => tiles::<7, 1>(part, output),
                (7, 2) => tiles::<7, 2>(part, output),
                (7, 3) => tiles::<7, 3>(part, output),
                (8, 1) => tiles::<8, 1>(part, output),
                (8, 2) => tiles::<8, 2>(part, output),
                (8, 3) => tiles::<8, 3>(part, output),
                (9, 1) => tiles::<9, 1>(part, output),
                (9, 2) => tiles::<9, 2>(part, output),
                (9, 3) => tiles::<9, 3>(part, output),
                (10, 1) => tiles::<10, 1>(part, output),
                (10, 2) => tiles::<10, 2>(part, output),
                (11, 1) => tiles::<11, 1>(part, output),
                (11, 2) => tiles::<11, 2>(part, output),
                (12, 1) => tiles::<12, 1>(part, output),
                (12, 2) => tiles::<12, 2>(part, output),
                _ => unreachable!("no tile is {cells} cells by {vectors} vectors"),
            }
        }
    }

    /// All tiles of `M` cells by `V` vectors of this part, rank by rank.
    ///
    /// # Safety
    /// As `dispatch`.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bf16")]
    unsafe fn tiles<const M: usize, const V: usize>(part: &Part<'_>, output: &mut Output<'_>) {
        let Part { layer, first, bias, .. } = part;
        let board = layer.board;
        for rank in 0..board.ranks {
            for file in (0..board.files).step_by(M) {
                // SAFETY: `bias` has `outputs` numbers, and this part's outputs are among them.
                let bias: [__m512; V] = std::array::from_fn(|v| unsafe {
                    _mm512_loadu_ps(bias.as_ptr().add(first + v * LANES))
                });
                // SAFETY: passed on.
                let sums = unsafe { products::<M, V>(part, rank * (board.files + 2) + file, bias) };
                match output {
                    Output::Board { cells, add } => {
                        let at = board.index(rank, file);
                        for (i, sums) in sums.iter().enumerate() {
                            for (v, &sum) in sums.iter().enumerate() {
                                let start = ((at + i) * layer.outputs + first + v * LANES) / 2;
                                // SAFETY: `cells` is a padded board with all outputs of each cell.
                                unsafe { store_active(cells.as_mut_ptr().add(start), sum, *add) };
                            }
                        }
                    }
                    Output::Numbers(numbers) => {
                        let at = rank * board.files + file;
                        for (i, sums) in sums.iter().enumerate() {
                            for (v, &sum) in sums.iter().enumerate() {
                                let start = (at + i) * layer.outputs + first + v * LANES;
                                // SAFETY: `numbers` has all outputs of each cell.
                                unsafe { _mm512_storeu_ps(numbers.as_mut_ptr().add(start), sum) };
                            }
                        }
                    }
                }
            }
        }
    }

    /// The sums of products of `M` cells, the first at `start` of the padded board less one rank and
    /// one file.
    ///
    /// # Safety
    /// As `dispatch`; all taps of all cells are on the padded board.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bf16")]
    #[inline]
    unsafe fn products<const M: usize, const V: usize>(
        part: &Part<'_>,
        start: usize,
        bias: [__m512; V],
    ) -> [[__m512; V]; M] {
        let pairs = part.layer.pairs;
        let mut sums = [bias; M];
        let mut weights = part.weights.as_ptr();
        for &tap in &part.layer.taps {
            // SAFETY: the tap of the first cell is on the board, and so are those of the next `M - 1`
            // cells of its rank, `pairs` numbers each. The weights are `taps * pairs * V * LANES`.
            unsafe {
                let cells = part.input.as_ptr().add((start + tap) * pairs);
                for pair in 0..pairs {
                    let mut vectors = [_mm512_setzero_si512(); V];
                    for (v, vector) in vectors.iter_mut().enumerate() {
                        let vector_at = weights.add(v * LANES).cast::<__m512i>();
                        *vector = _mm512_loadu_si512(vector_at);
                    }
                    weights = weights.add(V * LANES);
                    for (i, sums) in sums.iter_mut().enumerate() {
                        let input = cells.add(i * pairs + pair).read().cast_signed();
                        let input = transmute::<__m512i, __m512bh>(_mm512_set1_epi32(input));
                        for (sum, vector) in sums.iter_mut().zip(vectors) {
                            let weights = transmute::<__m512i, __m512bh>(vector);
                            *sum = _mm512_dpbf16_ps(*sum, input, weights);
                        }
                    }
                }
            }
        }
        sums
    }

    /// Stores 16 channels of a cell after a ReLU, with `add` after adding what was there.
    ///
    /// # Safety
    /// `into` points to 8 numbers of a board.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bf16")]
    #[inline]
    unsafe fn store_active(into: *mut u32, mut sum: __m512, add: bool) {
        let into = into.cast::<__m256i>();
        if add {
            // SAFETY: as for this function. A bf16 is the upper half of an fp32.
            let before = _mm512_cvtepu16_epi32(unsafe { _mm256_loadu_si256(into) });
            sum = _mm512_add_ps(sum, _mm512_castsi512_ps(_mm512_slli_epi32::<16>(before)));
        }
        // In this order a NaN stays one.
        let active = _mm512_max_ps(_mm512_setzero_ps(), sum);
        // SAFETY: as for this function; the vectors are of one size.
        unsafe {
            let rounded = transmute::<__m256bh, __m256i>(_mm512_cvtneps_pbh(active));
            _mm256_storeu_si256(into, rounded);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Board, Layer, Output, available};

    /// Small multiples of an eighth: exact in bf16, and so are their products and sums in fp32.
    fn numbers(count: usize, seed: usize) -> Vec<f32> {
        (0..count).map(|i| ((i * 7919 + seed * 104_729) % 17) as f32 / 8.0 - 1.0).collect()
    }

    fn bf16_pair(low: f32, high: f32) -> u32 {
        low.to_bits() >> 16 | high.to_bits() & 0xffff_0000
    }

    fn number_at(cells: &[u32], channels: usize, cell: usize, channel: usize) -> f32 {
        let both = cells[(cell * channels + channel) / 2];
        f32::from_bits(if channel.is_multiple_of(2) { both << 16 } else { both & 0xffff_0000 })
    }

    /// A padded board of these numbers, `[cells, channels]`.
    fn padded(board: Board, channels: usize, numbers: &[f32]) -> Vec<u32> {
        let mut cells = vec![0; board.padded() * channels / 2];
        for (cell, numbers) in numbers.chunks_exact(channels).enumerate() {
            let at = board.index(cell / board.files, cell % board.files) * channels / 2;
            for (into, pair) in cells[at..].iter_mut().zip(numbers.chunks_exact(2)) {
                *into = bf16_pair(pair[0], pair[1]);
            }
        }
        cells
    }

    /// The oracle: the sum over taps and inputs, cell by cell.
    fn plainly(board: Board, input: &[f32], matrix: &[f32], bias: &[f32], taps: usize) -> Vec<f32> {
        let outputs = bias.len();
        let inputs = matrix.len() / outputs / taps;
        let mut sums = Vec::new();
        for cell in 0..board.ranks * board.files {
            for output in 0..outputs {
                let mut sum = bias[output];
                for tap in 0..taps {
                    let (down, right) = if taps == 9 { (tap / 3, tap % 3) } else { (1, 1) };
                    let (rank, file) = (cell / board.files + down, cell % board.files + right);
                    if (1..=board.ranks).contains(&rank) && (1..=board.files).contains(&file) {
                        let from = (rank - 1) * board.files + file - 1;
                        for i in 0..inputs {
                            sum += matrix[(output * inputs + i) * taps + tap]
                                * input[from * inputs + i];
                        }
                    }
                }
                sums.push(sum);
            }
        }
        sums
    }

    #[test]
    fn every_size_of_board_and_layer_is_computed_exactly() {
        if !available() {
            return;
        }
        for files in 1..=26 {
            let Some(board) = Board::new(3, files) else {
                assert!(files < 5 || [13, 17, 19, 23, 26].contains(&files), "{files} files");
                continue;
            };
            let cells = 3 * files;
            for outputs in [16, 20, 32, 48, 64, 80, 112] {
                for (inputs, taps) in [(16, 9), (32, 1), (48, 9)] {
                    let input = numbers(cells * inputs, 1);
                    let matrix = numbers(outputs * inputs * taps, 2);
                    let mut bias = numbers(outputs, 3);
                    let expected = plainly(board, &input, &matrix, &bias, taps);
                    let layer = Layer::pack(&matrix, inputs, taps, board);
                    let width = layer.outputs();
                    bias.resize(width, 0.0);
                    let source = padded(board, inputs, &input);
                    let mut found = vec![f32::NAN; cells * width];
                    layer.apply(&source, &bias, Output::Numbers(&mut found));
                    for (expected, found) in
                        expected.chunks_exact(outputs).zip(found.chunks_exact(width))
                    {
                        assert_eq!(expected, &found[..outputs]);
                        assert!(found[outputs..].iter().all(|&number| number == 0.0));
                    }
                }
            }
        }
    }

    #[test]
    fn active_boards_are_added_cut_and_rounded() {
        if !available() {
            return;
        }
        let board = Board::new(4, 8).unwrap();
        let (inputs, outputs) = (16, 48);
        let (input, before) = (numbers(32 * inputs, 4), numbers(32 * outputs, 5));
        let (matrix, bias) = (numbers(outputs * inputs * 9, 6), numbers(outputs, 7));
        let sums = plainly(board, &input, &matrix, &bias, 9);
        let layer = Layer::pack(&matrix, inputs, 9, board);
        for add in [false, true] {
            let mut cells = padded(board, outputs, &before);
            let source = padded(board, inputs, &input);
            layer.apply(&source, &bias, Output::Board { cells: &mut cells, add });
            let expected: Vec<f32> = sums
                .iter()
                .zip(&before)
                .map(|(sum, before)| if add { sum + before } else { *sum }.max(0.0))
                .map(|number| half::bf16::from_f32(number).to_f32())
                .collect();
            let expected = padded(board, outputs, &expected);
            // The padding, which the next layer reads, is still zero.
            assert_eq!(cells, expected);
            assert!(number_at(&cells, outputs, board.index(1, 1), 5) >= 0.0);
        }
    }

    #[test]
    fn what_is_not_a_number_stays_so() {
        if !available() {
            return;
        }
        let board = Board::new(3, 5).unwrap();
        let layer = Layer::pack(&numbers(16 * 16, 8), 16, 1, board);
        let mut cells = padded(board, 16, &numbers(15 * 16, 9));
        let source = cells.clone();
        layer.apply(&source, &[f32::NAN; 16], Output::Board { cells: &mut cells, add: true });
        assert!(number_at(&cells, 16, board.index(2, 4), 15).is_nan());
    }
}
