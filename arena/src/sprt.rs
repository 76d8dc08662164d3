//! [`Sprt`]: when a match has said enough.

use serde::{Deserialize, Serialize};
use statistics::mean_and_variance;

use crate::share_of;

/// What a result that no pair has had yet counts as. Without it, the first pairs of a match between
/// players that mostly draw would pass for certainty; much more of it would hide what they say.
const UNSEEN: f64 = 0.1;

/// How many times as long as the average one a test may last whose truth is half way between the
/// hypotheses. One in a hundred of those does, and under H0 or H1 so few that the chances of errors
/// hardly change: the tail of a Brownian motion between two bounds falls by `exp(-pi^2 / 8)` for each
/// such length, and by `exp(-|lower * upper| / 8)` more with a drift to one of them.
const PATIENCE: f64 = 4.0;

/// A generalised sequential probability ratio test on the pairs of a match: is A stronger than B by
/// `elo1` (H1) rather than by `elo0` (H0)?
///
/// Nothing but the expected score of a pair is fixed by the hypotheses, so the likelihood ratio is
/// that of the most likely distributions of pair results that have those scores (Li, Liu and Ying,
/// *Generalized sequential probability ratio test for separate families of hypotheses*, Sequential
/// Analysis 33, 2014; the distributions: Van den Bergh, *A practical introduction to the GSPRT*,
/// 2019, as fishtest and fastchess apply it to pentanomial pairs). The Elo differences are
/// logistic: that of a score `s` is `400 log10(s / (1 - s))`. The bounds of the logarithm of the
/// ratio are Wald's.
///
/// Every test ends. One that says neither, because the truth lies half way between the hypotheses,
/// is over when it has seen four times what such tests see on average; the likelier hypothesis is
/// then accepted, H0 if both are alike. With nothing but draws and hypotheses that are equally far
/// from an even score the ratio stays at 1, so that is how such a match ends.
///
/// ```
/// use arena::{Sprt, SprtVerdict};
/// let sprt = Sprt { elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05 };
/// assert_eq!(sprt.verdict(&[0, 0, 0, 0, 30]), SprtVerdict::AcceptH1);
/// assert_eq!(sprt.verdict(&[0, 0, 30, 0, 0]), SprtVerdict::AcceptH0);
/// assert_eq!(sprt.verdict(&[1, 2, 4, 2, 1]), SprtVerdict::Undecided);
/// let around_even = Sprt { elo0: -25.0, elo1: 25.0, ..sprt };
/// assert_eq!(around_even.verdict(&[0, 0, 30, 0, 0]), SprtVerdict::Undecided);
/// assert_eq!(around_even.verdict(&[0, 0, 60, 0, 0]), SprtVerdict::AcceptH0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// The Elo difference A - B under H0.
    pub elo0: f64,
    /// The Elo difference A - B under H1, which is greater.
    pub elo1: f64,
    /// The chance to accept H1 if H0 is true, above 0 and below 0.5.
    pub alpha: f64,
    /// The chance to accept H0 if H1 is true, above 0 and below 0.5.
    pub beta: f64,
}

impl Default for Sprt {
    fn default() -> Self {
        Self { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05 }
    }
}

/// What a test has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SprtVerdict {
    /// More pairs are needed.
    Undecided,
    /// A is not so much stronger.
    AcceptH0,
    /// A is so much stronger.
    AcceptH1,
}

/// A test that cannot be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are not in order, or too far away to be told from certainty.
    #[error("expected -2000 <= elo0 < elo1 <= 2000, found {elo0} and {elo1}")]
    Hypotheses {
        /// H0.
        elo0: f64,
        /// H1.
        elo1: f64,
    },
    /// A chance of an error that is none.
    #[error("{name}: expected a number above 0 and below 0.5, found {found}")]
    Chance {
        /// `alpha` or `beta`.
        name: &'static str,
        /// The number.
        found: f64,
    },
}

