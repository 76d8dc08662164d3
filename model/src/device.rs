//! Where a network runs: the choice of a device, and the facts about this machine behind it.

mod list;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tch::Device;
use thiserror::Error;

pub use list::DeviceList;

/// The device that was asked for, in text `auto`, `cpu`, `cuda` (the first GPU) or `cuda:N`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum DeviceChoice {
    /// The first GPU where CUDA works, otherwise the processor.
    #[default]
    Auto,
    /// The processor.
    Cpu,
    /// The GPU of this number, counted from 0, and nothing else.
    Cuda(usize),
}

/// Why a device cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DeviceError {
    /// The text names no device.
    #[error("expected auto, cpu, cuda or cuda:N, found {0:?}")]
    Unknown(String),
    /// A GPU was asked for and CUDA is off.
    #[error("{choice} is not available: {reason}")]
    CudaOff {
        /// What was asked for.
        choice: DeviceChoice,
        /// Why CUDA is off.
        reason: CudaOff,
    },
    /// A GPU of a higher number than there are was asked for.
    #[error("{choice} is not available: GPUs are counted from cuda:0 and there are {devices}")]
    NoSuchGpu {
        /// What was asked for.
        choice: DeviceChoice,
        /// How many GPUs there are.
        devices: usize,
    },
}

/// Why CUDA is off. The first reason that holds, from the installation outwards to the hardware.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CudaOff {
    /// There is no `libtorch_cuda.so` beside the loaded libtorch.
    #[error("this libtorch is the CPU flavour (`RAJA_TORCH=cuda make setup` installs the other)")]
    CpuFlavour,
    /// `libtorch_cuda.so` is installed but this program does not load it.
    #[error("this program was linked without {}; build it again", .0.display())]
    NotLinked(PathBuf),
    /// The NVIDIA kernel driver has not made its control device.
    #[error("there is no NVIDIA driver ({DRIVER_CONTROL} does not exist)")]
    NoDriver,
    /// The driver is older than this libtorch's CUDA accepts.
    #[error("NVIDIA driver {version} is too old, {OLDEST_DRIVER} or newer is needed")]
    DriverTooOld {
        /// The version of the kernel driver.
        version: String,
    },
    /// The kernel driver runs but its user-space half is missing.
    #[error("the NVIDIA driver is there but its library {DRIVER_LIBRARY} cannot be loaded")]
    NoDriverLibrary,
    /// Everything is in place but the driver offers no GPU.
    #[error("the NVIDIA driver offers no GPU{}", hidden_by(.visible.as_deref()))]
    NoGpu {
        /// The variable `CUDA_VISIBLE_DEVICES`, which may hide them.
        visible: Option<String>,
    },
}

/// What CUDA offers to this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cuda {
    /// It works.
    On {
        /// How many GPUs there are; at least 1.
        devices: usize,
        /// The version of cuDNN as it counts itself, 91900 for 9.19.0; `None` where it is unusable.
        cudnn: Option<i64>,
    },
    /// It does not.
    Off(CudaOff),
}

/// The instruction sets that decide the speed of inference on the processor.
///
/// Each is true where the processor has it and the operating system lets programs use it. All are false
/// on anything but Linux on x86.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CpuFeatures {
    /// 256-bit vectors.
    pub avx2: bool,
    /// 512-bit vectors.
    pub avx512f: bool,
    /// Dot products of bf16 in 512-bit vectors.
    pub avx512_bf16: bool,
    /// Matrix products of bf16 in tiles.
    pub amx_bf16: bool,
}

const DRIVER_CONTROL: &str = "/dev/nvidiactl";
const DRIVER_LIBRARY: &str = "libcuda.so";
/// The first driver series with CUDA 13, which the pinned libtorch is made for.
const OLDEST_DRIVER: u32 = 580;

impl DeviceChoice {
    /// Chooses among the devices this machine has. The text, if any, says that `auto` had to fall back to
    /// the processor, and why: a sentence for the log.
    ///
    /// # Errors
    ///
    /// A GPU was asked for that is not there.
    pub fn resolve(self) -> Result<(Device, Option<String>), DeviceError> {
        match self {
            // Asking CUDA takes a moment and memory on the GPU.
            DeviceChoice::Cpu => Ok((Device::Cpu, None)),
            DeviceChoice::Auto | DeviceChoice::Cuda(_) => self.resolve_with(&Cuda::probe()),
        }
    }

