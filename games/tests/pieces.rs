//! What [`games::Position::count_pieces`] counts, against the position strings.

use std::collections::BTreeMap;

use games::{Game, Position, Side};

use crate::sample::for_each_state;
use crate::support::position;

/// The pieces of each kind that `side` has, in ascending order, and without the kinds.
fn counted(position: &Position, side: Side) -> Vec<usize> {
    let mut counts = Vec::new();
    position.count_pieces(side, |kind| counts.push(kind.count));
    counts.retain(|&count| count > 0);
    counts.sort_unstable();
    counts
}

/// The same, read off the placement and the hands of the position string.
fn written(position: &Position, side: Side) -> Vec<usize> {
    let fen = position.fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let mut pieces = BTreeMap::new();
    read(fields[0], false, position.game(), side, &mut pieces);
    read(fields[4], true, position.game(), side, &mut pieces);
    let mut counts: Vec<usize> = pieces.into_values().collect();
    counts.sort_unstable();
    counts
}

/// Adds the pieces of `side` in a placement, or in hands, where a number says how many.
fn read(text: &str, hands: bool, game: &Game, side: Side, into: &mut BTreeMap<String, usize>) {
    let polyforms = game.family == "polyforms";
    let mut add = |owner: Side, piece: String, count: usize| {
        if owner == side {
            *into.entry(piece).or_default() += count;
        }
    };
    let (mut stack, mut number, mut turned) = (None, 0, false);
    for c in text.chars() {
        match (c, &mut stack) {
            ('[', _) => stack = Some((Side::White, ' ')),
            ('(', _) => stack = Some((Side::Black, ' ')),
            (']' | ')', _) => stack = None,
            (size, Some((owner, class))) if size.is_ascii_digit() => {
                add(*owner, format!("{class}{size}"), 1);
            }
            (letter, Some((_, class))) => *class = letter,
            ('+', None) => turned = true,
            (letter, None) if letter.is_ascii_alphabetic() => {
                let owner = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
                let times = if hands { number.max(1) } else { 1 };
                match letter.to_ascii_uppercase() {
                    'S' if polyforms => add(owner, "P".to_owned(), 2 * times),
                    letter => add(owner, format!("{letter}{turned}"), times),
                }
                (number, turned) = (0, false);
            }
            (digit, None) => {
                number = digit.to_digit(10).map_or(0, |digit| 10 * number + digit as usize);
            }
        }
    }
    if polyforms {
        // A checker is the only kind, alone on its cell or not.
        let checkers: usize = std::mem::take(into).into_values().sum();
        into.extend((checkers > 0).then(|| ("checkers".to_owned(), checkers)));
    }
}

#[test]
fn counts_are_those_of_the_position_string() {
    for game in Game::all() {
        for_each_state(game, &mut |history| {
            let position = history.position();
            if position.mid_move() {
                return;
            }
            for side in Side::ALL {
                let fen = position.fen();
                assert_eq!(counted(position, side), written(position, side), "{} {fen}", game.id);
            }
        });
    }
}

/// Names and values of all kinds, always in the same order.
#[test]
fn every_kind_has_a_name_of_its_own() {
    for game in Game::all() {
        let kinds = |side| {
            let mut kinds = Vec::new();
            game.start().count_pieces(side, |kind| kinds.push((kind.name, kind.value)));
            kinds
        };
        let white = kinds(Side::White);
        assert_eq!(white, kinds(Side::Black));
        let mut names: Vec<&str> = white.iter().map(|&(name, _)| name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), white.len(), "{}: {white:?}", game.id);
    }
}

#[test]
fn hands_and_stacks_count_by_their_units() {
    let some = |id, fen, side| {
        let mut counts = Vec::new();
        position(id, fen).count_pieces(side, |kind| {
            counts.extend((kind.count > 0).then_some((kind.name, kind.count)));
        });
        counts
    };
    let shogi = "4k4/9/9/9/4+P4/4P4/9/9/4K4 w - - 3Pr 0 1";
    assert_eq!(some("shogi", shogi, Side::White), [("pawn", 4), ("king", 1), ("promoted pawn", 1)]);
    assert_eq!(some("shogi", shogi, Side::Black), [("king", 1), ("rook", 1)]);
    let chips = "k9/10/10/10/10/[s11][p1344]8/10/10/10/10 w - - K 0 1";
    assert_eq!(
        some("chips", chips, Side::White),
        [("king", 1), ("s1", 2), ("p1", 1), ("p3", 1), ("p4", 2)]
    );
    let nomino = "10/10/10/10/3p1p4/10/10/10/SP8/10 w - - - 0 1";
    assert_eq!(some("nomino", nomino, Side::White), [("checker", 3)]);
}
