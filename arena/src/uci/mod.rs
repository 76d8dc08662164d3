//! [`serve_uci`]: the engine as other programs talk to it, in UCI with `UCI_Variant`, or in UGI.
//!
//! What a user has to know is in `docs/uci.md`, how lines and searches go together in
//! `engine/talk.rs`.

mod command;
mod report;

use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;

use games::{Dialect, Game, History, Outcome, Side, State as _};

use crate::engine::{
    Described, EMPTY, EngineOptions, Event, Kind, Notation, Order, Talk, Told, Touched, searchable,
};
use crate::{Line, NetLoader};
use command::{Command, Go, Query};
use report::Style;

/// Plays the engine: obeys the lines of `input` and writes answers to `out`, until `quit` or the end
/// of the input. Then a search with bounds is ended by them, any other one at once.
///
/// # Errors
/// If `out` cannot be written to.
pub fn serve_uci(
    input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
    nets: &dyn NetLoader,
    options: EngineOptions,
) -> io::Result<()> {
    let session = Session {
        line: Some(Line::new(options.game.start())),
        talk: Talk::begin(input, nets, options),
        thinking: None,
        notation: Notation::Of(Dialect::Uci),
        out,
    };
    session.serve()
}

/// A search under way.
#[derive(Debug, Clone, Copy)]
struct Thinking {
    /// Whether it only ends when it is told to.
    endless: bool,
    pondering: bool,
    /// Whether there is nothing to search: the answer, that there is none, waits for its time.
    idle: bool,
}

/// A talk with a user interface.
struct Session<'a> {
    talk: Talk<'a>,
    thinking: Option<Thinking>,
    notation: Notation,
    /// The game; none after a position that could not be understood.
    line: Option<Line>,
    out: &'a mut dyn Write,
}

