//! [`Rules`]: the tables that a declaration is compiled into.

use super::declaration::{Declaration, Mode};
use super::orientations::{self, Arrangement};
use crate::game::{Basics, KindImage};
use crate::{Cell, CellSet, Geometry, Key, Offset, Side, zobrist};

/// The most offsets at which the board is looked at from the corner of a piece: all those within a
/// cube of side 2 and one step around it.
pub(super) const MOST_OFFSETS: usize = 64;

/// The rules of one game on `W` words, with at most `K` checkers on a cell.
///
/// A piece is placed by its *corner*: the lowest cell of the box around it, which need not be one of
/// its own. Every piece of one orientation is the same around its corner, so a set of corners is a
/// set of pieces, and all of them are looked at together.
pub(crate) struct Rules<const W: usize, const K: usize> {
    pub(super) id: &'static str,
    pub(super) geometry: Geometry,
    pub(super) start: &'static str,
    /// The letters of cells, by number of checkers less one.
    pub(super) letters: Vec<char>,
    pub(super) shapes: Vec<ShapeRules>,
    /// In the order of kinds.
    pub(super) orientations: Vec<Orientation>,
    pub(super) frames: Vec<Frame<W>>,
    /// What a step by each vector adds to the number of a cell.
    pub(super) vectors: Vec<i32>,
    /// The offsets at which the board is looked at, as differences of cell numbers.
    pub(super) offsets: Vec<i32>,
    /// So many of them, the first, are enough for single checkers.
    pub(super) single_offsets: usize,
    pub(super) cells: CellSet<W>,
    /// Where arriving checkers of each side earn another.
    pub(super) earning: [CellSet<W>; 2],
    /// The names of the orientations' kinds.
    kind_names: Vec<String>,
}

/// What is common to the orientations of a shape.
#[derive(Debug)]
pub(super) struct ShapeRules {
    pub(super) name: &'static str,
    pub(super) keeps_captures: bool,
}

/// The pieces that fit a box of one size: where that is on the board, and stays there.
#[derive(Debug)]
pub(super) struct Frame<const W: usize> {
    extent: [i8; 3],
    /// The corners of a box on the board.
    pub(super) fits: CellSet<W>,
    /// By vector, the corners from which one step leads to another one.
    pub(super) leaves: Vec<CellSet<W>>,
}

/// The checkers of one cell of a piece.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    /// How far the cell is from the corner, in cell numbers.
    pub(super) by: i32,
    pub(super) checkers: usize,
}

/// A question about a cell near the corner: do more than `level` checkers of a side stand there?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) level: u8,
    /// An index into [`Rules::offsets`].
    pub(super) offset: u8,
}

/// A shape in one orientation.
#[derive(Debug)]
pub(super) struct Orientation {
    pub(super) shape: usize,
    /// An index into [`Rules::frames`].
    pub(super) frame: usize,
    /// In the order of cells.
    pub(super) parts: Vec<Part>,
    /// How far the lowest cell is from the corner; it gives the piece its address.
    pub(super) lowest: i32,
    /// All of these are answered yes by the own checkers where the piece stands.
    pub(super) placed: Vec<Look>,
    /// One of these answered yes keeps the piece from a place far from its own.
    pub(super) blocked: Vec<Look>,
    pub(super) slides: Vec<Slide>,
    pub(super) further: Further,
}

/// What a step may do to enemies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Captures {
    May,
    Never,
    Must,
}

/// Steps by one vector.
#[derive(Debug)]
pub(super) struct Slide {
    pub(super) vector: usize,
    /// The sides that may go this way.
    pub(super) sides: [bool; 2],
    /// The least and the largest number of steps.
    pub(super) first: u8,
    pub(super) last: u8,
    pub(super) captures: Captures,
    /// As [`Orientation::blocked`] after 1, 2... steps, as long as the piece could meet cells that
    /// it has left itself.
    pub(super) near: Vec<Vec<Look>>,
    /// A bit for each number of steps that a single longer step of the same piece covers.
    pub(super) covered: u16,
}

/// What a piece does that is no slide. Its slides are then only some of its moves.
#[derive(Debug)]
pub(super) enum Further {
    Nothing,
    /// By diagonals of files and ranks; each of them is also a slide of one step.
    Rebound(Vec<Offset>),
    /// By vectors; three steps straight on are also a slide.
    SlideThenTwo(Vec<usize>),
}

