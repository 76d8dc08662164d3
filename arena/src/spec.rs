//! [`PlayerSpec`]: a player as people write it.

use std::path::PathBuf;
use std::str::FromStr;

use games::Game;

use crate::{EngineProtocol, Limit, LimitError, PlayerError};

/// Simulations a move of a network player unless the text says otherwise.
pub const DEFAULT_SIMULATIONS: u32 = 64;

/// Milliseconds a move of an engine unless the text says otherwise.
pub const DEFAULT_ENGINE_TIME: u32 = 100;

const MOST_DEPTH: u32 = 20;

const MOST_TEMPERATURE: f32 = 100.0;

/// With more moves at the start of a game than these, a search two moves deep takes minutes a move.
const MOST_MOVES: usize = 1_000;

/// A player in words: `random`, `greedy`, `alphabeta:DEPTH`, `mcts:SIMS`, `net:PATH[@SIMS]`,
/// `uci:COMMAND[@TIME]` or `xboard:COMMAND[@TIME]`. For SIMS simulations a step there may be
/// positions evaluated, as `500nodes`, or time, as `50ms`; TIME is written so, or for UCI in nodes.
/// A network with `,t=5` behind it plays at that temperature.
///
/// COMMAND is a program and its arguments, quoted as for a shell. What stands behind its last `@`
/// belongs to it unless that is a limit.
///
/// ```
/// let spec: arena::PlayerSpec = "net:runs/a/checkpoints/000012.safetensors@200".parse()?;
/// assert_eq!(spec.to_string(), "net:runs/a/checkpoints/000012.safetensors@200");
/// # Ok::<(), arena::PlayerSpecError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum PlayerSpec {
    /// Any legal step, all alike.
    Random,
    /// A winning move, else the most material.
    Greedy,
    /// A full-width search that counts material.
    AlphaBeta {
        /// Whole moves that it looks ahead, 1 to 20.
        depth: u32,
    },
    /// Tree search with random rollouts.
    Mcts {
        /// Rollouts a step, or what else ends the search.
        limit: Limit,
    },
    /// Tree search with a network.
    Net {
        /// The checkpoint.
        path: PathBuf,
        /// Simulations a step, or what else ends the search.
        limit: Limit,
        /// The temperature at which its steps are drawn, as [`crate::Entrant::at`] has it.
        temperature: f32,
    },
    /// Another program.
    Engine {
        /// What it is spoken to in.
        protocol: EngineProtocol,
        /// How it is started, as for a shell.
        command: String,
        /// What ends its search for a move: time, or with UCI nodes.
        limit: Limit,
    },
}

/// A text that names no player.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlayerSpecError {
    /// There is no such player.
    #[error(
        "unknown player `{text}`: the players are random, greedy, alphabeta:DEPTH, mcts:SIMS, \
         net:PATH[@SIMS], uci:COMMAND and xboard:COMMAND"
    )]
    Unknown {
        /// The text.
        text: String,
    },
    /// A number is missing, no number, or out of range.
    #[error("player `{text}`: expected {what} from 1 to {most}, found `{found}`")]
    Number {
        /// The text.
        text: String,
        /// What the number counts.
        what: &'static str,
        /// The greatest number that is taken.
        most: u32,
        /// What stood there.
        found: String,
    },
    /// A temperature that is none.
    #[error(
        "player `{text}`: expected a temperature from 0 to {MOST_TEMPERATURE}, found `{found}`"
    )]
    Temperature {
        /// The text.
        text: String,
        /// What stood there.
        found: String,
    },
    /// A network player without a file.
    #[error("player `{text}` names no checkpoint: expected net:PATH or net:PATH@SIMS")]
    NoPath {
        /// The text.
        text: String,
    },
    /// An engine without a program, or with one that cannot be read.
    #[error("player `{text}` names no program: expected a command, quoted as for a shell")]
    NoCommand {
        /// The text.
        text: String,
    },
}

