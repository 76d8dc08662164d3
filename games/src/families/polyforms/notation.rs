//! Position strings and move texts.

use super::position::PolyformPosition;
use super::rules::Rules;
use crate::notation::{Field, Fields, cased, letter_and_side, read_placement, write_placement};
use crate::position::Board as _;
use crate::turn::MOST_COUNTED;
use crate::{FenError, Side, Step};

impl<const W: usize, const K: usize> Rules<W, K> {
    /// The position the game starts from.
    pub(crate) fn start(&'static self) -> PolyformPosition<W, K> {
        self.parse_fen(self.start).expect("a game is declared with a position to start from")
    }

    /// Reads a position string. Any arrangement of checkers is a position: drops and captures lead
    /// to all of them.
    pub(crate) fn parse_fen(&'static self, text: &str) -> Result<PolyformPosition<W, K>, FenError> {
        let fields = Fields::split(text)?;
        let mut position = PolyformPosition::empty(self, fields.turn);
        read_placement(&self.geometry, &fields.placement, |unit, cell, at| {
            let known = letter_and_side(unit).and_then(|(letter, side)| {
                Some((self.letters.iter().position(|&known| known == letter)? + 1, side))
            });
            let Some((checkers, side)) = known else {
                let letters: String = self.letters.iter().collect();
                let problem = format!("`{unit}` is no piece: the pieces are {letters}");
                return Err(fields.placement.error_at(at, problem));
            };
            (0..checkers).for_each(|_| position.put(side, cell));
            Ok(())
        })?;
        fields.rights.expect_dash()?;
        fields.en_passant.expect_dash()?;
        for (side, count) in Side::ALL.into_iter().zip(self.read_hands(&fields.hands)?) {
            position.set_hand(side, count);
        }
        Ok(position)
    }

    /// Reads the hands: for White and then Black a number, if it is more than 1, and the letter of
    /// a checker.
    fn read_hands(&self, field: &Field<'_>) -> Result<[u16; 2], FenError> {
        let mut hands = [0; 2];
        if field.text == "-" {
            return Ok(hands);
        }
        let mut rest = field.text;
        for (side, hand) in Side::ALL.into_iter().zip(&mut hands) {
            let letters = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            let digits = &rest[..rest.len() - letters.len()];
            let Some(after) = letters.strip_prefix(cased(self.letters[0], side)) else { continue };
            *hand = match digits.parse() {
                _ if digits.is_empty() => 1,
                Ok(count) if (2..=MOST_COUNTED).contains(&count) && !digits.starts_with('0') => {
                    count
                }
                _ => {
                    let at = field.text.len() - rest.len();
                    let problem =
                        format!("expected a number from 2 to {MOST_COUNTED}, found `{digits}`");
                    return Err(field.error_at(at, problem));
                }
            };
            rest = after;
        }
        if rest.is_empty() && !field.text.is_empty() {
            return Ok(hands);
        }
        let [white, black] = Side::ALL.map(|side| cased(self.letters[0], side));
        let problem = format!("expected hands such as `2{white}{black}`, or `-`");
        Err(field.error_at(field.text.len() - rest.len(), problem))
    }
}

impl<const W: usize, const K: usize> PolyformPosition<W, K> {
    /// As [`crate::position::Board::write_fen`].
    pub(super) fn write_position_string(&self, into: &mut String) {
        write_placement(&self.rules.geometry, |cell, into| self.write_unit(cell, into), into);
        into.push(' ');
        into.push(self.turn.letter());
        into.push_str(" - - ");
        for side in Side::ALL {
            match self.hands[side.index()] {
                0 => continue,
                1 => {}
                count => into.push_str(&count.to_string()),
            }
            into.push(cased(self.rules.letters[0], side));
        }
        if self.hands == [0; 2] {
            into.push('-');
        }
        into.push_str(&format!(" {} {}", self.turn.clock, self.turn.fullmove));
    }

    /// Appends what `step` adds to the text of its move: the cells of a piece, a destination, or a
    /// whole drop.
    pub(super) fn write_step_text(&self, step: Step, into: &mut String) {
        let geometry = &self.rules.geometry;
        if self.chosen.is_some() {
            into.push('-');
            into.push_str(geometry.name(step.to()));
        } else if step.kind() == self.rules.drop_kind() {
            into.push(self.rules.letters[0]);
            into.push('*');
            into.push_str(geometry.name(step.to()));
        } else {
            let orientation = self.orientation(step.kind());
            let corner = step.from().moved(-orientation.lowest);
            for (i, part) in orientation.parts.iter().enumerate() {
                if i > 0 {
                    into.push('+');
                }
                into.push_str(geometry.name(corner.moved(part.by)));
                if part.checkers > 1 {
                    into.push('*');
                    into.push_str(&part.checkers.to_string());
                }
            }
        }
    }
}
