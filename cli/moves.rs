//! `raja moves`: what is legal in a position.

use std::io::Write;

use crate::failure::Verdict;
use crate::input::Start;

/// List the legal moves, one a line, in ASCII order
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    start: Start,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    for text in args.start.position()?.move_texts()? {
        writeln!(out, "{text}")?;
    }
    Ok(Verdict::Done)
}
