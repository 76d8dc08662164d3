//! `raja rules`: a page to learn a game from.

use std::io::Write;

use games::Game;

use crate::failure::Verdict;

/// Print a page to learn a game from
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The id of the game, as `raja games` lists it
    #[arg(value_parser = Game::by_id)]
    game: &'static Game,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    write!(out, "{}", args.game.page())?;
    Ok(Verdict::Done)
}
