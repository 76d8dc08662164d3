//! Position strings of chess-like games.

use super::position::ChessPosition;
use super::rules::{CastlingTables, Held, KING, Kind, MOST_HELD, PAWN, Rules};
use crate::notation::{
    FenError, Field, Fields, cased, read_letters, read_placement, read_spent, write_placement,
};
use crate::position::Board as _;
use crate::{CellSet, Side};

impl<const W: usize> Rules<W> {
    /// The position the game starts from.
    pub(crate) fn start(&'static self) -> ChessPosition<W> {
        let mut start =
            self.parse_fen(self.start).expect("a game is declared with a position to start from");
        for &kind in &self.left_out {
            for side in Side::ALL {
                let pieces = start.kinds[kind] & start.sides[side.index()];
                pieces.for_each(|cell| start.lift(side, kind, cell));
            }
        }
        start
    }

    /// Reads a position string and refuses what no game of this kind can arrive at, as far as the
    /// position itself shows it.
    pub(crate) fn parse_fen(&'static self, text: &str) -> Result<ChessPosition<W>, FenError> {
        let fields = Fields::split(text)?;
        let mut position = ChessPosition::empty(self, fields.turn);
        self.read_pieces(&fields.placement, &mut position)?;
        self.read_rights(&fields.rights, &mut position)?;
        self.read_en_passant(&fields.en_passant, &mut position)?;
        self.read_hands(&fields.hands, &mut position)?;
        let mover = fields.turn.side;
        if let Some(king) = position.bound_king(mover.other())
            && position.is_king_attacked(king, mover.other())
        {
            let problem = format!("{mover} could capture the king on {}", self.geometry.name(king));
            return Err(fields.placement.error(problem));
        }
        let leaping = position.leaping_kings(mover) & position.leapers;
        if let Some(king) = leaping.iter().find(|&king| position.is_king_attacked(king, mover)) {
            let name = self.geometry.name(king);
            let problem =
                format!("the {mover} king on {name} is attacked, so it has lost its leap right");
            return Err(fields.rights.error(problem));
        }
        let doubtful = position.rights & self.until_checked(mover);
        if doubtful != 0 && position.in_check(mover) {
            let right = self.rights[doubtful.trailing_zeros() as usize].name;
            let problem = format!("the {mover} king is in check, so it has lost its {right} right");
            return Err(fields.rights.error(problem));
        }
        Ok(position)
    }

    fn read_pieces(
        &self,
        field: &Field<'_>,
        position: &mut ChessPosition<W>,
    ) -> Result<(), FenError> {
        read_placement(&self.geometry, field, |unit, cell, at| {
            let Some((kind, side)) = self.kind_of_unit(unit) else {
                return Err(field.error_at(at, format!("`{unit}` is no piece of {}", self.id)));
            };
            let Kind { name, stuck, .. } = &self.kinds[kind];
            let can_stand = match kind {
                PAWN => self.pawn.stands[side.index()].has(cell),
                _ => !stuck[side.index()].has(cell),
            };
            if !can_stand {
                let cell = self.geometry.name(cell);
                return Err(field.error_at(at, format!("a {side} {name} cannot stand on {cell}")));
            }
            if kind == PAWN && self.kinds[PAWN].held.is_some() {
                let pawns = position.kinds[PAWN] & position.sides[side.index()];
                if pawns.meets(self.files[cell.index()]) {
                    let problem = format!("a second {side} pawn on its file");
                    return Err(field.error_at(at, problem));
                }
            }
            position.put(side, kind, cell);
            Ok(())
        })?;
        for side in Side::ALL {
            let kings = position.kings(side).len();
            let expected = match kings {
                1 => continue,
                2 if self.two_kings => continue,
                _ if self.two_kings => format!("one or two {side} kings"),
                _ => format!("one {side} king"),
            };
            return Err(field.error(format!("expected {expected}, found {kings}")));
        }
        self.check_numbers(field, position)
    }

    /// The hands field for the pieces in `letters`, one letter each in any order; letters that no
    /// piece in hand has stay behind it.
    pub(crate) fn hands_text(&self, letters: &str) -> String {
        let mut rest = letters.to_owned();
        let mut field = String::new();
        for side in Side::ALL {
            for held in &self.held {
                let letter = cased(self.kinds[held.kind].letter, side);
                match rest.matches(letter).count() {
                    0 => continue,
                    1 => field.push(letter),
                    count => field.push_str(&format!("{count}{letter}")),
                }
                rest = rest.replace(letter, "");
            }
        }
        field.push_str(&rest);
        if field.is_empty() { "-".to_owned() } else { field }
    }