impl Session<'_> {
    fn serve(mut self) -> io::Result<()> {
        let mut ended = false;
        loop {
            self.out.flush()?;
            match self.talk.next()? {
                Event::Line(line) => {
                    if self.obey(&line)?.is_break() {
                        return self.out.flush();
                    }
                }
                Event::Told(told) => self.tell(told)?,
                Event::End => {
                    ended = true;
                    if self.thinking.is_some_and(|search| search.endless || search.pondering) {
                        self.stop()?;
                    }
                }
            }
            if ended && self.thinking.is_none() && !self.talk.has_kept_lines() {
                return self.out.flush();
            }
        }
    }

    /// Ends the search under way, if there is one: its answer comes at once.
    fn stop(&mut self) -> io::Result<()> {
        match self.thinking {
            Some(Thinking { idle: true, .. }) => self.answer_none()?,
            Some(_) => self.talk.engine.stop(),
            None => {}
        }
        Ok(())
    }

    /// Answers that there is no move.
    fn answer_none(&mut self) -> io::Result<()> {
        self.thinking = None;
        writeln!(self.out, "bestmove (none)")
    }

    /// Ends the search under way and passes its answer on.
    fn settle(&mut self) -> io::Result<()> {
        self.stop()?;
        while self.thinking.is_some() {
            let told = self.talk.next_told()?;
            self.tell(told)?;
        }
        Ok(())
    }

    fn obey(&mut self, line: &str) -> io::Result<ControlFlow<()>> {
        match Command::read(line) {
            Err(problem) => self.inform(&problem)?,
            Ok(Command::Nothing) => {}
            Ok(Command::Introduce { ugi }) => self.introduce(ugi)?,
            Ok(Command::IsReady) => {
                if self.thinking.is_none() {
                    self.prepare()?;
                }
                writeln!(self.out, "readyok")?;
            }
            Ok(Command::NewGame) => {
                self.settle()?;
                self.talk.engine.forget();
                self.line = Some(Line::new(self.talk.options().game.start()));
            }
            Ok(Command::SetOption { name, value }) => {
                self.settle()?;
                self.set_option(&name, &value)?;
            }
            Ok(Command::Position { fen, moves }) => {
                self.settle()?;
                self.line = match self.read_line(fen.as_deref(), &moves) {
                    Ok(line) => Some(line),
                    Err(problem) => {
                        self.inform(&format!("position: {problem}"))?;
                        None
                    }
                };
            }
            Ok(Command::Go(go)) => {
                self.settle()?;
                self.go(&go)?;
            }
            Ok(Command::Stop) => self.stop()?,
            Ok(Command::PonderHit) => match &mut self.thinking {
                Some(search) if search.pondering => {
                    search.pondering = false;
                    match *search {
                        Thinking { idle: false, .. } => self.talk.engine.ponder_hit(),
                        Thinking { endless: false, .. } => self.answer_none()?,
                        Thinking { .. } => {}
                    }
                }
                _ => self.inform("ponderhit: nothing is pondered on")?,
            },
            Ok(Command::Query(query)) => self.answer(&query)?,
            Ok(Command::Quit) => {
                self.settle()?;
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Says something that is for people.
    fn inform(&mut self, sentence: &str) -> io::Result<()> {
        // A line break would begin another command.
        let words: Vec<&str> = sentence.split_whitespace().collect();
        writeln!(self.out, "info string {}", words.join(" "))
    }

    fn introduce(&mut self, ugi: bool) -> io::Result<()> {
        self.notation = if ugi { Notation::Own } else { Notation::Of(Dialect::Uci) };
        writeln!(self.out, "id name raja {}", env!("CARGO_PKG_VERSION"))?;
        writeln!(self.out, "id author the authors of raja")?;
        for option in self.talk.options().described() {
            writeln!(self.out, "{}", introduction(&option))?;
        }
        writeln!(self.out, "{}", if ugi { "ugiok" } else { "uciok" })
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        match self.talk.set(name, value) {
            Err(problem) => self.inform(&problem),
            Ok(Touched::Manners | Touched::Engine) => Ok(()),
            Ok(Touched::Game) => {
                let game = self.talk.options().game;
                let (Game { id, title, .. }, start) = (game, game.start());
                self.inform(&format!(
                    "variant {id} ({title}) startpos {}",
                    self.notation.fen(&start)
                ))?;
                self.line = Some(Line::new(start));
                Ok(())
            }
        }
    }

    /// Gets the engine ready for its next search.
    fn prepare(&mut self) -> io::Result<()> {
        match self.talk.prepare() {
            Ok(()) => Ok(()),
            Err(problem) => self.inform(&problem),
        }
    }

    fn read_line(&self, fen: Option<&str>, moves: &[String]) -> Result<Line, String> {
        let game = self.talk.options().game;
        let start = match fen {
            Some(fen) => self.notation.parse_fen(game, fen).map_err(|error| error.to_string())?,
            None => game.start(),
        };
        let mut line = Line::new(start);
        for text in moves {
            let chosen = self.notation.parse_move(line.state().position(), text);
            line.play(chosen.map_err(|error| error.to_string())?);
        }
        Ok(line)
    }

    fn go(&mut self, go: &Go) -> io::Result<()> {
        for complaint in &go.complaints {
            self.inform(complaint)?;
        }
        let line = match &self.line {
            None => Err("go: there is no position".to_owned()),
            Some(line) => searchable(line).map_err(|end| format!("go: the game is over: {end}")),
        };
        let line = match line {
            Ok(line) => line,
            Err(problem) => {
                self.inform(&problem)?;
                let Go { infinite: endless, ponder: pondering, .. } = *go;
                if !endless && !pondering {
                    return self.answer_none();
                }
                self.thinking = Some(Thinking { endless, pondering, idle: true });
                return Ok(());
            }
        };
        self.prepare()?;
        let options = self.talk.options();
        let bounds = go.bounds(line.state().side_to_move().index(), options);
        let order = Order {
            bounds,
            pondering: go.ponder,
            lines: options.multi_pv as usize,
            all_lines_at_the_end: options.verbose,
        };
        self.talk.engine.go(&line, order);
        let endless = bounds.is_endless();
        self.thinking = Some(Thinking { endless, pondering: go.ponder, idle: false });
        Ok(())
    }

    fn tell(&mut self, told: Told) -> io::Result<()> {
        match told {
            Told::Trouble(error) => self.inform(&error.to_string())?,
            Told::Full => self.inform("the search tree is full")?,
            Told::Report(report) => {
                let line = self.line.as_ref().expect("what is searched is a position");
                let options = self.talk.options();
                let style = Style {
                    notation: self.notation,
                    multi_pv: options.multi_pv as usize,
                    show_wdl: options.show_wdl,
                    verbose: options.verbose,
                };
                for text in report::lines(&report, line.state().position(), style) {
                    writeln!(self.out, "{text}")?;
                }
            }
            Told::Best { chosen, ponder } => {
                self.thinking = None;
                let line = self.line.as_ref().expect("what was searched is a position");
                let moves: Vec<_> = std::iter::once(chosen).chain(ponder).collect();
                let texts = self.notation.line(line.state().position(), &moves);
                writeln!(self.out, "bestmove {}", texts.join(" ponder "))?;
            }
        }
        self.out.flush()
    }

    /// Answers a question of UGI.
    fn answer(&mut self, query: &Query) -> io::Result<()> {
        let Some(line) = &self.line else {
            self.inform("query: there is no position")?;
            return writeln!(self.out, "response none");
        };
        let state = line.state();
        let over = state.end().is_some();
        let response = match query {
            Query::GameOver => over.to_string(),
            Query::FirstPlayersTurn => (state.side_to_move() == Side::White).to_string(),
            Query::Result => result(state).to_owned(),
            Query::Fen => self.notation.fen(state.position()),
            Query::IsLegal(text) => {
                (!over && self.notation.parse_move(state.position(), text).is_ok()).to_string()
            }
            Query::LegalMoves if over => String::new(),
            Query::LegalMoves => match state.position().moves() {
                Ok(moves) => {
                    let write = |chosen| self.notation.move_text(state.position(), chosen);
                    let mut texts: Vec<String> = moves.iter().map(write).collect();
                    texts.sort_unstable();
                    texts.join(" ")
                }
                Err(error) => {
                    self.inform(&format!("query: {error}"))?;
                    "none".to_owned()
                }
            },
        };
        writeln!(self.out, "{}", format!("response {response}").trim_end())
    }
}

/// The line that introduces an option; what it is set to now is its default.
fn introduction(option: &Described) -> String {
    let Described { name, value, kind } = option;
    let is = match kind {
        Kind::Choice(_) => "combo",
        Kind::File => "string",
        Kind::Number { .. } => "spin",
        Kind::Check => "check",
    };
    let default = if value.is_empty() { EMPTY } else { value };
    let mut line = format!("option name {name} type {is} default {default}");
    match kind {
        Kind::Choice(values) => values.iter().for_each(|v| line.push_str(&format!(" var {v}"))),
        Kind::Number { least, most } => line.push_str(&format!(" min {least} max {most}")),
        Kind::File | Kind::Check => {}
    }
    line
}

/// The result as UGI writes it.
fn result(state: &History) -> &'static str {
    match state.end().map(|end| end.outcome) {
        Some(Outcome::Win(Side::White)) => "p1win",
        Some(Outcome::Win(Side::Black)) => "p2win",
        Some(Outcome::Draw) => "draw",
        None => "none",
    }
}
