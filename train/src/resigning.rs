//! [`FalseResignations`]: how often resigning is wrong, as far as the games played out in spite of it
//! tell.

use selfplay::Resignations;
use serde::{Deserialize, Serialize};

use crate::events::GenerationReport;

/// Generations that are taken together: the share that is played out is small, and one generation
/// has few such games.
const GENERATIONS: usize = 10;

/// How often the side that had resigned did not lose.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FalseResignations {
    /// The share of such games among those that were played out after a resignation in the last ten
    /// generations.
    pub rate: f64,
    /// The number of games that were.
    pub games: u64,
}

impl FalseResignations {
    /// What is known after a generation with the counts `now` that follows on `reports`; nothing if
    /// no game was played out.
    pub(crate) fn after(reports: &[GenerationReport], now: &Resignations) -> Option<Self> {
        let before = reports.iter().rev().take(GENERATIONS - 1);
        let mut sum = *now;
        for counts in before.filter_map(|report| report.resignations) {
            sum.played_out += counts.played_out;
            sum.wrong += counts.wrong;
        }
        Some(Self { rate: sum.wrong_share()?, games: sum.played_out })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_generations_are_taken_together() {
        let counts = |played_out, wrong| Resignations { resigned: 50, played_out, wrong };
        let report = |counts| GenerationReport { resignations: counts, ..Default::default() };
        assert_eq!(FalseResignations::after(&[], &counts(0, 0)), None);
        let mut reports = vec![report(Some(counts(100, 100))); 3];
        reports.extend(vec![report(Some(counts(10, 1))); 8]);
        reports.push(report(None));
        let found = FalseResignations::after(&reports, &counts(20, 2)).unwrap();
        assert_eq!(found, FalseResignations { rate: 0.1, games: 100 });
    }
}
