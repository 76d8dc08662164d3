//! `raja status`: where a run stands.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ::train::{GenerationReport, Grouped, Rated, Status};
use arena::Standing;
use indicatif::{HumanBytes, HumanDuration};

use crate::failure::Verdict;
use crate::input;
use crate::train::wrongly;

/// Say where a run stands and what it waits for, whether it goes on or rests
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    run: Run,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A run that is looked at.
#[derive(Debug, clap::Args)]
pub(crate) struct Run {
    /// The name of the run, or the path of its folder if there is a slash in it
    run: String,
}

impl Run {
    /// Its folder.
    pub(crate) fn folder(&self) -> PathBuf {
        match self.run.contains('/') {
            true => PathBuf::from(&self.run),
            false => Path::new("runs").join(&self.run),
        }
    }
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let status = Status::of(&args.run.folder())?;
    if args.json {
        input::write_json(&status, out)?;
    } else {
        tell(&status, out)?;
    }
    Ok(Verdict::Done)
}

fn tell(status: &Status, out: &mut dyn Write) -> std::io::Result<()> {
    let held = match &status.held_by {
        Some(process) => format!("held by process {process}"),
        None => "no process holds it".to_owned(),
    };
    writeln!(out, "run        {}: {}, {held}", status.folder.display(), status.game)?;
    writeln!(out, "waits for  {}", status.waits_for)?;
    writeln!(
        out,
        "so far     {} generations, {} games, {} rows and {} kept for validation, {}",
        Grouped(status.generations.into()),
        Grouped(status.games),
        Grouped(status.rows),
        Grouped(status.validation_rows),
        duration(status.seconds),
    )?;
    if status.plays < status.generations {
        let (plays, newest) = (status.plays, status.generations);
        writeln!(out, "gate       checkpoint {plays} plays, the newest is {newest}")?;
    }
    if let Some(progress) = status.progress {
        let left = match status.seconds_left {
            Some(seconds) => format!(", about {} of training left", duration(seconds)),
            None => String::new(),
        };
        writeln!(out, "limit      {:.0}% of the way{left}", progress * 100.0)?;
    }
    if let Some(rates) = status.rates {
        writeln!(
            out,
            "rates      {:.2} games/s, {:.0} evaluations/s, {:.2} steps/s, {} a generation",
            rates.games,
            rates.evaluations,
            rates.steps,
            duration(rates.generation_seconds),
        )?;
    }
    if let Some(last) = &status.last {
        tell_generation(last, out)?;
    }
    let disk = status.disk;
    writeln!(
        out,
        "disk       {}: {} of games, {} of checkpoints",
        HumanBytes(disk.all),
        HumanBytes(disk.games),
        HumanBytes(disk.checkpoints),
    )?;
    if let Some(Rated { anchor, standing }) = &status.ladder {
        let Standing { player, elo, low, high, score, .. } = standing;
        writeln!(
            out,
            "elo        {elo:+.0} [{low:+.0}, {high:+.0}] over {anchor}: {player}, {} games",
            Grouped(score.games().into())
        )?;
    }
    if let Some(strength) = &status.strength {
        writeln!(out, "strength   of checkpoint {}", strength.generation)?;
        write!(out, "{}", strength.table)?;
    }
    if !status.spoilt_lines.is_empty() {
        let lines: Vec<String> = status.spoilt_lines.iter().map(usize::to_string).collect();
        writeln!(out, "left out   lines of metrics.jsonl: {}", lines.join(", "))?;
    }
    for alarm in &status.alarms {
        writeln!(out, "alarm      {alarm}")?;
    }
    Ok(())
}

/// What the last generation was like.
fn tell_generation(last: &GenerationReport, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "last       generation {}, step {}", last.generation, last.step)?;
    match (&last.losses, &last.validation) {
        (Some(losses), validation) => {
            let unseen = |loss: f64| format!(" ({loss:.3} on games kept for validation)");
            let (policy, value) = match validation {
                Some(found) => (unseen(found.policy), unseen(found.value)),
                None => (String::new(), String::new()),
            };
            writeln!(out, "losses     policy {:.3}{policy}", losses.policy)?;
            writeln!(out, "           value {:.3}{value}", losses.value)?;
        }
        (None, _) => writeln!(out, "losses     none: no step was taken")?,
    }
    writeln!(
        out,
        "window     {} rows; batches {:.0}% full",
        Grouped(last.window),
        last.batch_fill * 100.0
    )?;
    writeln!(
        out,
        "results    White {:.0}%, draws {:.0}%, Black {:.0}%; {:.1} steps a game",
        last.white * 100.0,
        last.draws * 100.0,
        last.black() * 100.0,
        last.length,
    )?;
    if let Some(counts) = last.resignations {
        let (resigned, wrong) = (Grouped(counts.resigned), wrongly(last));
        let known = if wrong.is_empty() { "" } else { " played out lately" };
        writeln!(out, "resigned   {resigned} games{wrong}{known}")?;
    }
    let mebibytes = |mib: f64| HumanBytes((mib * 1024.0 * 1024.0) as u64);
    writeln!(
        out,
        "memory     {}, {} at most",
        mebibytes(last.memory_mib),
        mebibytes(last.peak_memory_mib)
    )
}

fn duration(seconds: f64) -> HumanDuration {
    HumanDuration(Duration::from_secs_f64(seconds.max(0.0)))
}
