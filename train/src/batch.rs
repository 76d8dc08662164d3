//! [`TrainingBatch`]: samples as tensors.

use std::collections::BTreeMap;
use std::path::Path;

use games::Step;
use model::{Batch, BatchBuilder, InputShape, StepAddresses, WriteError, tensors};
use tch::{Device, Tensor};

use crate::samples::{Reply, Sample};

/// A batch of samples as tensors on one device.
#[derive(Debug)]
pub struct TrainingBatch {
    /// The network's input.
    pub input: Batch,
    /// What the search made of the legal steps.
    pub policy: PolicyTargets,
    /// Win, draw and loss from the mover's side: fp32 `[batch, 3]`.
    pub wdl: Tensor,
    /// Scaled steps to the end, 0 where the game was cut off: fp32 `[batch]`.
    pub moves_left: Tensor,
    /// 1 where the game came to its end, 0 where it was cut off: fp32 `[batch]`.
    pub ended: Tensor,
    /// The opponent's answers; `None` if the samples were made without.
    pub reply: Option<ReplyTargets>,
    /// Who holds each cell at the end of the game: 0 the mover, 1 the other, 2 nobody; 0 where the
    /// game was cut off: int64 `[batch * cells]`. `None` if the samples were made without.
    pub holders: Option<Tensor>,
}

/// A distribution over the steps of each sample of a batch.
#[derive(Debug)]
pub struct PolicyTargets {
    /// Target probability of each step, sample by sample: fp32 `[steps]`.
    pub policy: Tensor,
    /// Where each step stands in a table of `[samples, widest]`: int64 `[steps]`.
    pub places: Tensor,
    /// Samples, those without a target included.
    pub samples: i64,
    /// The most steps a sample has, at least 1.
    pub widest: i64,
    /// Samples that have a target.
    pub present: i64,
}

/// What the opponent answered.
#[derive(Debug)]
pub struct ReplyTargets {
    /// The opponent's legal steps.
    pub steps: StepAddresses,
    /// What the opponent's search made of them.
    pub policy: PolicyTargets,
}

impl PolicyTargets {
    /// The targets of samples, an empty one where there is none.
    fn new<'s>(policies: impl Iterator<Item = &'s [f32]> + Clone, device: Device) -> Self {
        let widest = policies.clone().map(<[f32]>::len).max().unwrap_or(0).max(1);
        let (mut policy, mut places) = (Vec::new(), Vec::new());
        let (mut samples, mut present) = (0, 0);
        for (row, of_sample) in policies.enumerate() {
            policy.extend_from_slice(of_sample);
            places.extend((0..of_sample.len()).map(|i| (row * widest + i) as i64));
            samples += 1;
            present += i64::from(!of_sample.is_empty());
        }
        Self {
            policy: Tensor::from_slice(&policy).to_device(device),
            places: Tensor::from_slice(&places).to_device(device),
            samples,
            widest: widest as i64,
            present,
        }
    }
}

impl TrainingBatch {
    /// The tensors of `samples`, all made alike, on `device`.
    #[must_use]
    pub fn new(shape: InputShape, samples: &[Sample], device: Device) -> Self {
        let mut builder = BatchBuilder::new(shape);
        samples.iter().for_each(|sample| builder.push(&sample.input));
        let wdl: Vec<f32> = samples.iter().flat_map(|sample| sample.wdl).collect();
        let left = samples.iter().map(|sample| sample.moves_left);
        let moves_left: Vec<f32> = left.clone().map(Option::unwrap_or_default).collect();
        let ended: Vec<f32> = left.map(|left| f32::from(u8::from(left.is_some()))).collect();
        Self {
            input: builder.batch(device),
            policy: PolicyTargets::new(samples.iter().map(|sample| &sample.policy[..]), device),
            wdl: Tensor::from_slice(&wdl).view([-1, 3]).to_device(device),
            moves_left: Tensor::from_slice(&moves_left).to_device(device),
            ended: Tensor::from_slice(&ended).to_device(device),
            reply: ReplyTargets::new(shape, samples, device),
            holders: holders(shape, samples, device),
        }
    }

    /// Writes everything in it to `path`, with `notes`, for someone to look at.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path, notes: &BTreeMap<String, String>) -> Result<(), WriteError> {
        let Batch { planes, kinds, from, to, samples, size: _ } = &self.input;
        let mut list = vec![
            ("planes", planes),
            ("kinds", kinds),
            ("from", from),
            ("to", to),
            ("samples", samples),
            ("policy", &self.policy.policy),
            ("wdl", &self.wdl),
            ("moves_left", &self.moves_left),
            ("ended", &self.ended),
        ];
        if let Some(reply) = &self.reply {
            let StepAddresses { kinds, from, to } = &reply.steps;
            list.extend([("reply.kinds", kinds), ("reply.from", from), ("reply.to", to)]);
            list.push(("reply.policy", &reply.policy.policy));
        }
        list.extend(self.holders.iter().map(|holders| ("holders", holders)));
        let list: Vec<(String, Tensor)> =
            list.into_iter().map(|(name, t)| (name.to_owned(), t.shallow_clone())).collect();
        tensors::write(path, &list, notes)
    }
}

impl ReplyTargets {
    fn new(shape: InputShape, samples: &[Sample], device: Device) -> Option<Self> {
        let replies: Option<Vec<&Reply>> = samples.iter().map(|s| s.reply.as_ref()).collect();
        let replies = replies?;
        let steps = replies.iter().map(|reply| -> &[Step] { &reply.steps });
        Some(Self {
            steps: StepAddresses::new(shape, steps, device),
            policy: PolicyTargets::new(replies.iter().map(|reply| &reply.policy[..]), device),
        })
    }
}

/// As [`TrainingBatch::holders`].
fn holders(shape: InputShape, samples: &[Sample], device: Device) -> Option<Tensor> {
    let mut holders = Vec::with_capacity(samples.len() * shape.cells());
    for sample in samples {
        holders.extend(sample.holders.as_ref()?.iter().copied().map(i64::from));
    }
    Some(Tensor::from_slice(&holders).to_device(device))
}