    pub(crate) fn resolve_with(self, cuda: &Cuda) -> Result<(Device, Option<String>), DeviceError> {
        match (self, cuda) {
            (DeviceChoice::Cpu, _) => Ok((Device::Cpu, None)),
            (DeviceChoice::Auto, Cuda::On { .. }) => Ok((Device::Cuda(0), None)),
            (DeviceChoice::Auto, Cuda::Off(reason)) => {
                Ok((Device::Cpu, Some(format!("running on the CPU: {reason}"))))
            }
            (DeviceChoice::Cuda(index), Cuda::On { devices, .. }) if index < *devices => {
                Ok((Device::Cuda(index), None))
            }
            (choice @ DeviceChoice::Cuda(_), Cuda::On { devices, .. }) => {
                Err(DeviceError::NoSuchGpu { choice, devices: *devices })
            }
            (choice @ DeviceChoice::Cuda(_), Cuda::Off(reason)) => {
                Err(DeviceError::CudaOff { choice, reason: reason.clone() })
            }
        }
    }
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeviceChoice::Auto => f.write_str("auto"),
            DeviceChoice::Cpu => f.write_str("cpu"),
            DeviceChoice::Cuda(index) => write!(f, "cuda:{index}"),
        }
    }
}

impl FromStr for DeviceChoice {
    type Err = DeviceError;

    fn from_str(text: &str) -> Result<Self, DeviceError> {
        let unknown = || DeviceError::Unknown(text.to_owned());
        match text {
            "auto" => Ok(DeviceChoice::Auto),
            "cpu" => Ok(DeviceChoice::Cpu),
            "cuda" => Ok(DeviceChoice::Cuda(0)),
            _ => {
                let index = text.strip_prefix("cuda:").ok_or_else(unknown)?;
                // `parse` would take a sign.
                if !index.bytes().all(|byte| byte.is_ascii_digit()) {
                    return Err(unknown());
                }
                index.parse().map(DeviceChoice::Cuda).map_err(|_| unknown())
            }
        }
    }
}

impl TryFrom<String> for DeviceChoice {
    type Error = DeviceError;

    fn try_from(text: String) -> Result<Self, DeviceError> {
        text.parse()
    }
}

impl From<DeviceChoice> for String {
    fn from(choice: DeviceChoice) -> Self {
        choice.to_string()
    }
}

impl Cuda {
    /// Asks libtorch for GPUs and, where it has none, finds out why. Takes a moment: CUDA is started.
    pub fn probe() -> Self {
        if tch::Cuda::is_available() {
            // cuDNN cannot be asked for a version before it is known to be usable.
            let cudnn = tch::Cuda::cudnn_is_available().then(tch::utils::version_cudnn);
            let devices = usize::try_from(tch::Cuda::device_count())
                .expect("a count of devices is not negative");
            Cuda::On { devices, cudnn }
        } else {
            Cuda::Off(Traces::read().reason())
        }
    }
}

/// What can be seen of an NVIDIA installation from outside.
#[derive(Debug)]
struct Traces {
    /// The `libtorch_cuda.so` beside the loaded libtorch.
    installed: Option<PathBuf>,
    /// Whether this process has loaded it.
    linked: bool,
    /// Whether the driver's control device exists.
    control: bool,
    /// What the kernel driver says of its version.
    driver: String,
    /// Whether this process has loaded the driver's library.
    library: bool,
    /// The variable `CUDA_VISIBLE_DEVICES`.
    visible: Option<String>,
}

impl Traces {
    /// To be called after libtorch was asked for GPUs: that loads the driver's library, if anything does.
    fn read() -> Self {
        Traces {
            installed: loaded_library("libtorch_cpu.so")
                .map(|library| library.with_file_name("libtorch_cuda.so"))
                .filter(|library| library.exists()),
            linked: loaded_library("libtorch_cuda.so").is_some(),
            control: Path::new(DRIVER_CONTROL).exists(),
            driver: fs::read_to_string("/proc/driver/nvidia/version").unwrap_or_default(),
            library: loaded_library(DRIVER_LIBRARY).is_some(),
            visible: std::env::var("CUDA_VISIBLE_DEVICES").ok(),
        }
    }

