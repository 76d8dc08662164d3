//! Formulas of Danihelka et al., "Policy improvement by planning with Gumbel" (ICLR 2022).
//!
//! q is the expected score for the mover, -1 to 1, everywhere; [`Sigma`] alone maps it to the 0 to
//! 1 of the paper's constants.

use crate::GumbelSettings;
use crate::selection::{Arm, Pick, Untried};

/// `sigma(q) = (c_visit + max_b N(b)) c_scale (q + 1) / 2` (equation 8): what q is worth in
/// logits, the more the more visits stand behind it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sigma(f32);

impl Sigma {
    /// The scale at a node whose most visited step has `most_visits` visits.
    pub(crate) fn new(settings: &GumbelSettings, most_visits: u32) -> Self {
        Self((settings.c_visit + most_visits as f32) * settings.c_scale)
    }

    /// `sigma(q)`, in nats.
    #[inline]
    pub(crate) fn of(self, q: f32) -> f32 {
        self.0 * (q + 1.0) / 2.0
    }
}

/// The mixed value (appendix D, equation 33): what the network said, and the visited steps' q by
/// their priors, weighted 1 to N. Stands in for the q of unvisited steps. With no visits it is
/// `raw`.
pub(crate) fn mixed_value(raw: f32, arms: impl IntoIterator<Item = Arm>) -> f32 {
    let (mut visits, mut mass, mut sum) = (0, 0.0, 0.0);
    for arm in arms {
        visits += arm.visits;
        if arm.visits > 0 {
            mass += arm.prior;
            sum += arm.prior * arm.q;
        }
    }
    if visits == 0 {
        return raw;
    }
    let visits = visits as f32;
    (raw + visits * (sum / mass)) / (1.0 + visits)
}

/// Selection below the root (equation 14): the step with the greatest
/// `pi'(a) - N(a) / (1 + sum_b N(b))`, where `pi'` is the improved policy. It visits in proportion
/// to `pi'`, without noise. Untried steps share one q, so the likeliest of them stands for all.
/// None if there is nothing to select.
pub(crate) fn select_inner(
    settings: &GumbelSettings,
    raw: f32,
    arms: &[Arm],
    untried: Untried,
) -> Option<Pick> {
    if arms.is_empty() {
        return untried.best.map(|_| Pick::Untried);
    }
    let total: u32 = arms.iter().map(|arm| arm.visits).sum();
    let sigma = Sigma::new(settings, arms.iter().map(|arm| arm.visits).max().unwrap_or(0));
    let mixed = sigma.of(mixed_value(raw, arms.iter().copied()));
    let highest = arms.iter().map(|arm| sigma.of(arm.q)).fold(mixed, f32::max);
    let weight = |arm: &Arm| arm.prior * (sigma.of(arm.q) - highest).exp();
    let untried_weight = (mixed - highest).exp();
    // The arm with the highest q has weight e^0 times a prior that is never 0.
    let norm = arms.iter().map(weight).sum::<f32>() + untried.mass * untried_weight;
    let scale = 1.0 / (1.0 + total as f32);

    let mut best: Option<(Pick, f32)> =
        untried.best.map(|prior| (Pick::Untried, prior * untried_weight / norm));
    for (index, arm) in arms.iter().enumerate() {
        let score = weight(arm) / norm - arm.visits as f32 * scale;
        if best.is_none_or(|(_, best)| score > best) {
            best = Some((Pick::Arm(index), score));
        }
    }
    best.map(|(pick, _)| pick)
}

/// The improved policy `softmax(logits + sigma(completed q))` (equation 11), in place of `logits`.
/// A q of `None` marks a step that is proven to lose: it gets nothing.
pub(crate) fn improve_policy(logits: &mut [f32], completed: &[Option<f32>], sigma: Sigma) {
    for (logit, q) in logits.iter_mut().zip(completed) {
        *logit = q.map_or(f32::NEG_INFINITY, |q| *logit + sigma.of(q));
    }
    let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    if highest == f32::NEG_INFINITY {
        return logits.fill(0.0);
    }
    let sum: f32 = logits.iter().map(|logit| (logit - highest).exp()).sum();
    for logit in logits {
        *logit = (*logit - highest).exp() / sum;
    }
}

