//! `raja bench`: how fast the parts are on this machine.

mod clock;
mod inference;
mod movegen;

use std::io::Write;

use crate::failure::Verdict;

/// Measure how fast the parts are
#[derive(Debug, clap::Args)]
#[command(subcommand_value_name = "PART")]
pub(crate) struct Args {
    #[command(subcommand)]
    part: Part,
}

#[derive(Debug, clap::Subcommand)]
enum Part {
    Inference(inference::Args),
    Movegen(movegen::Args),
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    match &args.part {
        Part::Inference(args) => inference::run(args, out),
        Part::Movegen(args) => movegen::run(args, out),
    }
}
