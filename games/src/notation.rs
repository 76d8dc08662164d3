//! Reading and writing position strings, shared by all families.

use crate::geometry::Diagram;
use crate::turn::{MOST_COUNTED, Turn};
use crate::{Cell, CellSet, Geometry, Side};

/// A position string that is none, with the place of the fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("bad FEN, column {column} ({field}): {problem}")]
pub struct FenError {
    /// Which of the seven fields is at fault.
    pub field: &'static str,
    /// Where the fault is, counted in characters from 1.
    pub column: usize,
    /// What is wrong and what was expected.
    pub problem: String,
}

/// One field of a position string and where it stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field<'t> {
    name: &'static str,
    pub(crate) text: &'t str,
    column: usize,
}

impl Field<'_> {
    /// The error that `problem` is wrong with this field as a whole.
    pub(crate) fn error(&self, problem: impl Into<String>) -> FenError {
        self.error_at(0, problem)
    }

    /// The error that `problem` is wrong at byte `offset` of this field.
    pub(crate) fn error_at(&self, offset: usize, problem: impl Into<String>) -> FenError {
        let before = self.text.get(..offset).map_or(offset, |text| text.chars().count());
        FenError { field: self.name, column: self.column + before, problem: problem.into() }
    }

    /// The error unless the field is `-`.
    pub(crate) fn expect_dash(&self) -> Result<(), FenError> {
        if self.text == "-" {
            return Ok(());
        }
        Err(self.error(format!("expected `-`, found `{}`", self.text)))
    }

    /// The cell that the field names; none if it is `-`.
    pub(crate) fn cell(&self, geometry: &Geometry) -> Result<Option<Cell>, FenError> {
        match geometry.cell(self.text) {
            None if self.text != "-" => {
                Err(self.error(format!("expected a cell or `-`, found `{}`", self.text)))
            }
            found => Ok(found),
        }
    }

    /// The field as a counter from `least` to [`MOST_COUNTED`].
    fn number(&self, least: u16) -> Result<u16, FenError> {
        let digits = !self.text.is_empty() && self.text.bytes().all(|b| b.is_ascii_digit());
        match self.text.parse() {
            Ok(number) if digits && (least..=MOST_COUNTED).contains(&number) => Ok(number),
            _ => Err(self.error(format!(
                "expected a whole number from {least} to {MOST_COUNTED}, found `{}`",
                self.text
            ))),
        }
    }
}

/// The seven fields of a position string, split but not yet understood.
#[derive(Debug)]
pub(crate) struct Fields<'t> {
    pub(crate) placement: Field<'t>,
    pub(crate) turn: Turn,
    pub(crate) rights: Field<'t>,
    pub(crate) en_passant: Field<'t>,
    pub(crate) hands: Field<'t>,
}

const FIELD_NAMES: [&str; 7] =
    ["placement", "side to move", "rights", "en passant", "hands", "halfmove", "fullmove"];

impl<'t> Fields<'t> {
    /// Splits `text` at single spaces. Six fields are taken too, as in chess programs: the hands
    /// are then empty.
    pub(crate) fn split(text: &'t str) -> Result<Self, FenError> {
        let words: Vec<(usize, &str)> = {
            let mut column = 1;
            let with_columns = |word: &'t str| {
                let at = column;
                column += word.chars().count() + 1;
                (at, word)
            };
            text.trim_ascii().split(' ').map(with_columns).collect()
        };
        let names: Vec<&'static str> = match words.len() {
            7 => FIELD_NAMES.to_vec(),
            6 => FIELD_NAMES.into_iter().filter(|&name| name != "hands").collect(),
            found => {
                let (column, _) = words.get(7).or(words.last()).copied().unwrap_or((1, ""));
                let field = FIELD_NAMES[found.clamp(1, 7) - 1];
                let problem =
                    format!("expected 7 fields separated by single spaces, found {found}");
                return Err(FenError { field, column, problem });
            }
        };
        let field = |wanted: &'static str| match names.iter().position(|&name| name == wanted) {
            Some(i) => Field { name: wanted, text: words[i].1, column: words[i].0 },
            None => Field { name: wanted, text: "-", column: 1 },
        };
        let side = field("side to move");
        let side = match side.text {
            "w" => Side::White,
            "b" => Side::Black,
            other => return Err(side.error(format!("expected `w` or `b`, found `{other}`"))),
        };
        Ok(Self {
            placement: field("placement"),
            turn: Turn {
                side,
                clock: field("halfmove").number(0)?,
                fullmove: field("fullmove").number(1)?,
            },
            rights: field("rights"),
            en_passant: field("en passant"),
            hands: field("hands"),
        })
    }
}

/// Reads a placement: the diagrams of the board separated by `|`, each row by row from the top,
/// rows separated by `/`, runs of empty cells as decimal numbers. Calls `place` with the text of
/// each unit, its cell and its byte in the field. A unit is a letter, a letter behind `+`, or
/// anything between brackets, these included.
pub(crate) fn read_placement(
    geometry: &Geometry,
    field: &Field<'_>,
    mut place: impl FnMut(&str, Cell, usize) -> Result<(), FenError>,
) -> Result<(), FenError> {
    let diagrams = geometry.diagrams();
    let parts = field.text.split('|').count();
    if parts != diagrams.len() {
        let problem = format!("expected {} diagrams, found {parts}", diagrams.len());
        return Err(field.error(problem));
    }
    let mut offset = 0;
    for (text, Diagram { title, rows }) in field.text.split('|').zip(diagrams) {
        let found = text.split('/').count();
        if found != rows.len() {
            let of =
                if title.is_empty() { String::new() } else { format!(" of the {title} board") };
            let problem = format!("expected {} ranks{of}, found {found}", rows.len());
            return Err(field.error_at(offset, problem));
        }
        for (text, row) in text.split('/').zip(rows) {
            read_row(geometry, field, (text, offset), row, &mut place)?;
            offset += text.len() + 1;
        }
    }
    Ok(())
}