impl Sprt {
    /// Refuses hypotheses and chances that make no test.
    ///
    /// # Errors
    /// If they do not.
    pub fn check(&self) -> Result<(), SprtError> {
        let &Self { elo0, elo1, alpha, beta } = self;
        if !(-2000.0 <= elo0 && elo0 < elo1 && elo1 <= 2000.0) {
            return Err(SprtError::Hypotheses { elo0, elo1 });
        }
        for (name, found) in [("alpha", alpha), ("beta", beta)] {
            if !(found > 0.0 && found < 0.5) {
                return Err(SprtError::Chance { name, found });
            }
        }
        Ok(())
    }

    /// The logarithm of the likelihood ratio of H1 to H0, from the numbers of pairs that gave A 0,
    /// 1/2, 1, 3/2 and 2 points.
    #[must_use]
    pub fn log_likelihood_ratio(&self, pentanomial: &[u32; 5]) -> f64 {
        if pentanomial.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let counts = pentanomial.map(|count| if count == 0 { UNSEEN } else { f64::from(count) });
        let [under0, under1] = [self.elo0, self.elo1].map(|elo| weights(&counts, share_of(elo)));
        // The likeliest distribution has chances proportional to count / weight.
        counts.iter().zip(under0).zip(under1).map(|((n, w0), w1)| n * (w0 / w1).ln()).sum()
    }

    /// The bounds of [`Sprt::log_likelihood_ratio`]: at the lower one H0 is accepted, at the upper
    /// one H1.
    #[must_use]
    pub fn bounds(&self) -> [f64; 2] {
        let &Self { alpha, beta, .. } = self;
        [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()]
    }

    /// Whether the pairs have said so much that a test without a verdict is given up.
    ///
    /// The unit is the variance of the logarithm of the ratio. A test whose truth is half way ends
    /// where a motion without drift meets a bound, on average when that variance is the product of
    /// both bounds (Wald). The variance of the pairs is that of [`Elo`](crate::Elo), which is never 0.
    #[must_use]
    pub fn is_exhausted(&self, pentanomial: &[u32; 5]) -> bool {
        let pairs: f64 = pentanomial.iter().copied().map(f64::from).sum();
        if pairs == 0.0 {
            return false;
        }
        let (_, variance) = mean_and_variance(pentanomial, pairs);
        let distance = share_of(self.elo1) - share_of(self.elo0);
        let [lower, upper] = self.bounds();
        pairs * distance * distance / variance >= PATIENCE * -lower * upper
    }

    /// What the pairs seen so far say, to be asked after each pair in the order of the match: pairs
    /// taken in the order in which they end would favour the short ones.
    #[must_use]
    pub fn verdict(&self, pentanomial: &[u32; 5]) -> SprtVerdict {
        let ratio = self.log_likelihood_ratio(pentanomial);
        match self.bounds() {
            [lower, _] if ratio <= lower => SprtVerdict::AcceptH0,
            [_, upper] if ratio >= upper => SprtVerdict::AcceptH1,
            _ if !self.is_exhausted(pentanomial) => SprtVerdict::Undecided,
            // Rounding errors do not speak for A.
            _ if ratio > 1e-9 => SprtVerdict::AcceptH1,
            _ => SprtVerdict::AcceptH0,
        }
    }
}

impl std::fmt::Display for SprtVerdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Undecided => "undecided",
            Self::AcceptH0 => "H0 accepted",
            Self::AcceptH1 => "H1 accepted",
        })
    }
}

/// By how much the share of each pair result is to be divided so that the expected score becomes
/// `score` and the likelihood as great as it can be: `1 + t (a - score)` for the result `a`, with
/// the `t` at which the shares keep their sum.
fn weights(counts: &[f64; 5], score: f64) -> [f64; 5] {
    let distances: [f64; 5] = std::array::from_fn(|i| i as f64 / 4.0 - score);
    // Falls from +infinity to -infinity between these two: all weights are positive there.
    let (mut low, mut high) = (-1.0 / distances[4], -1.0 / distances[0]);
    let mut t = 0.0;
    for _ in 0..100 {
        let (mut value, mut slope) = (0.0, 0.0);
        for (n, d) in counts.iter().zip(distances) {
            let part = d / (1.0 + t * d);
            value += n * part;
            slope -= n * part * part;
        }
        *(if value > 0.0 { &mut low } else { &mut high }) = t;
        // Newton's step, or the middle where it would leave the interval.
        let newton = t - value / slope;
        let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        if (next - t).abs() <= 1e-12 * t.abs().max(1e-3) {
            break;
        }
        t = next;
    }
    distances.map(|d| 1.0 + t * d)
}

