//! The boards there are, one constructor each.

use std::collections::HashMap;

use super::{Cell, Diagram, Geometry, Offset, Shape};

/// A cell before it has a number: coordinates and name.
type Place = ([u8; 4], String);

/// The lower-case letters that name `count` files.
fn letters(count: u8) -> &'static [u8] {
    b"abcdefghijklmnopqrstuvwxyz".get(..usize::from(count)).expect("a board has at most 26 files")
}

/// The offsets to all cells at most one step away along each of the first `axes` axes, the cell
/// itself included, the last axis slowest.
fn box_offsets(axes: usize) -> Vec<Offset> {
    let mut offsets = vec![[0; 4]];
    for axis in (0..axes).rev() {
        let along = |offset: &Offset| {
            let offset = *offset;
            [-1, 0, 1].map(|step| {
                let mut next = offset;
                next[axis] = step;
                next
            })
        };
        offsets = offsets.iter().flat_map(along).collect();
    }
    offsets
}

impl Geometry {
    /// A rectangle with one file for each letter of `files` and `ranks` ranks, cells `a1`, `b1`...
    ///
    /// # Panics
    /// If there is no file, no rank, or more than 26 of one: boards are written in the source.
    #[must_use]
    pub fn rectangle(files: &str, ranks: u8) -> Self {
        assert!((1..=26).contains(&files.len()) && (1..=26).contains(&ranks));
        let place = |rank: u8| {
            let name = move |(x, file)| ([x as u8, rank, 0, 0], format!("{file}{}", rank + 1));
            files.chars().enumerate().map(name).collect()
        };
        let rows = (0..ranks).rev().map(place).collect();
        Self::new(Shape::Rectangle, vec![(String::new(), rows)], &box_offsets(2))
    }

    /// Upright files of hexagons: `ranks[i]` cells in file number i, every second file, beginning
    /// with the second, half a cell higher than the first.
    ///
    /// Axis 0 counts files, axis 1 half cells of height (rulebook, brilliant).
    ///
    /// # Panics
    /// If there are more than 26 files.
    #[must_use]
    pub fn hexagonal(ranks: &[u8]) -> Self {
        let files = letters(ranks.len() as u8);
        let most = ranks.iter().copied().max().unwrap_or(0);
        let row = |rank: u8| {
            let files = ranks.iter().zip(files).enumerate().filter(|(_, (n, _))| rank < **n);
            let place = |(x, (_, &file)): (usize, (&u8, &u8))| {
                let height = 2 * rank + x as u8 % 2;
                ([x as u8, height, 0, 0], format!("{}{}", char::from(file), rank + 1))
            };
            files.map(place).collect()
        };
        let rows = (0..most).rev().map(row).collect();
        let around = [[0, 0], [0, 2], [0, -2], [1, 1], [1, -1], [-1, 1], [-1, -1]];
        let offsets = around.map(|[x, y]| [x, y, 0, 0]);
        Self::new(Shape::Hexagonal, vec![(String::new(), rows)], &offsets)
    }

    /// A box of `axes` axes, 3 or 4, of length `side`, drawn flat as a square of `width` files in
    /// blocks: the first two axes run inside a block, the others count blocks, along the ranks
    /// first (rulebook, cubic and nihongi).
    ///
    /// # Panics
    /// If the blocks do not make a square.
    #[must_use]
    pub fn blocks(side: u8, axes: usize, width: u8) -> Self {
        let across = width / side;
        assert_eq!(u32::from(width).pow(2), u32::from(side).pow(axes as u32));
        let coordinates = |file: u8, rank: u8| {
            let [z, w] = [file / side, rank / side];
            let [x, y] = [file % side, rank % side];
            if axes == 3 { [x, y, z + across * w, 0] } else { [x, y, z, w] }
        };
        let place = |rank: u8| {
            let files = letters(width).iter().zip(0..);
            let name = |&file: &u8| format!("{}{}", char::from(file), rank + 1);
            files.map(|(file, x)| (coordinates(x, rank), name(file))).collect()
        };
        let rows = (0..width).rev().map(place).collect();
        Self::new(Shape::Blocks(side), vec![(String::new(), rows)], &box_offsets(axes))
    }

