//! [`Stencil`]: how each cell and its neighbours on a board are multiplied by a kernel.

use games::Geometry;
use tch::{Device, TchError, Tensor};

/// The convolution of one board. All ways of computing it are the same sum over the board's taps.
///
/// On boxes libtorch's own convolutions are the quicker way: they need no copy of the input for each
/// tap, neither while they compute nor to remember for the gradients. On 9x9x9 cells with 32 channels
/// that is 2.5 MB less a position and layer and 3 to 6 times the speed, on 3x3x3x3 twice (Zen 4).
#[derive(Debug)]
pub(crate) struct Stencil {
    taps: i64,
    way: Way,
}

#[derive(Debug)]
enum Way {
    /// Squares in ranks and files: a 3x3 convolution with zeros around the board.
    Rectangle,
    /// A box of three axes with these lengths, the slowest first: the same in three dimensions.
    Cuboid([i64; 3]),
    /// A box of four axes: cuboids along the slowest one, each of which three cuboids add to.
    Tesseract([i64; 4]),
    /// Any board: for each cell its taps one behind the other, then one matrix product. The indices
    /// are int64 `[cells * taps]`, rows of the board; the row behind its last is zero and stands for
    /// neighbours that are not there.
    Gather(Tensor),
}

/// Bytes that neighbours are gathered in at a time. A processor is quickest if they stay in its
/// cache; a GPU wants few, large products.
fn chunk_bytes(device: Device) -> i64 {
    if device == Device::Cpu { 1 << 20 } else { 256 << 20 }
}

impl Stencil {
    /// The quickest way for the board of `geometry` on `device`.
    pub(crate) fn of(geometry: &Geometry, device: Device) -> Self {
        let axes = |axes: usize| has_box_taps(geometry, axes);
        let [x, y, z, w] = geometry.extent().map(i64::from);
        let way = if geometry.rectangle_extent().is_some() {
            Way::Rectangle
        } else if axes(3) {
            Way::Cuboid([z, y, x])
        } else if axes(4) {
            Way::Tesseract([w, z, y, x])
        } else {
            return Self::gathering(geometry, device);
        };
        Self { taps: geometry.taps().len() as i64, way }
    }

    /// The way that suits every board.
    fn gathering(geometry: &Geometry, device: Device) -> Self {
        let nowhere = geometry.cell_count();
        let row = |cell: Option<games::Cell>| cell.map_or(nowhere, games::Cell::index) as i64;
        let taps = geometry.taps();
        let rows: Vec<i64> = (0..geometry.cell_count())
            .flat_map(|cell| taps.iter().map(move |tap| row(tap[cell])))
            .collect();
        let rows = Tensor::from_slice(&rows).to_device(device);
        Self { taps: taps.len() as i64, way: Way::Gather(rows) }
    }

    /// Another handle of the same indices, for another thread.
    pub(crate) fn share(&self) -> Self {
        let way = match &self.way {
            Way::Rectangle => Way::Rectangle,
            Way::Cuboid(lengths) => Way::Cuboid(*lengths),
            Way::Tesseract(lengths) => Way::Tesseract(*lengths),
            Way::Gather(rows) => Way::Gather(rows.shallow_clone()),
        };
        Self { way, ..*self }
    }

    /// Whether this is a 3x3 convolution of ranks and files.
    pub(crate) fn is_rectangle(&self) -> bool {
        matches!(self.way, Way::Rectangle)
    }

    /// How many cells each one sees, itself included.
    pub(crate) fn taps(&self) -> i64 {
        self.taps
    }

    /// The size of kernels: `[to, from, 3, 3]` on rectangles, `[to, from, taps]` elsewhere. The
    /// taps are in the order of [`Geometry::taps`] either way.
    pub(crate) fn kernel_size(&self, from: i64, to: i64) -> Vec<i64> {
        match self.way {
            Way::Rectangle => vec![to, from, 3, 3],
            Way::Cuboid(_) | Way::Tesseract(_) | Way::Gather(_) => vec![to, from, self.taps],
        }
    }

