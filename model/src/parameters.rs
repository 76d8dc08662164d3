//! [`Parameters`]: a network's named tensors, and how they are drawn at the start.

use std::collections::HashMap;
use std::f64::consts::TAU;

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tch::{Device, Tensor, no_grad};
use thiserror::Error;

/// One named tensor of a network: fp32, contiguous, on the network's device.
#[derive(Debug)]
pub struct Parameter {
    /// Its name in checkpoints, such as `trunk.block03.first.kernel`.
    pub name: String,
    /// Its values. Layers hold the same storage: what is written here in place is what they use.
    pub tensor: Tensor,
    /// Whether gradients train it; running statistics are not trained.
    pub trained: bool,
}

/// Tensors that are not those of a network.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParameterMismatch {
    /// The network has a tensor of this name, the list has not.
    #[error("tensor {0} is missing")]
    Missing(String),
    /// The list has a tensor of this name, the network has not.
    #[error("tensor {0} is one too many")]
    Unknown(String),
    /// A tensor of another shape or kind of numbers.
    #[error("tensor {name} is {found}, expected {expected}")]
    Shape {
        /// The tensor.
        name: String,
        /// The shape and kind the network has.
        expected: String,
        /// The shape and kind it has.
        found: String,
    },
}

/// The named tensors of a network in a fixed order. Layers are built from it: each call adds a tensor
/// and returns a handle to the same storage.
#[derive(Debug)]
pub(crate) struct Parameters {
    pub(crate) list: Vec<Parameter>,
    device: Device,
    random: Xoshiro256PlusPlus,
}

impl Parameters {
    /// None yet. What is drawn depends on `seed` alone, not on the device or on other threads, as it
    /// would with libtorch's own generator.
    pub(crate) fn new(device: Device, seed: u64) -> Self {
        Self { list: Vec::new(), device, random: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    /// A trained tensor drawn from a normal distribution.
    pub(crate) fn normal(
        &mut self,
        name: String,
        size: &[i64],
        mean: f64,
        deviation: f64,
    ) -> Tensor {
        let values: Vec<f32> = (0..size.iter().product())
            .map(|_| (mean + deviation * standard_normal(&mut self.random)) as f32)
            .collect();
        self.add(name, &Tensor::from_slice(&values).view(size), true)
    }

    /// A trained tensor with the same value everywhere.
    pub(crate) fn constant(&mut self, name: String, size: &[i64], value: f64) -> Tensor {
        self.add(name, &Tensor::full(size, value, (tch::Kind::Float, Device::Cpu)), true)
    }

    /// A running statistic with the same value everywhere.
    pub(crate) fn statistic(&mut self, name: String, size: &[i64], value: f64) -> Tensor {
        self.add(name, &Tensor::full(size, value, (tch::Kind::Float, Device::Cpu)), false)
    }

    fn add(&mut self, name: String, tensor: &Tensor, trained: bool) -> Tensor {
        let tensor = tensor.to_device(self.device).set_requires_grad(trained);
        let handle = tensor.shallow_clone();
        self.list.push(Parameter { name, tensor, trained });
        handle
    }
}

/// Copies `tensors`, in any order, over the parameters of the same names.
///
/// # Errors
/// If names, shapes or kinds differ; nothing is changed then.
pub(crate) fn overwrite(
    parameters: &mut [Parameter],
    tensors: &[(String, Tensor)],
) -> Result<(), ParameterMismatch> {
    let by_name: HashMap<&str, &Tensor> = tensors.iter().map(|(n, t)| (n.as_str(), t)).collect();
    for parameter in &*parameters {
        let name = &parameter.name;
        let found =
            by_name.get(name.as_str()).ok_or_else(|| ParameterMismatch::Missing(name.clone()))?;
        let describe = |tensor: &Tensor| format!("{:?} {:?}", tensor.kind(), tensor.size());
        let (expected, found) = (describe(&parameter.tensor), describe(found));
        if expected != found {
            return Err(ParameterMismatch::Shape { name: name.clone(), expected, found });
        }
    }
    if let Some((name, _)) =
        tensors.iter().find(|(name, _)| parameters.iter().all(|p| p.name != *name))
    {
        return Err(ParameterMismatch::Unknown(name.clone()));
    }
    no_grad(|| parameters.iter_mut().for_each(|p| p.tensor.copy_(by_name[p.name.as_str()])));
    Ok(())
}

/// A sample of the standard normal distribution (Box and Muller 1958).
fn standard_normal(random: &mut impl Rng) -> f64 {
    let radius = (-2.0 * (1.0 - random.random::<f64>()).ln()).sqrt();
    radius * (TAU * random.random::<f64>()).cos()
}
