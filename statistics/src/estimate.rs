//! [`Estimate`]: a number with its 95% interval.

use serde::Serialize;

/// The 97.5% quantile of the normal distribution.
pub const Z: f64 = 1.959_963_984_540_054;

/// The chance that each side of a 95% interval misses.
const TAIL: f64 = 0.025;

/// A number with its 95% interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The number itself.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// A number that is normally distributed with this standard `error`.
    #[must_use]
    pub fn normal(value: f64, error: f64) -> Self {
        Self { value, low: value - Z * error, high: value + Z * error }
    }

    /// The share that `hits` are of `trials`, by Wilson (1927); none without trials.
    #[must_use]
    pub fn of_share(hits: u64, trials: u64) -> Option<Self> {
        let share = hits as f64 / trials as f64;
        (trials > 0).then(|| Self::wilson(share, trials as f64))
    }

    /// The mean share of the points in independent trials, from the numbers of those that gave
    /// none, a quarter, half, three quarters and all of them; none without trials.
    ///
    /// The interval is Wilson's, on the number of yes-or-no trials that would scatter as much
    /// ([`mean_and_variance`]). At all or no points the bound is exact (Clopper and Pearson).
    #[must_use]
    pub fn of_points(quarters: &[u32; 5]) -> Option<Self> {
        let trials: f64 = quarters.iter().copied().map(f64::from).sum();
        if trials == 0.0 {
            return None;
        }
        // All trials succeed with chance TAIL if each does with chance TAIL^(1/n).
        let bound = TAIL.powf(1.0 / trials);
        if f64::from(quarters[4]) == trials {
            return Some(Self { value: 1.0, low: bound, high: 1.0 });
        }
        if f64::from(quarters[0]) == trials {
            return Some(Self { value: 0.0, low: 0.0, high: 1.0 - bound });
        }
        let (mean, variance) = mean_and_variance(quarters, trials);
        Some(Self::wilson(mean, mean * (1.0 - mean) * trials / variance))
    }

    /// A share seen in `trials` trials.
    fn wilson(share: f64, trials: f64) -> Self {
        let spread = Z * Z / trials;
        let middle = share + spread / 2.0;
        let half = Z * (share * (1.0 - share) / trials + spread / (4.0 * trials)).sqrt();
        let [low, high] = [middle - half, middle + half].map(|end| end / (1.0 + spread));
        Self { value: share, low, high }
    }

    /// Whether the whole interval is above 0.
    #[must_use]
    pub fn is_positive(&self) -> bool {
        self.low > 0.0
    }
}

/// The mean share of the points in `trials` trials, and its variance a trial. One more trial, half
/// of it at the worst and half at the best result, is imagined for the variance, so that nothing but
/// equal trials is not taken for certainty.
#[must_use]
pub fn mean_and_variance(quarters: &[u32; 5], trials: f64) -> (f64, f64) {
    let sum = |term: fn(f64) -> f64| -> f64 {
        let terms = quarters.iter().enumerate();
        terms.map(|(i, &count)| f64::from(count) * term(i as f64 / 4.0)).sum()
    };
    let mean = sum(|share| share) / trials;
    let squares = sum(|share| share * share) - trials * mean * mean;
    let imagined = (mean * mean + (1.0 - mean) * (1.0 - mean)) / 2.0;
    (mean, (squares + imagined) / trials)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-4, "expected {expected}, found {found}");
    }

    /// Newcombe (1998), Table I: methods 3 and 5 without continuity correction.
    #[test]
    fn shares_have_the_published_intervals() {
        for (hits, trials, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let share = Estimate::of_share(hits, trials).unwrap();
            near(share.value, hits as f64 / trials as f64);
            near(share.low, low);
            near(share.high, high);
        }
        assert_eq!(Estimate::of_share(0, 0), None);
    }

    #[test]
    fn points_scatter_less_the_more_trials_are_halved() {
        let [wins, halves] = [[50, 0, 0, 0, 50], [25, 0, 50, 0, 25]]
            .map(|quarters| Estimate::of_points(&quarters).unwrap());
        assert_eq!((wins.value, halves.value), (0.5, 0.5));
        // 100 trials of variance 0.25, and 0.25 imagined: 99.01 yes-or-no trials.
        near(wins.low, 0.4034);
        assert!(halves.low > wins.low + 0.02 && halves.high < wins.high - 0.02);
        let drawn = Estimate::of_points(&[0, 0, 100, 0, 0]).unwrap();
        assert!(drawn.low < 0.495 && drawn.high > 0.505, "{drawn:?}");
    }

    #[test]
    fn all_or_no_points_have_the_exact_bound() {
        // 0.025^(1/200)
        let all = Estimate::of_points(&[0, 0, 0, 0, 200]).unwrap();
        near(all.low, 0.981_725);
        let none = Estimate::of_points(&[200, 0, 0, 0, 0]).unwrap();
        near(none.high, 1.0 - 0.981_725);
        assert_eq!((all.value, all.high, none.value, none.low), (1.0, 1.0, 0.0, 0.0));
        assert_eq!(Estimate::of_points(&[0; 5]), None);
    }
}
