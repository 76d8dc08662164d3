//! [`Rules`]: the tables that a declaration becomes.

use super::attacks::{Leap, Slide, Table};
use super::declaration::Stalemate;
use crate::notation::letter_and_side;
use crate::{Cell, CellSet, Geometry, Side, Step, zobrist};

/// The kind of pieces that are pawns, an index into [`Rules::kinds`].
pub(super) const PAWN: usize = 0;

/// The royal kind, an index into [`Rules::kinds`].
pub(super) const KING: usize = 1;

/// The most kinds of pieces a game has.
pub(super) const MOST_KINDS: usize = 14;

/// The most kinds of pieces that a hand may hold.
pub(super) const MOST_HELD: usize = 7;

/// The most pieces of a kind that a hand may hold.
pub(super) const MOST_OF_A_KIND: usize = 18;

/// The rules of one chess-like game.
#[derive(Debug)]
pub(crate) struct Rules<const W: usize> {
    pub(super) id: &'static str,
    pub(super) geometry: Geometry,
    pub(super) start: &'static str,
    /// The kinds of pieces in `start` with which the game is not played.
    pub(super) left_out: Vec<usize>,
    pub(super) cells: CellSet<W>,
    pub(super) kinds: Vec<Kind<W>>,
    pub(super) leaps: Vec<Leap<W>>,
    pub(super) slides: Vec<Slide<W>>,
    /// The jumps a king has as long as its leap right lasts, besides those in `leaps`.
    pub(super) king_leap: Leap<W>,
    /// The bit of each side's leap right, or 0.
    pub(super) leap_right: [u8; 2],
    /// For each side and cell, the double moves of a king there: the cell between and the target.
    pub(super) king_doubles: [Vec<Vec<[Cell; 2]>>; 2],
    /// The bit of each side's right to a double move of its king, or 0.
    pub(super) double_right: [u8; 2],
    pub(super) pawn: PawnTables<W>,
    /// The kind of piece that a step of kind `i + 1` promotes to.
    pub(super) promotions: Vec<usize>,
    pub(super) zones: Vec<ZoneTables<W>>,
    /// Whether a side may have two kings.
    pub(super) two_kings: bool,
    /// Where pawns become kings, if they do.
    pub(super) crowning: Option<Crowning<W>>,
    /// The kind of steps that turn a piece over, or [`Step::PLAIN`] if none do.
    pub(super) turning: u8,
    /// For each side, the zone where such steps begin or end.
    pub(super) turning_zone: [CellSet<W>; 2],
    /// What hands hold, in the order of the hands field.
    pub(super) held: Vec<Held>,
    /// The kind of the step that drops `held[0]`; the others follow.
    pub(super) first_drop: u8,
    /// For each cell, its file.
    pub(super) files: Table<W>,
    pub(super) stalemate: Stalemate,
    /// Each side's castlings, in the order of the kinds of steps.
    pub(super) castlings: [Vec<CastlingTables<W>>; 2],
    /// The rights in the order of the rights field, White's first; bit `i` stands for `rights[i]`.
    pub(super) rights: Vec<Right>,
    /// For each cell, the rights that end when a piece leaves it or arrives there.
    pub(super) rights_lost: Vec<u8>,
    pub(super) keys: Keys,
}

/// A kind of pieces that hands hold.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) kind: usize,
    /// How many of them there are in the game, on the board or not.
    pub(super) most: u8,
}

/// A kind of pieces.
#[derive(Debug)]
pub(super) struct Kind<const W: usize> {
    pub(super) letter: char,
    /// Whether it is the other side of a piece, written with `+`.
    pub(super) turned: bool,
    pub(super) name: &'static str,
    pub(super) value: i32,
    /// Its jumps, an index into [`Rules::leaps`]; of a pawn, its captures.
    pub(super) leap: usize,
    /// Its slides, indices into [`Rules::slides`].
    pub(super) slides: Vec<usize>,
    /// Whether it has quiet jumps or another side.
    pub(super) peculiar: bool,
    /// Its jumps to empty cells only, for each side and cell, if it has any. Pawns have theirs in
    /// [`PawnTables`].
    pub(super) quiet: Option<[Table<W>; 2]>,
    /// For each side, the cells from where it could not move on an empty board.
    pub(super) stuck: [CellSet<W>; 2],
    /// The kind on its other side.
    pub(super) turns_into: Option<usize>,
    /// What it is in the hand of its captor, an index into [`Rules::held`].
    pub(super) held: Option<usize>,
}

/// A right that a side has until it loses it.
#[derive(Debug)]
pub(super) struct Right {
    pub(super) side: Side,
    pub(super) letter: char,
    pub(super) name: &'static str,
}

/// What only pawns do. Tables are by side and cell.
#[derive(Debug)]
pub(super) struct PawnTables<const W: usize> {
    pub(super) moves: [Vec<PawnMoves<W>>; 2],
    /// The steps that can be taken back by another pawn move, so that they do not reset the clock.
    pub(super) retractable: [Table<W>; 2],
    /// The cells where an arriving pawn may promote or turn over.
    pub(super) changes: [CellSet<W>; 2],
    /// Whether a pawn may pass over a cell and be taken there, en passant.
    pub(super) passes: bool,
    /// Whether a pawn on a starting cell may be spent.
    pub(super) tracks_spent: bool,
    /// The cells where pawns stand at the start.
    pub(super) homes: [CellSet<W>; 2],
    /// The cells where a pawn can ever stand.
    pub(super) stands: [CellSet<W>; 2],
    /// For the cell that a pawn of the side has just passed over with its first move, where that
    /// pawn stands now.
    pub(super) passed: [Vec<Option<Cell>>; 2],
}

