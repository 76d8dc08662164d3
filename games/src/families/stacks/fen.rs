//! Position strings and move texts.

use super::position::{StacksPosition, brackets};
use super::rules::{Rules, StepKind};
use super::stack::{ROYAL, SLAVE, Unit};
use crate::notation::{
    FenError, Field, Fields, cased, letter_and_side, read_letters, read_placement, read_spent,
    write_placement,
};
use crate::position::Board as _;
use crate::{CellSet, Side, Step};

impl Rules {
    /// Reads a position string and refuses what no game of this kind can arrive at, as far as the
    /// position itself shows it.
    pub(crate) fn parse_fen(&'static self, text: &str) -> Result<StacksPosition, FenError> {
        let fields = Fields::split(text)?;
        let mut position = StacksPosition::empty(self, fields.turn);
        self.read_units(&fields.placement, &mut position)?;
        self.read_rights(&fields.rights, &mut position)?;
        fields.en_passant.expect_dash()?;
        self.read_hands(&fields.hands, &mut position)?;
        self.check_royals(&fields, &position)?;
        Ok(position)
    }

    fn read_units(&self, field: &Field<'_>, position: &mut StacksPosition) -> Result<(), FenError> {
        read_placement(&self.geometry, field, |text, cell, at| {
            let error = |problem| Err(field.error_at(at, problem));
            let (side, unit) = match self.unit(text) {
                Ok(found) => found,
                Err(problem) => return error(problem),
            };
            let name = self.geometry.name(cell);
            if let Some(slave) = self.slave.as_ref().filter(|_| unit == 1 << SLAVE) {
                if self.last_rank[side.index()].has(cell) {
                    return error(format!("`{text}` on {name} would have been promoted"));
                }
                if !slave.stands[side.index()].has(cell) {
                    return error(format!("`{text}` cannot stand behind its home rank, on {name}"));
                }
            }
            if unit == 1 << ROYAL && position.royal(side).is_some() {
                return error(format!("a second `{text}`"));
            }
            position.change(side, cell, 0, unit);
            Ok(())
        })
    }

    /// The unit written as `text`, and whose it is.
    fn unit(&self, text: &str) -> Result<(Side, Unit), String> {
        if let Some((letter, side)) = letter_and_side(text) {
            let slave = self.slave.as_ref().map(|slave| slave.letter);
            return match letter {
                _ if letter == self.royal.letter => Ok((side, 1 << ROYAL)),
                _ if Some(letter) == slave => Ok((side, 1 << SLAVE)),
                _ => Err(format!("`{text}` is no piece: expected {}", self.pieces_in_words())),
            };
        }
        for side in Side::ALL {
            let [open, close] = brackets(side);
            let Some(inner) = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close))
            else {
                continue;
            };
            let stacks = self.stacks.all()[1..].iter();
            return match stacks.into_iter().find(|stack| stack.text == inner) {
                Some(stack) => Ok((side, stack.unit)),
                None => Err(format!("`{text}` is no stack: expected {}", self.stacks_in_words())),
            };
        }
        Err(format!("`{text}` is no piece: expected {}", self.pieces_in_words()))
    }

    fn pieces_in_words(&self) -> String {
        let letters = self.slave.iter().map(|slave| slave.letter).chain([self.royal.letter]);
        let letters: Vec<String> = letters.map(|letter| format!("`{letter}`")).collect();
        format!("{} or a stack in brackets", letters.join(", "))
    }

    fn stacks_in_words(&self) -> String {
        let forms = self.classes.iter().map(|class| {
            let letter = match class.letter {
                "" => String::new(),
                letter => format!("`{letter}` and "),
            };
            let times = if class.most == 1 { "once" } else { "twice" };
            format!(
                "{letter}some sizes from 1 to {} in ascending order, each {times} at most",
                class.sizes
            )
        });
        forms.collect::<Vec<_>>().join(", or ")
    }

    fn read_rights(
        &self,
        field: &Field<'_>,
        position: &mut StacksPosition,
    ) -> Result<(), FenError> {
        if !self.royal.leaps() {
            return field.expect_dash();
        }
        let (letters, spent) = match field.text.split_once(':') {
            Some((letters, spent)) if self.tracks_spent() => (letters, Some(spent)),
            _ => (field.text, None),
        };
        position.set_leaps(self.read_sides(field, letters)?);
        if let (Some(_), Some(slave)) = (spent, &self.slave) {
            let own = position.sides_at_home(slave.homes);
            let at_home = position.layers[SLAVE] & own;
            read_spent(&self.geometry, field, letters.len() + 1, "slave", at_home)?
                .for_each(|cell| position.set_spent(cell, true));
        }
        Ok(())
    }

    /// Reads the sides whose royal letters are in `text`, the beginning of `field`, as bits.
    fn read_sides(&self, field: &Field<'_>, text: &str) -> Result<u8, FenError> {
        let mut sides = 0;
        read_letters(field, text, &self.letters_of(3), |side, _| {
            sides |= 1 << side;
            Ok(())
        })?;
        Ok(sides)
    }

    /// The royal letters of some sides; `-` for none.
    fn letters_of(&self, sides: u8) -> String {
        let own = Side::ALL.into_iter().filter(|side| sides >> side.index() & 1 != 0);
        let letters: String = own.map(|side| cased(self.royal.letter, side)).collect();
        if letters.is_empty() { "-".to_owned() } else { letters }
    }

    fn read_hands(&self, field: &Field<'_>, position: &mut StacksPosition) -> Result<(), FenError> {
        if !self.royal.in_hand {
            return field.expect_dash();
        }
        position.set_hands(self.read_sides(field, field.text)?);
        for side in Side::ALL {
            if position.has_in_hand(side) && position.royal(side).is_some() {
                let letter = cased(self.royal.letter, side);
                return Err(field.error(format!("`{letter}` is on the board already")));
            }
        }
        Ok(())
    }

    /// Refuses positions in which a royal piece is missing or must have been left to capture.
    fn check_royals(&self, fields: &Fields<'_>, position: &StacksPosition) -> Result<(), FenError> {
        let mover = fields.turn.side;
        for side in Side::ALL {
            // One that can be captured may be missing when its side is to move.
            let may_lack = !self.check && side == mover;
            if position.royal(side).is_none() && !position.has_in_hand(side) && !may_lack {
                let letter = cased(self.royal.letter, side);
                let only = match self.check {
                    true => "",
                    false => ": only the side to move can have lost it",
                };
                return Err(fields.placement.error(format!("no `{letter}`{only}")));
            }
        }
        if self.check && position.in_check(mover.other()) {
            let letter = cased(self.royal.letter, mover.other());
            let problem = format!("{mover} is to move and could capture `{letter}`");
            return Err(fields.placement.error(problem));
        }
        if position.has_leap_right(mover) && position.is_threatened(mover) {
            let letter = cased(self.royal.letter, mover);
            let problem = format!("`{letter}` could be captured, so it has lost its leap right");
            return Err(fields.rights.error(problem));
        }
        Ok(())
    }
}

