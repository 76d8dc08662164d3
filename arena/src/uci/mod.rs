//! [`serve_uci`]: the engine as other programs talk to it, in UCI with `UCI_Variant`, or in UGI.
//!
//! What a user has to know is in `docs/uci.md`. A [`Session`] is the only one that writes: lines of
//! the user interface and what the search tells come to it in one queue. So every answer belongs to
//! its search: whatever changes the position or the engine ends the search first, and waits for its
//! answer.

mod command;
mod notation;
mod options;
mod report;

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use games::{Game, History, Outcome, Side, State as _, Step};
use search::EvaluatorSource;

use crate::engine::{Engine, EngineSettings, Judge, Order, Told};
use crate::{Line, NetLoader};
use command::{Command, Go, Query};
use notation::Notation;
use options::Touched;
pub use options::{UciOptions, UciSearch};
use report::Style;

/// What comes to a session.
enum Event {
    /// A line of the user interface.
    Line(String),
    /// There will be no more.
    End,
    /// Something the search has to say.
    Told(Told),
    /// The thread of the search has ended.
    SearchGone,
}

/// Sends what the search tells, and in the end that there will be nothing more.
struct Teller(Sender<Event>);

impl Drop for Teller {
    fn drop(&mut self) {
        let _ = self.0.send(Event::SearchGone);
    }
}

/// Plays the engine: obeys the lines of `input` and writes answers to `out`, until `quit` or the end
/// of the input. Then a search with bounds is ended by them, any other one at once.
///
/// # Errors
/// If `out` cannot be written to.
pub fn serve_uci(
    input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
    nets: &dyn NetLoader,
    options: UciOptions,
) -> io::Result<()> {
    let (sender, events) = channel();
    let teller = Teller(sender.clone());
    std::thread::spawn(move || read_lines(input, &sender));
    let session = Session {
        line: Some(Line::new(options.game.start())),
        options,
        nets,
        loaded: None,
        stale: true,
        engine: Engine::new(move |told| {
            // Nobody listens any more after `quit`.
            let _ = teller.0.send(Event::Told(told));
        }),
        thinking: None,
        notation: Notation::Uci,
        events,
        backlog: VecDeque::new(),
        out,
    };
    session.serve()
}

