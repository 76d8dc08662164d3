//! [`Validation`]: the losses on games that nothing was learned from.

use std::collections::{HashMap, HashSet};

use model::{Extras, Network};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use selfplay::ReplayError;
use serde::{Deserialize, Serialize};
use tch::{Kind, Tensor, no_grad};

use crate::batch::TrainingBatch;
use crate::loss;
use crate::samples::{Targets, make_samples};
use crate::window::ReplayWindow;

/// Batches of rows that are evaluated at most: enough to see 0.05, and little beside the steps of a
/// generation.
const BATCHES: usize = 8;

/// Mean losses of the network in training, not of the average that plays, on rows of games that it has
/// not learned from. Normalisations take their running statistics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Validation {
    /// Rows evaluated.
    pub rows: u64,
    /// Games that they are of.
    pub games: u64,
    /// Cross-entropy of the policy against the search's target, in nats.
    pub policy: f64,
    /// Cross-entropy of win, draw and loss against the value target, in nats.
    pub value: f64,
    /// Standard error of `value`, with each game as one observation; none if it is of one game.
    pub value_error: Option<f64>,
}

/// The losses of `network` on at most eight batches of rows drawn from `window` with `seed`; none if
/// it holds no row.
///
/// # Errors
/// If the rules do not confirm a record.
pub(crate) fn validate(
    network: &Network,
    window: &ReplayWindow,
    batch: usize,
    targets: &Targets,
    seed: u64,
) -> Result<Option<Validation>, ReplayError> {
    if window.rows() == 0 {
        return Ok(None);
    }
    let count = (batch * BATCHES).min(window.rows() as usize);
    // Those of heads for training only are not looked at.
    let targets = Targets { reply: false, occupancy: false, ..*targets };
    let rows = window.sample(count, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
    let mut policy = 0.0;
    let mut values: Vec<f32> = Vec::with_capacity(count);
    for (index, part) in rows.chunks(batch).enumerate() {
        let seed = seed.wrapping_add((index * batch) as u64);
        let samples = make_samples(network.game(), part, &targets, seed)?;
        let batch = TrainingBatch::new(network.shape(), &samples, network.device());
        let (mean, each) = no_grad(|| {
            let outputs = network.forward(&batch.input, false, &Extras::default());
            let policy = loss::policy_loss(&outputs.policy_logits, &batch.policy).double_value(&[]);
            (policy, loss::value_losses(&outputs.wdl_logits, &batch))
        });
        policy += mean * part.len() as f64;
        values.extend(numbers(&each));
    }
    let games: Vec<u64> = rows.iter().map(|row| row.record.seed).collect();
    let (value, value_error) = mean_by_group(&values, &games);
    let different: HashSet<&u64> = games.iter().collect();
    Ok(Some(Validation {
        rows: count as u64,
        games: different.len() as u64,
        policy: policy / count as f64,
        value,
        value_error,
    }))
}

fn numbers(tensor: &Tensor) -> Vec<f32> {
    Vec::try_from(tensor.to_kind(Kind::Float).view(-1)).expect("a flat tensor of numbers")
}

/// The mean of `values` and its standard error when those of a group depend on each other: the
/// cluster-robust estimate. A single group tells nothing about the error.
fn mean_by_group(values: &[f32], groups: &[u64]) -> (f64, Option<f64>) {
    let count = values.len() as f64;
    let mean = values.iter().copied().map(f64::from).sum::<f64>() / count;
    let mut deviations: HashMap<u64, f64> = HashMap::new();
    for (&value, &group) in values.iter().zip(groups) {
        *deviations.entry(group).or_default() += f64::from(value) - mean;
    }
    let clusters = deviations.len() as f64;
    let squares: f64 = deviations.values().map(|deviation| deviation * deviation).sum();
    let error = || (squares * clusters / (clusters - 1.0)).sqrt() / count;
    (mean, (clusters > 1.0).then(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_one_game_are_one_observation() {
        // Four games of two equal rows: the error is that of four numbers,
        // sqrt(((1 + 1 + 1 + 1) / 3) / 4) = 0.57735, not that of eight.
        let values = [0.0, 0.0, 2.0, 2.0, 0.0, 0.0, 2.0, 2.0];
        let (mean, error) = mean_by_group(&values, &[1, 1, 2, 2, 3, 3, 4, 4]);
        let error = error.unwrap();
        assert!((mean - 1.0).abs() < 1e-9 && (error - 0.577_35).abs() < 1e-4, "{mean} {error}");
        let (_, alone) = mean_by_group(&values, &[1, 2, 3, 4, 5, 6, 7, 8]);
        assert!(alone.unwrap() < error * 0.75);
        assert_eq!(mean_by_group(&values, &[1; 8]).1, None);
    }
}