    /// A kernel as [`Stencil::convolve`] reads it: the channels it multiplies last in memory.
    pub(crate) fn packed(&self, kernel: &Tensor) -> Tensor {
        let size = kernel.size();
        let [to, from] = [size[0], size[1]];
        let rows = kernel.view([to, from, self.taps]).permute([0, 2, 1]).contiguous();
        match self.way {
            Way::Rectangle => rows.view([to, 3, 3, from]).permute([0, 3, 1, 2]),
            Way::Cuboid(_) => rows.view([to, 3, 3, 3, from]).permute([0, 4, 1, 2, 3]),
            // The outputs for the cuboid behind, for the same one and for the one before.
            Way::Tesseract(_) => rows
                .view([to, 3, 27, from])
                .permute([1, 0, 2, 3])
                .reshape([3 * to, 3, 3, 3, from])
                .permute([0, 4, 1, 2, 3]),
            Way::Gather(_) => rows.view([to, self.taps * from]),
        }
    }

    /// `[batch, from, ...]` to `[batch, to, ...]`, boards of two axes with channels last in memory:
    /// the sum over taps of the products with `kernel`, which is [packed](Self::packed), and a bias
    /// of one number a channel.
    ///
    /// # Errors
    /// If libtorch fails: for want of memory, say.
    pub(crate) fn convolve(
        &self,
        input: &Tensor,
        kernel: &Tensor,
        bias: Option<&Tensor>,
    ) -> Result<Tensor, TchError> {
        if let Way::Rectangle = self.way {
            return input.f_conv2d(kernel, bias, [1, 1], [1, 1], [1, 1], 1);
        }
        let size = input.size();
        let cells = input.f_permute([0, 2, 3, 1])?.f_reshape([size[0], -1, size[1]])?;
        let cells = match &self.way {
            Way::Cuboid(lengths) => convolve_cuboids(&cells, *lengths, kernel, bias)?,
            Way::Tesseract(lengths) => convolve_tesseracts(&cells, *lengths, kernel, bias)?,
            Way::Gather(rows) => self.gather(&cells, rows, kernel, bias)?,
            Way::Rectangle => unreachable!("handled above"),
        };
        cells.f_reshape([size[0], size[2], size[3], -1])?.f_permute([0, 3, 1, 2])
    }

    /// `[batch, cells, from]` to `[batch, cells, to]`.
    fn gather(
        &self,
        cells: &Tensor,
        rows: &Tensor,
        kernel: &Tensor,
        bias: Option<&Tensor>,
    ) -> Result<Tensor, TchError> {
        let size = cells.size();
        let [batch, count, from] = [size[0], size[1], size[2]];
        let width = self.taps * from;
        let bytes = count * width * cells.kind().elt_size_in_bytes() as i64;
        let chunk = (chunk_bytes(cells.device()) / bytes).max(1);
        let product = |part: &Tensor| {
            let with_zeros = part.f_constant_pad_nd([0, 0, 0, 1])?;
            let taps = with_zeros.f_index_select(1, rows)?.f_view([-1, width])?;
            taps.f_linear(kernel, bias)?.f_view([-1, count, kernel.size()[0]])
        };
        if batch <= chunk {
            return product(cells);
        }
        let parts: Result<Vec<_>, _> = cells.f_split(chunk, 0)?.iter().map(product).collect();
        Tensor::f_cat(&parts?, 0)
    }
}

/// `[batch, cells, from]` of cuboids with these lengths to `[batch, z, y, x, to]`.
fn convolve_cuboids(
    cells: &Tensor,
    [z, y, x]: [i64; 3],
    kernel: &Tensor,
    bias: Option<&Tensor>,
) -> Result<Tensor, TchError> {
    let size = cells.size();
    let board = cells.f_view([size[0], z, y, x, size[2]])?.f_permute([0, 4, 1, 2, 3])?;
    let sums = board.f_conv3d(kernel, bias, [1; 3], [1; 3], [1; 3], 1)?;
    sums.f_permute([0, 2, 3, 4, 1])
}

/// `[batch, cells, from]` of boxes with these lengths to `[batch, w, cells of a cuboid, to]`.
fn convolve_tesseracts(
    cells: &Tensor,
    [w, z, y, x]: [i64; 4],
    kernel: &Tensor,
    bias: Option<&Tensor>,
) -> Result<Tensor, TchError> {
    let (batch, from, to) = (cells.size()[0], cells.size()[2], kernel.size()[0] / 3);
    let cuboids = cells.f_view([batch * w, z * y * x, from])?;
    let sums = convolve_cuboids(&cuboids, [z, y, x], kernel, None)?;
    let sums = sums.f_reshape([batch, w, z * y * x, 3 * to])?;
    // Cuboids of zeros before the first one and behind the last one.
    let sums = sums.f_constant_pad_nd([0, 0, 0, 0, 1, 1])?;
    let part = |number: i64| sums.f_narrow(1, number, w)?.f_narrow(3, number * to, to);
    let sum = part(0)?.f_add(&part(1)?)?.f_add(&part(2)?)?;
    match bias {
        Some(bias) => sum.f_add(bias),
        None => Ok(sum),
    }
}

