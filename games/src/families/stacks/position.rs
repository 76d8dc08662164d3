//! [`StacksPosition`]: where everything stands.

use super::declaration::Adjudication;
use super::rules::{Layer, Rules};
use super::stack::{MOST_LAYERS, Moves, ROYAL, SLAVE, Unit};
use crate::families::bulk::Bulk as _;
use crate::notation::cased;
use crate::position::{Board, PieceCount};
use crate::turn::Turn;
use crate::{Cell, CellSet, Features, Key, Outcome, Side, Step, zobrist};

/// A position of a game of stacks, without its past.
#[derive(Clone, Copy)]
pub struct StacksPosition {
    pub(super) rules: &'static Rules,
    /// The cells of each layer, of both sides.
    pub(super) layers: [CellSet<2>; MOST_LAYERS],
    /// Where each side stands.
    pub(super) sides: [CellSet<2>; 2],
    /// The slaves on the home rank of their side that have moved.
    pub(super) spent: CellSet<2>,
    /// A bit for each side that has its leap right.
    pub(super) leaps: u8,
    /// A bit for each side that has its royal piece in hand.
    pub(super) hands: u8,
    /// Where the capturing stack stands, if it has to jump on.
    pub(super) capturing: Option<Cell>,
    /// Whether a part of a stack stayed behind when the capture under way began.
    pub(super) divided: bool,
    pub(super) turn: Turn,
    pub(super) key: Key,
}

impl std::fmt::Debug for StacksPosition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.describe(f)
    }
}

impl StacksPosition {
    /// An empty board without rights and with empty hands.
    pub(super) fn empty(rules: &'static Rules, turn: Turn) -> Self {
        Self {
            rules,
            layers: [CellSet::EMPTY; MOST_LAYERS],
            sides: [CellSet::EMPTY; 2],
            spent: CellSet::EMPTY,
            leaps: 0,
            hands: 0,
            capturing: None,
            divided: false,
            turn,
            key: rules.keys.leaps[0] ^ rules.keys.hands[0] ^ turn.key(),
        }
    }

    /// The cells where something stands.
    #[inline]
    pub(super) fn occupied(&self) -> CellSet<2> {
        self.sides[0] | self.sides[1]
    }

    /// Where the royal piece of `side` stands.
    #[inline]
    pub(super) fn royal(&self, side: Side) -> Option<Cell> {
        (self.layers[ROYAL] & self.sides[side.index()]).first()
    }

    /// Whether `side` has its royal piece in hand.
    #[inline]
    pub(super) const fn has_in_hand(&self, side: Side) -> bool {
        self.hands >> side.index() & 1 != 0
    }

    /// Whether the royal piece of `side` has its leap right.
    #[inline]
    pub(super) const fn has_leap_right(&self, side: Side) -> bool {
        self.leaps >> side.index() & 1 != 0
    }

    /// How the royal piece of `side` moves now.
    #[inline]
    pub(super) fn royal_moves(&self, side: Side) -> Moves {
        let royal = &self.rules.royal;
        if self.has_leap_right(side) { royal.moves.or(royal.leaps) } else { royal.moves }
    }

    /// The stacks of `side`.
    #[inline]
    pub(super) fn stacks_of(&self, side: Side) -> CellSet<2> {
        self.sides[side.index()] - self.layers[ROYAL] - self.layers[SLAVE]
    }

    /// The stacks of both sides that are made of checkers of `class`.
    #[inline]
    pub(super) fn of_class(&self, class: usize) -> CellSet<2> {
        self.in_any_layer(self.rules.classes[class].first_of_size)
    }

    /// The cells of both sides where something stands in all of `layers`.
    #[inline]
    pub(super) fn in_all_layers(&self, layers: Unit) -> CellSet<2> {
        let mut rest = layers;
        let mut cells = self.rules.cells;
        while rest != 0 {
            cells &= self.layers[rest.trailing_zeros() as usize];
            rest &= rest - 1;
        }
        cells
    }

    /// The cells of both sides where something stands in any of `layers`.
    #[inline]
    pub(super) fn in_any_layer(&self, layers: Unit) -> CellSet<2> {
        let mut rest = layers;
        let mut cells = CellSet::EMPTY;
        while rest != 0 {
            cells |= self.layers[rest.trailing_zeros() as usize];
            rest &= rest - 1;
        }
        cells
    }

    /// What stands on `cell`, of either side.
    #[inline]
    pub(super) fn unit_on(&self, cell: Cell) -> Unit {
        let layers = &self.layers[..self.rules.layers.len()];
        let bits = (0..).zip(layers).map(|(layer, cells)| Unit::from(cells.has(cell)) << layer);
        bits.fold(0, |unit, bit| unit | bit)
    }

    /// The number of the stack on `cell`; that of none if it is empty or holds something else.
    #[inline]
    pub(super) fn stack_on(&self, cell: Cell) -> u8 {
        self.rules.stacks.number(self.unit_on(cell))
    }

