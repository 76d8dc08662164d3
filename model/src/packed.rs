//! [`PackedBatch`]: positions as bits, to be sent to a device and unpacked there.
//!
//! A position crosses the bus as one bit for each cell of each plane, four bytes for each legal step and
//! little else: in random games 230 bytes on average in cheskers, 290 in chess and 920 in MGC, more than
//! half of that its steps; as planes in fp32 and rows in int64 it would be 5, 6 and 16 kB. Everything else,
//! the planes as numbers and the rows that steps refer to, is made where the network computes, in a few
//! elementwise operations.

use tch::{Device, Kind, TchError, Tensor};

use crate::encode::{EncodedSample, InputShape};

/// Positions of one game with their legal steps, packed: plain data that any thread may fill and append to
/// another's.
#[derive(Debug, Clone, PartialEq)]
pub struct PackedBatch {
    shape: InputShape,
    /// For each sample [`words_of`] words; plane `p` of cell `c` is bit `c * planes + p`, the lowest of
    /// a word first.
    bits: Vec<u32>,
    /// `Step::bits` of all samples' steps, one sample after the other.
    steps: Vec<u32>,
    /// The number of steps of each sample.
    counts: Vec<u32>,
    /// Planes with one value on all cells: `sample * planes + plane` and the value: rights, hands,
    /// counters.
    fills: Vec<(u32, f32)>,
}

/// A packed batch unpacked on a device: what a network reads.
#[derive(Debug)]
pub(crate) struct Unpacked {
    /// `[batch, planes, rows, columns]`, channels last in memory.
    pub(crate) planes: Tensor,
    pub(crate) steps: StepRows,
}

/// Where the heads find what they score each step by: int32 `[steps]` each.
#[derive(Debug)]
pub(crate) struct StepRows {
    pub(crate) kinds: Tensor,
    /// The cell left, as a row of `[batch * cells]`.
    pub(crate) from: Tensor,
    /// The cell reached, likewise.
    pub(crate) to: Tensor,
}

/// The words of 32 bits that the planes of a sample take.
fn words_of(shape: InputShape) -> usize {
    (shape.planes * shape.cells()).div_ceil(32)
}

impl PackedBatch {
    /// An empty batch of samples of this shape.
    #[must_use]
    pub fn new(shape: InputShape) -> Self {
        let (bits, steps, counts, fills) = Default::default();
        Self { shape, bits, steps, counts, fills }
    }

    /// Takes all samples out and keeps the memory.
    pub fn clear(&mut self) {
        self.bits.clear();
        self.steps.clear();
        self.counts.clear();
        self.fills.clear();
    }

    /// Adds a sample, which must be of the game this was made for.
    pub fn push(&mut self, sample: &EncodedSample) {
        let planes = self.shape.planes;
        let first_fill = self.len() * planes;
        let start = self.bits.len();
        self.bits.resize(start + words_of(self.shape), 0);
        let bits = &mut self.bits[start..];
        for &(plane, cell) in sample.features().marks() {
            let bit = cell.index() * planes + usize::from(plane);
            bits[bit / 32] |= 1 << (bit % 32);
        }
        let fills = sample.features().fills().iter();
        self.fills
            .extend(fills.map(|&(plane, value)| ((first_fill + usize::from(plane)) as u32, value)));
        self.steps.extend(sample.steps().iter().map(|step| step.bits()));
        self.counts.push(sample.steps().len() as u32);
    }

    /// Adds all samples of `other`, which must be of the same game.
    ///
    /// # Panics
    /// If it is of a game with another input.
    pub fn append(&mut self, other: &Self) {
        assert_eq!(self.shape, other.shape, "samples of one game only");
        let first_fill = (self.len() * self.shape.planes) as u32;
        self.bits.extend_from_slice(&other.bits);
        self.steps.extend_from_slice(&other.steps);
        self.counts.extend_from_slice(&other.counts);
        self.fills.extend(other.fills.iter().map(|&(plane, value)| (first_fill + plane, value)));
    }

    /// The sizes of the samples.
    #[must_use]
    pub fn shape(&self) -> InputShape {
        self.shape
    }

