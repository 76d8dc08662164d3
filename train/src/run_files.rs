//! [`RunFiles`]: the files of a run, to be read by anyone, also while the run goes on.

use std::fs;
use std::path::{Path, PathBuf};

use arena::{Lock, Standings, StandingsError, read_checked};
use games::Game;
use serde_json::Value;

use crate::events::GenerationReport;
use crate::measure::Strength;
use crate::run_folder::{FORMAT, RunFolderError, RunState};
use crate::settings::Settings;

/// The files of a run: where they are, and what is in them. Nothing is written and nothing held, so
/// a run can be looked at while it goes on. [`RunFolder`](crate::RunFolder) tells the layout.
#[derive(Debug, Clone)]
pub struct RunFiles {
    root: PathBuf,
}

impl RunFiles {
    /// The files of the run in `root`.
    ///
    /// # Errors
    /// If there is no run in that folder.
    pub fn open(root: &Path) -> Result<Self, RunFolderError> {
        let files = Self::at(root);
        match files.configuration().is_file() {
            true => Ok(files),
            false => Err(RunFolderError::NoRun { root: root.to_owned() }),
        }
    }

    /// The files of a run in `root` that need not be there yet.
    pub(crate) fn at(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    /// The folder itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The whole resolved configuration.
    #[must_use]
    pub fn configuration(&self) -> PathBuf {
        self.root.join("config.toml")
    }

    /// The network after `generation` generations.
    #[must_use]
    pub fn checkpoint(&self, generation: u32) -> PathBuf {
        self.root.join(format!("checkpoints/{generation:06}.safetensors"))
    }

    /// The learner's own state.
    #[must_use]
    pub fn learner(&self) -> PathBuf {
        self.root.join("optimizer/latest.safetensors")
    }

    /// The batch that step `step` has failed on, if one has.
    #[must_use]
    pub fn spoilt_batch(&self, step: i64) -> PathBuf {
        self.root.join(format!("optimizer/spoilt-{step:08}.safetensors"))
    }

    /// The games of `generation`, once complete.
    #[must_use]
    pub fn games(&self, generation: u32) -> PathBuf {
        self.root.join(format!("games/{generation:06}.games.zst"))
    }

    /// The games of `generation` while they are being played.
    #[must_use]
    pub fn games_so_far(&self, generation: u32) -> PathBuf {
        self.root.join(format!("games/{generation:06}.games.zst.part"))
    }

    /// One line a generation.
    #[must_use]
    pub fn metrics(&self) -> PathBuf {
        self.root.join("metrics.jsonl")
    }

    /// The same for TensorBoard.
    #[must_use]
    pub fn tensorboard(&self) -> PathBuf {
        self.root.join("tensorboard/events.out.tfevents.raja")
    }

    /// Where the strength table is kept, as JSON.
    #[must_use]
    pub fn table(&self) -> PathBuf {
        self.root.join("table.json")
    }

    /// The ratings of checkpoints and reference players.
    #[must_use]
    pub fn ladder(&self) -> PathBuf {
        self.root.join("ladder.json")
    }

    /// Where the loop stands; the beginning if nothing has been saved yet.
    ///
    /// # Errors
    /// If `state.json` is there and cannot be read or understood.
    pub fn state(&self) -> Result<RunState, RunFolderError> {
        let path = self.state_path();
        let Some(bytes) = if_there(&path, fs::read(&path))? else { return Ok(RunState::new()) };
        let broken = |problem: String| RunFolderError::Broken { path: path.clone(), problem };
        let state: RunState = read_checked(&bytes).map_err(broken)?;
        if state.format != FORMAT {
            return Err(broken(format!("expected format {FORMAT}, found {}", state.format)));
        }
        Ok(state)
    }

    /// The strength table that was measured last, if there is one.
    ///
    /// # Errors
    /// If `table.json` is there and cannot be read or understood.
    pub fn strength(&self) -> Result<Option<Strength>, RunFolderError> {
        let path = self.table();
        let Some(text) = if_there(&path, fs::read(&path))? else { return Ok(None) };
        read_checked(&text).map(Some).map_err(|problem| RunFolderError::Broken { path, problem })
    }

    /// The ladder of the run, whose game is `game`, if there is one.
    ///
    /// # Errors
    /// If `ladder.json` is there and cannot be read or understood.
    pub fn standings(&self, game: &'static Game) -> Result<Option<Standings>, StandingsError> {
        Standings::load(&self.ladder(), game)
    }

    /// The configuration of the run.
    ///
    /// # Errors
    /// If it cannot be read or understood.
    pub fn settings(&self) -> Result<Settings, RunFolderError> {
        Ok(Settings::load(&self.configuration(), &[])?)
    }

    /// The lines of `metrics.jsonl`, and the numbers (from 1) of those that are damaged. No file is no
    /// lines.
    ///
    /// # Errors
    /// If the file is there and cannot be read.
    pub fn reports(&self) -> Result<(Vec<GenerationReport>, Vec<usize>), RunFolderError> {
        let path = self.metrics();
        let bytes = if_there(&path, fs::read(&path))?.unwrap_or_default();
        let (mut reports, mut spoilt) = (Vec::new(), Vec::new());
        for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
            match read_checked::<GenerationReport>(line) {
                Ok(report) => reports.push(report),
                Err(_) if line.is_empty() => {}
                Err(_) => spoilt.push(index + 1),
            }
        }
        Ok((reports, spoilt))
    }

    /// The number of the newest checkpoint, if there is one: the generations learned.
    ///
    /// # Errors
    /// If the folder of checkpoints is there and cannot be read.
    pub fn newest_checkpoint(&self) -> Result<Option<u32>, RunFolderError> {
        let path = self.root.join("checkpoints");
        let Some(names) = if_there(&path, fs::read_dir(&path))? else { return Ok(None) };
        let numbers = names.flatten().filter_map(|entry| {
            let name = entry.file_name();
            name.to_str()?.strip_suffix(".safetensors")?.parse().ok()
        });
        Ok(numbers.max())
    }

    /// The id of the process that trains here, if there is one.
    ///
    /// # Errors
    /// If the lock's file is there and cannot be read.
    pub fn holder(&self) -> Result<Option<String>, RunFolderError> {
        Lock::holder(&self.lock()).map_err(RunFolderError::lock(self.root()))
    }

    /// Where it is kept where the loop stands.
    pub(crate) fn state_path(&self) -> PathBuf {
        self.root.join("state.json")
    }

    /// The file that the process that trains here has locked.
    pub(crate) fn lock(&self) -> PathBuf {
        self.root.join("lock")
    }
}

/// The figures of `report` as a line of `metrics.jsonl`.
pub(crate) fn line_of(report: &GenerationReport) -> Value {
    serde_json::to_value(report).expect("a report is plain data")
}

/// What has been read from `path`; none if nothing is there.
pub(crate) fn if_there<T>(
    path: &Path,
    read: std::io::Result<T>,
) -> Result<Option<T>, RunFolderError> {
    match read {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(RunFolderError::io("read", path)(error)),
    }
}
