//! [`serve_xboard`]: the engine as XBoard, WinBoard and other programs talk to it, in the second
//! version of their protocol (CECP).
//!
//! What a user has to know is in `docs/xboard.md`, how lines and searches go together in
//! `engine/talk.rs`. An answer to a search that was ended by anything but `?` is not passed on.

mod board;
mod clock;
mod command;
mod report;

use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;

use games::{Dialect, End, EndReason, Game, Move, Side, State as _, result_text};

use crate::engine::{
    Bounds, Described, EngineOptions, Event, Kind, Notation, Order, Talk, Told, searchable,
};
use crate::{Line, NetLoader};
use clock::Clock;
use command::Command;

/// How moves and positions are written.
const NOTATION: Notation = Notation::Of(Dialect::Cecp);

/// The options that user interfaces have no commands for.
const OPTIONS: [&str; 5] = ["Net", "Search", "Batch", "Simulations", "MultiPV"];

/// Plays the engine: obeys the lines of `input` and writes answers to `out`, until `quit` or the end
/// of the input. Then a move that is being searched for is still made.
///
/// # Errors
/// If `out` cannot be written to.
pub fn serve_xboard(
    input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
    nets: &dyn NetLoader,
    options: EngineOptions,
) -> io::Result<()> {
    let session = Session {
        home: options.game,
        line: Some(Line::new(options.game.start())),
        talk: Talk::begin(input, nets, options),
        role: Role::Player(Side::Black),
        thinking: None,
        clock: Clock::default(),
        post: false,
        hint: None,
        lifted: None,
        waiting: Vec::new(),
        settings: Vec::new(),
        out,
    };
    session.serve()
}

/// What the engine does when a position comes up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Nothing.
    Observer,
    /// It plays this side.
    Player(Side),
    /// It searches without end.
    Analyst,
}

/// What a search under way is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Thinking {
    /// The move that is to be made.
    Move,
    /// The tree, while the opponent thinks.
    Pondering,
    /// What it reports.
    Analysis,
}

/// A talk with a user interface.
struct Session<'a> {
    talk: Talk<'a>,
    /// The game after `new`.
    home: &'static Game,
    /// The game being played; none after a position that could not be understood.
    line: Option<Line>,
    role: Role,
    thinking: Option<Thinking>,
    clock: Clock,
    /// Whether thinking is shown.
    post: bool,
    /// The answer to the last move that the search expects.
    hint: Option<String>,
    /// The cell whose piece is picked up.
    lifted: Option<String>,
    /// Pings to be answered when the move is made.
    waiting: Vec<String>,
    /// Names and values of options that are to be set when the move is made.
    settings: Vec<(String, String)>,
    out: &'a mut dyn Write,
}

