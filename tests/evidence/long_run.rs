//! The default run, let run for longer: does it keep getting stronger?

use train::GenerationReport;

use crate::report::{Report, machine};
use crate::training::{Trained, matched};

/// Processor time of the whole run, and of the checkpoint that the last one meets, in minutes: 40 and
/// 12 on two cores.
const MINUTES: [u32; 2] = [80, 24];

pub(crate) fn measure() {
    let sets = ["table.games=0".to_owned()];
    let long = Trained::new("configs/quick.toml", "evidence-long", MINUTES[0], &sets);
    // The rate of learning has not come down yet where the long run is cut: a run of that length of
    // its own is the harder opponent.
    let short = Trained::new("configs/quick.toml", "evidence-short", MINUTES[1], &sets);
    let last = long.player(long.last(), "40 minutes".to_owned());
    let earlier = [
        long.player(long.after(MINUTES[1].into()), "the same run after 12 minutes".to_owned()),
        short.player(short.last(), "a run of 12 minutes".to_owned()),
    ];
    let results = earlier.map(|earlier| matched("cheskers", &last, &earlier, 400));
    let mut report = Report::new("long-run", "Forty minutes of the default run");
    report.paragraph(long.summary());
    report.paragraph(format!("On {}.", machine()));
    report.code(format_args!("{}\n{}", long.command, short.command));
    report.section("Strength");
    report.paragraph(
        "The last checkpoint against the same run's after 12 minutes on two cores, and against the \
         last one of a run of 12 minutes, whose rate of learning came down to its end.",
    );
    report.matches(&results);
    report.section("Memory");
    let columns = ["minutes of processor time", "rows in the window", "MiB resident"];
    let at = |share: usize| &long.reports[(long.reports.len() - 1) * share / 8];
    let rows = (1..=8).map(at).map(|at| {
        [
            format!("{:.0}", at.seconds / 60.0),
            at.window.to_string(),
            format!("{:.0}", at.memory_mib),
        ]
    });
    report.table(columns, rows);
    report.paragraph(growth(&long.reports));
    report.write();
}

/// What of the memory belongs to the window, which holds the games of its rows and grows with a run.
fn growth(reports: &[GenerationReport]) -> String {
    let points = reports.iter().map(|report| (report.window as f64, report.memory_mib));
    let count = reports.len() as f64;
    let (x, y) = points.clone().fold((0.0, 0.0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
    let (x, y) = (x / count, y / count);
    let (both, square) = points.clone().fold((0.0, 0.0), |sum, at| {
        (sum.0 + (at.0 - x) * (at.1 - y), sum.1 + (at.0 - x) * (at.0 - x))
    });
    let slope = both / square;
    let left = points.map(|at| at.1 - y - slope * (at.0 - x));
    let (low, high) = left.fold((0.0_f64, 0.0_f64), |all, mib| (all.0.min(mib), all.1.max(mib)));
    format!(
        "The window keeps the games of its rows in memory, and it grows with the run, by the law of \
         `[replay]`. The straight line through all generations is {:.0} MiB and {:.0} bytes a row; \
         generations lie between {:.0} MiB below it and {:.0} MiB above.",
        y - slope * x,
        slope * f64::from(1 << 20),
        -low,
        high,
    )
}
