//! [`AdamW`]: the optimiser, written out so that its state can be saved and read back.

use tch::{Tensor, no_grad};

/// Decay of the running mean of gradients.
const BETA_1: f64 = 0.9;
/// Decay of the running mean of squared gradients.
const BETA_2: f64 = 0.999;
/// Keeps the division away from zero.
const EPSILON: f64 = 1e-8;

/// AdamW (Loshchilov and Hutter 2019): Adam with decoupled weight decay.
///
/// libtorch's own optimisers do not give their moments away, and a run that resumes without them
/// takes other steps than one that was never stopped. Moments are kept in fp32 on the parameters'
/// device.
#[derive(Debug)]
pub struct AdamW {
    first: Vec<Tensor>,
    second: Vec<Tensor>,
    steps: i64,
}

impl AdamW {
    /// An optimiser that has taken no step, for these parameters in this order.
    #[must_use]
    pub fn new(parameters: &[Tensor]) -> Self {
        let zeros = || parameters.iter().map(|p| p.detach().zeros_like()).collect();
        Self { first: zeros(), second: zeros(), steps: 0 }
    }

    /// An optimiser that goes on from saved moments after `steps` steps.
    #[must_use]
    pub fn from_moments(first: Vec<Tensor>, second: Vec<Tensor>, steps: i64) -> Self {
        Self { first, second, steps }
    }

    /// The running means of the gradients and of their squares, one a parameter.
    pub fn moments(&self) -> (&[Tensor], &[Tensor]) {
        (&self.first, &self.second)
    }

    /// The number of steps taken.
    #[must_use]
    pub fn steps(&self) -> i64 {
        self.steps
    }

    /// Takes one step against the gradients of `parameters`, then clears them.
    ///
    /// The gradients are scaled down so that their common norm is at most `clip`; that norm before
    /// scaling is returned. `decay` applies to matrices and kernels only, not to biases and
    /// normalisation. If the norm is not finite nothing is changed.
    pub fn step(&mut self, parameters: &[Tensor], rate: f64, decay: f64, clip: f64) -> f64 {
        no_grad(|| {
            let gradients: Vec<Tensor> = parameters.iter().map(Tensor::grad).collect();
            let squares: Vec<Tensor> = gradients.iter().map(|g| g.square().sum(None)).collect();
            let norm = Tensor::stack(&squares, 0).sum(None).double_value(&[]).sqrt();
            if !norm.is_finite() {
                return norm;
            }
            let scale = (clip / (norm + 1e-6)).min(1.0);
            self.steps += 1;
            let correct_1 = 1.0 - BETA_1.powf(self.steps as f64);
            let correct_2 = 1.0 - BETA_2.powf(self.steps as f64);
            for (i, parameter) in parameters.iter().enumerate() {
                let mut parameter = parameter.detach();
                let mut gradient = gradients[i].shallow_clone();
                let _ = gradient.g_mul_scalar_(scale);
                let _ = self.first[i].lerp_(&gradient, 1.0 - BETA_1);
                let squared = gradient.square();
                let _ = self.second[i].lerp_(&squared, 1.0 - BETA_2);
                if parameter.dim() > 1 {
                    let _ = parameter.g_mul_scalar_(1.0 - rate * decay);
                }
                // parameter -= rate * mean / (sqrt(mean of squares) + epsilon), both means corrected
                // for their start at zero; the rate goes into the divisor to save an operation.
                let divisor = (&self.second[i] / correct_2)
                    .sqrt_()
                    .g_add_scalar_(EPSILON)
                    .g_mul_scalar_(-correct_1 / rate);
                let _ = parameter.addcdiv_(&self.first[i], &divisor);
                let _ = gradient.zero_();
            }
            norm
        })
    }
}
