//! Taking up a run where it was left: what is whole counts, what is not is told.

use std::collections::BTreeSet;
use std::path::Path;

use games::Game;
use model::Checkpoint;
use selfplay::{BadFrame, GameRecord, ShardError};
use tch::Device;

use crate::disk::Disk;
use crate::events::{Event, GenerationReport, Observer};
use crate::learner::Learner;
use crate::replay::{GameRows, Replay};
use crate::run::{RunError, RunRequest};
use crate::run_folder::{Generated, RunFolder, RunFolderError, RunState, add_ratings};
use crate::schedule::window_rows;
use crate::settings::Settings;
use crate::tensorboard::EventFile;
use crate::trainer::{save_checkpoint, save_learner};

/// Opens the folder of the run and tells which settings are others than before.
pub(crate) fn open_folder(
    request: &RunRequest,
    disk: Disk<'_>,
) -> Result<RunFolder, RunFolderError> {
    let folder = disk.write(|| RunFolder::open(&request.folder, &request.settings))?;
    if !folder.changed().is_empty() {
        let (path, keys) = (folder.configuration(), folder.changed().join(", "));
        let note = format!("{}: other values than before for {keys}", path.display());
        disk.observer.event(&Event::Note(&note));
    }
    Ok(folder)
}

/// TensorBoard's file with all of `reports` and of the ladder in it.
pub(crate) fn open_events(
    folder: &RunFolder,
    settings: &Settings,
    learned: u32,
    reports: &[GenerationReport],
    disk: Disk<'_>,
) -> Result<EventFile, RunError> {
    let mut events = disk.write(|| folder.events(reports))?;
    if events.cut() > 0 {
        let (path, cut) = (events.path().display(), events.cut());
        let note = format!("{path}: {cut} bytes that were not whole are written again");
        disk.observer.event(&Event::Note(&note));
    }
    if let Some(standings) = folder.standings(settings.game())? {
        let mut ratings = settings.ladder.ratings(&standings);
        // The newest one may still have games to play.
        ratings.retain(|&(generation, _)| generation < learned);
        disk.write(|| add_ratings(&mut events, &ratings))?;
    }
    Ok(events)
}

/// What has been reported of the run. Lines that cannot be read are told and left where they are; one
/// that was cut short is cut off.
pub(crate) fn read_reports(
    folder: &RunFolder,
    disk: Disk<'_>,
) -> Result<Vec<GenerationReport>, RunFolderError> {
    let path = folder.metrics();
    let cut = disk.write(|| folder.mend_metrics())?;
    if cut > 0 {
        let note = format!("{}: the last {cut} bytes are no whole line: cut off", path.display());
        disk.observer.event(&Event::Note(&note));
    }
    let (reports, spoilt) = folder.reports()?;
    if !spoilt.is_empty() {
        let note = format!("{}: {} unreadable lines, left out", path.display(), spoilt.len());
        disk.observer.event(&Event::Note(&note));
    }
    Ok(reports)
}

/// Writes the line of metrics that the newest of `learned` generations may still lack, and tells of
/// others that are missing.
pub(crate) fn complete_reports(
    folder: &RunFolder,
    state: &RunState,
    learned: u32,
    reports: &mut Vec<GenerationReport>,
    disk: Disk<'_>,
) -> Result<(), RunFolderError> {
    let mut missing: BTreeSet<u32> = (0..learned).collect();
    for report in reports.iter() {
        missing.remove(&report.generation);
    }
    if let Some(report) = &state.report
        && missing.remove(&report.generation)
    {
        disk.write(|| folder.append_metrics(report))?;
        reports.push(report.clone());
    }
    if !missing.is_empty() {
        let (path, count) = (folder.metrics(), missing.len());
        let note = format!("{}: the lines of {count} generations are missing", path.display());
        disk.observer.event(&Event::Note(&note));
    }
    Ok(())
}

