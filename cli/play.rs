//! `raja play`: a game in the terminal.

mod advice;
mod command;
mod paint;
mod prompt;
mod saved;
mod table;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use anstream::{AutoStream, ColorChoice};
use anyhow::bail;
use arena::{Analyst, DEFAULT_SIMULATIONS, Entrant, Line, PlayerSpec, PlayerSpecError, Solo};
use games::Game;
use model::device::DeviceChoice;
use search::EvaluatorSource;

use crate::analyse::MOST_LEAVES;
use crate::failure::Verdict;
use crate::input::Start;
use crate::interrupt::Breaks;
use crate::nets::Nets;
use advice::Adviser;
use prompt::Prompt;
use saved::Saved;
use table::{Arrangement, Seat, Table};

/// Play a game in the terminal, against any player
///
/// A side that is not named is yours; if none is, you have White. Type a move, or `help`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    start: Start,
    /// human, random, greedy, alphabeta:DEPTH, mcts:SIMS, net:PATH or net:PATH@SIMS, with ,t=5
    /// behind it at that temperature, uci:COMMAND or xboard:COMMAND, either with @TIME behind it
    #[arg(long, value_name = "PLAYER", value_parser = Sitter::parse)]
    white: Option<Sitter>,
    /// Likewise [default: alphabeta:3 if White is not named either; alphabeta:1 in very large games]
    #[arg(long, value_name = "PLAYER", value_parser = Sitter::parse)]
    black: Option<Sitter>,
    /// The checkpoint of the network that is asked for hints; that of a player unless given
    #[arg(long, value_name = "PATH")]
    net: Option<PathBuf>,
    /// Go on with the game in this file, if it is there, and keep the game there after every move
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Leave when so many plies have been played
    #[arg(long, value_name = "N")]
    plies: Option<usize>,
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
            (Self::Player(PlayerSpec::Net { path, temperature, .. }), Some(simulations)) => {
                let limit = simulations.into();
                Self::Player(PlayerSpec::Net { path, limit, temperature })
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
    let (game, kept) = start(args)?;
    let arrangement = sit_down(args, &game)?;
    let mut table = Table::new(arrangement, game, kept);
    let mut prompt = Prompt::new()?;
    let plies = args.plies.unwrap_or(usize::MAX);
    loop {
        table.let_machines_play(plies, out)?;
        table.show(out)?;
        if !table.has_human() || table.line().moves().len() >= plies {
            break;
        }
        let Some(line) = prompt.ask(table.line().state().position(), out)? else { break };
        if table.obey(line.trim(), out)?.is_break() {
            break;
        }
    }
    Ok(Verdict::Done)
}

/// The game to go on with, and whether the file has it.
fn start(args: &Args) -> anyhow::Result<(Saved, bool)> {
    let position = args.start.position()?;
    let Some(file) = args.file.as_ref().filter(|file| file.try_exists().unwrap_or(true)) else {
        return Ok((Saved { line: Line::new(position), settled: None, names: None }, false));
    };
    let saved = saved::read(file, args.start.game)?;
    let fen = position.fen();
    if fen != args.start.game.start().fen() && fen != saved.line.start().fen() {
        bail!("{}: the game in this file does not begin where --fen says", file.display());
    }
    Ok((saved, true))
}

/// A seed that is another one each time.
fn clock_seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64)
}

/// Seats the players, and asks the network that gives hints, if there is one.
fn sit_down(args: &Args, saved: &Saved) -> anyhow::Result<Arrangement> {
    let line = &saved.line;
    let seed = args.seed.unwrap_or_else(clock_seed);
    let game = line.start().game();
    let sitters = match (&args.white, &args.black) {
        (None, None) => [Sitter::Human, Sitter::Player(default_opponent(game))],
        (white, black) => [white, black].map(|side| side.clone().unwrap_or(Sitter::Human)),
    };
    let sitters = sitters.map(|sitter| sitter.with_simulations(args.sims));
    let specs: Vec<&PlayerSpec> = sitters.iter().filter_map(Sitter::spec).collect();
    let nets = match args.net {
        Some(_) => Nets::on(args.device)?,
        None => Nets::of_players(&specs, args.device)?,
    };
    let mut network = match &args.net {
        Some(path) => Some(Arc::new(nets.open(game, path)?) as Arc<dyn EvaluatorSource>),
        None => None,
    };
    let mut seat = |sitter: &Sitter| -> anyhow::Result<Seat> {
        let Some(spec) = sitter.spec() else { return Ok(Seat::Human) };
        let entrant = Entrant::new(spec, game, &nets)?;
        network = network.take().or_else(|| entrant.source().cloned());
        let solo = Solo::new(&entrant, line.state().clone(), seed)?;
        Ok(Seat::Machine(entrant.name().to_owned(), Box::new(solo)))
    };
    let [white, black] = &sitters;
    let mut seats = [seat(white)?, seat(black)?];
    if let Some([white, black]) = &saved.names
        && [black, white] == seats.each_ref().map(Seat::name)
    {
        // They had changed sides.
        seats.reverse();
    }
    let analyst = Analyst::new(network, 1, MOST_LEAVES);
    let simulations = args.sims.unwrap_or(DEFAULT_SIMULATIONS);
    let adviser = Adviser { analyst, simulations, breaks: Breaks::heard()? };
    let colours = AutoStream::choice(&std::io::stdout()) != ColorChoice::Never;
    Ok(Arrangement { seats, adviser, file: args.file.clone(), colours, seed })
}
