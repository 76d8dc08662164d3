//! [`Alarm`]: what is going wrong in a run, in words.

use serde::Serialize;

use crate::events::GenerationReport;
use crate::resigning::FalseResignations;

/// Generations that have to agree before an alarm is raised.
const GENERATIONS: usize = 3;
/// How much a loss on unseen games may lie above the loss in training, in nats.
const GAP: f64 = 0.05;
/// How many standard errors of the value loss the gap must lie above as well.
const ERRORS: f64 = 2.0;
/// The share of drawn games from which hardly anything can be learned.
const DRAWS: f64 = 0.9;
/// Mean entropy of the search's policies, in nats, under which next to nothing is tried out: the
/// best step then has some 98%.
const ENTROPY: f64 = 0.1;
/// The share of false resignations that is still good (Silver et al. 2017).
const FALSE_RESIGNATIONS: f64 = 0.05;
/// Games that must have been played out before a word is said about that share.
const PLAYED_OUT: u64 = 40;

/// What is going wrong in a run. Displayed, it is a sentence with what can be done about it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Alarm {
    /// A head knows the games it has seen better than others.
    Memorised {
        /// `value` or `policy`.
        head: &'static str,
        /// Its mean loss in training, in nats.
        training: f64,
        /// Its mean loss on games kept out of training, in nats.
        validation: f64,
    },
    /// Nearly all games are drawn.
    Drawn {
        /// The share of draws.
        share: f64,
    },
    /// The search plays nearly always the same.
    Collapsed {
        /// The mean entropy of its policies, in nats.
        entropy: f64,
    },
    /// Searches end before their time because there is no more room for their trees.
    TreesFull {
        /// How many in the last three generations.
        searches: u64,
    },
    /// Sides resign games that they would not lose.
    ResignedWrongly {
        /// The share of such games among those that were played out.
        rate: f64,
        /// The number of games that were.
        games: u64,
    },
}

impl Alarm {
    /// Whether the two are about the same, however bad it is.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Memorised { head: a, .. }, Self::Memorised { head: b, .. }) => a == b,
            (Self::Drawn { .. }, Self::Drawn { .. })
            | (Self::Collapsed { .. }, Self::Collapsed { .. })
            | (Self::TreesFull { .. }, Self::TreesFull { .. })
            | (Self::ResignedWrongly { .. }, Self::ResignedWrongly { .. }) => true,
            _ => false,
        }
    }
}

impl std::fmt::Display for Alarm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Memorised { head, training, validation } => write!(
                f,
                "the {head} head learns games by heart: its loss is {validation:.3} on games kept \
                 out of training and {training:.3} in training; lower replay.passes, or raise \
                 replay.window or run.games",
            ),
            Self::Drawn { share } => write!(
                f,
                "{:.0}% of the games of the last {GENERATIONS} generations were drawn and teach \
                 little: raise selfplay.opening_most or selfplay.opening_temperature for openings \
                 that leave one side better, or learner.material_mix if games hardly end by themselves",
                share * 100.0,
            ),
            Self::Collapsed { entropy } => write!(
                f,
                "the policies of the search have collapsed, to {entropy:.3} nats: raise \
                 selfplay.opening_most or selfplay.temperature, lower learner.rate, or go back to \
                 an earlier checkpoint with --init-from",
            ),
            Self::TreesFull { searches } => write!(
                f,
                "{searches} searches of the last {GENERATIONS} generations ended early because \
                 their trees were full: raise selfplay.search.tree_bytes or lower \
                 selfplay.search.simulations",
            ),
            Self::ResignedWrongly { rate, games } => write!(
                f,
                "resigning is wrong too often, {:.1}% of {games} games that were played out in \
                 spite of it were not lost: lower selfplay.resign_score or raise \
                 selfplay.resign_plies",
                rate * 100.0,
            ),
        }
    }
}

