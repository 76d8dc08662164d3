//! Drawings of shapes, and the orientations of a shape.

use std::collections::BTreeSet;

/// The checkers of one cell of an arrangement. The order is that of the cells of a board: layer,
/// rank, file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// Layer, rank and file, counted from the lowest that the arrangement reaches.
    at: [i8; 3],
    pub(super) checkers: u8,
}

impl Place {
    /// Where it is, as an offset from the corner of the box around the arrangement.
    pub(super) const fn offset(self) -> [i8; 4] {
        let [layer, rank, file] = self.at;
        [file, rank, layer, 0]
    }
}

/// An arrangement of checkers: its cells in the order of the board's.
pub(super) type Arrangement = Vec<Place>;

/// Reads a drawing ([`super::Shape::drawing`]).
///
/// # Panics
/// If it is none: drawings are written in the source.
pub(super) fn read(drawing: &str) -> Arrangement {
    let mut places = Vec::new();
    for (layer, rows) in (0..).zip(drawing.split('|')) {
        for (rank, row) in (0..).zip(rows.rsplit('/')) {
            for (file, letter) in (0..).zip(row.chars()).filter(|&(_, letter)| letter != '.') {
                let checkers = letter.to_digit(10).expect("a drawing is made of digits and dots");
                places.push(Place { at: [layer, rank, file], checkers: checkers as u8 });
            }
        }
    }
    assert!(!places.is_empty(), "a shape has a cell");
    normal(places)
}

/// Draws an arrangement as [`read`] reads it.
pub(super) fn draw(places: &Arrangement) -> String {
    let [layers, ranks, files] = extent(places);
    let cell = |at| {
        let place = places.iter().find(|place| place.at == at);
        place.map_or('.', |place| char::from(b'0' + place.checkers))
    };
    let row = |layer, rank| (0..files).map(|file| cell([layer, rank, file])).collect::<String>();
    let rows = |layer| (0..ranks).rev().map(|rank| row(layer, rank)).collect::<Vec<_>>().join("/");
    (0..layers).map(rows).collect::<Vec<_>>().join("|")
}

/// The size of the box around an arrangement: layers, ranks, files.
pub(super) fn extent(places: &Arrangement) -> [i8; 3] {
    let along = |axis: usize| places.iter().map(|place| place.at[axis] + 1).max().unwrap_or(0);
    std::array::from_fn(along)
}

/// All different rotations and reflections of an arrangement on a board of `axes` axes, 2 or 3, in
/// a fixed order.
pub(super) fn orientations(places: &Arrangement, axes: usize) -> Vec<Arrangement> {
    /// Which axis (of layer, rank, file) each axis of the image comes from.
    const ORDERS: [[usize; 3]; 6] =
        [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let orders = ORDERS.into_iter().filter(|order| axes == 3 || order[0] == 0);
    let images = orders.flat_map(|order| {
        (0..1 << axes).map(move |mirrored: i32| {
            let coordinate = |at: [i8; 3], axis: usize| {
                // The layers, axis 0, are the last that a board has: bit 2.
                if mirrored >> (2 - axis) & 1 != 0 { -at[order[axis]] } else { at[order[axis]] }
            };
            let image = |place: &Place| Place {
                at: std::array::from_fn(|axis| coordinate(place.at, axis)),
                ..*place
            };
            normal(places.iter().map(image).collect())
        })
    });
    images.collect::<BTreeSet<_>>().into_iter().collect()
}

/// The arrangement moved so that its lowest layer, rank and file are 0, its cells in order.
fn normal(mut places: Vec<Place>) -> Arrangement {
    for axis in 0..3 {
        let lowest = places.iter().map(|place| place.at[axis]).min().unwrap_or(0);
        places.iter_mut().for_each(|place| place.at[axis] -= lowest);
    }
    places.sort_unstable();
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(drawing: &str, axes: usize) -> usize {
        orientations(&read(drawing), axes).len()
    }

    #[test]
    fn a_drawing_is_read_and_drawn_again() {
        for drawing in ["1", "11", "1/1", "1./11", "..1/111", "21/12", "1./11|../1.", "1|1"] {
            assert_eq!(draw(&read(drawing)), drawing);
        }
    }

    #[test]
    fn cells_come_in_the_order_of_the_board() {
        let offsets: Vec<_> = read("1./11|../1.").into_iter().map(Place::offset).collect();
        assert_eq!(offsets, [[0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]);
    }

    #[test]
    fn orientations_are_as_many_as_the_rulebook_counts() {
        let flat = ["1", "11", "111", "1./11", "11/11", ".11/11.", "..1/111", ".1./111"];
        assert_eq!(flat.map(|drawing| count(drawing, 2)), [1, 2, 2, 4, 1, 4, 8, 4]);
        assert_eq!(["2./11", "1./21", "2./21", "21/12"].map(|d| count(d, 2)), [8, 4, 8, 2]);
        let solid = ["1", "11", "1./11", "11/11", "1./11|../1.", "1./11|1./..", "11/11|../1."];
        assert_eq!(solid.map(|drawing| count(drawing, 3)), [1, 3, 12, 3, 8, 24, 24]);
    }
}
