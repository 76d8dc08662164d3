//! `raja xboard`: raja as an engine of XBoard and WinBoard.

use std::io::{BufReader, Write};

use arena::serve_xboard;

use crate::engine::Engine;
use crate::failure::Verdict;

/// Play the engine in the protocol of XBoard (CECP), for XBoard, WinBoard and other programs
///
/// Reads commands from standard input; docs/xboard.md tells about them, and about games that XBoard
/// does not know.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    engine: Engine,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let (options, nets) = args.engine.prepare()?;
    serve_xboard(BufReader::new(std::io::stdin()), out, &nets, options)?;
    Ok(Verdict::Done)
}
