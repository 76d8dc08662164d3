//! The rules under random texts for minutes, and the largest node counts; `make torture` runs it.
//!
//! Each run tries other texts. A failure tells its seed, and `TORTURE_SEED=... make torture` begins
//! with the same texts.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod fuzz;
#[allow(dead_code, reason = "the everyday tests use all of it")]
mod perft;
#[allow(dead_code, reason = "the everyday tests use all of it")]
mod sample;
#[allow(dead_code, reason = "the everyday tests use all of it")]
mod turned;

use std::hash::{BuildHasher as _, RandomState};
use std::time::{Duration, Instant};

use games::Game;

/// How long each test looks for trouble.
const TIME: Duration = Duration::from_secs(60);

/// How many texts are tried on a game before the next has its turn.
const CASES: u32 = 100;

/// Some of the games that are too many to list.
const UNLISTED: [&str; 3] = ["mgc1-no-P", "mgc1-no-CQ", "mgc1-no-HNBERGMF"];

/// The seed told by a failure, or a new one.
fn first_seed() -> u64 {
    match std::env::var("TORTURE_SEED") {
        Ok(text) => text.parse().expect("TORTURE_SEED is a whole number"),
        Err(_) => RandomState::new().hash_one(0) >> 1,
    }
}

/// Gives all games their turns, each time with another seed, until the time is over.
fn torture(mut turn: impl FnMut(&'static Game, (u32, u64))) {
    let (begin, seed) = (Instant::now(), first_seed());
    let unlisted = UNLISTED.map(|id| Game::by_id(id).unwrap());
    for seed in seed.. {
        Game::all().iter().chain(unlisted).for_each(|game| turn(game, (CASES, seed)));
        if begin.elapsed() > TIME {
            return;
        }
    }
}

#[test]
fn any_text_is_a_position_or_refused() {
    torture(|game, many| {
        fuzz::run((game, "noise"), many, fuzz::noise(), |text| fuzz::check_string(game, &text));
    });
}

#[test]
fn spoilt_strings_are_positions_or_refused() {
    torture(|game, many| {
        let strings = fuzz::spoilt_strings(game);
        fuzz::run((game, "position strings"), many, strings, |text| {
            fuzz::check_string(game, &text);
        });
    });
}

#[test]
fn other_placements_are_positions_or_refused() {
    torture(|game, many| {
        let placements = fuzz::other_placements(game);
        fuzz::run((game, "placements"), many, placements, |text| fuzz::check_string(game, &text));
    });
}

#[test]
fn spoilt_moves_are_moves_or_refused() {
    torture(|game, many| {
        let moves = fuzz::spoilt_moves(game);
        fuzz::run((game, "moves"), many, moves, |(fen, text)| fuzz::check_move(game, &fen, &text));
    });
}

#[test]
fn large_node_counts() {
    let lines: usize = Game::all().iter().map(|game| perft::check_file(game, "long.txt")).sum();
    assert!(lines > 0, "some games have large counts");
}
