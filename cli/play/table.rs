//! [`Table`]: the board between two players, and what the one in the terminal can say.

use std::io::{self, Write};
use std::ops::ControlFlow;

use arena::{Line, Solo, SoloError};
use games::{End, History, Move, Outcome, Position, Side, State as _};

use super::advice::Adviser;

/// Who sits at a side of the board.
pub(super) enum Seat {
    Human,
    /// A player and its name.
    Machine(String, Box<Solo>),
}

/// A game under way.
pub(super) struct Table {
    line: Line,
    seats: [Seat; 2],
    adviser: Option<Adviser>,
    resigned: Option<Side>,
    /// Whether the board has been drawn as it stands.
    shown: bool,
    seed: u64,
}

const HELP: &str = "\
A MOVE      play it, as `moves` writes it
moves       the legal moves
moves CELL  those of the piece on that cell
hint        what the network thinks of the position (also: opinion)
undo        take your last move back
board       draw the board
fen         the position as text
resign      give up
quit        leave";

impl Table {
    /// A game that stands at `start`.
    pub(super) fn new(
        start: Position,
        seats: [Seat; 2],
        adviser: Option<Adviser>,
        seed: u64,
    ) -> Self {
        Self { line: Line::new(start), seats, adviser, resigned: None, shown: false, seed }
    }

    pub(super) fn has_human(&self) -> bool {
        self.seats.iter().any(|seat| matches!(seat, Seat::Human))
    }

    /// Plays until it is a human's turn or the game is over.
    pub(super) fn let_machines_play(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        while self.ending().is_none() {
            let side = self.line.state().side_to_move();
            let alone = !self.has_human();
            let Seat::Machine(_, solo) = &mut self.seats[side.index()] else { break };
            if alone {
                self.shown = false;
                draw(self.line.state(), out)?;
            }
            let chosen = match solo.choose_move() {
                Err(SoloError::Resigned) => {
                    self.resigned = Some(side);
                    self.shown = false;
                    break;
                }
                chosen => chosen?,
            };
            let text = self.line.state().position().move_text(&chosen);
            if let Seat::Machine(name, _) = &self.seats[side.index()] {
                writeln!(out, "{side} ({name}) plays {text}\n")?;
            }
            out.flush()?;
            self.play(chosen, Some(side));
        }
        Ok(())
    }

    /// Draws the board unless it has been drawn, and says whose turn it is or how the game ended.
    pub(super) fn show(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.shown {
            return Ok(());
        }
        self.shown = true;
        draw(self.line.state(), out)?;
        match self.ending() {
            Some(ending) => writeln!(out, "{ending}"),
            None => writeln!(out, "{} to move", self.line.state().side_to_move()),
        }
    }

    /// Does what `line` says; breaks when the player leaves.
    pub(super) fn obey(
        &mut self,
        line: &str,
        out: &mut dyn Write,
    ) -> anyhow::Result<ControlFlow<()>> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words[..] {
            [] => {}
            ["quit" | "exit"] => return Ok(ControlFlow::Break(())),
            ["help"] => writeln!(out, "{HELP}")?,
            ["board"] => {
                self.shown = false;
            }
            ["fen"] => writeln!(out, "{}", self.line.state().position().fen())?,
            ["undo"] => self.undo(out)?,
            ["moves"] => self.list_moves(None, out)?,
            ["moves", cell] => self.list_moves(Some(cell), out)?,
            ["hint" | "opinion"] => self.advise(out)?,
            ["resign"] => self.resign(out)?,
            [text] => self.play_text(text, out)?,
            _ => writeln!(out, "`{line}` is neither a move nor a command; try `help`")?,
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

    /// Plays `chosen`; the machines learn it, but for the one of side `by`, which has chosen it.
    fn play(&mut self, chosen: Move, by: Option<Side>) {
        for side in Side::ALL {
            if Some(side) != by
                && let Seat::Machine(_, solo) = &mut self.seats[side.index()]
            {
                chosen.steps().iter().for_each(|&step| solo.observe(step));
            }
        }
        self.line.play(chosen);
        self.shown = false;
    }

    fn play_text(&mut self, text: &str, out: &mut dyn Write) -> io::Result<()> {
        if let Some(ending) = self.ending() {
            return writeln!(out, "{ending}; `undo` takes back, `quit` leaves");
        }
        match self.line.state().position().parse_move(text) {
            Ok(chosen) => self.play(chosen, None),
            Err(error) => writeln!(out, "{error}")?,
        }
        Ok(())
    }

    /// Goes back to the last turn of a human before this one.
    fn undo(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if let Some(side) = self.resigned.take()
            && matches!(self.seats[side.index()], Seat::Human)
        {
            self.shown = false;
            return Ok(());
        }
        let first = self.line.start().side_to_move();
        let is_human = |ply: &usize| {
            let side = if ply.is_multiple_of(2) { first } else { first.other() };
            matches!(self.seats[side.index()], Seat::Human)
        };
        let played = self.line.moves().len();
        let Some(ply) = (0..played).rev().find(is_human) else {
            return writeln!(out, "there is no move of yours to take back");
        };
        for _ in ply..played {
            self.line.undo();
        }
        for seat in &mut self.seats {
            if let Seat::Machine(_, solo) = seat {
                solo.new_game(self.line.state(), self.seed);
            }
        }
        self.shown = false;
        Ok(())
    }

    fn resign(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if let Some(ending) = self.ending() {
            return writeln!(out, "{ending}");
        }
        self.resigned = Some(self.line.state().side_to_move());
        self.shown = false;
        Ok(())
    }

    /// Lists the legal moves, or those that begin on the cell of this name.
    fn list_moves(&self, from: Option<&str>, out: &mut dyn Write) -> io::Result<()> {
        if let Some(ending) = self.ending() {
            return writeln!(out, "{ending}");
        }
        let position = self.line.state().position();
        let cell = match from {
            None => None,
            Some(name) => match self.line.state().game().geometry.cell(name) {
                Some(cell) => Some(cell),
                None => return writeln!(out, "there is no cell `{name}`"),
            },
        };
        let mut texts = Vec::new();
        let listed = position.for_each_move(|steps| {
            if cell.is_none_or(|cell| steps[0].from() == cell) {
                texts.push(position.text_of(steps));
            }
        });
        texts.sort_unstable();
        match (listed, cell) {
            (Err(error), _) => writeln!(out, "{error}"),
            (Ok(()), Some(_)) if texts.is_empty() => writeln!(out, "no move begins there"),
            (Ok(()), _) => write!(out, "{}", in_columns(&texts)),
        }
    }

    fn advise(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        if let Some(ending) = self.ending() {
            writeln!(out, "{ending}")?;
            return Ok(());
        }
        match &mut self.adviser {
            Some(adviser) => write!(out, "{}", adviser.opinion(self.line.state(), self.seed)?)?,
            None => writeln!(out, "no network plays here; start with --net PATH to ask one")?,
        }
        Ok(())
    }
}

fn draw(state: &History, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", state.position().draw())
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
