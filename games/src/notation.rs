//! Reading and writing position strings, shared by all families.

use crate::{Cell, Geometry, Side};

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

/// Where the counters of a position string stop.
pub(crate) const MOST_COUNTED: u16 = 9999;

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
    pub(crate) side: Side,
    pub(crate) rights: Field<'t>,
    pub(crate) en_passant: Field<'t>,
    pub(crate) hands: Field<'t>,
    pub(crate) halfmove: u16,
    pub(crate) fullmove: u16,
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
        Ok(Self {
            placement: field("placement"),
            side: match side.text {
                "w" => Side::White,
                "b" => Side::Black,
                other => return Err(side.error(format!("expected `w` or `b`, found `{other}`"))),
            },
            rights: field("rights"),
            en_passant: field("en passant"),
            hands: field("hands"),
            halfmove: field("halfmove").number(0)?,
            fullmove: field("fullmove").number(1)?,
        })
    }
}

/// Reads a placement of a board drawn in files and ranks, the last rank first, runs of empty cells
/// as decimal numbers, and calls `place` with each letter, its cell and its byte in the field.
pub(crate) fn read_placement(
    geometry: &Geometry,
    field: &Field<'_>,
    mut place: impl FnMut(char, Cell, usize) -> Result<(), FenError>,
) -> Result<(), FenError> {
    let (files, ranks) = (usize::from(geometry.extent()[0]), usize::from(geometry.extent()[1]));
    let rows = field.text.split('/').count();
    if rows != ranks {
        return Err(field.error(format!("expected {ranks} ranks, found {rows}")));
    }
    let mut offset = 0;
    for (row, text) in field.text.split('/').enumerate() {
        let rank = ranks - 1 - row;
        let too_long =
            |at| field.error_at(at, format!("rank {} has more than {files} cells", rank + 1));
        let mut file = 0;
        let mut rest = text.char_indices().peekable();
        while let Some((i, c)) = rest.next() {
            let at = offset + i;
            let Some(digit) = c.to_digit(10) else {
                if file == files {
                    return Err(too_long(at));
                }
                place(c, Cell::from_index(rank * files + file), at)?;
                file += 1;
                continue;
            };
            let mut run = digit as usize;
            while let Some(next) = rest.peek().and_then(|&(_, c)| c.to_digit(10)) {
                run = (run * 10 + next as usize).min(files + 1);
                rest.next();
            }
            if digit == 0 {
                return Err(field.error_at(at, "a run of empty cells does not begin with 0"));
            }
            file += run;
            if file > files {
                return Err(too_long(at));
            }
        }
        if file < files {
            let problem = format!("rank {} has {file} of {files} cells", rank + 1);
            return Err(field.error_at(offset, problem));
        }
        offset += text.len() + 1;
    }
    Ok(())
}

/// Appends the placement field of a board drawn in files and ranks.
pub(crate) fn write_placement(
    geometry: &Geometry,
    letter: impl Fn(Cell) -> Option<char>,
    into: &mut String,
) {
    let (files, ranks) = (usize::from(geometry.extent()[0]), usize::from(geometry.extent()[1]));
    for rank in (0..ranks).rev() {
        let mut run = 0;
        for file in 0..files {
            let letter = letter(Cell::from_index(rank * files + file));
            if letter.is_none() {
                run += 1;
            }
            if run > 0 && (letter.is_some() || file + 1 == files) {
                into.push_str(&run.to_string());
                run = 0;
            }
            into.extend(letter);
        }
        if rank > 0 {
            into.push('/');
        }
    }
}

/// The letter of the side to move in a position string.
pub(crate) fn side_letter(side: Side) -> char {
    match side {
        Side::White => 'w',
        Side::Black => 'b',
    }
}

/// `letter` in the case of `side`: upper for White.
pub(crate) fn cased(letter: char, side: Side) -> char {
    match side {
        Side::White => letter,
        Side::Black => letter.to_ascii_lowercase(),
    }
}