    /// The number of samples.
    #[must_use]
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether there is no sample.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The number of legal steps of each sample, in order.
    pub fn step_counts(&self) -> impl Iterator<Item = usize> + '_ {
        self.counts.iter().map(|&count| count as usize)
    }

    /// The number of legal steps of all samples together.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// The bytes that are sent to a device.
    #[must_use]
    pub fn bytes(&self) -> usize {
        4 * (self.bits.len() + self.steps.len() + self.counts.len() + 2 * self.fills.len())
    }

    /// Sends this to `device` in one piece, gathered in `buffer`, and unpacks it there, with planes of
    /// `kind`. There must be a sample.
    ///
    /// # Errors
    /// If libtorch fails: for want of memory, say.
    pub(crate) fn unpack(
        &self,
        device: Device,
        kind: Kind,
        buffer: &mut Vec<i32>,
    ) -> Result<Unpacked, TchError> {
        buffer.clear();
        let words = |list: &'_ [u32], into: &mut Vec<i32>| {
            into.extend(list.iter().map(|word| word.cast_signed()));
        };
        words(&self.bits, buffer);
        words(&self.counts, buffer);
        words(&self.steps, buffer);
        buffer.extend(self.fills.iter().map(|(plane, _)| plane.cast_signed()));
        buffer.extend(self.fills.iter().map(|(_, value)| value.to_bits().cast_signed()));
        let sent = send(buffer, device)?;
        let mut start = 0;
        let mut part = |length: usize| {
            start += length;
            sent.f_narrow(0, (start - length) as i64, length as i64)
        };
        let bits = part(self.bits.len())?;
        let counts = part(self.len())?;
        let steps = part(self.steps.len())?;
        let filled = part(self.fills.len())?;
        let values = part(self.fills.len())?;
        let fills = if self.fills.is_empty() { None } else { Some((filled, values)) };
        Ok(Unpacked {
            planes: self.unpack_planes(&bits, fills, kind)?,
            steps: self.unpack_steps(&steps, &counts)?,
        })
    }

    fn unpack_planes(
        &self,
        bits: &Tensor,
        fills: Option<(Tensor, Tensor)>,
        kind: Kind,
    ) -> Result<Tensor, TchError> {
        let [batch, planes, cells] =
            [self.len(), self.shape.planes, self.shape.cells()].map(|n| n as i64);
        let [rows, columns] = self.shape.board.map(|n| n as i64);
        // The bytes of a word come lowest first: libtorch runs on little-endian machines only.
        let bytes = bits.f_view([batch, -1])?.f_view_dtype(Kind::Uint8)?.f_unsqueeze(2)?;
        let masks =
            Tensor::from_slice(&[1_u8, 2, 4, 8, 16, 32, 64, 128]).f_to_device(bits.device())?;
        let marked = bytes
            .f_bitwise_and_tensor(&masks)?
            .f_view([batch, -1])?
            .f_narrow(1, 0, cells * planes)?
            .f_ne(0)?;
        let planes_of = |numbers: &Tensor| {
            numbers.f_view([batch, rows, columns, planes])?.f_permute([0, 3, 1, 2])
        };
        let Some((filled, values)) = fills else { return planes_of(&marked.f_to_kind(kind)?) };
        let values = values.f_view_dtype(Kind::Float)?.f_to_kind(kind)?;
        let everywhere = Tensor::f_zeros([batch * planes], (kind, bits.device()))?
            .f_scatter_(0, &filled.f_to_kind(Kind::Int64)?, &values)?
            .f_view([batch, 1, planes])?;
        let one = Tensor::f_ones([1], (kind, bits.device()))?;
        planes_of(&one.f_where_self(&marked.f_view([batch, cells, planes])?, &everywhere)?)
    }

    fn unpack_steps(&self, steps: &Tensor, counts: &Tensor) -> Result<StepRows, TchError> {
        // As `Step` packs them: 8 bits of kind, 12 of the cell left, 12 of the cell reached.
        let part = |shift: i64, mask: i64| {
            steps.f_bitwise_right_shift_tensor_scalar(shift)?.f_bitwise_and(mask)
        };
        let cells = self.shape.cells() as i64;
        let firsts = Tensor::f_arange(self.len() as i64, (Kind::Int, steps.device()))?
            .f_mul_scalar_(cells)?
            // Told the size of the outcome, a GPU need not be waited for.
            .f_repeat_interleave_self_tensor(counts, 0, steps.size()[0])?;
        Ok(StepRows {
            kinds: part(24, 0xff)?,
            from: part(12, 0xfff)?.f_add_(&firsts)?,
            to: part(0, 0xfff)?.f_add_(&firsts)?,
        })
    }
}

/// The words as an int32 tensor on `device`. A copy to a GPU is under way when this returns.
fn send(words: &[i32], device: Device) -> Result<Tensor, TchError> {
    let here = Tensor::f_from_slice(words)?;
    if device == Device::Cpu {
        return Ok(here);
    }
    // From pageable memory the copy would wait for all that the GPU still has to do.
    here.f_pin_memory(device)?.f_to_device_(device, Kind::Int, true, false)
}

#[cfg(test)]
mod tests {
    use games::{Game, History, State};