/// What is going wrong at the end of `reports`, all generations in their order. An alarm needs
/// three generations in a row, so that chance raises none.
#[must_use]
pub fn alarms(reports: &[GenerationReport]) -> Vec<Alarm> {
    let Some(first) = reports.len().checked_sub(GENERATIONS) else { return Vec::new() };
    let last = &reports[first..];
    let mean = |sum: f64| sum / GENERATIONS as f64;
    let mut found = Vec::new();

    let losses = last.iter().map(|report| Some((report.losses?, report.validation?)));
    if let Some(losses) = losses.collect::<Option<Vec<_>>>() {
        // The rows of a game stand and fall together, and more so in the value.
        let value = losses.iter().all(|(training, validation)| {
            let error = validation.value_error.unwrap_or(f64::INFINITY);
            validation.value - training.value > GAP.max(ERRORS * error)
        });
        let policy =
            losses.iter().all(|(training, validation)| validation.policy - training.policy > GAP);
        if value {
            found.push(Alarm::Memorised {
                head: "value",
                training: mean(losses.iter().map(|(training, _)| training.value).sum()),
                validation: mean(losses.iter().map(|(_, validation)| validation.value).sum()),
            });
        }
        if policy {
            found.push(Alarm::Memorised {
                head: "policy",
                training: mean(losses.iter().map(|(training, _)| training.policy).sum()),
                validation: mean(losses.iter().map(|(_, validation)| validation.policy).sum()),
            });
        }
    }
    if last.iter().all(|report| report.draws > DRAWS) {
        found.push(Alarm::Drawn { share: mean(last.iter().map(|report| report.draws).sum()) });
    }
    let entropies = last.iter().map(|report| report.losses.map(|losses| losses.target_entropy));
    if let Some(entropies) = entropies.collect::<Option<Vec<f64>>>()
        && entropies.iter().all(|&entropy| entropy < ENTROPY)
    {
        found.push(Alarm::Collapsed { entropy: mean(entropies.iter().sum()) });
    }
    if last.iter().all(|report| report.full_trees > 0) {
        let searches = last.iter().map(|report| report.full_trees).sum();
        found.push(Alarm::TreesFull { searches });
    }
    let resigned = last.iter().map(|report| report.false_resignations);
    if let Some(resigned) = resigned.collect::<Option<Vec<_>>>()
        && resigned.iter().all(|at| at.games >= PLAYED_OUT && at.rate > FALSE_RESIGNATIONS)
        && let Some(&FalseResignations { rate, games }) = resigned.last()
    {
        found.push(Alarm::ResignedWrongly { rate, games });
    }
    found
}

