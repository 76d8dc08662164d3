//! What a move does.

use super::position::BermudaPosition;
use super::rules::{CastlingTables, KING, PAWN, Rules, complement, is_upper};
use crate::families::bulk::Bulk as _;
use crate::position::Board as _;
use crate::{Cell, Side, Step};

impl Rules {
    /// The kind of piece that a pawn becomes with `step`, if it promotes.
    #[inline]
    pub(super) fn promoted(&self, step: Step) -> Option<usize> {
        self.promotions.get(usize::from(step.kind()).checked_sub(1)?).copied()
    }

    /// The castling of `side` in which the king goes from `from` to `to`: two cells, as he never
    /// does otherwise.
    #[inline]
    fn castling(&self, side: Side, from: Cell, to: Cell) -> Option<&CastlingTables> {
        self.castlings[side.index()].iter().find(|castling| castling.king == [from, to])
    }
}

impl BermudaPosition {
    /// As [`crate::State::play`].
    pub(super) fn play_step(&mut self, step: Step) {
        debug_assert!(self.is_legal(step), "{step:?} is not legal in {self:?}");
        let rules = self.rules;
        let (from, to) = (step.from(), step.to());
        let passed = self.en_passant;
        self.set_en_passant(None);
        self.turn.count_ply();
        let (_, kind) = self.lift(from).expect("a legal step begins at a piece");
        self.touch(from);
        let becomes = rules.promoted(step).unwrap_or(kind);
        if kind == PAWN {
            self.turn.clock = 0;
        }
        match (is_upper(from), is_upper(to)) {
            (true, false) => self.drop_to(becomes, to),
            _ => {
                let victim = self.victim(kind, to, passed);
                self.arrive(becomes, to, victim);
            }
        }
        if kind == KING
            && let Some(&CastlingTables { rook: [home, goal], .. }) =
                rules.castling(self.turn.side, from, to)
        {
            self.lift(home);
            self.put(self.turn.side, rules.rook, goal);
            self.touch(home);
        }
        if kind == PAWN {
            let moves = &rules.pawns[self.turn.side.index()][from.index()];
            self.set_en_passant(moves.over.first().filter(|_| moves.first.has(to)));
        }
        self.turn.pass(&mut self.key);
    }

    /// Ends the rights that go when something leaves `cell` or arrives there.
    #[inline]
    fn touch(&mut self, cell: Cell) {
        let lost = self.rules.rights_lost[cell.index()];
        if self.rights & lost != 0 {
            self.set_rights(self.rights & !lost);
        }
    }

    /// A piece drops to the lower cell `to` and stays there, whatever it takes (ruling R6).
    fn drop_to(&mut self, kind: usize, to: Cell) {
        if self.lift(to).is_some() {
            self.turn.clock = 0;
        }
        self.put(self.turn.side, kind, to);
        self.touch(to);
    }

    /// Where the enemy stands that a piece of `kind` captures when it goes to `to` on its board,
    /// after an enemy pawn has passed over `passed`.
    #[inline]
    fn victim(&self, kind: usize, to: Cell, passed: Option<Cell>) -> Option<Cell> {
        let enemy = self.turn.side.other();
        if self.side_at(to) == Some(enemy) {
            Some(to)
        } else if kind == PAWN && passed == Some(to) {
            self.rules.passed[enemy.index()][to.index()].map(|[_, stands]| stands)
        } else {
            None
        }
    }

    /// A piece arrives on `to`, a cell of its board, and captures what stands on `victim`.
    fn arrive(&mut self, kind: usize, to: Cell, victim: Option<Cell>) {
        let mut end = to;
        if let Some(cell) = victim {
            self.turn.clock = 0;
            self.touch(cell);
            if is_upper(cell) {
                self.push(cell);
                self.touch(complement(cell));
            } else {
                self.lift(cell);
                if self.side_at(complement(to)).is_none() {
                    end = complement(to);
                }
            }
        }
        self.put(self.turn.side, kind, end);
        self.touch(to);
        self.touch(end);
    }
}