/// Where the run stands. If `state.json` is damaged, all is counted again from the games, and
/// the network that played the last one plays on if there is a gate. Generations
/// whose games were complete on the disk before the state could be saved are taken in.
pub(crate) fn read_state(
    folder: &RunFolder,
    settings: &Settings,
    reports: &[GenerationReport],
    disk: Disk<'_>,
) -> Result<RunState, RunError> {
    let mut counted_again = false;
    let mut state = match folder.state() {
        Err(RunFolderError::Broken { path, problem }) => {
            let path = path.display();
            let note = format!("{path}: {problem}; the games of the run are counted again");
            disk.observer.event(&Event::Note(&note));
            let seconds = reports.last().map_or(0.0, |report| report.seconds);
            counted_again = true;
            RunState { seconds, ..RunState::new() }
        }
        other => other?,
    };
    let known = state.generations.len();
    loop {
        let path = folder.games(state.generations.len() as u32);
        if !path.exists() {
            break;
        }
        let mut generated = Generated::default();
        for record in read_games(&path, settings.game(), disk.observer)? {
            generated.count(GameRows::of(&record, settings.replay.validation));
            // What the gate has said is in no other file. A checkpoint that has passed it since
            // then is tested once more.
            if counted_again && let Some(last) = record.nets.last() {
                state.plays = last.net.parse().ok();
            }
        }
        state.generations.push(generated);
    }
    if state.generations.len() > known {
        disk.write(|| folder.save_state(&state))?;
    }
    Ok(state)
}

/// The learner and the generations that it has learned; a new one at the beginning of a run. The
/// newest checkpoint is written again from the learner if it cannot be read.
pub(crate) fn open_learner(
    request: &RunRequest,
    folder: &RunFolder,
    state: &RunState,
    game: &'static Game,
    device: Device,
    disk: Disk<'_>,
) -> Result<(Learner, u32), RunError> {
    let Settings { run, network, learner: settings, .. } = &request.settings;
    let (optimizer, seed) = (settings.optimizer, run.seed);
    let (path, played) = (folder.learner(), state.generations.len() as u32);
    if path.exists() {
        if request.init_from.is_some() {
            return Err(RunError::Begun(request.folder.clone()));
        }
        let (learner, learned) = Learner::load(&path, network, optimizer, game, device)?;
        if learned > played {
            let path = folder.games(played);
            let problem = format!(
                "the games of this generation are missing, though {learned} generations have been \
                 learned"
            );
            return Err(RunFolderError::Broken { path, problem }.into());
        }
        // Otherwise the learner is on its way to the next checkpoint, and nobody asks for this one.
        if learned == played
            && let Err(error) = Checkpoint::load(&folder.checkpoint(learned), game)
        {
            let note = format!("{error}; it is written again from the learner");
            disk.observer.event(&Event::Note(&note));
            save_checkpoint(folder, &learner, learned, disk)?;
        }
        return Ok((learner, learned));
    }
    if played > 0 {
        let problem =
            "the learner's file is missing, though games have been played: put it back, or \
                       begin another run with --init-from and a checkpoint"
                .to_owned();
        return Err(RunFolderError::Broken { path, problem }.into());
    }
    let learner = match &request.init_from {
        Some(path) => Learner::from_checkpoint(path, network, optimizer, game, device, seed)?,
        None => Learner::new(network, optimizer, game, device, seed)?,
    };
    save_checkpoint(folder, &learner, 0, disk)?;
    save_learner(folder, &learner, 0, disk)?;
    Ok((learner, 0))
}

/// Fills the window with the newest games of the run.
pub(crate) fn read_window(
    folder: &RunFolder,
    state: &RunState,
    settings: &Settings,
    replay: &mut Replay,
    observer: &dyn Observer,
) -> Result<(), RunError> {
    let wanted = window_rows(state.rows(), &settings.replay);
    let mut rows = 0;
    let mut first = state.generations.len();
    while first > 0 && rows < wanted {
        first -= 1;
        rows += state.generations[first].rows;
    }
    for generation in first..state.generations.len() {
        let path = folder.games(generation as u32);
        for record in read_games(&path, settings.game(), observer)? {
            replay.push(record);
        }
    }
    replay.shrink(wanted);
    Ok(())
}

/// The whole games of a file; what is spoilt in it is told and left out.
pub(crate) fn read_games(
    path: &Path,
    game: &'static Game,
    observer: &dyn Observer,
) -> Result<Vec<GameRecord>, ShardError> {
    match selfplay::read_shard(path, game) {
        Err(error @ ShardError::NotAShard { .. }) => {
            observer.event(&Event::Note(&format!("left out: {error}")));
            Ok(Vec::new())
        }
        other => {
            let shard = other?;
            shard.bad.iter().for_each(|bad| left_out(bad, observer));
            Ok(shard.games)
        }
    }
}

/// Tells of a part of a file that cannot be read.
pub(crate) fn left_out(bad: &BadFrame, observer: &dyn Observer) {
    observer.event(&Event::Note(&format!("left out: {bad}")));
}
