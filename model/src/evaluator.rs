//! [`TorchSource`]: evaluators that ask a network, for the search.

use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use games::{Game, History};
use search::{Answers, Evaluator, EvaluatorError, EvaluatorSource, Query, Wdl};
use tch::{Device, TchError, Tensor, no_grad};

use crate::device::{self, CpuFeatures};
use crate::encode::{BatchBuilder, EncodedSample, InputShape};
use crate::folded::Folded;
use crate::native::{Native, Scratch};
use crate::network::{Network, Precision};

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
    repaired: Arc<AtomicU64>,
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
    sample: EncodedSample,
    /// A logit for each step of each query.
    logits: Vec<f32>,
    /// Three chances for each query.
    wdl: Vec<f32>,
    repaired: Arc<AtomicU64>,
}

/// What computes the answers.
#[derive(Debug)]
enum Engine {
    Libtorch { folded: Box<Folded>, batch: BatchBuilder, device: Device },
    Native { network: Arc<Native>, scratch: Scratch },
}

impl TorchSource {
    /// Evaluators that compute what `network` would, out of training, on `device`.
    ///
    /// By libtorch, except for bf16 on processors with AVX-512 BF16 and without AMX, where raja has a
    /// quicker way of its own, if the channels are a multiple of 16. There the size of batches does not
    /// matter; libtorch needs 32 positions or more.
    #[must_use]
    pub fn new(network: &Network, device: Device, precision: Precision) -> Self {
        let wanted = device == Device::Cpu
            && precision == Precision::Bf16
            && !CpuFeatures::detect().amx_bf16;
        match wanted.then(|| Native::new(network)).flatten() {
            Some(native) => {
                let weights = Weights::Native(Arc::new(native));
                Self::with_weights(network, device, precision, weights)
            }
            None => Self::with_libtorch(network, device, precision),
        }
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
        Self { game, shape, device, precision, weights, repaired: Arc::default() }
    }

    /// The game it plays.
    #[must_use]
    pub fn game(&self) -> &'static Game {
        self.game
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
            Weights::Libtorch(_) => "libtorch",
            Weights::Native(_) => "avx512_bf16",
        }
    }

    /// Answers so far, of all threads, that were not finite and were replaced: all steps alike, the
    /// game even.
    #[must_use]
    pub fn repaired(&self) -> u64 {
        self.repaired.load(Ordering::Relaxed)
    }

    /// As [`EvaluatorSource::evaluator`], of the concrete type.
    #[must_use]
    pub fn torch_evaluator(&self) -> TorchEvaluator {
        let engine = match &self.weights {
            Weights::Libtorch(folded) => Engine::Libtorch {
                folded: Box::new(folded.lock().unwrap_or_else(PoisonError::into_inner).share()),
                batch: BatchBuilder::new(self.shape),
                device: self.device,
            },
            Weights::Native(network) => {
                Engine::Native { network: Arc::clone(network), scratch: Scratch::default() }
            }
        };
        TorchEvaluator {
            game: self.game,
            engine,
            sample: EncodedSample::default(),
            logits: Vec::new(),
            wdl: Vec::new(),
            repaired: Arc::clone(&self.repaired),
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
        if let Some(other) = queries.iter().find(|q| !ptr::eq(q.state.game(), self.game)) {
            let (ours, theirs) = (self.game.id, other.state.game().id);
            return Err(EvaluatorError(format!("a network for {ours} was asked about {theirs}")));
        }
        self.compute(queries).map_err(|error| EvaluatorError(error.to_string()))?;
        let mut start = 0;
        for (query, wdl) in queries.iter().zip(self.wdl.chunks_exact(3)) {
            let logits = &self.logits[start..start + query.steps.len()];
            start += query.steps.len();
            if wdl.iter().chain(logits).all(|number| number.is_finite()) {
                let value = Wdl { win: wdl[0], draw: wdl[1], loss: wdl[2] };
                answers.push(value, logits.iter().copied());
            } else {
                self.repaired.fetch_add(1, Ordering::Relaxed);
                let even = Wdl { win: 0.25, draw: 0.5, loss: 0.25 };
                answers.push(even, logits.iter().map(|_| 0.0));
            }
        }
        Ok(())
    }
}

impl TorchEvaluator {
    /// Fills `wdl` and `logits`.
    fn compute(&mut self, queries: &[Query<'_, History>]) -> Result<(), TchError> {
        self.logits.clear();
        self.wdl.clear();
        if queries.is_empty() {
            return Ok(());
        }
        match &mut self.engine {
            Engine::Native { network, scratch } => {
                for query in queries {
                    self.sample.set(query.state, query.steps, None);
                    self.wdl.extend(network.evaluate(&self.sample, scratch, &mut self.logits));
                }
                Ok(())
            }
            Engine::Libtorch { folded, batch, device } => {
                batch.clear();
                for query in queries {
                    self.sample.set(query.state, query.steps, None);
                    batch.push(&self.sample);
                }
                // The guard holds for this thread alone.
                let outputs = no_grad(|| folded.forward(&batch.batch(*device)))?;
                fetch(&outputs.policy_logits, &mut self.logits)?;
                fetch(&outputs.wdl, &mut self.wdl)
            }
        }
    }
}

/// The numbers of an fp32 tensor on any device.
fn fetch(tensor: &Tensor, into: &mut Vec<f32>) -> Result<(), TchError> {
    let tensor = tensor.f_to_device(Device::Cpu)?.f_contiguous()?;
    into.resize(tensor.numel(), 0.0);
    tensor.f_copy_data(into, tensor.numel())
}
