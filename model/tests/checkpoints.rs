use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use games::Game;
use model::{Checkpoint, FORMAT_VERSION, Manifest, NetworkSettings, tensors};
use tch::{Device, Tensor};

use crate::samples::{lived_in, numbers, small};

fn cheskers() -> &'static Game {
    Game::by_id("cheskers").unwrap()
}

fn checkpoint() -> Checkpoint {
    let notes = BTreeMap::from([("raja".to_owned(), "0.1.0".to_owned())]);
    Checkpoint::of(&lived_in(cheskers(), &small()), 123, notes)
}

/// Why `checkpoint`, written to a file, cannot be read as one for `game`; the file is called `FILE`.
fn refusal(checkpoint: &Checkpoint, game: &'static Game) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.safetensors");
    checkpoint.save(&path).unwrap();
    let error = Checkpoint::load(&path, game).unwrap_err();
    error.to_string().replace(path.to_str().unwrap(), "FILE")
}

#[test]
fn a_checkpoint_comes_back_bit_by_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.safetensors");
    let network = lived_in(cheskers(), &small());
    let saved = Checkpoint::of(&network, 123, BTreeMap::new());
    saved.save(&path).unwrap();
    let loaded = Checkpoint::load(&path, cheskers()).unwrap();
    assert_eq!(loaded.manifest, saved.manifest);
    assert_eq!(Manifest::read(&path).unwrap(), saved.manifest);
    let bits = |tensor: &Tensor| numbers(tensor).iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    let again = loaded.network(cheskers(), Device::Cpu);
    assert_eq!(again.parameters().len(), network.parameters().len());
    for (a, b) in again.parameters().iter().zip(network.parameters()) {
        assert_eq!(a.name, b.name);
        assert_eq!(bits(&a.tensor), bits(&b.tensor), "{}", a.name);
    }
    // Equal checkpoints are equal files, and what is written again is the same.
    let second = folder.path().join("again.safetensors");
    loaded.save(&second).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), std::fs::read(&second).unwrap());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left aside");
}

#[test]
fn a_checkpoint_keeps_its_values_when_training_goes_on() {
    let network = lived_in(cheskers(), &small());
    let saved = Checkpoint::of(&network, 1, BTreeMap::new());
    let before = numbers(&saved.tensors[0].1);
    for parameter in network.parameters() {
        let _ = tch::no_grad(|| parameter.tensor.shallow_clone().g_add_scalar_(1.0));
    }
    assert_eq!(numbers(&saved.tensors[0].1), before);
}

#[test]
fn another_game_is_refused() {
    assert_eq!(
        refusal(&checkpoint(), Game::by_id("chess").unwrap()),
        "FILE is a network for cheskers, not for chess"
    );
}

#[test]
fn other_rules_are_refused() {
    let mut checkpoint = checkpoint();
    checkpoint.manifest.rules = "0123456789abcdef".to_owned();
    assert_eq!(
        refusal(&checkpoint, cheskers()),
        format!(
            "FILE was trained on other rules of cheskers: their fingerprint was 0123456789abcdef \
             and is now {:016x}",
            cheskers().fingerprint
        )
    );
}

#[test]
fn another_encoding_is_refused() {
    let mut checkpoint = checkpoint();
    checkpoint.manifest.encoding = 99;
    assert_eq!(
        refusal(&checkpoint, cheskers()),
        "FILE reads positions in encoding 99, this raja writes encoding 1"
    );
}

#[test]
fn a_newer_format_is_refused_whatever_its_manifest_has() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.safetensors");
    let manifest = format!(r#"{{"format":{},"novelty":true}}"#, FORMAT_VERSION + 1);
    tensors::write(&path, &[], &BTreeMap::from([("raja".to_owned(), manifest)])).unwrap();
    let error = Checkpoint::load(&path, cheskers()).unwrap_err().to_string();
    assert!(
        error.ends_with("has checkpoint format 3, this raja reads up to 2: update raja"),
        "{error}"
    );
}

/// Files from before there were further heads name none of them.
#[test]
fn a_checkpoint_of_format_1_is_read() {
    let settings =
        NetworkSettings { soft_policy: false, reply: false, occupancy: false, ..small() };
    let saved = Checkpoint::of(&lived_in(cheskers(), &settings), 5, BTreeMap::new());
    let mut manifest = serde_json::to_value(&saved.manifest).unwrap();
    manifest["format"] = 1.into();
    for key in ["soft_policy", "reply", "occupancy"] {
        assert_eq!(manifest["network"].as_object_mut().unwrap().remove(key), Some(false.into()));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.safetensors");
    let metadata = BTreeMap::from([("raja".to_owned(), manifest.to_string())]);
    tensors::write(&path, &saved.tensors, &metadata).unwrap();
    let loaded = Checkpoint::load(&path, cheskers()).unwrap();
    assert_eq!(loaded.manifest, saved.manifest);
    assert_eq!(Manifest::read(&path).unwrap().format, 1);
}

#[test]
fn shapes_that_are_not_the_architecture_are_refused() {
    let mut other = checkpoint();
    other.manifest.network = NetworkSettings { channels: 8, ..small() };
    assert_eq!(
        refusal(&other, cheskers()),
        format!(
            "FILE does not match its own architecture: tensor trunk.input.kernel is \
             Float [16, {planes}, 3, 3], expected Float [8, {planes}, 3, 3]",
            planes = cheskers().planes.len()
        )
    );
    let mut absurd = checkpoint();
    absurd.manifest.network.channels = 1 << 40;
    assert_eq!(
        refusal(&absurd, cheskers()),
        "FILE: channels: expected a whole number from 1 to 4096, found 1099511627776"
    );
}

#[test]
fn numbers_that_are_not_finite_are_refused() {
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut checkpoint = checkpoint();
        let (name, tensor) = &mut checkpoint.tensors[3];
        let name = name.clone();
        let _ = tensor.flatten(0, -1).get(0).fill_(f64::from(value));
        assert_eq!(
            refusal(&checkpoint, cheskers()),
            format!("FILE: tensor {name} has numbers that are infinite or undefined")
        );
    }
}

#[test]
fn tensors_without_a_manifest_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("optimizer.safetensors");
    tensors::write(&path, &[], &BTreeMap::new()).unwrap();
    let error = Checkpoint::load(&path, cheskers()).unwrap_err().to_string();
    let reason = r#"holds tensors but no raja checkpoint: its metadata has no entry "raja""#;
    assert!(error.ends_with(reason), "{error}");
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = Checkpoint::load(Path::new("/nowhere/net.safetensors"), cheskers()).unwrap_err();
    assert!(error.to_string().starts_with("cannot read /nowhere/net.safetensors: No such file"));
    let error = checkpoint().save(Path::new("/nowhere/net.safetensors")).unwrap_err();
    assert!(error.to_string().starts_with("cannot write /nowhere/net.safetensors: No such file"));
}

#[test]
fn a_full_disk_is_named_and_leaves_nothing() {
    let full = Path::new("/dev/full");
    if !full.exists() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.safetensors");
    std::fs::write(&path, "old").unwrap();
    // As the operating system reports it in the middle of a file.
    let error = model::write_atomically(&path, |file| {
        file.write_all(b"half")?;
        std::fs::OpenOptions::new().write(true).open(full)?.write_all(b"x")
    });
    let error = error.unwrap_err().to_string();
    assert!(error.contains("net.safetensors: No space left on device"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), b"old");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}
