//! `raja result`: who has won.

use std::io::Write;

use games::{Game, History};

use crate::failure::Verdict;
use crate::input;

/// Say how a position stands: white, black, draw or none
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The id of the game, as `raja games` lists it
    #[arg(value_parser = Game::by_id)]
    game: &'static Game,
    /// The position
    #[arg(long, value_name = "FEN")]
    fen: String,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let history = History::new(args.game.parse_fen(&args.fen)?);
    writeln!(out, "{}", input::result(&history))?;
    Ok(Verdict::Done)
}
