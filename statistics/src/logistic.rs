//! [`Sample`] and [`Fit`]: logistic regression on rows that come in clusters.

use nalgebra::{Cholesky, DMatrix, DVector, DVectorView};

use crate::{Estimate, Z};

/// Newton's steps after which a fit is taken as it is; a handful is usual.
const MOST_STEPS: usize = 100;

/// Ways in which a step is shortened before it is given up: the rest is rounding.
const MOST_HALVINGS: usize = 40;

/// The log-likelihood that a step must promise to be worth taking.
const WORTH_A_STEP: f64 = 1e-10;

/// Rows of numbers with outcomes from 0 to 1. Those of one cluster depend on each other in whatever
/// way, those of different clusters do not.
#[derive(Debug, Clone)]
pub struct Sample {
    width: usize,
    rows: Vec<f64>,
    /// By row: outcome and weight.
    outcomes: Vec<[f64; 2]>,
    /// By cluster: the row behind its last one.
    ends: Vec<usize>,
}

impl Sample {
    /// A sample of rows of `width` numbers, without any yet.
    #[must_use]
    pub fn new(width: usize) -> Self {
        Self { width, rows: Vec::new(), outcomes: Vec::new(), ends: Vec::new() }
    }

    /// Adds a row to the last cluster; `weight` is how often it was seen.
    ///
    /// # Panics
    /// If the row has another width.
    pub fn push(&mut self, row: &[f64], outcome: f64, weight: f64) {
        assert_eq!(row.len(), self.width, "rows are alike");
        self.rows.extend_from_slice(row);
        self.outcomes.push([outcome, weight]);
    }

    /// Closes the last cluster, unless it has no rows.
    pub fn end_cluster(&mut self) {
        if self.ends.last().copied().unwrap_or(0) < self.outcomes.len() {
            self.ends.push(self.outcomes.len());
        }
    }

    /// The clusters that have been closed.
    #[must_use]
    pub fn clusters(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are two outcomes at least, without which nothing can be fitted.
    #[must_use]
    pub fn varies(&self) -> bool {
        self.outcomes.iter().any(|[outcome, _]| *outcome != self.outcomes[0][0])
    }

    /// The coefficients that make the outcomes likeliest, when the outcome of a row is expected at
    /// 1 / (1 + exp(-(row · coefficients))), less `ridge` / 2 for the square of each coefficient.
    /// Outcomes between 0 and 1 are taken as shares (Papke and Wooldridge 1996).
    ///
    /// # Panics
    /// If `ridge` is not above 0, or there are less than two clusters.
    #[must_use]
    pub fn fit(&self, ridge: f64) -> Fit {
        assert!(ridge > 0.0, "without a ridge there may be no best coefficients");
        assert!(self.clusters() > 1, "one cluster says nothing about how clusters scatter");
        let mut at = self.evaluate(DVector::zeros(self.width), ridge);
        for _ in 0..MOST_STEPS {
            let step = at.newton_step();
            let promised = at.gradient.dot(&step);
            if promised < WORTH_A_STEP {
                break;
            }
            let shortened = (0..MOST_HALVINGS).map(|halvings| 0.5_f64.powi(halvings as i32));
            let mut better = shortened
                .map(|share| (share, self.evaluate(&at.coefficients + share * &step, ridge)));
            let rises =
                |(share, to): &(f64, Point)| to.height > at.height + 1e-4 * share * promised;
            match better.find(rises) {
                Some((_, to)) => at = to,
                None => break,
            }
        }
        let inverse = at.inverse();
        let clusters = self.clusters() as f64;
        let scatter = self.scatter(&at.coefficients) * (clusters / (clusters - 1.0));
        let covariance = &inverse * scatter * &inverse;
        Fit { coefficients: at.coefficients, covariance, inverse, ridge }
    }

    fn row(&self, index: usize) -> DVectorView<'_, f64> {
        let start = index * self.width;
        DVectorView::from_slice(&self.rows[start..start + self.width], self.width)
    }

