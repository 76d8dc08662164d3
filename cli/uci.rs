//! `raja uci`: raja as an engine.

use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use arena::{UciOptions, serve_uci};
use games::Game;
use model::Manifest;
use model::device::DeviceChoice;

use crate::failure::Verdict;
use crate::nets::Nets;

/// Play the engine in UCI or UGI, for other programs
///
/// Reads commands from standard input. All options can also be set there; docs/uci.md tells about
/// them and about the notation.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The id of the game, as `raja games` lists it [default: the game of --net, else chess]
    #[arg(value_parser = Game::by_id)]
    game: Option<&'static Game>,
    /// The checkpoint of the network that judges positions; random rollouts do without one
    #[arg(long, value_name = "PATH")]
    net: Option<PathBuf>,
    /// Threads that evaluate positions
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// Where networks run: auto, cpu, cuda or cuda:N
    #[arg(long, default_value_t = DeviceChoice::Auto)]
    device: DeviceChoice,
}

/// The game without any other word.
const USUAL_GAME: &str = "chess";

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    model::single_threaded();
    let game = match (args.game, &args.net) {
        (Some(game), _) => game,
        (None, Some(net)) => game_of(net)?,
        (None, None) => Game::by_id(USUAL_GAME)?,
    };
    let nets = Nets::on(args.device)?;
    if let Some(net) = &args.net {
        // A file that cannot be used is told before the talk begins.
        nets.open(game, net)?;
    }
    let options =
        UciOptions { net: args.net.clone(), threads: args.threads, ..UciOptions::new(game) };
    serve_uci(BufReader::new(std::io::stdin()), out, &nets, options)?;
    Ok(Verdict::Done)
}

/// The game that the network in the file `path` was made for.
fn game_of(path: &Path) -> anyhow::Result<&'static Game> {
    let manifest = Manifest::read(path)?;
    Game::by_id(&manifest.game).with_context(|| path.display().to_string())
}