    /// Reads the hands of both sides: after the placement, because no piece can be there twice.
    fn read_hands(
        &self,
        field: &Field<'_>,
        position: &mut ChessPosition<W>,
    ) -> Result<(), FenError> {
        if self.held.is_empty() {
            return field.expect_dash();
        }
        let both =
            Side::ALL.into_iter().flat_map(|side| (0..).zip(&self.held).map(move |h| (side, h)));
        let letter = |side, held: &Held| cased(self.kinds[held.kind].letter, side);
        let mut rest = both.clone();
        let mut text = if field.text == "-" { "" } else { field.text };
        while let Some(at) = text.find(|c: char| !c.is_ascii_digit()) {
            let start = field.text.len() - text.len();
            let (number, after) = text.split_at(at);
            let found = after.chars().next();
            let Some((side, (index, held))) =
                rest.find(|&(side, (_, held))| Some(letter(side, held)) == found)
            else {
                let all: String = both.map(|(side, (_, held))| letter(side, held)).collect();
                let problem = format!(
                    "expected some of `{all}` in this order, each with its number in front if that \
                     is above 1, or `-`"
                );
                return Err(field.error_at(start + at, problem));
            };
            let count = match number {
                "" => 1,
                _ => number
                    .parse()
                    .ok()
                    .filter(|&n: &u8| n > 1 && !number.starts_with('0'))
                    .unwrap_or(0),
            };
            if !(1..=held.most).contains(&count) {
                let problem =
                    format!("expected a number from 2 to {}, found `{number}`", held.most);
                return Err(field.error_at(start, problem));
            }
            (0..count).for_each(|_| position.hold(side, index));
            text = &after[1..];
        }
        if !text.is_empty() || field.text.is_empty() {
            return Err(field.error("expected the pieces in hand or `-`"));
        }
        self.check_numbers(field, position)
    }

    /// Refuses more pieces, on the board and in hand, than the game has. `field` is to blame.
    fn check_numbers(
        &self,
        field: &Field<'_>,
        position: &ChessPosition<W>,
    ) -> Result<(), FenError> {
        for (index, held) in self.held.iter().enumerate() {
            let kind = &self.kinds[held.kind];
            let turned = kind.turns_into.map_or(CellSet::EMPTY, |turned| position.kinds[turned]);
            let board = (position.kinds[held.kind] | turned).len();
            let hands: usize = position.hands.iter().map(|hand| usize::from(hand[index])).sum();
            let found = board + hands;
            if found > held.most.into() {
                let problem =
                    format!("the game has {} of `{}`, found {found}", held.most, kind.letter);
                return Err(field.error(problem));
            }
        }
        Ok(())
    }

    fn read_rights(
        &self,
        field: &Field<'_>,
        position: &mut ChessPosition<W>,
    ) -> Result<(), FenError> {
        if self.two_kings {
            return self.read_leapers(field, position);
        }
        let (letters, spent) = match field.text.split_once(':') {
            Some((letters, spent)) if self.pawn.tracks_spent => (letters, Some(spent)),
            _ => (field.text, None),
        };
        let mut rights = 0;
        let all: String = self.rights.iter().map(|r| cased(r.letter, r.side)).collect();
        read_letters(field, letters, &all, |bit, at| {
            let right = &self.rights[bit];
            for castling in &self.castlings[right.side.index()] {
                if castling.right == 1 << bit && !position.castling_is_at_home(castling, right.side)
                {
                    let letter = cased(right.letter, right.side);
                    let problem = format!("king and rook of `{letter}` are not at home");
                    return Err(field.error_at(at, problem));
                }
            }
            rights |= 1 << bit;
            Ok(())
        })?;
        for side in Side::ALL {
            let [leap, double] = [self.leap_right, self.double_right].map(|bit| bit[side.index()]);
            if leap != 0 && rights & double != 0 && rights & leap == 0 {
                let letters = ['D', 'K'].map(|letter| cased(letter, side));
                let problem = format!("`{}` is lost with `{}`", letters[0], letters[1]);
                return Err(field.error(problem));
            }
        }
        position.set_rights(rights);
        if spent.is_some() {
            let start = letters.len() + 1;
            let homes = self.pawn.homes;
            let own = (position.sides[0] & homes[0]) | (position.sides[1] & homes[1]);
            let at_home = position.kinds[PAWN] & own;
            read_spent(&self.geometry, field, start, "pawn", at_home)?
                .for_each(|cell| position.set_spent(cell));
        }
        Ok(())
    }

