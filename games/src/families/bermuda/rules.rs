//! [`Rules`]: the tables that a declaration becomes, and how the two boards lie in a set of cells.

use crate::families::chess::{Keys, PawnMoves, Slide, Table};
use crate::{Cell, CellSet, Geometry};

/// The kind of pieces that are pawns, an index into [`Rules::kinds`].
pub(super) const PAWN: usize = 0;

/// The royal kind, an index into [`Rules::kinds`].
pub(super) const KING: usize = 1;

/// How many kinds of pieces there are.
pub(super) const KINDS: usize = 6;

/// How many kings a side has at most.
pub(super) const KINGS: usize = 2;

/// The cells of the lower board, the first word of a set; the upper one is the second.
pub(super) const LOWER: CellSet<2> = CellSet::from_words([!0, 0]);

/// Whether `cell` is on the upper board.
#[inline]
pub(super) const fn is_upper(cell: Cell) -> bool {
    cell.index() >= 64
}

/// The cell above or below `cell`.
#[inline]
pub(super) const fn complement(cell: Cell) -> Cell {
    Cell::from_index(cell.index() ^ 64)
}

/// The cells above and below the members of `cells`.
#[inline]
pub(super) const fn complements(cells: CellSet<2>) -> CellSet<2> {
    let [lower, upper] = cells.words();
    CellSet::from_words([upper, lower])
}

/// The rules of one game.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(super) id: &'static str,
    pub(super) geometry: Geometry,
    pub(super) start: &'static str,
    pub(super) kinds: Vec<Kind>,
    pub(super) slides: Vec<Slide<2>>,
    /// By side and cell; `first` is the double step from the second rank.
    pub(super) pawns: [Vec<PawnMoves<2>>; 2],
    /// By side, the last ranks of both boards.
    pub(super) last_ranks: [CellSet<2>; 2],
    /// By side, the cells where a pawn can ever stand.
    pub(super) stands: [CellSet<2>; 2],
    /// By side and cell, from where to where a pawn has gone that has just passed over the cell.
    pub(super) passed: [Vec<Option<[Cell; 2]>>; 2],
    /// The kind of piece that a step of kind `i + 1` promotes to.
    pub(super) promotions: Vec<usize>,
    /// By side, in the order of the declaration.
    pub(super) castlings: [Vec<CastlingTables>; 2],
    /// The kind of pieces that castle with kings.
    pub(super) rook: usize,
    /// The letters of the rights; bit `i` of a position's rights stands for letter `i`.
    pub(super) rights: &'static str,
    /// For each cell, the rights that end when it is touched.
    pub(super) rights_lost: Vec<u8>,
    pub(super) keys: Keys,
}

/// A kind of pieces.
#[derive(Debug)]
pub(super) struct Kind {
    pub(super) letter: char,
    pub(super) name: &'static str,
    pub(super) value: i32,
    /// Its jumps from each cell; none of a pawn.
    pub(super) leaps: Table<2>,
    /// Its slides, indices into [`Rules::slides`].
    pub(super) slides: Vec<usize>,
}

/// A castling of one side.
#[derive(Debug)]
pub(super) struct CastlingTables {
    /// The bit of its right.
    pub(super) right: u8,
    /// From and to.
    pub(super) king: [Cell; 2],
    /// From and to.
    pub(super) rook: [Cell; 2],
    pub(super) between: CellSet<2>,
}

impl Rules {
    /// The names of the kinds of steps.
    pub(super) fn step_kinds(&self) -> Vec<String> {
        let promotions = self.promotions.iter().map(|&kind| self.kinds[kind].letter);
        let promotions = promotions.map(|letter| format!("={letter}"));
        ["plain".to_owned()].into_iter().chain(promotions).collect()
    }

    /// The kind written `letter`, in upper case.
    pub(super) fn kind_of_letter(&self, letter: char) -> Option<usize> {
        self.kinds.iter().position(|kind| kind.letter == letter)
    }
}
