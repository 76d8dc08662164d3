//! Checkpoints: `raja net info`, and the commands that play with one. A file that is not whole, or
//! belongs to something else, is refused in one sentence.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use games::Game;
use model::device::DeviceChoice;
use model::{Checkpoint, Network, NetworkSettings};
use serde_json::Value;

use crate::program::{Ran, raja};

/// A checkpoint in a folder of its own.
pub(crate) struct Saved {
    folder: tempfile::TempDir,
    path: PathBuf,
}

impl Saved {
    /// The file's name.
    pub(crate) fn file(&self) -> &str {
        self.path.to_str().unwrap()
    }

    /// A copy of the file whose bytes are changed by `change`.
    fn spoilt(&self, change: impl FnOnce(&mut Vec<u8>)) -> PathBuf {
        let mut bytes = std::fs::read(&self.path).unwrap();
        change(&mut bytes);
        let path = self.folder.path().join("spoilt.safetensors");
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

/// The smallest network of `game`, untrained.
pub(crate) fn tiny(game: &str) -> Saved {
    saved(game, &NetworkSettings { blocks: 1, channels: 8, ..NetworkSettings::default() })
}

/// The network of `game` that a configuration without sizes has, untrained.
pub(crate) fn with_default_sizes(game: &str) -> Saved {
    saved(game, &NetworkSettings::default())
}

fn saved(game: &str, settings: &NetworkSettings) -> Saved {
    let (device, _) = DeviceChoice::Cpu.resolve().unwrap();
    let network = Network::new(settings, Game::by_id(game).unwrap(), device, 1).unwrap();
    let notes = BTreeMap::from([("made by".to_owned(), "a test".to_owned())]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tiny.safetensors");
    Checkpoint::of(&network, 7, notes).save(&path).unwrap();
    Saved { folder, path }
}

#[test]
fn a_checkpoint_says_what_it_is() {
    let net = tiny("mgc");
    let info = raja(&["net", "info", net.file()]).done();
    for line in ["game      mgc\n", "step      7\n", "note      made by: a test\n"] {
        assert!(info.contains(line), "{info}");
    }
    assert!(info.contains("(as in this raja)\n"), "{info}");
    assert!(info.contains("network   1 blocks of 8 channels\n"), "{info}");
    let json = raja(&["net", "info", net.file(), "--json"]).done();
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["game"], &json["step"]), (&"mgc".into(), &7.into()));
}

#[test]
fn networks_play_matches_and_themselves() {
    let net = tiny("cheskers");
    let player = format!("net:{}@4", net.file());
    let out = tempfile::tempdir().unwrap();
    let folder = out.path().to_str().unwrap();
    let args = ["match", "cheskers", &player, "random", "--games", "4", "--device", "cpu"];
    let told = raja(&[&args[..], &["--out", folder]].concat()).done();
    assert!(told.starts_with(&format!("{player}   random ")));

    let args = ["selfplay", "cheskers", "--net", net.file(), "--games", "3", "--sims", "4"];
    let told = raja(&[&args[..], &["--out", folder]].concat()).done();
    assert!(told.contains("games        3\n"), "{told}");
}

/// Runs every command that reads a checkpoint for cheskers on `path`; all have to refuse it with a
/// message that ends in `message`.
#[track_caller]
fn all_refuse(path: &Path, message: &str) {
    let file = path.to_str().unwrap();
    let player = format!("net:{file}@2");
    let out = tempfile::tempdir().unwrap();
    let out = out.path().to_str().unwrap();
    let as_player = format!("player `{player}`: {message}");
    raja(&["match", "cheskers", &player, "random", "--games", "2"]).refused(2, &as_player);
    raja(&["play", "cheskers", "--black", &player]).refused(2, &as_player);
    raja(&["play", "cheskers", "--net", file]).refused(2, message);
    raja(&["selfplay", "cheskers", "--net", file, "--games", "1", "--out", out])
        .refused(2, message);
}

#[test]
fn a_checkpoint_with_one_byte_flipped_is_refused() {
    let net = tiny("cheskers");
    let end = std::fs::metadata(&net.path).unwrap().len() as usize;
    let spoilt = net.spoilt(|bytes| bytes[end - 1000] ^= 1);
    let message =
        format!("{} is damaged: its contents do not match its checksum", spoilt.display());
    raja(&["net", "info", spoilt.to_str().unwrap()]).refused(2, &message);
    all_refuse(&spoilt, &message);
}

#[test]
fn a_byte_flipped_anywhere_is_noticed() {
    let net = tiny("cheskers");
    let end = std::fs::metadata(&net.path).unwrap().len() as usize;
    for at in [0, 3, 7, 8, 9, 100, 400, end / 2, end - 1] {
        let spoilt = net.spoilt(|bytes| bytes[at] ^= 0x20);
        let Ran { code, out, err } = raja(&["net", "info", spoilt.to_str().unwrap()]);
        assert_eq!((code, out.as_str()), (Some(2), ""), "byte {at}: {err}");
        assert!(
            err.starts_with("raja: ") && err.contains("spoilt.safetensors"),
            "byte {at}: {err}"
        );
        assert_eq!(err.lines().count(), 1, "byte {at}: {err}");
    }
}

#[test]
fn a_checkpoint_cut_short_is_refused() {
    let net = tiny("cheskers");
    let whole = std::fs::metadata(&net.path).unwrap().len();
    let spoilt = net.spoilt(|bytes| bytes.truncate(bytes.len() - 100));
    let path = spoilt.display();
    let sizes = format!("its header promises {whole} bytes, the file has {}", whole - 100);
    all_refuse(&spoilt, &format!("{path} is cut short: {sizes}"));
    for length in [0, 4, 8, 50] {
        let spoilt = net.spoilt(|bytes| bytes.truncate(length));
        let ran = raja(&["net", "info", spoilt.to_str().unwrap()]);
        assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{length} bytes: {ran:?}");
        assert!(!ran.err.contains("panicked"), "{ran:?}");
    }
}

#[test]
fn what_is_no_network_of_the_game_is_refused() {
    let mgc = tiny("mgc");
    all_refuse(&mgc.path, &format!("{} is a network for mgc, not for cheskers", mgc.file()));
    let text = mgc.spoilt(|bytes| *bytes = b"not a network, only words".to_vec());
    all_refuse(&text, &format!("{} is not a safetensors file", text.display()));
    let missing = Path::new("runs/no-such-run/checkpoints/000001.safetensors");
    let message =
        format!("cannot read {}: No such file or directory (os error 2)", missing.display());
    raja(&["net", "info", missing.to_str().unwrap()]).refused(2, &message);
    all_refuse(missing, &message);
}

#[test]
fn a_device_that_is_not_there_is_the_fault_of_the_machine() {
    let net = tiny("cheskers");
    let player = format!("net:{}", net.file());
    let on = |device| raja(&["match", "cheskers", &player, "random", "--device", device]);
    let ran = on("cuda:99");
    assert_eq!((ran.code, ran.err.lines().count()), (Some(3), 1), "{ran:?}");
    assert!(ran.err.starts_with("raja: cuda:99 is not available: "), "{ran:?}");
    on("tpu").refused(
        2,
        "invalid value 'tpu' for '--device <DEVICE>': expected auto, cpu, cuda or cuda:N, found \
         \"tpu\"",
    );
}

#[test]
fn the_doctor_names_libtorch_and_the_devices() {
    let page = raja(&["doctor"]).done();
    for row in ["libtorch ", "libtorch_cpu.so ", "AVX-512 bf16 ", "CUDA ", "device auto "] {
        assert!(page.lines().any(|line| line.starts_with(row)), "{page}");
    }
    let json: Value = serde_json::from_str(&raja(&["doctor", "--json"]).done()).unwrap();
    let without = json["cuda_devices"] == 0;
    assert_eq!(json["cuda_off"].is_string(), without, "{json}");
}

#[test]
fn speed_of_inference() {
    let bench = ["bench", "inference", "cheskers", "--net", "1x16", "--seconds", "0"];
    let with = |more: &[&str]| raja(&[&bench, more].concat());
    let report: Value =
        serde_json::from_str(&with(&["--batches", "1,3", "--device", "cpu", "--json"]).done())
            .unwrap();
    assert_eq!((&report["game"], &report["blocks"]), (&"cheskers".into(), &1.into()));
    let number = |value: &Value| value.as_f64().unwrap();
    let plain = number(&report["plain_positions_per_second"]);
    assert_eq!(report["products"][0]["precision"], "fp32");
    let engines = report["engines"].as_array().unwrap();
    for engine in engines {
        let rates = engine["rates"].as_array().unwrap();
        assert_eq!(rates.iter().map(|rate| &rate["batch"]).collect::<Vec<_>>(), [1, 3]);
        let best =
            rates.iter().map(|rate| number(&rate["positions_per_second"])).fold(0.0, f64::max);
        let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-6;
        assert!(near(number(&engine["over_plain"]), best / plain), "{engine}");
        let gflops = best * number(&report["flops_per_position"]) / 1e9;
        assert!(near(number(&engine["gflops"]), gflops), "{engine}");
        let mut products = report["products"].as_array().unwrap().iter();
        let same = products.find(|product| product["precision"] == engine["precision"]).unwrap();
        assert!(near(number(&engine["of_products"]), gflops / number(&same["gflops"])), "{engine}");
    }
    // What plays is what doctor says.
    let doctor: Value = serde_json::from_str(&raja(&["doctor", "--json"]).done()).unwrap();
    let chosen: Vec<&Value> = engines.iter().filter(|engine| engine["chosen"] == true).collect();
    let [chosen] = chosen.as_slice() else { panic!("one engine plays: {report}") };
    assert_eq!(chosen["engine"], doctor["cpu_engine"]);
    assert_eq!(chosen["precision"], doctor["cpu_precision"]);
    let table = with(&["--batches", "2", "--device", "cpu"]).done();
    assert!(table.starts_with("cheskers 1x16: ") && table.contains("<- plays\n"), "{table}");
    let wrong = [["--net", "16"], ["--batches", "0"], ["--seconds", "-1"], ["--seconds", "NaN"]];
    for [option, value] in wrong {
        let mut words = vec!["bench", "inference", "cheskers"];
        let joined = format!("{option}={value}");
        words.push(&joined);
        assert_eq!(raja(&words).code, Some(2), "{joined}");
    }
}
