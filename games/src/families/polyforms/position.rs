//! [`PolyformPosition`]: the checkers, the hands and the piece that has been chosen.

use super::rules::{Orientation, Rules};
use crate::notation::cased;
use crate::position::{Board, PieceCount};
use crate::turn::Turn;
use crate::{Cell, CellSet, Features, Key, Outcome, Side, Step, zobrist};

/// A position of a game of the family, on `W` words, with at most `K` checkers on a cell.
#[derive(Clone, Copy)]
pub struct PolyformPosition<const W: usize, const K: usize> {
    pub(super) rules: &'static Rules<W, K>,
    /// By side and level: the cells with more than `level` of its checkers.
    pub(super) levels: [[CellSet<W>; K]; 2],
    /// The checkers in hand.
    pub(super) hands: [u16; 2],
    /// The piece whose destination is to be chosen next.
    pub(super) chosen: Option<Chosen>,
    pub(super) turn: Turn,
    /// The hash of everything but the counters, kept up with every change.
    pub(super) key: Key,
}

/// A piece on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Chosen {
    /// An index into [`Rules::orientations`], and the kind of its steps.
    pub(super) kind: u8,
    pub(super) corner: Cell,
}

impl<const W: usize, const K: usize> std::fmt::Debug for PolyformPosition<W, K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.describe(f)?;
        write!(f, " {:?}", self.chosen)
    }
}

impl<const W: usize, const K: usize> PolyformPosition<W, K> {
    /// An empty board.
    pub(super) fn empty(rules: &'static Rules<W, K>, turn: Turn) -> Self {
        Self {
            rules,
            levels: [[CellSet::EMPTY; K]; 2],
            hands: [0; 2],
            chosen: None,
            turn,
            key: turn.key(),
        }
    }

    /// The cells on which a side has checkers.
    #[inline]
    pub(super) const fn cells(&self, side: Side) -> CellSet<W> {
        self.levels[side.index()][0]
    }

    /// The number of checkers of `side` on `cell`.
    #[inline]
    pub(super) fn count(&self, side: Side, cell: Cell) -> usize {
        self.levels[side.index()].iter().take_while(|level| level.has(cell)).count()
    }

    /// Puts one checker on `cell`, where there is room for it.
    #[inline]
    pub(super) fn put(&mut self, side: Side, cell: Cell) {
        let level = self.count(side, cell);
        self.levels[side.index()][level].insert(cell);
        self.key ^= self.rules.checker_key(side, level, cell);
    }

    /// Takes one checker of `side` from `cell`, where there is one.
    #[inline]
    pub(super) fn take(&mut self, side: Side, cell: Cell) {
        let level = self.count(side, cell) - 1;
        self.levels[side.index()][level].remove(cell);
        self.key ^= self.rules.checker_key(side, level, cell);
    }

    /// Changes the number of checkers in hand.
    #[inline]
    pub(super) fn set_hand(&mut self, side: Side, count: u16) {
        let number = |count| self.rules.hand_key(side, count);
        zobrist::set(&mut self.key, &mut self.hands[side.index()], count, number);
    }

    /// Chooses a piece, or none.
    #[inline]
    pub(super) fn choose(&mut self, chosen: Option<Chosen>) {
        let number = |chosen: Option<Chosen>| {
            chosen.map_or(0, |Chosen { kind, corner }| self.rules.chosen_key(kind, corner))
        };
        zobrist::set(&mut self.key, &mut self.chosen, chosen, number);
    }

    /// The orientation whose kind is `kind`.
    #[inline]
    pub(super) fn orientation(&self, kind: u8) -> &'static Orientation {
        &self.rules.orientations[usize::from(kind)]
    }

    /// Where a checker in hand can be dropped: where there is room and no enemy.
    #[inline]
    pub(super) fn drops(&self) -> CellSet<W> {
        if self.hands[self.turn.side.index()] == 0 {
            return CellSet::EMPTY;
        }
        self.rules.cells
            - self.cells(self.turn.side.other())
            - self.levels[self.turn.side.index()][K - 1]
    }
}

impl<const W: usize, const K: usize> Board for PolyformPosition<W, K> {
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
        if self.can_move() { None } else { Some(Outcome::Win(self.turn.side.other())) }
    }

    #[inline]
    fn key(&self) -> Key {
        self.key
    }

    #[inline]
    fn mid_move(&self) -> bool {
        self.chosen.is_some()
    }

    fn count_moves(&self) -> Option<usize> {
        self.count_whole_moves()
    }

    fn write_step(&self, step: Step, into: &mut String) {
        self.write_step_text(step, into);
    }

    fn write_fen(&self, into: &mut String) {
        self.write_position_string(into);
    }

    fn features(&self, into: &mut Features) {
        self.write_features(into);
    }

    fn count_pieces(&self, side: Side, mut visit: impl FnMut(PieceCount)) {
        let on_board: usize = self.levels[side.index()].iter().map(|level| level.len()).sum();
        let count = on_board + usize::from(self.hands[side.index()]);
        // A checker in hand counts in full: it will be dropped where it is worth most.
        visit(PieceCount { name: "checker", value: 100, count });
    }

    fn side_at(&self, cell: Cell) -> Option<Side> {
        Side::ALL.into_iter().find(|&side| self.cells(side).has(cell))
    }

    fn write_unit(&self, cell: Cell, into: &mut String) {
        if let Some(side) = self.side_at(cell) {
            into.push(cased(self.rules.letters[self.count(side, cell) - 1], side));
        }
    }
}
