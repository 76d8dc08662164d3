//! How the run's quantities change over its course: pure functions.

use crate::{LearnerSettings, ReplaySettings, RunSettings};

/// How far a run is on its way to its nearest limit after `seconds` of training and so many
/// generations, 0 to 1; 0 without a limit.
#[must_use]
pub fn progress(run: &RunSettings, seconds: f64, generations: u32) -> f64 {
    let share = |done: f64, limit: f64| if limit > 0.0 { done / limit } else { 0.0 };
    share(seconds, run.minutes * 60.0)
        .max(share(f64::from(generations), f64::from(run.generations)))
        .min(1.0)
}

/// The rows in the replay window when the run has made `rows`: KataGo's law
/// `c (1 + beta ((n / c)^alpha - 1) / alpha)` (Wu 2019, section 5.1), everything up to `c` rows.
#[must_use]
pub fn window_rows(rows: u64, settings: &ReplaySettings) -> u64 {
    let (n, c) = (rows as f64, settings.window as f64);
    if n <= c {
        return rows;
    }
    let growth = ((n / c).powf(settings.exponent) - 1.0) / settings.exponent;
    (c * (1.0 + settings.slope * growth)) as u64
}

/// The learning rate at `step`, `progress` (0 to 1) through the run: linear warm-up, then a cosine
/// from the highest rate to its final share.
#[must_use]
pub fn learning_rate(step: i64, progress: f64, settings: &LearnerSettings) -> f64 {
    let warm_up = (step + 1) as f64 / f64::from(settings.warm_up.max(1));
    let cosine = 0.5 * (1.0 + (std::f64::consts::PI * progress.clamp(0.0, 1.0)).cos());
    let share = settings.final_rate + (1.0 - settings.final_rate) * cosine;
    settings.rate * share * warm_up.min(1.0)
}

/// The steps the learner may have taken when the run has made `rows`.
#[must_use]
pub fn steps_due(rows: u64, replay: &ReplaySettings, batch: usize) -> i64 {
    if rows < replay.minimum {
        return 0;
    }
    (rows as f64 * replay.passes / batch as f64) as i64
}

/// The share of the final material in the value target of games that nobody has won, at `step`: from
/// the configured one down to 0, along a line.
#[must_use]
pub fn material_share(step: i64, settings: &LearnerSettings) -> f32 {
    let passed = step as f32 / settings.material_steps.max(1) as f32;
    settings.material_mix * (1.0 - passed).max(0.0)
}

/// How much of the average an averaging step keeps: the configured share, less at first, so that
/// the average forgets its random start.
#[must_use]
pub fn average_share(step: i64, settings: &LearnerSettings) -> f64 {
    settings.average.min((1.0 + step as f64) / (10.0 + step as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_holds_everything_at_first_and_grows_slower_later() {
        let settings = ReplaySettings { window: 1000, ..ReplaySettings::default() };
        assert_eq!(window_rows(400, &settings), 400);
        assert_eq!(window_rows(1000, &settings), 1000);
        // 1000 (1 + 0.4 (16^0.75 - 1) / 0.75) = 1000 (1 + 0.4 * 7 / 0.75)
        assert_eq!(window_rows(16_000, &settings), 4733);
    }

    #[test]
    fn the_rate_rises_then_falls_to_its_final_share() {
        let settings =
            LearnerSettings { rate: 1.0, final_rate: 0.1, warm_up: 10, ..Default::default() };
        assert!((learning_rate(0, 0.0, &settings) - 0.1).abs() < 1e-9);
        assert!((learning_rate(10, 0.0, &settings) - 1.0).abs() < 1e-9);
        assert!((learning_rate(1000, 0.5, &settings) - 0.55).abs() < 1e-9);
        assert!((learning_rate(1000, 1.0, &settings) - 0.1).abs() < 1e-9);
    }

    #[test]
    fn material_counts_less_and_less() {
        let settings =
            LearnerSettings { material_mix: 0.5, material_steps: 100, ..Default::default() };
        let shares = [0, 50, 100, 1000].map(|step| material_share(step, &settings));
        assert_eq!(shares, [0.5, 0.25, 0.0, 0.0]);
        assert_eq!(material_share(0, &LearnerSettings::default()), 0.0);
    }

    #[test]
    fn no_step_is_due_before_the_minimum() {
        let replay = ReplaySettings { minimum: 1000, passes: 2.0, ..ReplaySettings::default() };
        assert_eq!(steps_due(999, &replay, 100), 0);
        assert_eq!(steps_due(1000, &replay, 100), 20);
    }
}
