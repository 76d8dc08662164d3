//! What `raja doctor` prints: which libtorch this is, what it can compute on, and why not on more.

use std::fmt;
use std::path::PathBuf;

use serde::Serialize;
use tch::Device;

use crate::device::{self, CpuFeatures, Cuda, DeviceChoice};
use crate::evaluator::TorchSource;
use crate::native;
use crate::network::Precision;

/// The state of this installation. `Display` gives plain lines, each of a name and a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DoctorReport {
    /// The version of libtorch that this program was compiled against.
    pub torch_version: &'static str,
    /// The `libtorch_cpu.so` that is loaded.
    pub libtorch_cpu: Option<PathBuf>,
    /// The `libtorch_cuda.so` that is loaded.
    pub libtorch_cuda: Option<PathBuf>,
    /// The model name of the processor.
    pub processor: Option<String>,
    /// How many threads the operating system lets this process run at once.
    pub threads: usize,
    /// Its instruction sets that matter here.
    pub features: CpuFeatures,
    /// The precision of inference on the processor: `bf16` or `fp32`.
    pub cpu_precision: &'static str,
    /// What computes it: `avx512_bf16`, raja's own kernel, for networks whose channels are a multiple of
    /// 16, or `libtorch`.
    pub cpu_engine: &'static str,
    /// How many GPUs there are.
    pub cuda_devices: usize,
    /// The version of cuDNN as it counts itself, 91900 for 9.19.0.
    pub cudnn: Option<i64>,
    /// Why CUDA is off; `None` where it is on.
    pub cuda_off: Option<String>,
    /// The device that `auto` chooses.
    pub auto_device: DeviceChoice,
}

/// Examines this installation. Takes a moment: CUDA is started where there is one.
///
/// ```
/// let report = model::doctor::report();
/// assert!(report.libtorch_cpu.is_some());
/// assert!(report.to_string().starts_with("libtorch "));
/// ```
pub fn report() -> DoctorReport {
    let features = CpuFeatures::detect();
    let (cuda_devices, cudnn, cuda_off, auto_device) = match Cuda::probe() {
        Cuda::On { devices, cudnn } => (devices, cudnn, None, DeviceChoice::Cuda(0)),
        Cuda::Off(reason) => (0, None, Some(reason.to_string()), DeviceChoice::Cpu),
    };
    DoctorReport {
        torch_version: device::torch_version(),
        libtorch_cpu: device::loaded_library("libtorch_cpu.so"),
        libtorch_cuda: device::loaded_library("libtorch_cuda.so"),
        processor: device::cpu_name(),
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        features,
        cpu_precision: if features.bf16_fast() { "bf16" } else { "fp32" },
        cpu_engine: if TorchSource::prefers_native(Device::Cpu, Precision::best_for(Device::Cpu)) {
            TorchSource::NATIVE
        } else {
            TorchSource::LIBTORCH
        },
        cuda_devices,
        cudnn,
        cuda_off,
        auto_device,
    }
}

impl DoctorReport {
    fn cpu_inference(&self) -> String {
        let (precision, engine) = (self.cpu_precision, self.cpu_engine);
        if engine == TorchSource::LIBTORCH {
            return format!("{precision} by {engine}");
        }
        let channels = native::CHANNELS;
        let other = TorchSource::LIBTORCH;
        format!("{precision} by {engine}; by {other} unless channels are a multiple of {channels}")
    }
}

