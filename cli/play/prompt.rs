//! [`Prompt`]: where the player's lines come from.

use std::cell::Cell;
use std::io::{self, BufRead as _, IsTerminal as _, Lines, StdinLock, Write};

use anyhow::Context as _;
use games::Position;
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Editor, Helper};

use super::command;

/// The lines that a player types, or a script.
pub(super) enum Prompt {
    /// A terminal, with a line editor.
    Terminal(Box<Editor<Completion, MemHistory>>),
    /// Anything else.
    Lines(Lines<StdinLock<'static>>),
}

impl Prompt {
    /// A line editor if both ends are a terminal.
    pub(super) fn new() -> anyhow::Result<Self> {
        if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
            return Ok(Self::Lines(io::stdin().lock().lines()));
        }
        let config = Config::builder().completion_type(CompletionType::List).build();
        let editor = Editor::with_history(config, MemHistory::new()).context("the terminal")?;
        Ok(Self::Terminal(Box::new(editor)))
    }

    /// The next line, typed in `position`; none at the end of the input, or if the player breaks
    /// off an empty line. Flushes `out` before it waits.
    pub(super) fn ask(
        &mut self,
        position: &Position,
        out: &mut dyn Write,
    ) -> anyhow::Result<Option<String>> {
        out.flush()?;
        let editor = match self {
            Self::Lines(lines) => return lines.next().transpose().context("standard input"),
            Self::Terminal(editor) => editor,
        };
        loop {
            editor.set_helper(Some(Completion::new(position)));
            match editor.readline("> ") {
                Ok(line) => {
                    editor.add_history_entry(&line).context("the terminal")?;
                    return Ok(Some(line));
                }
                Err(ReadlineError::Interrupted)
                    if editor.helper().is_some_and(Completion::has_text) => {}
                Err(ReadlineError::Eof | ReadlineError::Interrupted) => return Ok(None),
                Err(error) => return Err(error).context("the terminal"),
            }
        }
    }
}

/// Completes what has been typed in a position.
pub(super) struct Completion {
    position: Position,
    /// Whether something has been typed.
    has_text: Cell<bool>,
}

impl Completion {
    fn new(position: &Position) -> Self {
        Self { position: position.clone(), has_text: Cell::new(false) }
    }

    fn has_text(&self) -> bool {
        self.has_text.get()
    }

    /// Where the word that ends at `at` begins in `line`, and all that it may become.
    fn of(&self, line: &str, at: usize) -> (usize, Vec<String>) {
        let typed = &line[..at];
        let begin = typed.rfind(char::is_whitespace).map_or(0, |last| last + 1);
        let (before, word) = (typed[..begin].trim(), &typed[begin..]);
        let from = |all: &mut dyn Iterator<Item = &str>| -> Vec<String> {
            all.filter(|text| text.starts_with(word)).map(str::to_owned).collect()
        };
        let candidates = match before {
            "" => {
                let mut all = from(&mut command::beginning(word).into_iter());
                // Too many to be listed are none.
                all.extend(self.position.move_texts_beginning(word).unwrap_or_default());
                all
            }
            "moves" => {
                let geometry = &self.position.game().geometry;
                from(&mut geometry.cells().map(|cell| geometry.name(cell)))
            }
            "eval" => from(&mut ["on", "off"].into_iter()),
            _ => Vec::new(),
        };
        (begin, candidates)
    }
}

impl Completer for Completion {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        at: usize,
        context: &rustyline::Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        if line.starts_with("save ") || line.starts_with("load ") {
            return FilenameCompleter::new().complete(line, at, context);
        }
        let (begin, candidates) = self.of(line, at);
        let pair = |text: String| Pair { display: text.clone(), replacement: text };
        Ok((begin, candidates.into_iter().map(pair).collect()))
    }
}

/// There are no hints, but whoever gives them is shown the line whenever it changes.
impl Hinter for Completion {
    type Hint = String;

    fn hint(&self, line: &str, _: usize, _: &rustyline::Context<'_>) -> Option<String> {
        self.has_text.set(!line.is_empty());
        None
    }
}

impl Highlighter for Completion {}

impl Validator for Completion {}

impl Helper for Completion {}

#[cfg(test)]
mod tests {
    use games::Game;

    use super::*;

    #[test]
    fn moves_commands_and_cells_are_completed() {
        let completion = Completion::new(&Game::by_id("chess").unwrap().start());
        for (line, begin, words) in [
            ("g1", 0, "g1f3 g1h3"),
            ("re", 0, "redo resign"),
            ("moves h", 6, "h1 h2 h3 h4 h5 h6 h7 h8"),
            ("eval o", 5, "on off"),
            ("e2 e", 3, ""),
        ] {
            let (at, found) = completion.of(line, line.len());
            let mut words: Vec<&str> = words.split_whitespace().collect();
            let mut found: Vec<&str> = found.iter().map(String::as_str).collect();
            words.sort_unstable();
            found.sort_unstable();
            assert_eq!((at, found), (begin, words), "{line}");
        }
    }
}
