//! [`Command`]: a line of UCI or UGI, understood.

use crate::engine::{Bounds, Budget, EngineOptions};

/// What a line asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// `uci`, or `ugi` in that dialect.
    Introduce {
        ugi: bool,
    },
    IsReady,
    NewGame,
    SetOption {
        name: String,
        value: String,
    },
    /// The start, none for that of the game, and the moves from there.
    Position {
        fen: Option<String>,
        moves: Vec<String>,
    },
    Go(Go),
    Stop,
    PonderHit,
    Query(Query),
    Quit,
    /// Nothing: an empty line, or one that is for engines of another kind.
    Nothing,
}

/// A question of UGI.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Query {
    GameOver,
    FirstPlayersTurn,
    Result,
    Fen,
    LegalMoves,
    IsLegal(String),
}

/// What `go` says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    /// Milliseconds left for White and Black.
    clock: [Option<u64>; 2],
    /// Milliseconds that each move adds.
    increment: [u64; 2],
    /// What is the same for both.
    common: Budget,
    pub(super) infinite: bool,
    pub(super) ponder: bool,
    /// What has to be said about words that cannot be honoured.
    pub(super) complaints: Vec<String>,
}

impl Command {
    /// Reads a line.
    ///
    /// # Errors
    /// What is wrong with it, in one sentence.
    pub(super) fn read(line: &str) -> Result<Self, String> {
        let mut words = line.split_ascii_whitespace();
        let Some(first) = words.next() else { return Ok(Self::Nothing) };
        match first {
            "uci" => Ok(Self::Introduce { ugi: false }),
            "ugi" => Ok(Self::Introduce { ugi: true }),
            "isready" => Ok(Self::IsReady),
            "ucinewgame" | "uginewgame" => Ok(Self::NewGame),
            "setoption" => read_option(words),
            "position" => read_position(words),
            "go" => Ok(Self::Go(Go::read(words))),
            "stop" => Ok(Self::Stop),
            "ponderhit" => Ok(Self::PonderHit),
            "query" => read_query(words).map(Self::Query),
            "quit" => Ok(Self::Quit),
            // Nothing is told to debuggers, and nobody has to register.
            "debug" | "register" => Ok(Self::Nothing),
            _ => Err(format!("`{first}` is no command of UCI or UGI")),
        }
    }
}

fn read_option<'w>(words: impl Iterator<Item = &'w str>) -> Result<Command, String> {
    let words: Vec<&str> = words.collect();
    let ["name", rest @ ..] = words.as_slice() else {
        return Err("setoption: expected `name`".to_owned());
    };
    let split = rest.iter().position(|&word| word == "value").unwrap_or(rest.len());
    let (name, value) = (rest[..split].join(" "), rest.get(split + 1..).unwrap_or_default());
    if name.is_empty() {
        return Err("setoption: expected a name".to_owned());
    }
    Ok(Command::SetOption { name, value: value.join(" ") })
}

fn read_position<'w>(words: impl Iterator<Item = &'w str>) -> Result<Command, String> {
    let words: Vec<&str> = words.collect();
    let split = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let moves = words.get(split + 1..).unwrap_or_default();
    let fen = match &words[..split] {
        ["startpos"] => None,
        ["fen", fields @ ..] if !fields.is_empty() => Some(fields.join(" ")),
        _ => return Err("position: expected `startpos` or `fen` and a position".to_owned()),
    };
    Ok(Command::Position { fen, moves: moves.iter().map(|&text| text.to_owned()).collect() })
}

fn read_query<'w>(mut words: impl Iterator<Item = &'w str>) -> Result<Query, String> {
    const KNOWN: &str = "gameover, p1turn, result, fen, legalmoves and islegal MOVE";
    match (words.next(), words.next()) {
        (Some("gameover"), None) => Ok(Query::GameOver),
        (Some("p1turn"), None) => Ok(Query::FirstPlayersTurn),
        (Some("result"), None) => Ok(Query::Result),
        (Some("fen"), None) => Ok(Query::Fen),
        (Some("legalmoves"), None) => Ok(Query::LegalMoves),
        (Some("islegal"), Some(text)) => Ok(Query::IsLegal(text.to_owned())),
        _ => Err(format!("query: the questions are {KNOWN}")),
    }
}

impl Go {
    /// The words that have a number behind them.
    const NUMBERS: [&str; 12] = [
        "wtime",
        "btime",
        "winc",
        "binc",
        "p1time",
        "p2time",
        "p1inc",
        "p2inc",
        "movestogo",
        "movetime",
        "nodes",
        "depth",
    ];

    /// Whether a word of `go` begins something else than the one before it.
    fn is_known(word: &str) -> bool {
        Self::NUMBERS.contains(&word)
            || ["infinite", "ponder", "searchmoves", "mate"].contains(&word)
    }

