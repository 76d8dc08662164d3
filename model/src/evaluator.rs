//! [`TorchSource`]: evaluators that ask a network, for the search.

use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use games::{Game, History};
use search::{Answers, Evaluator, EvaluatorError, EvaluatorSource, Query, Wdl};
use tch::{Device, TchError};

use crate::device::{self, CpuFeatures};
use crate::encode::{EncodedSample, InputShape};
use crate::folded::Folded;
use crate::native::{self, Native, Scratch};
use crate::network::{Network, Precision};
use crate::packed::PackedBatch;

/// Tells libtorch to use one thread for each call. To be called once at the start of a program that
/// evaluates on the processor, before any thread of its own: there, each worker thread makes its own
/// calls, and threads inside calls would only wait for each other (measured: 14 times the processor
/// time on a busy machine).
pub fn single_threaded() {
    tch::set_num_threads(1);
}

impl Precision {
    /// The faster precision for playing on `device`: bf16 on GPUs and on processors that compute with
    /// it, otherwise fp32.
    #[must_use]
    pub fn best_for(device: Device) -> Self {
        if device != Device::Cpu || device::bf16_fast() { Self::Bf16 } else { Self::Fp32 }
    }
}

/// A network ready to play. Makes an evaluator for each thread; they share the weights.
///
/// The network it was made of is not needed any more. Another network is another source.
#[derive(Debug)]
pub struct TorchSource {
    game: &'static Game,
    shape: InputShape,
    device: Device,
    precision: Precision,
    weights: Weights,
    repairs: Repairs,
}

/// Weights in the form of whatever computes with them.
#[derive(Debug)]
enum Weights {
    // A tensor may go to another thread but not be used by two; its handles may.
    Libtorch(Mutex<Folded>),
    Native(Arc<Native>),
}

/// One thread's access to a network, with buffers of its own.
#[derive(Debug)]
pub struct TorchEvaluator {
    game: &'static Game,
    engine: Engine,
    /// What the last call spent on encoding.
    encoding: Duration,
}

/// What computes the answers.
#[derive(Debug)]
enum Engine {
    Libtorch {
        network: PackedEvaluator,
        sample: EncodedSample,
        batch: PackedBatch,
    },
    Native {
        network: Arc<Native>,
        /// As many as the largest batch had.
        samples: Vec<EncodedSample>,
        scratch: Scratch,
        logits: Vec<f32>,
        repairs: Repairs,
    },
}

/// One thread's access to a network in libtorch, for batches that other threads have packed: what a thread
/// that feeds a GPU needs.
#[derive(Debug)]
pub struct PackedEvaluator {
    folded: Box<Folded>,
    /// What is sent to the device.
    buffer: Vec<i32>,
    /// What comes back: a logit for each step of each sample, then three chances for each sample.
    numbers: Vec<f32>,
    repairs: Repairs,
}

/// Replaces answers that are not finite and counts them, of all threads together.
#[derive(Debug, Clone, Default)]
struct Repairs(Arc<AtomicU64>);

impl Repairs {
    /// Adds the answer to `answers`, or one that knows nothing in its place.
    fn push(&self, answers: &mut Answers, wdl: &[f32], logits: &[f32]) {
        if wdl.iter().chain(logits).all(|number| number.is_finite()) {
            let value = Wdl { win: wdl[0], draw: wdl[1], loss: wdl[2] };
            answers.push(value, logits.iter().copied());
        } else {
            self.0.fetch_add(1, Ordering::Relaxed);
            let even = Wdl { win: 0.25, draw: 0.5, loss: 0.25 };
            answers.push(even, logits.iter().map(|_| 0.0));
        }
    }
}

impl TorchSource {
    /// What libtorch is called among engines.
    pub(crate) const LIBTORCH: &str = "libtorch";
    /// What raja's own kernel is called.
    pub(crate) const NATIVE: &str = "avx512_bf16";

    /// Evaluators that compute what `network` would, out of training, on `device`.
    ///
    /// By libtorch, except for bf16 on processors with AVX-512 BF16 and without AMX, where raja has a
    /// quicker way of its own, if the channels are a multiple of 16. There the size of batches does not
    /// matter; libtorch needs 32 positions or more.
    #[must_use]
    pub fn new(network: &Network, device: Device, precision: Precision) -> Self {
        match Self::prefers_native(device, precision).then(|| Native::new(network)).flatten() {
            Some(native) => {
                let weights = Weights::Native(Arc::new(native));
                Self::with_weights(network, device, precision, weights)
            }
            None => Self::with_libtorch(network, device, precision),
        }
    }

    /// Whether raja's own kernel is the quicker way here, if the network's sizes suit it.
    pub(crate) fn prefers_native(device: Device, precision: Precision) -> bool {
        device == Device::Cpu
            && precision == Precision::Bf16
            && native::available()
            && !CpuFeatures::detect().amx_bf16
    }

    /// As [`TorchSource::new`], but by libtorch in any case: to compare with.
    #[must_use]
    pub fn with_libtorch(network: &Network, device: Device, precision: Precision) -> Self {
        let weights = Weights::Libtorch(Mutex::new(Folded::new(network, device, precision)));
        Self::with_weights(network, device, precision, weights)
    }

    fn with_weights(
        network: &Network,
        device: Device,
        precision: Precision,
        weights: Weights,
    ) -> Self {
        let (game, shape) = (network.game(), network.shape());
        Self { game, shape, device, precision, weights, repairs: Repairs::default() }
    }

