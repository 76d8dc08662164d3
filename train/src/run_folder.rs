//! [`RunFolder`]: where a run keeps everything, and how none of it is ever half written.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Write as _;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use arena::{Lock, LockError, Standing, read_checked, to_line};
use model::{WriteError, write_atomically};
use serde::{Deserialize, Serialize};

use crate::events::GenerationReport;
use crate::gate::{Gate, GateSettings};
use crate::run_files::{RunFiles, if_there, line_of};
use crate::tensorboard::{self, EventFile};
use crate::{Settings, SettingsError};

/// The version of the layout of a run folder and of `state.json`.
pub(crate) const FORMAT: u32 = 1;

/// The folder of a run, held against other processes as long as the value lives.
///
/// ```text
/// config.toml                      the whole resolved configuration
/// state.json                       where the loop stands
/// checkpoints/000123.safetensors   the averaged network after 123 generations
/// optimizer/latest.safetensors     the learner: weights, average, moments, step
/// optimizer/spoilt-00012345...     the batch that a step has failed on, if one ever has
/// games/000123.games.zst           the games of generation 123
/// games/000123.games.zst.part      the same, while they are being played
/// metrics.jsonl                    one line a generation
/// tensorboard/                     the same for TensorBoard, and the ratings of the ladder
/// table.json, openings.json        the strength table of a complete run
/// gate/000123/                      the games of checkpoint 123 at the gate
/// ladder.json                      ratings of checkpoints and reference players
/// lock                             held by the process that trains here
/// ```
///
/// Every file appears whole or not at all: written aside, flushed, renamed. Three exceptions grow at
/// their end, and what is broken there after a crash is cut off: the games being played, frame by
/// frame, the lines of metrics, and TensorBoard's copy of them. All but the configuration and the openings
/// carry checksums, so that damage is told from content.
///
/// Paths and whatever only reads are those of [`RunFiles`], for which nothing needs to be held.
#[derive(Debug)]
pub struct RunFolder {
    files: RunFiles,
    changed: Vec<String>,
    _lock: Lock,
}

impl Deref for RunFolder {
    type Target = RunFiles;

    fn deref(&self) -> &RunFiles {
        &self.files
    }
}

/// Where the loop stands: `state.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunState {
    /// The version of this file.
    pub format: u32,
    /// Seconds of training so far, all sittings together.
    pub seconds: f64,
    /// Games and rows of each generation whose games are complete.
    pub generations: Vec<Generated>,
    /// What is said in `metrics.jsonl` of the newest generation learned, or of the one that was about
    /// to be: if the process dies before it has written the line, the next one does.
    #[serde(default)]
    pub report: Option<GenerationReport>,
    /// The checkpoint that plays, as far as the gate has a say; none before there were gates.
    #[serde(default)]
    pub plays: Option<u32>,
    /// What came of the checkpoints at the gate, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gates: Vec<Gate>,
}

/// What one generation has played.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generated {
    /// Games.
    pub games: u64,
    /// Rows to learn from: steps that carry a policy target.
    pub rows: u64,
    /// The same in games that are kept for validation, out of training.
    #[serde(default)]
    pub validation: u64,
}

impl RunState {
    /// The beginning of a run.
    #[must_use]
    pub fn new() -> Self {
        Self { format: FORMAT, ..Self::default() }
    }

    /// The checkpoint that plays when `learned` is the newest: that one, if there is no gate before
    /// it that it has not passed.
    #[must_use]
    pub fn plays(&self, learned: u32, gate: &GateSettings) -> u32 {
        if gate.is_on() { self.plays.unwrap_or(learned) } else { learned }
    }

    /// Whether checkpoint `learned` is still to be tested.
    #[must_use]
    pub fn awaits_gate(&self, learned: u32, gate: &GateSettings) -> bool {
        let tested = self.gates.last().is_some_and(|found| found.checkpoint == learned);
        !tested && self.plays(learned, gate) < learned
    }

    /// Rows to learn from of all complete generations.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.generations.iter().map(|generation| generation.rows).sum()
    }

    /// Rows kept for validation of all complete generations.
    #[must_use]
    pub fn validation_rows(&self) -> u64 {
        self.generations.iter().map(|generation| generation.validation).sum()
    }

    /// Games of all complete generations.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.generations.iter().map(|generation| generation.games).sum()
    }
}

