//! `raja train`: a run from its configuration to its strength table, interrupted, killed, refused.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command};
use std::time::Duration;

use crate::killing::{folder, killed_runs_come_to_their_end, start};
use crate::looking::{assert_complete, assert_held, assert_resting};
use crate::program::{all_games, ended, raja, within};

/// Waits until the run has played its first generation.
fn await_first_games(run: &mut Child, folder: &Path) {
    while !folder.join("runs/short/state.json").exists() {
        assert!(run.try_wait().unwrap().is_none(), "it ended before its first games");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn runs_killed_ten_times_come_to_the_same_end() {
    killed_runs_come_to_their_end(10, 1);
}

#[test]
fn an_interrupted_run_says_so_and_goes_on() {
    let folder = folder();
    let mut child = start(folder.path());
    await_first_games(&mut child, folder.path());
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupted.unwrap().success());
    let ran = ended(child);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("the same command goes on"), "{ran:?}");
    assert_resting(folder.path());

    let told = ended(start(folder.path())).done();
    let table: Vec<&str> = told.lines().collect();
    assert!(table[0].starts_with("checkpoint 8 @2   random "), "{told}");
    assert!(table[1].starts_with("checkpoint 8 @2   checkpoint 0 @2 "), "{told}");
    let checkpoint = "runs/short/checkpoints/000008.safetensors";
    assert!(told.contains(&format!("play cheskers --black net:{checkpoint}")), "{told}");

    // Once more: the table is there, nothing is played or trained again.
    assert_complete(folder.path());
    assert_eq!(ended(start(folder.path())).done(), told);
    a_ladder_only_grows(folder.path());
}

/// What `raja ladder` does with the finished run in `folder`.
fn a_ladder_only_grows(folder: &Path) {
    let ladder = |args: &[&str]| within(folder, &[&["ladder", "short"], args].concat());
    let saved = || std::fs::read_to_string(folder.join("runs/short/ladder.json")).unwrap();
    // Checkpoints 0, 4 and 8 with two reference players, 4 and 8 with the one before, the players.
    let standings = |told: &str| -> (usize, u64) {
        let standings: serde_json::Value = serde_json::from_str(told).unwrap();
        let encounters = standings["encounters"].as_array().unwrap();
        (encounters.len(), encounters.iter().map(|one| one["openings"].as_u64().unwrap()).sum())
    };
    assert_eq!(standings(&ladder(&["--json"]).done()), (9, 9));
    let before = saved();
    let text = ladder(&[]).done();
    assert!(text.contains("checkpoint 8 @2") && text.contains("(anchor)"), "{text}");
    assert_eq!(saved(), before, "nothing was missing");
    let more = ladder(&["--games", "4", "--json"]).done();
    assert_eq!(standings(&more), (9, 18));
    assert_eq!(standings(&saved()), (9, 18));
    std::fs::write(folder.join("runs/short/ladder.json"), &before[..before.len() / 2]).unwrap();
    let broken = ladder(&[]);
    assert_eq!(broken.code, Some(2), "{broken:?}");
    assert!(broken.err.starts_with("raja: runs/short/ladder.json: EOF"), "{broken:?}");
    ladder(&["--every", "0"])
        .refused(2, "invalid value '0' for '--every <N>': 0 is not in 1..=4294967295");
}

#[test]
fn two_processes_do_not_train_one_run() {
    let folder = folder();
    let mut first = start(folder.path());
    await_first_games(&mut first, folder.path());
    let second = ended(start(folder.path()));
    let holder = first.id();
    second.refused(3, &format!("runs/short: the run is held by process {holder}"));
    assert_held(folder.path(), holder);
    first.kill().unwrap();
    ended(first);
}

#[test]
fn bad_configurations_are_refused_before_anything_is_made() {
    let folder = folder();
    let train = |args: &[&str]| within(folder.path(), &[&["train"], args].concat());
    train(&["absent.toml"]).refused(2, "absent.toml: No such file or directory (os error 2)");
    let wrong = "--set: learner.batch: expected a whole number, 0 or more, found string \"many\"";
    train(&["short.toml", "--set", "learner.batch=many"]).refused(2, wrong);
    let absent = train(&["short.toml", "--init-from", "absent.safetensors"]);
    assert_eq!(absent.code, Some(2), "{absent:?}");
    assert!(absent.err.contains("absent.safetensors") && absent.err.lines().count() == 1);
    let unknown = format!("--set: run.game: unknown game `go`: the games are {}", all_games());
    train(&["short.toml", "--set", "run.game=go"]).refused(2, &unknown);
}

/// The file that all other presets extend.
const BASE: &str = "quick.toml";

#[test]
fn every_preset_says_with_a_comment_what_it_differs_in_and_the_first_one_everything() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs");
    let load = |name: &str| train::Settings::load(&folder.join(name), &[]).unwrap();
    let base = entries(&load(BASE).to_toml());
    let mut seen = 0;
    for preset in std::fs::read_dir(&folder).unwrap() {
        let name = preset.unwrap().file_name().into_string().unwrap();
        let text = std::fs::read_to_string(folder.join(&name)).unwrap();
        let listed = entries(&text);
        let settings = entries(&load(&name).to_toml());
        assert!(listed.keys().all(|key| settings.contains_key(key)), "{name}");
        if name == BASE {
            assert!(listed.keys().eq(settings.keys()), "{name}: every key is listed");
        } else {
            assert!(text.contains(&format!("\nextends = \"{BASE}\"\n")), "{name}");
            for (key, value) in &settings {
                let differs = base.get(key) != Some(value);
                assert_eq!(differs, listed.contains_key(key), "{name}: {key}");
            }
        }
        let lines: Vec<&str> = text.lines().collect();
        for (above, line) in lines.iter().zip(&lines[1..]) {
            let commented = above.starts_with('#') || above.contains("_least = ");
            let bare = line.starts_with('#') || line.starts_with("extends");
            assert!(!line.contains(" = ") || bare || commented, "{name}: {line}");
        }
        seen += 1;
    }
    assert_eq!(seen, 8);
}

/// The values of a configuration by table and key.
fn entries(text: &str) -> BTreeMap<String, toml::Value> {
    fn collect(table: toml::Table, place: &str, into: &mut BTreeMap<String, toml::Value>) {
        for (key, value) in table {
            match value {
                toml::Value::Table(inner) => collect(inner, &format!("{place}{key}."), into),
                value => drop(into.insert(format!("{place}{key}"), value)),
            }
        }
    }
    let mut into = BTreeMap::new();
    let mut table: toml::Table = text.parse().unwrap();
    table.remove("extends");
    collect(table, "", &mut into);
    into
}

#[test]
fn a_device_that_is_not_there_is_the_machine_s_fault() {
    if matches!(model::device::Cuda::probe(), model::device::Cuda::On { .. }) {
        return;
    }
    let ran =
        raja(&["train", "configs/quick.toml", "--run", "no-cuda", "--set", "run.device=cuda"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.err.starts_with("raja: cuda:0 is not available: "), "{ran:?}");
    assert_eq!(ran.err.lines().count(), 1);
}
