//! [`DraughtsPosition`]: the pieces, whose turn it is and the capture under way.

use super::rules::{MOST_KINDS, Rules};
use crate::notation::cased;
use crate::position::{Board, PieceCount};
use crate::turn::Turn;
use crate::{Cell, CellSet, Features, Key, Outcome, Side, Step};

/// A position of a jump-capture game.
#[derive(Clone, Copy)]
pub struct DraughtsPosition {
    pub(super) rules: &'static Rules,
    /// The pieces of each kind, of both sides.
    pub(super) kinds: [CellSet<1>; MOST_KINDS],
    /// All pieces of each side.
    pub(super) sides: [CellSet<1>; 2],
    /// Where the capturing piece stands, if it has to jump on.
    pub(super) capturing: Option<Cell>,
    pub(super) turn: Turn,
    /// The hash of placement, side to move and capturing piece, kept up with every change.
    pub(super) key: Key,
}

impl std::fmt::Debug for DraughtsPosition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.describe(f)
    }
}

impl DraughtsPosition {
    /// An empty board.
    pub(super) fn empty(rules: &'static Rules, turn: Turn) -> Self {
        Self {
            rules,
            kinds: [CellSet::EMPTY; MOST_KINDS],
            sides: [CellSet::EMPTY; 2],
            capturing: None,
            turn,
            key: turn.key(),
        }
    }

    /// The pieces of `side`.
    #[inline]
    pub(super) const fn pieces(&self, side: Side) -> CellSet<1> {
        self.sides[side.index()]
    }

    /// The pieces of both sides.
    #[inline]
    pub(super) fn occupied(&self) -> CellSet<1> {
        self.sides[0] | self.sides[1]
    }

    /// Whether `side` still has its royal piece, or plays a game without.
    #[inline]
    pub(super) fn has_royal(&self, side: Side) -> bool {
        self.rules.royal.is_none_or(|royal| self.kinds[royal].meets(self.pieces(side)))
    }

    /// The outcome when the side to move has no legal move (ruling R9 of cheskers.md).
    pub(super) fn stuck(&self) -> Outcome {
        match self.rules.stuck_loses {
            true => Outcome::Win(self.turn.side.other()),
            false => Outcome::Draw,
        }
    }

    /// The kind of the piece on `cell`.
    #[inline]
    pub(super) fn kind_on(&self, cell: Cell) -> Option<usize> {
        self.kinds.iter().position(|kind| kind.has(cell))
    }

    /// Puts a piece on `cell`, which is empty.
    #[inline]
    pub(super) fn put(&mut self, side: Side, kind: usize, cell: Cell) {
        self.kinds[kind].insert(cell);
        self.sides[side.index()].insert(cell);
        self.key ^= self.rules.piece_key(side, kind, cell);
    }

    /// Takes the piece of this side and kind from `cell`.
    #[inline]
    pub(super) fn take(&mut self, side: Side, kind: usize, cell: Cell) {
        self.kinds[kind].remove(cell);
        self.sides[side.index()].remove(cell);
        self.key ^= self.rules.piece_key(side, kind, cell);
    }
}

impl Board for DraughtsPosition {
    fn id(&self) -> &'static str {
        self.rules.id
    }

    #[inline]
    fn turn(&self) -> Turn {
        self.turn
    }

    fn steps(&self, into: &mut Vec<Step>) -> Option<Outcome> {
        self.collect_steps(into)
    }

    fn play(&mut self, step: Step) {
        self.play_step(step);
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.capturing.is_some() {
            None
        } else if !self.has_royal(self.turn.side) {
            Some(Outcome::Win(self.turn.side.other()))
        } else if self.can_march() || self.can_jump() {
            None
        } else {
            Some(self.stuck())
        }
    }

    fn foregone(&self) -> Option<Outcome> {
        // Jumping over a king does not stop the move, but nothing can save it (ruling R4).
        let enemy = self.turn.side.other();
        if self.capturing.is_some() && !self.has_royal(enemy) {
            return Some(Outcome::Win(self.turn.side));
        }
        self.outcome()
    }

    #[inline]
    fn key(&self) -> Key {
        self.key
    }

    #[inline]
    fn mid_move(&self) -> bool {
        self.capturing.is_some()
    }

    fn count_moves(&self) -> Option<usize> {
        self.count_whole_moves()
    }

    fn write_step(&self, step: Step, into: &mut String) {
        self.write_leg(step, into);
    }

    fn write_fen(&self, into: &mut String) {
        self.write_fields(into);
    }

    fn features(&self, into: &mut Features) {
        let count = self.rules.pieces.len();
        for (side, first) in [(self.turn.side, 0), (self.turn.side.other(), count)] {
            for kind in 0..count {
                (self.kinds[kind] & self.pieces(side))
                    .for_each(|cell| into.mark(first + kind, cell));
            }
        }
        if let Some(cell) = self.capturing {
            into.mark(2 * count, cell);
        }
    }

    fn count_pieces(&self, side: Side, mut visit: impl FnMut(PieceCount)) {
        for (piece, &cells) in self.rules.pieces.iter().zip(&self.kinds) {
            let count = (cells & self.pieces(side)).len();
            visit(PieceCount { name: piece.name, value: piece.value, count });
        }
    }

    fn side_at(&self, cell: Cell) -> Option<Side> {
        Side::ALL.into_iter().find(|&side| self.pieces(side).has(cell))
    }

    fn write_unit(&self, cell: Cell, into: &mut String) {
        if let Some((kind, side)) = self.kind_on(cell).zip(self.side_at(cell)) {
            into.push(cased(self.rules.pieces[kind].letter, side));
        }
    }
}
