//! [`TorchSource`]: evaluators that ask a network, for the search.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use games::{Game, History};
use search::{Answers, Evaluator, EvaluatorError, EvaluatorSource, Query, Wdl};
use tch::{Device, TchError, no_grad};

use crate::device;
use crate::encode::{BatchBuilder, EncodedSample, InputShape};
use crate::folded::{Folded, FoldedOutputs};
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
    // A tensor may go to another thread but not be used by two; its handles may.
    folded: Mutex<Folded>,
    repaired: Arc<AtomicU64>,
}

/// One thread's access to a network, with buffers of its own.
#[derive(Debug)]
pub struct TorchEvaluator {
    game: &'static Game,
    device: Device,
    folded: Folded,
    sample: EncodedSample,
    batch: BatchBuilder,
    logits: Vec<f32>,
    wdl: Vec<f32>,
    repaired: Arc<AtomicU64>,
}

impl TorchSource {
    /// Evaluators that compute what `network` would, out of training, on `device`.
    #[must_use]
    pub fn new(network: &Network, device: Device, precision: Precision) -> Self {
        Self {
            game: network.game(),
            shape: network.shape(),
            device,
            precision,
            folded: Mutex::new(Folded::new(network, device, precision)),
            repaired: Arc::default(),
        }
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

    /// Answers so far, of all threads, that were not finite and were replaced: all steps alike, the
    /// game even.
    #[must_use]
    pub fn repaired(&self) -> u64 {
        self.repaired.load(Ordering::Relaxed)
    }

    /// As [`EvaluatorSource::evaluator`], of the concrete type.
    #[must_use]
    pub fn torch_evaluator(&self) -> TorchEvaluator {
        let folded = self.folded.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).share();
        TorchEvaluator {
            game: self.game,
            device: self.device,
            folded,
            sample: EncodedSample::default(),
            batch: BatchBuilder::new(self.shape),
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
        if queries.is_empty() {
            return Ok(());
        }
        self.batch.clear();
        for query in queries {
            let game = query.state.game();
            if !std::ptr::eq(game, self.game) {
                let message = format!("a network for {} was asked about {}", self.game.id, game.id);
                return Err(EvaluatorError(message));
            }
            self.sample.set(query.state, query.steps, None);
            self.batch.push(&self.sample);
        }
        no_grad(|| self.forward()).map_err(|error| EvaluatorError(error.to_string()))?;
        let mut start = 0;
        for (&end, wdl) in self.batch.ends().iter().zip(self.wdl.chunks_exact(3)) {
            let logits = &self.logits[start..end];
            start = end;
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
    /// Fills `wdl` and `logits` for the batch.
    fn forward(&mut self) -> Result<(), TchError> {
        let outputs = self.folded.forward(&self.batch.batch(self.device))?;
        let FoldedOutputs { policy_logits, wdl } = outputs;
        let fetch = |tensor: tch::Tensor, into: &mut Vec<f32>| {
            let tensor = tensor.f_to_device(Device::Cpu)?.f_contiguous()?;
            into.resize(tensor.numel(), 0.0);
            tensor.f_copy_data(into, tensor.numel())
        };
        fetch(policy_logits, &mut self.logits)?;
        fetch(wdl, &mut self.wdl)
    }
}
