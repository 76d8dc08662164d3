//! [`BermudaPosition`]: where everything stands.

use super::rules::{KINDS, KING, Rules, complement};
use crate::families::bulk::Bulk as _;
use crate::notation::cased;
use crate::position::{Board, PieceCount};
use crate::turn::Turn;
use crate::{Cell, CellSet, Features, Key, Outcome, Side, Step, zobrist};

/// A position of a game on two boards, without its past.
#[derive(Clone, Copy)]
pub struct BermudaPosition {
    pub(super) rules: &'static Rules,
    /// The pieces of each side.
    pub(super) sides: [CellSet<2>; 2],
    /// The pieces of each kind, of both sides.
    pub(super) kinds: [CellSet<2>; KINDS],
    /// The cell a pawn has passed over with the move just played.
    pub(super) en_passant: Option<Cell>,
    /// A bit for each member of [`Rules::rights`].
    pub(super) rights: u8,
    pub(super) turn: Turn,
    pub(super) key: Key,
}

impl std::fmt::Debug for BermudaPosition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.describe(f)
    }
}

impl BermudaPosition {
    /// An empty board without rights.
    pub(super) fn empty(rules: &'static Rules, turn: Turn) -> Self {
        Self {
            rules,
            sides: [CellSet::EMPTY; 2],
            kinds: [CellSet::EMPTY; KINDS],
            en_passant: None,
            rights: 0,
            turn,
            key: rules.keys.rights[0] ^ turn.key(),
        }
    }

    /// The pieces of `side`.
    #[inline]
    pub(super) const fn pieces(&self, side: Side) -> CellSet<2> {
        self.sides[side.index()]
    }

    /// The cells where something stands.
    #[inline]
    pub(super) fn occupied(&self) -> CellSet<2> {
        self.sides[0] | self.sides[1]
    }

    /// The kings of `side`.
    #[inline]
    pub(super) fn kings(&self, side: Side) -> CellSet<2> {
        self.kinds[KING] & self.pieces(side)
    }

    /// The kind of the piece on `cell`.
    #[inline]
    pub(super) fn kind_at(&self, cell: Cell) -> Option<usize> {
        self.kinds.iter().position(|pieces| pieces.has(cell))
    }

    /// Puts a piece on `cell`, which is empty.
    #[inline]
    pub(super) fn put(&mut self, side: Side, kind: usize, cell: Cell) {
        self.sides[side.index()].insert(cell);
        self.kinds[kind].insert(cell);
        self.key ^= self.rules.keys.piece(kind, side, cell);
    }

    /// Takes what stands on `cell` off the board.
    #[inline]
    pub(super) fn lift(&mut self, cell: Cell) -> Option<(Side, usize)> {
        let side = self.side_at(cell)?;
        let kind = self.kind_at(cell).expect("a side's pieces have kinds");
        self.sides[side.index()].remove(cell);
        self.kinds[kind].remove(cell);
        self.key ^= self.rules.keys.piece(kind, side, cell);
        Some((side, kind))
    }

    /// Pushes the piece on the upper cell `cell` down to the complement and takes off what stood
    /// there, of either side (ruling R3).
    pub(super) fn push(&mut self, cell: Cell) {
        let below = complement(cell);
        self.lift(below);
        if let Some((side, kind)) = self.lift(cell) {
            self.put(side, kind, below);
        }
    }

    /// Sets the rights.
    #[inline]
    pub(super) fn set_rights(&mut self, rights: u8) {
        let keys = &self.rules.keys.rights;
        zobrist::set(&mut self.key, &mut self.rights, rights, |set| keys[usize::from(set)]);
    }

    /// Sets the en-passant cell.
    #[inline]
    pub(super) fn set_en_passant(&mut self, passed: Option<Cell>) {
        let keys = &self.rules.keys.en_passant;
        let number = |cell| zobrist::of_cell(keys, cell);
        zobrist::set(&mut self.key, &mut self.en_passant, passed, number);
    }
}

impl Board for BermudaPosition {
    fn id(&self) -> &'static str {
        self.rules.id
    }

    #[inline]
    fn turn(&self) -> Turn {
        self.turn
    }

    fn steps(&self, into: &mut Vec<Step>) -> Option<Outcome> {
        self.list_steps(into)
    }

    fn play(&mut self, step: Step) {
        self.play_step(step);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.decided()
    }

    #[inline]
    fn key(&self) -> Key {
        self.key
    }

    fn count_moves(&self) -> Option<usize> {
        Some(self.count_steps())
    }

    fn castling_rights(&self) -> bool {
        self.rights != 0
    }

    fn write_step(&self, step: Step, into: &mut String) {
        for cell in [step.from(), step.to()] {
            into.push_str(self.rules.geometry.name(cell));
        }
        if let Some(kind) = self.rules.promoted(step) {
            into.push('=');
            into.push(self.rules.kinds[kind].letter);
        }
    }

    fn write_fen(&self, into: &mut String) {
        self.write_position_string(into);
    }

    fn features(&self, into: &mut Features) {
        self.write_features(into);
    }

    fn count_pieces(&self, side: Side, mut visit: impl FnMut(PieceCount)) {
        for (kind, pieces) in self.rules.kinds.iter().zip(self.kinds) {
            let count = (pieces & self.pieces(side)).len();
            visit(PieceCount { name: kind.name, value: kind.value, count });
        }
    }

    #[inline]
    fn side_at(&self, cell: Cell) -> Option<Side> {
        Side::ALL.into_iter().find(|&side| self.pieces(side).has(cell))
    }

    fn write_unit(&self, cell: Cell, into: &mut String) {
        if let Some((kind, side)) = self.kind_at(cell).zip(self.side_at(cell)) {
            into.push(cased(self.rules.kinds[kind].letter, side));
        }
    }
}
