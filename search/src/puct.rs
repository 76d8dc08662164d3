//! PUCT: AlphaZero (Silver et al. 2018) with KataGo's refinements (Wu 2019, "Accelerating
//! self-play learning in Go", section 3.2 and its later notes). Scores are -1 to 1.

use crate::PuctSettings;
use crate::selection::{Arm, Pick, Untried, argmax};

/// The exploration constant at a node with `visits` visits of its steps:
/// `c_init + c_log ln((visits + c_base) / c_base)`.
pub(crate) fn exploration(settings: &PuctSettings, visits: u32) -> f32 {
    let (visits, base) = (visits as f32, settings.c_base);
    settings.c_init + settings.c_log * ((visits + base) / base).ln()
}

/// `q + factor P / (1 + N)`, where `factor` is `c sqrt(sum_b N(b))`.
#[inline]
fn score(arm: Arm, factor: f32) -> f32 {
    arm.q + factor * arm.prior / (1.0 + arm.visits as f32)
}

/// `c sqrt(sum_b N(b))`; at least one visit is assumed, so that the first goes to the likeliest
/// step.
fn factor(settings: &PuctSettings, arms: &[Arm]) -> f32 {
    let visits: u32 = arms.iter().map(|arm| arm.visits).sum();
    exploration(settings, visits) * (visits.max(1) as f32).sqrt()
}

/// The step with the greatest upper bound. An untried step has the value of the node, `value`, less
/// `reduction` times the root of the prior mass of the visited steps (first-play urgency). None if
/// there is nothing to select.
pub(crate) fn select(
    settings: &PuctSettings,
    value: f32,
    reduction: f32,
    arms: &[Arm],
    untried: Untried,
) -> Option<Pick> {
    let factor = factor(settings, arms);
    let mut best = untried.best.map(|prior| {
        let seen: f32 = arms.iter().map(|arm| arm.prior).sum();
        let urgency = value - reduction * seen.sqrt();
        (Pick::Untried, score(Arm { prior, visits: 0, q: urgency }, factor))
    });
    for (index, &arm) in arms.iter().enumerate() {
        let score = score(arm, factor);
        if best.is_none_or(|(_, best)| score > best) {
            best = Some((Pick::Arm(index), score));
        }
    }
    best.map(|(pick, _)| pick)
}

/// Visits that a once visited step has to get: `sqrt(k P sum_b N(b))`.
fn forced(k: f32, prior: f32, total: u32) -> f32 {
    (k * prior * total as f32).sqrt()
}

/// The first step that has been visited, but less often than it has to be.
pub(crate) fn forced_playout(k: f32, arms: &[Arm]) -> Option<usize> {
    let total = arms.iter().map(|arm| arm.visits).sum();
    arms.iter().position(|arm| arm.visits > 0 && (arm.visits as f32) < forced(k, arm.prior, total))
}

/// Policy-target pruning: the visits of `arms` without those that only forced playouts and noise
/// can explain. From each step but the most visited up to [`forced`] visits are taken, as long as
/// its bound stays below that of the most visited; what is left with one visit loses it too. Ends
/// with one number an arm in `into`, the most visited step's unchanged.
pub(crate) fn pruned_visits(settings: &PuctSettings, arms: &[Arm], into: &mut Vec<f32>) {
    into.clear();
    into.extend(arms.iter().map(|arm| arm.visits as f32));
    let k = settings.forced_playouts;
    if arms.is_empty() || k == 0.0 {
        return;
    }
    let most = argmax(into.iter().copied());
    let total = arms.iter().map(|arm| arm.visits).sum();
    let factor = factor(settings, arms);
    let bound = score(arms[most], factor);
    for (index, (&arm, visits)) in arms.iter().zip(into).enumerate() {
        if index == most || arm.visits == 0 {
            continue;
        }
        // The fewest visits n with q + factor P / (1 + n) <= bound.
        let gap = bound - arm.q;
        let fewest = if gap > 0.0 { (factor * arm.prior / gap - 1.0).ceil() } else { *visits };
        let least = (*visits - forced(k, arm.prior, total)).ceil();
        let kept = fewest.max(least).clamp(0.0, *visits);
        *visits = if kept <= 1.0 { 0.0 } else { kept };
    }
}