/// The phases of sequential halving (algorithm 2): how many candidates each keeps and how often it
/// visits each of them. The last, of two candidates or the only one, lasts until the simulations
/// are spent; an earlier one may be cut short by their end.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Phases {
    simulations: u32,
    halvings: u32,
    /// Candidates of the next phase; 0 after the last.
    keep: u32,
}

impl Phases {
    /// The phases that spend `simulations` on `candidates`.
    pub(crate) fn new(simulations: u32, candidates: u32) -> Self {
        let halvings = candidates.max(2).next_power_of_two().ilog2();
        Self { simulations, halvings, keep: candidates }
    }
}

impl Iterator for Phases {
    /// Candidates kept, visits of each.
    type Item = (u32, u32);

    fn next(&mut self) -> Option<(u32, u32)> {
        let keep = self.keep;
        if keep <= 2 {
            self.keep = 0;
            return (keep > 0).then_some((keep, u32::MAX));
        }
        self.keep = (keep / 2).max(2);
        Some((keep, (self.simulations / (self.halvings * keep)).max(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: GumbelSettings = GumbelSettings { considered: 16, c_visit: 50.0, c_scale: 1.0 };

    #[test]
    fn sigma_has_the_scale_of_the_paper() {
        let sigma = Sigma::new(&SETTINGS, 14);
        assert_eq!(sigma.of(-1.0), 0.0);
        assert_eq!(sigma.of(1.0), 64.0);
    }

    #[test]
    fn the_mixed_value_weighs_visits_against_the_network() {
        let arm = |prior, visits, q| Arm { prior, visits, q };
        assert_eq!(mixed_value(0.5, []), 0.5);
        assert_eq!(mixed_value(0.5, [arm(0.3, 0, 1.0)]), 0.5, "known but unvisited");
        // (0.5 + 3 * (0.2 * 1 + 0.1 * -0.5) / 0.3) / 4 = (0.5 + 1.5) / 4
        let mixed = mixed_value(0.5, [arm(0.2, 2, 1.0), arm(0.1, 1, -0.5)]);
        assert!((mixed - 0.5).abs() < 1e-6);
    }

    #[test]
    fn inner_visits_follow_the_improved_policy() {
        let q = [0.1, 0.12, -0.4];
        let mut arms = [0.5, 0.3, 0.2].map(|prior| Arm { prior, visits: 0, q: 0.0 });
        let none = Untried { best: None, mass: 0.0 };
        for (arm, q) in arms.iter_mut().zip(q) {
            arm.q = q;
        }
        let visits = 10_000;
        let mut fixed = SETTINGS;
        fixed.c_scale = 0.0;
        for _ in 0..visits {
            let Some(Pick::Arm(arm)) = select_inner(&fixed, 0.0, &arms, none) else {
                panic!("there is always an arm")
            };
            arms[arm].visits += 1;
        }
        for arm in arms {
            let share = arm.visits as f32 / visits as f32;
            assert!((share - arm.prior).abs() < 1e-3, "{arm:?}");
        }
    }

    #[test]
    fn phases_halve() {
        let collect = |n, m| Phases::new(n, m).collect::<Vec<_>>();
        assert_eq!(collect(64, 16), [(16, 1), (8, 2), (4, 4), (2, u32::MAX)]);
        assert_eq!(collect(16, 16), [(16, 1), (8, 1), (4, 1), (2, u32::MAX)]);
        assert_eq!(collect(5, 3), [(3, 1), (2, u32::MAX)]);
        assert_eq!(collect(1, 1), [(1, u32::MAX)]);
    }

    #[test]
    fn lost_steps_leave_the_improved_policy() {
        let mut policy = [0.0, 1.0, 2.0];
        improve_policy(&mut policy, &[Some(0.0), Some(0.0), None], Sigma::new(&SETTINGS, 0));
        assert!((policy[1] / policy[0] - 1_f32.exp()).abs() < 1e-5);
        assert_eq!(policy[2], 0.0);
        improve_policy(&mut policy, &[None; 3], Sigma::new(&SETTINGS, 0));
        assert_eq!(policy, [0.0; 3]);
    }
}