impl StacksPosition {
    /// The pieces of each side on the cells of `homes` that are its own.
    fn sides_at_home(&self, homes: [CellSet<2>; 2]) -> CellSet<2> {
        (self.sides[0] & homes[0]) | (self.sides[1] & homes[1])
    }

    /// As [`crate::position::Board::write_fen`].
    pub(super) fn write_position_string(&self, into: &mut String) {
        let rules = self.rules;
        write_placement(&rules.geometry, |cell, into| self.write_unit(cell, into), into);
        let side = self.turn.letter();
        into.push_str(&format!(" {side} {}", rules.letters_of(self.leaps)));
        if !self.spent.is_empty() {
            into.push(':');
            self.spent.for_each(|cell| into.push_str(rules.geometry.name(cell)));
        }
        let hands = rules.letters_of(self.hands);
        into.push_str(&format!(" - {hands} {} {}", self.turn.clock, self.turn.fullmove));
    }

    /// Appends what `step` adds to the text of its move: all cells visited, behind the last one the
    /// moving part in braces if a part stayed behind, or `=` with the stack that a slave becomes.
    pub(super) fn write_step_text(&self, step: Step, into: &mut String) {
        let rules = self.rules;
        let kind = rules.step_kind(step);
        if kind == StepKind::Setting {
            into.push(rules.royal.letter);
            into.push('*');
        } else if self.capturing.is_none() {
            into.push_str(rules.geometry.name(step.from()));
        }
        into.push_str(rules.geometry.name(step.to()));
        match kind {
            StepKind::Part(part) if self.leaves_rest(part, step.from()) => {
                let stack = rules.stacks.get(part);
                let mut next = *self;
                if stack.goes_on {
                    next.play_step(step);
                }
                if next.capturing.is_none() {
                    into.push('{');
                    into.push_str(&stack.sizes);
                    into.push('}');
                }
            }
            StepKind::Promotion(number) => {
                into.push('=');
                into.push_str(&rules.stacks.get(number).text);
            }
            StepKind::Part(_) | StepKind::Plain | StepKind::Setting => {}
        }
    }
}
