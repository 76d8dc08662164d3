//! [`NetEvaluators`]: a network where self-play asks it.

use std::sync::Arc;

use model::{Network, PackedQueries, Precision, TorchDevices, TorchSource};
use search::EvaluatorError;
use selfplay::{Client, Evaluators, LocalEvaluators, SharedDevices};
use tch::Device;

use crate::settings::PrecisionChoice;

/// A network where self-play asks it: on the processor by each worker itself, or on devices that all
/// workers share. Another network can be put in its place.
#[derive(Debug)]
pub struct NetEvaluators {
    devices: Vec<Device>,
    precision: Precision,
    engine: &'static str,
    place: Place,
}

#[derive(Debug)]
enum Place {
    Local(LocalEvaluators),
    Shared(SharedDevices<PackedQueries>),
}

impl NetEvaluators {
    /// `network`, which records call `net`, on `devices` as
    /// [`DeviceList::shared`](model::device::DeviceList::shared) gives them. A device takes at most
    /// `batch` states at a time.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub fn new(
        net: &str,
        network: &Network,
        devices: Vec<Device>,
        precision: PrecisionChoice,
        batch: usize,
    ) -> Result<Self, EvaluatorError> {
        let precision = precision.on(devices.first().copied().unwrap_or(Device::Cpu));
        let (engine, place) = if devices.is_empty() {
            let source = TorchSource::new(network, Device::Cpu, precision);
            (source.engine(), Place::Local(LocalEvaluators::new(net, Arc::new(source))))
        } else {
            let source = Arc::new(TorchDevices::new(network, &devices, precision));
            (source.engine(), Place::Shared(SharedDevices::new(net, source, devices.len(), batch)?))
        };
        Ok(Self { devices, precision, engine, place })
    }

    /// Puts `network` in, also while a pool runs.
    pub fn swap(&self, net: &str, network: &Network) {
        match &self.place {
            Place::Local(local) => {
                let source = TorchSource::new(network, Device::Cpu, self.precision);
                local.swap(net, Arc::new(source));
            }
            Place::Shared(shared) => {
                let source = TorchDevices::new(network, &self.devices, self.precision);
                shared.swap(net, Arc::new(source));
            }
        }
    }

    /// The numbers it computes with.
    #[must_use]
    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// What computes, for people; see [`TorchSource::engine`].
    #[must_use]
    pub fn engine(&self) -> &'static str {
        self.engine
    }

    /// The devices that the workers share; none if each computes itself.
    #[must_use]
    pub fn devices(&self) -> &[Device] {
        &self.devices
    }

    fn inner(&self) -> &dyn Evaluators {
        match &self.place {
            Place::Local(local) => local,
            Place::Shared(shared) => shared,
        }
    }
}

impl Evaluators for NetEvaluators {
    fn lanes(&self) -> usize {
        self.inner().lanes()
    }

    fn client(&self, groups: usize, states: usize) -> Result<Box<dyn Client + '_>, EvaluatorError> {
        self.inner().client(groups, states)
    }
}
