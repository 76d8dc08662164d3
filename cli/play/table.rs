//! [`Table`]: the board between two players, and what the one in the terminal can do there.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use arena::{Line, Solo, SoloError};
use games::{Cell, End, Move, Outcome, Side, State as _};

use super::advice::Adviser;
use super::command::{self, Command};
use super::paint;
use super::saved::{self, Saved};
use crate::failure;

/// Who sits at a side of the board.
pub(super) enum Seat {
    Human,
    /// A player and its name.
    Machine(String, Box<Solo>),
}

impl Seat {
    fn is_human(&self) -> bool {
        matches!(self, Self::Human)
    }

    fn name(&self) -> &str {
        match self {
            Self::Human => "human",
            Self::Machine(name, _) => name,
        }
    }
}

/// What is settled before a game.
pub(super) struct Arrangement {
    pub(super) seats: [Seat; 2],
    pub(super) adviser: Adviser,
    /// The file that is to have the game at any time.
    pub(super) file: Option<PathBuf>,
    /// Whether boards are drawn in colours.
    pub(super) colours: bool,
    /// The seed of the machines.
    pub(super) seed: u64,
}

/// A game under way.
pub(super) struct Table {
    arranged: Arrangement,
    line: Line,
    /// Moves taken back, the one to be played next last.
    undone: Vec<Move>,
    resigned: Option<Side>,
    /// Whether the chances are shown below each board.
    evaluating: bool,
    /// Whether the board has been drawn as it stands.
    shown: bool,
    /// Whether the file has the game as it stands.
    kept: bool,
}

impl Table {
    /// A game to go on with.
    pub(super) fn new(arranged: Arrangement, game: Saved) -> Self {
        let Saved { line, resigned } = game;
        let (evaluating, shown, kept) = (false, false, false);
        Self { arranged, line, undone: Vec::new(), resigned, evaluating, shown, kept }
    }

    /// The game as it stands.
    pub(super) fn line(&self) -> &Line {
        &self.line
    }

    pub(super) fn has_human(&self) -> bool {
        self.arranged.seats.iter().any(Seat::is_human)
    }

    /// Plays until it is a human's turn, so many plies have been played, or the game is over.
    pub(super) fn let_machines_play(
        &mut self,
        plies: usize,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        while self.ending().is_none() && self.line.moves().len() < plies {
            let alone = !self.has_human();
            let side = self.line.state().side_to_move();
            let Seat::Machine(name, solo) = &mut self.arranged.seats[side.index()] else { break };
            let chosen = match solo.choose_move() {
                Err(SoloError::Resigned) => {
                    self.resigned = Some(side);
                    self.changed();
                    self.keep(out)?;
                    break;
                }
                chosen => chosen?,
            };
            let text = self.line.state().position().move_text(&chosen);
            let told = format!("{side} ({name}) plays {text}\n");
            if alone {
                self.draw(out)?;
            }
            writeln!(out, "{told}")?;
            out.flush()?;
            self.play(chosen, Some(side));
            self.keep(out)?;
        }
        Ok(())
    }

    /// Brings the file up to date, and draws the board unless it has been drawn; says whose turn it
    /// is or how the game ended.
    pub(super) fn show(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.keep(out)?;
        if self.shown {
            return Ok(());
        }
        self.shown = true;
        self.draw(out)?;
        match self.ending() {
            Some(ending) => writeln!(out, "{ending}")?,
            None => {
                self.show_chances(out)?;
                writeln!(out, "{} to move", self.line.state().side_to_move())?;
            }
        }
        Ok(())
    }

    /// Does what `line` says; breaks when the player leaves.
    pub(super) fn obey(
        &mut self,
        line: &str,
        out: &mut dyn Write,
    ) -> anyhow::Result<ControlFlow<()>> {
        if line.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        let command = match Command::read(line, self.line.state().position()) {
            Ok(command) => command,
            Err(problem) => {
                writeln!(out, "{problem}")?;
                return Ok(ControlFlow::Continue(()));
            }
        };
        match command {
            Command::Play(chosen) => match self.ending() {
                Some(ending) => writeln!(out, "{ending}; `undo` takes back, `quit` leaves")?,
                None => {
                    self.undone.clear();
                    self.play(chosen, None);
                }
            },
            Command::Moves(cell) => self.list_moves(cell, out)?,
            Command::Hint(simulations) => self.advise(simulations, out)?,
            Command::Eval(on) => {
                self.evaluating = on;
                if self.ending().is_none() {
                    self.show_chances(out)?;
                }
            }
            Command::Undo => self.undo(out)?,
            Command::Redo => self.redo(out)?,
            Command::Swap => self.swap(out)?,
            Command::Board => self.shown = false,
            Command::Fen => writeln!(out, "{}", self.line.state().position().fen())?,
            Command::Save(file) => match self.write(Path::new(file)) {
                Ok(()) => writeln!(out, "written to {file}")?,
                Err(error) => writeln!(out, "{}", failure::sentence(&error))?,
            },
            Command::Load(file) => self.load(Path::new(file), out)?,
            Command::Resign => self.resign(out)?,
            Command::Help => write!(out, "{}", command::help())?,
            Command::Quit => return Ok(ControlFlow::Break(())),
        }
        Ok(ControlFlow::Continue(()))
    }

    /// How the game ended, if it did.
    fn ending(&self) -> Option<String> {
        if let Some(side) = self.resigned {
            return Some(format!("{} wins ({side} resigned)", side.other()));
        }
        self.line.state().end().map(|End { outcome, reason }| match outcome {
            Outcome::Win(side) => format!("{side} wins ({reason})"),
            Outcome::Draw => format!("draw ({reason})"),
        })
    }

