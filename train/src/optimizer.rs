//! [`Optimizer`]: AdamW and SGD, written out so that their state can be saved and read back.

use serde::{Deserialize, Serialize};
use tch::{Kind, Tensor, no_grad};

/// Decay of AdamW's running mean of gradients.
const BETA_1: f64 = 0.9;
/// Decay of AdamW's running mean of squared gradients.
const BETA_2: f64 = 0.999;
/// Keeps AdamW's division away from zero.
const EPSILON: f64 = 1e-8;

/// How gradients become steps.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OptimizerChoice {
    /// Adam with decoupled weight decay (Loshchilov and Hutter 2019).
    #[default]
    AdamW,
    /// Stochastic gradient descent with Nesterov's momentum (Sutskever et al. 2013), and decoupled
    /// weight decay as well.
    Sgd,
}

impl OptimizerChoice {
    /// What is kept of each trained tensor between steps, a tensor of its shape for each name.
    #[must_use]
    pub fn roles(self) -> &'static [&'static str] {
        match self {
            Self::AdamW => &["first", "second"],
            Self::Sgd => &["velocity"],
        }
    }
}

impl std::fmt::Display for OptimizerChoice {
    /// As configurations write it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::AdamW => "adamw",
            Self::Sgd => "sgd",
        })
    }
}

/// How far a step goes.
#[derive(Debug, Clone, Copy)]
pub struct StepSize {
    /// The learning rate.
    pub rate: f64,
    /// Decoupled weight decay of matrices and kernels; biases and normalisation have none.
    pub decay: f64,
    /// The share of the last steps' direction that SGD keeps.
    pub momentum: f64,
    /// The gradients are scaled down to this common norm at most.
    pub clip: f64,
}

/// An optimiser with its state.
///
/// libtorch's own optimisers do not give their moments away, and a run that resumes without them
/// takes other steps than one that was never stopped. Moments are kept in fp32 on the parameters'
/// device.
#[derive(Debug)]
pub struct Optimizer {
    choice: OptimizerChoice,
    /// For each parameter a tensor for each of [`OptimizerChoice::roles`].
    moments: Vec<Vec<Tensor>>,
    steps: i64,
}

impl Optimizer {
    /// An optimiser that has taken no step, for these parameters in this order.
    #[must_use]
    pub fn new(choice: OptimizerChoice, parameters: &[Tensor]) -> Self {
        let zeros = |p: &Tensor| choice.roles().iter().map(|_| p.detach().zeros_like()).collect();
        Self { choice, moments: parameters.iter().map(zeros).collect(), steps: 0 }
    }

    /// An optimiser that goes on from saved moments after `steps` steps: for each parameter a tensor
    /// for each of [`OptimizerChoice::roles`].
    #[must_use]
    pub fn from_moments(choice: OptimizerChoice, moments: Vec<Vec<Tensor>>, steps: i64) -> Self {
        Self { choice, moments, steps }
    }

    /// Which one it is.
    #[must_use]
    pub fn choice(&self) -> OptimizerChoice {
        self.choice
    }

    /// For each parameter a tensor for each of [`OptimizerChoice::roles`].
    #[must_use]
    pub fn moments(&self) -> &[Vec<Tensor>] {
        &self.moments
    }

    /// The number of steps taken.
    #[must_use]
    pub fn steps(&self) -> i64 {
        self.steps
    }

    /// The common norm of the gradients of `parameters`: a scalar, on their device.
    pub fn norm(parameters: &[Tensor]) -> Tensor {
        no_grad(|| {
            let gradients = parameters.iter().map(Tensor::grad).filter(Tensor::defined);
            let squares: Vec<Tensor> = gradients.map(|g| g.square().sum(Kind::Float)).collect();
            Tensor::stack(&squares, 0).sum(Kind::Float).sqrt()
        })
    }

    /// Takes one step against the gradients of `parameters`, whose common norm is `norm` and finite,
    /// then clears them. What has no gradient, such as a head that is switched off, stays as it is.
    pub fn step(&mut self, parameters: &[Tensor], norm: f64, size: &StepSize) {
        let scale = (size.clip / (norm + 1e-6)).min(1.0);
        self.steps += 1;
        no_grad(|| {
            for (parameter, moments) in parameters.iter().zip(&mut self.moments) {
                let mut gradient = parameter.grad();
                if !gradient.defined() {
                    continue;
                }
                let mut parameter = parameter.detach();
                if scale < 1.0 {
                    let _ = gradient.g_mul_scalar_(scale);
                }
                if parameter.dim() > 1 {
                    let _ = parameter.g_mul_scalar_(1.0 - size.rate * size.decay);
                }
                match self.choice {
                    OptimizerChoice::AdamW => {
                        adam(&mut parameter, &gradient, moments, size, self.steps);
                    }
                    OptimizerChoice::Sgd => nesterov(&mut parameter, &gradient, moments, size),
                }
                let _ = gradient.zero_();
            }
        });
    }
}

