//! The network sees what the rules see, and each field of a position string where it stands.

use std::collections::{BTreeSet, HashMap};

use games::{Cell, Features, Game, History, Position, State, Step};

use crate::sample;
use crate::turned::features;

/// The position string `fen` with field number `field` replaced.
fn with_field(fen: &str, field: usize, text: &str) -> String {
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[field] = text;
    fields.join(" ")
}

/// Every text that `text` becomes when one of its characters is left out, `-` for none, and when
/// one letter is written twice or a number goes up by one.
fn neighbours(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    if text == "-" {
        return found;
    }
    let letters: Vec<char> = text.chars().collect();
    for i in 0..letters.len() {
        let mut without = letters.clone();
        without.remove(i);
        found.insert(without.iter().collect());
        let mut counted = letters.clone();
        match letters[i].to_digit(10) {
            Some(digit) => counted[i] = char::from_digit((digit + 1) % 10, 10).unwrap(),
            None => counted.insert(i, '2'),
        }
        found.insert(counted.iter().collect());
    }
    // The last cell of a list goes with its colon or comma, a cell with both its characters.
    for (i, _) in text.match_indices(|c: char| c.is_ascii_lowercase()) {
        for end in i + 1..=text.len().min(i + 3) {
            let rest = format!("{}{}", &text[..i], &text[end..]);
            found.insert(rest.trim_end_matches([':', ',']).to_owned());
        }
    }
    found.insert("-".to_owned());
    found.remove("");
    found
}

#[test]
fn each_field_has_its_planes() {
    /// The fields that belong to the position: rights, en passant, hands.
    const FIELDS: [usize; 3] = [2, 3, 4];
    for game in Game::all() {
        let mut changed = [0; FIELDS.len()];
        for fen in sample::vector_fens(game) {
            let position = game.parse_fen(&fen).unwrap();
            let fields: Vec<&str> = fen.split(' ').collect();
            for (changed, &field) in changed.iter_mut().zip(&FIELDS) {
                let own = fields[field];
                let mut seen = vec![(own.to_owned(), position.clone())];
                for other in neighbours(own) {
                    let Ok(other) = game.parse_fen(&with_field(&fen, field, &other)) else {
                        continue;
                    };
                    let text = other.fen().split(' ').nth(field).unwrap().to_owned();
                    if seen.iter().all(|(known, _)| *known != text) {
                        seen.push((text, other));
                    }
                }
                *changed += seen.len() - 1;
                for (i, (a, first)) in seen.iter().enumerate() {
                    for (b, second) in &seen[..i] {
                        let look = |position: &Position| features(&History::new(position.clone()));
                        assert_ne!(look(first), look(second), "`{a}` and `{b}` in {fen}");
                        assert_ne!(first.key(), second.key(), "`{a}` and `{b}` in {fen}");
                    }
                }
            }
        }
        // A game that uses a field at all is tried with other values of it.
        for (changed, field) in changed.into_iter().zip(FIELDS) {
            let used = sample::vector_fens(game)
                .iter()
                .any(|fen| fen.split(' ').nth(field).is_some_and(|text| text != "-"));
            assert!(!used || changed > 0, "{}: field {field} never changed", game.id);
        }
    }
}

#[test]
fn the_clock_shows_in_its_buckets_and_the_move_number_nowhere() {
    for game in Game::all() {
        let last = game.planes.len();
        let clock = last - 3..last;
        for fen in sample::vector_fens(game) {
            let look = |field, text: &str| {
                let position = game.parse_fen(&with_field(&fen, field, text)).unwrap();
                features(&History::new(position))
            };
            let of_clock = |features: &Features| {
                let fills = features.fills().iter().map(|&(plane, _)| usize::from(plane));
                fills.filter(|plane| clock.contains(plane)).collect::<Vec<_>>()
            };
            let rest = |features: &Features| {
                let mut rest = Features::default();
                features.marks().iter().for_each(|&(plane, cell)| rest.mark(plane.into(), cell));
                let fills =
                    features.fills().iter().map(|&(plane, value)| (usize::from(plane), value));
                fills
                    .filter(|(plane, _)| !clock.contains(plane))
                    .for_each(|(plane, value)| rest.fill(plane, value));
                rest
            };
            let buckets: [&[&str]; 4] =
                [&["0", "1", "49"], &["50", "74"], &["75", "87"], &["88", "99"]];
            for (bucket, counts) in buckets.iter().enumerate() {
                let expected = if bucket == 0 { vec![] } else { vec![last - 4 + bucket] };
                for count in *counts {
                    let seen = look(5, count);
                    assert_eq!(of_clock(&seen), expected, "clock {count} in {fen}");
                    assert_eq!(rest(&seen), rest(&look(5, "0")), "clock {count} in {fen}");
                }
            }
            assert_eq!(look(6, "1"), look(6, "77"), "{fen}");
        }
    }
}

/// The steps of a state as the network sees them, in order.
fn seen_steps(state: &History) -> Vec<Step> {
    let mut steps = Vec::new();
    state.position().steps(&mut steps);
    let mover = state.side_to_move();
    steps.iter_mut().for_each(|step| *step = state.game().turned(mover, *step));
    steps.sort_unstable();
    steps
}

/// What the network sees of a state, as a key: marks, and fills bit by bit.
pub(crate) type Looks = (Vec<(u16, Cell)>, Vec<(u16, u32)>);

pub(crate) fn looks(state: &History) -> Looks {
    let features = features(state);
    let fills = features.fills().iter().map(|&(plane, value)| (plane, value.to_bits()));
    (features.marks().to_vec(), fills.collect())
}

#[test]
fn what_looks_alike_has_the_same_steps() {
    for game in Game::all() {
        let mut seen: HashMap<Looks, (Vec<Step>, String)> = HashMap::new();
        let mut look = |history: &History| {
            let (steps, fen) = (seen_steps(history), history.position().fen());
            let (known, first) =
                seen.entry(looks(history)).or_insert_with(|| (steps.clone(), fen.clone()));
            assert_eq!(*known, steps, "{first} and {fen} look alike");
        };
        sample::for_each_state(game, &mut look);
        // Positions one move from the start, which differ in little, from both sides.
        for first in game.start().moves().unwrap().into_iter().take(200) {
            let mut position = game.start();
            for &step in first.steps() {
                position.play(step);
                look(&History::new(position.clone()));
            }
        }
    }
}