impl fmt::Display for DoctorReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = |path: &Option<PathBuf>| match path {
            Some(path) => path.display().to_string(),
            None => "not loaded".to_owned(),
        };
        let yes_no = |present: bool| if present { "yes" } else { "no" }.to_owned();
        let cuda = match &self.cuda_off {
            Some(reason) => format!("off: {reason}"),
            None => format!("on, GPUs: {}", self.cuda_devices),
        };
        let gpu_inference = match self.cuda_devices {
            0 => "none".to_owned(),
            _ => format!("bf16 by {}", TorchSource::LIBTORCH),
        };
        let cudnn = match self.cudnn {
            Some(v) => format!("{}.{}.{}", v / 10_000, v / 100 % 100, v % 100),
            None => "none".to_owned(),
        };
        let rows = [
            ("libtorch", self.torch_version.to_owned()),
            ("libtorch_cpu.so", file(&self.libtorch_cpu)),
            ("libtorch_cuda.so", file(&self.libtorch_cuda)),
            ("processor", self.processor.clone().unwrap_or_else(|| "unknown".to_owned())),
            ("threads", self.threads.to_string()),
            ("AVX2", yes_no(self.features.avx2)),
            ("AVX-512F", yes_no(self.features.avx512f)),
            ("AVX-512 bf16", yes_no(self.features.avx512_bf16)),
            ("AMX bf16", yes_no(self.features.amx_bf16)),
            ("CPU inference", self.cpu_inference()),
            ("GPU inference", gpu_inference),
            ("CUDA", cuda),
            ("cuDNN", cudnn),
            ("device auto", self.auto_device.to_string()),
        ];
        rows.iter().try_for_each(|(name, value)| writeln!(f, "{name:<18}{value}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Network;
    use crate::settings::NetworkSettings;

    #[test]
    fn report_agrees_with_this_machine() {
        let report = report();
        assert_eq!(report.cuda_off.is_none(), report.cuda_devices > 0);
        assert_eq!(report.cpu_precision == "bf16", device::bf16_fast());
        let game = games::Game::by_id("cheskers").unwrap();
        for channels in [16, 24] {
            let settings = NetworkSettings { blocks: 1, channels, ..NetworkSettings::default() };
            let network = Network::new(&settings, game, Device::Cpu, 1).unwrap();
            let source = TorchSource::new(&network, Device::Cpu, Precision::best_for(Device::Cpu));
            let expected = if channels == 16 { report.cpu_engine } else { "libtorch" };
            assert_eq!(source.engine(), expected);
        }
        let (device, _) = DeviceChoice::Auto.resolve().unwrap();
        assert_eq!(report.auto_device.resolve().unwrap().0, device);
    }

    #[test]
    fn report_on_a_gpu_machine_is_written_in_plain_lines() {
        let report = DoctorReport {
            torch_version: "2.13.0",
            libtorch_cpu: Some("/opt/lib/libtorch_cpu.so".into()),
            libtorch_cuda: Some("/opt/lib/libtorch_cuda.so".into()),
            processor: Some("Some Processor".to_owned()),
            threads: 16,
            features: CpuFeatures { avx2: true, avx512f: true, ..CpuFeatures::default() },
            cpu_precision: "fp32",
            cpu_engine: "libtorch",
            cuda_devices: 2,
            cudnn: Some(91_902),
            cuda_off: None,
            auto_device: DeviceChoice::Cuda(0),
        };
        let page = "\
libtorch          2.13.0
libtorch_cpu.so   /opt/lib/libtorch_cpu.so
libtorch_cuda.so  /opt/lib/libtorch_cuda.so
processor         Some Processor
threads           16
AVX2              yes
AVX-512F          yes
AVX-512 bf16      no
AMX bf16          no
CPU inference     fp32 by libtorch
GPU inference     bf16 by libtorch
CUDA              on, GPUs: 2
cuDNN             9.19.2
device auto       cuda:0
";
        assert_eq!(report.to_string(), page);
        assert_eq!(serde_json::to_value(&report).unwrap()["auto_device"], "cuda:0");
    }

    #[test]
    fn report_without_cuda_says_why() {
        let report = DoctorReport {
            libtorch_cuda: None,
            cuda_devices: 0,
            cudnn: None,
            cuda_off: Some("there is no driver".to_owned()),
            ..report()
        };
        let page = report.to_string();
        assert!(page.contains("\nlibtorch_cuda.so  not loaded\n"), "{page}");
        assert!(page.contains("\nCUDA              off: there is no driver\n"), "{page}");
        assert!(page.contains("\ncuDNN             none\n"), "{page}");
        assert!(page.contains("\nGPU inference     none\n"), "{page}");
    }

    #[test]
    fn report_says_what_raja_computes_itself() {
        let mut report = report();
        (report.cpu_precision, report.cpu_engine) = ("bf16", TorchSource::NATIVE);
        let line = "\nCPU inference     bf16 by avx512_bf16; by libtorch unless channels are a multiple of 16\n";
        assert!(report.to_string().contains(line), "{report}");
    }
}