impl<const W: usize, const K: usize> std::fmt::Debug for Rules<W, K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Rules").field(&self.id).finish()
    }
}

impl<const W: usize, const K: usize> Rules<W, K> {
    /// Compiles a declaration.
    ///
    /// # Panics
    /// If it contradicts itself; it is written in the source and compiled in every test.
    pub(super) fn compile(basics: &Basics, declared: &Declaration) -> Self {
        let geometry = basics.geometry.clone();
        let letters: Vec<char> = declared.letters.chars().collect();
        assert_eq!(letters.len(), K, "a letter for each number of checkers on a cell");
        let [.., layers, _] = geometry.extent();
        let axes = if layers > 1 { 3 } else { 2 };
        let earning = Side::ALL.map(|side| {
            let last = match side {
                Side::White => geometry.extent()[1] - 1,
                Side::Black => 0,
            };
            let arrives = |cell: &Cell| geometry.coordinates(*cell)[1] == last;
            geometry.cells().filter(|cell| declared.arrivals_earn && arrives(cell)).collect()
        });
        let mut rules = Self {
            id: basics.id,
            start: basics.start,
            letters,
            shapes: Vec::new(),
            orientations: Vec::new(),
            frames: Vec::new(),
            vectors: Vec::new(),
            offsets: Vec::new(),
            single_offsets: 0,
            cells: geometry.cells().collect(),
            earning,
            kind_names: Vec::new(),
            geometry,
        };
        let mut tables = Tables { vectors: Vec::new(), offsets: Vec::new() };
        for (shape, declared) in declared.shapes.iter().enumerate() {
            let (name, keeps_captures) = (declared.name, declared.keeps_captures);
            rules.shapes.push(ShapeRules { name, keeps_captures });
            let drawn = orientations::read(declared.drawing);
            for places in orientations::orientations(&drawn, axes) {
                rules.kind_names.push(format!("{name} {}", orientations::draw(&places)));
                let orientation = rules.orientation(shape, &places, &declared.modes, &mut tables);
                rules.orientations.push(orientation);
            }
            if shape == 0 {
                rules.single_offsets = tables.offsets.len();
            }
        }
        let single = &rules.orientations[0].parts;
        assert!(single.len() == 1 && single[0].checkers == 1, "the first shape is a checker");
        assert!(tables.offsets.len() <= MOST_OFFSETS, "{} offsets", tables.offsets.len());
        rules.vectors = tables.vectors.iter().map(|&vector| rules.distance(vector)).collect();
        rules.offsets = tables.offsets.iter().map(|&offset| rules.distance(offset)).collect();
        let fitting = |frame: &Frame<W>, by: Offset| {
            let fits = |&cell: &Cell| rules.fits(frame.extent, cell, by);
            frame.fits.iter().filter(fits).collect::<CellSet<W>>()
        };
        let leaves = rules.frames.iter().map(|frame| {
            tables.vectors.iter().map(|&vector| fitting(frame, vector)).collect::<Vec<_>>()
        });
        let leaves: Vec<_> = leaves.collect();
        rules.frames.iter_mut().zip(leaves).for_each(|(frame, leaves)| frame.leaves = leaves);
        rules
    }

    /// How much `offset` adds to the number of a cell.
    fn distance(&self, offset: Offset) -> i32 {
        let extent = self.geometry.extent();
        let axes = offset.iter().zip(extent).rev();
        axes.fold(0, |sum, (&by, length)| sum * i32::from(length) + i32::from(by))
    }

    /// Whether a box of size `extent` is on the board when its corner is `by` from `cell`.
    fn fits(&self, extent: [i8; 3], cell: Cell, by: Offset) -> bool {
        let [layers, ranks, files] = extent;
        let opposite = [by[0] + files - 1, by[1] + ranks - 1, by[2] + layers - 1, 0];
        let on_board = |offset| self.geometry.shifted(cell, offset, 1).is_some();
        on_board(by) && on_board(opposite)
    }