/// A run folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RunFolderError {
    /// A file operation failed.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was being done.
        action: &'static str,
        /// To which file or folder.
        path: PathBuf,
        /// Why it failed.
        source: std::io::Error,
    },
    /// A file could not be written; an old one of that name is as it was.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The folder is not that of a run.
    #[error("{}: there is no run: it has no config.toml", root.display())]
    NoRun {
        /// The folder.
        root: PathBuf,
    },
    /// Another process trains here.
    #[error("{}: the run is held by process {holder}", root.display())]
    Held {
        /// The run folder.
        root: PathBuf,
        /// The id of the process, as far as it is known.
        holder: String,
    },
    /// A file of the run is not what it should be.
    #[error("{}: {problem}", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// The run was started with other settings.
    #[error("{}: the run was started with {key} = {found}, not {asked}: choose another --run", root.join("config.toml").display())]
    Changed {
        /// The run folder.
        root: PathBuf,
        /// The key that differs.
        key: &'static str,
        /// Its value in the run.
        found: String,
        /// Its value now.
        asked: String,
    },
    /// The configuration saved in the folder cannot be read.
    #[error(transparent)]
    Settings(#[from] SettingsError),
}

impl RunFolderError {
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }

    /// What a lock in the run folder `root` that cannot be had is told as.
    pub(crate) fn lock(root: &Path) -> impl FnOnce(LockError) -> Self {
        let root = root.to_owned();
        move |error| match error {
            LockError::Held { holder } => Self::Held { root, holder },
            LockError::Io { action, path, source } => Self::Io { action, path, source },
        }
    }
}

impl RunFolder {
    /// Opens the run at `root`, or begins one there, and holds it.
    ///
    /// The settings are written into the folder. A run keeps its game, seed, network and share of
    /// games for validation for life; all else may change from sitting to sitting.
    ///
    /// # Errors
    /// If the folder cannot be made or written, is held by another process, or belongs to a run of
    /// another game, seed, network or share.
    pub fn open(root: &Path, settings: &Settings) -> Result<Self, RunFolderError> {
        for folder in ["checkpoints", "optimizer", "games"] {
            let path = root.join(folder);
            fs::create_dir_all(&path).map_err(RunFolderError::io("make the folder", &path))?;
        }
        let files = RunFiles::at(root);
        let lock = Lock::take(&files.lock()).map_err(RunFolderError::lock(files.root()))?;
        let mut run = Self { _lock: lock, files, changed: Vec::new() };
        for folder in [root.to_owned(), root.join("checkpoints"), root.join("optimizer")] {
            remove_unfinished(&folder).map_err(RunFolderError::io("clear", &folder))?;
        }
        let path = run.configuration();
        if let Some(text) = if_there(&path, fs::read_to_string(&path))? {
            let before = Settings::parse(&path, &text, &[])?;
            let changed = |key, found: String, asked: String| {
                (found != asked).then(|| RunFolderError::Changed {
                    root: root.to_owned(),
                    key,
                    found,
                    asked,
                })
            };
            let differences = [
                changed("run.game", before.run.game.clone(), settings.run.game.clone()),
                changed("run.seed", before.run.seed.to_string(), settings.run.seed.to_string()),
                changed("network", one_line(&before.network), one_line(&settings.network)),
                changed(
                    "replay.validation",
                    before.replay.validation.to_string(),
                    settings.replay.validation.to_string(),
                ),
            ];
            if let Some(error) = differences.into_iter().flatten().next() {
                return Err(error);
            }
            run.changed = changes(&before, settings);
        }
        write_whole(&path, settings.to_toml().as_bytes())?;
        Ok(run)
    }

    /// The keys, as in `learner.rate`, whose values are others than those the folder held before.
    #[must_use]
    pub fn changed(&self) -> &[String] {
        &self.changed
    }

