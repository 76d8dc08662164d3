//! `raja ladder`: the checkpoints of a run against each other and reference players.

use std::io::Write;
use std::sync::atomic::Ordering;

use ::train::{RunFiles, RunFolder, rate_checkpoints};

use crate::failure::Verdict;
use crate::status::Run;
use crate::train::Teller;
use crate::{input, interrupt, progress};

/// Rate the checkpoints of a run by matches with their ancestors and reference players
///
/// The results are added to the run's ladder.json. Only games that are missing are played: the same
/// command again only prints, and with more --games the ratings become sharper.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    run: Run,
    /// Games against each opponent, an even number; as the run's configuration says unless given
    #[arg(long, value_name = "N", value_parser = input::even)]
    games: Option<u32>,
    /// Rate every so many generations; as the configuration says unless given, or a tenth of them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    every: Option<u32>,
    /// Print the standings as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let files = RunFiles::open(&args.run.folder())?;
    let mut settings = files.settings()?;
    let folder = RunFolder::open(files.root(), &settings)?;
    let ladder = &mut settings.ladder;
    ladder.games = args.games.unwrap_or(ladder.games);
    ladder.every = match (args.every, ladder.every) {
        (Some(every), _) => every,
        (None, 0) => (folder.newest_checkpoint()?.unwrap_or(0) / 10).max(1),
        (None, every) => every,
    };
    let stop = interrupt::flag()?;
    let teller = Teller::new();
    let standings = rate_checkpoints(&folder, &settings, &teller, stop)?;
    drop(teller);
    if args.json {
        input::write_json(&standings, out)?;
    } else {
        write!(out, "{standings}")?;
    }
    let stopped = stop.load(Ordering::Relaxed);
    if stopped {
        progress::say("stopped; the same command goes on");
    }
    Ok(Verdict::of(!stopped))
}