/// Reads one row of a placement, `text`, which begins at byte `offset` of `field`.
fn read_row(
    geometry: &Geometry,
    field: &Field<'_>,
    (text, offset): (&str, usize),
    row: &[Cell],
    place: &mut impl FnMut(&str, Cell, usize) -> Result<(), FenError>,
) -> Result<(), FenError> {
    let (rank, cells) = (geometry.rank(row[0]), row.len());
    let too_long = |at| field.error_at(at, format!("rank {rank} has more than {cells} cells"));
    let mut column = 0;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let at = offset + text.len() - rest.len();
        if !first.is_ascii_digit() {
            let &cell = row.get(column).ok_or_else(|| too_long(at))?;
            let Some(unit) = first_unit(rest) else {
                return Err(field.error_at(at, "a bracket is not closed"));
            };
            place(unit, cell, at)?;
            column += 1;
            rest = &rest[unit.len()..];
            continue;
        }
        if first == '0' {
            return Err(field.error_at(at, "a run of empty cells does not begin with 0"));
        }
        let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let run = &rest[..rest.len() - after.len()];
        column = column.saturating_add(run.parse().unwrap_or(usize::MAX));
        if column > cells {
            return Err(too_long(at));
        }
        rest = after;
    }
    if column < cells {
        return Err(field.error_at(offset, format!("rank {rank} has {column} of {cells} cells")));
    }
    Ok(())
}

/// The unit that `text` begins with; none if its bracket is not closed.
fn first_unit(text: &str) -> Option<&str> {
    let first = text.chars().next()?;
    let length = match first {
        '(' => text.find(')')? + 1,
        '[' => text.find(']')? + 1,
        '+' => 1 + text[1..].chars().next().map_or(0, char::len_utf8),
        letter => letter.len_utf8(),
    };
    Some(&text[..length])
}

/// Appends the placement field. `write_unit` appends what stands on a cell, and nothing if that is
/// nothing.
pub(crate) fn write_placement(
    geometry: &Geometry,
    write_unit: impl Fn(Cell, &mut String),
    into: &mut String,
) {
    let mut unit = String::new();
    for (part, diagram) in geometry.diagrams().iter().enumerate() {
        if part > 0 {
            into.push('|');
        }
        for (number, row) in diagram.rows.iter().enumerate() {
            if number > 0 {
                into.push('/');
            }
            let mut run = 0;
            for (column, &cell) in row.iter().enumerate() {
                unit.clear();
                write_unit(cell, &mut unit);
                if unit.is_empty() {
                    run += 1;
                }
                if run > 0 && (!unit.is_empty() || column + 1 == row.len()) {
                    into.push_str(&run.to_string());
                    run = 0;
                }
                into.push_str(&unit);
            }
        }
    }
}

/// Reads `text`, the beginning of `field`: some of the letters of `all` in their order, or `-` for
/// none. Calls `found` with the number of each and its byte in the field.
pub(crate) fn read_letters(
    field: &Field<'_>,
    text: &str,
    all: &str,
    mut found: impl FnMut(usize, usize) -> Result<(), FenError>,
) -> Result<(), FenError> {
    if text.is_empty() {
        return Err(field.error("expected rights or `-`"));
    }
    if all.is_empty() && text != "-" {
        return Err(field.error(format!("expected `-`, found `{text}`")));
    }
    let mut rest = all.chars().enumerate();
    for (at, letter) in text.char_indices().filter(|_| text != "-") {
        let Some((number, _)) = rest.find(|&(_, other)| other == letter) else {
            let problem = format!("expected some of `{all}` in this order, or `-`");
            return Err(field.error_at(at, problem));
        };
        found(number, at)?;
    }
    Ok(())
}

/// Reads what stands behind the colon of the rights `field`, from byte `start` on: in their order
/// the cells of the pieces called `name` that have had their first move and stand on a cell where
/// one has it, which are some of `at_home`.
pub(crate) fn read_spent<const W: usize>(
    geometry: &Geometry,
    field: &Field<'_>,
    start: usize,
    name: &str,
    at_home: CellSet<W>,
) -> Result<CellSet<W>, FenError> {
    let mut spent = CellSet::EMPTY;
    let mut rest = &field.text[start..];
    let mut last = None;
    while !rest.is_empty() || last.is_none() {
        let error = |problem| Err(field.error_at(field.text.len() - rest.len(), problem));
        let Some((cell, after)) = geometry.split_cell(rest) else {
            return error(format!("expected the cell of a spent {name}"));
        };
        if !at_home.has(cell) {
            let cell = geometry.name(cell);
            return error(format!("no {name} stands on {cell}, or not one that starts there"));
        }
        if last.is_some_and(|last| last >= cell) {
            return error(format!(
                "spent {name}s are ordered by rank, then file, each of them once"
            ));
        }
        spent.insert(cell);
        last = Some(cell);
        rest = after;
    }
    Ok(spent)
}

/// The letter of `unit` if it is one letter only, in upper case, and the side it belongs to.
pub(crate) fn letter_and_side(unit: &str) -> Option<(char, Side)> {
    let mut letters = unit.chars();
    let letter = letters.next().filter(|_| letters.as_str().is_empty())?;
    let side = if letter.is_ascii_lowercase() { Side::Black } else { Side::White };
    Some((letter.to_ascii_uppercase(), side))
}

/// `letter` in the case of `side`: upper for White.
pub(crate) fn cased(letter: char, side: Side) -> char {
    match side {
        Side::White => letter,
        Side::Black => letter.to_ascii_lowercase(),
    }
}