/// Sends the lines of `input`. What is no UTF-8 in them is replaced.
fn read_lines(mut input: impl BufRead, to: &Sender<Event>) {
    let mut bytes = Vec::new();
    // An input that fails has ended.
    while input.read_until(b'\n', &mut bytes).is_ok_and(|length| length > 0) {
        let line = String::from_utf8_lossy(&bytes).into_owned();
        bytes.clear();
        if to.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = to.send(Event::End);
}

/// A search under way.
#[derive(Debug, Clone, Copy)]
struct Thinking {
    /// Whether it only ends when it is told to.
    endless: bool,
    pondering: bool,
}

/// A talk with a user interface.
struct Session<'a> {
    options: UciOptions,
    nets: &'a dyn NetLoader,
    /// The network that was loaded last, and for what.
    loaded: Option<(&'static str, PathBuf, Arc<dyn EvaluatorSource>)>,
    /// Whether the engine has to be configured anew.
    stale: bool,
    engine: Engine,
    thinking: Option<Thinking>,
    notation: Notation,
    /// The game; none after a position that could not be understood.
    line: Option<Line>,
    events: Receiver<Event>,
    /// What has come while an answer was waited for.
    backlog: VecDeque<Event>,
    out: &'a mut dyn Write,
}

impl Session<'_> {
    fn serve(mut self) -> io::Result<()> {
        let mut ended = false;
        loop {
            self.out.flush()?;
            let event = match self.backlog.pop_front() {
                Some(event) => event,
                None => self.next_event()?,
            };
            match event {
                Event::Line(line) => {
                    if self.obey(&line)?.is_break() {
                        return self.out.flush();
                    }
                }
                Event::Told(told) => self.tell(told)?,
                Event::End => {
                    ended = true;
                    if self.thinking.is_some_and(|search| search.endless || search.pondering) {
                        self.engine.stop();
                    }
                }
                Event::SearchGone => return Err(io::Error::other("the search has failed")),
            }
            if ended && self.thinking.is_none() && self.backlog.is_empty() {
                return self.out.flush();
            }
        }
    }

    fn next_event(&self) -> io::Result<Event> {
        self.events.recv().map_err(|_| io::Error::other("the search has failed"))
    }

    /// Ends the search under way and passes its answer on.
    fn settle(&mut self) -> io::Result<()> {
        if self.thinking.is_some() {
            self.engine.stop();
        }
        while self.thinking.is_some() {
            match self.next_event()? {
                Event::Told(told) => self.tell(told)?,
                Event::SearchGone => return Err(io::Error::other("the search has failed")),
                event @ (Event::Line(_) | Event::End) => self.backlog.push_back(event),
            }
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
                self.engine.forget();
                self.line = Some(Line::new(self.options.game.start()));
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
            Ok(Command::Stop) => {
                if self.thinking.is_some() {
                    self.engine.stop();
                }
            }
            Ok(Command::PonderHit) => match &mut self.thinking {
                Some(search) if search.pondering => {
                    search.pondering = false;
                    self.engine.ponder_hit();
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
        self.notation = if ugi { Notation::Own } else { Notation::Uci };
        writeln!(self.out, "id name raja {}", env!("CARGO_PKG_VERSION"))?;
        writeln!(self.out, "id author the authors of raja")?;
        for line in self.options.introduction() {
            writeln!(self.out, "{line}")?;
        }
        writeln!(self.out, "{}", if ugi { "ugiok" } else { "uciok" })
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        match self.options.set(name, value) {
            Err(problem) => self.inform(&problem),
            Ok(Touched::Manners) => Ok(()),
            Ok(Touched::Engine) => {
                self.stale = true;
                Ok(())
            }
            Ok(Touched::Game) => {
                self.stale = true;
                let Game { id, title, .. } = self.options.game;
                let start = self.options.game.start();
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
        if !std::mem::take(&mut self.stale) {
            return Ok(());
        }
        let judge = match self.network() {
            Ok(Some(source)) => Judge::Net(source),
            Ok(None) => Judge::Rollouts,
            Err(problem) => {
                self.inform(&format!("{problem}; random rollouts judge positions instead"))?;
                Judge::Rollouts
            }
        };
        let search = self.options.search_settings(matches!(judge, Judge::Net(_)));
        let threads = self.options.threads as usize;
        self.engine.configure(EngineSettings { judge, search, threads });
        Ok(())
    }

    /// The network that is to be used, if there is one.
    fn network(&mut self) -> Result<Option<Arc<dyn EvaluatorSource>>, String> {
        let Some(path) = &self.options.net else { return Ok(None) };
        let game = self.options.game;
        match &self.loaded {
            Some((id, file, source)) if *id == game.id && file == path => {
                Ok(Some(Arc::clone(source)))
            }
            _ => {
                let source = self.nets.load(game, path)?;
                self.loaded = Some((game.id, path.clone(), Arc::clone(&source)));
                Ok(Some(source))
            }
        }
    }

    fn read_line(&self, fen: Option<&str>, moves: &[String]) -> Result<Line, String> {
        let game = self.options.game;
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
        let problem = match &self.line {
            None => Some("go: there is no position".to_owned()),
            Some(line) => line.state().end().map(|end| format!("go: the game is over: {end}")),
        };
        if let Some(problem) = problem {
            self.inform(&problem)?;
            return writeln!(self.out, "bestmove (none)");
        }
        self.prepare()?;
        let line = self.line.as_ref().expect("there is a position");
        let UciOptions { simulations, overhead, ponder, verbose, multi_pv, .. } = self.options;
        let side = line.state().side_to_move().index();
        let bounds = go.bounds(side, overhead.into(), simulations, ponder);
        let order = Order {
            bounds,
            pondering: go.ponder,
            lines: multi_pv as usize,
            all_lines_at_the_end: verbose,
        };
        let steps: Vec<Step> =
            line.moves().iter().flat_map(|played| played.steps()).copied().collect();
        self.engine.go(line.start().clone(), steps, order);
        self.thinking = Some(Thinking { endless: bounds.is_endless(), pondering: go.ponder });
        Ok(())
    }

    fn tell(&mut self, told: Told) -> io::Result<()> {
        match told {
            Told::Trouble(error) => self.inform(&error.to_string())?,
            Told::Full => self.inform("the search tree is full")?,
            Told::Report(report) => {
                let line = self.line.as_ref().expect("what is searched is a position");
                let style = Style {
                    notation: self.notation,
                    multi_pv: self.options.multi_pv as usize,
                    show_wdl: self.options.show_wdl,
                    verbose: self.options.verbose,
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

/// The result as UGI writes it.
fn result(state: &History) -> &'static str {
    match state.end().map(|end| end.outcome) {
        Some(Outcome::Win(Side::White)) => "p1win",
        Some(Outcome::Win(Side::Black)) => "p2win",
        Some(Outcome::Draw) => "draw",
        None => "none",
    }
}
