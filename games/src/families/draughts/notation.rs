//! Position strings and move texts.

use super::position::DraughtsPosition;
use super::rules::Rules;
use crate::notation::{Fields, cased, letter_and_side, read_placement, write_placement};
use crate::{FenError, Step};

impl Rules {
    /// Reads a position string.
    ///
    /// Refused is what no game can reach, whatever it starts with: a side with two kings; a side
    /// without one, or without any piece, that is not to move (only the move before can have
    /// captured it); a pawn on the rank on which it is promoted; a piece where none ever goes.
    pub(crate) fn parse_fen(&'static self, text: &str) -> Result<DraughtsPosition, FenError> {
        let fields = Fields::split(text)?;
        let mut position = DraughtsPosition::empty(self, fields.turn);
        let pieces = &self.pieces;
        read_placement(&self.geometry, &fields.placement, |unit, cell, at| {
            let error = |problem| Err(fields.placement.error_at(at, problem));
            let known = letter_and_side(unit).and_then(|(letter, side)| {
                Some((pieces.iter().position(|piece| piece.letter == letter)?, side))
            });
            let Some((kind, side)) = known else {
                let letters: String = pieces.iter().map(|piece| piece.letter).collect();
                return error(format!("`{unit}` is no piece: the pieces are {letters}"));
            };
            if self.kinds[kind][side.index()].promotion.has(cell) {
                let cell = self.geometry.name(cell);
                return error(format!("`{unit}` on {cell} would have been promoted"));
            }
            if !self.cells.has(cell) {
                let cell = self.geometry.name(cell);
                return error(format!("`{unit}` on {cell}: pieces stand on dark cells only"));
            }
            if Some(kind) == self.royal && position.has_royal(side) {
                return error(format!("a second `{unit}`"));
            }
            position.put(side, kind, cell);
            Ok(())
        })?;
        let waiting = fields.turn.side.other();
        if let Some(royal) = self.royal
            && !position.has_royal(waiting)
        {
            let royal = cased(pieces[royal].letter, waiting);
            let problem = format!("no `{royal}`: only the side to move can have lost its king");
            return Err(fields.placement.error(problem));
        }
        if position.pieces(waiting).is_empty() {
            let problem =
                format!("no {waiting} piece: only the side to move can have lost its last one");
            return Err(fields.placement.error(problem));
        }
        for field in [fields.rights, fields.en_passant, fields.hands] {
            field.expect_dash()?;
        }
        Ok(position)
    }
}

impl DraughtsPosition {
    /// Appends the seven fields of the position string.
    pub(super) fn write_fields(&self, into: &mut String) {
        use crate::position::Board as _;
        write_placement(&self.rules.geometry, |cell, into| self.write_unit(cell, into), into);
        let side = self.turn.letter();
        into.push_str(&format!(" {side} - - - {} {}", self.turn.clock, self.turn.fullmove));
    }

    /// Appends what `step` adds to the text of its move: all cells visited, and `=` with the piece
    /// that a promotion makes.
    pub(super) fn write_leg(&self, step: Step, into: &mut String) {
        let geometry = &self.rules.geometry;
        if self.capturing.is_none() {
            into.push_str(geometry.name(step.from()));
        }
        into.push_str(geometry.name(step.to()));
        let kind = self.kind_on(step.from()).expect("a step moves a piece");
        let kind = &self.rules.kinds[kind][self.turn.side.index()];
        if kind.promotion.has(step.to()) {
            into.push('=');
            into.push(self.rules.pieces[kind.promoted].letter);
        }
    }
}