    /// The game it plays.
    #[must_use]
    pub fn game(&self) -> &'static Game {
        self.game
    }

    /// The sizes of its input.
    #[must_use]
    pub fn shape(&self) -> InputShape {
        self.shape
    }

    /// Where it computes.
    #[must_use]
    pub fn device(&self) -> Device {
        self.device
    }

    /// The numbers it computes with.
    #[must_use]
    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// What computes, for people: `libtorch` or `avx512_bf16`.
    #[must_use]
    pub fn engine(&self) -> &'static str {
        match self.weights {
            Weights::Libtorch(_) => Self::LIBTORCH,
            Weights::Native(_) => Self::NATIVE,
        }
    }

    /// Answers so far, of all threads, that were not finite and were replaced: all steps alike, the
    /// game even.
    #[must_use]
    pub fn repaired(&self) -> u64 {
        self.repairs.0.load(Ordering::Relaxed)
    }

    /// As [`EvaluatorSource::evaluator`], of the concrete type.
    #[must_use]
    pub fn torch_evaluator(&self) -> TorchEvaluator {
        let engine = match &self.weights {
            Weights::Libtorch(folded) => Engine::Libtorch {
                network: self.packed_with(folded),
                sample: EncodedSample::default(),
                batch: PackedBatch::new(self.shape),
            },
            Weights::Native(network) => Engine::Native {
                network: Arc::clone(network),
                samples: Vec::new(),
                scratch: Scratch::default(),
                logits: Vec::new(),
                repairs: self.repairs.clone(),
            },
        };
        TorchEvaluator { game: self.game, engine, encoding: Duration::ZERO }
    }

    /// An evaluator of packed batches for the calling thread; `None` where libtorch does not compute:
    /// there, each thread that has positions evaluates them itself.
    #[must_use]
    pub fn packed_evaluator(&self) -> Option<PackedEvaluator> {
        match &self.weights {
            Weights::Libtorch(folded) => Some(self.packed_with(folded)),
            Weights::Native(_) => None,
        }
    }

    fn packed_with(&self, folded: &Mutex<Folded>) -> PackedEvaluator {
        PackedEvaluator {
            folded: Box::new(folded.lock().unwrap_or_else(PoisonError::into_inner).share()),
            buffer: Vec::new(),
            numbers: Vec::new(),
            repairs: self.repairs.clone(),
        }
    }
}

impl EvaluatorSource<History> for TorchSource {
    fn evaluator(&self) -> Result<Box<dyn Evaluator<History>>, EvaluatorError> {
        Ok(Box::new(self.torch_evaluator()))
    }
}

impl Evaluator<History> for TorchEvaluator {
    fn evaluate(
        &mut self,
        queries: &[Query<'_, History>],
        answers: &mut Answers,
    ) -> Result<(), EvaluatorError> {
        answers.clear();
        queries.iter().try_for_each(|query| check_game(query, self.game))?;
        let began = Instant::now();
        match &mut self.engine {
            Engine::Native { network, samples, scratch, logits, repairs } => {
                if samples.len() < queries.len() {
                    samples.resize_with(queries.len(), EncodedSample::default);
                }
                for (query, sample) in queries.iter().zip(&mut *samples) {
                    sample.set(query.state, query.steps, None);
                }
                self.encoding = began.elapsed();
                for sample in &samples[..queries.len()] {
                    logits.clear();
                    let wdl = network.evaluate(sample, scratch, logits);
                    repairs.push(answers, &wdl, logits);
                }
                Ok(())
            }
            Engine::Libtorch { network, sample, batch } => {
                batch.clear();
                for query in queries {
                    sample.set(query.state, query.steps, None);
                    batch.push(sample);
                }
                self.encoding = began.elapsed();
                network.evaluate(batch, answers)
            }
        }
    }

    fn encoding(&self) -> Duration {
        self.encoding
    }
}

/// An error if `query` is about another game than the network's.
pub(crate) fn check_game(query: &Query<'_>, game: &'static Game) -> Result<(), EvaluatorError> {
    let other = query.state.game();
    if ptr::eq(other, game) {
        return Ok(());
    }
    Err(EvaluatorError(format!("a network for {} was asked about {}", game.id, other.id)))
}

impl PackedEvaluator {
    /// Clears `answers` and adds one answer for each sample of `batch`, in order. Waits for the device.
    ///
    /// # Errors
    /// If libtorch fails: for want of memory, say.
    pub fn evaluate(
        &mut self,
        batch: &PackedBatch,
        answers: &mut Answers,
    ) -> Result<(), EvaluatorError> {
        answers.clear();
        if batch.is_empty() {
            return Ok(());
        }
        self.compute(batch).map_err(|error| EvaluatorError(error.to_string()))?;
        let (mut logits, wdl) = self.numbers.split_at(batch.steps());
        for (count, wdl) in batch.step_counts().zip(wdl.chunks_exact(3)) {
            let (own, rest) = logits.split_at(count);
            logits = rest;
            self.repairs.push(answers, wdl, own);
        }
        Ok(())
    }

    /// Fills `numbers`.
    fn compute(&mut self, batch: &PackedBatch) -> Result<(), TchError> {
        let numbers = self.folded.evaluate(batch, &mut self.buffer)?.f_to_device(Device::Cpu)?;
        self.numbers.resize(numbers.numel(), 0.0);
        numbers.f_copy_data(&mut self.numbers, numbers.numel())
    }
}
