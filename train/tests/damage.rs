use std::fs;
use std::path::{Path, PathBuf};

use rand::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::runs::{Listener, sit};

/// A run that is stopped in its third generation: there is one of every file.
const SETTINGS: [&str; 6] = [
    "run.generations=3",
    "run.games=4",
    "selfplay.cut_off_plies=16",
    "replay.minimum=10",
    "replay.passes=0.5",
    "replay.window=5000",
];

/// All files in `root`, in order, named from there.
pub(crate) fn files(root: &Path) -> Vec<PathBuf> {
    fn collect(root: &Path, folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(root, &path, found);
            } else {
                found.push(path.strip_prefix(root).unwrap().to_owned());
            }
        }
    }
    let mut found = Vec::new();
    collect(root, root, &mut found);
    found.sort();
    found
}

/// Copies the folder `from` to `to`.
pub(crate) fn copy(from: &Path, to: &Path) {
    for file in files(from) {
        let path = to.join(&file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::copy(from.join(&file), path).unwrap();
    }
}

/// Makes the run of [`SETTINGS`] in `root`, with a strength table.
fn prepare(root: &Path) {
    let two = [
        &SETTINGS[1..],
        &["run.generations=2", "table.games=2", "table.simulations=1", "table.opponents=[]"],
        &["table.baseline=[]", "ladder.every=1", "ladder.games=2", "ladder.simulations=1"],
    ];
    assert!(sit(root, &two.concat(), &Listener::default()).unwrap().complete);
    let listener = Listener::default();
    // It goes on, other settings, two games.
    *listener.stop_after.lock().unwrap() = Some(3);
    assert!(!sit(root, &SETTINGS, &listener).unwrap().complete);
}

/// What is done to a file.
#[derive(Debug, Clone, Copy)]
enum Damage {
    CutTo(usize),
    Flip(usize, u8),
}

impl Damage {
    fn done_to(self, path: &Path) {
        let mut bytes = fs::read(path).unwrap();
        match self {
            Self::CutTo(length) => bytes.truncate(length),
            Self::Flip(at, bits) => bytes[at] ^= bits,
        }
        fs::write(path, bytes).unwrap();
    }
}

/// Takes up the damaged run in `root`, to its end if `whole`, otherwise only until it could go on.
///
/// The damage has to be told, in the log or in the one sentence that the run ends with, or to be made
/// good, unless a run does not read the file at all.
fn assert_told_or_healed(root: &Path, sound: &Path, file: &Path, what: &str, whole: bool) {
    let before = fs::read(root.join(file)).unwrap();
    let listener = Listener::default();
    listener.stop.store(!whole, std::sync::atomic::Ordering::Relaxed);
    let outcome = sit(root, &SETTINGS, &listener);
    let notes = listener.notes.into_inner().unwrap();
    let name = file.file_name().unwrap().to_str().unwrap();
    let told = match &outcome {
        Ok(_) => notes.iter().any(|note| note.contains(name)),
        Err(error) => {
            assert_eq!(error.lines().count(), 1, "{what}: {error}");
            error.contains(name)
        }
    };
    // Checkpoints before the newest, the table of another one, and what only people read.
    let unread = ["000000.safetensors", "000001.safetensors", "table.json", "openings.json"];
    let now = fs::read(root.join(file)).unwrap_or_default();
    // Scalars that are written again may stand in another order, and the newest rating comes when the
    // ladder is looked at.
    let scalars = |root: &Path| {
        let mut found = train::read_events(&root.join(file)).unwrap();
        found.retain(|scalar| !scalar.tag.starts_with("ladder/"));
        found.into_iter().map(|scalar| (scalar.step, scalar.tag, scalar.value)).collect::<Vec<_>>()
    };
    let healed = now == fs::read(sound.join(file)).unwrap()
        || name.contains("tfevents") && !whole && scalars(root) == scalars(sound);
    assert!(
        told || healed || unread.contains(&name),
        "{what}: not a word of it; {outcome:?} {notes:?} {} -> {}",
        String::from_utf8_lossy(&before),
        String::from_utf8_lossy(&now)
    );
    if whole && outcome.is_ok() {
        // Once taken up, nothing is left to be told: it is as whole as it can be.
        assert!(sit(root, &SETTINGS, &Listener::default()).unwrap().complete, "{what}");
    }
}

/// Damages one file of a run at a time, and takes the run up.
#[test]
fn damage_to_any_file_is_told_or_made_good() {
    let sound = tempfile::tempdir().unwrap();
    prepare(sound.path());
    let names = files(sound.path());
    for kind in ["state.json", "metrics.jsonl", "lock", "table.json", "ladder.json", "config.toml"]
    {
        assert!(names.iter().any(|name| name == Path::new(kind)), "{kind}: {names:?}");
    }
    assert!(names.iter().any(|name| name.to_string_lossy().ends_with(".part")), "{names:?}");
    for file in &names {
        let length = fs::metadata(sound.path().join(file)).unwrap().len() as usize;
        let damages = [
            Damage::CutTo(0),
            Damage::CutTo(length / 2),
            Damage::CutTo(length - 1),
            Damage::Flip(0, 1),
            Damage::Flip(length / 3, 1),
            Damage::Flip(length * 2 / 3, 16),
            Damage::Flip(length - 1, 1),
        ];
        for damage in damages {
            let folder = tempfile::tempdir().unwrap();
            copy(sound.path(), folder.path());
            damage.done_to(&folder.path().join(file));
            let what = format!("{}: {damage:?}", file.display());
            // The games being played are looked at when more are.
            let whole = file.extension().is_some_and(|extension| extension == "part");
            assert_told_or_healed(folder.path(), sound.path(), file, &what, whole);
        }
    }
    // All games are gone, and the count of them.
    for lost in ["state.json", "games/000000.games.zst", "games/000001.games.zst"] {
        fs::write(sound.path().join(lost), "lost").unwrap();
    }
    let listener = Listener::default();
    assert!(sit(sound.path(), &SETTINGS, &listener).unwrap().complete);
    let notes = listener.notes.into_inner().unwrap();
    assert!(notes.iter().any(|note| note.contains("counted again")), "{notes:?}");
}

/// Damages random places of random files `cases` times, and lets the run come to its end.
pub(crate) fn damaged_at_random(seed: u64, cases: usize) {
    let sound = tempfile::tempdir().unwrap();
    prepare(sound.path());
    let names = files(sound.path());
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    for case in 0..cases {
        let file = &names[rng.random_range(0..names.len())];
        let length = fs::metadata(sound.path().join(file)).unwrap().len() as usize;
        let damage = match rng.random_bool(0.3) {
            true => Damage::CutTo(rng.random_range(0..length)),
            false => Damage::Flip(rng.random_range(0..length), rng.random_range(1..=255)),
        };
        let folder = tempfile::tempdir().unwrap();
        copy(sound.path(), folder.path());
        damage.done_to(&folder.path().join(file));
        let what = format!("seed {seed}, case {case}: {}: {damage:?}", file.display());
        assert_told_or_healed(folder.path(), sound.path(), file, &what, true);
    }
}

#[test]
fn damage_anywhere_lets_the_run_end_or_is_told() {
    damaged_at_random(7, 10);
}

#[test]
fn a_learner_or_games_that_are_missing_are_missed() {
    let sound = tempfile::tempdir().unwrap();
    prepare(sound.path());
    for (file, words) in [
        ("optimizer/latest.safetensors", "latest.safetensors: the learner's file is missing"),
        ("games/000001.games.zst", "000001.games.zst"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        copy(sound.path(), folder.path());
        fs::remove_file(folder.path().join(file)).unwrap();
        let error = sit(folder.path(), &SETTINGS, &Listener::default()).unwrap_err();
        assert!(error.contains(words) && error.lines().count() == 1, "{error}");
        // Nor when nothing counts them any more.
        fs::remove_file(folder.path().join("state.json")).unwrap();
        let error = sit(folder.path(), &SETTINGS, &Listener::default()).unwrap_err();
        assert!(error.contains(words) && error.lines().count() == 1, "{error}");
    }
}

#[test]
fn files_that_a_killed_process_was_writing_are_cleared_away() {
    let folder = tempfile::tempdir().unwrap();
    let one = ["run.generations=1", "run.games=2", "selfplay.cut_off_plies=16"];
    sit(folder.path(), &one, &Listener::default()).unwrap();
    let before = files(folder.path());
    for unfinished in [
        ".state.json.a1B2c3",
        "checkpoints/.000001.safetensors.x",
        "optimizer/.latest.safetensors.y",
    ] {
        fs::write(folder.path().join(unfinished), "half").unwrap();
    }
    assert!(sit(folder.path(), &one, &Listener::default()).unwrap().complete);
    assert_eq!(files(folder.path()), before);
}

#[test]
fn changed_settings_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let one = ["run.generations=1", "run.games=2", "selfplay.cut_off_plies=16"];
    sit(folder.path(), &one, &Listener::default()).unwrap();
    let listener = Listener::default();
    sit(folder.path(), &[&one[..], &["learner.rate=0.001"]].concat(), &listener).unwrap();
    let notes = listener.notes.into_inner().unwrap();
    let told = "config.toml: other values than before for learner.rate";
    assert!(notes[0].ends_with(told), "{notes:?}");
}
