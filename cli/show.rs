//! `raja show`: a position, drawn.

use std::io::Write;

use crate::failure::Verdict;
use crate::input::Start;

/// Draw a position; the last line is its FEN
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    start: Start,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let position = args.start.position()?;
    writeln!(out, "{}\n{}", position.draw(), position.fen())?;
    Ok(Verdict::Done)
}