    /// Compiles one orientation.
    fn orientation(
        &mut self,
        shape: usize,
        places: &Arrangement,
        modes: &[Mode],
        tables: &mut Tables,
    ) -> Orientation {
        let extent = orientations::extent(places);
        let known = self.frames.iter().position(|frame| frame.extent == extent);
        let frame = known.unwrap_or_else(|| {
            let cells = self.geometry.cells();
            let fits = cells.filter(|&cell| self.fits(extent, cell, [0; 4])).collect();
            self.frames.push(Frame { extent, fits, leaves: Vec::new() });
            self.frames.len() - 1
        });
        let part = |place: &orientations::Place| Part {
            by: self.distance(place.offset()),
            checkers: place.checkers.into(),
        };
        let parts: Vec<Part> = places.iter().map(part).collect();
        let placed = places
            .iter()
            .map(|place| Look { level: place.checkers - 1, offset: tables.offset(place.offset()) });
        let mut orientation = Orientation {
            shape,
            frame,
            lowest: parts[0].by,
            parts,
            placed: placed.collect(),
            blocked: tables.looks::<K>(places, None),
            slides: Vec::new(),
            further: Further::Nothing,
        };
        for mode in modes {
            let slides = match mode {
                Mode::Slide(offsets, steps) => {
                    (offsets, *steps.start(), *steps.end(), Captures::May)
                }
                Mode::Advance(offsets) => (offsets, 1, 1, Captures::Never),
                Mode::Strike(offsets) => (offsets, 1, 1, Captures::Must),
                Mode::Rebound(offsets) => {
                    orientation.further = Further::Rebound(offsets.clone());
                    (offsets, 1, 1, Captures::May)
                }
                Mode::SlideThenTwo(offsets) => {
                    let vectors = offsets.iter().map(|&offset| tables.vector(offset)).collect();
                    orientation.further = Further::SlideThenTwo(vectors);
                    (offsets, 3, 3, Captures::May)
                }
            };
            self.add_slides(&mut orientation, places, slides, tables);
        }
        cover(&mut orientation.slides, tables);
        orientation
    }

    /// Adds the slides of a mode: offsets, least and largest number of steps.
    fn add_slides(
        &self,
        orientation: &mut Orientation,
        places: &Arrangement,
        (offsets, first, last, captures): (&Vec<Offset>, u8, u8, Captures),
        tables: &mut Tables,
    ) {
        let longest = self.geometry.extent().into_iter().max().unwrap_or(1) - 1;
        for side in Side::ALL {
            for &offset in offsets {
                let offset = match side {
                    Side::White => offset,
                    Side::Black => [offset[0], -offset[1], offset[2], offset[3]],
                };
                let vector = tables.vector(offset);
                let same = |slide: &&mut Slide| {
                    slide.vector == vector && (slide.first, slide.captures) == (first, captures)
                };
                if let Some(slide) = orientation.slides.iter_mut().find(same) {
                    slide.sides[side.index()] = true;
                    continue;
                }
                let last = last.min(longest);
                let times = |n: u8| offset.map(|by| by * n as i8);
                let meets_itself = |n: &u8| *n == 1 || overlap(places, times(*n));
                let near = (1..=last).take_while(meets_itself);
                orientation.slides.push(Slide {
                    vector,
                    sides: Side::ALL.map(|other| other == side),
                    first,
                    last,
                    captures,
                    near: near.map(|n| tables.looks::<K>(places, Some(times(n)))).collect(),
                    covered: 0,
                });
            }
        }
    }

    /// The kind of a drop, behind those of the orientations.
    pub(super) fn drop_kind(&self) -> u8 {
        self.orientations.len() as u8
    }

    /// The names of the kinds of steps: the orientations, then the drop.
    pub(super) fn kinds(&self) -> Vec<String> {
        let drop = format!("drop {}", self.shapes[0].name);
        self.kind_names.iter().cloned().chain([drop]).collect()
    }

