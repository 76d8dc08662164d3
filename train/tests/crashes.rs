use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;
use train::{Event, Observer, RunFiles, RunRequest, run};

use crate::damage::{copy, files};
use crate::runs::{Listener, settings, sit};

/// Two generations of three games that are the same whoever plays them, and some steps.
const ALWAYS_THE_SAME: [&str; 8] = [
    "run.generations=2",
    "run.games=3",
    "selfplay.reproducible=true",
    "selfplay.batch=1",
    "selfplay.cut_off_plies=16",
    "replay.minimum=10",
    "replay.window=60",
    "replay.passes=1.0",
];

/// What a complete run has come to: the bytes of games, checkpoints and learner; the figures that do
/// not depend on the clock; which of them TensorBoard gets.
#[derive(Debug, PartialEq)]
struct Outcome {
    files: BTreeMap<PathBuf, Vec<u8>>,
    generations: Vec<train::Generated>,
    lines: Vec<Value>,
    events: Vec<(i64, String)>,
}

impl Outcome {
    fn of(root: &Path) -> Self {
        let run = RunFiles::open(root).unwrap();
        let bytes = |path: PathBuf| (path.clone(), fs::read(root.join(path)).unwrap());
        let folders = ["games", "checkpoints", "optimizer"];
        let files =
            files(root).into_iter().filter(|path| folders.iter().any(|f| path.starts_with(f)));
        let lines = fs::read_to_string(run.metrics()).unwrap();
        let lines = lines.lines().map(|line| {
            let mut line: Value = serde_json::from_str(line).unwrap();
            let figures = line.as_object_mut().unwrap();
            figures.retain(|key, _| {
                ["generation", "step", "games", "rows", "window", "losses", "validation", "rate"]
                    .contains(&key.as_str())
            });
            line
        });
        let scalars = train::read_events(&run.tensorboard()).unwrap();
        Self {
            files: files.map(bytes).collect(),
            generations: run.state().unwrap().generations,
            lines: lines.collect(),
            events: scalars.into_iter().map(|scalar| (scalar.step, scalar.tag)).collect(),
        }
    }
}

/// Copies the run whenever it has written something: what a kill would leave at that moment.
struct Photographer<'p> {
    root: &'p Path,
    album: &'p Path,
    taken: Mutex<usize>,
}

impl Observer for Photographer<'_> {
    fn event(&self, event: &Event<'_>) {
        if matches!(event, Event::Saved) {
            let mut taken = self.taken.lock().unwrap();
            copy(self.root, &self.album.join(taken.to_string()));
            *taken += 1;
        }
    }
}

/// The run goes on from `root` to the outcome `expected`.
fn assert_goes_on(root: &Path, expected: &Outcome, what: &str) {
    let listener = Listener::default();
    assert!(sit(root, &ALWAYS_THE_SAME, &listener).unwrap().complete, "{what}");
    let found = Outcome::of(root);
    assert_eq!(found.lines, expected.lines, "{what}");
    assert_eq!(found.generations, expected.generations, "{what}");
    assert_eq!(found.events, expected.events, "{what}");
    let names = |outcome: &Outcome| outcome.files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&found), names(expected), "{what}");
    for (path, bytes) in &found.files {
        assert!(*bytes == expected.files[path], "{what}: {} differs", path.display());
    }
}

#[test]
fn killed_after_any_write_a_run_comes_to_the_same_end_byte_by_byte() {
    let (folder, album) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (root, album) = (folder.path(), album.path());
    let camera = Photographer { root, album, taken: Mutex::new(0) };
    let request = RunRequest {
        settings: settings(&ALWAYS_THE_SAME),
        folder: root.to_owned(),
        init_from: None,
    };
    assert!(run(&request, &camera, &AtomicBool::new(false)).unwrap().complete);
    let expected = Outcome::of(root);
    let lines: Vec<_> = expected.lines.iter().map(|line| &line["generation"]).collect();
    assert_eq!(lines, [0, 1]);
    let games: u64 = expected.generations.iter().map(|generation| generation.games).sum();
    assert_eq!((games, expected.lines[1]["games"].as_u64()), (6, Some(6)));

    let taken = camera.taken.into_inner().unwrap();
    // Each generation: its file of games, three games, the file closed; state, checkpoint, state,
    // learner, line, event.
    assert!(taken >= 22, "{taken} writes");
    let mut lengths = BTreeMap::new();
    for photo in 0..taken {
        let root = album.join(photo.to_string());
        // What was growing may have been cut short as well.
        let mut cut = false;
        for path in files(&root) {
            let length = fs::metadata(root.join(&path)).unwrap().len();
            let name = path.to_string_lossy();
            let grows = [".part", "metrics.jsonl", "events.out.tfevents.raja"];
            if lengths.insert(path.clone(), length).is_none_or(|before| before < length)
                && grows.iter().any(|end| name.ends_with(end))
            {
                let torn = album.join(format!("{photo}, torn"));
                copy(&root, &torn);
                let file = fs::File::options().write(true).open(torn.join(&path)).unwrap();
                file.set_len(length - 7).unwrap();
                assert_goes_on(&torn, &expected, &format!("write {photo}, {name} cut short"));
                cut = true;
            }
        }
        // A torn file is the harder case of the same moment.
        if !cut {
            assert_goes_on(&root, &expected, &format!("write {photo}"));
        }
    }
}