    fn read<'w>(words: impl Iterator<Item = &'w str>) -> Self {
        let mut go = Self::default();
        let mut words = words.peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" | "mate" => {
                    go.complaints.push(format!("go: `{word}` is not known here and left out"));
                    // So is what follows about it: moves, or a number.
                    let most = if word == "mate" { 1 } else { usize::MAX };
                    let about_it = || words.next_if(|word| !Self::is_known(word));
                    std::iter::from_fn(about_it).take(most).for_each(drop);
                }
                word if Self::NUMBERS.contains(&word) => {
                    let next = words.next().unwrap_or_default();
                    match next.parse::<i64>() {
                        // Clocks may have run out.
                        Ok(number) => go.set(word, number.max(0).unsigned_abs()),
                        Err(_) => go.complaints.push(format!(
                            "go: expected a whole number after `{word}`, found `{next}`"
                        )),
                    }
                }
                _ => go.complaints.push(format!("go: `{word}` is not known")),
            }
        }
        go
    }

    fn set(&mut self, word: &str, number: u64) {
        match word {
            "wtime" | "p1time" => self.clock[0] = Some(number),
            "btime" | "p2time" => self.clock[1] = Some(number),
            "winc" | "p1inc" => self.increment[0] = number,
            "binc" | "p2inc" => self.increment[1] = number,
            "movestogo" => self.common.moves_to_go = Some(number),
            "movetime" => self.common.move_time = Some(number),
            "nodes" => self.common.nodes = Some(number),
            "depth" => self.common.depth = Some(number),
            _ => unreachable!("read() knows no other words"),
        }
    }

    /// What ends the search of the side with this index.
    pub(super) fn bounds(&self, side: usize, options: &EngineOptions) -> Bounds {
        if self.infinite {
            return Bounds::default();
        }
        let (clock, increment) = (self.clock[side], self.increment[side]);
        Budget { clock, increment, ..self.common }.bounds(options)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use games::Game;

    use super::*;

    fn go(line: &str) -> Go {
        match Command::read(line) {
            Ok(Command::Go(go)) => go,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn bounds(line: &str, side: usize, ponder: bool) -> Bounds {
        let options = EngineOptions { ponder, ..EngineOptions::new(&Game::all()[0]) };
        go(line).bounds(side, &options)
    }

    fn time(line: &str, side: usize) -> Option<u64> {
        bounds(line, side, false).time.map(|time| time.as_millis() as u64)
    }

    #[test]
    fn the_clock_is_divided() {
        assert_eq!(time("go wtime 60030 btime 1000", 0), Some(2000));
        assert_eq!(time("go wtime 60030 btime 1000 binc 100", 1), Some(970 / 30 + 75));
        assert_eq!(time("go p1time 60030 p2time 1 movestogo 10", 0), Some(6000));
        assert_eq!(time("go wtime 530 movestogo 1", 0), Some(500), "never more than is left");
        assert_eq!(time("go wtime 100 winc 5000", 0), Some(70));
        assert_eq!(time("go wtime -20 btime 5", 0), Some(1), "a clock that has run out");
        assert_eq!(time("go movetime 230", 1), Some(200));
        assert_eq!(time("go movetime 10 wtime 900000", 0), Some(1));
        assert_eq!(time("go wtime 1000 winc 9223372036854775807", 0), Some(970));
        assert_eq!(time("go wtime 1000", 1), None);
        let pondering = bounds("go wtime 60030", 0, true).time;
        assert_eq!(pondering, Some(Duration::from_millis(2500)));
    }

    #[test]
    fn bounds_are_what_was_said_else_the_usual_simulations() {
        let bounds = |line: &str| bounds(line, 0, false);
        assert_eq!(bounds("go").simulations, Some(64));
        assert_eq!(bounds("go ponder").simulations, Some(64));
        assert_eq!(bounds("go nodes 0").simulations, Some(1));
        assert_eq!(bounds("go nodes 99999999999").simulations, Some(u32::MAX));
        assert_eq!(bounds("go depth 5"), Bounds { plies: Some(5), ..Bounds::default() });
        assert!(bounds("go infinite").is_endless() && bounds("go infinite nodes 5").is_endless());
        assert!(!bounds("go movetime 5").is_endless());
    }

    #[test]
    fn what_cannot_be_honoured_is_told() {
        assert_eq!(go("go nodes 5").complaints, [""; 0]);
        let complaints = go("go nodes x turbo depth searchmoves e2e4 e2e3").complaints;
        let expected = [
            "go: expected a whole number after `nodes`, found `x`",
            "go: `turbo` is not known",
            "go: expected a whole number after `depth`, found `searchmoves`",
            "go: `e2e4` is not known",
            "go: `e2e3` is not known",
        ];
        assert_eq!(complaints, expected);
        for line in ["go searchmoves e2e4 d2d4 nodes 5", "go mate 3 nodes 5", "go nodes 5 mate"] {
            assert_eq!(go(line).complaints.len(), 1, "{line}");
            assert_eq!(bounds(line, 0, false).simulations, Some(5), "{line}");
        }
        assert!(bounds("go searchmoves e2e4 infinite", 0, false).is_endless());
        assert_eq!(go("go mate 3 4").complaints.len(), 2);
    }

    #[test]
    fn names_and_values_of_options_may_have_blanks() {
        let option = |name: &str, value: &str| {
            Ok(Command::SetOption { name: name.to_owned(), value: value.to_owned() })
        };
        assert_eq!(Command::read("setoption name Net value a b.x"), option("Net", "a b.x"));
        assert_eq!(Command::read(" setoption  name Clear Hash "), option("Clear Hash", ""));
        assert!(Command::read("setoption Net").is_err());
        assert!(Command::read("setoption name value 5").is_err());
    }

    #[test]
    fn positions_are_taken_apart() {
        let fen = |line: &str| match Command::read(line) {
            Ok(Command::Position { fen, .. }) => fen,
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(fen("position fen 8/8  w KQ - 0 1 moves a b").unwrap(), "8/8 w KQ - 0 1");
        assert_eq!(fen("position startpos moves a"), None);
        for line in ["position", "position fen", "position fen moves a", "position start"] {
            assert!(Command::read(line).is_err(), "{line}");
        }
    }
}
