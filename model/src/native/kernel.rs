//! The inner loop: products of bf16 in AVX-512 registers.
//!
//! A board is stored as `[rows, channels]`, bf16, two channels in each `u32`: `vdpbf16ps` multiplies
//! pairs and adds both products to an fp32 sum. A tile is `M` cells, one behind the other by their
//! numbers, times `16 * V` output channels, all in registers: 1 load for each `M * V / (M + V)`
//! instructions. Which cells the taps of a tile are is looked up in a table, so that boards of every
//! shape are alike. Bias, skip connection, ReLU and rounding happen before anything is stored.

/// Where the results of a layer go.
#[derive(Debug)]
pub(super) enum Output<'a> {
    /// To a board of all rows, after a ReLU; with `add`, what was there is added before the ReLU.
    Board { cells: &'a mut [u32], add: bool },
    /// As fp32 `[tiled rows, outputs]`, outputs padded to a multiple of 16.
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
    taps: usize,
    /// Outputs, padded to a multiple of 16.
    outputs: usize,
}

/// The rows of a board: its cells, some more to fill the last tile, which nobody reads, and a row of
/// zeros that stands for every neighbour that is not there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Board {
    pub(super) cells: usize,
    /// Cells of a tile.
    tile: usize,
}

/// For each tile of a board the taps that any of its cells has, and the rows that they lead to.
#[derive(Debug)]
pub(super) struct TapTable {
    board: Board,
    taps: usize,
    /// For each tile, where its entries in `numbers` end.
    ends: Vec<usize>,
    /// The number of the tap of each entry.
    numbers: Vec<u32>,
    /// The row that the tap leads to from each cell of the tile: one list of `tile` rows an entry.
    rows: Vec<u32>,
}

/// Outputs of one vector.
const LANES: usize = 16;
/// Vector registers for sums, weights and one broadcast input.
const REGISTERS: usize = 32;

impl Board {
    /// A board of so many cells, cut into the tiles of 5 to 10 cells that leave the fewest over.
    pub(super) fn new(cells: usize) -> Self {
        let left_over = |tile: &usize| cells.next_multiple_of(*tile) - cells;
        let tile = (5..=10).rev().min_by_key(left_over).expect("there are six sizes");
        Self { cells, tile }
    }

    /// The rows of whole tiles.
    pub(super) fn tiled(self) -> usize {
        self.cells.next_multiple_of(self.tile)
    }

    /// All rows, that of zeros included, which is the last.
    pub(super) fn rows(self) -> usize {
        self.tiled() + 1
    }

    /// The most vectors of outputs that a tile can have.
    fn most_vectors(self) -> usize {
        ((REGISTERS - 1) / (self.tile + 1)).min(4)
    }
}

impl TapTable {
    /// The table of `taps`, each of which says for every cell of `board` where it leads.
    pub(super) fn new(board: Board, taps: &[Vec<Option<usize>>]) -> Self {
        assert!(taps.iter().all(|tap| tap.len() == board.cells));
        let mut table = Self {
            board,
            taps: taps.len(),
            ends: Vec::new(),
            numbers: Vec::new(),
            rows: Vec::new(),
        };
        for first in (0..board.tiled()).step_by(board.tile) {
            let tile = first..first + board.tile;
            for (number, tap) in (0..).zip(taps) {
                let there = |cell: usize| tap.get(cell).copied().flatten();
                if tile.clone().any(|cell| there(cell).is_some()) {
                    let row = |cell| there(cell).unwrap_or(board.tiled()) as u32;
                    table.numbers.push(number);
                    table.rows.extend(tile.clone().map(row));
                }
            }
            table.ends.push(table.numbers.len());
        }
        assert!(table.rows.iter().all(|&row| (row as usize) < board.rows()));
        table
    }

    /// The table for maps of each cell alone.
    pub(super) fn alone(board: Board) -> Self {
        Self::new(board, &[(0..board.cells).map(Some).collect()])
    }
}

impl Layer {
    /// Packs `matrix`, `[outputs, inputs, taps]`. `inputs` is even.
    pub(super) fn pack(matrix: &[f32], inputs: usize, taps: usize, board: Board) -> Self {
        assert!(inputs.is_multiple_of(2) && matrix.len().is_multiple_of(inputs * taps));
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
        Self { weights, tiles, pairs: inputs / 2, taps, outputs: vectors * LANES }
    }

    /// Outputs, padded to a multiple of 16.
    pub(super) fn outputs(&self) -> usize {
        self.outputs
    }

