//! [`TorchDevices`]: a network on several devices, for the threads that share them.

use games::Game;
use search::{Answers, Device, DeviceBatch, DeviceSource, EvaluatorError, Query};

use crate::encode::EncodedSample;
use crate::evaluator::{PackedEvaluator, TorchSource, check_game};
use crate::network::{Network, Precision};
use crate::packed::PackedBatch;

/// Positions packed by a thread that searches, for whatever device is free.
#[derive(Debug)]
pub struct PackedQueries {
    game: &'static Game,
    sample: EncodedSample,
    packed: PackedBatch,
}

/// A network on several devices, computed by libtorch.
#[derive(Debug)]
pub struct TorchDevices {
    /// One for each device, whose weights it holds.
    sources: Vec<TorchSource>,
    /// The source of each thread that feeds a device.
    feeders: Vec<usize>,
}

impl TorchDevices {
    /// `network` out of training, for a thread each of `devices`. Of threads on the same device all use
    /// the same weights.
    ///
    /// # Panics
    /// If there is no device.
    #[must_use]
    pub fn new(network: &Network, devices: &[tch::Device], precision: Precision) -> Self {
        assert!(!devices.is_empty(), "a network computes somewhere");
        let mut sources: Vec<TorchSource> = Vec::new();
        let feeders = devices.iter().map(|&device| {
            sources.iter().position(|source| source.device() == device).unwrap_or_else(|| {
                sources.push(TorchSource::with_libtorch(network, device, precision));
                sources.len() - 1
            })
        });
        let feeders = feeders.collect();
        Self { sources, feeders }
    }

    /// How many threads it is for.
    #[must_use]
    pub fn feeders(&self) -> usize {
        self.feeders.len()
    }

    /// What computes, for people; see [`TorchSource::engine`].
    #[must_use]
    pub fn engine(&self) -> &'static str {
        self.sources[0].engine()
    }

    /// Answers so far that were not finite and were replaced, see [`TorchSource::repaired`].
    #[must_use]
    pub fn repaired(&self) -> u64 {
        self.sources.iter().map(TorchSource::repaired).sum()
    }
}

impl DeviceSource<PackedQueries> for TorchDevices {
    fn batch(&self) -> PackedQueries {
        let source = &self.sources[0];
        let packed = PackedBatch::new(source.shape());
        PackedQueries { game: source.game(), sample: EncodedSample::default(), packed }
    }

    fn device(&self, index: usize) -> Result<Box<dyn Device<PackedQueries>>, EvaluatorError> {
        let source = self.feeders.get(index).map(|&source| &self.sources[source]);
        let evaluator = source.and_then(TorchSource::packed_evaluator);
        match evaluator {
            Some(evaluator) => Ok(Box::new(evaluator)),
            None => Err(EvaluatorError(format!("there is no device {index}"))),
        }
    }
}

impl DeviceBatch for PackedQueries {
    fn clear(&mut self) {
        self.packed.clear();
    }

    fn push(&mut self, query: &Query<'_>) -> Result<(), EvaluatorError> {
        check_game(query, self.game)?;
        self.sample.set(query.state, query.steps, None);
        self.packed.push(&self.sample);
        Ok(())
    }

    fn append(&mut self, other: &Self) {
        self.packed.append(&other.packed);
    }

    fn len(&self) -> usize {
        self.packed.len()
    }
}

impl Device<PackedQueries> for PackedEvaluator {
    fn evaluate(
        &mut self,
        batch: &PackedQueries,
        answers: &mut Answers,
    ) -> Result<(), EvaluatorError> {
        PackedEvaluator::evaluate(self, &batch.packed, answers)
    }
}