/// The alarms at the end of `reports` that were not there a generation before.
pub(crate) fn new_alarms(reports: &[GenerationReport]) -> Vec<Alarm> {
    let before = alarms(&reports[..reports.len().saturating_sub(1)]);
    let mut now = alarms(reports);
    now.retain(|alarm| !before.iter().any(|old| old.is_like(alarm)));
    now
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::Losses;
    use crate::validation::Validation;

    /// A generation with these losses in training and validation, draws and entropy.
    fn report(value: f64, validation: f64, draws: f64, target_entropy: f64) -> GenerationReport {
        let losses = Losses { value, policy: 2.0, target_entropy, ..Losses::default() };
        let validation = Validation {
            value: validation,
            policy: 2.01,
            value_error: Some(0.02),
            games: 50,
            rows: 900,
        };
        GenerationReport {
            losses: Some(losses),
            validation: Some(validation),
            draws,
            ..GenerationReport::default()
        }
    }

    #[test]
    fn a_healthy_run_raises_none() {
        assert_eq!(alarms(&[]), []);
        let reports = vec![report(0.8, 0.84, 0.9, 0.2); 5];
        assert_eq!(alarms(&reports), []);
    }

    #[test]
    fn each_alarm_needs_three_generations_and_tells_what_to_do() {
        let bad = report(0.5, 0.6, 0.95, 0.05);
        let good = report(0.5, 0.5, 0.1, 1.0);
        assert_eq!(alarms(&[bad.clone(), bad.clone()]), []);
        assert_eq!(alarms(&[bad.clone(), good, bad.clone()]), []);
        let found = alarms(&[bad.clone(), bad.clone(), bad]);
        let words: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert!(words[0].starts_with("the value head learns games by heart"), "{words:?}");
        assert!(words[0].contains("0.600") && words[0].contains("replay.passes"), "{words:?}");
        assert!(words[1].contains("95%") && words[1].contains("selfplay.opening_most"));
        assert!(words[2].contains("collapsed, to 0.050 nats"), "{words:?}");
        assert_eq!(words.len(), 3);
    }

    #[test]
    fn a_gap_within_its_error_is_no_alarm() {
        let mut unsure = report(0.5, 0.6, 0.1, 1.0);
        unsure.validation.as_mut().unwrap().value_error = Some(0.06);
        assert_eq!(alarms(&vec![unsure; 3]), []);
    }

    #[test]
    fn without_games_kept_there_is_no_word_about_them() {
        let mut without = report(0.5, 0.9, 0.1, 1.0);
        without.validation = None;
        assert_eq!(alarms(&vec![without; 3]), []);
    }

    #[test]
    fn false_resignations_are_told_when_enough_games_were_played_out() {
        let after = |rate, games| {
            let mut report = report(0.5, 0.5, 0.1, 1.0);
            report.false_resignations = Some(FalseResignations { rate, games });
            alarms(&[report.clone(), report.clone(), report])
        };
        assert_eq!(after(0.05, 400), []);
        assert_eq!(after(0.5, 39), []);
        let words = after(0.0625, 48)[0].to_string();
        let told = "resigning is wrong too often, 6.2% of 48 games that were played out in spite";
        assert!(
            words.starts_with(told) && words.contains("lower selfplay.resign_score"),
            "{words}"
        );
    }

    #[test]
    fn an_alarm_is_new_once() {
        let bad = report(0.5, 0.6, 0.1, 1.0);
        assert_eq!(new_alarms(&vec![bad.clone(); 3]).len(), 1);
        assert_eq!(new_alarms(&vec![bad; 4]), []);
    }

    #[test]
    fn every_key_that_is_recommended_exists() {
        let all = [
            Alarm::Memorised { head: "value", training: 0.0, validation: 0.0 },
            Alarm::Drawn { share: 1.0 },
            Alarm::Collapsed { entropy: 0.0 },
            Alarm::ResignedWrongly { rate: 0.0, games: 0 },
        ];
        let settings = crate::Settings::parse(
            std::path::Path::new("x.toml"),
            "[run]\ngame = \"cheskers\"\n",
            &[],
        )
        .unwrap();
        let table: toml::Table = settings.to_toml().parse().unwrap();
        for word in all.iter().flat_map(|alarm| {
            let text = alarm.to_string();
            text.split([' ', ',', ';']).map(str::to_owned).collect::<Vec<_>>()
        }) {
            if let Some((part, key)) = word.split_once('.')
                && part.starts_with(|c: char| c.is_ascii_lowercase())
            {
                assert!(table[part].get(key).is_some(), "{word}");
            }
        }
    }

    #[test]
    fn full_trees_are_told_once_three_generations_have_them() {
        let report = |full_trees| GenerationReport { full_trees, ..GenerationReport::default() };
        assert_eq!(alarms(&[5, 0, 5].map(report)), []);
        let reports = [0, 5, 1, 2].map(report);
        assert_eq!(alarms(&reports), [Alarm::TreesFull { searches: 8 }]);
        assert_eq!(new_alarms(&reports).len(), 1);
        assert!(
            alarms(&reports)[0].to_string().starts_with("8 searches of the last 3 generations")
        );
        assert_eq!(new_alarms(&[5, 1, 2, 3].map(report)), []);
    }
}
