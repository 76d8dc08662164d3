//! Equal evaluation keys mean the same network input and the same steps in the same order.

use std::collections::HashMap;

use games::{Game, History, Position, State, Step};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

use crate::planes::{Looks, looks};
use crate::sample;

/// What an evaluator may see: the planes, and the steps as they are generated.
#[derive(Debug, PartialEq)]
struct Seen {
    looks: Looks,
    steps: Vec<Step>,
    /// Where it was seen first, for people.
    fen: String,
}

/// Looks at states, and fails where two of one key differ.
#[derive(Default)]
struct Register {
    seen: HashMap<u64, Seen>,
    /// How many states were looked at.
    states: usize,
}

impl Register {
    fn look(&mut self, state: &History) {
        let mut steps = Vec::new();
        state.position().steps(&mut steps);
        let looks = looks(state);
        let known = self.seen.entry(state.evaluation_key()).or_insert_with(|| Seen {
            looks: looks.clone(),
            steps: steps.clone(),
            fen: state.position().fen(),
        });
        let fen = state.position().fen();
        assert_eq!(known.looks, looks, "{} and {fen} have one key and look different", known.fen);
        assert_eq!(known.steps, steps, "{} and {fen} have one key, not one order", known.fen);
        self.states += 1;
    }

    /// Plays `plies` steps from `start`, each one of the first few: pieces go to and fro, so that
    /// positions come back, and in other orders.
    fn wander(&mut self, start: &History, plies: usize, random: &mut impl RngCore) {
        let mut state = start.clone();
        let mut steps = Vec::new();
        for _ in 0..plies {
            steps.clear();
            if state.steps(&mut steps).is_some() {
                return;
            }
            self.look(&state);
            steps.truncate(3);
            state.play(sample::choose(&steps, random));
        }
    }
}

/// A position with its clock set to `plies`, if there is such a one.
fn at_clock(position: &Position, plies: &str) -> Option<Position> {
    let fen = position.fen();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[5] = plies;
    position.game().parse_fen(&fields.join(" ")).ok()
}

#[test]
fn equal_keys_mean_equal_input_and_steps() {
    for game in Game::all() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut register = Register::default();
        let large = sample::one_in(game) > 1;
        let mut starts = vec![game.start(); if large { 3 } else { 6 }];
        if !large {
            starts.extend(sample::vector_positions(game).into_iter().take(6));
        }
        let clocks = if large { &["0"][..] } else { &["0", "46", "71", "84"] };
        for (position, clock) in starts.iter().flat_map(|at| clocks.iter().map(move |c| (at, c))) {
            let Some(position) = at_clock(position, clock) else { continue };
            for _ in 0..3 {
                register.wander(&History::new(position.clone()), 24, &mut random);
            }
        }
        let again = register.states - register.seen.len();
        assert!(again * 10 > register.states, "{}: {again} came back", game.id);
    }
}

/// The state after the moves with these texts.
fn played(game: &'static Game, fen: &str, moves: &[&str]) -> History {
    let mut history = History::new(game.parse_fen(fen).unwrap());
    for text in moves {
        let chosen = history.position().parse_move(text).unwrap();
        chosen.steps().iter().for_each(|&step| history.play(step));
    }
    history
}

/// Asks that all of these states have one position, and keys of their own.
fn check_apart(states: &[History]) {
    for (i, a) in states.iter().enumerate() {
        for b in &states[..i] {
            assert_eq!(a.key(), b.key(), "{}", a.position().fen());
            assert_ne!(looks(a), looks(b));
            assert_ne!(a.evaluation_key(), b.evaluation_key());
        }
    }
}

#[test]
fn the_past_that_is_shown_has_keys_of_its_own() {
    let chess = Game::by_id("chess").unwrap();
    let start = chess.start().fen();
    let round = ["g1f3", "g8f6", "f3g1", "f6g8"];
    check_apart(&[0, 4, 8].map(|plies| played(chess, &start, &round.repeat(2)[..plies])));
    let clocks = ["49", "50", "75", "88"];
    check_apart(&clocks.map(|plies| History::new(at_clock(&chess.start(), plies).unwrap())));
    // What is not shown has no part in the key.
    let [a, b] = ["50", "74"].map(|plies| History::new(at_clock(&chess.start(), plies).unwrap()));
    assert_eq!(a.evaluation_key(), b.evaluation_key());

    // White checks with every move, or not: the rook goes away and comes back.
    let shogi = Game::by_id("shogi").unwrap();
    let fen = "4k4/9/9/9/9/9/9/9/3R4K w - - - 0 1";
    let checks = ["d1e1", "e9d9", "e1d1", "d9e9"];
    let none = ["d1c1", "e9e8", "c1d1", "e8e9"];
    check_apart(&[vec![], checks.to_vec(), none.to_vec()].map(|moves| played(shogi, fen, &moves)));
}
