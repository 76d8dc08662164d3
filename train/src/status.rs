//! [`Status`]: where a run stands, from its files alone.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use arena::{Standing, Standings};
use serde::Serialize;

use crate::alarms::{Alarm, alarms};
use crate::events::GenerationReport;
use crate::measure::Strength;
use crate::phase::Phase;
use crate::replay::GameRows;
use crate::run::RunError;
use crate::run_files::RunFiles;
use crate::run_folder::RunState;
use crate::schedule::{self, steps_due};
use crate::settings::Settings;

/// Generations over which rates are averaged.
const RECENT: usize = 5;

/// Where a run stands. It is read from the files of the run, whether it goes on or rests.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Status {
    /// The run folder.
    pub folder: PathBuf,
    /// The id of the game.
    pub game: String,
    /// The id of the process that trains here, if there is one.
    pub held_by: Option<String>,
    /// What the run is doing, or would go on with.
    #[serde(flatten)]
    pub phase: Phase,
    /// The games that are played while it learns, where that is so.
    pub meanwhile: Option<Phase>,
    /// Both as a sentence.
    pub waits_for: String,
    /// Generations learned: the newest checkpoint.
    pub generations: u32,
    /// The checkpoint that plays.
    pub plays: u32,
    /// Finished games, those of the current generation included.
    pub games: u64,
    /// Rows to learn from in complete generations.
    pub rows: u64,
    /// Rows kept for validation in them.
    pub validation_rows: u64,
    /// Seconds of training, as far as they have been saved.
    pub seconds: f64,
    /// How far the run is on its way to its nearest limit, 0 to 1; none without a limit.
    pub progress: Option<f64>,
    /// Seconds of training to the nearest limit, as the last generations went; none without a limit
    /// or before the first generation.
    pub seconds_left: Option<f64>,
    /// How fast it goes, once a generation is complete.
    pub rates: Option<Rates>,
    /// What the last generation was like.
    pub last: Option<GenerationReport>,
    /// The strength table.
    pub strength: Option<Strength>,
    /// The newest checkpoint on the ladder.
    pub ladder: Option<Rated>,
    /// What is going wrong, in words.
    pub alarms: Vec<String>,
    /// The lines of `metrics.jsonl` that cannot be read.
    pub spoilt_lines: Vec<usize>,
    /// What the run takes on the disk.
    pub disk: Disk,
}

/// How strong a checkpoint is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rated {
    /// The player that has rating 0.
    pub anchor: String,
    /// The checkpoint and its rating.
    #[serde(flatten)]
    pub standing: Standing,
}

/// How fast a run goes, on average over its last generations.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rates {
    /// Games a second of self-play.
    pub games: f64,
    /// Positions evaluated a second of self-play.
    pub evaluations: f64,
    /// Steps a second of learning.
    pub steps: f64,
    /// Seconds a generation.
    pub generation_seconds: f64,
}

/// Bytes on the disk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Disk {
    /// Recorded games.
    pub games: u64,
    /// Checkpoints.
    pub checkpoints: u64,
    /// Everything in the folder.
    pub all: u64,
}

