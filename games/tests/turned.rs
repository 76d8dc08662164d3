//! A position with its board mapped onto itself, written and read as a position string: the way
//! that knows nothing of the tables behind `colour_turn` and `symmetries`.

use std::collections::HashMap;

use games::{Cell, Features, Game, Geometry, History, Outcome, Position, Side, State, Step};

/// Where the sides' change of places does more to rights than to change their case: the game, all
/// letters in their order, and what becomes of each.
const TURNED_RIGHTS: [(&str, &str, &str); 1] = [("bermuda", "AHOEahoe", "haeoHAEO")];

/// A map of the board onto itself that may swap the sides.
pub(crate) struct Map {
    pub(crate) cells: Vec<Cell>,
    pub(crate) swaps_sides: bool,
}

impl Map {
    /// The steps of `position`, each with its image among those of `twin`, the image of `position`.
    /// `played` is the text of the move under way in `position`.
    pub(crate) fn steps(
        &self,
        position: &Position,
        twin: &Position,
        played: &str,
    ) -> Vec<(Step, Step)> {
        let own = all_steps(position);
        if position.game().family != "polyforms" {
            let cell = |cell: Cell| self.cells[cell.index()];
            let image = |step: Step| Step::new(step.kind(), cell(step.from()), cell(step.to()));
            return own.into_iter().map(|step| (step, image(step))).collect();
        }
        // The image of a piece of several cells has another kind and another lowest cell.
        let text = |position: &Position, step| {
            let mut text = String::new();
            position.write_step(step, &mut text);
            text
        };
        let images: HashMap<String, Step> =
            all_steps(twin).into_iter().map(|step| (text(twin, step), step)).collect();
        let image = |step| {
            let text = self.image_of_text(&position.game().geometry, played, &text(position, step));
            let image = images.get(&text);
            *image.unwrap_or_else(|| panic!("no {text} in {}: {played}", twin.fen()))
        };
        own.into_iter().map(|step| (step, image(step))).collect()
    }

    /// The image of the text of a step that goes on with `played`: the cells of a piece joined by
    /// `+`, with `*2` behind some; `-` and where its lowest cell goes; or `P*` and a cell.
    fn image_of_text(&self, geometry: &Geometry, played: &str, text: &str) -> String {
        let cell = |name| geometry.cell(name).expect("a cell");
        let image = |cell: Cell| self.cells[cell.index()];
        if let Some(dropped) = text.strip_prefix("P*") {
            return format!("P*{}", geometry.name(image(cell(dropped))));
        }
        let piece = if played.is_empty() { text } else { played };
        let parts = piece.split('+').map(|part| {
            let name = part.trim_end_matches("*2");
            (cell(name), &part[name.len()..])
        });
        if let Some(goal) = text.strip_prefix('-') {
            let lowest = parts.clone().map(|(cell, _)| cell).min().expect("a piece has cells");
            let coordinates = |cell| geometry.coordinates(cell).map(i16::from);
            let (from, to) = (coordinates(lowest), coordinates(cell(goal)));
            let ends = parts.map(|(cell, _)| {
                let at = coordinates(cell);
                let end = std::array::from_fn(|axis| at[axis] + to[axis] - from[axis]);
                image(geometry.at(end).expect("a piece stays on the board"))
            });
            return format!("-{}", geometry.name(ends.min().expect("a piece has cells")));
        }
        let mut images: Vec<_> = parts.map(|(cell, checkers)| (image(cell), checkers)).collect();
        images.sort_unstable();
        let words = images.iter().map(|&(cell, n)| format!("{}{n}", geometry.name(cell)));
        words.collect::<Vec<_>>().join("+")
    }

    pub(crate) fn side(&self, side: Side) -> Side {
        if self.swaps_sides { side.other() } else { side }
    }