    /// Applies the layer to the board `input`, whose taps are in `table`, and adds `bias`, one number an
    /// output.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn apply(
        &self,
        table: &TapTable,
        input: &[u32],
        bias: &[f32],
        mut output: Output<'_>,
    ) {
        let board = table.board;
        assert_eq!(self.taps, table.taps);
        assert_eq!(input.len(), board.rows() * self.pairs);
        assert_eq!(bias.len(), self.outputs);
        match &output {
            Output::Board { cells, .. } => {
                assert_eq!(cells.len(), board.rows() * self.outputs / 2);
            }
            Output::Numbers(numbers) => assert_eq!(numbers.len(), board.tiled() * self.outputs),
        }
        assert!(available());
        let mut weights = self.weights.as_slice();
        let mut first = 0;
        for &vectors in &self.tiles {
            let (tile, rest) = weights.split_at(self.taps * self.pairs * vectors * LANES);
            weights = rest;
            let part = avx512::Part { layer: self, table, weights: tile, first, input, bias };
            // SAFETY: `available` has found the instructions; the slices have the lengths that the
            // board's sizes ask for, as asserted above. Measured: 2 times the speed of libtorch's
            // convolutions on a network of 4 blocks and 32 channels, which is what raja needs most.
            unsafe { avx512::dispatch(board.tile, vectors, &part, &mut output) };
            first += vectors * LANES;
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    pub(super) fn apply(&self, _: &TapTable, _: &[u32], _: &[f32], _: Output<'_>) {
        unreachable!("`available` is false on this processor");
    }
}

/// Whether this processor has the instructions.
pub(crate) fn available() -> bool {
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
    use std::ops::Range;

    use super::{LANES, Layer, Output, TapTable};

    /// One tile of outputs of a layer.
    pub(super) struct Part<'a> {
        pub(super) layer: &'a Layer,
        pub(super) table: &'a TapTable,
        /// The tile's weights.
        pub(super) weights: &'a [u32],
        /// Its first output.
        pub(super) first: usize,
        /// The board, all rows.
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
                _ => unreachable!("no tile is {cells} cells by {vectors} vectors"),
            }
        }
    }

    /// All tiles of `M` cells by `V` vectors of this part.
    ///
    /// # Safety
    /// As `dispatch`; `M` is the tile of the board.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bf16")]
    unsafe fn tiles<const M: usize, const V: usize>(part: &Part<'_>, output: &mut Output<'_>) {
        let Part { layer, table, first, bias, .. } = part;
        let mut entries = 0;
        for (tile, &end) in table.ends.iter().enumerate() {
            // SAFETY: `bias` has `outputs` numbers, and this part's outputs are among them.
            let bias: [__m512; V] = std::array::from_fn(|v| unsafe {
                _mm512_loadu_ps(bias.as_ptr().add(first + v * LANES))
            });
            // SAFETY: passed on.
            let sums = unsafe { products::<M, V>(part, entries..end, bias) };
            entries = end;
            for (i, sums) in sums.iter().enumerate() {
                let row = tile * M + i;
                for (v, &sum) in sums.iter().enumerate() {
                    let start = row * layer.outputs + first + v * LANES;
                    match output {
                        // SAFETY: `cells` has all outputs of each row of the tiles.
                        Output::Board { cells, add } => unsafe {
                            store_active(cells.as_mut_ptr().add(start / 2), sum, *add);
                        },
                        // SAFETY: `numbers` has all outputs of each row of the tiles.
                        Output::Numbers(numbers) => unsafe {
                            _mm512_storeu_ps(numbers.as_mut_ptr().add(start), sum);
                        },
                    }
                }
            }
        }
    }

    /// The sums of products of the `M` cells of a tile, whose taps are these entries of the table.
    ///
    /// # Safety
    /// As `tiles`.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bf16")]
    #[inline]
    unsafe fn products<const M: usize, const V: usize>(
        part: &Part<'_>,
        entries: Range<usize>,
        bias: [__m512; V],
    ) -> [[__m512; V]; M] {
        let Part { table, weights, input, .. } = part;
        let pairs = part.layer.pairs;
        let mut sums = [bias; M];
        for entry in entries {
            let rows: &[u32; M] = table.rows[entry * M..].first_chunk().expect("one row a cell");
            // SAFETY: all rows of a table are on the board, `pairs` numbers each; its taps are those of
            // the layer, whose weights are `taps * pairs * V * LANES`.
            unsafe {
                let cells = rows.map(|row| input.as_ptr().add(row as usize * pairs));
                let tap = table.numbers[entry] as usize;
                let mut weights = weights.as_ptr().add(tap * pairs * V * LANES);
                for pair in 0..pairs {
                    let mut vectors = [_mm512_setzero_si512(); V];
                    for (v, vector) in vectors.iter_mut().enumerate() {
                        let vector_at = weights.add(v * LANES).cast::<__m512i>();
                        *vector = _mm512_loadu_si512(vector_at);
                    }
                    weights = weights.add(V * LANES);
                    for (cell, sums) in cells.iter().zip(&mut sums) {
                        let input = cell.add(pair).read().cast_signed();
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
    use super::{Board, Layer, Output, TapTable, available};

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

    /// A board with these numbers, `[cells, channels]`, in its rows.
    fn filled(board: Board, channels: usize, numbers: &[f32]) -> Vec<u32> {
        let mut cells = vec![0; board.rows() * channels / 2];
        for (into, pair) in cells.iter_mut().zip(numbers.chunks_exact(2)) {
            *into = bf16_pair(pair[0], pair[1]);
        }
        cells
    }

    /// So many taps without any order; half of all neighbours are not there, and the last ones of no
    /// cell in the first half of the board.
    fn some_taps(cells: usize, taps: usize) -> Vec<Vec<Option<usize>>> {
        let there = |tap: usize, cell: usize| {
            let mixed = (tap * 31 + cell * 17) ^ cell >> 2;
            let one_sided = tap + 2 > taps && cell * 2 < cells;
            (mixed.is_multiple_of(2) && !one_sided).then_some(mixed * 7 % cells)
        };
        (0..taps).map(|tap| (0..cells).map(|cell| there(tap, cell)).collect()).collect()
    }

    /// The oracle: the sum over taps and inputs, cell by cell.
    fn plainly(
        taps: &[Vec<Option<usize>>],
        input: &[f32],
        matrix: &[f32],
        bias: &[f32],
    ) -> Vec<f32> {
        let outputs = bias.len();
        let inputs = matrix.len() / outputs / taps.len();
        let mut sums = Vec::new();
        for cell in 0..taps[0].len() {
            for output in 0..outputs {
                let mut sum = bias[output];
                for (number, tap) in taps.iter().enumerate() {
                    let Some(from) = tap[cell] else { continue };
                    for i in 0..inputs {
                        sum += matrix[(output * inputs + i) * taps.len() + number]
                            * input[from * inputs + i];
                    }
                }
                sums.push(sum);
            }
        }
        sums
    }

    #[test]
    fn tiles_leave_as_few_rows_over_as_can_be() {
        let tiles = [49, 64, 68, 81, 100, 128, 729].map(|cells| Board::new(cells).tile);
        assert_eq!(tiles, [7, 8, 10, 9, 10, 8, 9]);
        assert_eq!(Board::new(68).rows(), 71);
    }

    #[test]
    fn every_size_of_board_and_layer_is_computed_exactly() {
        if !available() {
            return;
        }
        for cells in [5, 13, 28, 36, 49, 60, 64, 68, 81, 729] {
            let board = Board::new(cells);
            for outputs in [16, 20, 32, 48, 64, 80, 112] {
                for (inputs, taps) in [(16, 9), (32, 1), (48, 7)] {
                    if cells > 500 && outputs > 32 {
                        continue;
                    }
                    let neighbours = some_taps(cells, taps);
                    let input = numbers(cells * inputs, 1);
                    let matrix = numbers(outputs * inputs * taps, 2);
                    let mut bias = numbers(outputs, 3);
                    let expected = plainly(&neighbours, &input, &matrix, &bias);
                    let layer = Layer::pack(&matrix, inputs, taps, board);
                    let width = layer.outputs();
                    bias.resize(width, 0.0);
                    let source = filled(board, inputs, &input);
                    let mut found = vec![f32::NAN; board.tiled() * width];
                    let table = TapTable::new(board, &neighbours);
                    layer.apply(&table, &source, &bias, Output::Numbers(&mut found));
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
        let board = Board::new(31);
        let (inputs, outputs) = (16, 48);
        let (input, before) = (numbers(31 * inputs, 4), numbers(31 * outputs, 5));
        let (matrix, bias) = (numbers(outputs * inputs * 9, 6), numbers(outputs, 7));
        let neighbours = some_taps(31, 9);
        let sums = plainly(&neighbours, &input, &matrix, &bias);
        let layer = Layer::pack(&matrix, inputs, 9, board);
        let table = TapTable::new(board, &neighbours);
        for add in [false, true] {
            let mut cells = filled(board, outputs, &before);
            let source = filled(board, inputs, &input);
            layer.apply(&table, &source, &bias, Output::Board { cells: &mut cells, add });
            let expected: Vec<f32> = sums
                .iter()
                .zip(&before)
                .map(|(sum, before)| if add { sum + before } else { *sum }.max(0.0))
                .map(|number| half::bf16::from_f32(number).to_f32())
                .collect();
            let expected = filled(board, outputs, &expected);
            let filled_part = 31 * outputs / 2;
            assert_eq!(cells[..filled_part], expected[..filled_part]);
            // The row that stands for nowhere, which the next layer reads, is still zero.
            assert!(cells[board.tiled() * outputs / 2..].iter().all(|&pair| pair == 0));
            assert!(number_at(&cells, outputs, 9, 5) >= 0.0);
        }
    }

    #[test]
    fn what_is_not_a_number_stays_so() {
        if !available() {
            return;
        }
        let board = Board::new(15);
        let layer = Layer::pack(&numbers(16 * 16, 8), 16, 1, board);
        let mut cells = filled(board, 16, &numbers(15 * 16, 9));
        let source = cells.clone();
        let output = Output::Board { cells: &mut cells, add: true };
        layer.apply(&TapTable::alone(board), &source, &[f32::NAN; 16], output);
        assert!(number_at(&cells, 16, 14, 15).is_nan());
    }
}