    fn reason(self) -> CudaOff {
        let Some(installed) = self.installed else { return CudaOff::CpuFlavour };
        if !self.linked {
            return CudaOff::NotLinked(installed);
        }
        if !self.control {
            return CudaOff::NoDriver;
        }
        if let Some(version) = driver_version(&self.driver).filter(|version| is_too_old(version)) {
            return CudaOff::DriverTooOld { version: version.to_owned() };
        }
        if !self.library {
            return CudaOff::NoDriverLibrary;
        }
        CudaOff::NoGpu { visible: self.visible }
    }
}

impl CpuFeatures {
    /// The features of this machine's processor.
    pub fn detect() -> Self {
        Self::from_cpuinfo(&cpuinfo())
    }

    /// Linux takes a flag off the list where it has not enabled the registers that go with it.
    fn from_cpuinfo(cpuinfo: &str) -> Self {
        let flags = cpuinfo_field(cpuinfo, "flags").unwrap_or_default();
        let has = |name| flags.split_whitespace().any(|flag| flag == name);
        CpuFeatures {
            avx2: has("avx2"),
            avx512f: has("avx512f"),
            avx512_bf16: has("avx512_bf16"),
            amx_bf16: has("amx_bf16"),
        }
    }

    /// Whether a network runs faster in bf16 than in fp32 on this processor: about 2 times with AVX-512
    /// alone, 7 times with AMX. Without either, bf16 is emulated and slower.
    pub fn bf16_fast(self) -> bool {
        self.avx512_bf16 || self.amx_bf16
    }
}

/// Whether inference on this machine's processor should run in bf16. GPUs are not asked.
pub fn bf16_fast() -> bool {
    CpuFeatures::detect().bf16_fast()
}

/// The model name of this machine's processor; `None` where Linux does not tell.
pub fn cpu_name() -> Option<String> {
    cpuinfo_field(&cpuinfo(), "model name").map(str::to_owned)
}

/// The version of libtorch that this program was compiled against.
pub fn torch_version() -> &'static str {
    env!("TORCH_VERSION")
}

/// The file from which this process has loaded the shared library of this name (`libtorch_cpu.so`), with
/// links resolved; `None` where it is not loaded or the system is not Linux. Names with a version after
/// them (`libcuda.so.580.65.06` for `libcuda.so`) count.
pub fn loaded_library(name: &str) -> Option<PathBuf> {
    find_mapped(&fs::read_to_string("/proc/self/maps").unwrap_or_default(), name)
}

/// Lines of `maps` are five fields without a slash, then the path.
fn find_mapped(maps: &str, name: &str) -> Option<PathBuf> {
    maps.lines()
        .filter_map(|line| Some(Path::new(&line[line.find('/')?..])))
        .find(|path| {
            path.file_name()
                .and_then(|file| file.to_str()?.strip_prefix(name))
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
        .map(Path::to_owned)
}

fn cpuinfo() -> String {
    fs::read_to_string("/proc/cpuinfo").unwrap_or_default()
}

/// The value of the first line `key : value`, that is of the first core.
fn cpuinfo_field<'a>(cpuinfo: &'a str, key: &str) -> Option<&'a str> {
    cpuinfo
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.trim_end() == key)
        .map(|(_, value)| value.trim())
}

/// The number in `NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 ...`.
fn driver_version(text: &str) -> Option<&str> {
    text.split_whitespace().find(|word| {
        word.contains('.') && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    })
}

fn is_too_old(driver: &str) -> bool {
    let series = driver.split('.').next().and_then(|series| series.parse::<u32>().ok());
    series.is_some_and(|series| series < OLDEST_DRIVER)
}

