//! The losses: pure functions of the network's outputs and the targets.

use tch::{Kind, Reduction, Tensor};

use crate::batch::{PolicyTargets, TrainingBatch};
use crate::samples::MOVES_LEFT_SCALE;

/// Stands for minus infinity in the places of a table that hold no legal step: its exponential is
/// 0, and unlike infinity it has no NaN in its gradient.
const NO_STEP: f64 = -1e9;

/// The soft policy's target is the policy to the power of one over this, made to sum to 1 (KataGo):
/// it tells the good steps from the bad among those that the search hardly looked at.
const SOFTNESS: f64 = 4.0;

/// `numbers`, one a step, laid out as a table `[samples, widest]` with `elsewhere` where no step is.
fn table(numbers: &Tensor, targets: &PolicyTargets, elsewhere: f64) -> Tensor {
    let size = targets.samples * targets.widest;
    Tensor::full([size], elsewhere, (Kind::Float, numbers.device()))
        .scatter(0, &targets.places, numbers)
        .view([targets.samples, targets.widest])
}

/// Cross-entropy of `logits` against `policy`, summed over all steps of all samples, in nats: a
/// scalar. Both are fp32 `[steps]`, ragged; laid out as a table, one log-softmax serves all samples.
/// Steps that are not legal have no place in it at all.
fn summed_policy_loss(logits: &Tensor, policy: &Tensor, targets: &PolicyTargets) -> Tensor {
    let log_policy = table(logits, targets, NO_STEP).log_softmax(1, Kind::Float).view(-1).gather(
        0,
        &targets.places,
        false,
    );
    -(log_policy * policy).sum(Kind::Float)
}

/// Mean cross-entropy of the policy over the samples that have a target, in nats: a scalar. `logits`
/// is fp32 `[steps]`.
pub(crate) fn policy_loss(logits: &Tensor, targets: &PolicyTargets) -> Tensor {
    summed_policy_loss(logits, &targets.policy, targets) / targets.present.max(1) as f64
}

/// The same against the softer target.
pub(crate) fn soft_policy_loss(logits: &Tensor, targets: &PolicyTargets) -> Tensor {
    summed_policy_loss(logits, &softened(targets), targets) / targets.present.max(1) as f64
}

/// The softer target of each step: fp32 `[steps]`.
fn softened(targets: &PolicyTargets) -> Tensor {
    let softer = table(&targets.policy.pow_tensor_scalar(1.0 / SOFTNESS), targets, 0.0);
    let sums = softer.sum_dim_intlist([1_i64].as_slice(), true, Kind::Float);
    (softer / sums.clamp_min(1e-12)).view(-1).gather(0, &targets.places, false)
}

/// Cross-entropy of win, draw and loss in nats: fp32 `[batch]`. `logits` is fp32 `[batch, 3]`.
pub(crate) fn value_losses(logits: &Tensor, batch: &TrainingBatch) -> Tensor {
    let log_wdl = logits.log_softmax(1, Kind::Float);
    -(log_wdl * &batch.wdl).sum_dim_intlist([1_i64].as_slice(), false, Kind::Float)
}

/// The mean of [`value_losses`] over the samples: a scalar.
pub(crate) fn value_loss(logits: &Tensor, batch: &TrainingBatch) -> Tensor {
    value_losses(logits, batch).mean(Kind::Float)
}

/// Mean Huber loss of the steps left, scaled as [`TrainingBatch::moves_left`], over the samples whose
/// games have ended: a scalar. `predicted` is in steps, fp32 `[batch]`.
pub(crate) fn moves_left_loss(predicted: &Tensor, batch: &TrainingBatch) -> Tensor {
    let scaled = predicted / f64::from(MOVES_LEFT_SCALE);
    let each = scaled.huber_loss(&batch.moves_left, Reduction::None, 1.0) * &batch.ended;
    each.sum(Kind::Float) / batch.ended.sum(Kind::Float).clamp_min(1.0)
}

/// Mean cross-entropy of each cell's holder over the cells of the samples whose games have ended, in
/// nats: a scalar. `logits` is fp32 `[batch * cells, 3]`, `holders` as [`TrainingBatch::holders`].
pub(crate) fn occupancy_loss(logits: &Tensor, holders: &Tensor, batch: &TrainingBatch) -> Tensor {
    let log_holders = logits.log_softmax(1, Kind::Float).gather(1, &holders.unsqueeze(1), false);
    let each = log_holders.view([batch.input.size, -1]);
    let means = each.mean_dim([1_i64].as_slice(), false, Kind::Float) * &batch.ended;
    -means.sum(Kind::Float) / batch.ended.sum(Kind::Float).clamp_min(1.0)
}

/// The entropy of the targets' policies, in nats, which the policy loss cannot fall below: a scalar.
pub(crate) fn target_entropy(targets: &PolicyTargets) -> Tensor {
    let logs = targets.policy.clamp_min(1e-12).log();
    -(logs * &targets.policy).sum(Kind::Float) / targets.present.max(1) as f64
}

#[cfg(test)]
mod tests {
    use tch::Device;

    use super::*;

    /// Two samples with 2 and 1 steps, and one without any.
    fn targets() -> PolicyTargets {
        PolicyTargets {
            policy: Tensor::from_slice(&[0.9375_f32, 0.0625, 1.0]),
            places: Tensor::from_slice(&[0_i64, 1, 2]),
            samples: 3,
            widest: 2,
            present: 2,
        }
    }

    fn close(found: &Tensor, expected: f64) {
        let found = found.double_value(&[]);
        assert!((found - expected).abs() < 1e-5, "{found}, not {expected}");
    }

    #[test]
    fn a_policy_is_judged_within_its_sample() {
        let logits = Tensor::from_slice(&[0.0_f32, 0.0, 7.0]);
        close(&policy_loss(&logits, &targets()), 2.0_f64.ln() / 2.0);
        let entropy = -(0.9375 * 0.9375_f64.ln() + 0.0625 * 0.0625_f64.ln()) / 2.0;
        close(&target_entropy(&targets()), entropy);
    }

    #[test]
    fn the_soft_target_is_nearer_to_even() {
        // 0.0625^(1/4) = 0.5
        let first = 0.9375_f64.powf(0.25);
        let expected = [first / (first + 0.5), 0.5 / (first + 0.5), 1.0];
        for (index, expected) in expected.into_iter().enumerate() {
            close(&softened(&targets()).get(index as i64), expected);
        }
    }

    #[test]
    fn a_batch_without_targets_has_loss_0_and_a_gradient() {
        let places = Tensor::empty([0], (Kind::Int64, Device::Cpu));
        let policy = Tensor::empty([0], (Kind::Float, Device::Cpu));
        let targets = PolicyTargets { policy, places, samples: 3, widest: 1, present: 0 };
        let weights = Tensor::ones([1], (Kind::Float, Device::Cpu)).set_requires_grad(true);
        let none = Tensor::empty([0], (Kind::Int64, Device::Cpu));
        let loss = policy_loss(&weights.index_select(0, &none), &targets);
        close(&loss, 0.0);
        loss.backward();
        close(&weights.grad().get(0), 0.0);
    }
}
