//! `raja bench selfplay`, and the script that measures GPUs.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::program::raja;

/// The figures of a short measurement on a tiny network.
fn measured(device: &str, games: &str) -> Value {
    let ran = raja(&[
        "bench",
        "selfplay",
        "--net",
        "1x16",
        "--threads",
        "2",
        "--games",
        games,
        "--seconds",
        "1",
        "--device",
        device,
        "--json",
    ]);
    serde_json::from_str(&ran.done()).unwrap()
}

#[test]
fn self_play_is_measured_against_its_network() {
    for (device, devices, states) in [("cpu", 0, 8.0), ("cpu,cpu", 2, 16.0)] {
        let json = measured(device, "8");
        let number = |key: &str| json[key].as_f64().unwrap_or_else(|| panic!("{key}: {json}"));
        assert_eq!(
            (json["game"].as_str(), json["network"].as_str()),
            (Some("cheskers"), Some("1x16"))
        );
        assert_eq!(number("devices"), f64::from(devices));
        assert_eq!((number("threads"), number("games_per_thread")), (2.0, 8.0));
        let rate = number("evaluations_per_second");
        let ratio = rate / number("network_evaluations_per_second");
        assert!((ratio - number("ratio")).abs() < 1e-9 && ratio > 0.0, "{json}");
        assert!(number("positions_per_second") > 0.0 && number("positions_per_second") < rate);
        assert!(number("batch") > 1.0 && number("batch") <= states, "{json}");
        assert!(number("batch_fill") <= 1.0 && number("longest_stall_ms") > 0.0, "{json}");
        assert!((0.0..1.0).contains(&number("cache_hits")), "{json}");
        let shares = ["network", "tree", "encoding", "waiting", "other"];
        let shares = shares.map(|part| number(&format!("{part}_share")));
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{json}");
        assert_eq!(shares[3] > 0.0, devices > 0, "waiting is for devices: {json}");
    }
}

#[test]
fn a_configuration_can_be_measured() {
    let ran = raja(&[
        "bench",
        "selfplay",
        "mgc",
        "--config",
        "configs/quick.toml",
        "--net",
        "1x16",
        "--games",
        "2",
        "--threads",
        "1",
        "--set",
        "selfplay.search.simulations=3",
        "--seconds",
        "1",
    ]);
    let table = ran.done();
    assert!(table.starts_with("mgc, network 1x16 ("), "{table}");
    assert!(table.contains("1 threads of 2 games, 3 simulations"), "{table}");
    assert!(table.contains("\nratio "), "{table}");
    raja(&["bench", "selfplay", "--net", "1x0"])
        .refused(2, "1x0: channels: expected a whole number from 1 to 4096, found 0");
    raja(&["bench", "selfplay", "--games", "0"])
        .refused(2, "--set: selfplay.games_per_worker: expected 1 to 65536, found 0");
}

#[test]
fn gpus_are_not_measured_where_there_are_none() {
    if Path::new("/dev/nvidiactl").exists() {
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/gpu.sh");
    let ran = Command::new(script).output().unwrap();
    let err = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(err, "benches/gpu.sh: there is no NVIDIA driver (/dev/nvidiactl does not exist)\n");
    assert_eq!((ran.status.code(), ran.stdout.as_slice()), (Some(3), &b""[..]));
}