impl Status {
    /// Where the run in the folder `root` stands.
    ///
    /// # Errors
    /// If there is no run, or a file of it cannot be read or understood.
    pub fn of(root: &Path) -> Result<Self, RunError> {
        let files = RunFiles::open(root)?;
        let settings = files.settings()?;
        let state = files.state()?;
        let (reports, spoilt_lines) = files.reports()?;
        let learned = files.newest_checkpoint()?.unwrap_or(0);
        let held_by = files.holder()?;
        let strength = files.strength()?;
        let standings = files.standings(settings.game())?;

        let run = &settings.run;
        let limited = run.minutes > 0.0 || run.generations > 0;
        let progress = limited.then(|| schedule::progress(run, state.seconds, learned));
        let played = state.generations.len() as u32;
        let playing = || {
            let (games, rows) = so_far(&files, &settings, played);
            let (goal, minimum) = (run.games.into(), settings.replay.minimum);
            let rows = state.rows() + rows;
            (Phase::Playing { generation: played, games, goal, rows, minimum }, games)
        };
        let mut meanwhile = None;
        let (phase, games) = if learned < played {
            let step = reports.last().map_or(0, |report| report.step);
            let due = steps_due(state.rows(), &settings.replay, settings.learner.batch);
            // A device that is not there is the business of the process that trains.
            let last = schedule::progress(run, state.seconds, played) >= 1.0;
            if held_by.is_some() && !last && run.is_concurrent().unwrap_or(false) {
                meanwhile = Some(playing());
            }
            let games = meanwhile.as_ref().map_or(0, |(_, games)| *games);
            (Phase::Learning { generation: learned, step, due }, games)
        } else if state.awaits_gate(learned, &settings.gate) {
            (Phase::Gating { checkpoint: learned }, 0)
        } else if let Some(phase) = rating(&files, &settings, standings.as_ref(), learned) {
            (phase, 0)
        } else if progress.is_some_and(|progress| progress >= 1.0) {
            let measured = strength.as_ref().is_some_and(|found| found.generation == learned);
            let phase = match measured || settings.table.games == 0 {
                true => Phase::Complete,
                false => Phase::Measuring,
            };
            (phase, 0)
        } else {
            playing()
        };
        let meanwhile = meanwhile.map(|(phase, _)| phase);
        let waits_for = match &meanwhile {
            None => phase.to_string(),
            Some(meanwhile) => format!("{phase}; meanwhile {meanwhile}"),
        };
        let ladder = standings.and_then(|standings| {
            let (_, standing) = settings.ladder.ratings(&standings).pop()?;
            Some(Rated { standing: standing.clone(), anchor: standings.anchor.clone() })
        });
        let rates = Rates::of(&reports);
        let since = held_by.as_ref().map_or(0.0, |_| seconds_since_saved(&files));
        let seconds_left = match phase {
            Phase::Measuring | Phase::Complete => None,
            _ => rates.and_then(|rates| seconds_left(&settings, &state, learned, since, &rates)),
        };
        Ok(Self {
            folder: root.to_owned(),
            game: run.game.clone(),
            held_by,
            phase,
            meanwhile,
            waits_for,
            generations: learned,
            plays: state.plays(learned, &settings.gate),
            games: state.games() + games,
            rows: state.rows(),
            validation_rows: state.validation_rows(),
            seconds: state.seconds,
            progress,
            seconds_left,
            rates,
            alarms: alarms(&reports).iter().map(Alarm::to_string).collect(),
            last: reports.last().cloned(),
            strength,
            ladder,
            spoilt_lines,
            disk: Disk::of(root),
        })
    }
}

/// The games of the newest checkpoint on the ladder, if it has a place there that it has not got.
fn rating(
    files: &RunFiles,
    settings: &Settings,
    standings: Option<&Standings>,
    checkpoint: u32,
) -> Option<Phase> {
    if !settings.ladder.has_place(checkpoint) {
        return None;
    }
    let (games, goal) = settings.ladder.games_for(files, standings, checkpoint);
    (games < goal).then_some(Phase::Rating { checkpoint, games, goal })
}

/// Finished games of the generation being played, and their rows to learn from. What is being
/// written at the moment is left out.
fn so_far(files: &RunFiles, settings: &Settings, generation: u32) -> (u64, u64) {
    let shard = selfplay::read_shard(&files.games_so_far(generation), settings.game());
    let games = shard.map_or(Vec::new(), |shard| shard.games);
    let share = settings.replay.validation;
    let rows = games.iter().map(|record| match GameRows::of(record, share) {
        GameRows::Training(rows) => rows,
        GameRows::Validation(_) => 0,
    });
    (games.len() as u64, rows.sum())
}

/// Seconds since the run last saved where it stands.
fn seconds_since_saved(files: &RunFiles) -> f64 {
    let saved = std::fs::metadata(files.state_path()).and_then(|state| state.modified());
    let since = saved.ok().and_then(|saved| SystemTime::now().duration_since(saved).ok());
    since.map_or(0.0, |since| since.as_secs_f64())
}

/// Seconds to the nearest limit: what the limits leave, rounded up to whole generations, since a
/// generation that has begun is played to its end.
fn seconds_left(
    settings: &Settings,
    state: &RunState,
    learned: u32,
    since: f64,
    rates: &Rates,
) -> Option<f64> {
    let run = &settings.run;
    let each = rates.generation_seconds.max(1e-9);
    let by_time = (run.minutes > 0.0)
        .then(|| ((run.minutes * 60.0 - state.seconds) / each).ceil().max(0.0) * each);
    let by_count =
        (run.generations > 0).then(|| f64::from(run.generations.saturating_sub(learned)) * each);
    let nearest = match (by_time, by_count) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (some, None) | (None, some) => some,
    };
    nearest.map(|seconds| (seconds - since).max(0.0))
}