/// Raises probabilities to one over `temperature` and mixes `share` of `noise` in.
pub(crate) fn shape_root_priors(priors: &mut [f32], temperature: f32, share: f32, noise: &[f32]) {
    let highest = priors.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    let mut sum = 0.0;
    for prior in &mut *priors {
        *prior = (*prior / highest).powf(1.0 / temperature);
        sum += *prior;
    }
    for (prior, noise) in priors.iter_mut().zip(noise) {
        *prior = (1.0 - share) * *prior / sum + share * noise;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arm(prior: f32, visits: u32, q: f32) -> Arm {
        Arm { prior, visits, q }
    }

    #[test]
    fn the_first_visit_goes_to_the_likeliest_step() {
        let settings = PuctSettings::default();
        let untried = Untried { best: Some(0.6), mass: 0.9 };
        let known = [arm(0.1, 0, 0.0)];
        assert_eq!(select(&settings, 0.0, 0.2, &known, untried), Some(Pick::Untried));
        assert_eq!(select(&settings, 0.0, 0.2, &[], Untried { best: None, mass: 0.0 }), None);
    }

    #[test]
    fn first_play_urgency_holds_untried_steps_back() {
        let settings = PuctSettings::default();
        let arms = [arm(0.81, 10, 0.0)];
        let untried = Untried { best: Some(0.19), mass: 0.19 };
        // Visited: 0 + c sqrt(10) 0.81 / 11 = 0.24; untried: c sqrt(10) 0.19 - 0.9 r = 0.61 - 0.9 r.
        assert_eq!(select(&settings, 0.0, 0.2, &arms, untried), Some(Pick::Untried));
        assert_eq!(select(&settings, 0.0, 0.5, &arms, untried), Some(Pick::Arm(0)));
    }

    #[test]
    fn forced_playouts_need_a_first_visit() {
        // sqrt(2 * 0.25 * 32) = 4
        assert_eq!(forced_playout(2.0, &[arm(0.5, 28, 0.0), arm(0.25, 4, -1.0)]), None);
        assert_eq!(forced_playout(2.0, &[arm(0.5, 29, 0.0), arm(0.25, 3, -1.0)]), Some(1));
        assert_eq!(forced_playout(2.0, &[arm(0.5, 32, 0.0), arm(0.25, 0, 0.0)]), None);
    }

    #[test]
    fn pruning_takes_forced_visits_and_leaves_earned_ones() {
        let settings = PuctSettings::default();
        let arms = [arm(0.5, 100, 0.2), arm(0.3, 60, 0.2), arm(0.1, 5, -0.9), arm(0.1, 1, 0.1)];
        let mut visits = Vec::new();
        pruned_visits(&settings, &arms, &mut visits);
        assert_eq!(visits, [100.0, 60.0, 0.0, 0.0]);
        let open = PuctSettings { forced_playouts: 0.0, ..settings };
        pruned_visits(&open, &arms, &mut visits);
        assert_eq!(visits, [100.0, 60.0, 5.0, 1.0]);
    }

    #[test]
    fn root_priors_stay_probabilities() {
        let mut priors = [0.7, 0.2, 0.1, f32::MIN_POSITIVE];
        shape_root_priors(&mut priors, 1.1, 0.25, &[0.0, 0.0, 0.0, 1.0]);
        assert!((priors.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!(priors[3] >= 0.25 && priors[0] < 0.7);
        let mut same = [0.7, 0.3];
        shape_root_priors(&mut same, 1.0, 0.0, &[0.5, 0.5]);
        assert!((same[0] - 0.7).abs() < 1e-6);
    }
}
