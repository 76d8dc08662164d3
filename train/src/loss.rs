//! The losses: pure functions of the network's outputs and the targets.

use tch::{Kind, Reduction, Tensor};

use crate::samples::{MOVES_LEFT_SCALE, TrainingBatch};

/// Stands for minus infinity in the places of a table that hold no legal step: its exponential is
/// 0, and unlike infinity it has no NaN in its gradient.
const NO_STEP: f64 = -1e9;

/// Mean cross-entropy of the policy over the samples, in nats: a scalar.
///
/// `logits` is fp32 `[steps]`, ragged; it is laid out as a table `[batch, widest]` so that one
/// log-softmax serves all samples. Steps that are not legal have no place in it at all.
pub(crate) fn policy_loss(logits: &Tensor, batch: &TrainingBatch) -> Tensor {
    let table =
        Tensor::full([batch.input.size * batch.widest], NO_STEP, (Kind::Float, logits.device()))
            .scatter(0, &batch.places, logits)
            .view([batch.input.size, batch.widest]);
    let log_policy = table.log_softmax(1, Kind::Float).view(-1).gather(0, &batch.places, false);
    -(log_policy * &batch.policy).sum(Kind::Float) / batch.input.size as f64
}

/// Mean cross-entropy of win, draw and loss over the samples, in nats: a scalar. `logits` is fp32
/// `[batch, 3]`.
pub(crate) fn value_loss(logits: &Tensor, batch: &TrainingBatch) -> Tensor {
    let log_wdl = logits.log_softmax(1, Kind::Float);
    -(log_wdl * &batch.wdl).sum(Kind::Float) / batch.input.size as f64
}

/// Mean Huber loss of the steps left, scaled as [`TrainingBatch::moves_left`], over the samples whose
/// games have ended: a scalar. `predicted` is in steps, fp32 `[batch]`.
pub(crate) fn moves_left_loss(predicted: &Tensor, batch: &TrainingBatch) -> Tensor {
    let scaled = predicted / f64::from(MOVES_LEFT_SCALE);
    let each = scaled.huber_loss(&batch.moves_left, Reduction::None, 1.0) * &batch.ended;
    each.sum(Kind::Float) / batch.ended.sum(Kind::Float).clamp_min(1.0)
}

/// The entropy of the targets' policies, in nats: what the policy loss cannot fall below.
#[must_use]
pub(crate) fn target_entropy(batch: &TrainingBatch) -> f64 {
    let logs = batch.policy.clamp_min(1e-12).log();
    -(logs * &batch.policy).sum(Kind::Float).double_value(&[]) / batch.input.size as f64
}