    /// Two boards of `size` files and ranks, one above the other. Cells of the lower one are named
    /// as usual, those of the upper one with a capital letter; axis 2 is the board.
    ///
    /// # Panics
    /// If there are more than 26 files.
    #[must_use]
    pub fn pair(size: u8) -> Self {
        let board = |z: u8| {
            let row = move |rank: u8| {
                let place = move |(&file, x): (&u8, u8)| {
                    let file = if z == 0 { file } else { file.to_ascii_uppercase() };
                    ([x, rank, z, 0], format!("{}{}", char::from(file), rank + 1))
                };
                letters(size).iter().zip(0..).map(place).collect()
            };
            (0..size).rev().map(row).collect()
        };
        let parts = vec![("lower".to_owned(), board(0)), ("upper".to_owned(), board(1))];
        let mut geometry = Self::new(Shape::Pair, parts, &box_offsets(2));
        let across = |cell| {
            let [x, y, z, _] = geometry.coordinates(cell).map(i16::from);
            geometry.at([x, y, 1 - z, 0])
        };
        let complements = geometry.cells().map(across).collect();
        geometry.taps.push(complements);
        geometry
    }

    /// A cube of `size` layers, drawn layer by layer. Cells are named by the capital letter of
    /// their layer, file and rank, `Ab8`; the axes are file, rank and layer.
    ///
    /// # Panics
    /// If there are more than 9 layers: names have three characters.
    #[must_use]
    pub fn layers(size: u8) -> Self {
        assert!(size <= 9, "ranks have one digit");
        let layer = |(&layer, z): (&u8, u8)| {
            let layer = char::from(layer.to_ascii_uppercase());
            let row = |rank: u8| {
                let place = |(&file, x): (&u8, u8)| {
                    ([x, rank, z, 0], format!("{layer}{}{}", char::from(file), rank + 1))
                };
                letters(size).iter().zip(0..).map(place).collect()
            };
            (format!("layer {layer}"), (0..size).rev().map(row).collect())
        };
        let parts = letters(size).iter().zip(0..).map(layer).collect();
        Self::new(Shape::Layers, parts, &box_offsets(3))
    }

