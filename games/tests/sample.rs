//! Positions to test on: those of the vectors, and every state of some random games.

use std::path::PathBuf;

use games::{Game, History, Position, State, Step};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

/// How many random games of each game are looked at.
const RANDOM_GAMES: u64 = 3;

/// On the positions of a game with thousands of moves, one in so many moves and states is looked at;
/// a prime, so that it is not always the same step of a move.
pub(crate) fn one_in(game: &Game) -> usize {
    /// Cells of the largest boards that are small.
    const SMALL: usize = 128;
    if game.geometry.cell_count() > SMALL { 211 } else { 1 }
}

/// The path of a file of test data.
pub(crate) fn data(folder: &str, file: &str) -> PathBuf {
    PathBuf::from_iter([env!("CARGO_MANIFEST_DIR"), "tests", folder, file])
}

/// The position strings of the vectors of `game`.
pub(crate) fn vector_fens(game: &Game) -> Vec<String> {
    let text = std::fs::read_to_string(data("vectors", &format!("{}.jsonl", game.id)));
    let lines = text.unwrap_or_default();
    let mut fens: Vec<String> = lines
        .lines()
        .map(|line| serde_json::from_str::<games::Vector>(line).expect("a vector").fen)
        .collect();
    fens.push(game.start().fen());
    fens.sort_unstable();
    fens.dedup();
    fens
}

/// The positions of the vectors of `game`, and its start.
pub(crate) fn vector_positions(game: &Game) -> Vec<Position> {
    vector_fens(game).iter().map(|fen| game.parse_fen(fen).expect("a position")).collect()
}

/// Plays a random game to its end and shows `visit` every state on the way, those between the legs
/// of a move included, and the last one.
pub(crate) fn random_game(game: &Game, seed: u64, visit: &mut impl FnMut(&History)) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut history = History::new(game.start());
    loop {
        visit(&history);
        let Some(step) = random_step(&history, &mut random) else { return };
        history.play(step);
    }
}

/// As [`random_game`], but only [`one_in`] so many states.
pub(crate) fn some_states(game: &Game, seed: u64, visit: &mut impl FnMut(&History)) {
    let mut count = 0;
    random_game(game, seed, &mut |history| {
        if count % one_in(game) == 0 {
            visit(history);
        }
        count += 1;
    });
}

/// One of the legal steps; none if the game is over.
pub(crate) fn random_step(state: &impl State, random: &mut impl RngCore) -> Option<Step> {
    let mut steps = Vec::new();
    state.steps(&mut steps);
    (!steps.is_empty()).then(|| choose(&steps, random))
}

/// One of `steps`, of which there are some.
pub(crate) fn choose(steps: &[Step], random: &mut impl RngCore) -> Step {
    steps[(random.next_u64() % steps.len() as u64) as usize]
}

/// Shows `visit` each position of the vectors, and each state of some random games.
pub(crate) fn for_each_state(game: &Game, visit: &mut impl FnMut(&History)) {
    for position in vector_positions(game) {
        visit(&History::new(position));
    }
    for seed in 0..RANDOM_GAMES {
        some_states(game, seed, visit);
    }
}