    fn draw(&self, out: &mut dyn Write) -> io::Result<()> {
        let position = self.line.state().position();
        let board = match self.arranged.colours {
            true => paint::board(position, self.line.before_last().as_ref()),
            false => position.draw(),
        };
        writeln!(out, "{board}")
    }

    fn show_chances(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        if self.evaluating {
            writeln!(out, "{}", self.arranged.adviser.bar(&self.line)?)?;
        }
        Ok(())
    }

    /// Takes note that the game stands otherwise than it did.
    fn changed(&mut self) {
        self.shown = false;
        self.kept = false;
    }

    /// Plays `chosen`; the machines learn it, but for the one of side `by`, which has chosen it.
    fn play(&mut self, chosen: Move, by: Option<Side>) {
        for side in Side::ALL {
            if Some(side) != by
                && let Seat::Machine(_, solo) = &mut self.arranged.seats[side.index()]
            {
                chosen.steps().iter().for_each(|&step| solo.observe(step));
            }
        }
        self.line.play(chosen);
        self.changed();
    }

    /// Puts the machines where the game stands, after it has gone elsewhere than forward.
    fn seat_again(&mut self) {
        for seat in &mut self.arranged.seats {
            if let Seat::Machine(_, solo) = seat {
                solo.new_game(self.line.state(), self.arranged.seed);
            }
        }
        self.changed();
    }

    /// Goes back to the last turn of a human before this one.
    fn undo(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if let Some(side) = self.resigned.take()
            && self.arranged.seats[side.index()].is_human()
        {
            self.changed();
            return Ok(());
        }
        let first = self.line.start().side_to_move();
        let is_human = |ply: &usize| {
            let side = if ply.is_multiple_of(2) { first } else { first.other() };
            self.arranged.seats[side.index()].is_human()
        };
        let played = self.line.moves().len();
        let Some(ply) = (0..played).rev().find(is_human) else {
            return writeln!(out, "there is no move of yours to take back");
        };
        for _ in ply..played {
            self.undone.extend(self.line.undo());
        }
        self.seat_again();
        Ok(())
    }

    /// Plays moves that were taken back until it is a human's turn again.
    fn redo(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.undone.is_empty() {
            return writeln!(out, "there is no move to play again");
        }
        while let Some(chosen) = self.undone.pop() {
            self.play(chosen, None);
            if self.arranged.seats[self.line.state().side_to_move().index()].is_human() {
                break;
            }
        }
        Ok(())
    }

    fn swap(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.arranged.seats.reverse();
        self.changed();
        let [white, black] = self.names();
        writeln!(out, "white is {white}, black is {black}")
    }

    fn resign(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if let Some(ending) = self.ending() {
            return writeln!(out, "{ending}");
        }
        self.resigned = Some(self.line.state().side_to_move());
        self.changed();
        Ok(())
    }

    /// The names of White and Black.
    fn names(&self) -> [&str; 2] {
        self.arranged.seats.each_ref().map(Seat::name)
    }

    fn write(&self, path: &Path) -> anyhow::Result<()> {
        saved::write(path, &self.line, self.names(), self.resigned)
    }

    /// Writes the game where it is to be kept, unless it is there as it stands.
    fn keep(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if let Some(file) = &self.arranged.file
            && !self.kept
        {
            self.kept = true;
            if let Err(error) = self.write(file) {
                writeln!(out, "{}", failure::sentence(&error))?;
            }
        }
        Ok(())
    }

    fn load(&mut self, path: &Path, out: &mut dyn Write) -> io::Result<()> {
        match saved::read(path, self.line.start().game()) {
            Ok(Saved { line, resigned }) => {
                (self.line, self.resigned) = (line, resigned);
                self.undone.clear();
                self.seat_again();
                Ok(())
            }
            Err(error) => writeln!(out, "{}", failure::sentence(&error)),
        }
    }

    /// Lists the legal moves, or those that begin on the cell of this name.
    fn list_moves(&self, from: Option<&str>, out: &mut dyn Write) -> io::Result<()> {
        if let Some(ending) = self.ending() {
            return writeln!(out, "{ending}");
        }
        let cell = match from {
            None => None,
            Some(name) => match self.line.state().game().geometry.cell(name) {
                Some(cell) => Some(cell),
                None => return writeln!(out, "there is no cell `{name}`"),
            },
        };
        match self.moves_from(cell) {
            Err(error) => writeln!(out, "{error}"),
            Ok(texts) if texts.is_empty() => writeln!(out, "no move begins there"),
            Ok(texts) => write!(out, "{}", in_columns(&texts)),
        }
    }

    /// The texts of the legal moves, or of those that begin on `cell`.
    fn moves_from(&self, cell: Option<Cell>) -> Result<Vec<String>, games::TooManyMoves> {
        let position = self.line.state().position();
        let mut texts = Vec::new();
        position.for_each_move(|steps| {
            if cell.is_none_or(|cell| steps[0].from() == cell) {
                texts.push(position.text_of(steps));
            }
        })?;
        texts.sort_unstable();
        Ok(texts)
    }

    fn advise(&mut self, simulations: Option<u32>, out: &mut dyn Write) -> anyhow::Result<()> {
        match self.ending() {
            Some(ending) => writeln!(out, "{ending}")?,
            None => {
                write!(out, "{}", self.arranged.adviser.opinion(&self.line, simulations)?)?;
            }
        }
        Ok(())
    }
}

/// `texts` in columns, in as many lines as it takes.
fn in_columns(texts: &[String]) -> String {
    const WIDTH: usize = 80;
    let column = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0) + 2;
    let a_line = (WIDTH / column).max(1);
    let mut lines = String::new();
    for line in texts.chunks(a_line) {
        let line: String = line.iter().map(|text| format!("{text:column$}")).collect();
        lines.push_str(line.trim_end());
        lines.push('\n');
    }
    lines
}