    /// The log-likelihood with its first two derivatives.
    fn evaluate(&self, coefficients: DVector<f64>, ridge: f64) -> Point {
        let mut height = -ridge / 2.0 * coefficients.norm_squared();
        let mut gradient = -ridge * &coefficients;
        let mut curvature = DMatrix::identity(self.width, self.width) * ridge;
        for (index, &[outcome, weight]) in self.outcomes.iter().enumerate() {
            let row = self.row(index);
            let log_odds = row.dot(&coefficients);
            let chance = logistic(log_odds);
            let surprise = log_odds.max(0.0) + (-log_odds.abs()).exp().ln_1p();
            height += weight * (outcome * log_odds - surprise);
            gradient.axpy(weight * (outcome - chance), &row, 1.0);
            curvature.syger(weight * chance * (1.0 - chance), &row, &row, 1.0);
        }
        curvature.fill_upper_triangle_with_lower_triangle();
        Point { coefficients, height, gradient, curvature }
    }

    /// The sum over clusters of the squares of their gradients.
    fn scatter(&self, coefficients: &DVector<f64>) -> DMatrix<f64> {
        let mut sum = DMatrix::zeros(self.width, self.width);
        let mut first = 0;
        for &end in &self.ends {
            let mut gradient = DVector::zeros(self.width);
            for index in first..end {
                let ([outcome, weight], row) = (self.outcomes[index], self.row(index));
                let chance = logistic(row.dot(coefficients));
                gradient.axpy(weight * (outcome - chance), &row, 1.0);
            }
            sum.ger(1.0, &gradient, &gradient, 1.0);
            first = end;
        }
        sum
    }
}