#[cfg(test)]
mod tests {
    use rand::Rng;

    use super::*;
    use crate::seeds::{Random, random};

    const TEST: Sprt = Sprt { elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05 };

    /// The distribution of the shape of `base` whose expected score is that of `elo`.
    fn tilted(base: [f64; 5], elo: f64) -> [f64; 5] {
        let (mut low, mut high) = (-100.0, 100.0);
        loop {
            let tilt = f64::midpoint(low, high);
            let raw: [f64; 5] = std::array::from_fn(|i| base[i] * (tilt * i as f64 / 4.0).exp());
            let sum: f64 = raw.iter().sum();
            let shares = raw.map(|share| share / sum);
            let score: f64 = shares.iter().enumerate().map(|(i, p)| p * i as f64 / 4.0).sum();
            if high - low < 1e-9 {
                return shares;
            }
            *(if score < share_of(elo) { &mut low } else { &mut high }) = tilt;
        }
    }

    fn simulated(sprt: &Sprt, shares: [f64; 5], random: &mut Random) -> SprtVerdict {
        let mut pentanomial = [0; 5];
        loop {
            let mut at: f64 = random.random();
            let place = shares.iter().position(|&share| {
                at -= share;
                at < 0.0
            });
            pentanomial[place.unwrap_or(4)] += 1;
            match sprt.verdict(&pentanomial) {
                SprtVerdict::Undecided => {}
                decided => return decided,
            }
        }
    }

    /// Of 2,000 tests at most 130 accept H1 under H0 and at least 1,870 under H1: for pairs that
    /// scatter as they do between equals, without draws, with nearly nothing else; and where some
    /// tests are given up.
    #[test]
    fn the_chances_of_errors_are_kept() {
        let around_even = Sprt { elo0: -25.0, elo1: 25.0, ..TEST };
        let mut random = random(1);
        for (sprt, base) in [
            (TEST, [0.1, 0.2, 0.4, 0.2, 0.1]),
            (TEST, [0.25, 0.0, 0.5, 0.0, 0.25]),
            (TEST, [0.01, 0.04, 0.9, 0.04, 0.01]),
            (around_even, [0.01, 0.04, 0.9, 0.04, 0.01]),
            (around_even, [0.001, 0.009, 0.98, 0.009, 0.001]),
        ] {
            let mut accepted = |elo| {
                let shares = tilted(base, elo);
                let tests = (0..2000).map(|_| simulated(&sprt, shares, &mut random));
                tests.filter(|&verdict| verdict == SprtVerdict::AcceptH1).count()
            };
            let (under0, under1) = (accepted(sprt.elo0), accepted(sprt.elo1));
            assert!(under0 <= 130, "{sprt:?}, {base:?}: {under0} of 2000 accept H1 under H0");
            assert!(under1 >= 1870, "{sprt:?}, {base:?}: {under1} of 2000 accept H1 under H1");
        }
    }

    /// Where nothing speaks for either hypothesis, tests end all the same, each way as often.
    #[test]
    fn tests_half_way_end() {
        let sprt = Sprt { elo0: -25.0, elo1: 25.0, ..TEST };
        let mut random = random(2);
        for shares in [[0.1, 0.2, 0.4, 0.2, 0.1], [0.01, 0.04, 0.9, 0.04, 0.01]] {
            let tests = (0..1000).map(|_| simulated(&sprt, shares, &mut random));
            let accepted = tests.filter(|&verdict| verdict == SprtVerdict::AcceptH1).count();
            assert!((400..600).contains(&accepted), "{shares:?}: {accepted} of 1000 accept H1");
        }
    }

