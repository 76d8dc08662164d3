//! Random input: sets against a model, and texts that are nearly right.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use games::{Cell, CellSet, Features, Game, History, Position, State};
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::sample;

/// A set of cells of `W` words and its model.
fn pair<const W: usize>() -> impl Strategy<Value = (CellSet<W>, BTreeSet<Cell>)> {
    let cell = (0..W * 64).prop_map(Cell::from_index);
    prop::collection::btree_set(cell, 0..=W * 64)
        .prop_map(|model| (model.iter().copied().collect(), model))
}

/// Each operation gives what it gives on the model.
fn check_sets<const W: usize>(
    (a, model_a): (CellSet<W>, BTreeSet<Cell>),
    (b, model_b): (CellSet<W>, BTreeSet<Cell>),
    cell: Cell,
) -> Result<(), TestCaseError> {
    let members = |set: CellSet<W>| set.iter().collect::<BTreeSet<Cell>>();
    let all: BTreeSet<Cell> = (0..W * 64).map(Cell::from_index).collect();
    prop_assert_eq!(members(a), model_a.clone());
    prop_assert_eq!(members(a & b), &model_a & &model_b);
    prop_assert_eq!(members(a | b), &model_a | &model_b);
    prop_assert_eq!(members(a ^ b), &model_a ^ &model_b);
    prop_assert_eq!(members(a - b), &model_a - &model_b);
    prop_assert_eq!(members(!a), &all - &model_a);
    let (mut and, mut or, mut xor) = (a, a, a);
    and &= b;
    or |= b;
    xor ^= b;
    prop_assert_eq!((and, or, xor), (a & b, a | b, a ^ b));
    prop_assert_eq!(a.len(), model_a.len());
    prop_assert_eq!(a.is_empty(), model_a.is_empty());
    prop_assert_eq!(a.first(), model_a.first().copied());
    prop_assert_eq!(a.last(), model_a.last().copied());
    prop_assert_eq!(a.has(cell), model_a.contains(&cell));
    prop_assert_eq!(a.meets(b), !model_a.is_disjoint(&model_b));
    prop_assert_eq!(a.is_subset(b), model_a.is_subset(&model_b));
    prop_assert_eq!((a & b).is_subset(b), true);
    let mut visited = Vec::new();
    a.for_each(|cell| visited.push(cell));
    prop_assert_eq!(visited, Vec::from_iter(model_a.iter().copied()));
    let found = a.try_for_each(|member| {
        if member >= cell { ControlFlow::Break(member) } else { ControlFlow::Continue(()) }
    });
    prop_assert_eq!(found.break_value(), model_a.range(cell..).next().copied());
    let (mut with, mut without) = (a, a);
    with.insert(cell);
    without.remove(cell);
    prop_assert_eq!(with, a | CellSet::of(cell));
    prop_assert_eq!(without, a - CellSet::of(cell));
    prop_assert_eq!(CellSet::from_words(a.words()), a);
    let low = CellSet::<W>::first_cells(cell.index());
    prop_assert_eq!(members(low), all.range(..cell).copied().collect::<BTreeSet<Cell>>());
    Ok(())
}

/// One change of a text.
#[derive(Debug, Clone)]
enum Edit {
    Insert(Index, char),
    Replace(Index, char),
    Delete(Index),
    Swap(Index, Index),
    Cut(Index),
}

/// An edit that puts in letters that mean something somewhere, or any character at all.
fn edit() -> impl Strategy<Value = Edit> {
    let meant = "PNBRQKpnbrqkwHLGMACEhlgmace0123456789abcdefghik /-=:+".chars().collect::<Vec<_>>();
    let letter = prop_oneof![9 => select(meant), 1 => any::<char>()].boxed();
    prop_oneof![
        (any::<Index>(), letter.clone()).prop_map(|(at, letter)| Edit::Insert(at, letter)),
        (any::<Index>(), letter).prop_map(|(at, letter)| Edit::Replace(at, letter)),
        any::<Index>().prop_map(Edit::Delete),
        any::<(Index, Index)>().prop_map(|(a, b)| Edit::Swap(a, b)),
        any::<Index>().prop_map(Edit::Cut),
    ]
}

fn edited(text: &str, edits: &[Edit]) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for edit in edits {
        let length = text.len();
        if length == 0 {
            break;
        }
        match edit {
            Edit::Insert(at, letter) => text.insert(at.index(length), *letter),
            Edit::Replace(at, letter) => text[at.index(length)] = *letter,
            Edit::Delete(at) => drop(text.remove(at.index(length))),
            Edit::Swap(a, b) => text.swap(a.index(length), b.index(length)),
            Edit::Cut(at) => text.truncate(at.index(length)),
        }
    }
    text.into_iter().collect()
}

/// A position that was accepted is one that everything can be asked of.
fn check_accepted(position: &Position) -> Result<(), TestCaseError> {
    let again = position.game().parse_fen(&position.fen());
    let again = again.map_err(|error| TestCaseError::fail(error.to_string()))?;
    prop_assert_eq!(again.key(), position.key());
    prop_assert_eq!(again.fen(), position.fen());
    let mut steps = Vec::new();
    prop_assert_eq!(position.steps(&mut steps), position.outcome());
    for step in steps {
        let mut next = position.clone();
        next.play(step);
        let _ = (next.outcome(), next.foregone(), next.count_moves(), next.fen());
    }
    let history = History::new(position.clone());
    history.features(&mut Features::default());
    let _ = (history.end(), position.draw(), position.move_texts().map(|texts| texts.len()));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sets_of_one_word(a in pair::<1>(), b in pair::<1>(), cell in 0..64_u16) {
        check_sets(a, b, Cell::new(cell))?;
    }

    #[test]
    fn sets_of_two_words(a in pair::<2>(), b in pair::<2>(), cell in 0..128_u16) {
        check_sets(a, b, Cell::new(cell))?;
    }

    #[test]
    fn sets_of_twelve_words(a in pair::<12>(), b in pair::<12>(), cell in 0..768_u16) {
        check_sets(a, b, Cell::new(cell))?;
    }

    #[test]
    fn position_strings(
        game in select(Game::all().iter().collect::<Vec<_>>()),
        chosen in any::<Index>(),
        edits in prop::collection::vec(edit(), 0..4),
    ) {
        let text = edited(chosen.get::<String>(&sample::vector_fens(game)), &edits);
        match game.parse_fen(&text) {
            Ok(position) => check_accepted(&position)?,
            Err(error) => {
                prop_assert!((1..=text.chars().count() + 1).contains(&error.column), "{error}");
            }
        }
    }

    #[test]
    fn move_texts(
        game in select(Game::all().iter().collect::<Vec<_>>()),
        chosen in any::<Index>(),
        chosen_move in any::<Index>(),
        edits in prop::collection::vec(edit(), 0..3),
    ) {
        let fens = sample::vector_fens(game);
        let position = game.parse_fen(chosen.get::<String>(&fens)).expect("vectors are positions");
        let texts = position.move_texts().expect("vectors have few moves");
        let text = texts.get(chosen_move.index(texts.len() + 1)).map_or("", String::as_str);
        let text = edited(text, &edits);
        match position.parse_move(&text) {
            Ok(found) => prop_assert_eq!(position.move_text(&found), text),
            Err(error) => prop_assert!(!texts.contains(&text), "{error}"),
        }
    }
}
