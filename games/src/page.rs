//! [`Game::page`]: a page to learn the game from.

use std::fmt::Write as _;

use crate::guide::{Example, PieceGuide, Ruling};
use crate::notation::{Fields, read_placement};
use crate::{Cell, Game, Move, Position, State};

/// The lines that explain the diagrams.
const LEGEND: &str = "In the diagrams `*` is a cell the piece may move to and `x` one where it \
    captures by doing so; they are drawn by the rules that the program plays by.";

/// The list of all pages, in Markdown.
#[must_use]
pub fn index_page() -> String {
    let mut page = "# The games\n\nEach page tells the rules of a game as `raja rules GAME` does; \
        `cargo run -p games --example pages` writes them anew.\n\n\
        | game | family | cells | edition |\n|---|---|---|---|\n"
        .to_owned();
    for game in Game::all() {
        let Game { id, title, family, edition, geometry, .. } = game;
        let cells = geometry.cell_count();
        let _ = writeln!(page, "| [{title} (`{id}`)]({id}.md) | {family} | {cells} | {edition} |");
    }
    page
}

impl Game {
    /// A page to learn the game from, in Markdown: the board and the start, how each piece moves,
    /// the other rules, the end, and what had to be decided.
    #[must_use]
    pub fn page(&self) -> String {
        let mut page = String::new();
        // Writing to a String cannot fail.
        let _ = self.write_page(&mut page);
        page
    }

    fn write_page(&self, page: &mut String) -> std::fmt::Result {
        let (guide, start) = (&self.guide, self.start());
        writeln!(page, "# {} (`{}`)\n\n{}\n", self.title, self.id, guide.summary)?;
        writeln!(page, "*{}.*\n", capitalised(self.edition))?;
        writeln!(page, "## Start\n\nWhite, below, moves first and plays up the board.\n")?;
        writeln!(page, "```text\n{}```\n\n    {}\n", start.draw(), start.fen())?;
        if !guide.pieces.is_empty() {
            writeln!(page, "## Pieces\n\n{LEGEND}\n")?;
        }
        for piece in &guide.pieces {
            let (position, cell) = self.shown(piece);
            let picture = draw(&position, |_, played| played.steps()[0].from() == cell);
            writeln!(page, "### {} `{}`\n\n{}\n", piece.name, piece.unit, piece.text)?;
            writeln!(page, "```text\n{picture}```\n")?;
        }
        for section in &guide.sections {
            writeln!(page, "## {}\n\n{}\n", section.title, section.text)?;
        }
        if !guide.examples.is_empty() {
            writeln!(page, "## Examples\n")?;
        }
        for Example { title, text, fen, moves } in &guide.examples {
            let position = self.parse_fen(fen).expect("an example is a position");
            let picture = draw(&position, |text, _| text.starts_with(moves));
            writeln!(page, "### {title}\n\n{text}\n\n```text\n{picture}```\n\n    {fen}\n")?;
        }
        self.write_limits(page)?;
        if !guide.rulings.is_empty() {
            writeln!(
                page,
                "\n## Rulings\n\nWhat the author leaves open, and how it is played here.\n"
            )?;
        }
        for ruling in &guide.rulings {
            match ruling {
                Ruling::Reading(text) => writeln!(page, "- {text}")?,
                Ruling::Reconstruction(text) => writeln!(page, "- **Reconstruction.** {text}")?,
            }
        }
        Ok(())
    }

    /// What ends games that do not end by themselves, and some sizes.
    fn write_limits(&self, page: &mut String) -> std::fmt::Result {
        let first = self.start().moves().map_or(0, |moves| moves.len());
        writeln!(page, "## Facts\n")?;
        writeln!(page, "| | |\n|---|---|")?;
        writeln!(page, "| cells | {} |", self.geometry.cell_count())?;
        writeln!(page, "| first moves | {first} |")?;
        let repetition = self.repetition;
        write!(page, "| repetition | occurrence number {} ends the game", repetition.limit)?;
        if repetition.perpetual_check_loses {
            write!(page, "; a side that alone has checked all along since the first one loses")?;
        }
        writeln!(page, " |")?;
        writeln!(page, "| clock | 100 plies without an irreversible move: draw |")?;
        writeln!(page, "| longest game | {} plies |", self.maximum_plies)
    }

    /// The position in which `piece` is shown, and where it stands.
    fn shown(&self, piece: &PieceGuide) -> (Position, Cell) {
        let board = piece.board.unwrap_or(self.guide.board);
        let mut shown = None;
        let placement = Fields::split(board).map(|fields| fields.placement);
        let read = placement.and_then(|placement| {
            read_placement(&self.geometry, &placement, |unit, cell, _| {
                if unit == "*" {
                    shown = Some(cell);
                }
                Ok(())
            })
        });
        let position = read.and_then(|()| self.parse_fen(&board.replace('*', piece.unit)));
        let position = position.expect("a piece is shown in a position");
        (position, shown.expect("`*` marks the piece that is shown"))
    }
}

/// Draws `position` and where the moves that `wanted` accepts lead.
fn draw(position: &Position, wanted: impl Fn(&str, &Move) -> bool) -> String {
    let mut marks = vec![None; position.game().geometry.cell_count()];
    for chosen in position.moves().expect("an example has moves that can be listed") {
        if wanted(&position.move_text(&chosen), &chosen) {
            let mark = if captures(position, &chosen) { 'x' } else { '*' };
            // A first step that only chooses what moves leads nowhere yet.
            let whole = chosen.steps().len() == 1;
            for step in chosen.steps().iter().filter(|step| whole || step.from() != step.to()) {
                marks[step.to().index()] = Some(mark);
            }
        }
    }
    let mark = |cell: Cell| match marks[cell.index()] {
        Some(mark) => mark.to_string(),
        None => position.unit(cell).unwrap_or_else(|| ".".to_owned()),
    };
    position.game().geometry.picture(mark).to_string()
}

/// Whether `chosen` takes something that stands on the board.
fn captures(position: &Position, chosen: &Move) -> bool {
    let enemy = position.side_to_move().other();
    let mut next = position.clone();
    next.play_move(chosen);
    let mut cells = position.game().geometry.cells();
    cells.any(|cell| position.side_at(cell) == Some(enemy) && next.side_at(cell) != Some(enemy))
}

/// `text` with its first letter in upper case.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}
