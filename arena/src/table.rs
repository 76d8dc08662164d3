//! [`StrengthTable`]: many matches, a row each.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use crate::match_play::play_all;
use crate::{Elo, Entrant, Match, MatchError, MatchResult, MatchSettings, OpeningBook, Progress};

/// Who plays whom, and how often.
#[derive(Debug, Clone)]
pub struct Pairing {
    /// The player whose strength the row is about.
    pub a: Entrant,
    /// The opponent.
    pub b: Entrant,
    /// Games: an even number.
    pub games: u32,
}

/// A match and what it says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The match.
    pub result: MatchResult,
    /// The Elo difference A - B.
    pub elo: Elo,
    /// The likelihood that A is the stronger one, 0 to 1.
    #[serde(default)]
    pub superiority: f64,
    /// The share of drawn games, 0 to 1.
    #[serde(default)]
    pub draw_share: f64,
}

impl Row {
    /// What `result` says.
    #[must_use]
    pub fn new(result: MatchResult) -> Self {
        let (superiority, draw_share) = (result.superiority(), result.draw_share());
        Self { elo: result.elo(), superiority, draw_share, result }
    }
}

/// The results of a list of pairings. Displayed, it is a text with one aligned line a row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct StrengthTable {
    /// The rows, in the order of the pairings.
    pub rows: Vec<Row>,
}

impl StrengthTable {
    /// Plays `pairings` in order, all from `book`. `settings.games` does not matter: each pairing
    /// has its own. So that batches stay large, a pairing begins while the last games of those
    /// before it go on. `progress` is told the number of the row, from 0. After a stop the table
    /// has the pairings of which any pair of games is finished.
    ///
    /// # Errors
    /// Before anything is played, if a pairing cannot be; later, if an evaluator fails.
    pub fn play(
        pairings: &[Pairing],
        book: &OpeningBook,
        settings: MatchSettings,
        progress: &(dyn Fn(usize, &Progress<'_>) + Sync),
        stop: &AtomicBool,
    ) -> Result<Self, MatchError> {
        let matches = pairings
            .iter()
            .map(|Pairing { a, b, games }| {
                Match::new(a, b, book, MatchSettings { games: *games, ..settings })
            })
            .collect::<Result<Vec<_>, _>>()?;
        let results =
            play_all(&matches, settings.threads, settings.games_at_once, progress, &|| {
                stop.load(Ordering::Relaxed)
            })?;
        let mut table = Self::default();
        results
            .into_iter()
            .filter(|result| !result.pairs.is_empty())
            .for_each(|result| table.push(result));
        Ok(table)
    }

    /// Adds a match as the last row.
    pub fn push(&mut self, result: MatchResult) {
        self.rows.push(Row::new(result));
    }
}

impl std::fmt::Display for StrengthTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let width = |of: &dyn Fn(&MatchResult) -> usize| {
            self.rows.iter().map(|row| of(&row.result)).max().unwrap_or(0)
        };
        let widths = [
            width(&|result| result.a.chars().count()),
            width(&|result| result.b.chars().count()),
            width(&|result| result.score.to_string().len()),
        ];
        for line in &self.rows {
            writeln!(f, "{}", row(&line.result, widths))?;
        }
        Ok(())
    }
}

/// One line about a match, with its names and its score in columns of these `widths` at least.
pub(crate) fn row(result: &MatchResult, widths: [usize; 3]) -> String {
    let [a, b, score] = widths;
    let games = result.score.games();
    let percent = result.score.share() * 100.0;
    let counts = format!("({})", result.score);
    let score = score + 2;
    let mut line = format!(
        "{:a$}   {:b$}   {games:>4} games   {percent:>5.1}% {counts:score$}   Elo {}",
        result.a,
        result.b,
        result.elo(),
    );
    match result.copies {
        0 => {}
        1 => line.push_str("   (1 pair of copies left out)"),
        copies => line.push_str(&format!("   ({copies} pairs of copies left out)")),
    }
    if !result.complete {
        line.push_str("   (stopped)");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::tests::result;

    #[test]
    fn a_table_has_aligned_rows() {
        let mut table = StrengthTable::default();
        table.push(result("checkpoint 12 @64", "random", [4, 0, 0, 22, 174]));
        table.push(result("checkpoint 12 @64", "alphabeta:3", [90, 5, 10, 5, 90]));
        table.push(result("greedy", "random", [0, 0, 0, 0, 28]));
        assert_eq!(
            table.to_string(),
            "\
checkpoint 12 @64   random         400 games    95.2% (+370 =22 -8)     Elo +521 [+434, +607]
checkpoint 12 @64   alphabeta:3    400 games    50.0% (+185 =30 -185)   Elo 0 [-46, +46]
greedy              random          56 games   100.0% (+56 =0 -0)       Elo > +341
"
        );
        let json = serde_json::to_string(&table).unwrap();
        assert_eq!(serde_json::from_str::<StrengthTable>(&json).unwrap(), table);
    }

    #[test]
    fn a_stopped_match_says_so() {
        let mut stopped = result("a", "b", [0, 0, 1, 0, 0]);
        stopped.complete = false;
        assert!(stopped.to_string().ends_with("(stopped)"), "{stopped}");
    }
}