/// Whether the board is a box of `axes` axes whose taps are those of a convolution with 3 cells
/// along each axis, the first axis fastest.
fn has_box_taps(geometry: &Geometry, axes: usize) -> bool {
    let lengths = geometry.extent().map(usize::from);
    let taps = geometry.taps();
    let is_box = lengths[axes..].iter().all(|&length| length == 1)
        && lengths.iter().product::<usize>() == geometry.cell_count();
    is_box
        && taps.len() == 3_usize.pow(axes as u32)
        && taps.iter().enumerate().all(|(number, tap)| {
            let offset = |axis: usize| (number / 3_usize.pow(axis as u32) % 3) as i8 - 1;
            let offset = std::array::from_fn(|axis| if axis < axes { offset(axis) } else { 0 });
            geometry.cells().all(|cell| tap[cell.index()] == geometry.shifted(cell, offset, 1))
        })
}

#[cfg(test)]
mod tests {
    use tch::Kind;

    use super::*;

    const FLOAT: (Kind, Device) = (Kind::Float, Device::Cpu);

    fn boards() -> Vec<(&'static str, Geometry)> {
        vec![
            ("rectangle", Geometry::rectangle("abcdefgh", 8)),
            ("oblong", Geometry::rectangle("abcdef", 4)),
            ("hexagons", Geometry::hexagonal(&[4, 3, 4, 3, 4])),
            ("three axes", Geometry::blocks(4, 3, 8)),
            ("four axes", Geometry::blocks(3, 4, 9)),
            ("pair", Geometry::pair(5)),
            ("layers", Geometry::layers(3)),
        ]
    }

    /// A board, a kernel and a bias of small multiples of an eighth, exact in every kind of number.
    fn operands(geometry: &Geometry, stencil: &Stencil, batch: i64) -> [Tensor; 3] {
        tch::manual_seed(1);
        let exact = |size: &[i64]| Tensor::randint_low(-8, 9, size, FLOAT) / 8.0;
        let (from, to) = (6, 10);
        let axes = match geometry.rectangle_extent() {
            Some([files, ranks]) => [ranks as i64, files as i64],
            None => [geometry.cell_count() as i64, 1],
        };
        let board = exact(&[batch, axes[0], axes[1], from]).permute([0, 3, 1, 2]);
        [board, exact(&stencil.kernel_size(from, to)), exact(&[to])]
    }

    /// The numbers of a board as `[batch][cell][channel]`.
    fn numbers(board: &Tensor) -> Vec<Vec<Vec<f32>>> {
        let size = board.size();
        let cells = board.permute([0, 2, 3, 1]).reshape([size[0], -1, size[1]]);
        Vec::try_from(cells).expect("a board is fp32")
    }

    /// The definition: the sum over taps and channels.
    fn plainly(geometry: &Geometry, [board, kernel, bias]: &[Tensor; 3]) -> Vec<Vec<Vec<f32>>> {
        let taps = geometry.taps();
        let kernel = kernel.flatten(2, -1);
        let kernel: Vec<Vec<Vec<f32>>> = Vec::try_from(kernel).expect("three axes");
        let bias: Vec<f32> = Vec::try_from(bias).expect("a list");
        let sum = |cells: &[Vec<f32>], cell: usize, to: usize| {
            let mut sum = bias[to];
            for (number, tap) in taps.iter().enumerate() {
                let Some(at) = tap[cell] else { continue };
                for (from, input) in cells[at.index()].iter().enumerate() {
                    sum += kernel[to][from][number] * input;
                }
            }
            sum
        };
        let of_board = |cells: &Vec<Vec<f32>>| {
            let all = 0..cells.len();
            all.map(|cell| (0..bias.len()).map(|to| sum(cells, cell, to)).collect()).collect()
        };
        numbers(board).iter().map(of_board).collect()
    }