/// The moves of a pawn on one cell.
#[derive(Debug, Clone, Copy)]
pub(in crate::families) struct PawnMoves<const W: usize> {
    /// The cells it steps to without capturing.
    pub(in crate::families) steps: CellSet<W>,
    /// The cells it captures on, the same as in its [`Leap`].
    pub(in crate::families) captures: CellSet<W>,
    /// Where else it goes without capturing if it has never moved.
    pub(in crate::families) first: CellSet<W>,
    /// The cells that the first move passes over, which must be empty; none if it is a jump.
    pub(in crate::families) over: CellSet<W>,
}

/// A promotion zone.
#[derive(Debug)]
pub(super) struct ZoneTables<const W: usize> {
    /// The cells, for each side.
    pub(super) cells: [CellSet<W>; 2],
    /// The kinds of steps that promote here.
    pub(super) step_kinds: Vec<u8>,
    pub(super) optional: bool,
}

/// The cells where a pawn becomes a second king if there is none yet.
#[derive(Debug)]
pub(super) struct Crowning<const W: usize> {
    /// The cells, for each side.
    pub(super) cells: [CellSet<W>; 2],
    pub(super) step_kind: u8,
}

/// A castling of one side.
#[derive(Debug)]
pub(super) struct CastlingTables<const W: usize> {
    pub(super) name: &'static str,
    pub(super) step_kind: u8,
    pub(super) right: u8,
    pub(super) king: [Cell; 2],
    pub(super) rooks: Vec<[Cell; 2]>,
    /// The kind of the rooks.
    pub(super) rook: usize,
    pub(super) must_be_empty: CellSet<W>,
    pub(super) must_be_safe: CellSet<W>,
}

/// The random numbers of the position key.
#[derive(Debug)]
pub(in crate::families) struct Keys {
    /// For each set of rights.
    pub(in crate::families) rights: Vec<u64>,
    /// For each en-passant cell.
    pub(in crate::families) en_passant: Vec<u64>,
    /// For each cell with a spent pawn.
    pub(super) spent: Vec<u64>,
    /// For each cell of a king that has its leap right, where rights are listed by cells.
    pub(super) leapers: Vec<u64>,
    /// For each cell of a White pawn, of a Black pawn, of a White king, and so on.
    pieces: Vec<u64>,
    /// For each piece in a hand of White's first kind held, of Black's, and so on.
    held: Vec<u64>,
}

impl Keys {
    /// The numbers for a board of `cells` cells and that many rights.
    pub(in crate::families) fn new(cells: usize, rights: usize) -> Self {
        // The first is that of the side to move.
        let mut numbers = (1..).map(zobrist::number);
        let mut take = |count| numbers.by_ref().take(count).collect::<Vec<_>>();
        Self {
            rights: take(1 << rights),
            en_passant: take(cells),
            spent: take(cells),
            leapers: take(cells),
            pieces: take(2 * MOST_KINDS * cells),
            held: take(2 * MOST_HELD * MOST_OF_A_KIND),
        }
    }

    /// The number of a piece of `kind` and `side` on `cell`.
    #[inline]
    pub(in crate::families) fn piece(&self, kind: usize, side: Side, cell: Cell) -> u64 {
        self.pieces[(kind * 2 + side.index()) * self.spent.len() + cell.index()]
    }

    /// The number of the `count`th piece that `side` holds of [`Rules::held`] number `held`.
    #[inline]
    pub(super) fn held(&self, held: usize, side: Side, count: u8) -> u64 {
        self.held[(held * 2 + side.index()) * MOST_OF_A_KIND + usize::from(count) - 1]
    }
}

impl<const W: usize> Rules<W> {
    /// The captures of pawns.
    #[inline]
    pub(super) fn pawn_captures(&self) -> &Leap<W> {
        &self.leaps[self.kinds[PAWN].leap]
    }

    /// The rights that end when the king of `side` is in check.
    #[inline]
    pub(super) fn until_checked(&self, side: Side) -> u8 {
        self.leap_right[side.index()] | self.double_right[side.index()]
    }

    /// The kind written `letter`, in either case.
    pub(super) fn kind_of_letter(&self, letter: char) -> Option<usize> {
        let letter = letter.to_ascii_uppercase();
        self.kinds.iter().position(|kind| kind.letter == letter && !kind.turned)
    }

    /// The kind and the side of the piece written `unit`.
    pub(super) fn kind_of_unit(&self, unit: &str) -> Option<(usize, Side)> {
        let (turned, letter) = match unit.strip_prefix('+') {
            Some(letter) => (true, letter),
            None => (false, unit),
        };
        let (letter, side) = letter_and_side(letter)?;
        let kind = self.kind_of_letter(letter)?;
        Some((if turned { self.kinds[kind].turns_into? } else { kind }, side))
    }

    /// The names of the kinds of steps.
    pub(super) fn step_kinds(&self) -> Vec<String> {
        let promotions =
            self.promotions.iter().map(|&kind| format!("={}", self.kinds[kind].letter));
        let castlings = self.castlings[0].iter().map(|castling| castling.name.to_owned());
        let turning = (self.turning != Step::PLAIN).then(|| "+".to_owned());
        let drops = self.held.iter().map(|held| format!("{}*", self.kinds[held.kind].letter));
        let moves = ["plain".to_owned()].into_iter().chain(promotions).chain(castlings);
        moves.chain(turning).chain(drops).collect()
    }
}
