//! Boards in text.

use std::iter::repeat_n;

use super::{Cell, Diagram, Geometry, Shape};

/// Diagrams that stand side by side.
const ABREAST: usize = 3;

impl Geometry {
    /// Draws the board in text, the last rank on top, with `mark(cell)` in each cell.
    #[must_use]
    pub fn draw(&self, mark: impl Fn(Cell) -> String) -> String {
        let marks: Vec<String> = self.cells().map(mark).collect();
        let width = marks.iter().map(|mark| mark.chars().count()).max().unwrap_or(0);
        let pictures: Vec<Vec<String>> =
            self.diagrams.iter().map(|part| self.picture(part, &marks, width)).collect();
        let mut text = String::new();
        for (band, pictures) in pictures.chunks(ABREAST).enumerate() {
            if band > 0 {
                text.push('\n');
            }
            text.push_str(&abreast(pictures));
        }
        text
    }

    /// The lines of one diagram: its title, the ranks, an empty line and the files.
    fn picture(&self, part: &Diagram, marks: &[String], width: usize) -> Vec<String> {
        let mut lines = Vec::new();
        if !part.title.is_empty() {
            lines.push(format!("     {}", part.title));
        }
        let lowest = part.rows.last().expect("a board has rows");
        for row in self.drawn_rows(part) {
            let mut line = format!("{:>3} ", self.rank(row[0]));
            let mut at = 0;
            for &cell in &row {
                let column = usize::from(self.column(part, cell));
                line.extend(repeat_n(' ', (column - at) * (width + 1) + self.gap(at, column)));
                line.push_str(&format!(" {:<width$}", marks[cell.index()]));
                at = column + 1;
            }
            if self.between_blocks(part, row[0]) {
                lines.push(String::new());
            }
            lines.push(line.trim_end().to_owned());
        }
        let mut files = "    ".to_owned();
        for (column, &cell) in lowest.iter().enumerate() {
            let file = self.name(cell).trim_end_matches(|c: char| c.is_ascii_digit());
            let file = file.chars().next_back().expect("names begin with a letter");
            files.extend(repeat_n(' ', self.gap(column, column)));
            files.push_str(&format!(" {file:<width$}"));
        }
        lines.push(String::new());
        lines.push(files.trim_end().to_owned());
        lines
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

/// Puts pictures of equally many lines next to each other.
fn abreast(pictures: &[Vec<String>]) -> String {
    let [first, rest @ ..] = pictures else { return String::new() };
    let width = pictures.iter().flatten().map(|line| line.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (i, line) in first.iter().enumerate() {
        let mut whole = line.clone();
        for (n, picture) in rest.iter().enumerate() {
            let used = whole.chars().count();
            whole.extend(repeat_n(' ', (n + 1) * (width + 1) - used.min((n + 1) * (width + 1))));
            whole.push_str(&picture[i]);
        }
        text.push_str(whole.trim_end());
        text.push('\n');
    }
    text
}
