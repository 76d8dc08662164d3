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
    /// Write the games as variants of Fairy-Stockfish (its option VariantPath) in place of a talk
    #[arg(long, exclusive = true)]
    variants_ini: bool,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    if args.variants_ini {
        write!(out, "{}", games::variants_ini())?;
        return Ok(Verdict::Done);
    }
    let (options, nets) = args.engine.prepare()?;
    serve_uci(BufReader::new(std::io::stdin()), out, &nets, options)?;
    Ok(Verdict::Done)
}
