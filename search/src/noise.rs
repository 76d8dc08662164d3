//! Random draws of the search.

use rand::Rng;
use rand::distr::Open01;

/// Fills `into` with independent draws of the standard Gumbel distribution: the `k` greatest sums
/// of logit and draw are a sample of `k` steps without replacement (Kool et al. 2019).
pub(crate) fn gumbel(rng: &mut impl Rng, into: &mut [f32]) {
    for draw in into {
        let uniform: f64 = rng.sample(Open01);
        *draw = -(-uniform.ln()).ln() as f32;
    }
}

/// Fills `into` with one draw of the symmetric Dirichlet distribution with parameters `alpha` > 0:
/// probabilities, however small `alpha` is.
pub(crate) fn dirichlet(rng: &mut impl Rng, alpha: f64, into: &mut [f32]) {
    // Gamma(a) = Gamma(a + 1) U^(1/a), in logarithms, because for small a all draws would round
    // to 0 and leave nothing to divide by.
    let mut highest = f32::NEG_INFINITY;
    for draw in &mut *into {
        let uniform: f64 = rng.sample(Open01);
        *draw = (gamma(rng, alpha + 1.0).ln() + uniform.ln() / alpha) as f32;
        highest = highest.max(*draw);
    }
    let mut sum = 0.0;
    for draw in &mut *into {
        *draw = (*draw - highest).exp();
        sum += *draw;
    }
    for draw in into {
        *draw /= sum;
    }
}

/// A draw of the Gamma distribution with shape `shape` >= 1 and scale 1 (Marsaglia and Tsang 2000).
fn gamma(rng: &mut impl Rng, shape: f64) -> f64 {
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let v = (1.0 + c * x).powi(3);
        let uniform: f64 = rng.sample(Open01);
        if v > 0.0 && uniform.ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

/// A draw of the standard normal distribution (Box and Muller 1958).
fn normal(rng: &mut impl Rng) -> f64 {
    let (radius, angle): (f64, f64) = (rng.sample(Open01), rng.sample(Open01));
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// Mean and variance.
    fn moments(draws: &[f32]) -> (f64, f64) {
        let count = draws.len() as f64;
        let mean = draws.iter().map(|&x| f64::from(x)).sum::<f64>() / count;
        let spread = draws.iter().map(|&x| (f64::from(x) - mean).powi(2)).sum::<f64>() / count;
        (mean, spread)
    }

    #[test]
    fn gumbel_draws_have_their_mean_and_variance() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut draws = vec![0.0; 200_000];
        gumbel(&mut rng, &mut draws);
        let (mean, variance) = moments(&draws);
        assert!((mean - 0.5772).abs() < 0.01, "Euler's constant, not {mean}");
        assert!((variance - std::f64::consts::PI.powi(2) / 6.0).abs() < 0.03, "{variance}");
    }

    #[test]
    fn the_greatest_gumbel_sum_is_a_sample_of_the_softmax() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let priors = [0.6_f32, 0.3, 0.1];
        let mut counts = [0; 3];
        for _ in 0..100_000 {
            let mut draws = [0.0; 3];
            gumbel(&mut rng, &mut draws);
            let sums = draws.iter().zip(priors).map(|(draw, prior)| draw + prior.ln());
            counts[crate::selection::argmax(sums)] += 1;
        }
        for (count, prior) in counts.iter().zip(priors) {
            assert!((f64::from(*count) / 1e5 - f64::from(prior)).abs() < 0.01, "{counts:?}");
        }
    }

    #[test]
    fn dirichlet_draws_have_their_mean_and_variance() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        for alpha in [0.03, 0.5, 4.0] {
            let (count, rounds) = (5, 40_000);
            let mut first = Vec::new();
            for _ in 0..rounds {
                let mut draw = [0.0; 5];
                dirichlet(&mut rng, alpha, &mut draw);
                assert!((draw.iter().sum::<f32>() - 1.0).abs() < 1e-5);
                first.push(draw[0]);
            }
            let (mean, variance) = moments(&first);
            let expected = (0.2 * 0.8) / (f64::from(count) * alpha + 1.0);
            assert!((mean - 0.2).abs() < 0.01, "{alpha}: {mean}");
            assert!((variance / expected - 1.0).abs() < 0.05, "{alpha}: {variance}");
        }
    }

    #[test]
    fn tiny_parameters_give_probabilities() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        let mut draw = vec![0.0; 5_000];
        dirichlet(&mut rng, 1e-4, &mut draw);
        assert!((draw.iter().sum::<f32>() - 1.0).abs() < 1e-4);
    }
}
