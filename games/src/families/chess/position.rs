//! [`ChessPosition`]: where everything stands.

use super::rules::{KING, MOST_HELD, MOST_KINDS, Rules};
use crate::families::bulk::Bulk as _;
use crate::notation::cased;
use crate::position::{Board, PieceCount};
use crate::turn::Turn;
use crate::{Cell, CellSet, Features, Key, Outcome, Side, Step, zobrist};

/// A position of a chess-like game, without its past.
#[derive(Clone, Copy)]
pub struct ChessPosition<const W: usize> {
    pub(super) rules: &'static Rules<W>,
    /// The pieces of each side.
    pub(super) sides: [CellSet<W>; 2],
    /// The pieces of each kind, of both sides.
    pub(super) kinds: [CellSet<W>; MOST_KINDS],
    /// The pawns on starting cells of their side that have moved.
    pub(super) spent: CellSet<W>,
    /// The kings that have their leap right, if a side may have two; else [`Rules::leap_right`]
    /// tells.
    pub(super) leapers: CellSet<W>,
    /// How many of each of [`Rules::held`] each side has in hand.
    pub(super) hands: [[u8; MOST_HELD]; 2],
    /// The cell a pawn has passed over with the move just played.
    pub(super) en_passant: Option<Cell>,
    /// A bit for each member of [`Rules::rights`].
    pub(super) rights: u8,
    pub(super) turn: Turn,
    pub(super) key: Key,
}

impl<const W: usize> std::fmt::Debug for ChessPosition<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.describe(f)
    }
}

impl<const W: usize> ChessPosition<W> {
    /// An empty board without rights.
    pub(super) fn empty(rules: &'static Rules<W>, turn: Turn) -> Self {
        Self {
            rules,
            sides: [CellSet::EMPTY; 2],
            kinds: [CellSet::EMPTY; MOST_KINDS],
            spent: CellSet::EMPTY,
            leapers: CellSet::EMPTY,
            hands: [[0; MOST_HELD]; 2],
            en_passant: None,
            rights: 0,
            turn,
            key: rules.keys.rights[0] ^ turn.key(),
        }
    }

    /// The cells where something stands.
    #[inline]
    pub(super) fn occupied(&self) -> CellSet<W> {
        self.sides[0] | self.sides[1]
    }

    /// Where the kings of `side` stand.
    #[inline]
    pub(super) fn kings(&self, side: Side) -> CellSet<W> {
        self.kinds[KING] & self.sides[side.index()]
    }

    /// The king of `side` that must not be attacked: none if it has two.
    #[inline]
    pub(super) fn bound_king(&self, side: Side) -> Option<Cell> {
        let kings = self.kings(side);
        if self.rules.two_kings && kings.len() > 1 { None } else { kings.first() }
    }

    /// The kings of `side` that have their leap right.
    #[inline]
    pub(super) fn leaping_kings(&self, side: Side) -> CellSet<W> {
        let own = self.sides[side.index()];
        if self.has_leap_right(side) { self.kings(side) } else { self.leapers & own }
    }