impl FromStr for PlayerSpec {
    type Err = PlayerSpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = |what, most, found: &str| {
            let (text, found) = (text.to_owned(), found.to_owned());
            PlayerSpecError::Number { text, what, most, found }
        };
        let limit = |found: &str| {
            found.parse().map_err(|LimitError { what, most }| wrong(what, most, found))
        };
        let degrees = |found: &str| {
            let number = found.parse().ok();
            let fitting = number.filter(|number| (0.0..=MOST_TEMPERATURE).contains(number));
            let wrong = || {
                let (text, found) = (text.to_owned(), found.to_owned());
                PlayerSpecError::Temperature { text, found }
            };
            fitting.ok_or_else(wrong)
        };
        let (kind, argument) = match text.split_once(':') {
            Some((kind, argument)) => (kind, Some(argument)),
            None => (text, None),
        };
        match (kind, argument) {
            ("random", None) => Ok(Self::Random),
            ("greedy", None) => Ok(Self::Greedy),
            ("alphabeta", depth) => {
                let found = depth.unwrap_or_default();
                match found.parse() {
                    Ok(depth) if (1..=MOST_DEPTH).contains(&depth) => Ok(Self::AlphaBeta { depth }),
                    _ => Err(wrong("a depth in moves", MOST_DEPTH, found)),
                }
            }
            ("mcts", count) => Ok(Self::Mcts { limit: limit(count.unwrap_or_default())? }),
            ("net", argument) => {
                let (argument, temperature) = split_temperature(argument.unwrap_or_default());
                let (path, count) = split_limit(argument);
                if path.is_empty() {
                    return Err(PlayerSpecError::NoPath { text: text.to_owned() });
                }
                let limit = count.map_or(Ok(DEFAULT_SIMULATIONS.into()), limit)?;
                let temperature = temperature.map_or(Ok(0.0), degrees)?;
                Ok(Self::Net { path: path.into(), limit, temperature })
            }
            ("uci" | "xboard", argument) => {
                let (command, count) = split_time(argument.unwrap_or_default());
                if Self::words(command).is_none() {
                    return Err(PlayerSpecError::NoCommand { text: text.to_owned() });
                }
                let protocol = match kind {
                    "uci" => EngineProtocol::Uci,
                    _ => EngineProtocol::Xboard,
                };
                let limit = count.map_or(Ok(Limit::Milliseconds(DEFAULT_ENGINE_TIME)), limit)?;
                Ok(Self::Engine { protocol, command: command.to_owned(), limit })
            }
            _ => Err(PlayerSpecError::Unknown { text: text.to_owned() }),
        }
    }
}

impl PlayerSpec {
    /// The most moves that alpha-beta may look ahead in `game`: 20, but 1 in games that start with
    /// thousands of moves.
    #[must_use]
    pub fn most_depth(game: &Game) -> u32 {
        if moves_at_start(game) > MOST_MOVES { 1 } else { MOST_DEPTH }
    }

    /// The program and the arguments that `command` is; none if there is no program, or a quotation
    /// mark is not closed.
    pub(crate) fn words(command: &str) -> Option<Vec<String>> {
        shlex::split(command).filter(|words| words.first().is_some_and(|word| !word.is_empty()))
    }

    /// Whether the player would come to an end of its thoughts in `game`, and knows its limit.
    ///
    /// # Errors
    /// If not; the error says what it can do.
    pub fn check(&self, game: &Game) -> Result<(), PlayerError> {
        match self {
            Self::AlphaBeta { depth } if *depth > Self::most_depth(game) => {
                let (id, moves) = (game.id, moves_at_start(game));
                let problem = format!(
                    "{id} starts with {moves} moves, too many to look more than 1 move ahead"
                );
                Err(PlayerError { player: self.to_string(), problem })
            }
            Self::Engine { protocol, limit, .. } => {
                let problem = match (protocol, limit) {
                    (_, Limit::Simulations(_)) => "engines count no simulations",
                    (EngineProtocol::Xboard, Limit::Nodes(_)) => "its protocol counts no nodes",
                    _ => return Ok(()),
                };
                let problem = format!("{problem}: give it a time, such as 100ms");
                Err(PlayerError { player: self.to_string(), problem })
            }
            _ => Ok(()),
        }
    }
}