/// `parameter -= rate * mean / (sqrt(mean of squares) + epsilon)`, both means corrected for their
/// start at zero.
fn adam(
    parameter: &mut Tensor,
    gradient: &Tensor,
    moments: &mut [Tensor],
    size: &StepSize,
    steps: i64,
) {
    let [first, second] = moments else { unreachable!("AdamW keeps two moments") };
    let correct_1 = 1.0 - BETA_1.powf(steps as f64);
    let correct_2 = 1.0 - BETA_2.powf(steps as f64);
    let _ = first.lerp_(gradient, 1.0 - BETA_1);
    let _ = second.lerp_(&gradient.square(), 1.0 - BETA_2);
    // The rate goes into the divisor to save an operation.
    let divisor =
        (&*second / correct_2).sqrt_().g_add_scalar_(EPSILON).g_mul_scalar_(-correct_1 / size.rate);
    let _ = parameter.addcdiv_(first, &divisor);
}

/// `velocity = momentum * velocity + gradient; parameter -= rate * (gradient + momentum * velocity)`.
fn nesterov(parameter: &mut Tensor, gradient: &Tensor, moments: &mut [Tensor], size: &StepSize) {
    let [velocity] = moments else { unreachable!("SGD keeps a velocity") };
    let _ = velocity.g_mul_scalar_(size.momentum).g_add_(gradient);
    let ahead = gradient + &*velocity * size.momentum;
    let _ = parameter.g_sub_(&(ahead * size.rate));
}

#[cfg(test)]
mod tests {
    use tch::{Device, Kind};

    use super::*;

    /// Two steps down `x^2 / 2` from 1, worked out by hand: the gradient is x itself.
    fn two_steps(choice: OptimizerChoice, size: &StepSize) -> [f64; 2] {
        let x = Tensor::ones([1], (Kind::Float, Device::Cpu)).set_requires_grad(true);
        let still = Tensor::ones([1], (Kind::Float, Device::Cpu)).set_requires_grad(true);
        let parameters = [x, still];
        let mut optimizer = Optimizer::new(choice, &parameters);
        let steps = [0, 1].map(|_| {
            (parameters[0].square() / 2.0).sum(Kind::Float).backward();
            let norm = Optimizer::norm(&parameters).double_value(&[]);
            optimizer.step(&parameters, norm, size);
            parameters[0].double_value(&[0])
        });
        assert_eq!(parameters[1].double_value(&[0]), 1.0, "what has no gradient does not move");
        steps
    }

    fn assert_close(found: [f64; 2], expected: [f64; 2]) {
        let near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5);
        assert!(near, "{found:?}, not {expected:?}");
    }

    #[test]
    fn nesterov_looks_ahead() {
        let size = StepSize { rate: 0.1, decay: 0.0, momentum: 0.5, clip: 10.0 };
        // v = 1, x = 1 - 0.1 (1 + 0.5); v = 0.5 + 0.85, x = 0.85 - 0.1 (0.85 + 0.5 * 1.35)
        assert_close(two_steps(OptimizerChoice::Sgd, &size), [0.85, 0.6975]);
    }

    #[test]
    fn adam_steps_by_the_rate_at_first() {
        let size = StepSize { rate: 0.1, decay: 0.0, momentum: 0.0, clip: 10.0 };
        // Corrected means 1 and 1; then (0.09 + 0.09) / 0.19 and (0.000999 + 0.00081) / 0.001999.
        let second = 0.9 - 0.1 * (0.18 / 0.19) / (0.001_809_f64 / 0.001_999).sqrt();
        assert_close(two_steps(OptimizerChoice::AdamW, &size), [0.9, second]);
    }

    #[test]
    fn long_gradients_are_clipped() {
        let size = StepSize { rate: 0.1, decay: 0.0, momentum: 0.0, clip: 0.5 };
        assert_close(two_steps(OptimizerChoice::Sgd, &size), [0.95, 0.9]);
    }
}