    #[test]
    fn every_way_is_the_sum_over_the_taps() {
        for (name, geometry) in boards() {
            for stencil in
                [Stencil::of(&geometry, Device::Cpu), Stencil::gathering(&geometry, Device::Cpu)]
            {
                let mut operands = operands(&geometry, &stencil, 3);
                let expected = plainly(&geometry, &operands);
                if let Way::Gather(_) = stencil.way {
                    // Every board as a list of cells.
                    operands[0] = operands[0].flatten(2, 3).unsqueeze(3);
                }
                let [board, kernel, bias] = &operands;
                let kernel = stencil.packed(kernel);
                let found = stencil.convolve(board, &kernel, Some(bias)).expect("memory");
                assert_eq!(numbers(&found), expected, "{name}");
                let bf16 = |tensor: &Tensor| tensor.to_kind(Kind::BFloat16);
                let found = stencil.convolve(&bf16(board), &bf16(&kernel), Some(&bf16(bias)));
                let found = numbers(&found.expect("memory").to_kind(Kind::Float));
                let flat = |numbers: &[Vec<Vec<f32>>]| numbers.concat().concat();
                let (expected, found) = (flat(&expected), flat(&found));
                let scale = expected.iter().fold(0.0, |most: f32, sum| most.max(sum.abs()));
                let off = expected.iter().zip(&found).map(|(a, b)| (a - b).abs());
                let worst = off.fold(0.0, f32::max) / scale;
                assert!(worst < 1.0 / 128.0, "{name}: {worst} off in bf16");
            }
        }
    }

    #[test]
    fn boxes_are_left_to_libtorch() {
        let ways =
            boards().into_iter().map(|(_, geometry)| Stencil::of(&geometry, Device::Cpu).way);
        let gathered: Vec<bool> = ways.map(|way| matches!(way, Way::Gather(_))).collect();
        assert_eq!(gathered, [false, false, true, false, false, true, false]);
    }

    /// The gradients of a sum over the outputs, weighted by `weights`, for board and kernel.
    fn gradients(
        stencil: &Stencil,
        board: &Tensor,
        kernel: &Tensor,
        weights: &Tensor,
    ) -> [Tensor; 3] {
        let board = board.detach().set_requires_grad(true);
        let kernel = kernel.detach().set_requires_grad(true);
        let output = stencil.convolve(&board, &stencil.packed(&kernel), None).expect("memory");
        (output.reshape_as(weights) * weights).sum(Kind::Float).backward();
        [output.detach(), board.grad(), kernel.grad()]
    }

    #[test]
    fn gathering_is_a_convolution_forwards_and_backwards() {
        for (name, geometry) in boards() {
            let [own, gathering] =
                [Stencil::of(&geometry, Device::Cpu), Stencil::gathering(&geometry, Device::Cpu)];
            let [board, _, _] = operands(&geometry, &own, 4);
            let kernel = Tensor::randn(own.kernel_size(6, 10), FLOAT) * 0.1;
            let size = board.size();
            let weights = Tensor::randn([size[0], 10, size[2], size[3]], FLOAT);
            let one = gradients(&own, &board, &kernel, &weights);
            let flat = board.flatten(2, 3).unsqueeze(3);
            let other = gradients(&gathering, &flat, &kernel.flatten(2, -1), &weights);
            for (what, (a, b)) in ["output", "board", "kernel"].iter().zip(one.iter().zip(&other)) {
                let difference = (a - b.reshape_as(a)).abs().max().double_value(&[]);
                let scale = a.abs().max().double_value(&[]).max(1.0);
                assert!(difference < 1e-5 * scale, "{name}: {what} is {difference} off");
            }
        }
    }

    #[test]
    fn a_batch_in_chunks_is_the_same_as_in_one() {
        let geometry = Geometry::blocks(3, 4, 9);
        let stencil = Stencil::gathering(&geometry, Device::Cpu);
        // 81 taps of 81 cells with 6 channels are 157 kB a board: 6 boards fit a chunk.
        let [board, kernel, bias] = operands(&geometry, &stencil, 60);
        let kernel = stencil.packed(&kernel);
        let whole = stencil.convolve(&board, &kernel, Some(&bias)).expect("memory");
        for index in 0..60 {
            let part = board.narrow(0, index, 1);
            let alone = stencil.convolve(&part, &kernel, Some(&bias)).expect("memory");
            assert!(whole.narrow(0, index, 1).equal(&alone));
        }
    }
}