    /// Whether the only king of `side` has its leap right.
    #[inline]
    pub(super) fn has_leap_right(&self, side: Side) -> bool {
        self.rights & self.rules.leap_right[side.index()] != 0
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

    /// Takes the piece that stands on `cell` off the board.
    #[inline]
    pub(super) fn lift(&mut self, side: Side, kind: usize, cell: Cell) {
        self.sides[side.index()].remove(cell);
        self.kinds[kind].remove(cell);
        self.key ^= self.rules.keys.piece(kind, side, cell);
    }

    /// Puts a piece of [`Rules::held`] number `held` into the hand of `side`.
    #[inline]
    pub(super) fn hold(&mut self, side: Side, held: usize) {
        let count = &mut self.hands[side.index()][held];
        *count += 1;
        self.key ^= self.rules.keys.held(held, side, *count);
    }

    /// Takes such a piece, which is there, out of the hand again.
    #[inline]
    pub(super) fn release(&mut self, side: Side, held: usize) {
        let count = &mut self.hands[side.index()][held];
        self.key ^= self.rules.keys.held(held, side, *count);
        *count -= 1;
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

    /// Marks the pawn on `cell` as spent.
    #[inline]
    pub(super) fn set_spent(&mut self, cell: Cell) {
        self.spent.insert(cell);
        self.key ^= self.rules.keys.spent[cell.index()];
    }

    /// Forgets that a pawn on `cell` was spent, if one was.
    #[inline]
    pub(super) fn clear_spent(&mut self, cell: Cell) {
        if self.spent.has(cell) {
            self.spent.remove(cell);
            self.key ^= self.rules.keys.spent[cell.index()];
        }
    }

    /// Gives the king on `cell` its leap right.
    #[inline]
    pub(super) fn set_leaper(&mut self, cell: Cell) {
        self.leapers.insert(cell);
        self.key ^= self.rules.keys.leapers[cell.index()];
    }

    /// Takes the leap right of the king on `cell`, if it has one, and returns whether it had.
    #[inline]
    pub(super) fn take_leaper(&mut self, cell: Cell) -> bool {
        let found = self.leapers.has(cell);
        if found {
            self.leapers.remove(cell);
            self.key ^= self.rules.keys.leapers[cell.index()];
        }
        found
    }
}

impl<const W: usize> Board for ChessPosition<W> {
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

    fn open_after(&self, steps: &[Step], into: &mut Vec<bool>) {
        self.find_open(steps, into);
    }

    #[inline]
    fn key(&self) -> Key {
        self.key
    }

    fn count_moves(&self) -> Option<usize> {
        Some(self.count_steps())
    }

    fn is_check(&self) -> bool {
        self.in_check(self.turn.side)
    }

    fn castling_rights(&self) -> bool {
        self.rules.castlings.iter().flatten().any(|castling| self.rights & castling.right != 0)
    }

    fn write_step(&self, step: Step, into: &mut String) {
        let rules = self.rules;
        if let Some(held) = rules.dropped(step) {
            into.push(rules.kinds[rules.held[held].kind].letter);
            into.push('*');
            into.push_str(rules.geometry.name(step.to()));
            return;
        }
        for cell in [step.from(), step.to()] {
            into.push_str(rules.geometry.name(cell));
        }
        if let Some(kind) = rules.promoted(step) {
            into.push('=');
            into.push(rules.kinds[kind].letter);
        }
        if step.kind() == rules.turning && rules.turning != Step::PLAIN {
            into.push('+');
        }
    }

    fn write_fen(&self, into: &mut String) {
        self.write_position_string(into);
    }

    fn features(&self, into: &mut Features) {
        self.write_features(into);
    }

    fn count_pieces(&self, side: Side, mut visit: impl FnMut(PieceCount)) {
        let own = self.sides[side.index()];
        let hand = || self.rules.held.iter().zip(self.hands[side.index()]);
        for (number, (kind, pieces)) in self.rules.kinds.iter().zip(self.kinds).enumerate() {
            let held = hand().find(|(held, _)| held.kind == number);
            let count = (pieces & own).len() + held.map_or(0, |(_, count)| count.into());
            visit(PieceCount { name: kind.name, value: kind.value, count });
        }
    }

    fn side_at(&self, cell: Cell) -> Option<Side> {
        Side::ALL.into_iter().find(|side| self.sides[side.index()].has(cell))
    }

    fn write_unit(&self, cell: Cell, into: &mut String) {
        if let Some((kind, side)) = self.kind_at(cell).zip(self.side_at(cell)) {
            let kind = &self.rules.kinds[kind];
            if kind.turned {
                into.push('+');
            }
            into.push(cased(kind.letter, side));
        }
    }
}
