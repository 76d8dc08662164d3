//! Position strings.

use super::position::BermudaPosition;
use super::rules::{KING, KINGS, PAWN, Rules};
use crate::notation::{
    FenError, Field, Fields, cased, letter_and_side, read_letters, read_placement, write_placement,
};
use crate::position::Board as _;
use crate::{Cell, Side};

impl Rules {
    /// The position the game starts from.
    pub(crate) fn start(&'static self) -> BermudaPosition {
        self.parse_fen(self.start).expect("a game is declared with a position to start from")
    }

    /// Reads a position string and refuses what no game can arrive at, as far as the position
    /// itself shows it.
    pub(crate) fn parse_fen(&'static self, text: &str) -> Result<BermudaPosition, FenError> {
        let fields = Fields::split(text)?;
        let mut position = BermudaPosition::empty(self, fields.turn);
        self.read_pieces(&fields.placement, &mut position)?;
        let waiting = fields.turn.side.other();
        if position.kings(waiting).is_empty() {
            let king = cased(self.kinds[KING].letter, waiting);
            let problem = format!("no `{king}`: only the side to move can have lost its kings");
            return Err(fields.placement.error(problem));
        }
        self.read_rights(&fields.rights, &mut position)?;
        self.read_en_passant(&fields.en_passant, &mut position)?;
        fields.hands.expect_dash()?;
        Ok(position)
    }

    fn read_pieces(
        &self,
        field: &Field<'_>,
        position: &mut BermudaPosition,
    ) -> Result<(), FenError> {
        read_placement(&self.geometry, field, |unit, cell, at| {
            let known = letter_and_side(unit)
                .and_then(|(letter, side)| Some((self.kind_of_letter(letter)?, side)));
            let Some((kind, side)) = known else {
                return Err(field.error_at(at, format!("`{unit}` is no piece of {}", self.id)));
            };
            if kind == PAWN && !self.stands[side.index()].has(cell) {
                let name = self.geometry.name(cell);
                return Err(field.error_at(at, format!("a {side} pawn cannot stand on {name}")));
            }
            if kind == KING && position.kings(side).len() == KINGS {
                return Err(field.error_at(at, format!("more than {KINGS} {side} kings")));
            }
            position.put(side, kind, cell);
            Ok(())
        })
    }

    fn read_rights(
        &self,
        field: &Field<'_>,
        position: &mut BermudaPosition,
    ) -> Result<(), FenError> {
        let mut rights = 0;
        read_letters(field, field.text, self.rights, |bit, at| {
            let right = 1 << bit;
            for side in Side::ALL {
                let rooks = position.kinds[self.rook] & position.pieces(side);
                let castlings = self.castlings[side.index()].iter();
                for castling in castlings.filter(|castling| castling.right == right) {
                    let [king, rook] = [castling.king[0], castling.rook[0]];
                    if !position.kings(side).has(king) || !rooks.has(rook) {
                        let letter = self.rights.chars().nth(bit).expect("it was just found");
                        let problem = format!("king and rook of `{letter}` are not at home");
                        return Err(field.error_at(at, problem));
                    }
                }
            }
            rights |= right;
            Ok(())
        })?;
        position.set_rights(rights);
        Ok(())
    }

    fn read_en_passant(
        &self,
        field: &Field<'_>,
        position: &mut BermudaPosition,
    ) -> Result<(), FenError> {
        let Some(cell) = field.cell(&self.geometry)? else { return Ok(()) };
        let enemy = position.turn.side.other();
        let pawns = position.kinds[PAWN] & position.pieces(enemy);
        let empty = |cell: Cell| !position.occupied().has(cell);
        let stepped = self.passed[enemy.index()][cell.index()]
            .is_some_and(|[from, to]| empty(from) && empty(cell) && pawns.has(to));
        if !stepped {
            let problem = format!("no {enemy} pawn has just passed over {}", field.text);
            return Err(field.error(problem));
        }
        position.set_en_passant(Some(cell));
        Ok(())
    }
}

impl BermudaPosition {
    /// As [`crate::position::Board::write_fen`].
    pub(super) fn write_position_string(&self, into: &mut String) {
        let geometry = &self.rules.geometry;
        write_placement(geometry, |cell, into| self.write_unit(cell, into), into);
        into.push(' ');
        into.push(self.turn.letter());
        into.push(' ');
        let letters = self.rules.rights.chars().enumerate();
        into.extend(letters.filter(|(bit, _)| self.rights >> bit & 1 != 0).map(|right| right.1));
        if self.rights == 0 {
            into.push('-');
        }
        let passed = self.en_passant.map_or("-", |cell| geometry.name(cell));
        into.push_str(&format!(" {passed} - {} {}", self.turn.clock, self.turn.fullmove));
    }
}
