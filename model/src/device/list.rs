//! [`DeviceList`]: several devices for self-play.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tch::Device;

use super::{DeviceChoice, DeviceError};

/// The devices that were asked for, in text such as `cuda:0,cuda:1`: one or more, separated by commas.
/// On a device that is named twice two threads take turns, so that one gets its next batch ready while the
/// other's is computed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DeviceList(Vec<DeviceChoice>);

impl DeviceList {
    /// The first device: the one for what runs on a single one.
    #[must_use]
    pub fn first(&self) -> DeviceChoice {
        self.0[0]
    }

    /// The devices that workers share, chosen as by [`DeviceChoice::resolve`]; none if each worker should
    /// rather compute on the processor itself, which is where `cpu` and `auto` without a GPU lead. Several
    /// devices are always shared, whatever they are.
    ///
    /// # Errors
    ///
    /// A GPU was asked for that is not there.
    pub fn shared(&self) -> Result<Vec<Device>, DeviceError> {
        let resolved = self.0.iter().map(|choice| choice.resolve().map(|(device, _)| device));
        let devices: Vec<Device> = resolved.collect::<Result<_, _>>()?;
        Ok(if devices == [Device::Cpu] { Vec::new() } else { devices })
    }
}

impl Default for DeviceList {
    fn default() -> Self {
        Self(vec![DeviceChoice::default()])
    }
}

impl fmt::Display for DeviceList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, choice) in self.0.iter().enumerate() {
            write!(f, "{}{choice}", if index > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

impl FromStr for DeviceList {
    type Err = DeviceError;

    fn from_str(text: &str) -> Result<Self, DeviceError> {
        text.split(',').map(|part| part.trim().parse()).collect::<Result<_, _>>().map(Self)
    }
}

impl TryFrom<String> for DeviceList {
    type Error = DeviceError;

    fn try_from(text: String) -> Result<Self, DeviceError> {
        text.parse()
    }
}

impl From<DeviceList> for String {
    fn from(list: DeviceList) -> Self {
        list.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_round_trip_through_text_and_share_what_is_not_one_processor() {
        for (text, spelt, shared) in [("cpu", "cpu", 0), ("cpu, cpu", "cpu,cpu", 2)] {
            let list: DeviceList = text.parse().unwrap();
            assert_eq!(list.to_string(), spelt);
            assert_eq!(list.shared().unwrap().len(), shared);
        }
        let list: DeviceList = "cuda,cuda:1,cuda:1".parse().unwrap();
        assert_eq!(list.to_string(), "cuda:0,cuda:1,cuda:1");
        assert_eq!(list.first(), DeviceChoice::Cuda(0));
        for text in ["", "cuda:0,", "cpu;cpu"] {
            assert!(text.parse::<DeviceList>().is_err(), "{text}");
        }
    }
}