    /// Reads the cells of the kings that have their leap right.
    fn read_leapers(
        &self,
        field: &Field<'_>,
        position: &mut ChessPosition<W>,
    ) -> Result<(), FenError> {
        let mut order = self.geometry.written();
        let mut at = 0;
        for name in field.text.split(',').filter(|_| field.text != "-") {
            let Some(cell) = self.geometry.cell(name) else {
                let problem = format!("expected the cell of a king, found `{name}`");
                return Err(field.error_at(at, problem));
            };
            if !position.kinds[KING].has(cell) {
                return Err(field.error_at(at, format!("no king stands on {name}")));
            }
            if !order.any(|next| next == cell) {
                let problem = "kings are ordered by rank, then file, each of them once";
                return Err(field.error_at(at, problem));
            }
            position.set_leaper(cell);
            at += name.len() + 1;
        }
        Ok(())
    }

    fn read_en_passant(
        &self,
        field: &Field<'_>,
        position: &mut ChessPosition<W>,
    ) -> Result<(), FenError> {
        if !self.pawn.passes {
            return field.expect_dash();
        }
        let Some(cell) = field.cell(&self.geometry)? else { return Ok(()) };
        let enemy = position.turn.side.other();
        let pawns = position.kinds[PAWN] & position.sides[enemy.index()];
        let stepped = self.pawn.passed[enemy.index()][cell.index()].is_some_and(|to| {
            let moves = &self.pawn.moves[enemy.index()];
            let homes = self.pawn.homes[enemy.index()];
            let left = homes
                .iter()
                .any(|home| moves[home.index()].over.has(cell) && !position.occupied().has(home));
            left && pawns.has(to) && !position.occupied().has(cell)
        });
        if !stepped {
            let problem = format!("no {enemy} pawn has just passed over {}", field.text);
            return Err(field.error(problem));
        }
        position.set_en_passant(Some(cell));
        Ok(())
    }
}

impl<const W: usize> ChessPosition<W> {
    /// Whether the king and the rooks of a castling of `side` stand where they start.
    fn castling_is_at_home(&self, castling: &CastlingTables<W>, side: Side) -> bool {
        let own = self.sides[side.index()];
        let rooks = self.kinds[castling.rook] & own;
        self.kings(side) == CellSet::of(castling.king[0])
            && castling.rooks.iter().all(|&[home, _]| rooks.has(home))
    }

    /// As [`crate::position::Board::write_fen`].
    pub(super) fn write_position_string(&self, into: &mut String) {
        let geometry = &self.rules.geometry;
        write_placement(geometry, |cell, into| self.write_unit(cell, into), into);
        into.push(' ');
        into.push(self.turn.letter());
        into.push(' ');
        let rights = self.rules.rights.iter().enumerate();
        into.extend(
            rights
                .filter(|(bit, _)| self.rights >> bit & 1 != 0)
                .map(|(_, right)| cased(right.letter, right.side)),
        );
        let leapers = geometry.written().filter(|&cell| self.leapers.has(cell));
        let names: Vec<&str> = leapers.map(|cell| geometry.name(cell)).collect();
        into.push_str(&names.join(","));
        if self.rights == 0 && names.is_empty() {
            into.push('-');
        }
        if !self.spent.is_empty() {
            into.push(':');
            self.spent.for_each(|cell| into.push_str(geometry.name(cell)));
        }
        let passed = self.en_passant.map_or("-", |cell| geometry.name(cell));
        into.push_str(&format!(" {passed} "));
        self.write_hands(into);
        into.push_str(&format!(" {} {}", self.turn.clock, self.turn.fullmove));
    }

    fn write_hands(&self, into: &mut String) {
        if self.hands == [[0; MOST_HELD]; 2] {
            into.push('-');
        }
        for side in Side::ALL {
            for (held, count) in self.rules.held.iter().zip(self.hands[side.index()]) {
                if count > 1 {
                    into.push_str(&count.to_string());
                }
                if count > 0 {
                    into.push(cased(self.rules.kinds[held.kind].letter, side));
                }
            }
        }
    }
}
