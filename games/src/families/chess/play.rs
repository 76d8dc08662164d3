//! What a move does.

use super::position::ChessPosition;
use super::rules::{CastlingTables, KING, PAWN, Rules};
use crate::families::bulk::Bulk as _;
use crate::{Cell, Side, Step};

impl<const W: usize> Rules<W> {
    /// The kind of piece that a pawn becomes with `step`, if it promotes.
    #[inline]
    pub(super) fn promoted(&self, step: Step) -> Option<usize> {
        self.promotions.get(usize::from(step.kind()).checked_sub(1)?).copied()
    }

    /// What a piece of `kind` has become after `step`.
    #[inline]
    fn becomes(&self, step: Step, kind: usize) -> usize {
        if step.kind() == Step::PLAIN {
            return kind;
        }
        if step.kind() == self.turning {
            return self.kinds[kind].turns_into.expect("a piece that turns has another side");
        }
        self.promoted(step).unwrap_or(kind)
    }

    /// What `step` drops, an index into [`Rules::held`], if it is a drop.
    #[inline]
    pub(super) fn dropped(&self, step: Step) -> Option<usize> {
        let held = usize::from(step.kind().checked_sub(self.first_drop)?);
        (held < self.held.len()).then_some(held)
    }

    /// The castling of `side` that `step` is, if it is one.
    #[inline]
    fn castling(&self, side: Side, step: Step) -> Option<&CastlingTables<W>> {
        let first = 1 + self.promotions.len();
        self.castlings[side.index()].get(usize::from(step.kind()).checked_sub(first)?)
    }
}

impl<const W: usize> ChessPosition<W> {
    /// As [`crate::State::play`].
    pub(super) fn play_step(&mut self, step: Step) {
        debug_assert!(self.is_legal(step), "{step:?} is not legal in {self:?}");
        let rules = self.rules;
        let (from, to) = (step.from(), step.to());
        let passed = self.en_passant;
        self.set_en_passant(None);
        self.turn.count_ply();
        let mut lost = rules.rights_lost[from.index()] | rules.rights_lost[to.index()];
        if let Some(castling) = rules.castling(self.turn.side, step) {
            self.castle(castling);
        } else if let Some(held) = rules.dropped(step) {
            self.release(self.turn.side, held);
            self.put(self.turn.side, rules.held[held].kind, to);
            self.turn.clock = 0;
        } else {
            let kind = self.kind_at(from).expect("a legal step begins at a piece");
            self.capture(to);
            self.lift(self.turn.side, kind, from);
            let becomes = rules.becomes(step, kind);
            self.put(self.turn.side, becomes, to);
            // A king made by promotion begins with its leap right.
            if becomes == KING && rules.two_kings && (self.take_leaper(from) || kind == PAWN) {
                self.set_leaper(to);
            }
            if kind == PAWN {
                self.finish_pawn_step(from, to, passed);
            } else if kind == KING {
                lost |= rules.double_right[self.turn.side.index()];
            } else if becomes != kind {
                self.turn.clock = 0;
            }
        }
        self.set_rights(self.rights & !lost);
        self.turn.pass(&mut self.key);
        // A king that stands in check loses its leap right before its side replies (rulebook,
        // mgc, ruling 7), and that to a double move.
        let doubtful = rules.until_checked(self.turn.side);
        if self.rights & doubtful != 0 && self.in_check(self.turn.side) {
            self.set_rights(self.rights & !doubtful);
        }
        if rules.two_kings {
            self.leaping_kings(self.turn.side).for_each(|king| {
                if self.is_king_attacked(king, self.turn.side) {
                    self.take_leaper(king);
                }
            });
        }
    }

    fn castle(&mut self, castling: &CastlingTables<W>) {
        // All leave before any arrives: one may arrive where another has left.
        let [from, to] = castling.king;
        self.lift(self.turn.side, KING, from);
        for &[from, _] in &castling.rooks {
            self.lift(self.turn.side, castling.rook, from);
        }
        self.put(self.turn.side, KING, to);
        for &[_, to] in &castling.rooks {
            self.put(self.turn.side, castling.rook, to);
        }
    }

    /// Takes what stands on `cell`, if anything does, off the board.
    #[inline]
    fn capture(&mut self, cell: Cell) {
        let enemy = self.turn.side.other();
        if self.sides[enemy.index()].has(cell) {
            let kind = self.kind_at(cell).expect("a side's pieces have kinds");
            self.lift(enemy, kind, cell);
            self.clear_spent(cell);
            self.take_leaper(cell);
            if let Some(held) = self.rules.kinds[kind].held {
                self.hold(self.turn.side, held);
            }
            self.turn.clock = 0;
        }
    }

    /// What else happens when a pawn has gone from `from` to `to`, after an enemy pawn has passed
    /// over `passed`.
    fn finish_pawn_step(&mut self, from: Cell, to: Cell, passed: Option<Cell>) {
        let (rules, side) = (self.rules, self.turn.side.index());
        let pawn = &rules.pawn;
        let moves = &pawn.moves[side][from.index()];
        if !pawn.retractable[side][from.index()].has(to) {
            self.turn.clock = 0;
        }
        if passed == Some(to) && moves.captures.has(to) {
            let taken = pawn.passed[self.turn.side.other().index()][to.index()];
            self.capture(taken.expect("a pawn has passed over the en-passant cell"));
        }
        if moves.first.has(to) {
            self.set_en_passant(moves.over.first());
        }
        if pawn.tracks_spent {
            self.clear_spent(from);
            if pawn.homes[side].has(to) {
                self.set_spent(to);
            }
        }
    }
}