    /// A board of the places in `parts`: titled diagrams of rows, the topmost first. A tap goes by
    /// each of `offsets`.
    fn new(shape: Shape, parts: Vec<(String, Vec<Vec<Place>>)>, offsets: &[Offset]) -> Self {
        let mut places: Vec<&Place> =
            parts.iter().flat_map(|(_, rows)| rows.iter().flatten()).collect();
        places.sort_unstable_by_key(|([x, y, z, w], _)| [*w, *z, *y, *x]);
        let coordinates: Vec<_> = places.iter().map(|&&(at, _)| at).collect();
        let names: Vec<String> = places.iter().map(|(_, name)| name.clone()).collect();
        let extent = coordinates
            .iter()
            .fold([1; 4], |most: [u8; 4], at| std::array::from_fn(|i| most[i].max(at[i] + 1)));
        let by_name: HashMap<String, Cell> =
            names.iter().cloned().zip((0..).map(Cell::from_index)).collect();
        let numbered = |(title, rows): (String, Vec<Vec<Place>>)| {
            let cells = |row: Vec<Place>| row.iter().map(|(_, name)| by_name[name]).collect();
            Diagram { title, rows: rows.into_iter().map(cells).collect() }
        };
        let diagrams = parts.into_iter().map(numbered).collect();
        let mut points = vec![None; extent.iter().map(|&n| usize::from(n)).product()];
        for (number, at) in coordinates.iter().enumerate() {
            let index = at.iter().zip(extent).rev();
            let index = index.fold(0, |sum, (&x, n)| sum * usize::from(n) + usize::from(x));
            points[index] = Some(Cell::from_index(number));
        }
        let taps = Vec::new();
        let mut geometry =
            Self { shape, extent, coordinates, names, by_name, points, diagrams, taps };
        let tap = |&offset| geometry.cells().map(|c| geometry.shifted(c, offset, 1)).collect();
        geometry.taps = offsets.iter().map(tap).collect();
        geometry
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Geometry> {
        vec![
            Geometry::rectangle("abcdefghik", 10),
            Geometry::hexagonal(&[8, 7, 8, 7, 8, 7, 8, 7, 8]),
            Geometry::blocks(4, 3, 8),
            Geometry::blocks(3, 4, 9),
            Geometry::pair(8),
            Geometry::layers(9),
        ]
    }

    #[test]
    fn boards_have_their_cells() {
        let counts: Vec<_> = all().iter().map(Geometry::cell_count).collect();
        assert_eq!(counts, [100, 68, 64, 81, 128, 729]);
        let taps: Vec<_> = all().iter().map(|geometry| geometry.taps().len()).collect();
        assert_eq!(taps, [9, 7, 27, 81, 10, 27]);
    }

    #[test]
    fn names_coordinates_and_diagrams_agree() {
        for geometry in all() {
            for cell in geometry.cells() {
                let name = geometry.name(cell);
                assert_eq!(geometry.cell(name), Some(cell));
                assert_eq!(geometry.split_cell(&format!("{name}{name}")), Some((cell, name)));
                assert_eq!(geometry.at(geometry.coordinates(cell).map(i16::from)), Some(cell));
            }
            let mut written: Vec<_> =
                geometry.diagrams().iter().flat_map(|d| d.rows.iter().flatten()).collect();
            written.sort_unstable();
            assert!(written.into_iter().copied().eq(geometry.cells()));
        }
    }

    #[test]
    fn neighbours_are_mutual_and_each_cell_is_its_own() {
        for geometry in all() {
            let itself = geometry
                .taps()
                .iter()
                .filter(|tap| geometry.cells().all(|cell| tap[cell.index()] == Some(cell)));
            assert_eq!(itself.count(), 1);
            let pairs =
                |cell: Cell| geometry.taps().iter().filter_map(move |tap| tap[cell.index()]);
            for cell in geometry.cells() {
                assert!(pairs(cell).all(|other| pairs(other).any(|back| back == cell)));
            }
        }
    }

    #[test]
    fn the_rulebook_s_neighbours_touch() {
        let touch = |geometry: &Geometry, [a, b]: [&str; 2]| {
            let [a, b] = [a, b].map(|name| geometry.cell(name).expect("a cell"));
            geometry.taps().iter().any(|tap| tap[a.index()] == Some(b))
        };
        let [_, hexes, cubic, nihongi, bermuda, doseki] = &all()[..] else { unreachable!() };
        for pair in [["a1", "b1"], ["a2", "b1"], ["b1", "c2"], ["a1", "a2"], ["e8", "d7"]] {
            assert!(touch(hexes, pair), "{pair:?}");
        }
        assert!(!touch(hexes, ["a1", "b2"]) && !touch(hexes, ["a1", "c1"]));
        for pair in [["a1", "e1"], ["d4", "h4"], ["e1", "a5"]] {
            assert!(touch(cubic, pair), "{pair:?}");
        }
        assert!(!touch(cubic, ["d1", "e1"]));
        for pair in [["a1", "b1"], ["a1", "a2"], ["a1", "d1"], ["a1", "a4"]] {
            assert!(touch(nihongi, pair), "{pair:?}");
        }
        assert!(!touch(nihongi, ["c1", "d1"]));
        assert!(touch(bermuda, ["e4", "E4"]) && touch(bermuda, ["B3", "C3"]));
        assert!(!touch(bermuda, ["e4", "E5"]));
        assert!(touch(doseki, ["Aa1", "Bb2"]) && !touch(doseki, ["Aa1", "Ca1"]));
    }
}
