//! [`GateSettings`]: a new network plays only if it has beaten the one that plays.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use arena::{
    Journal, JournalError, Match, MatchError, MatchSettings, Opened, Sprt, SprtError, SprtVerdict,
};
use serde::{Deserialize, Serialize};

use crate::entrants::{all_cores, book, checkpoint as player_of};
use crate::events::{Event, Observer};
use crate::run::RunError;
use crate::run_folder::{RunFolder, RunFolderError};
use crate::settings::Settings;

/// The gate before self-play: a sequential test of every new checkpoint against the one that plays.
/// Off unless there are games, as in AlphaZero: most runs are quicker without (Silver et al. 2018).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GateSettings {
    /// The most games of a test, an even number; 0: no gate. Who has not passed by then has failed.
    pub games: u32,
    /// Simulations a step of the networks.
    pub simulations: u32,
    /// The advantage in Elo under which a checkpoint should fail.
    pub elo0: f64,
    /// The advantage in Elo above which it should pass.
    pub elo1: f64,
}

impl Default for GateSettings {
    fn default() -> Self {
        Self { games: 0, simulations: 32, elo0: 0.0, elo1: 40.0 }
    }
}

impl GateSettings {
    /// Whether there is a gate.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.games > 0
    }

    fn sprt(&self) -> Sprt {
        Sprt { elo0: self.elo0, elo1: self.elo1, ..Sprt::default() }
    }

    /// Refuses what is of the right type and still impossible: key and problem.
    pub(crate) fn check(&self) -> Result<(), (&'static str, String)> {
        let Self { games, simulations, .. } = *self;
        if games % 2 != 0 || games > 1_000_000 {
            let problem = format!("expected an even number of 0 to 1000000, found {games}");
            return Err(("games", problem));
        }
        if !(1..=1_000_000).contains(&simulations) {
            return Err(("simulations", format!("expected 1 to 1000000, found {simulations}")));
        }
        self.sprt().check().map_err(|error: SprtError| ("elo1", error.to_string()))
    }
}

/// What came of a checkpoint at the gate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// The checkpoint.
    pub checkpoint: u32,
    /// The one that played until then.
    pub against: u32,
    /// Whether it plays from now on.
    pub passed: bool,
    /// The games of the test.
    pub games: u32,
    /// Its points in them, a draw counts half.
    pub points: f64,
}

impl std::fmt::Display for Gate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { checkpoint, against, passed, games, points } = self;
        let plays = if *passed { checkpoint } else { against };
        write!(
            f,
            "checkpoint {checkpoint} made {points} of {games} points against checkpoint {against}: \
             {plays} plays on"
        )
    }
}

/// The journal `path` of a test. One that was begun by other settings, which may change from sitting
/// to sitting, is put aside.
fn open(path: &Path, test: &Match<'_>, observer: &dyn Observer) -> Result<Opened, RunError> {
    match Journal::open(path, test) {
        Err(JournalError::OtherMatch { .. } | JournalError::Header { .. }) => {
            let aside = path.with_extension("jsonl.old");
            let note = format!(
                "{}: begun anew, since it is of a test by other settings; that is {} now",
                path.display(),
                aside.display()
            );
            observer.event(&Event::Note(&note));
            std::fs::rename(path, &aside).map_err(RunFolderError::io("put aside", path))?;
            Ok(Journal::open(path, test).map_err(MatchError::from)?)
        }
        opened => Ok(opened.map_err(MatchError::from)?),
    }
}

/// Tests `checkpoint` against the one that plays. Each game is in `gate/` when it is over, so a test
/// that was stopped goes on. No result if it is stopped.
pub(crate) fn judge(
    folder: &RunFolder,
    settings: &Settings,
    [checkpoint, against]: [u32; 2],
    observer: &dyn Observer,
    stop: &AtomicBool,
) -> Result<Option<Gate>, RunError> {
    model::single_threaded();
    let (game, gate) = (settings.game(), &settings.gate);
    let player = |generation| player_of(folder, settings, generation, gate.simulations);
    let [a, b] = [player(checkpoint)?, player(against)?];
    let path = folder.gate(checkpoint)?;
    // Each test has openings of its own, the same ones whenever it goes on.
    let seed = settings.run.seed.wrapping_add(u64::from(checkpoint) << 32);
    let Some(book) = book(game, gate.games as usize / 2, seed, stop) else { return Ok(None) };
    // Of a small game there may be no more.
    let games = gate.games.min(2 * book.lines.len() as u32);
    let match_settings = MatchSettings { games, ..all_cores(seed) };
    let sprt = gate.sprt();
    let prepared = Match::new(&a, &b, &book, match_settings)?.until(sprt)?;
    let progress = |so_far: &arena::Progress<'_>| {
        observer.event(&Event::Gating { checkpoint, games: so_far.finished, most: games });
    };
    let opened = open(&path, &prepared, observer)?;
    opened.bad.iter().for_each(|note| observer.event(&Event::Note(note)));
    let result = prepared.play_kept(opened, &progress, stop)?;
    let verdict = sprt.verdict(&result.pentanomial);
    if stop.load(Ordering::Relaxed) && verdict == SprtVerdict::Undecided {
        return Ok(None);
    }
    let passed = verdict == SprtVerdict::AcceptH1;
    let games = result.score.games();
    Ok(Some(Gate { checkpoint, against, passed, games, points: result.score.points() }))
}
