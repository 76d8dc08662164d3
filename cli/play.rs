//! `raja play`: a game in the terminal.

mod advice;
mod table;

use std::io::{BufRead as _, IsTerminal as _, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context as _;
use arena::{DEFAULT_SIMULATIONS, Entrant, PlayerSpec, PlayerSpecError, Solo};
use games::{Game, History};
use model::device::DeviceChoice;
use search::EvaluatorSource;

use crate::failure::Verdict;
use crate::input::Start;
use crate::nets::Nets;
use advice::Adviser;
use table::{Seat, Table};

/// Play a game in the terminal, against any player
///
/// A side that is not named is yours; if none is, you have White. Type a move, or `help`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    start: Start,
    /// human, random, greedy, alphabeta:DEPTH, mcts:SIMS, net:PATH or net:PATH@SIMS, uci:COMMAND
    /// or xboard:COMMAND, either with @TIME behind it
    #[arg(long, value_name = "PLAYER", value_parser = Sitter::parse)]
    white: Option<Sitter>,
    /// Likewise [default: alphabeta:3 if White is not named either; alphabeta:1 in very large games]
    #[arg(long, value_name = "PLAYER", value_parser = Sitter::parse)]
    black: Option<Sitter>,
    /// The checkpoint of the network that is asked for hints; that of a player unless given
    #[arg(long, value_name = "PATH")]
    net: Option<PathBuf>,
    /// Simulations a step of all networks, whatever the players say
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    sims: Option<u32>,
    /// The seed of the players' random choices; another one each time unless given
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Where networks run: auto, cpu, cuda or cuda:N
    #[arg(long, default_value_t = DeviceChoice::Auto)]
    device: DeviceChoice,
}

/// Who sits at a side of the board.
#[derive(Debug, Clone)]
enum Sitter {
    Human,
    Player(PlayerSpec),
}

/// A text that names nobody who could sit at the board.
#[derive(Debug, thiserror::Error)]
#[error("{0}{hint}", hint = if matches!(.0, PlayerSpecError::Unknown { .. }) { ", or human" } else { "" })]
pub(crate) struct UnknownSitter(PlayerSpecError);

impl Sitter {
    fn parse(text: &str) -> Result<Self, UnknownSitter> {
        match text {
            "human" => Ok(Self::Human),
            _ => text.parse().map(Self::Player).map_err(UnknownSitter),
        }
    }

    fn spec(&self) -> Option<&PlayerSpec> {
        match self {
            Self::Human => None,
            Self::Player(spec) => Some(spec),
        }
    }

    /// With so many simulations, if a number is given and this is a network.
    fn with_simulations(self, given: Option<u32>) -> Self {
        match (self, given) {
            (Self::Player(PlayerSpec::Net { path, .. }), Some(simulations)) => {
                Self::Player(PlayerSpec::Net { path, limit: simulations.into() })
            }
            (sitter, _) => sitter,
        }
    }
}

/// The opponent of a player who names none.
fn default_opponent(game: &Game) -> PlayerSpec {
    PlayerSpec::AlphaBeta { depth: PlayerSpec::most_depth(game).min(3) }
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let seed = args.seed.unwrap_or_else(clock_seed);
    let start = History::new(args.start.position()?);
    let (seats, adviser) = sit_down(args, &start, seed)?;
    let mut table = Table::new(start.position().clone(), seats, adviser, seed);
    let stdin = std::io::stdin();
    let is_terminal = stdin.is_terminal();
    let mut lines = stdin.lock().lines();
    loop {
        table.let_machines_play(out)?;
        table.show(out)?;
        if !table.has_human() {
            break;
        }
        if is_terminal {
            write!(out, "> ")?;
        }
        out.flush()?;
        let Some(line) = lines.next() else {
            // The line of the prompt is still to be ended.
            if is_terminal {
                writeln!(out)?;
            }
            break;
        };
        if table.obey(line.context("standard input")?.trim(), out)?.is_break() {
            break;
        }
    }
    Ok(Verdict::Done)
}

/// A seed that is another one each time.
fn clock_seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64)
}

/// The players, and the network that gives hints, if there is one.
fn sit_down(
    args: &Args,
    start: &History,
    seed: u64,
) -> anyhow::Result<([Seat; 2], Option<Adviser>)> {
    let sitters = match (&args.white, &args.black) {
        (None, None) => [Sitter::Human, Sitter::Player(default_opponent(start.game()))],
        (white, black) => [white, black].map(|side| side.clone().unwrap_or(Sitter::Human)),
    };
    let sitters = sitters.map(|sitter| sitter.with_simulations(args.sims));
    let specs: Vec<&PlayerSpec> = sitters.iter().filter_map(Sitter::spec).collect();
    let nets = match args.net {
        Some(_) => Nets::on(args.device)?,
        None => Nets::of_players(&specs, args.device)?,
    };
    let game = start.game();
    let mut network = match &args.net {
        Some(path) => Some(Arc::new(nets.open(game, path)?) as Arc<dyn EvaluatorSource>),
        None => None,
    };
    let mut seat = |sitter: &Sitter| -> anyhow::Result<Seat> {
        let Some(spec) = sitter.spec() else { return Ok(Seat::Human) };
        let entrant = Entrant::new(spec, game, &nets)?;
        network = network.take().or_else(|| entrant.source().cloned());
        let solo = Solo::new(&entrant, start.clone(), seed)?;
        Ok(Seat::Machine(entrant.name().to_owned(), Box::new(solo)))
    };
    let [white, black] = &sitters;
    let seats = [seat(white)?, seat(black)?];
    let simulations = args.sims.unwrap_or(DEFAULT_SIMULATIONS);
    let adviser = match network {
        Some(source) => Some(Adviser { evaluator: source.evaluator()?, simulations }),
        None => None,
    };
    Ok((seats, adviser))
}
