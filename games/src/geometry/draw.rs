//! [`Picture`]: boards in text.

use std::fmt;

use super::{Cell, Diagram, Geometry, Shape};

/// Diagrams that stand side by side.
const ABREAST: usize = 3;

/// A board in text that still knows which part of it belongs to which cell, so that whoever shows
/// it can colour cells. Its `Display` is the plain text.
#[derive(Debug, Clone)]
pub struct Picture {
    lines: Vec<Vec<Span>>,
}

/// A stretch of a line of a [`Picture`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Its text.
    pub text: String,
    /// The cell that the text stands for; none for names of cells and what is between them.
    pub cell: Option<Cell>,
}

impl Picture {
    /// The lines from the top, without blanks at their ends.
    #[must_use]
    pub fn lines(&self) -> &[Vec<Span>] {
        &self.lines
    }

    /// Puts a line of text below.
    pub(crate) fn push_line(&mut self, text: &str) {
        self.lines.push(vec![Span { text: text.to_owned(), cell: None }]);
    }
}

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            line.iter().try_for_each(|span| f.write_str(&span.text))?;
            f.write_str("\n")?;
        }
        Ok(())
    }
}

/// A line of a picture that is being drawn.
#[derive(Default, Clone)]
struct Line {
    spans: Vec<Span>,
    /// Characters so far.
    width: usize,
}

impl Line {
    fn push(&mut self, text: &str, cell: Option<Cell>) {
        if !text.is_empty() {
            self.width += text.chars().count();
            self.spans.push(Span { text: text.to_owned(), cell });
        }
    }

    fn blanks(&mut self, number: usize) {
        self.push(&" ".repeat(number), None);
    }

    /// The mark of `cell` behind a blank, in a column of this width.
    fn cell(&mut self, cell: Cell, mark: &str, width: usize) {
        self.blanks(1);
        self.push(mark, Some(cell));
        self.blanks(width.saturating_sub(mark.chars().count()));
    }

    fn append(&mut self, other: &Self) {
        self.width += other.width;
        self.spans.extend_from_slice(&other.spans);
    }

    /// Cuts the blanks at its end off.
    fn trim(&mut self) {
        while let Some(last) = self.spans.last_mut() {
            let blanks = last.text.len() - last.text.trim_end_matches(' ').len();
            last.text.truncate(last.text.len() - blanks);
            self.width -= blanks;
            if !last.text.is_empty() {
                break;
            }
            self.spans.pop();
        }
    }
}

impl Geometry {
    /// Draws the board, the last rank on top, with `mark(cell)` in each cell.
    #[must_use]
    pub fn picture(&self, mark: impl Fn(Cell) -> String) -> Picture {
        let marks: Vec<String> = self.cells().map(mark).collect();
        let width = marks.iter().map(|mark| mark.chars().count()).max().unwrap_or(0);
        let drawn: Vec<Vec<Line>> =
            self.diagrams.iter().map(|part| self.drawn(part, &marks, width)).collect();
        let mut lines = Vec::new();
        for (band, drawn) in drawn.chunks(ABREAST).enumerate() {
            if band > 0 {
                lines.push(Line::default());
            }
            lines.extend(abreast(drawn));
        }
        Picture { lines: lines.into_iter().map(|line| line.spans).collect() }
    }

    /// The lines of one diagram: its title, the ranks, an empty line and the files.
    fn drawn(&self, part: &Diagram, marks: &[String], width: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        if !part.title.is_empty() {
            let mut title = Line::default();
            title.push(&format!("     {}", part.title), None);
            lines.push(title);
        }
        for row in self.drawn_rows(part) {
            let mut line = Line::default();
            line.push(&format!("{:>3} ", self.rank(row[0])), None);
            let mut at = 0;
            for &cell in &row {
                let column = usize::from(self.column(part, cell));
                line.blanks((column - at) * (width + 1) + self.gap(at, column));
                line.cell(cell, &marks[cell.index()], width);
                at = column + 1;
            }
            if self.between_blocks(part, row[0]) {
                lines.push(Line::default());
            }
            lines.push(line);
        }
        lines.push(Line::default());
        lines.push(self.files(part, width));
        lines.iter_mut().for_each(Line::trim);
        lines
    }

    /// The letters below a diagram.
    fn files(&self, part: &Diagram, width: usize) -> Line {
        let mut line = Line::default();
        line.blanks(4);
        let lowest = part.rows.last().expect("a board has rows");
        for (column, &cell) in lowest.iter().enumerate() {
            let file = self.name(cell).trim_end_matches(|c: char| c.is_ascii_digit());
            let file = file.chars().next_back().expect("names begin with a letter");
            line.blanks(self.gap(column, column));
            line.push(&format!(" {file:<width$}"), None);
        }
        line
    }

    /// The rows as they are drawn: on hexagons those of equal height, else those of equal rank.
    fn drawn_rows(&self, part: &Diagram) -> Vec<Vec<Cell>> {
        if self.shape != Shape::Hexagonal {
            return part.rows.clone();
        }
        let height = |cell: Cell| self.coordinates(cell)[1];
        let at = |y| self.cells().filter(|&cell| height(cell) == y).collect::<Vec<_>>();
        (0..self.extent[1]).rev().map(at).filter(|row| !row.is_empty()).collect()
    }

    /// The place of `cell` in its row, from the left.
    fn column(&self, part: &Diagram, cell: Cell) -> u8 {
        match self.shape {
            Shape::Hexagonal | Shape::Rectangle | Shape::Pair | Shape::Layers => {
                self.coordinates(cell)[0]
            }
            Shape::Blocks(_) => {
                let row = part.rows.iter().find(|row| row.contains(&cell)).expect("a cell drawn");
                row.iter().position(|&other| other == cell).expect("found above") as u8
            }
        }
    }

    /// Spaces before the cell in `column` where a block begins; `at` is the first column not yet
    /// drawn.
    fn gap(&self, at: usize, column: usize) -> usize {
        match self.shape {
            Shape::Blocks(side) if at == column && column > 0 => {
                usize::from(column.is_multiple_of(usize::from(side)))
            }
            _ => 0,
        }
    }

    /// Whether a row of blocks ended above the row of `cell`.
    fn between_blocks(&self, part: &Diagram, cell: Cell) -> bool {
        let Shape::Blocks(side) = self.shape else { return false };
        let row = part.rows.iter().position(|row| row.contains(&cell)).expect("a cell drawn");
        row > 0 && row % usize::from(side) == 0
    }
}

/// Puts diagrams of equally many lines next to each other.
fn abreast(diagrams: &[Vec<Line>]) -> Vec<Line> {
    let [first, rest @ ..] = diagrams else { return Vec::new() };
    let width = diagrams.iter().flatten().map(|line| line.width).max().unwrap_or(0) + 1;
    let mut lines = first.clone();
    for (i, line) in lines.iter_mut().enumerate() {
        for (n, diagram) in rest.iter().enumerate() {
            line.blanks((n + 1) * width - line.width);
            line.append(&diagram[i]);
        }
        line.trim();
    }
    lines
}
