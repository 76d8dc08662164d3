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
         simulations a step of the default search on both sides. Intervals are of 95% over pairs of \
         games, for these networks; how far runs of other seeds would scatter is not in them, but the \
         rows show it.",
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
    let agree = |sign: f64| {
        results.iter().all(|result| result.elo().estimate.is_none_or(|elo| sign * elo > 0.0))
    };
    let runs = match (elo.low, elo.high) {
        (Some(low), _) if low > 0.0 => Some((a.name, agree(1.0))),
        (_, Some(high)) if high < 0.0 => Some((b.name, agree(-1.0))),
        _ => None,
    };
    let verdict = match runs {
        Some((name, true)) => {
            format!("the runs of {name} are the stronger ones, in each of these matches")
        }
        Some((name, false)) => format!(
            "the runs of {name} are the stronger ones, but not in each of these matches: it may be \
             chance which runs these are"
        ),
        None => "the interval contains 0: no difference was found".to_owned(),
    };
    report.paragraph(format!("All together: Elo {elo}; {verdict}."));
    let steps = trained.each_ref().map(|runs| {
        let each = runs.each_ref().map(|run| {
            let last = run.reports.last().unwrap();
            format!("{} games, {} steps", last.games, last.step)
        });
        each.join(" and ")
    });
    report.paragraph(format!("{}: {}. {}: {}.", a.name, steps[0], b.name, steps[1]));
}
