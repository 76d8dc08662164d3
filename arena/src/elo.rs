//! [`Elo`]: what a score says about strength.

use serde::{Deserialize, Serialize};
use statistics::{Estimate, mean_and_variance};

/// An Elo difference with its 95% interval. A missing number is infinite: all or no points.
///
/// The unit of the statistics is the pair of games of one opening, because its two games are not
/// independent: both colours may win it. The interval is that of [`Estimate::of_points`], with each
/// pair a trial, so that it scatters by the pentanomial variance.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Elo {
    /// The difference that would make the score seen the expected one.
    pub estimate: Option<f64>,
    /// The lower end of the interval.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
}

impl Elo {
    /// From the numbers of pairs that gave 0, 1/2, 1, 3/2 and 2 points.
    ///
    /// ```
    /// let elo = arena::Elo::of_pairs(&[10, 10, 40, 20, 20]);
    /// assert_eq!(elo.to_string(), "+53 [+11, +94]");
    /// assert_eq!(arena::Elo::of_pairs(&[0, 0, 0, 0, 28]).to_string(), "> +341");
    /// ```
    #[must_use]
    pub fn of_pairs(pentanomial: &[u32; 5]) -> Self {
        let share = Estimate::of_points(pentanomial);
        let elo_at =
            |end: fn(Estimate) -> f64| share.map(end).map(elo_of).filter(|elo| elo.is_finite());
        Self {
            estimate: elo_at(|share| share.value),
            low: elo_at(|share| share.low),
            high: elo_at(|share| share.high),
        }
    }
}

/// The chance that the true mean of such pairs is above one half.
pub(crate) fn superiority(pentanomial: &[u32; 5]) -> f64 {
    let pairs: f64 = pentanomial.iter().copied().map(f64::from).sum();
    if pairs == 0.0 {
        return 0.5;
    }
    let (mean, variance) = mean_and_variance(pentanomial, pairs);
    normal_below((mean - 0.5) / (variance / pairs).sqrt())
}

/// The chance that a normally distributed number is below `z` standard deviations (Abramowitz and
/// Stegun, 26.2.17; the error is below 1e-7).
fn normal_below(z: f64) -> f64 {
    const SERIES: [f64; 5] =
        [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let t = 1.0 / (1.0 + 0.231_641_9 * z.abs());
    let sum = SERIES.iter().rev().fold(0.0, |sum, term| (sum + term) * t);
    let above = (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt() * sum;
    if z < 0.0 { above } else { 1.0 - above }
}

/// The share of the points that an Elo difference makes one expect, 0 to 1.
#[must_use]
pub fn share_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The Elo difference at which `share` of the points is expected; infinite at 0 and 1.
fn elo_of(share: f64) -> f64 {
    400.0 * (share / (1.0 - share)).log10()
}

impl std::fmt::Display for Elo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self { estimate: Some(estimate), low: Some(low), high: Some(high) } => {
                write!(f, "{} [{}, {}]", Signed(estimate), Signed(low), Signed(high))
            }
            Self { low: Some(low), .. } => write!(f, "> {}", Signed(low)),
            Self { high: Some(high), .. } => write!(f, "< {}", Signed(high)),
            Self { .. } => f.write_str("unknown"),
        }
    }
}

/// A number rounded to a whole one, with its sign; 0 has none.
struct Signed(f64);

