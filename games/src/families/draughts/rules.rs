//! [`Declaration`], a jump-capture game as data, and [`Rules`], the tables compiled from it.

use super::position::DraughtsPosition;
use crate::game::Basics;
use crate::lines::{Directions, EVERY_WAY, Lines};
use crate::{Cell, CellSet, Geometry, Side, zobrist};

/// The most cells a board of this family has.
const CELLS: usize = 64;

/// The most kinds of pieces a game has.
pub(super) const MOST_KINDS: usize = 6;

/// A jump-capture game. Black's half of the board is White's after a half turn.
#[derive(Debug)]
pub(crate) struct Declaration {
    /// Whether there are pieces on dark cells only, those of the colour of a1.
    pub(crate) dark_cells_only: bool,
    /// The kinds of pieces, in the order of the input planes.
    pub(crate) pieces: Vec<Piece>,
    /// Whether a side that has no legal move has lost; otherwise the game is drawn.
    pub(crate) stuck_loses: bool,
}

/// The data of one kind of piece. Directions are White's; Black has the opposite ones.
#[derive(Debug)]
pub(crate) struct Piece {
    /// The letter of a white piece.
    pub(crate) letter: char,
    /// Its name in the input planes.
    pub(crate) name: &'static str,
    /// Its worth in hundredths of a pawn.
    pub(crate) value: i32,
    /// Where it marches.
    pub(crate) marches: Directions,
    /// How many cells it marches at most, along empty cells.
    pub(crate) march_length: usize,
    /// Whether it may also march over an adjacent piece of its own side, in any direction, to the
    /// cell right behind.
    pub(crate) leaps: bool,
    /// Where it jumps.
    pub(crate) jumps: Directions,
    /// Whether it jumps from any distance and lands at any distance, along empty cells. Otherwise
    /// the jumped piece is adjacent and the landing cell right behind it.
    pub(crate) flies: bool,
    /// Whether it has to go on jumping while it can.
    pub(crate) continues: bool,
    /// The letter of the piece that it becomes, always, on its side's last rank.
    pub(crate) promotes_to: Option<char>,
    /// Whether its marches cannot be taken back, so that they reset the clock as captures do.
    pub(crate) resets_clock: bool,
    /// Whether its side has lost when it is captured. At most one kind of a game is.
    pub(crate) royal: bool,
}

impl Piece {
    /// A piece that marches one cell and jumps over its neighbours, once, both along `ways`. It is
    /// never promoted.
    pub(crate) const fn short(
        letter: char,
        name: &'static str,
        value: i32,
        ways: Directions,
    ) -> Self {
        Self {
            letter,
            name,
            value,
            marches: ways,
            march_length: 1,
            leaps: false,
            jumps: ways,
            flies: false,
            continues: false,
            promotes_to: None,
            resets_clock: false,
            royal: false,
        }
    }

    /// A piece that marches and jumps at any distance along `ways`, and goes on jumping.
    pub(crate) const fn long(
        letter: char,
        name: &'static str,
        value: i32,
        ways: Directions,
    ) -> Self {
        let short = Self::short(letter, name, value, ways);
        Self { march_length: CELLS, flies: true, continues: true, ..short }
    }
}

/// One kind of piece of one side, compiled.
#[derive(Debug)]
pub(super) struct Kind {
    pub(super) marches: Directions,
    /// Whether a march may be longer than one cell.
    pub(super) slides: bool,
    /// From each cell, where a march ends on an empty board.
    pub(super) march_ends: [CellSet<1>; CELLS],
    pub(super) leaps: bool,
    /// From each cell, where a leap may end: the second cells in all directions.
    pub(super) leap_ends: [CellSet<1>; CELLS],
    pub(super) jumps: Directions,
    /// From each cell, where a piece can stand that is jumped.
    pub(super) jumped: [CellSet<1>; CELLS],
    /// From each cell, where a jump may land.
    pub(super) landings: [CellSet<1>; CELLS],
    pub(super) continues: bool,
    /// Where it is promoted, if it ever is.
    pub(super) promotion: CellSet<1>,
    /// The kind it is promoted to; its own if it never is.
    pub(super) promoted: usize,
    pub(super) resets_clock: bool,
}

/// The rules of one game: its data and the tables made from it.
pub(crate) struct Rules {
    pub(super) id: &'static str,
    pub(super) start: &'static str,
    /// Whether a side that has no legal move has lost.
    pub(super) stuck_loses: bool,
    pub(super) pieces: Vec<Piece>,
    pub(super) geometry: Geometry,
    pub(super) lines: Lines<1>,
    /// By kind and side.
    pub(super) kinds: Vec<[Kind; 2]>,
    /// The cells on which there can be pieces.
    pub(super) cells: CellSet<1>,
    /// The kind whose capture loses, if there is one.
    pub(super) royal: Option<usize>,
    /// Random numbers by side, kind and cell.
    piece_keys: [[[u64; CELLS]; MOST_KINDS]; 2],
    /// Random numbers by the cell of the capturing piece.
    capturing_keys: [u64; CELLS],
}

