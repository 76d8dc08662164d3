//! [`Command`]: what one can say at the board.

use games::{Move, Position};

/// What the player wants.
#[derive(Debug)]
pub(super) enum Command<'t> {
    Play(Move),
    /// List the legal moves, or those from the cell of this name.
    Moves(Option<&'t str>),
    /// Say what the adviser thinks, after so many simulations.
    Hint(Option<u32>),
    /// Show the chances below each board, or stop that.
    Eval(bool),
    Undo,
    Redo,
    Swap,
    Board,
    Fen,
    /// Write the game into this file.
    Save(&'t str),
    /// Go on with the game in this file.
    Load(&'t str),
    Resign,
    Help,
    Quit,
}

/// A command as `help` explains it.
struct Entry {
    name: &'static str,
    argument: &'static str,
    what: &'static str,
}

const fn entry(name: &'static str, argument: &'static str, what: &'static str) -> Entry {
    Entry { name, argument, what }
}

const COMMANDS: [Entry; 14] = [
    entry("moves", "[CELL]", "the legal moves, or those of the piece on that cell"),
    entry("hint", "[SIMS]", "the best moves, as the network sees them (or random rollouts)"),
    entry("eval", "on|off", "the chances of both sides below each board"),
    entry("undo", "", "take your last move back, and the answer to it"),
    entry("redo", "", "play again what was taken back"),
    entry("swap", "", "change sides with your opponent"),
    entry("board", "", "draw the board"),
    entry("fen", "", "the position as text"),
    entry("save", "FILE", "write the game into a file"),
    entry("load", "FILE", "go on with the game in a file"),
    entry("resign", "", "give up"),
    entry("help", "", "this list"),
    entry("quit", "", "leave"),
    entry("exit", "", "leave"),
];

/// Moves and commands that a word might mean, that are told of.
const TOLD: usize = 12;

/// The most simulations of a hint.
const MOST_SIMULATIONS: u32 = 1_000_000;

/// All commands, in lines.
pub(super) fn help() -> String {
    let mut text =
        "A MOVE         play it; its beginning is enough if no other begins so\n".to_owned();
    for Entry { name, argument, what } in &COMMANDS {
        let usage = format!("{name} {argument}");
        text.push_str(&format!("{usage:<15}{what}\n"));
    }
    text
}

impl<'t> Command<'t> {
    /// What `line`, which is not empty, means in `position`: a command or a move, or the beginning
    /// of a single one of them.
    ///
    /// # Errors
    /// In one sentence, why it means nothing.
    pub(super) fn read(line: &'t str, position: &Position) -> Result<Self, String> {
        let (word, argument) = match line.split_once(char::is_whitespace) {
            Some((word, argument)) => (word, argument.trim()),
            None => (line, ""),
        };
        let unknown = || Err(format!("`{line}` is neither a move nor a command; try `help`"));
        match beginning(word)[..] {
            // No name begins with another one.
            [name] if name == word || !argument.is_empty() => return Self::named(name, argument),
            _ if !argument.is_empty() => return unknown(),
            _ => {}
        }
        let illegal = match position.parse_move(word) {
            Ok(chosen) => return Ok(Self::Play(chosen)),
            Err(error) => error,
        };
        let names = beginning(word);
        let moves = position.move_texts_beginning(word).map_err(|error| error.to_string())?;
        match (&names[..], &moves[..]) {
            // The name of every cell has a digit.
            ([], []) if word.contains(|c: char| c.is_ascii_digit()) => Err(illegal.to_string()),
            ([], []) => unknown(),
            ([name], []) => Self::named(name, argument),
            ([], [only]) => {
                position.parse_move(only).map(Self::Play).map_err(|error| error.to_string())
            }
            (names, moves) => {
                let meant: Vec<&str> =
                    names.iter().copied().chain(moves.iter().map(String::as_str)).collect();
                let more = meant.len().saturating_sub(TOLD);
                let told = meant[..meant.len() - more].join(", ");
                let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
                Err(format!("`{word}` may be {told}{rest}"))
            }
        }
    }

    /// The command called `name`, which there is.
    fn named(name: &'static str, argument: &'t str) -> Result<Self, String> {
        let bare = argument.is_empty();
        match name {
            "moves" => Ok(Self::Moves((!bare).then_some(argument))),
            "hint" if bare => Ok(Self::Hint(None)),
            "hint" => match argument.parse() {
                Ok(number) if (1..=MOST_SIMULATIONS).contains(&number) => {
                    Ok(Self::Hint(Some(number)))
                }
                _ => Err(format!(
                    "expected simulations from 1 to {MOST_SIMULATIONS}, found `{argument}`"
                )),
            },
            "eval" if argument == "on" => Ok(Self::Eval(true)),
            "eval" if argument == "off" => Ok(Self::Eval(false)),
            "save" if !bare => Ok(Self::Save(argument)),
            "load" if !bare => Ok(Self::Load(argument)),
            "undo" if bare => Ok(Self::Undo),
            "redo" if bare => Ok(Self::Redo),
            "swap" if bare => Ok(Self::Swap),
            "board" if bare => Ok(Self::Board),
            "fen" if bare => Ok(Self::Fen),
            "resign" if bare => Ok(Self::Resign),
            "help" if bare => Ok(Self::Help),
            "quit" | "exit" if bare => Ok(Self::Quit),
            _ => {
                let usage = COMMANDS.iter().find(|entry| entry.name == name);
                let argument = usage.map_or("", |entry| entry.argument);
                Err(format!("usage: {name} {argument}").trim_end().to_owned())
            }
        }
    }
}

/// The names of commands that begin with `word`.
pub(super) fn beginning(word: &str) -> Vec<&'static str> {
    COMMANDS.iter().map(|entry| entry.name).filter(|name| name.starts_with(word)).collect()
}

#[cfg(test)]
mod tests {
    use games::Game;

    use super::*;

    fn read(line: &str) -> Result<String, String> {
        let start = Game::by_id("chess").unwrap().start();
        Command::read(line, &start).map(|command| match command {
            Command::Play(chosen) => start.move_text(&chosen),
            command => format!("{command:?}"),
        })
    }

    #[test]
    fn moves_and_commands_may_be_cut_short() {
        for (line, meant) in [
            ("e2e4", "e2e4"),
            ("g1f", "g1f3"),
            ("hi", "Hint(None)"),
            ("hi 20", "Hint(Some(20))"),
            ("hint  20", "Hint(Some(20))"),
            ("moves e2", "Moves(Some(\"e2\"))"),
            ("eval off", "Eval(false)"),
            ("sa a file", "Save(\"a file\")"),
            ("q", "Quit"),
        ] {
            assert_eq!(read(line).as_deref(), Ok(meant), "{line}");
        }
    }

    #[test]
    fn what_is_no_command_is_told_in_one_sentence() {
        for (line, problem) in [
            ("e2", "`e2` may be e2e3, e2e4"),
            ("re", "`re` may be redo, resign"),
            ("b", "`b` may be board, b1a3, b1c3, b2b3, b2b4"),
            ("foo", "`foo` is neither a move nor a command; try `help`"),
            ("e2 e4", "`e2 e4` is neither a move nor a command; try `help`"),
            ("hint x", "expected simulations from 1 to 1000000, found `x`"),
            ("eval", "usage: eval on|off"),
            ("load", "usage: load FILE"),
            ("undo 3", "usage: undo"),
        ] {
            assert_eq!(read(line), Err(problem.to_owned()), "{line}");
        }
        assert!(
            read("e2e5").unwrap_err().starts_with("`e2e5` is not a legal move here: legal are")
        );
    }

    #[test]
    fn every_command_is_explained_and_none_begins_another() {
        let help = help();
        for Entry { name, argument, .. } in &COMMANDS {
            assert!(help.contains(&format!("\n{name} {argument}")), "{help}");
            assert_eq!(beginning(name), [*name]);
            let start = Game::by_id("chess").unwrap().start();
            let argument = argument.trim_matches(['[', ']']).split('|').next().unwrap_or_default();
            let argument = argument.replace("SIMS", "5");
            assert!(Command::read(format!("{name} {argument}").trim(), &start).is_ok(), "{name}");
        }
    }
}
