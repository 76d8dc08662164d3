//! From positions to network input: planes and the addresses of the legal steps.
//!
//! Two stages. [`EncodedSample`] is plain data made on any thread: the sparse features and the steps,
//! both turned so that the mover plays up the board and, if asked, mapped by a symmetry. For training,
//! [`BatchBuilder`] puts samples one behind the other into reused buffers, and [`BatchBuilder::batch`]
//! makes tensors of them. For playing, `PackedBatch` does the same in a twentieth of the bytes.

use games::{Features, Game, History, State, Step};
use ndarray::ArrayViewMut2;
use tch::{Device, Tensor};

/// Goes up when the layout of planes or steps in the network's input changes: older checkpoints are
/// then refused. What the planes mean is part of the rules fingerprint.
pub const ENCODING_VERSION: u32 = 1;

/// One state as the network sees it, without tensors: may be made and kept on any thread.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EncodedSample {
    features: Features,
    steps: Vec<Step>,
}

impl EncodedSample {
    /// A sample of `history` with its legal `steps`; their order is kept. `symmetry` is an index into
    /// [`Game::symmetries`]; whether it holds in this position is for the caller to know.
    #[must_use]
    pub fn new(history: &History, steps: &[Step], symmetry: Option<usize>) -> Self {
        let mut sample = Self::default();
        sample.set(history, steps, symmetry);
        sample
    }

    /// Becomes a sample of `history`, as [`EncodedSample::new`], and keeps its memory.
    pub fn set(&mut self, history: &History, steps: &[Step], symmetry: Option<usize>) {
        let game = history.game();
        let mover = history.side_to_move();
        history.features(&mut self.features);
        self.steps.clear();
        self.steps.extend(steps.iter().map(|&step| game.turned(mover, step)));
        if let Some(index) = symmetry {
            self.features.map_cells(&game.symmetries[index].cells);
            for step in &mut self.steps {
                *step = game.mapped(index, *step);
            }
        }
    }

    /// The non-zero entries of the input planes.
    #[must_use]
    pub fn features(&self) -> &Features {
        &self.features
    }

    #[cfg(test)]
    pub(crate) fn features_mut(&mut self) -> &mut Features {
        &mut self.features
    }

    /// The legal steps, turned and mapped, in the order they were given.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }
}

/// The network's input for several states, as tensors on one device.
#[derive(Debug)]
pub struct Batch {
    /// The input planes: fp32 `[batch, planes, rows, columns]` as in [`InputShape::board`], channels
    /// last in memory.
    pub planes: Tensor,
    /// Kind of each legal step of each sample, sample by sample: int64 `[steps]`.
    pub kinds: Tensor,
    /// The cell each step leaves, as a row of `[batch * cells]`: int64 `[steps]`.
    pub from: Tensor,
    /// The cell each step reaches, as a row of `[batch * cells]`: int64 `[steps]`.
    pub to: Tensor,
    /// The sample each step belongs to: int64 `[steps]`.
    pub samples: Tensor,
    /// The number of samples.
    pub size: i64,
}

impl Batch {
    /// The number of legal steps of all samples together.
    #[must_use]
    pub fn steps(&self) -> i64 {
        self.kinds.size()[0]
    }
}

/// Collects samples of one game into a batch, in buffers that are kept from batch to batch.
#[derive(Debug)]
pub struct BatchBuilder {
    shape: InputShape,
    planes: Vec<f32>,
    kinds: Vec<i64>,
    from: Vec<i64>,
    to: Vec<i64>,
    samples: Vec<i64>,
    ends: Vec<usize>,
}

/// The sizes of a game's network input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InputShape {
    /// Input planes.
    pub planes: usize,
    /// Rows and columns of the board in tensors. The cells come row by row in the order of their
    /// numbers: on a rectangle the ranks from White's side, on other boards each cell is a row.
    pub board: [usize; 2],
    /// How many cells a convolution sees from each one, itself included.
    pub taps: usize,
    /// Kinds of steps.
    pub kinds: usize,
}

impl InputShape {
    /// The sizes for `game`.
    #[must_use]
    pub fn of(game: &Game) -> Self {
        let geometry = &game.geometry;
        let board = match geometry.rectangle_extent() {
            Some([files, ranks]) => [ranks, files],
            None => [geometry.cell_count(), 1],
        };
        let (taps, kinds) = (geometry.taps().len(), game.kinds.len());
        Self { planes: game.planes.len(), board, taps, kinds }
    }

    /// The number of cells.
    #[must_use]
    pub fn cells(self) -> usize {
        self.board[0] * self.board[1]
    }
}

impl BatchBuilder {
    /// An empty batch of samples of this shape.
    #[must_use]
    pub fn new(shape: InputShape) -> Self {
        Self {
            shape,
            planes: Vec::new(),
            kinds: Vec::new(),
            from: Vec::new(),
            to: Vec::new(),
            samples: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Takes all samples out and keeps the memory.
    pub fn clear(&mut self) {
        self.planes.clear();
        self.kinds.clear();
        self.from.clear();
        self.to.clear();
        self.samples.clear();
        self.ends.clear();
    }

    /// Adds a sample, which must be of the game this was made for.
    pub fn push(&mut self, sample: &EncodedSample) {
        let index = self.ends.len();
        let start = self.planes.len();
        self.planes.resize(start + self.shape.cells() * self.shape.planes, 0.0);
        let cells = (self.shape.cells(), self.shape.planes);
        let into = ArrayViewMut2::from_shape(cells, &mut self.planes[start..]);
        sample.features.write(into.expect("the buffer has grown by one sample"));
        let row = index * self.shape.cells();
        for step in &sample.steps {
            self.kinds.push(i64::from(step.kind()));
            self.from.push((row + step.from().index()) as i64);
            self.to.push((row + step.to().index()) as i64);
            self.samples.push(index as i64);
        }
        self.ends.push(self.kinds.len());
    }

    /// The number of samples.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no sample.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// For each sample, where its steps end in the flat list of steps: `[batch]`.
    #[must_use]
    pub fn ends(&self) -> &[usize] {
        &self.ends
    }

    /// The samples as tensors on `device`; a copy.
    #[must_use]
    pub fn batch(&self, device: Device) -> Batch {
        let InputShape { planes, board: [rows, columns], .. } = self.shape;
        let size = [self.len(), rows, columns, planes].map(|n| n as i64);
        let board = Tensor::from_slice(&self.planes).view(size).to_device(device);
        let indices = |list: &[i64]| Tensor::from_slice(list).to_device(device);
        Batch {
            planes: board.permute([0, 3, 1, 2]),
            kinds: indices(&self.kinds),
            from: indices(&self.from),
            to: indices(&self.to),
            samples: indices(&self.samples),
            size: self.len() as i64,
        }
    }
}
