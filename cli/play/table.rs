//! [`Table`]: the board between two players, and what the one in the terminal can do there.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use arena::{Line, Solo, SoloError};
use games::{Cell, End, Move, Outcome, Side, State as _};
use rustyline::completion::unescape;

use super::advice::Adviser;
use super::command::{self, Command};
use super::paint;
use super::saved::{self, Saved, Settled};
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

    pub(super) fn name(&self) -> &str {
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
    /// How the game ended, if not by its rules.
    settled: Option<Settled>,
    /// Whether the chances are shown below each board.
    evaluating: bool,
    /// Whether the board has been drawn as it stands.
    shown: bool,
    /// Whether the file has the game as it stands.
    kept: bool,
}

impl Table {
    /// A game to go on with, which the file has as it stands if it is `kept`.
    pub(super) fn new(arranged: Arrangement, game: Saved, kept: bool) -> Self {
        let Saved { line, settled, .. } = game;
        let (evaluating, shown) = (false, false);
        Self { arranged, line, undone: Vec::new(), settled, evaluating, shown, kept }
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
                    self.settle(Settled::resigned(side));
                    self.keep(out)?;
                    break;
                }
                // Machines alone cannot go back and on.
                Err(SoloError::Forfeited { player, problem }) if !alone => {
                    let problem = failure::one_line(&format!("{player} {problem}"));
                    self.settle(Settled::forfeited(side, &problem));
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
            Command::Save(file) => {
                let file = path(file);
                match self.write(&file) {
                    Ok(()) => writeln!(out, "written to {}", file.display())?,
                    Err(error) => writeln!(out, "{}", failure::sentence(&error))?,
                }
            }
            Command::Load(file) => self.load(&path(file), out)?,
            Command::Resign => self.resign(out)?,
            Command::Help => write!(out, "{}", command::help())?,
            Command::Quit => return Ok(ControlFlow::Break(())),
        }
        Ok(ControlFlow::Continue(()))
    }

    /// How the game ended, if it did.
    fn ending(&self) -> Option<String> {
        if let Some(settled) = &self.settled {
            return Some(settled.to_string());
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

    fn show_chances(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.evaluating {
            match self.arranged.adviser.bar(&self.line) {
                Ok(bar) => writeln!(out, "{bar}")?,
                Err(error) => writeln!(out, "{}", failure::sentence(&error))?,
            }
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

    /// Goes back to the last turn of a human before this one; to this one if it has ended the game.
    fn undo(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let first = self.line.start().side_to_move();
        let is_human = |ply: &usize| {
            let side = if ply.is_multiple_of(2) { first } else { first.other() };
            self.arranged.seats[side.index()].is_human()
        };
        let played = self.line.moves().len();
        let latest = played + usize::from(self.settled.is_some());
        let Some(ply) = (0..latest).rev().find(is_human) else {
            return writeln!(out, "there is no move of yours to take back");
        };
        self.settled = None;
        for _ in ply..played {
            self.undone.extend(self.line.undo());
        }
        self.seat_again();
        Ok(())
    }

    /// Plays moves that were taken back until it is a human's turn again.
    fn redo(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if let Some(ending) = self.ending() {
            return writeln!(out, "{ending}");
        }
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
        self.settle(Settled::resigned(self.line.state().side_to_move()));
        Ok(())
    }

    /// Ends the game otherwise than by its rules.
    fn settle(&mut self, settled: Settled) {
        self.settled = Some(settled);
        self.changed();
    }

    /// The names of White and Black.
    fn names(&self) -> [&str; 2] {
        self.arranged.seats.each_ref().map(Seat::name)
    }

    fn write(&self, path: &Path) -> anyhow::Result<()> {
        saved::write(path, &self.line, self.names(), self.settled.as_ref())
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
            Ok(Saved { line, settled, .. }) => {
                (self.line, self.settled) = (line, settled);
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

    fn advise(&self, simulations: Option<u32>, out: &mut dyn Write) -> io::Result<()> {
        if let Some(ending) = self.ending() {
            return writeln!(out, "{ending}");
        }
        match self.arranged.adviser.opinion(&self.line, simulations) {
            Ok(opinion) => write!(out, "{opinion}"),
            Err(error) => writeln!(out, "{}", failure::sentence(&error)),
        }
    }
}

/// The file that `typed` names: a backslash is before letters that mean nothing else, as they are
/// completed, and `~/` is the home of the user.
fn path(typed: &str) -> PathBuf {
    let plain = unescape(typed, Some('\\'));
    match (plain.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(&*plain),
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arena::Analyst;
    use games::Game;
    use search::{Evaluator, EvaluatorError, EvaluatorSource};

    use super::*;
    use crate::interrupt::Breaks;

    /// A network that cannot answer.
    struct Broken;

    impl EvaluatorSource for Broken {
        fn evaluator(&self) -> Result<Box<dyn Evaluator>, EvaluatorError> {
            Err(EvaluatorError("no memory\non the device".to_owned()))
        }
    }

    #[test]
    fn an_adviser_that_fails_is_told_of_and_the_game_goes_on() {
        let analyst = Analyst::new(Some(Arc::new(Broken)), 1, 1);
        let adviser = Adviser { analyst, simulations: 8, breaks: Breaks::heard().unwrap() };
        let seats = [Seat::Human, Seat::Human];
        let arranged = Arrangement { seats, adviser, file: None, colours: false, seed: 1 };
        let line = Line::new(Game::by_id("cheskers").unwrap().start());
        let mut table = Table::new(arranged, Saved { line, settled: None, names: None }, false);
        let mut answers = |said: &str| {
            let mut out = Vec::new();
            assert!(table.obey(said, &mut out).unwrap().is_continue());
            table.show(&mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        answers("board");
        let problem = "evaluation failed: no memory on the device\n";
        assert_eq!(answers("hint"), problem);
        assert_eq!(answers("eval on"), problem);
        let played = answers("e2e3");
        assert!(played.ends_with(&format!("{problem}black to move\n")), "{played}");
    }

    #[test]
    fn files_are_named_as_they_are_completed() {
        assert_eq!(path("a\\ \\(new\\)\\ game.txt"), Path::new("a (new) game.txt"));
        assert_eq!(path("games/~/b.txt"), Path::new("games/~/b.txt"));
        let home = std::env::home_dir().unwrap();
        assert_eq!(path("~/b.txt"), home.join("b.txt"));
    }
}
