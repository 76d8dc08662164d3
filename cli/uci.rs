//! `raja uci`: raja as an engine.

use std::io::{BufReader, Write};

use arena::serve_uci;

use crate::engine::Engine;
use crate::failure::Verdict;

/// Play the engine in UCI or UGI, for other programs
///
/// Reads commands from standard input. All options can also be set there; docs/uci.md tells about
/// them and about the notation.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    engine: Engine,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let (options, nets) = args.engine.prepare()?;
    serve_uci(BufReader::new(std::io::stdin()), out, &nets, options)?;
    Ok(Verdict::Done)
}
