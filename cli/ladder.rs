//! `raja ladder`: the checkpoints of a run against each other and reference players.

use std::io::Write;
use std::path::{Path, PathBuf};

use ::train::{RunFolder, Settings, climb, rungs};

use crate::failure::Verdict;
use crate::train::Teller;
use crate::{input, interrupt};

/// Rate the checkpoints of a run by matches with their ancestors and reference players
///
/// The results are added to the run's ladder.json. Only games that are missing are played: the same
/// command again only prints, and with more --games the ratings become sharper.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The name of the run, or the path of its folder if there is a slash in it
    run: String,
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
    let root = match args.run.contains('/') {
        true => PathBuf::from(&args.run),
        false => Path::new("runs").join(&args.run),
    };
    let settings = |every: Option<u32>| {
        let given = [("games", args.games), ("every", every)];
        let overrides = given.into_iter();
        let overrides =
            overrides.filter_map(|(key, value)| Some(format!("ladder.{key}={}", value?)));
        Settings::load(&root.join("config.toml"), &overrides.collect::<Vec<_>>())
    };
    let kept = Settings::load(&root.join("config.toml"), &[])?;
    let folder = RunFolder::open(&root, &kept)?;
    let last = folder.state()?.generations.len() as u32;
    let tenth = (kept.ladder.every == 0).then_some((last / 10).max(1));
    let settings = settings(args.every.or(tenth))?;
    let stop = interrupt::flag()?;
    let rungs = rungs(&folder, settings.ladder.every, last);
    let teller = Teller::new();
    let standings = climb(&folder, &settings, &rungs, &teller, stop)?;
    drop(teller);
    if args.json {
        input::write_json(&standings, out)?;
    } else {
        write!(out, "{standings}")?;
    }
    Ok(Verdict::of(!stop.load(std::sync::atomic::Ordering::Relaxed)))
}