impl Session<'_> {
    fn serve(mut self) -> io::Result<()> {
        let mut ended = false;
        loop {
            self.out.flush()?;
            match self.talk.next()? {
                Event::Line(line) => {
                    if self.obey(line.trim_ascii())?.is_break() {
                        return self.out.flush();
                    }
                }
                Event::Told(told) => self.tell(told)?,
                Event::End => ended = true,
            }
            let makes_move = self.thinking == Some(Thinking::Move);
            if ended && !makes_move && !self.talk.has_kept_lines() {
                self.halt()?;
                return self.out.flush();
            }
        }
    }

    fn obey(&mut self, line: &str) -> io::Result<ControlFlow<()>> {
        let refused = match Command::read(line) {
            Ok(Command::Quit) => {
                self.halt()?;
                return Ok(ControlFlow::Break(()));
            }
            Ok(command) => self.carry_out(command)?.err(),
            Err(problem) => Some(problem),
        };
        if let Some(problem) = refused {
            writeln!(self.out, "Error ({}): {line}", on_one_line(&problem))?;
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Does what is asked for, or says why not.
    fn carry_out(&mut self, command: Command) -> io::Result<Result<(), String>> {
        match command {
            Command::Introduce => self.introduce()?,
            Command::New => self.begin_game(self.home)?,
            Command::Variant(name) => match Dialect::Cecp.game(&name) {
                Ok(game) => self.choose(game)?,
                Err(error) => return Ok(Err(error.to_string())),
            },
            Command::SetBoard(fen) => self.set_board(&fen)?,
            Command::Force => self.change_role(Role::Observer)?,
            Command::Result => {
                if self.role != Role::Analyst {
                    self.change_role(Role::Observer)?;
                }
            }
            Command::Go => return self.play(|mover| mover),
            Command::PlayOther => return self.play(Side::other),
            Command::Move(text) => self.take_move(&text)?,
            Command::MoveNow => {
                if self.thinking == Some(Thinking::Move) {
                    self.talk.engine.stop();
                }
            }
            Command::Undo => return self.take_back(1),
            Command::Remove => return self.take_back(2),
            Command::Analyze => self.change_role(Role::Analyst)?,
            Command::Exit => {
                if self.role == Role::Analyst {
                    self.change_role(Role::Observer)?;
                }
            }
            Command::Hint => {
                if let Some(hint) = &self.hint {
                    writeln!(self.out, "Hint: {hint}")?;
                }
            }
            Command::Ping(number) => self.answer_ping(number)?,
            Command::Clock(setting) => {
                let plies = self.line.as_ref().map_or(0, |line| line.moves().len());
                self.clock.set(setting, plies);
            }
            Command::Ponder(on) => {
                if !on && self.thinking == Some(Thinking::Pondering) {
                    self.halt()?;
                }
                return Ok(self.talk.set("Ponder", &on.to_string()).map(drop));
            }
            Command::Post(on) => self.post = on,
            Command::SetOption { name, value } => return self.set_option(&name, &value),
            Command::Lift(square) => {
                self.answer_with(|line| board::highlight(line.state().position(), &square))?;
                self.lifted = Some(square);
            }
            Command::Put(square) => {
                let from = self.lifted.clone().unwrap_or_default();
                self.answer_with(|line| board::choice(line.state().position(), &from, &square))?;
            }
            Command::Quit | Command::Nothing => {}
        }
        Ok(Ok(()))
    }

    fn introduce(&mut self) -> io::Result<()> {
        writeln!(self.out, "feature done=0 myname=\"raja {}\"", env!("CARGO_PKG_VERSION"))?;
        writeln!(
            self.out,
            "feature ping=1 setboard=1 playother=1 usermove=1 san=0 draw=0 sigint=0 sigterm=0 \
             reuse=1 analyze=1 colors=0 nps=1 memory=1 smp=1 highlight=1"
        )?;
        let name = |game: &'static Game| Dialect::Cecp.variant(game);
        let home = name(self.home);
        let others = Game::all().iter().map(name);
        // User interfaces choose the normal game by `new` alone, which is the game of the engine here.
        let others = others.filter(|other| *other != home && other != Dialect::NORMAL);
        let names: Vec<_> = std::iter::once(home.clone()).chain(others).collect();
        writeln!(self.out, "feature variants=\"{}\"", names.join(","))?;
        for option in self.talk.options().described() {
            if OPTIONS.contains(&option.name) {
                writeln!(self.out, "feature option=\"{}\"", introduction(&option))?;
            }
        }
        writeln!(self.out, "feature done=1")
    }

    /// Begins a game of `game`, in which the engine has Black unless it analyses.
    fn begin_game(&mut self, game: &'static Game) -> io::Result<()> {
        self.halt()?;
        self.talk.set_game(game);
        self.talk.engine.forget();
        self.clock.begin_game();
        self.set_line(Some(Line::new(game.start())));
        if self.role != Role::Analyst {
            self.role = Role::Player(Side::Black);
        }
        self.analyse()
    }

    /// Begins a game of `game` and tells what it is, if that can be told.
    fn choose(&mut self, game: &'static Game) -> io::Result<()> {
        self.begin_game(game)?;
        board::setup(game).iter().try_for_each(|setup| writeln!(self.out, "{setup}"))
    }

    fn set_board(&mut self, fen: &str) -> io::Result<()> {
        self.halt()?;
        match board::read(self.talk.options().game, fen) {
            Ok(start) => self.set_line(Some(Line::new(board::with_rights(start)))),
            Err(error) => {
                self.set_line(None);
                self.complain(&format!("Illegal position: {error}"))?;
            }
        }
        self.analyse()
    }

    fn change_role(&mut self, role: Role) -> io::Result<()> {
        self.halt()?;
        self.role = role;
        self.analyse()
    }

    /// Plays the side that `choose` makes of the one to move.
    fn play(&mut self, choose: impl Fn(Side) -> Side) -> io::Result<Result<(), String>> {
        let Some(line) = &self.line else { return Ok(Err("there is no position".to_owned())) };
        let role = Role::Player(choose(line.state().side_to_move()));
        // Otherwise it is at it already.
        if self.role != role || self.thinking.is_none() {
            self.halt()?;
            self.role = role;
            self.resume()?;
        }
        Ok(Ok(()))
    }

    fn take_move(&mut self, text: &str) -> io::Result<()> {
        let read = match &self.line {
            _ if self.thinking == Some(Thinking::Move) => Err(" (it is not your turn)"),
            None => Err(" (there is no position)"),
            Some(line) if line.state().position().outcome().is_some() => Err(" (the game is over)"),
            Some(line) => NOTATION.parse_move(line.state().position(), text).map_err(|_| ""),
        };
        match read {
            Ok(chosen) => {
                self.halt()?;
                self.advance(chosen);
                self.resume()
            }
            Err(reason) => writeln!(self.out, "Illegal move{reason}: {text}"),
        }
    }

    fn take_back(&mut self, moves: usize) -> io::Result<Result<(), String>> {
        let made = self.line.as_ref().map_or(0, |line| line.moves().len());
        if made < moves {
            return Ok(Err("no move to take back".to_owned()));
        }
        self.halt()?;
        let mut line = self.line.take();
        for _ in 0..moves {
            line.as_mut().and_then(Line::undo);
        }
        self.set_line(line);
        self.analyse()?;
        Ok(Ok(()))
    }

    fn answer_ping(&mut self, number: String) -> io::Result<()> {
        match self.thinking {
            // After the move.
            Some(Thinking::Move) => self.waiting.push(number),
            Some(Thinking::Pondering | Thinking::Analysis) => self.pong(&number)?,
            None => {
                self.prepare()?;
                self.pong(&number)?;
            }
        }
        Ok(())
    }

    fn pong(&mut self, number: &str) -> io::Result<()> {
        writeln!(self.out, "pong {number}")
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<Result<(), String>> {
        if !OPTIONS.into_iter().chain(["Hash", "Threads"]).any(|known| known == name) {
            return Ok(Err(format!("there is no option `{name}`")));
        }
        if self.thinking == Some(Thinking::Move) {
            // Begun anew, the search would take more than its time.
            let checked = self.talk.options().clone().set(name, value);
            return Ok(checked.map(|_| self.settings.push((name.to_owned(), value.to_owned()))));
        }
        let was_thinking = self.thinking.is_some();
        self.halt()?;
        let set = self.talk.set(name, value);
        if was_thinking {
            self.resume()?;
        }
        Ok(set.map(drop))
    }

    /// Writes what `answer` makes of the game.
    fn answer_with(&mut self, answer: impl Fn(&Line) -> Option<String>) -> io::Result<()> {
        let answer = self.line.as_ref().and_then(answer);
        answer.iter().try_for_each(|answer| writeln!(self.out, "{answer}"))
    }

    /// Goes to another position of the game, or of another one.
    fn set_line(&mut self, line: Option<Line>) {
        self.line = line;
        (self.hint, self.lifted) = (None, None);
    }

    /// Plays a move that is legal.
    fn advance(&mut self, chosen: Move) {
        let mut line = self.line.take().expect("moves are read in a position");
        line.play(chosen);
        self.set_line(Some(line));
    }

    /// Ends the search under way without its answer.
    fn halt(&mut self) -> io::Result<()> {
        if self.thinking.take().is_some() {
            self.talk.engine.stop();
            while !matches!(self.talk.next_told()?, Told::Best { .. }) {}
            self.catch_up();
        }
        self.answer_waiting()
    }

    /// Sets the options that have come while the engine was to move.
    fn catch_up(&mut self) {
        for (name, value) in std::mem::take(&mut self.settings) {
            // They have been looked at when they came.
            let _ = self.talk.set(&name, &value);
        }
    }

    fn answer_waiting(&mut self) -> io::Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        waiting.iter().try_for_each(|number| self.pong(number))
    }

    /// Goes on with the analysis, if the engine analyses.
    fn analyse(&mut self) -> io::Result<()> {
        if self.role == Role::Analyst { self.resume() } else { Ok(()) }
    }

    /// Does what the role is in the position that has come up.
    fn resume(&mut self) -> io::Result<()> {
        let Some(line) = &self.line else { return Ok(()) };
        let (mover, end) = (line.state().side_to_move(), line.state().end());
        // User interfaces know of no maximum length. If they do not agree, the game goes on.
        if let (Role::Player(_), Some(end)) = (self.role, end)
            && end.reason != EndReason::MaximumLength
        {
            self.tell_end(end)?;
        }
        match self.role {
            Role::Analyst => self.think(Thinking::Analysis),
            Role::Player(own) if own == mover => self.think(Thinking::Move),
            Role::Player(_) if self.talk.options().ponder => self.think(Thinking::Pondering),
            Role::Player(_) | Role::Observer => Ok(()),
        }
    }

    /// Begins a search of the position, if it has moves.
    fn think(&mut self, what_for: Thinking) -> io::Result<()> {
        let Some(game) = &self.line else { return Ok(()) };
        let (plies, Ok(line)) = (game.moves().len(), searchable(game)) else { return Ok(()) };
        self.prepare()?;
        let options = self.talk.options();
        let bounds = match what_for {
            Thinking::Move => self.clock.budget(plies, options).bounds(options),
            Thinking::Pondering | Thinking::Analysis => Bounds::default(),
        };
        let lines = options.multi_pv as usize;
        let order = Order { bounds, pondering: false, lines, all_lines_at_the_end: false };
        self.talk.engine.go(&line, order);
        self.thinking = Some(what_for);
        Ok(())
    }

    /// Gets the engine ready for its next search.
    fn prepare(&mut self) -> io::Result<()> {
        match self.talk.prepare() {
            Ok(()) => Ok(()),
            Err(problem) => self.complain(&problem),
        }
    }

    /// Passes on what a search tells that was not ended before its time.
    fn tell(&mut self, told: Told) -> io::Result<()> {
        match told {
            Told::Trouble(error) => self.complain(&error.to_string()),
            // It goes on with what it knows.
            Told::Full => Ok(()),
            Told::Report(report) if self.post => {
                let line = self.line.as_ref().expect("what is searched is a position");
                let most = self.talk.options().multi_pv as usize;
                let lines = report::lines(&report, line.state().position(), most);
                lines.iter().try_for_each(|line| writeln!(self.out, "{line}"))
            }
            Told::Report(_) => Ok(()),
            Told::Best { chosen, ponder } => self.make_move(chosen, ponder.as_ref()),
        }
    }

    fn make_move(&mut self, chosen: Move, expected: Option<&Move>) -> io::Result<()> {
        self.thinking = None;
        self.catch_up();
        let position = |line: &Option<Line>| {
            line.as_ref().expect("what was searched is a position").state().position().clone()
        };
        let text = NOTATION.move_text(&position(&self.line), &chosen);
        writeln!(self.out, "move {text}")?;
        self.advance(chosen);
        self.hint = expected.map(|answer| NOTATION.move_text(&position(&self.line), answer));
        self.resume()?;
        self.answer_waiting()
    }

    fn tell_end(&mut self, end: End) -> io::Result<()> {
        writeln!(self.out, "{} {{{end}}}", result_text(Some(end.outcome)))
    }

    /// Has the user interface show what is wrong.
    fn complain(&mut self, problem: &str) -> io::Result<()> {
        writeln!(self.out, "tellusererror {}", on_one_line(problem))
    }
}

/// `sentence` without line breaks, which would begin another command.
fn on_one_line(sentence: &str) -> String {
    sentence.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What introduces an option, with what it is set to now.
fn introduction(option: &Described) -> String {
    let Described { name, value, kind } = option;
    match kind {
        Kind::Choice(values) => {
            let mark =
                |&choice: &&str| format!("{}{choice}", if choice == value { "*" } else { "" });
            let choices: Vec<String> = values.iter().map(mark).collect();
            format!("{name} -combo {}", choices.join(" /// "))
        }
        Kind::File => format!("{name} -file {value}"),
        Kind::Number { least, most } => format!("{name} -spin {value} {least} {most}"),
        Kind::Check => format!("{name} -check {}", u8::from(value == "true")),
    }
}