fn hidden_by(visible: Option<&str>) -> String {
    visible.map(|text| format!(" (CUDA_VISIBLE_DEVICES is {text:?})")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_gpus() -> Cuda {
        Cuda::On { devices: 2, cudnn: Some(91900) }
    }

    /// A complete installation, whose GPU is hidden.
    fn traces() -> Traces {
        Traces {
            installed: Some("/opt/libtorch/lib/libtorch_cuda.so".into()),
            linked: true,
            control: true,
            driver: "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release\n\
                     GCC version:  gcc version 12.2.0"
                .to_owned(),
            library: true,
            visible: Some(String::new()),
        }
    }

    #[test]
    fn choice_round_trips_through_text() {
        for (text, choice) in [
            ("auto", DeviceChoice::Auto),
            ("cpu", DeviceChoice::Cpu),
            ("cuda:0", DeviceChoice::Cuda(0)),
            ("cuda:12", DeviceChoice::Cuda(12)),
        ] {
            assert_eq!(text.parse(), Ok(choice));
            assert_eq!(choice.to_string(), text);
            let json = serde_json::to_string(&choice).unwrap();
            assert_eq!(json, format!("\"{text}\""));
            assert_eq!(serde_json::from_str::<DeviceChoice>(&json).unwrap(), choice);
        }
        assert_eq!("cuda".parse(), Ok(DeviceChoice::Cuda(0)));
    }

    #[test]
    fn choice_refuses_other_text() {
        for text in ["", "gpu", "CPU", "cuda:", "cuda:-1", "cuda:+1", "cuda: 1", "cuda:x", "cpu:0"]
        {
            let error = text.parse::<DeviceChoice>().unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("expected auto, cpu, cuda or cuda:N, found {text:?}")
            );
        }
        let huge = format!("cuda:{}0", usize::MAX);
        assert_eq!(huge.parse::<DeviceChoice>(), Err(DeviceError::Unknown(huge)));
    }

    #[test]
    fn gpus_are_taken_where_they_are() {
        let cuda = two_gpus();
        assert_eq!(DeviceChoice::Cpu.resolve_with(&cuda), Ok((Device::Cpu, None)));
        assert_eq!(DeviceChoice::Auto.resolve_with(&cuda), Ok((Device::Cuda(0), None)));
        assert_eq!(DeviceChoice::Cuda(1).resolve_with(&cuda), Ok((Device::Cuda(1), None)));
        assert_eq!(
            DeviceChoice::Cuda(2).resolve_with(&cuda).unwrap_err().to_string(),
            "cuda:2 is not available: GPUs are counted from cuda:0 and there are 2"
        );
    }

    #[test]
    fn without_cuda_auto_falls_back_and_says_why() {
        let cuda = Cuda::Off(CudaOff::NoDriver);
        assert_eq!(DeviceChoice::Cpu.resolve_with(&cuda), Ok((Device::Cpu, None)));
        assert_eq!(
            DeviceChoice::Auto.resolve_with(&cuda),
            Ok((
                Device::Cpu,
                Some(
                    "running on the CPU: there is no NVIDIA driver (/dev/nvidiactl does not exist)"
                        .to_owned()
                )
            ))
        );
    }

    #[test]
    fn without_cuda_a_gpu_is_refused_and_says_why() {
        let cuda = Cuda::Off(CudaOff::NoDriverLibrary);
        assert_eq!(
            DeviceChoice::Cuda(0).resolve_with(&cuda).unwrap_err().to_string(),
            "cuda:0 is not available: the NVIDIA driver is there but its library libcuda.so cannot \
             be loaded"
        );
    }

    #[test]
    fn reason_is_the_first_thing_that_is_missing() {
        let reason = |traces: Traces| traces.reason().to_string();
        assert_eq!(
            reason(Traces { installed: None, linked: false, control: false, ..traces() }),
            "this libtorch is the CPU flavour (`RAJA_TORCH=cuda make setup` installs the other)"
        );
        assert_eq!(
            reason(Traces { linked: false, library: false, ..traces() }),
            "this program was linked without /opt/libtorch/lib/libtorch_cuda.so; build it again"
        );
        assert_eq!(
            Traces { control: false, library: false, ..traces() }.reason(),
            CudaOff::NoDriver
        );
        let old = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 01:15:15";
        assert_eq!(
            reason(Traces { driver: old.to_owned(), library: false, ..traces() }),
            "NVIDIA driver 535.104.05 is too old, 580 or newer is needed"
        );
        assert_eq!(Traces { library: false, ..traces() }.reason(), CudaOff::NoDriverLibrary);
        assert_eq!(
            reason(traces()),
            "the NVIDIA driver offers no GPU (CUDA_VISIBLE_DEVICES is \"\")"
        );
        assert_eq!(
            reason(Traces { visible: None, driver: String::new(), ..traces() }),
            "the NVIDIA driver offers no GPU"
        );
    }

    #[test]
    fn probe_and_choices_agree_on_this_machine() {
        let cuda = Cuda::probe();
        let (device, note) = DeviceChoice::Auto.resolve().unwrap();
        match cuda {
            Cuda::On { devices, .. } => {
                assert!(devices > 0);
                assert_eq!((device, note), (Device::Cuda(0), None));
            }
            Cuda::Off(reason) => {
                assert_eq!(device, Device::Cpu);
                assert!(note.unwrap().ends_with(&reason.to_string()));
                assert!(DeviceChoice::Cuda(0).resolve().is_err());
            }
        }
        assert_eq!(DeviceChoice::Cpu.resolve(), Ok((Device::Cpu, None)));
    }

    #[test]
    fn loaded_libtorch_is_found() {
        // The linker keeps libtorch whether or not a test calls it.
        let library = loaded_library("libtorch_cpu.so").unwrap();
        assert!(library.is_file(), "{}", library.display());
        assert!(torch_version().starts_with("2."));
    }

    #[test]
    fn maps_name_libraries_by_file() {
        let maps = "\
55d0c0a00000-55d0c0a28000 r--p 00000000 fe:00 131 /opt/my torch/libtorch_cpu.so.d/raja
7f1000000000-7f1000021000 rw-p 00000000 00:00 0
7f2000000000-7f2000021000 r--p 00000000 fe:00 132 /opt/my torch/libtorch_cpu.so
7f3000000000-7f3000021000 r-xp 00000000 fe:00 133 /usr/lib/libcuda.so.580.65.06
7ffd00000000-7ffd00021000 rw-p 00000000 00:00 0   [stack]
";
        assert_eq!(
            find_mapped(maps, "libtorch_cpu.so"),
            Some("/opt/my torch/libtorch_cpu.so".into())
        );
        assert_eq!(find_mapped(maps, "libcuda.so"), Some("/usr/lib/libcuda.so.580.65.06".into()));
        assert_eq!(find_mapped(maps, "libtorch_cuda.so"), None);
        assert_eq!(find_mapped(maps, "libtorch"), None);
        assert_eq!(find_mapped("", "libtorch_cpu.so"), None);
    }

    #[test]
    fn features_are_whole_words_of_the_flags() {
        let cpuinfo = "\
processor\t: 0
model name\t: Some Processor
flags\t\t: fpu avx avx2 avx512f avx512_bf16_like amx_tile

processor\t: 1
flags\t\t: fpu
";
        let features = CpuFeatures::from_cpuinfo(cpuinfo);
        assert_eq!(features, CpuFeatures { avx2: true, avx512f: true, ..CpuFeatures::default() });
        assert!(!features.bf16_fast());
        assert!(CpuFeatures { avx512_bf16: true, ..features }.bf16_fast());
        assert!(CpuFeatures { amx_bf16: true, ..features }.bf16_fast());
        assert_eq!(cpuinfo_field(cpuinfo, "model name"), Some("Some Processor"));
        assert_eq!(CpuFeatures::from_cpuinfo(""), CpuFeatures::default());
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn features_agree_with_the_processor_itself() {
        let features = CpuFeatures::detect();
        assert_eq!(features.avx2, std::arch::is_x86_feature_detected!("avx2"));
        assert_eq!(features.avx512f, std::arch::is_x86_feature_detected!("avx512f"));
        assert_eq!(features.avx512_bf16, std::arch::is_x86_feature_detected!("avx512bf16"));
        assert_eq!(bf16_fast(), features.bf16_fast());
    }
}