impl std::fmt::Debug for Rules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Rules").field(&self.id).finish()
    }
}

impl Rules {
    /// Compiles `game`.
    ///
    /// # Panics
    /// If the declaration contradicts itself: games are written in the source.
    pub(super) fn compile(basics: &Basics, game: Declaration) -> Self {
        let geometry = &basics.geometry;
        let Declaration { pieces, dark_cells_only, stuck_loses } = game;
        assert!(pieces.len() <= MOST_KINDS, "{}: too many kinds of pieces", basics.id);
        let kind_of = |letter| pieces.iter().position(|piece| piece.letter == letter);
        let kinds = pieces.iter().enumerate().map(|(own, piece)| {
            let promoted = piece.promotes_to.map_or(own, |letter| {
                kind_of(letter).expect("a piece is promoted to a declared piece")
            });
            Side::ALL.map(|side| Kind::new(piece, promoted, side, geometry))
        });
        let kinds = kinds.collect();
        // The first is that of the side to move.
        let mut numbers = (1..).map(zobrist::number);
        let mut next = || numbers.next().expect("the sequence has no end");
        Self {
            id: basics.id,
            start: basics.start,
            stuck_loses,
            geometry: geometry.clone(),
            lines: Lines::new(geometry),
            kinds,
            cells: geometry
                .cells()
                .filter(|&cell| {
                    let [file, rank, ..] = geometry.coordinates(cell);
                    !dark_cells_only || (file + rank) % 2 == 0
                })
                .collect(),
            royal: pieces.iter().position(|piece| piece.royal),
            pieces,
            piece_keys: std::array::from_fn(|_| {
                std::array::from_fn(|_| std::array::from_fn(|_| next()))
            }),
            capturing_keys: std::array::from_fn(|_| next()),
        }
    }

    /// The position the game starts from.
    pub(crate) fn start(&'static self) -> DraughtsPosition {
        self.parse_fen(self.start).expect("a game is declared with a position to start from")
    }

    /// The names of the input planes: each kind of piece of the mover, each of the opponent, and
    /// the cell of a capturing piece that has to jump on.
    pub(crate) fn planes(&self) -> Vec<String> {
        let of = |whose| self.pieces.iter().map(move |p| format!("{whose} {}", p.name));
        of("my").chain(of("their")).chain(["capturing piece".to_owned()]).collect()
    }

    /// The random number of a piece of `side` on `cell`.
    #[inline]
    pub(super) const fn piece_key(&self, side: Side, kind: usize, cell: Cell) -> u64 {
        self.piece_keys[side.index()][kind][cell.index()]
    }

    /// The random number of a capture under way that has come to `cell`.
    #[inline]
    pub(super) const fn capturing_key(&self, cell: Cell) -> u64 {
        self.capturing_keys[cell.index()]
    }
}

impl Kind {
    fn new(piece: &Piece, promoted: usize, side: Side, geometry: &Geometry) -> Self {
        let of_side = |directions: Directions| match side {
            Side::White => directions,
            Side::Black => directions.reversed(),
        };
        let last_rank = match side {
            Side::White => geometry.extent()[1] - 1,
            Side::Black => 0,
        };
        let promotes = piece.promotes_to.is_some();
        let (marches, jumps) = (of_side(piece.marches), of_side(piece.jumps));
        let rays = |directions: Directions, distances: std::ops::RangeInclusive<usize>| {
            std::array::from_fn(|index| {
                if index >= geometry.cell_count() {
                    return CellSet::EMPTY;
                }
                let skipped = distances.start() - 1;
                let taken = distances.end() - skipped;
                directions
                    .offsets()
                    .flat_map(|offset| {
                        geometry.ray(Cell::from_index(index), offset).skip(skipped).take(taken)
                    })
                    .collect()
            })
        };
        Self {
            marches,
            slides: piece.march_length > 1,
            march_ends: rays(marches, 1..=piece.march_length),
            leaps: piece.leaps,
            leap_ends: rays(EVERY_WAY, 2..=2),
            jumps,
            jumped: rays(jumps, 1..=if piece.flies { CELLS } else { 1 }),
            landings: rays(jumps, 2..=if piece.flies { CELLS } else { 2 }),
            continues: piece.continues,
            promotion: geometry
                .cells()
                .filter(|&cell| promotes && geometry.coordinates(cell)[1] == last_rank)
                .collect(),
            promoted,
            resets_clock: piece.resets_clock,
        }
    }
}