/// The whole moves of a game's first player, as far as they are counted.
pub(crate) fn moves_at_start(game: &Game) -> usize {
    let start = game.start();
    start.count_moves().unwrap_or_else(|| {
        let mut moves = 0;
        // Those beyond the limit of the rules do not matter here.
        let _ = start.for_each_move(|_| moves += 1);
        moves
    })
}

/// Splits `PATH@SIMS`. An `@` before a folder or file suffix belongs to the path.
fn split_limit(argument: &str) -> (&str, Option<&str>) {
    match argument.rsplit_once('@') {
        Some((path, count)) if !count.contains(['/', '\\', '.']) => (path, Some(count)),
        _ => (argument, None),
    }
}

/// Splits `COMMAND@TIME`. An `@` before anything but a limit belongs to the command.
fn split_time(argument: &str) -> (&str, Option<&str>) {
    let is_limit = |text: &str| {
        let unit = text.trim_start_matches(|c: char| c.is_ascii_digit());
        unit.len() < text.len() && ["", "ms", "nodes"].contains(&unit)
    };
    match argument.rsplit_once('@') {
        Some((command, limit)) if is_limit(limit) => (command, Some(limit)),
        _ => (argument, None),
    }
}

/// Splits `PATH@SIMS,t=TEMPERATURE`. A `,t=` before a folder or file suffix belongs to the path.
fn split_temperature(argument: &str) -> (&str, Option<&str>) {
    match argument.rsplit_once(",t=") {
        Some((player, found)) if !found.contains(['/', '\\']) => (player, Some(found)),
        _ => (argument, None),
    }
}

