//! `raja records`: recorded games as text, and their statistics.

use std::io::Write;
use std::path::{Path, PathBuf};

use games::Game;
use selfplay::{RecordStats, Shard};

use crate::failure::Verdict;
use crate::{input, progress};

/// Read recorded games
#[derive(Debug, clap::Args)]
#[command(subcommand_value_name = "cat|stats")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Print the games in the manner of PGN
    Cat {
        /// Files of records, or folders of such files
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Count results, lengths, kinds of steps
    Stats {
        /// Files of records, or folders of such files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    match &args.action {
        Action::Cat { files } => cat(files, out),
        Action::Stats { files, json } => stats(files, *json, out),
    }
}

fn cat(files: &[PathBuf], out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let mut first = true;
    for_each_shard(files, |shard| {
        for record in &shard.games {
            if !std::mem::take(&mut first) {
                writeln!(out)?;
            }
            write!(out, "{}", record.to_text()?)?;
        }
        Ok(())
    })
}

fn stats(files: &[PathBuf], json: bool, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let mut stats = RecordStats::default();
    let verdict = for_each_shard(files, |shard| {
        stats.add_shard(shard);
        Ok(())
    })?;
    if json {
        input::write_json(&stats, out)?;
    } else {
        writeln!(out, "{stats}")?;
    }
    Ok(verdict)
}

/// Reads the shards one after the other. Parts that are spoilt are told, and that is a check not
/// met.
fn for_each_shard(
    files: &[PathBuf],
    mut visit: impl FnMut(&Shard) -> anyhow::Result<()>,
) -> anyhow::Result<Verdict> {
    let mut sound = true;
    for path in shards(files)? {
        let game = Game::by_id(&selfplay::shard_game(&path)?)?;
        let shard = selfplay::read_shard(&path, game)?;
        for bad in &shard.bad {
            sound = false;
            progress::say(bad);
        }
        visit(&shard)?;
    }
    Ok(Verdict::of(sound))
}

/// The files themselves, and those in the folders among them.
fn shards(files: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for file in files {
        if file.is_dir() {
            paths.extend(selfplay::list_shards(file)?.into_iter().map(|(_, path)| path));
        } else {
            paths.push(Path::to_owned(file));
        }
    }
    Ok(paths)
}
