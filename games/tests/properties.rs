//! Random input: sets against a model, and texts that are nearly right.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use games::{Cell, CellSet, Game};
use proptest::prelude::*;

use crate::fuzz;

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
    for by in [cell.index() as i32, -(cell.index() as i32)] {
        let moved = model_a.iter().map(|member| member.index() as i32 + by);
        let inside = moved.filter(|number| (0..W as i32 * 64).contains(number));
        let expected = inside.map(|number| Cell::from_index(number as usize)).collect();
        prop_assert_eq!(members(a.shifted(by)), expected);
    }
    prop_assert_eq!(CellSet::from_words(a.words()), a);
    let low = CellSet::<W>::first_cells(cell.index());
    prop_assert_eq!(members(low), all.range(..cell).copied().collect::<BTreeSet<Cell>>());
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
}

/// How many texts of each kind are tried on each game.
const CASES: u32 = 100;

/// The same texts every time.
const SEED: u64 = 1;

#[test]
fn any_text_is_a_position_or_refused() {
    for game in Game::all() {
        fuzz::run((game, "noise"), (CASES, SEED), fuzz::noise(), |text| {
            fuzz::check_string(game, &text);
        });
    }
}

#[test]
fn spoilt_strings_are_positions_or_refused() {
    for game in Game::all() {
        let strings = fuzz::spoilt_strings(game);
        fuzz::run((game, "position strings"), (CASES, SEED), strings, |text| {
            fuzz::check_string(game, &text);
        });
    }
}

#[test]
fn other_placements_are_positions_or_refused() {
    for game in Game::all() {
        let placements = fuzz::other_placements(game);
        fuzz::run((game, "placements"), (CASES, SEED), placements, |text| {
            fuzz::check_string(game, &text);
        });
    }
}

#[test]
fn spoilt_moves_are_moves_or_refused() {
    for game in Game::all() {
        let moves = fuzz::spoilt_moves(game);
        fuzz::run((game, "moves"), (CASES, SEED), moves, |(fen, text)| {
            fuzz::check_move(game, &fen, &text);
        });
    }
}