impl std::fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::Greedy => f.write_str("greedy"),
            Self::AlphaBeta { depth } => write!(f, "alphabeta:{depth}"),
            Self::Mcts { limit } => write!(f, "mcts:{limit}"),
            Self::Net { path, limit, temperature } => {
                write!(f, "net:{}@{limit}", path.display())?;
                if *temperature > 0.0 { write!(f, ",t={temperature}") } else { Ok(()) }
            }
            Self::Engine { protocol, command, limit } => write!(f, "{protocol}:{command}@{limit}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_round_trip() {
        for text in [
            "random",
            "greedy",
            "alphabeta:3",
            "mcts:1000",
            "mcts:20ms",
            "net:a/b@c/d.safetensors@7",
            "net:x.safetensors@300nodes",
            "uci:fairy-stockfish@20ms",
            "uci:a/b@c --x 'y z'@500nodes",
            "xboard:fairymax@1000ms",
            "net:a,t=1/b.safetensors@7,t=0.25",
        ] {
            assert_eq!(text.parse::<PlayerSpec>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_network_plays_with_64_simulations_unless_told_otherwise() {
        let net = |path: &str, simulations: u32| PlayerSpec::Net {
            path: path.into(),
            limit: simulations.into(),
            temperature: 0.0,
        };
        assert_eq!("net:x.safetensors".parse(), Ok(net("x.safetensors", 64)));
        assert_eq!("net:a@b/x.safetensors".parse(), Ok(net("a@b/x.safetensors", 64)));
        assert_eq!("net:C:\\x@9".parse(), Ok(net("C:\\x", 9)));
    }

    #[test]
    fn an_engine_has_a_tenth_of_a_second_unless_told_otherwise() {
        let engine = |command: &str, limit| PlayerSpec::Engine {
            protocol: EngineProtocol::Uci,
            command: command.to_owned(),
            limit,
        };
        let tenth = Limit::Milliseconds(100);
        assert_eq!("uci:x".parse(), Ok(engine("x", tenth)));
        assert_eq!("uci:x a@b".parse(), Ok(engine("x a@b", tenth)));
        assert_eq!("uci:x@ms".parse(), Ok(engine("x@ms", tenth)));
        assert_eq!("uci:x@7@8nodes".parse(), Ok(engine("x@7", Limit::Nodes(8))));
        let refused = |text: &str| {
            let spec: PlayerSpec = text.parse().unwrap();
            spec.check(&Game::all()[0]).unwrap_err().to_string()
        };
        assert_eq!(
            refused("uci:x@7"),
            "player `uci:x@7`: engines count no simulations: give it a time, such as 100ms"
        );
        assert_eq!(
            refused("xboard:x@7nodes"),
            "player `xboard:x@7nodes`: its protocol counts no nodes: give it a time, such as 100ms"
        );
    }

    #[test]
    fn games_with_very_many_moves_are_searched_one_move_deep() {
        for game in Game::all() {
            let moves = moves_at_start(game);
            assert_eq!(moves, game.start().moves().unwrap().len(), "{}", game.id);
            let check = |depth| PlayerSpec::AlphaBeta { depth }.check(game);
            assert_eq!(check(1), Ok(()));
            assert_eq!(check(2).is_ok(), moves <= MOST_MOVES, "{}: {moves} moves", game.id);
            let message = check(20).map_err(|error| error.to_string());
            let expected = format!(
                "player `alphabeta:20`: {} starts with {moves} moves, too many to look more than 1 \
                 move ahead",
                game.id
            );
            assert!(message == Ok(()) || message == Err(expected));
        }
    }

    #[test]
    fn errors_are_one_sentence_that_names_the_fault() {
        let error = |text: &str| text.parse::<PlayerSpec>().unwrap_err().to_string();
        let players = "the players are random, greedy, alphabeta:DEPTH, mcts:SIMS, \
                       net:PATH[@SIMS], uci:COMMAND and xboard:COMMAND";
        assert_eq!(error("stockfish"), format!("unknown player `stockfish`: {players}"));
        assert_eq!(error("random:3"), format!("unknown player `random:3`: {players}"));
        assert_eq!(error(""), format!("unknown player ``: {players}"));
        let expected = "expected a depth in moves from 1 to 20, found";
        assert_eq!(error("alphabeta:x"), format!("player `alphabeta:x`: {expected} `x`"));
        assert_eq!(error("alphabeta"), format!("player `alphabeta`: {expected} ``"));
        assert_eq!(error("alphabeta:21"), format!("player `alphabeta:21`: {expected} `21`"));
        let expected = "expected simulations from 1 to 1000000, found";
        assert_eq!(error("mcts:0"), format!("player `mcts:0`: {expected} `0`"));
        assert_eq!(error("net:x@80O"), format!("player `net:x@80O`: {expected} `80O`"));
        assert_eq!(
            error("net:x@0ms"),
            "player `net:x@0ms`: expected milliseconds from 1 to 3600000, found `0ms`"
        );
        let expected = "expected a temperature from 0 to 100, found";
        assert_eq!(error("net:x@8,t=hot"), format!("player `net:x@8,t=hot`: {expected} `hot`"));
        assert_eq!(error("net:x,t=-1"), format!("player `net:x,t=-1`: {expected} `-1`"));
        assert_eq!(
            error("net:@5"),
            "player `net:@5` names no checkpoint: expected net:PATH or net:PATH@SIMS"
        );
        for text in ["uci", "uci:", "xboard: ", "uci:@50ms", "uci:'' x", "uci:a 'b"] {
            let expected = format!(
                "player `{text}` names no program: expected a command, quoted as for a shell"
            );
            assert_eq!(error(text), expected);
        }
        assert_eq!(
            error("uci:x@0nodes"),
            "player `uci:x@0nodes`: expected nodes from 1 to 1000000, found `0nodes`"
        );
    }
}
