//! [`measure`]: the strength table that a run ends with.

use std::sync::atomic::AtomicBool;

use arena::{Entrant, MatchSettings, Pairing, StrengthTable, to_lines};
use model::write_atomically;
use serde::{Deserialize, Serialize};

use crate::disk::Disk;
use crate::entrants::{all_cores, book, checkpoint, reference};
use crate::events::{Event, Observer};
use crate::run::RunError;
use crate::run_folder::RunFolder;
use crate::settings::Settings;

/// The strength of a run's newest checkpoint: `table.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strength {
    /// The checkpoint's generation.
    pub generation: u32,
    /// The newest checkpoint against all opponents and checkpoint 0, then checkpoint 0 against the
    /// baseline.
    pub table: StrengthTable,
}

/// Plays the matches of the table for checkpoint `generation` and writes `table.json`, with the
/// openings in `openings.json` beside it. A table of that checkpoint that is there already is
/// returned as it is. `None` if stopped before the end.
///
/// # Errors
/// If a checkpoint cannot be read, an evaluator fails or a file cannot be written.
pub fn measure(
    folder: &RunFolder,
    settings: &Settings,
    generation: u32,
    observer: &dyn Observer,
    stop: &AtomicBool,
) -> Result<Option<Strength>, RunError> {
    if let Some(strength) = folder.strength()?.filter(|found| found.generation == generation) {
        return Ok(Some(strength));
    }
    model::single_threaded();
    let game = settings.game();
    let games = settings.table.games;
    observer.event(&Event::Note("choosing balanced openings"));
    let seed = settings.run.seed;
    let Some(book) = book(game, games as usize / 2, seed, stop) else { return Ok(None) };
    let disk = Disk { observer, stop };
    disk.write(|| book.save(&folder.root().join("openings.json")))?;
    let pairings = pairings(folder, settings, generation)?;
    let match_settings = MatchSettings { games, ..all_cores(seed) };
    let progress = |row: usize, so_far: &arena::Progress<'_>| {
        observer.event(&Event::Measuring {
            row: row + 1,
            rows: pairings.len(),
            games: so_far.finished,
            goal: so_far.games,
        });
    };
    let table = StrengthTable::play(&pairings, &book, match_settings, &progress, stop)?;
    if table.rows.len() < pairings.len() || table.rows.iter().any(|row| !row.result.complete) {
        return Ok(None);
    }
    let strength = Strength { generation, table };
    let text = to_lines(&strength);
    disk.write(|| write_atomically(&folder.table(), |file| file.write_all(&text)))
        .map_err(crate::RunFolderError::from)?;
    Ok(Some(strength))
}

/// Who meets whom.
fn pairings(
    folder: &RunFolder,
    settings: &Settings,
    generation: u32,
) -> Result<Vec<Pairing>, RunError> {
    let net = |generation| checkpoint(folder, settings, generation, settings.table.simulations);
    let (newest, first) = (net(generation)?, net(0)?);
    let mut pairings = Vec::new();
    let mut add = |a: &Entrant, b: Entrant| {
        pairings.push(Pairing { a: a.clone(), b, games: settings.table.games });
    };
    for opponent in &settings.table.opponents {
        add(&newest, reference(opponent, settings.game())?);
    }
    add(&newest, first.clone());
    for opponent in &settings.table.baseline {
        add(&first, reference(opponent, settings.game())?);
    }
    Ok(pairings)
}
