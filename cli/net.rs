//! `raja net`: what a checkpoint says about itself.

use std::io::Write;
use std::path::{Path, PathBuf};

use games::Game;
use model::{ENCODING_VERSION, Manifest};

use crate::failure::Verdict;
use crate::input;

/// Look at a network
#[derive(Debug, clap::Args)]
#[command(subcommand_value_name = "info")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Print what a checkpoint says about itself, after checking that the file is whole
    Info {
        /// The checkpoint
        path: PathBuf,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    match &args.action {
        Action::Info { path, json } => info(path, *json, out),
    }
}

fn info(path: &Path, json: bool, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let manifest = Manifest::read(path)?;
    if json {
        input::write_json(&manifest, out)?;
        return Ok(Verdict::Done);
    }
    let network = &manifest.network;
    writeln!(out, "game      {}", manifest.game)?;
    writeln!(out, "rules     {} ({})", manifest.rules, rules(&manifest))?;
    writeln!(out, "encoding  {} (this raja: {ENCODING_VERSION})", manifest.encoding)?;
    writeln!(out, "format    {}", manifest.format)?;
    writeln!(out, "step      {}", manifest.step)?;
    writeln!(out, "network   {} blocks of {} channels", network.blocks, network.channels)?;
    for (key, value) in &manifest.notes {
        writeln!(out, "note      {key}: {value}")?;
    }
    Ok(Verdict::Done)
}

/// Whether the rules are those of this program.
fn rules(manifest: &Manifest) -> &'static str {
    match Game::by_id(&manifest.game) {
        Ok(game) if format!("{:016x}", game.fingerprint) == manifest.rules => "as in this raja",
        Ok(_) => "this raja has other ones",
        Err(_) => "this raja does not know the game",
    }
}
