//! What single choices of the default run are worth, at equal processor time.

use arena::{Elo, MatchResult};

use crate::report::{Report, machine};
use crate::training::{Trained, matched};

/// Processor time of each run, in minutes: eight on two cores.
const MINUTES: u32 = 16;

/// Each arm is trained with these.
const SEEDS: [u64; 2] = [1, 2];

/// Games of each pair of runs, one of either arm.
const GAMES: u32 = 200;

/// The default run with some keys set to other values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arm {
    /// What it is called.
    pub(crate) name: &'static str,
    /// What it differs in.
    pub(crate) sets: &'static [&'static str],
}

/// The default run as it is.
pub(crate) const DEFAULT: Arm = Arm { name: "default", sets: &[] };

impl Arm {
    fn train(self) -> [Trained; 2] {
        SEEDS.map(|seed| {
            let own = [format!("run.seed={seed}"), "table.games=0".to_owned()];
            let sets: Vec<String> =
                own.into_iter().chain(self.sets.iter().map(|&set| set.to_owned())).collect();
            let name = format!("evidence-{}-{seed}", self.name);
            Trained::new("configs/quick.toml", &name, MINUTES, &sets)
        })
    }
}

/// Trains both arms of each comparison, lets all runs of the first meet all of the second, and writes
/// the page.
pub(crate) fn compare(page: &str, title: &str, comparisons: &[[Arm; 2]]) {
    let mut report = Report::new(page, title);
    report.paragraph(format!(
        "Two runs of each arm, of seeds {} and {}, as `configs/quick.toml` but for what is named, {} \
         minutes of processor time each ({} on two cores). The last checkpoints meet, with 64 \
         simulations a step of the default search on both sides. Intervals are of 95%: those over \
         pairs of games are for these networks; that over runs is by Student's t with two degrees of \
         freedom, from how the differences scatter between the runs of an arm, and is for the choice \
         itself.",
        SEEDS[0],
        SEEDS[1],
        MINUTES,
        MINUTES / 2,
    ));
    report.paragraph(format!("On {}.", machine()));
    for arms in comparisons {
        comparison(&mut report, *arms);
    }
    report.write();
}

fn comparison(report: &mut Report, [a, b]: [Arm; 2]) {
    report.section(&format!("{} against {}", a.name, b.name));
    let trained = [a, b].map(Arm::train);
    for runs in &trained {
        report.code(&runs[0].command);
    }
    let mut results: Vec<MatchResult> = Vec::new();
    for one in &trained[0] {
        for other in &trained[1] {
            let player = |arm: Arm, run: &Trained| {
                let name = format!("{}, seed {}", arm.name, run.settings.run.seed);
                run.player(run.last(), name)
            };
            results.push(matched("cheskers", &player(a, one), &player(b, other), GAMES));
        }
    }
    report.matches(&results);
    let mut pairs = [0; 5];
    for result in &results {
        pairs.iter_mut().zip(result.pentanomial).for_each(|(sum, count)| *sum += count);
    }
    let elo = Elo::of_pairs(&pairs);
    let stronger = |low: f64, high: f64| match (low > 0.0, high < 0.0) {
        (true, _) => Some(a.name),
        (_, true) => Some(b.name),
        _ => None,
    };
    let low = elo.low.unwrap_or(f64::NEG_INFINITY);
    let networks = match stronger(low, elo.high.unwrap_or(f64::INFINITY)) {
        Some(name) => format!("these networks of {name} are the stronger ones"),
        None => "the interval contains 0".to_owned(),
    };
    report.paragraph(format!("All games together: Elo {elo}; {networks}."));
    let each: Option<Vec<f64>> = results.iter().map(|result| result.elo().estimate).collect();
    report.paragraph(match each.map(|each| over_runs([[each[0], each[1]], [each[2], each[3]]])) {
        Some([value, low, high]) => {
            let verdict = match stronger(low, high) {
                Some(name) => format!("{name} is the better choice"),
                None => "the interval contains 0: no difference was found".to_owned(),
            };
            format!("Over runs: Elo {value:+.0} [{low:+.0}, {high:+.0}]; {verdict}.")
        }
        None => "Over runs: unknown, since a network has won all its games.".to_owned(),
    });
    let steps = trained.each_ref().map(|runs| {
        let each = runs.each_ref().map(|run| {
            let last = run.reports.last().unwrap();
            format!("{} games, {} steps", last.games, last.step)
        });
        each.join(" and ")
    });
    report.paragraph(format!("{}: {}. {}: {}.", a.name, steps[0], b.name, steps[1]));
}

/// The 97.5% quantile of Student's t distribution with two degrees of freedom.
const T: f64 = 4.302_652_7;

/// The mean of the differences between two runs of one arm (rows) and two of another (columns), and the
/// ends of its interval, if the runs of both arms scatter alike.
fn over_runs(differences: [[f64; 2]; 2]) -> [f64; 3] {
    let [[p, q], [r, s]] = differences;
    // The variance of two means is half the square of their difference.
    let scatter = |one: f64, other: f64| (one - other).powi(2) / 8.0;
    let variance = (scatter(p + q, r + s) + scatter(p + r, q + s)) / 2.0;
    let (mean, half) = ((p + q + r + s) / 4.0, T * variance.sqrt());
    [mean, mean - half, mean + half]
}

/// Rows scatter by 20, columns by 60: variances of 200 and 1800 of a run, 100 and 900 of a mean.
#[test]
fn an_interval_over_runs_is_that_of_their_scatter() {
    let [mean, low, high] = over_runs([[10.0, 70.0], [30.0, 90.0]]);
    assert_eq!(mean, 50.0);
    assert!((high - mean - T * 1000_f64.sqrt()).abs() < 1e-9 && (mean - low - high + mean) < 1e-9);
}
