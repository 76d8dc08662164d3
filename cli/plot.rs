//! `raja plot`: the course of a run as a picture.

mod chart;

use std::io::Write;
use std::path::PathBuf;

use ::train::{GenerationReport, LadderSettings, Losses, RunFiles, Strength, Validation};
use anyhow::{Context as _, ensure};
use arena::{Standing, Standings};

use crate::failure::Verdict;
use crate::progress;
use crate::status::Run;
use chart::{Panel, Point, Series};

/// Draw the course of a run as an SVG: losses, Elo, results, lengths, throughput
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    run: Run,
    /// Where to write it; plot.svg in the folder of the run unless given
    #[arg(long, value_name = "FILE.svg")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let folder = args.run.folder();
    let files = RunFiles::open(&folder)?;
    let (reports, spoilt) = files.reports()?;
    for line in spoilt {
        progress::say(format_args!("{}: line {line} is left out", files.metrics().display()));
    }
    ensure!(
        !reports.is_empty(),
        "{}: no generation is complete, there is nothing to draw yet",
        folder.display()
    );
    let settings = files.settings()?;
    let title = format!("{}: {}", folder.display(), settings.run.game);
    let mut panels = panels(&reports);
    panels.extend(files.strength()?.map(|strength| table(&strength)));
    panels.extend(
        files.standings(settings.game())?.map(|standings| ladder(&settings.ladder, &standings)),
    );
    let svg = chart::draw(&title, "generation", &panels)
        .map_err(anyhow::Error::from_boxed)
        .context("cannot draw")?;
    let path = args.out.clone().unwrap_or_else(|| folder.join("plot.svg"));
    model::write_atomically(&path, |file| file.write_all(svg.as_bytes()))?;
    writeln!(out, "{}", path.display())?;
    Ok(Verdict::Done)
}

/// What is drawn of a run.
fn panels(reports: &[GenerationReport]) -> Vec<Panel> {
    let series = |name: &str, of: &dyn Fn(&GenerationReport) -> Option<f64>| {
        let point =
            |report: &GenerationReport| Some(Point::at(report.generation.into(), of(report)?));
        Series { name: name.to_owned(), points: reports.iter().filter_map(point).collect() }
    };
    let training =
        |of: fn(&Losses) -> f64| move |report: &GenerationReport| report.losses.as_ref().map(of);
    let unseen = |of: fn(&Validation) -> f64| {
        move |report: &GenerationReport| report.validation.as_ref().map(of)
    };
    vec![
        Panel {
            title: "Policy loss",
            unit: "nats".to_owned(),
            series: vec![
                series("training", &training(|losses| losses.policy)),
                series("validation", &unseen(|losses| losses.policy)),
                series("entropy of the targets", &training(|losses| losses.target_entropy)),
            ],
        },
        Panel {
            title: "Value loss",
            unit: "nats".to_owned(),
            series: vec![
                series("training", &training(|losses| losses.value)),
                series("validation", &unseen(|losses| losses.value)),
            ],
        },
        Panel {
            title: "Results",
            unit: "share of games".to_owned(),
            series: vec![
                series("White", &|report| Some(report.white)),
                series("Black", &|report| Some(report.black())),
                series("draws", &|report| Some(report.draws)),
            ],
        },
        Panel {
            title: "Game length",
            unit: "steps".to_owned(),
            series: vec![series("mean", &|report| Some(report.length))],
        },
        Panel {
            title: "Throughput of self-play",
            unit: "evaluations a second".to_owned(),
            series: vec![series("mean", &|report| Some(report.evaluations_per_second))],
        },
    ]
}

/// The strength of the first and the last checkpoint over each player of the table. Where all or no
/// points were won, the bound stands for the estimate.
fn table(strength: &Strength) -> Panel {
    let mut series: Vec<Series> = Vec::new();
    for row in &strength.table.rows {
        let generation = match row.result.a.starts_with("checkpoint 0 ") {
            true => 0,
            false => strength.generation,
        };
        let arena::Elo { estimate, low, high } = row.elo;
        let Some(y) = estimate.or(low).or(high) else { continue };
        let interval = low.unwrap_or(y)..high.unwrap_or(y);
        let point = Point { interval: Some(interval), ..Point::at(generation.into(), y) };
        let name = format!("over {}", row.result.b);
        match series.iter_mut().find(|series| series.name == name) {
            // From the first checkpoint to the last.
            Some(found) => found.points.insert(0, point),
            None => series.push(Series { name, points: vec![point] }),
        }
    }
    Panel { title: "Elo", unit: "difference".to_owned(), series }
}

/// The ratings of the checkpoints on the ladder.
fn ladder(settings: &LadderSettings, standings: &Standings) -> Panel {
    let point = |(generation, standing): (u32, &Standing)| Point {
        interval: Some(standing.low..standing.high),
        ..Point::at(generation.into(), standing.elo)
    };
    let points = settings.ratings(standings).into_iter().map(point).collect();
    let unit = format!("Elo over {}, {} simulations", standings.anchor, settings.simulations);
    let series = vec![Series { name: "checkpoints".to_owned(), points }];
    Panel { title: "Ladder", unit, series }
}