    /// Changes what `side` has on `cell` from `old` to `new`; 0 is nothing.
    #[inline]
    pub(super) fn change(&mut self, side: Side, cell: Cell, old: Unit, new: Unit) {
        let mut changed = old ^ new;
        while changed != 0 {
            let layer = changed.trailing_zeros() as usize;
            self.layers[layer] ^= CellSet::of(cell);
            self.key ^= self.rules.keys.layer(side, layer, cell);
            changed &= changed - 1;
        }
        if new == 0 {
            self.sides[side.index()].remove(cell);
        } else {
            self.sides[side.index()].insert(cell);
        }
    }

    /// Sets which sides have their leap right.
    #[inline]
    pub(super) fn set_leaps(&mut self, leaps: u8) {
        let keys = &self.rules.keys.leaps;
        zobrist::set(&mut self.key, &mut self.leaps, leaps, |set| keys[usize::from(set)]);
    }

    /// Sets which sides have their royal piece in hand.
    #[inline]
    pub(super) fn set_hands(&mut self, hands: u8) {
        let keys = &self.rules.keys.hands;
        zobrist::set(&mut self.key, &mut self.hands, hands, |set| keys[usize::from(set)]);
    }

    /// Marks the slave on `cell` as spent, or forgets that it is.
    #[inline]
    pub(super) fn set_spent(&mut self, cell: Cell, spent: bool) {
        if self.spent.has(cell) != spent {
            self.spent ^= CellSet::of(cell);
            self.key ^= self.rules.keys.spent[cell.index()];
        }
    }

    /// Sets which stack has to jump on.
    #[inline]
    pub(super) fn set_capturing(&mut self, capturing: Option<Cell>) {
        let keys = &self.rules.keys.capturing;
        let number = |cell| zobrist::of_cell(keys, cell);
        zobrist::set(&mut self.key, &mut self.capturing, capturing, number);
    }

    /// Whether the royal piece of `side` could be captured if the other side were to move, so that
    /// it loses its leap right when its own side is.
    pub(super) fn is_threatened(&self, side: Side) -> bool {
        if self.rules.jumps { self.can_be_jumped(side) } else { self.in_check(side) }
    }
}

impl Board for StacksPosition {
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

    fn foregone(&self) -> Option<Outcome> {
        // Jumping over the royal piece does not stop the move, but nothing can save it.
        if self.capturing.is_some() && self.royal(self.turn.side.other()).is_none() {
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

    fn adjudicated(&self) -> Outcome {
        if self.rules.adjudication == Adjudication::Draw {
            return Outcome::Draw;
        }
        // Each side still has its royal piece, or the game would be over.
        let [white, black] = Side::ALL.map(|side| self.material(side));
        match white.cmp(&black) {
            std::cmp::Ordering::Greater => Outcome::Win(Side::White),
            std::cmp::Ordering::Less => Outcome::Win(Side::Black),
            std::cmp::Ordering::Equal => Outcome::Draw,
        }
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
        let rules = self.rules;
        let count = rules.plane_layers().count();
        let mut plane = 2 * count;
        for (whose, side) in [self.turn.side, self.turn.side.other()].into_iter().enumerate() {
            let own = self.sides[side.index()];
            for (i, (layer, _)) in rules.plane_layers().enumerate() {
                (self.layers[layer] & own).for_each(|cell| into.mark(whose * count + i, cell));
            }
            if rules.royal.leaps() {
                if self.has_leap_right(side) {
                    into.fill(plane, 1.0);
                }
                plane += 1;
            }
            if rules.royal.in_hand {
                if self.has_in_hand(side) {
                    into.fill(plane, 1.0);
                }
                plane += 1;
            }
            if rules.tracks_spent() {
                (self.spent & own).for_each(|cell| into.mark(plane, cell));
                plane += 1;
            }
        }
        if let Some(cell) = self.capturing {
            into.mark(plane, cell);
        }
    }

    fn count_pieces(&self, side: Side, mut visit: impl FnMut(PieceCount)) {
        let own = self.sides[side.index()];
        for layers in self.rules.layers_of_kinds() {
            let Layer { name: Some(name), value } = &self.rules.layers[layers.start] else {
                continue;
            };
            let in_hand = layers.contains(&ROYAL) && self.has_in_hand(side);
            let on_board: usize = layers.map(|layer| (self.layers[layer] & own).len()).sum();
            visit(PieceCount { name, value: *value, count: on_board + usize::from(in_hand) });
        }
    }

    fn side_at(&self, cell: Cell) -> Option<Side> {
        Side::ALL.into_iter().find(|side| self.sides[side.index()].has(cell))
    }

    fn write_unit(&self, cell: Cell, into: &mut String) {
        let Some(side) = self.side_at(cell) else { return };
        let rules = self.rules;
        if self.layers[ROYAL].has(cell) {
            into.push(cased(rules.royal.letter, side));
        } else if let Some(slave) = rules.slave.as_ref().filter(|_| self.layers[SLAVE].has(cell)) {
            into.push(cased(slave.letter, side));
        } else {
            let text = &rules.stacks.get(self.stack_on(cell)).text;
            let [open, close] = brackets(side);
            into.push_str(&format!("{open}{text}{close}"));
        }
    }
}

/// What a stack of `side` is written between.
pub(super) const fn brackets(side: Side) -> [char; 2] {
    match side {
        Side::White => ['[', ']'],
        Side::Black => ['(', ')'],
    }
}