impl std::fmt::Display for Signed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0.round() {
            0.0 => f.write_str("0"),
            rounded => write!(f, "{rounded:+.0}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::Rng;

    use super::*;
    use crate::seeds::random;

    fn near(found: Option<f64>, expected: f64) {
        let found = found.unwrap();
        assert!((found - expected).abs() < 0.01, "expected {expected}, found {found}");
    }

    #[test]
    fn figures_computed_by_hand() {
        // 100 pairs, mean 0.5, squares 25 / 4 + 25 / 4 = 12.5, one imagined pair 0.25: variance
        // 0.1275, as 25 / 0.1275 = 196.08 trials. Wilson: 3.84146 / 196.08 = 0.019591;
        // 1.95996 sqrt(0.25 / 196.08 + 0.019591 / 784.31) / 1.019591 = 0.069309 on either side;
        // 400 log10(0.569309 / 0.430691) = 48.47.
        let even = Elo::of_pairs(&[25, 0, 50, 0, 25]);
        near(even.estimate, 0.0);
        near(even.low, -48.47);
        near(even.high, 48.47);
        assert_eq!(even.to_string(), "0 [-48, +48]");
        // 200 pairs, 381 of 400 points: 400 log10(0.9525 / 0.0475) = 520.87. Squares
        // 22 * 0.5625 + 174 - 200 * 0.9525^2 = 4.92375, imagined 0.454756, variance 0.0268925,
        // 336.48 trials.
        let strong = Elo::of_pairs(&[4, 0, 0, 22, 174]);
        near(strong.estimate, 520.87);
        near(strong.low, 434.50);
        near(strong.high, 607.24);
        // The same points scattered less: the pairs are what counts.
        let calm = Elo::of_pairs(&[0, 0, 6, 26, 168]);
        near(calm.estimate, strong.estimate.unwrap());
        assert!(calm.low > strong.low && calm.high < strong.high);
    }

    #[test]
    fn all_or_no_points_give_the_exact_bound() {
        // 0.025^(1/200) = 0.981725, 400 log10(0.981725 / 0.018275) = 692.05
        let all = Elo::of_pairs(&[0, 0, 0, 0, 200]);
        near(all.low, 692.05);
        assert_eq!((all.estimate, all.high), (None, None));
        assert_eq!(all.to_string(), "> +692");
        let none = Elo::of_pairs(&[200, 0, 0, 0, 0]);
        near(none.high, -692.05);
        assert_eq!(none.to_string(), "< -692");
        assert_eq!(Elo::of_pairs(&[0; 5]).to_string(), "unknown");
    }

    #[test]
    fn the_view_of_the_other_side_is_the_negative() {
        let (mine, theirs) = (Elo::of_pairs(&[1, 2, 3, 4, 50]), Elo::of_pairs(&[50, 4, 3, 2, 1]));
        near(mine.estimate, -theirs.estimate.unwrap());
        near(mine.low, -theirs.high.unwrap());
        near(mine.high, -theirs.low.unwrap());
    }

    #[test]
    fn superiority_is_the_normal_chance_of_a_mean_above_one_half() {
        for (z, expected) in
            [(0.0, 0.5), (1.0, 0.841_344_75), (-1.959_964, 0.025), (4.0, 0.999_968_33)]
        {
            assert!((normal_below(z) - expected).abs() < 1e-7, "{z}");
        }
        assert_eq!(superiority(&[0; 5]), 0.5);
        assert!((superiority(&[10, 20, 40, 20, 10]) - 0.5).abs() < 1e-7);
        // 100 pairs, mean 0.55, squares 34.25 - 30.25 = 4, imagined 0.2525: 0.05 / sqrt(0.042525 /
        // 100) = 2.424643.
        let pentanomial = [2, 8, 68, 12, 10];
        assert!((superiority(&pentanomial) - normal_below(2.424_643)).abs() < 1e-6);
        let mut theirs = pentanomial;
        theirs.reverse();
        assert!((superiority(&pentanomial) + superiority(&theirs) - 1.0).abs() < 1e-7);
    }

    #[test]
    fn equal_pairs_are_not_certainty() {
        let elo = Elo::of_pairs(&[0, 0, 10, 0, 0]);
        assert_eq!(elo.estimate, Some(0.0));
        assert!(elo.high.unwrap() > 20.0, "{elo}");
        let more = Elo::of_pairs(&[0, 0, 1000, 0, 0]);
        assert!(more.high.unwrap() < elo.high.unwrap() / 4.0, "{more}");
    }

    /// Intervals contain the truth about 95 times in 100, for pairs that scatter little or much, in
    /// even and in one-sided matches.
    #[test]
    fn intervals_cover_the_truth() {
        let cases: [[f64; 5]; 6] = [
            [0.1, 0.2, 0.4, 0.2, 0.1],
            [0.3, 0.0, 0.4, 0.0, 0.3],
            [0.02, 0.08, 0.2, 0.3, 0.4],
            [0.0, 0.01, 0.04, 0.1, 0.85],
            [0.0, 0.0, 0.02, 0.0, 0.98],
            [0.05, 0.05, 0.8, 0.05, 0.05],
        ];
        let mut random = random(1);
        for chances in cases {
            let mean: f64 = chances.iter().enumerate().map(|(i, p)| p * i as f64 / 4.0).sum();
            let truth = elo_of(mean);
            for pairs in [20, 50, 200] {
                let trials = 4000;
                let mut covered = 0;
                for _ in 0..trials {
                    let mut pentanomial = [0; 5];
                    for _ in 0..pairs {
                        let mut at: f64 = random.random();
                        let place = chances.iter().position(|&p| {
                            at -= p;
                            at < 0.0
                        });
                        pentanomial[place.unwrap_or(4)] += 1;
                    }
                    let elo = Elo::of_pairs(&pentanomial);
                    let above = elo.low.is_none_or(|low| low <= truth);
                    covered += u32::from(above && elo.high.is_none_or(|high| truth <= high));
                }
                let share = f64::from(covered) / f64::from(trials);
                // With few pairs that scatter little the imagined pair makes it wider than need be.
                let most = if pairs < 50 { 0.999 } else { 0.99 };
                assert!((0.94..most).contains(&share), "{chances:?}, {pairs} pairs: {share}");
            }
        }
    }
}
