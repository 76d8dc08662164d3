//! `raja train`: a run from its configuration to its strength table.

use std::io::Write;
use std::path::{Path, PathBuf};

use ::train::{Event, GenerationReport, Grouped, Observer, RunRequest, RunSummary, Settings};
use anyhow::Context as _;

use crate::failure::Verdict;
use crate::interrupt;
use crate::progress::Meter;

/// Train a network by self-play; the same command again goes on with the run
///
/// Ctrl-C stops after the work in hand and loses nothing; a second one stops at once and loses the
/// games being played.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The configuration, such as configs/quick.toml
    config: PathBuf,
    /// The run's folder is runs/NAME; the name of the configuration unless given
    #[arg(long, value_name = "NAME", value_parser = run_name)]
    run: Option<String>,
    /// Use another value for a key of the configuration
    #[arg(long = "set", value_name = "TABLE.KEY=VALUE")]
    overrides: Vec<String>,
    /// Start a new run from this checkpoint's weights
    #[arg(long, value_name = "CHECKPOINT")]
    init_from: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let settings = Settings::load(&args.config, &args.overrides)?;
    let name = match &args.run {
        Some(name) => name.clone(),
        None => stem(&args.config)?,
    };
    let folder = Path::new("runs").join(name);
    let request = RunRequest { settings, folder, init_from: args.init_from.clone() };
    let stop = interrupt::flag()?;
    let teller = Teller::new();
    let summary = ::train::run(&request, &teller, stop)?;
    drop(teller);
    tell(&summary, &request, out)?;
    Ok(Verdict::Done)
}

/// A name that keeps a run inside the folder of runs.
fn run_name(text: &str) -> Result<String, &'static str> {
    match text {
        "" | "." | ".." => Err("expected a name"),
        _ if text.contains(['/', '\\']) => Err("expected a name, not a path"),
        _ => Ok(text.to_owned()),
    }
}

/// The name of a file without folder and suffix.
fn stem(path: &Path) -> anyhow::Result<String> {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    stem.map(str::to_owned).with_context(|| format!("{} has no name", path.display()))
}

/// The results of a sitting, and what to do next.
fn tell(summary: &RunSummary, request: &RunRequest, out: &mut dyn Write) -> anyhow::Result<()> {
    let checkpoint = summary.checkpoint.display();
    if let Some(strength) = &summary.strength {
        write!(out, "{}", strength.table)?;
    }
    if summary.complete {
        let game = &request.settings.run.game;
        writeln!(out, "checkpoint {checkpoint}")?;
        writeln!(out, "play it: cargo run --release -- play {game} --black net:{checkpoint}")?;
    } else {
        writeln!(
            out,
            "stopped after {} generations; the same command goes on",
            summary.generations
        )?;
    }
    Ok(())
}

/// How often resigning was wrong lately, as far as that is known.
pub(crate) fn wrongly(report: &GenerationReport) -> String {
    match report.false_resignations {
        Some(found) => format!(", wrong in {:.1}% of {}", found.rate * 100.0, found.games),
        None => String::new(),
    }
}

/// What a generation did, in one line.
fn line(report: &GenerationReport) -> String {
    let losses = match report.losses {
        Some(losses) => format!("policy {:.3}  value {:.3}", losses.policy, losses.value),
        None => "no steps                  ".to_owned(),
    };
    let resigned = match report.resignations {
        Some(counts) => format!("  resigned {}{}", counts.resigned, wrongly(report)),
        None => String::new(),
    };
    format!(
        "generation {:>4}  {:>6.1} min  games {:>7}  rows {:>8}  step {:>6}  {losses}  \
         white {:>3.0}%  draws {:>3.0}%  length {:>5.1}  {:>6.0} eval/s{resigned}",
        report.generation,
        report.seconds / 60.0,
        report.games,
        report.rows,
        report.step,
        report.white * 100.0,
        report.draws * 100.0,
        report.length,
        report.evaluations_per_second,
    )
}

/// Shows the events of a run: a line for each generation, a bar or now and then a line meanwhile.
pub(crate) struct Teller(Meter);

impl Teller {
    /// One that has shown nothing yet.
    pub(crate) fn new() -> Self {
        Self(Meter::new())
    }
}

impl Observer for Teller {
    fn event(&self, event: &Event<'_>) {
        let Self(meter) = self;
        match *event {
            Event::Note(note) => meter.say(note),
            Event::Saved => {}
            Event::Generation(report) => meter.say(line(report)),
            Event::Generating {
                generation,
                games,
                goal,
                rows,
                minimum,
                evaluations_per_second,
            } => {
                let wait = match rows < minimum {
                    true => {
                        let (rows, minimum) = (Grouped(rows), Grouped(minimum));
                        format!(", {rows} of {minimum} rows before the first step")
                    }
                    false => String::new(),
                };
                meter.show(
                    format_args!("generation {generation}: game"),
                    games.into(),
                    goal.into(),
                    format_args!("{evaluations_per_second:.0} eval/s{wait}"),
                );
            }
            Event::Learning { generation, step, due, losses } => meter.show(
                format_args!("generation {generation}: step"),
                step.unsigned_abs(),
                due.unsigned_abs(),
                format_args!("policy {:.3} value {:.3}", losses.policy, losses.value),
            ),
            Event::Gating { checkpoint, games, most } => meter.show(
                format_args!("gate of checkpoint {checkpoint}: game"),
                games.into(),
                most.into(),
                "at most",
            ),
            Event::Measuring { row, rows, games, goal } => meter.show(
                "strength: game",
                games.into(),
                goal.into(),
                format_args!("row {row} of {rows}"),
            ),
        }
    }
}
