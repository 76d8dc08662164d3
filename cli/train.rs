//! `raja train`: a run from its configuration to its strength table.

use std::io::{IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use ::train::{Event, GenerationReport, Observer, RunRequest, RunSummary, Settings};
use anyhow::Context as _;
use indicatif::{ProgressBar, ProgressStyle};

use crate::failure::Verdict;
use crate::{interrupt, progress};

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
    let observer: Box<dyn Observer> = if std::io::stderr().is_terminal() {
        Box::new(Bar::new())
    } else {
        Box::new(Lines::default())
    };
    let summary = ::train::run(&request, observer.as_ref(), stop)?;
    drop(observer);
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

/// What a generation did, in one line.
fn line(report: &GenerationReport) -> String {
    format!(
        "generation {:>4}  {:>6.1} min  games {:>7}  rows {:>8}  step {:>6}  policy {:.3}  value {:.3}  \
         white {:>3.0}%  draws {:>3.0}%  length {:>5.1}  {:>6.0} eval/s",
        report.generation,
        report.seconds / 60.0,
        report.games,
        report.rows,
        report.step,
        report.losses.policy,
        report.losses.value,
        report.white * 100.0,
        report.draws * 100.0,
        report.length,
        report.evaluations_per_second,
    )
}

/// Progress on a terminal: one bar for the work in hand, one line that stays for each generation.
struct Bar {
    bar: ProgressBar,
}

impl Bar {
    fn new() -> Self {
        let style = ProgressStyle::with_template("{msg} [{bar:30}] {pos}/{len}")
            .expect("the template is valid")
            .progress_chars("=> ");
        Self { bar: ProgressBar::new(0).with_style(style) }
    }

    fn show(&self, message: String, position: u64, length: u64) {
        self.bar.set_length(length);
        self.bar.set_position(position);
        self.bar.set_message(message);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Bar {
    fn event(&self, event: &Event<'_>) {
        match *event {
            Event::Note(note) => self.bar.suspend(|| progress::say(note)),
            Event::Generation(report) => self.bar.suspend(|| progress::say(line(report))),
            Event::Generating { generation, games, goal, evaluations_per_second } => self.show(
                format!("generation {generation}: games, {evaluations_per_second:.0} eval/s"),
                games.into(),
                goal.into(),
            ),
            Event::Learning { generation, step, due, losses } => self.show(
                format!(
                    "generation {generation}: policy {:.3} value {:.3}",
                    losses.policy, losses.value
                ),
                step.unsigned_abs(),
                due.unsigned_abs(),
            ),
            Event::Measuring { row, rows, games, goal } => {
                self.show(format!("strength: row {row} of {rows}"), games.into(), goal.into());
            }
        }
    }
}

/// Progress in a log: a line a generation, and one now and then while a long one lasts.
struct Lines {
    last: Mutex<Instant>,
}

/// How long a log stays silent at most while something is going on.
const SILENCE: Duration = Duration::from_secs(30);

impl Default for Lines {
    fn default() -> Self {
        Self { last: Mutex::new(Instant::now()) }
    }
}

impl Lines {
    fn say(&self, text: &str) {
        if let Ok(mut last) = self.last.lock() {
            *last = Instant::now();
        }
        progress::say(text);
    }

    fn say_now_and_then(&self, text: impl FnOnce() -> String) {
        if self.last.lock().is_ok_and(|last| last.elapsed() >= SILENCE) {
            self.say(&text());
        }
    }
}

impl Observer for Lines {
    fn event(&self, event: &Event<'_>) {
        match *event {
            Event::Note(note) => self.say(note),
            Event::Generation(report) => self.say(&line(report)),
            Event::Generating { generation, games, goal, evaluations_per_second } => {
                self.say_now_and_then(|| {
                    format!(
                        "generation {generation:>4}  game {games} of {goal}  {evaluations_per_second:.0} eval/s"
                    )
                });
            }
            Event::Learning { generation, step, due, .. } => {
                self.say_now_and_then(|| {
                    format!("generation {generation:>4}  step {step} of {due}")
                });
            }
            Event::Measuring { row, rows, games, goal } => self.say_now_and_then(|| {
                format!("strength: row {row} of {rows}, game {games} of {goal}")
            }),
        }
    }
}