fn logistic(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// The log-likelihood, less the ridge, at some coefficients.
struct Point {
    coefficients: DVector<f64>,
    height: f64,
    gradient: DVector<f64>,
    /// The negative of the second derivatives.
    curvature: DMatrix<f64>,
}

impl Point {
    fn cholesky(&self) -> Cholesky<f64, nalgebra::Dyn> {
        self.curvature.clone().cholesky().expect("the ridge makes it positive definite")
    }

    fn newton_step(&self) -> DVector<f64> {
        self.cholesky().solve(&self.gradient)
    }

    fn inverse(&self) -> DMatrix<f64> {
        self.cholesky().inverse()
    }
}

/// The coefficients of a logistic regression, with intervals that hold whatever the rows of a
/// cluster have to do with each other (the sandwich of Huber and White, by cluster).
#[derive(Debug, Clone)]
pub struct Fit {
    coefficients: DVector<f64>,
    covariance: DMatrix<f64>,
    /// The inverse of the curvature, ridge included.
    inverse: DMatrix<f64>,
    ridge: f64,
}

impl Fit {
    /// Coefficient `index`, in log-odds.
    #[must_use]
    pub fn estimate(&self, index: usize) -> Estimate {
        Estimate::normal(self.coefficients[index], self.covariance[(index, index)].sqrt())
    }

    /// Coefficient `index` in units of coefficient `unit`, with Fieller's interval (1954): the ratios
    /// `r` for which `index - r * unit` may be 0. It is lopsided if little is known of the unit, and
    /// without bounds if that may be 0 itself.
    #[must_use]
    pub fn ratio(&self, index: usize, unit: usize) -> Estimate {
        let (a, b) = (self.coefficients[index], self.coefficients[unit]);
        let less = |product: f64, row, column| product - Z * Z * self.covariance[(row, column)];
        // The ends are the roots of `square r^2 - 2 mixed r + rest`.
        let square = less(b * b, unit, unit);
        let (mixed, rest) = (less(a * b, index, unit), less(a * a, index, index));
        if square <= 0.0 {
            return Estimate { value: a / b, low: f64::NEG_INFINITY, high: f64::INFINITY };
        }
        // Of the unit itself it is 0, but for rounding.
        let half = (mixed * mixed - square * rest).max(0.0).sqrt();
        Estimate { value: a / b, low: (mixed - half) / square, high: (mixed + half) / square }
    }

    /// How much of what is known about coefficient `index` comes from the sample, from 0 to 1; the
    /// rest from the ridge. It is small if outcomes never contradict the sign of the coefficient, or
    /// if the numbers of a row can replace each other.
    #[must_use]
    pub fn known(&self, index: usize) -> f64 {
        1.0 - self.ridge * self.inverse[(index, index)]
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    const HARDLY: f64 = 1e-9;

    #[track_caller]
    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-4, "expected {expected}, found {found}");
    }

    /// Each tail misses as often as it should, also where the unit is known badly.
    #[test]
    fn ratios_are_covered_on_either_side() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut normal = || {
            let [u, v]: [f64; 2] = [random.random(), random.random()];
            (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
        };
        // Deviations of 1 and 2, with a correlation of one half.
        let covariance = DMatrix::from_row_slice(2, 2, &[1.0, 1.0, 1.0, 4.0]);
        for unit in [3.0, 4.0, 20.0] {
            let truth = 5.0 / unit;
            let (mut below, mut above, mut unbounded) = (0, 0, 0);
            for _ in 0..4000 {
                let (one, other) = (normal(), normal());
                let values = [unit + one, 5.0 + one + 3_f64.sqrt() * other];
                let fit = Fit {
                    coefficients: DVector::from_row_slice(&values),
                    covariance: covariance.clone(),
                    inverse: covariance.clone(),
                    ridge: 0.0,
                };
                let ratio = fit.ratio(1, 0);
                below += u32::from(ratio.high < truth);
                above += u32::from(ratio.low > truth);
                unbounded += u32::from(ratio.low.is_infinite() && ratio.high.is_infinite());
                if ratio.low.is_finite() {
                    near(fit.ratio(0, 0).low, 1.0);
                }
            }
            for tail in [below, above] {
                assert!(tail <= 140, "{unit}: {below}, {above}");
                assert!(tail >= 60 || unbounded > 100, "{unit}: {below}, {above}, {unbounded}");
            }
        }
    }

    /// Twenty students who studied so many hours, and whether they passed: the worked example of
    /// Wikipedia's article on logistic regression. Each student is a cluster.
    fn students() -> Sample {
        let hours = [
            0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0, 3.25, 3.5, 4.0, 4.25,
            4.5, 4.75, 5.0, 5.5,
        ];
        let passed = [0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1];
        let mut sample = Sample::new(2);
        for (hours, passed) in hours.into_iter().zip(passed) {
            sample.push(&[1.0, hours], f64::from(passed), 1.0);
            sample.end_cluster();
        }
        sample
    }

    #[test]
    fn a_published_example_comes_out() {
        let fit = students().fit(HARDLY);
        near(fit.estimate(0).value, -4.0777);
        near(fit.estimate(1).value, 1.5046);
        near(fit.inverse[(0, 0)].sqrt(), 1.7610);
        near(fit.inverse[(1, 1)].sqrt(), 0.6287);
        assert!(fit.known(1) > 0.999);
    }

    /// A weight is a row that often, shares are as good as the rows they sum up, and the order does
    /// not matter.
    #[test]
    fn weights_and_shares_stand_for_rows() {
        let mut single = Sample::new(2);
        let mut summed = Sample::new(2);
        for (x, won, lost) in [(0.0, 3, 5), (1.0, 6, 2), (-1.0, 1, 4)] {
            for _ in 0..won {
                single.push(&[1.0, x], 1.0, 1.0);
            }
            for _ in 0..lost {
                single.push(&[1.0, x], 0.0, 1.0);
            }
            single.end_cluster();
            let games = f64::from(won + lost);
            summed.push(&[1.0, x], f64::from(won) / games, games);
            summed.end_cluster();
            summed.end_cluster();
        }
        assert_eq!(single.clusters(), summed.clusters());
        let [single, summed] = [single, summed].map(|sample| sample.fit(HARDLY));
        assert!((&single.coefficients - &summed.coefficients).norm() < 1e-9);
        assert!((&single.covariance - &summed.covariance).norm() < 1e-9);
    }

    /// With an intercept alone everything is known in closed form: the odds of the mean, and the
    /// variance of the sums over clusters.
    #[test]
    fn clusters_scatter_as_wholes() {
        let mut sample = Sample::new(1);
        for outcome in [1.0, 0.0, 1.0, 1.0, 0.5] {
            sample.push(&[1.0], outcome, 10.0);
            sample.end_cluster();
        }
        let fit = sample.fit(HARDLY);
        near(fit.estimate(0).value, (0.7_f64 / 0.3).ln());
        let squares: f64 = [0.3_f64, 0.7, 0.3, 0.3, 0.2].iter().map(|rest| rest * rest).sum();
        let error = (5.0 / 4.0 * squares).sqrt() / (5.0 * 0.7 * 0.3);
        near(fit.estimate(0).high, (0.7_f64 / 0.3).ln() + crate::Z * error);
    }

    #[test]
    fn what_the_sample_does_not_tell_is_known_as_such() {
        let mut sample = Sample::new(3);
        for (x, outcome) in [(-2.0, 0.0), (-1.0, 0.0), (1.0, 1.0), (2.0, 1.0)].repeat(20) {
            sample.push(&[1.0, x, 0.0], outcome, 1.0);
            sample.end_cluster();
        }
        let separated = sample.fit(0.01);
        assert!(separated.known(0) > 0.5 && separated.known(1) < 0.9 && separated.known(2) < 1e-9);
        assert!(separated.estimate(1).value.is_finite());

        let mut sample = Sample::new(2);
        for (x, outcome) in [(1.0, 0.0), (-1.0, 0.0), (1.0, 1.0), (2.0, 1.0)].repeat(20) {
            sample.push(&[x, x], outcome, 1.0);
            sample.end_cluster();
        }
        let known = sample.fit(0.01).known(0);
        assert!((0.49..0.5).contains(&known), "{known}");
    }

    #[test]
    fn outcomes_that_are_all_alike_are_told() {
        let mut sample = Sample::new(1);
        assert!(!sample.varies());
        sample.push(&[1.0], 0.5, 1.0);
        sample.push(&[2.0], 0.5, 1.0);
        assert!(!sample.varies());
        sample.push(&[2.0], 1.0, 1.0);
        assert!(sample.varies());
    }

    /// Rows of a cluster that all but repeat each other, and share one outcome: what the positions
    /// of a game are like. The intervals of coefficients and ratio contain the truth about 95 times
    /// in 100.
    #[test]
    fn known_coefficients_are_found_and_covered() {
        const TRUTH: [f64; 3] = [0.2, 0.6, 1.8];
        const SAMPLES: u32 = 400;
        let mut covered = [0; 4];
        let mut sums = [0.0; 4];
        for seed in 0..SAMPLES {
            let fit = clustered(&TRUTH, 300, seed.into()).fit(1e-3);
            let ratio = fit.ratio(2, 1);
            let estimates = [fit.estimate(0), fit.estimate(1), fit.estimate(2), ratio];
            for (i, truth) in TRUTH.into_iter().chain([3.0]).enumerate() {
                let Estimate { value, low, high } = estimates[i];
                covered[i] += u32::from((low..=high).contains(&truth));
                sums[i] += value / f64::from(SAMPLES);
            }
            near(fit.ratio(1, 1).high, 1.0);
        }
        for (i, truth) in TRUTH.into_iter().chain([3.0]).enumerate() {
            let share = f64::from(covered[i]) / f64::from(SAMPLES);
            assert!((0.92..=0.98).contains(&share), "{i}: {share}");
            // Logistic regression on few clusters is a little too sure of itself.
            assert!((sums[i] / truth - 1.0).abs() < 0.08, "{i}: {} of {truth}", sums[i]);
        }
    }

    fn clustered(truth: &[f64; 3], clusters: u32, seed: u64) -> Sample {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut sample = Sample::new(3);
        for _ in 0..clusters {
            let row = [
                1.0,
                f64::from(random.random_range(-2..=2)),
                f64::from(random.random_range(-1..=1)),
            ];
            let log_odds: f64 = row.iter().zip(truth).map(|(x, b)| x * b).sum();
            let outcome = f64::from(u8::from(random.random_bool(logistic(log_odds))));
            for _ in 0..random.random_range(1..=5) {
                sample.push(&row, outcome, 4.0);
            }
            sample.end_cluster();
        }
        sample
    }
}
