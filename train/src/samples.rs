//! From rows of games to training batches.

use games::{Game, History, State};
use model::{Batch, BatchBuilder, EncodedSample, InputShape};
use rand::{Rng, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use search::Wdl;
use selfplay::{Moment, ReplayError, Replayer};
use tch::{Device, Tensor};

use crate::window::Row;

/// A row made ready for the network, on any thread.
#[derive(Debug, Clone)]
pub struct Sample {
    /// The position, turned for the mover and mapped by a random symmetry that holds.
    pub input: EncodedSample,
    /// The search's policy: one probability a legal step, summing to 1.
    pub policy: Vec<f32>,
    /// The value target from the mover's side: win, draw, loss.
    pub wdl: [f32; 3],
    /// Steps to the end of the game over 50, so that the loss is of the size of the others; `None`
    /// if the game was cut off before its end.
    pub moves_left: Option<f32>,
}

/// Steps to the end of the game that count as 1 in the moves-left target.
pub(crate) const MOVES_LEFT_SCALE: f32 = 50.0;

/// A batch of samples as tensors on one device.
#[derive(Debug)]
pub struct TrainingBatch {
    /// The network's input.
    pub input: Batch,
    /// Target probability of each legal step, sample by sample: fp32 `[steps]`.
    pub policy: Tensor,
    /// Where each legal step stands in a table of `[batch, widest]`: int64 `[steps]`.
    pub places: Tensor,
    /// The most legal steps a sample has.
    pub widest: i64,
    /// Win, draw and loss from the mover's side: fp32 `[batch, 3]`.
    pub wdl: Tensor,
    /// Scaled steps to the end, 0 where the game was cut off: fp32 `[batch]`.
    pub moves_left: Tensor,
    /// 1 where the game came to its end, 0 where it was cut off: fp32 `[batch]`.
    pub ended: Tensor,
}

impl Sample {
    /// Makes a sample of `row`. `value_mix` is the share of the search's root value in the value
    /// target.
    ///
    /// # Errors
    /// If the rules do not confirm the record.
    fn new(
        row: Row<'_>,
        replayer: &mut Replayer,
        value_mix: f32,
        rng: &mut impl Rng,
    ) -> Result<Self, ReplayError> {
        let moment = replayer.sample_at(row.record, row.index)?;
        let symmetry = random_symmetry(moment.history, rng);
        let mut policy = Vec::new();
        let target = moment.step.target.as_ref().expect("a row has a policy target");
        target.write(moment.legal.len(), &mut policy);
        Ok(Self {
            input: EncodedSample::new(moment.history, moment.legal, symmetry),
            policy,
            wdl: value_target(row, &moment, value_mix),
            moves_left: row
                .record
                .end
                .map(|_| (row.record.steps.len() - row.index) as f32 / MOVES_LEFT_SCALE),
        })
    }
}

/// The identity or one of the symmetries that hold here, all equally likely.
fn random_symmetry(history: &History, rng: &mut impl Rng) -> Option<usize> {
    let symmetries = &history.game().symmetries;
    let drawn = rng.random_range(0..=symmetries.len());
    let index = drawn.checked_sub(1)?;
    symmetries[index].holds(history.position()).then_some(index)
}

/// The result of the game mixed with what the search thought of the position.
fn value_target(row: Row<'_>, moment: &Moment<'_>, mix: f32) -> [f32; 3] {
    let searched: Wdl = moment.step.values.as_ref().expect("a row was searched").searched.into();
    let mover = moment.history.side_to_move();
    let (result, mix) = match row.record.result(mover) {
        Some(result) => (result.wdl(), mix),
        None => (searched, 1.0),
    };
    let of = |result: f32, searched: f32| result + (searched - result) * mix;
    [of(result.win, searched.win), of(result.draw, searched.draw), of(result.loss, searched.loss)]
}

/// Makes the samples of `rows` on all threads of the pool that this is called from. Equal seeds
/// choose equal symmetries.
///
/// # Errors
/// If the rules do not confirm a record.
pub fn make_samples(
    game: &'static Game,
    rows: &[Row<'_>],
    value_mix: f32,
    seed: u64,
) -> Result<Vec<Sample>, ReplayError> {
    rows.par_iter()
        .enumerate()
        .map_init(
            || Replayer::new(game),
            |replayer, (index, &row)| {
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_add(index as u64));
                Sample::new(row, replayer, value_mix, &mut rng)
            },
        )
        .collect()
}

impl TrainingBatch {
    /// The tensors of `samples` on `device`.
    #[must_use]
    pub fn new(shape: InputShape, samples: &[Sample], device: Device) -> Self {
        let mut builder = BatchBuilder::new(shape);
        let widest = samples.iter().map(|sample| sample.policy.len()).max().unwrap_or(0);
        let mut policy = Vec::new();
        let mut places = Vec::new();
        for (row, sample) in samples.iter().enumerate() {
            builder.push(&sample.input);
            policy.extend_from_slice(&sample.policy);
            places.extend((0..sample.policy.len()).map(|i| (row * widest + i) as i64));
        }
        let wdl: Vec<f32> = samples.iter().flat_map(|sample| sample.wdl).collect();
        let left = samples.iter().map(|sample| sample.moves_left);
        let moves_left: Vec<f32> = left.clone().map(Option::unwrap_or_default).collect();
        let ended: Vec<f32> = left.map(|left| f32::from(u8::from(left.is_some()))).collect();
        Self {
            input: builder.batch(device),
            policy: Tensor::from_slice(&policy).to_device(device),
            places: Tensor::from_slice(&places).to_device(device),
            widest: widest as i64,
            wdl: Tensor::from_slice(&wdl).view([-1, 3]).to_device(device),
            moves_left: Tensor::from_slice(&moves_left).to_device(device),
            ended: Tensor::from_slice(&ended).to_device(device),
        }
    }
}
