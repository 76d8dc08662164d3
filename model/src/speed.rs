//! What the speed of a network is measured against: matrix products of the same device, and the same
//! network computed the plain way.

use games::History;
use search::{Answers, Evaluator, EvaluatorError, Query, Wdl};
use tch::{Device, Kind, TchError, Tensor, no_grad};

use crate::encode::{BatchBuilder, EncodedSample};
use crate::evaluator::check_game;
use crate::network::{Network, Precision};

/// A product of two square matrices, by libtorch.
#[derive(Debug)]
pub struct MatrixProduct {
    matrix: Tensor,
}

impl MatrixProduct {
    /// A product of matrices of so many rows on `device`, in `precision`.
    ///
    /// # Errors
    /// If libtorch fails: for want of memory, say.
    pub fn new(device: Device, precision: Precision, rows: u32) -> Result<Self, TchError> {
        let size = [i64::from(rows); 2];
        let matrix = Tensor::f_rand(size, (Kind::Float, device))?.f_to_kind(precision.kind())?;
        Ok(Self { matrix })
    }

    /// Floating-point operations, a multiplication and an addition counted as two.
    #[must_use]
    pub fn flops(&self) -> u64 {
        2 * self.matrix.size()[0].unsigned_abs().pow(3)
    }

    /// Computes it, and waits for the device.
    ///
    /// # Errors
    /// If libtorch fails: for want of memory, say.
    pub fn compute(&self) -> Result<(), TchError> {
        self.matrix.f_matmul(&self.matrix)?.f_double_value(&[0, 0])?;
        Ok(())
    }
}

/// A network evaluated the way one would write it down first: fp32, one plane of cells behind the other,
/// normalisations computed as such, and nothing in place. What the speed of evaluators is compared with.
///
/// On boards without ranks and files, where there is no such way, it is the network as it is trained.
#[derive(Debug)]
pub struct PlainEvaluator {
    network: Network,
    sample: EncodedSample,
    batch: BatchBuilder,
}

impl PlainEvaluator {
    /// Answers by `network`.
    #[must_use]
    pub fn new(network: Network) -> Self {
        let batch = BatchBuilder::new(network.shape());
        Self { network, sample: EncodedSample::default(), batch }
    }
}

impl Evaluator<History> for PlainEvaluator {
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
            check_game(query, self.network.game())?;
            self.sample.set(query.state, query.steps, None);
            self.batch.push(&self.sample);
        }
        let outputs = no_grad(|| {
            let batch = self.batch.batch(self.network.device());
            self.network.forward_plainly(&batch)
        });
        let list = |tensor: &Tensor| Vec::<f32>::try_from(tensor.flatten(0, -1));
        let failed = |error: TchError| EvaluatorError(error.to_string());
        let logits = list(&outputs.policy_logits).map_err(failed)?;
        let wdl = list(&outputs.wdl_logits.softmax(1, Kind::Float)).map_err(failed)?;
        let mut start = 0;
        for (&end, wdl) in self.batch.ends().iter().zip(wdl.chunks_exact(3)) {
            let value = Wdl { win: wdl[0], draw: wdl[1], loss: wdl[2] };
            answers.push(value, logits[start..end].iter().copied());
            start = end;
        }
        Ok(())
    }
}