    use super::*;
    use crate::encode::{Batch, BatchBuilder};

    /// States of games in which the steps are chosen by a rule, but not by a simple one, each in every
    /// symmetry: samples with fills and without.
    fn samples(game: &'static Game, count: usize) -> Vec<EncodedSample> {
        let mut samples = Vec::new();
        let mut history = History::new(game.start());
        let mut steps = Vec::new();
        while samples.len() < count {
            steps.clear();
            if history.steps(&mut steps).is_some() {
                history = History::new(game.start());
                continue;
            }
            let number = samples.len();
            let symmetry = number.checked_rem(game.symmetries.len());
            samples.push(EncodedSample::new(&history, &steps, symmetry));
            let chosen = steps[number * number * 31 % steps.len()];
            history.play(chosen);
        }
        samples
    }

    fn packed(shape: InputShape, samples: &[EncodedSample]) -> PackedBatch {
        let mut batch = PackedBatch::new(shape);
        samples.iter().for_each(|sample| batch.push(sample));
        batch
    }

    fn dense(shape: InputShape, samples: &[EncodedSample]) -> Batch {
        let mut builder = BatchBuilder::new(shape);
        samples.iter().for_each(|sample| builder.push(sample));
        builder.batch(Device::Cpu)
    }

    #[test]
    fn what_is_unpacked_is_the_dense_batch_to_the_last_bit() {
        let mut filled = 0;
        for game in Game::all() {
            let shape = InputShape::of(game);
            let samples = samples(game, 60);
            let (packed, dense) = (packed(shape, &samples), dense(shape, &samples));
            filled += packed.fills.len();
            for kind in [Kind::Float, Kind::BFloat16] {
                let found = packed.unpack(Device::Cpu, kind, &mut Vec::new()).expect("memory");
                let expected = dense.planes.to_kind(kind);
                assert_eq!(found.planes.kind(), kind);
                assert_eq!(found.planes.stride(), expected.stride(), "{}", game.id);
                assert!(found.planes.equal(&expected), "{} in {kind:?}", game.id);
                let lists = [
                    (&found.steps.kinds, &dense.kinds),
                    (&found.steps.from, &dense.from),
                    (&found.steps.to, &dense.to),
                ];
                for (found, expected) in lists {
                    assert!(found.to_kind(Kind::Int64).equal(expected), "{}", game.id);
                }
            }
        }
        assert!(filled > 500, "{filled} filled planes prove little");
    }

    /// Fractions are rounded like the rest of the input, marks win over fills, the last plane of the
    /// last cell is not cut off.
    #[test]
    fn corner_cases_are_unpacked_alike() {
        let game = Game::by_id("shogi").expect("a listed game");
        let shape = InputShape::of(game);
        let [mut first, mut second] = <[_; 2]>::try_from(samples(game, 2)).expect("two");
        let last = (shape.planes - 1, games::Cell::new((shape.cells() - 1) as u16));
        let features = first.features_mut();
        features.fill(0, 1.0 / 3.0);
        features.mark(last.0, last.1);
        let features = second.features_mut();
        features.fill(last.0, 0.1);
        features.mark(last.0, last.1);
        let samples = [first, second];
        for kind in [Kind::Float, Kind::BFloat16] {
            let packed = packed(shape, &samples);
            let found = packed.unpack(Device::Cpu, kind, &mut Vec::new()).expect("memory");
            assert!(found.planes.equal(&dense(shape, &samples).planes.to_kind(kind)));
        }
    }

    #[test]
    fn appending_is_pushing_and_clearing_starts_afresh() {
        for game in Game::all() {
            let shape = InputShape::of(game);
            let samples = samples(game, 41);
            let whole = packed(shape, &samples);
            let mut joined = packed(shape, &samples[..7]);
            joined.clear();
            assert!(joined.is_empty());
            for part in samples.chunks(9) {
                joined.append(&packed(shape, part));
            }
            assert_eq!(joined, whole, "{}", game.id);
            assert_eq!(joined.len(), 41);
            assert_eq!(joined.step_counts().sum::<usize>(), joined.steps());
        }
    }

    /// Planes take 500 bytes at most, steps four each, and boards of hundreds of cells some more.
    #[test]
    fn a_position_takes_few_bytes() {
        for game in Game::all() {
            let shape = InputShape::of(game);
            let batch = packed(shape, &samples(game, 40));
            let of_planes = (batch.bytes() - 4 * batch.steps()) / batch.len();
            let most = if shape.cells() > 128 { 3 * shape.cells() } else { 520 };
            assert!(of_planes <= most, "{}: {of_planes} bytes", game.id);
        }
    }
}