    /// What becomes of each kind of step when the cells of the board go to `map`.
    ///
    /// # Panics
    /// If the image of a piece is none: maps are written in the source.
    pub(crate) fn kind_images(&self, map: &[Cell]) -> Vec<KindImage> {
        let image = |orientation: &Orientation| {
            let corner = self.frames[orientation.frame].fits.first().expect("a piece fits");
            let cell = |by| map[corner.moved(by).index()];
            let mut cells: Vec<(Cell, usize)> =
                orientation.parts.iter().map(|part| (cell(part.by), part.checkers)).collect();
            cells.sort_unstable_by_key(|&(cell, _)| cell);
            let lowest = cells[0].0.index() as i32;
            let is_image = |other: &Orientation| {
                let parts = other.parts.iter().map(|part| (part.by - other.lowest, part.checkers));
                parts.eq(cells.iter().map(|&(cell, n)| (cell.index() as i32 - lowest, n)))
            };
            let kind = self.orientations.iter().position(is_image).expect("a symmetry of shapes");
            let image_of_lowest = cell(orientation.lowest).index() as i32;
            KindImage { kind: kind as u8, shift: (lowest - image_of_lowest) as i16 }
        };
        let drop = KindImage::same(self.drop_kind().into());
        self.orientations.iter().map(image).chain([drop]).collect()
    }

    /// The random number of the checker of `side` on `cell` under which `level` others lie.
    #[inline]
    pub(super) fn checker_key(&self, side: Side, level: usize, cell: Cell) -> Key {
        zobrist::number(1 + ((side.index() * K + level) * W * 64 + cell.index()) as u64)
    }

    /// The random number of `count` checkers in the hand of `side`.
    #[inline]
    pub(super) fn hand_key(&self, side: Side, count: u16) -> Key {
        if count == 0 { 0 } else { zobrist::number(1 << 20 | u64::from(count) << 1 | side as u64) }
    }

    /// The random number of a chosen piece.
    #[inline]
    pub(super) fn chosen_key(&self, orientation: u8, corner: Cell) -> Key {
        zobrist::number(1 << 21 | u64::from(orientation) << 12 | corner.index() as u64)
    }
}

/// Whether an arrangement moved by `by` shares a cell with itself.
fn overlap(places: &Arrangement, by: Offset) -> bool {
    let moved = |place: &orientations::Place| sum(place.offset(), by);
    places.iter().any(|place| places.iter().any(|other| other.offset() == moved(place)))
}

fn sum(a: Offset, b: Offset) -> Offset {
    std::array::from_fn(|axis| a[axis] + b[axis])
}

/// Marks in each slide the numbers of steps that another slide reaches with a single one, so that
/// no destination is counted twice.
fn cover(slides: &mut [Slide], tables: &Tables) {
    let leaps: Vec<Offset> = slides
        .iter()
        .filter(|slide| slide.first == 1)
        .map(|slide| tables.vectors[slide.vector])
        .collect();
    for slide in slides {
        let offset = tables.vectors[slide.vector];
        let reached = |n: u8| leaps.contains(&offset.map(|by| by * n as i8));
        slide.covered = (2..=slide.last).filter(|&n| reached(n)).map(|n| 1 << n).sum();
    }
}

/// The tables that grow while orientations are compiled.
struct Tables {
    vectors: Vec<Offset>,
    offsets: Vec<Offset>,
}

impl Tables {
    fn vector(&mut self, vector: Offset) -> usize {
        index_in(&mut self.vectors, vector)
    }

    fn offset(&mut self, offset: Offset) -> u8 {
        index_in(&mut self.offsets, offset) as u8
    }

    /// What keeps a piece from standing `by` from its place, its own checkers being lifted from
    /// there; with no `by` at all, what keeps it from standing anywhere else.
    fn looks<const K: usize>(&mut self, places: &Arrangement, by: Option<Offset>) -> Vec<Look> {
        let mut looks = Vec::new();
        for place in places {
            let offset = sum(place.offset(), by.unwrap_or([0; 4]));
            let own = places.iter().find(|own| by.is_some() && own.offset() == offset);
            let lifted = own.map_or(0, |own| own.checkers);
            let level = K as u8 - place.checkers + lifted;
            if usize::from(level) < K {
                looks.push(Look { level, offset: self.offset(offset) });
            }
        }
        looks
    }
}

/// The place of `wanted` in `list`, at its end if it was not there.
fn index_in(list: &mut Vec<Offset>, wanted: Offset) -> usize {
    list.iter().position(|&known| known == wanted).unwrap_or_else(|| {
        list.push(wanted);
        list.len() - 1
    })
}
