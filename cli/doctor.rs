//! `raja doctor`: which libtorch runs where, and why not elsewhere.

use std::io::Write;

use crate::failure::Verdict;
use crate::input;

/// Say which libtorch is loaded, which devices there are, and why CUDA is off
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let report = model::doctor::report();
    if args.json {
        input::write_json(&report, out)?;
    } else {
        write!(out, "{report}")?;
    }
    Ok(Verdict::Done)
}
