//! What `raja uci` and `raja xboard` have in common.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use arena::EngineOptions;
use games::Game;
use model::Manifest;
use model::device::DeviceChoice;

use crate::nets::Nets;

/// The engine that other programs talk to.
#[derive(Debug, clap::Args)]
pub(crate) struct Engine {
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

impl Engine {
    /// The options that the engine begins with, and the networks that it may load.
    pub(crate) fn prepare(&self) -> anyhow::Result<(EngineOptions, Nets)> {
        model::single_threaded();
        let game = match (self.game, &self.net) {
            (Some(game), _) => game,
            (None, Some(net)) => game_of(net)?,
            (None, None) => Game::by_id(USUAL_GAME)?,
        };
        let nets = Nets::on(self.device)?;
        if let Some(net) = &self.net {
            // A file that cannot be used is told before the talk begins.
            nets.open(game, net)?;
        }
        let (net, threads) = (self.net.clone(), self.threads);
        Ok((EngineOptions { net, threads, ..EngineOptions::new(game) }, nets))
    }
}

/// The game that the network in the file `path` was made for.
fn game_of(path: &Path) -> anyhow::Result<&'static Game> {
    let manifest = Manifest::read(path)?;
    Game::by_id(&manifest.game).with_context(|| path.display().to_string())
}