    /// The journal of the games of `checkpoint` at the gate, whose folder is made.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(crate) fn gate(&self, checkpoint: u32) -> Result<PathBuf, RunFolderError> {
        let folder = self.root().join(format!("gate/{checkpoint:06}"));
        fs::create_dir_all(&folder).map_err(RunFolderError::io("make the folder", &folder))?;
        Ok(folder.join("match.jsonl"))
    }

    /// Saves where the loop stands.
    ///
    /// # Errors
    /// If the file cannot be written; the old one then stays as it was.
    pub fn save_state(&self, state: &RunState) -> Result<(), RunFolderError> {
        write_whole(&self.state_path(), &to_line(state))
    }

    /// Appends one line to `metrics.jsonl`, which must end with a whole one, and puts it on the disk.
    ///
    /// # Errors
    /// If the file cannot be written; it then ends where it ended before, as far as the system lets
    /// it be shortened.
    pub fn append_metrics(&self, report: &GenerationReport) -> Result<(), RunFolderError> {
        let path = self.metrics();
        let append = || -> std::io::Result<()> {
            let mut file = File::options().append(true).create(true).open(&path)?;
            let end = file.metadata()?.len();
            let line = [&to_line(report)[..], b"\n"].concat();
            file.write_all(&line).and_then(|()| file.sync_data()).inspect_err(|_| {
                let _ = file.set_len(end);
            })
        };
        append().map_err(RunFolderError::io("write", &path))
    }

    /// Ends the last line of `metrics.jsonl` if a crash has left it without its end: one that has
    /// all of its report gets its line break, anything else is cut off. Returns the bytes cut off.
    ///
    /// # Errors
    /// If the file is there and cannot be read or written.
    pub fn mend_metrics(&self) -> Result<usize, RunFolderError> {
        let path = self.metrics();
        let Some(bytes) = if_there(&path, fs::read(&path))? else { return Ok(0) };
        let begin = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let last = &bytes[begin..];
        let mend = || -> std::io::Result<usize> {
            if last.is_empty() {
                return Ok(0);
            }
            let mut file = File::options().append(true).open(&path)?;
            if read_checked::<GenerationReport>(last).is_ok() {
                return file.write_all(b"\n").map(|()| 0);
            }
            file.set_len(begin as u64)?;
            Ok(last.len())
        };
        mend().map_err(RunFolderError::io("write", &path))
    }

    /// TensorBoard's file, with all of `reports` in it.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn events(&self, reports: &[GenerationReport]) -> Result<EventFile, RunFolderError> {
        let path = self.tensorboard();
        let mut events = EventFile::open(&path).map_err(RunFolderError::io("open", &path))?;
        for report in reports {
            add_report(&mut events, report)?;
        }
        Ok(events)
    }
}

/// Adds a generation's figures to TensorBoard's file.
///
/// # Errors
/// If the file cannot be written.
pub(crate) fn add_report(
    events: &mut EventFile,
    report: &GenerationReport,
) -> Result<(), RunFolderError> {
    let figures = tensorboard::scalars(&line_of(report));
    let added = events.add(report.generation.into(), report.time, figures);
    added.map_err(RunFolderError::io("write", events.path()))
}

/// Adds the ratings of checkpoints to TensorBoard's file, at the generations of the checkpoints and as
/// of now: a rating that is there already stays what it was when it was added.
///
/// # Errors
/// If the file cannot be written.
pub(crate) fn add_ratings(
    events: &mut EventFile,
    ratings: &[(u32, &Standing)],
) -> Result<(), RunFolderError> {
    let now = SystemTime::UNIX_EPOCH.elapsed().map_or(0.0, |since| since.as_secs_f64());
    for &(generation, &Standing { elo, low, high, .. }) in ratings {
        let figures = [("elo", elo), ("low", low), ("high", high)];
        let figures = figures.map(|(name, figure)| (format!("ladder/{name}"), figure));
        let added = events.add(generation.into(), now, figures);
        added.map_err(RunFolderError::io("write", events.path()))?;
    }
    Ok(())
}

/// Writes a file so that it appears whole or not at all.
fn write_whole(path: &Path, content: &[u8]) -> Result<(), RunFolderError> {
    Ok(write_atomically(path, |file| file.write_all(content))?)
}

/// Removes what a process that was killed has left of the files that it was writing aside: they have
/// the names of hidden files, and nothing else here has.
fn remove_unfinished(folder: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().as_encoded_bytes().starts_with(b".") && entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// The keys whose values differ, each with its table.
fn changes(before: &Settings, after: &Settings) -> Vec<String> {
    let values = |settings: &Settings| {
        let tables: toml::Table = settings.to_toml().parse().expect("what is written can be read");
        let mut values = BTreeMap::new();
        for (name, table) in tables {
            collect(&name, &table, &mut values);
        }
        values
    };
    let (before, after) = (values(before), values(after));
    let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    keys.into_iter().filter(|&key| before.get(key) != after.get(key)).cloned().collect()
}

/// Puts all values of a table and of those in it into `values`, under their whole keys.
fn collect(name: &str, value: &toml::Value, values: &mut BTreeMap<String, toml::Value>) {
    match value {
        toml::Value::Table(table) => {
            table.iter().for_each(|(key, value)| collect(&format!("{name}.{key}"), value, values));
        }
        value => {
            values.insert(name.to_owned(), value.clone());
        }
    }
}

/// A table of settings as one line, to compare and to show.
fn one_line(table: &impl Serialize) -> String {
    serde_json::to_string(table).expect("settings are plain tables")
}
