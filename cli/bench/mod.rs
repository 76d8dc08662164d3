//! `raja bench`: how fast the parts are on this machine.

mod clock;
mod inference;
mod movegen;
mod search;
mod selfplay;

use std::io::Write;

use games::Game;

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
    Search(search::Args),
    Selfplay(selfplay::Args),
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    match &args.part {
        Part::Inference(args) => inference::run(args, out),
        Part::Movegen(args) => movegen::run(args, out),
        Part::Search(args) => search::run(args, out),
        Part::Selfplay(args) => selfplay::run(args, out),
    }
}

/// What is asked of a measurement of one game or of all.
#[derive(Debug, Clone, Copy, clap::Args)]
struct Listed {
    /// The id of the game; all listed games if left out
    #[arg(value_parser = Game::by_id)]
    game: Option<&'static Game>,
    /// Print a JSON array instead of a table
    #[arg(long)]
    json: bool,
}

impl Listed {
    /// The game that was named, or all listed games.
    fn games(self) -> Vec<&'static Game> {
        match self.game {
            Some(game) => vec![game],
            None => Game::all().iter().collect(),
        }
    }
}
