//! [`Command`]: a line of a user interface, understood.

use super::clock::Setting;

/// What a line asks for.
#[derive(Debug, PartialEq)]
pub(super) enum Command {
    Introduce,
    New,
    Variant(String),
    SetBoard(String),
    Force,
    Go,
    PlayOther,
    Move(String),
    MoveNow,
    Undo,
    Remove,
    /// The game is over for the user interface.
    Result,
    Analyze,
    Exit,
    Hint,
    Ping(String),
    Clock(Setting),
    Ponder(bool),
    Post(bool),
    SetOption {
        name: String,
        value: String,
    },
    /// The piece on this cell is picked up.
    Lift(String),
    /// The piece that was picked up is about to be put on this cell.
    Put(String),
    Quit,
    /// Nothing: an empty line, or one that changes nothing here.
    Nothing,
}

/// Longer times, in milliseconds, are as good as this one: thirty years.
const LONGEST: f64 = 1e12;

impl Command {
    /// Reads a line.
    ///
    /// # Errors
    /// What is wrong with it, in a few words.
    pub(super) fn read(line: &str) -> Result<Self, String> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim_ascii();
        let text = || rest.to_owned();
        match word {
            "protover" => Ok(Self::Introduce),
            "new" => Ok(Self::New),
            "variant" => Ok(Self::Variant(text())),
            "setboard" => Ok(Self::SetBoard(text())),
            "force" => Ok(Self::Force),
            "go" => Ok(Self::Go),
            "playother" => Ok(Self::PlayOther),
            "usermove" => Ok(Self::Move(text())),
            "?" => Ok(Self::MoveNow),
            "undo" => Ok(Self::Undo),
            "remove" => Ok(Self::Remove),
            "result" => Ok(Self::Result),
            "analyze" => Ok(Self::Analyze),
            "exit" => Ok(Self::Exit),
            "hint" => Ok(Self::Hint),
            "ping" => Ok(Self::Ping(text())),
            "hard" => Ok(Self::Ponder(true)),
            "easy" => Ok(Self::Ponder(false)),
            "post" => Ok(Self::Post(true)),
            "nopost" => Ok(Self::Post(false)),
            "memory" => Ok(Self::SetOption { name: "Hash".to_owned(), value: text() }),
            "cores" => Ok(Self::SetOption { name: "Threads".to_owned(), value: text() }),
            "option" => read_option(rest),
            "level" => read_level(rest).map(Self::Clock),
            "st" => Ok(Self::Clock(Setting::MoveTime(seconds(rest)?))),
            "sd" => Ok(Self::Clock(Setting::Depth(number(rest)?))),
            "nps" => Ok(Self::Clock(Setting::NodeRate(number(rest)?))),
            "time" => Ok(Self::Clock(Setting::Left(milliseconds(rest, 10.0)?))),
            "lift" => Ok(Self::Lift(text())),
            "put" => Ok(Self::Put(text())),
            "quit" => Ok(Self::Quit),
            // The clock of the opponent, what is known of him and what he offers are not looked at,
            // nor the cells that he points to; there is no book and nothing to be chosen at random.
            "" | "." | "accepted" | "bk" | "computer" | "draw" | "hover" | "ics" | "name"
            | "otim" | "random" | "rating" | "rejected" | "xboard" => Ok(Self::Nothing),
            _ => Err("unknown command".to_owned()),
        }
    }
}

fn read_option(text: &str) -> Result<Command, String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok(Command::SetOption { name: name.to_owned(), value: value.to_owned() })
}

/// `MOVES MINUTES INCREMENT` or `MOVES MINUTES:SECONDS INCREMENT`; what stands behind the seconds is
/// about later sessions.
fn read_level(text: &str) -> Result<Setting, String> {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let &[moves, base, increment] = words.as_slice() else {
        return Err("expected moves, minutes and increment".to_owned());
    };
    let end = base.find(|c: char| !c.is_ascii_digit() && c != ':').unwrap_or(base.len());
    let (minutes, rest) = base[..end].split_once(':').unwrap_or((&base[..end], "0"));
    let base = milliseconds(minutes, 60_000.0)? + seconds(rest)?;
    Ok(Setting::Level { moves: number(moves)?, base, increment: seconds(increment)? })
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("expected a whole number, found `{text}`"))
}

/// Milliseconds of `text` seconds.
fn seconds(text: &str) -> Result<u64, String> {
    milliseconds(text, 1000.0)
}

/// Milliseconds of `text` units; clocks may have run out.
fn milliseconds(text: &str, unit: f64) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    let number = number.ok_or_else(|| format!("expected a number, found `{text}`"))?;
    Ok((number * unit).round().clamp(0.0, LONGEST) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_moves_minutes_seconds_and_increments() {
        let level =
            |moves, base, increment| Ok(Command::Clock(Setting::Level { moves, base, increment }));
        assert_eq!(Command::read("level 40 5 0"), level(40, 300_000, 0));
        assert_eq!(Command::read("level 0 0:30 12"), level(0, 30_000, 12_000));
        assert_eq!(Command::read("level 40 25+5 0"), level(40, 1_500_000, 0));
        assert_eq!(Command::read("level 1 0:01 0.25"), level(1, 1000, 250));
        assert_eq!(Command::read("level 0 99999999999999 0"), level(0, LONGEST as u64, 0));
        for line in ["level", "level 40 5", "level x 5 0", "level 40 : 0", "level 0 5 inf"] {
            assert!(Command::read(line).is_err(), "{line}");
        }
    }

    #[test]
    fn times_are_seconds_or_hundredths() {
        let clock = |line: &str| match Command::read(line) {
            Ok(Command::Clock(setting)) => setting,
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(clock("st 3"), Setting::MoveTime(3000));
        assert_eq!(clock("st 0.05"), Setting::MoveTime(50));
        assert_eq!(clock("time 1234"), Setting::Left(12_340));
        assert_eq!(clock("time -7"), Setting::Left(0));
        assert_eq!(clock("sd 6"), Setting::Depth(6));
        assert_eq!(clock("nps 500"), Setting::NodeRate(500));
        let problem = |line: &str| Command::read(line).unwrap_err();
        assert_eq!(problem("sd deep"), "expected a whole number, found `deep`");
        assert_eq!(problem("st "), "expected a number, found ``");
        assert_eq!(problem("time NaN"), "expected a number, found `NaN`");
    }

    #[test]
    fn options_have_names_and_values_with_blanks() {
        let option = |name: &str, value: &str| {
            Ok(Command::SetOption { name: name.to_owned(), value: value.to_owned() })
        };
        assert_eq!(Command::read("option Net=a b=c.x"), option("Net", "a b=c.x"));
        assert_eq!(Command::read("option Net="), option("Net", ""));
        assert_eq!(Command::read("cores 4"), option("Threads", "4"));
        assert_eq!(Command::read("option Net"), Err("expected NAME=VALUE".to_owned()));
        assert_eq!(Command::read("e2e4"), Err("unknown command".to_owned()));
    }
}