    /// The verdict on pairs that all have result `place`, and how many pairs it takes.
    fn first_verdict(sprt: &Sprt, place: usize) -> Option<(u32, SprtVerdict)> {
        (1..2000).find_map(|pairs| {
            let mut pentanomial = [0; 5];
            pentanomial[place] = pairs;
            let verdict = sprt.verdict(&pentanomial);
            (verdict != SprtVerdict::Undecided).then_some((pairs, verdict))
        })
    }

    #[test]
    fn matches_of_one_result_end() {
        for elo1 in [2.0, 10.0, 50.0, 300.0] {
            let sprt = Sprt { elo1, ..TEST };
            for (place, expected) in
                [(0, SprtVerdict::AcceptH0), (2, SprtVerdict::AcceptH0), (4, SprtVerdict::AcceptH1)]
            {
                let (pairs, verdict) = first_verdict(&sprt, place).expect("an end");
                assert_eq!(verdict, expected, "elo1 {elo1}, result {place}, {pairs} pairs");
                assert!(pairs > 1, "elo1 {elo1}, result {place}: {pairs} pairs are few");
            }
        }
    }

    /// Also where draws alone leave the ratio at 1; and wins and losses change places with A and B.
    #[test]
    fn matches_of_one_result_end_around_even() {
        for elo in [1.0, 10.0, 100.0, 400.0] {
            let sprt = Sprt { elo0: -elo, elo1: elo, ..TEST };
            let [(losses, lost), (draws, drawn), (wins, won)] =
                [0, 2, 4].map(|place| first_verdict(&sprt, place).expect("an end"));
            assert_eq!(
                (lost, drawn, won),
                (SprtVerdict::AcceptH0, SprtVerdict::AcceptH0, SprtVerdict::AcceptH1)
            );
            assert_eq!(losses, wins, "elo {elo}");
            assert!(draws > 1, "elo {elo}: {draws} pairs are few");
        }
    }

    /// With much data and near hypotheses the ratio is that of two normal distributions with the
    /// variance seen: n (s1 - s0) (2 mean - s0 - s1) / (2 variance).
    #[test]
    fn the_ratio_is_near_the_normal_one() {
        let sprt = Sprt { elo0: 0.0, elo1: 4.0, ..TEST };
        let pentanomial = [1000, 2000, 4500, 2200, 1100];
        let pairs = 10_800.0;
        let moment = |power| -> f64 {
            let terms = pentanomial.iter().enumerate();
            terms.map(|(i, &n)| f64::from(n) * (i as f64 / 4.0).powi(power)).sum::<f64>() / pairs
        };
        let (mean, variance) = (moment(1), moment(2) - moment(1) * moment(1));
        let (s0, s1) = (share_of(0.0), share_of(4.0));
        let expected = pairs * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        let found = sprt.log_likelihood_ratio(&pentanomial);
        assert!((found / expected - 1.0).abs() < 0.01, "expected {expected}, found {found}");
        // Seen by the other side, the hypotheses change places.
        let theirs = Sprt { elo0: -4.0, elo1: 0.0, ..TEST };
        let mut turned = pentanomial;
        turned.reverse();
        assert!((found + theirs.log_likelihood_ratio(&turned)).abs() < 1e-6);
        assert_eq!(sprt.log_likelihood_ratio(&[0; 5]), 0.0);
    }

    #[test]
    fn impossible_tests_are_refused() {
        assert_eq!(TEST.check(), Ok(()));
        let refused = |sprt: Sprt| sprt.check().unwrap_err().to_string();
        assert_eq!(
            refused(Sprt { elo1: 0.0, ..TEST }),
            "expected -2000 <= elo0 < elo1 <= 2000, found 0 and 0"
        );
        assert_eq!(
            refused(Sprt { elo0: f64::NAN, ..TEST }),
            "expected -2000 <= elo0 < elo1 <= 2000, found NaN and 50"
        );
        assert_eq!(
            refused(Sprt { beta: 0.0, ..TEST }),
            "beta: expected a number above 0 and below 0.5, found 0"
        );
    }
}