impl Rates {
    /// The rates of the last of `reports`.
    fn of(reports: &[GenerationReport]) -> Option<Self> {
        let last = reports.last()?;
        let recent = &reports[reports.len().saturating_sub(RECENT)..];
        let start = GenerationReport::default();
        let before = match reports.len().checked_sub(RECENT + 1) {
            Some(index) => &reports[index],
            None => &start,
        };
        let (mut games, mut evaluations, mut playing, mut learning) = (0.0, 0.0, 0.0, 0.0);
        let mut previous = before.games;
        for report in recent {
            // A sitting that found all games played cannot tell how long they took.
            if report.evaluations_per_second > 0.0 {
                games += report.games.saturating_sub(previous) as f64;
                evaluations += report.evaluations_per_second * report.selfplay_seconds;
                playing += report.selfplay_seconds;
            }
            previous = report.games;
            learning += report.learning_seconds;
        }
        let (playing, learning) = (playing.max(1e-9), learning.max(1e-9));
        Some(Self {
            games: games / playing,
            evaluations: evaluations / playing,
            steps: (last.step - before.step) as f64 / learning,
            generation_seconds: (last.seconds - before.seconds) / recent.len() as f64,
        })
    }
}

impl Disk {
    fn of(root: &Path) -> Self {
        Self {
            games: bytes_in(&root.join("games")),
            checkpoints: bytes_in(&root.join("checkpoints")),
            all: bytes_in(root),
        }
    }
}

/// Bytes of all files in `folder` and the folders in it; files that are gone meanwhile count 0.
fn bytes_in(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(data) if data.is_dir() => bytes_in(&entry.path()),
            Ok(data) => data.len(),
            Err(_) => 0,
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(generation: u32) -> GenerationReport {
        let so_far = f64::from(generation + 1);
        GenerationReport {
            generation,
            games: 40 * u64::from(generation + 1),
            step: 30 * i64::from(generation + 1),
            selfplay_seconds: 10.0,
            learning_seconds: 5.0,
            evaluations_per_second: 1000.0,
            seconds: 15.0 * so_far,
            ..GenerationReport::default()
        }
    }

    #[test]
    fn rates_are_those_of_the_last_generations() {
        assert_eq!(Rates::of(&[]), None);
        let expected =
            Rates { games: 4.0, evaluations: 1000.0, steps: 6.0, generation_seconds: 15.0 };
        for count in [1, 5, 6, 20] {
            let reports: Vec<_> = (0..count).map(report).collect();
            assert_eq!(Rates::of(&reports), Some(expected), "{count}");
        }
        // The first generation's games were played in a sitting that could not report them.
        let mut reports: Vec<_> = (0..3).map(report).collect();
        (reports[0].selfplay_seconds, reports[0].evaluations_per_second) = (0.0, 0.0);
        assert_eq!(Rates::of(&reports), Some(expected));
    }

    #[test]
    fn the_nearest_limit_counts_and_whole_generations_are_played() {
        let settings = |limits: &[&str]| {
            let limits: Vec<String> = limits.iter().map(|&limit| limit.to_owned()).collect();
            let text = "[run]\ngame = \"cheskers\"\n";
            Settings::parse(Path::new("x.toml"), text, &limits).unwrap()
        };
        let rates = Rates::of(&(0..10).map(report).collect::<Vec<_>>()).unwrap();
        let state = RunState { seconds: 150.0, ..RunState::default() };
        let left = |limits: &[&str]| seconds_left(&settings(limits), &state, 10, 0.0, &rates);
        assert_eq!(left(&[]), None);
        assert_eq!(left(&["run.generations=12"]), Some(30.0));
        // 300 - 150 are 10 generations; 290 - 150 are 9.3, so the tenth is played as well.
        assert_eq!(left(&["run.minutes=5"]), Some(150.0));
        assert_eq!(left(&["run.minutes=4.83"]), Some(150.0));
        assert_eq!(left(&["run.minutes=5", "run.generations=11"]), Some(15.0));
        assert_eq!(left(&["run.generations=3"]), Some(0.0));
    }
}