    pub(crate) fn outcome(&self, outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Win(side) => Outcome::Win(self.side(side)),
            Outcome::Draw => Outcome::Draw,
        }
    }

    /// The position string of the image of `position`. The move number stays as it is.
    pub(crate) fn fen(&self, position: &Position) -> String {
        let geometry = &position.game().geometry;
        let fen = position.fen();
        let fields: Vec<&str> = fen.split(' ').collect();
        let image = |cells: &str| self.image_of_cells(position, cells);
        let (letters, spent) = match fields[2].split_once(':') {
            Some((letters, cells)) => (letters, format!(":{}", image(cells))),
            None => (fields[2], String::new()),
        };
        let en_passant = if fields[3] == "-" { "-".to_owned() } else { image(fields[3]) };
        let side = if position.side_to_move() == Side::White { "w" } else { "b" };
        assert_eq!(fields[1], side);
        let mut placement = vec![None; geometry.cell_count()];
        for (cell, unit) in units(geometry, fields[0]) {
            placement[self.cells[cell.index()].index()] = Some(self.recased(&unit));
        }
        format!(
            "{} {} {}{spent} {en_passant} {} {} {}",
            placement_text(geometry, &placement),
            if self.side(position.side_to_move()) == Side::White { 'w' } else { 'b' },
            self.rights(position.game(), letters),
            self.ordered(fields[4]),
            fields[5],
            fields[6],
        )
    }

    /// The images of cells written one after the other, in the order of their numbers.
    fn image_of_cells(&self, position: &Position, mut text: &str) -> String {
        let geometry = &position.game().geometry;
        let mut cells = Vec::new();
        while let Some((cell, rest)) = geometry.split_cell(text) {
            cells.push(self.cells[cell.index()]);
            text = rest;
        }
        assert_eq!(text, "", "only cells");
        cells.sort_unstable();
        cells.into_iter().map(|cell| geometry.name(cell)).collect()
    }

    /// The images of cells separated by commas, in the order in which diagrams are written from
    /// White's side.
    fn image_of_list(&self, geometry: &Geometry, list: &str) -> String {
        let cell = |name: &str| geometry.cell(name).expect("a cell");
        let images: Vec<Cell> =
            list.split(',').map(|name| self.cells[cell(name).index()]).collect();
        let rows = geometry.diagrams().iter().flat_map(|part| part.rows.iter().rev());
        let written = rows.flatten().filter(|cell| images.contains(cell));
        written.map(|&cell| geometry.name(cell)).collect::<Vec<_>>().join(",")
    }

    fn recased(&self, text: &str) -> String {
        let other = |c: char| match c {
            '(' => '[',
            '[' => '(',
            ')' => ']',
            ']' => ')',
            c if text.starts_with(['(', '[']) => c,
            c if c.is_ascii_lowercase() => c.to_ascii_uppercase(),
            c => c.to_ascii_lowercase(),
        };
        if self.swaps_sides { text.chars().map(other).collect() } else { text.to_owned() }
    }

    /// The image of a rights field, without the cells of spent pawns.
    fn rights(&self, game: &Game, text: &str) -> String {
        if text.contains(|c: char| c.is_ascii_digit()) {
            return self.image_of_list(&game.geometry, text);
        }
        let turned = TURNED_RIGHTS.iter().find(|(id, ..)| *id == game.id && self.swaps_sides);
        let Some((_, all, images)) = turned.filter(|_| text != "-") else {
            return self.ordered(text);
        };
        let kept = |&letter: &char| {
            let (from, _) = all.chars().zip(images.chars()).find(|&(_, to)| to == letter).unwrap();
            text.contains(from)
        };
        all.chars().filter(kept).collect()
    }

    /// `text` recased, White's letters before Black's, each with the number in front of it.
    fn ordered(&self, text: &str) -> String {
        let text = self.recased(text);
        let units = text.split_inclusive(|c: char| !c.is_ascii_digit());
        let (black, white): (Vec<&str>, Vec<&str>) =
            units.partition(|unit| unit.ends_with(|c: char| c.is_ascii_lowercase()));
        white.concat() + &black.concat()
    }
}

/// The half turn for Black and the symmetries that hold in `position`.
pub(crate) fn maps(position: &Position) -> Vec<Map> {
    let game = position.game();
    let turn = &game.colour_turn;
    let mut maps = vec![Map { cells: turn.clone(), swaps_sides: true }];
    for symmetry in game.symmetries.iter().filter(|symmetry| symmetry.holds(position)) {
        let cells = match position.side_to_move() {
            Side::White => symmetry.cells.clone(),
            // The map is one of the board as the mover sees it, playing up.
            Side::Black => {
                turn.iter().map(|&cell| turn[symmetry.cells[cell.index()].index()]).collect()
            }
        };
        maps.push(Map { cells, swaps_sides: false });
    }
    maps
}

/// All legal steps, in generation order.
pub(crate) fn all_steps(state: &impl State) -> Vec<Step> {
    let mut steps = Vec::new();
    state.steps(&mut steps);
    steps
}

/// The units of a placement, and where they stand.
pub(crate) fn units(geometry: &Geometry, placement: &str) -> Vec<(Cell, String)> {
    let mut units = Vec::new();
    for (diagram, text) in geometry.diagrams().iter().zip(placement.split('|')) {
        for (row, text) in diagram.rows.iter().zip(text.split('/')) {
            let mut column = 0;
            let mut rest = text;
            while !rest.is_empty() {
                let end = match rest.as_bytes()[0] {
                    b'0'..=b'9' => rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()),
                    b'(' | b'[' => rest.find([')', ']']).expect("brackets are closed") + 1,
                    b'+' => 2,
                    _ => 1,
                };
                match rest[..end].parse::<usize>() {
                    Ok(run) => column += run,
                    Err(_) => {
                        units.push((row[column], rest[..end].to_owned()));
                        column += 1;
                    }
                }
                rest = &rest[end..];
            }
        }
    }
    units
}

/// The placement field with a unit, or none, on each cell.
pub(crate) fn placement_text(geometry: &Geometry, placement: &[Option<String>]) -> String {
    let parts = geometry.diagrams().iter().map(|diagram| {
        let rows = diagram.rows.iter().map(|row| row_text(row, placement));
        rows.collect::<Vec<_>>().join("/")
    });
    parts.collect::<Vec<_>>().join("|")
}

/// A row of a placement.
fn row_text(row: &[Cell], placement: &[Option<String>]) -> String {
    let mut text = String::new();
    let mut run = 0;
    for cell in row {
        match &placement[cell.index()] {
            None => run += 1,
            Some(unit) => {
                if run > 0 {
                    text.push_str(&run.to_string());
                }
                run = 0;
                text.push_str(unit);
            }
        }
    }
    if run > 0 {
        text.push_str(&run.to_string());
    }
    text
}

/// The features of a state in an order that does not depend on how they were collected.
pub(crate) fn features(history: &History) -> Features {
    let mut features = Features::default();
    history.features(&mut features);
    sorted(&features)
}

/// As [`features`], of any features.
pub(crate) fn sorted(features: &Features) -> Features {
    let (mut marks, mut fills) = (features.marks().to_vec(), features.fills().to_vec());
    marks.sort_unstable();
    fills.sort_unstable_by_key(|&(plane, _)| plane);
    let mut sorted = Features::default();
    marks.into_iter().for_each(|(plane, cell)| sorted.mark(plane.into(), cell));
    fills.into_iter().for_each(|(plane, value)| sorted.fill(plane.into(), value));
    sorted
}