#[test]
fn a_kill_before_the_state_was_saved_is_made_good() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    sit(root, &ALWAYS_THE_SAME, &Listener::default()).unwrap();
    let expected = Outcome::of(root);
    // The games of both generations are complete; the state knows the first, and the learner, which
    // is on its way, has come to the second.
    let older = fs::read_to_string(root.join("state.json")).unwrap();
    let mut older: Value = serde_json::from_str(&older).unwrap();
    older["generations"].as_array_mut().unwrap().pop();
    older.as_object_mut().unwrap().remove("crc32c");
    fs::write(root.join("state.json"), older.to_string()).unwrap();
    assert_goes_on(root, &expected, "an older state");
}

/// Fills the disk after every third write, and makes room when the run says that it waits.
struct Squeezer<'p> {
    filler: &'p Path,
    writes: Mutex<usize>,
    notes: Mutex<Vec<String>>,
}

impl Observer for Squeezer<'_> {
    fn event(&self, event: &Event<'_>) {
        match event {
            Event::Saved => {
                let mut writes = self.writes.lock().unwrap();
                *writes += 1;
                if *writes % 3 == 2 {
                    // As much as there is room for.
                    fs::write(self.filler, vec![1; 8 << 20]).unwrap_err();
                }
            }
            Event::Note(note) => {
                self.notes.lock().unwrap().push((*note).to_owned());
                if note.contains("the run waits until there is room") {
                    fs::remove_file(self.filler).unwrap();
                }
            }
            _ => {}
        }
    }
}

/// A file system of four megabytes in memory, unmounted when dropped.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    /// None if this process may not mount anything.
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=4m", "tmpfs"]).arg(folder.path());
        let mounted = mount.output().is_ok_and(|output| output.status.success());
        mounted.then(|| Self(folder))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).output();
    }
}

#[test]
fn a_full_disk_is_waited_for_and_costs_nothing() {
    let Some(disk) = SmallDisk::mount() else {
        println!("no file system can be mounted here: nothing is tried on a full disk");
        return;
    };
    let elsewhere = tempfile::tempdir().unwrap();
    sit(elsewhere.path(), &ALWAYS_THE_SAME, &Listener::default()).unwrap();
    let expected = Outcome::of(elsewhere.path());
    let (root, filler) = (disk.0.path().join("run"), disk.0.path().join("filler"));
    let squeezer = Squeezer { filler: &filler, writes: Mutex::default(), notes: Mutex::default() };
    let request =
        RunRequest { settings: settings(&ALWAYS_THE_SAME), folder: root.clone(), init_from: None };
    assert!(run(&request, &squeezer, &AtomicBool::new(false)).unwrap().complete);
    let found = Outcome::of(&root);
    assert!(found == expected, "something was lost or changed");
    let notes = squeezer.notes.into_inner().unwrap();
    let waits: Vec<_> = notes.iter().filter(|note| note.contains("the run waits")).collect();
    assert!(waits.len() >= 4, "{notes:?}");
    for wait in &waits {
        assert!(wait.contains("No space left on device") && wait.lines().count() == 1, "{wait}");
    }
    // Each kind of file has been waited for.
    for file in [".safetensors", "games.zst.part"] {
        assert!(waits.iter().any(|wait| wait.contains(file)), "{file}: {waits:?}");
    }
    assert!(waits.iter().any(|wait| wait.contains("the file takes ")), "{waits:?}");
}

#[test]
fn a_stop_on_a_full_disk_ends_the_run_with_a_sentence() {
    let Some(disk) = SmallDisk::mount() else { return };
    let root = disk.0.path().join("run");
    sit(&root, &ALWAYS_THE_SAME, &Listener::default()).unwrap();
    fs::write(disk.0.path().join("filler"), vec![1; 8 << 20]).unwrap_err();
    let listener = Listener::default();
    // The first thing that is told is that the disk is full.
    *listener.stop_after.lock().unwrap() = Some(0);
    let error = sit(&root, &[&ALWAYS_THE_SAME[1..], &["run.generations=3"]].concat(), &listener)
        .unwrap_err();
    assert!(error.contains("No space left on device") && error.lines().count() == 1, "{error}");
    assert!(listener.stop.load(Ordering::Relaxed));
    fs::remove_file(disk.0.path().join("filler")).unwrap();
    let three = [&ALWAYS_THE_SAME[1..], &["run.generations=3"]].concat();
    assert!(sit(&root, &three, &Listener::default()).unwrap().complete);
}
