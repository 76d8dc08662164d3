//! How fast the rules are, game by game: `cargo bench -p games`.
//!
//! `items` are leaf nodes in `leaves`, steps in `steps` and `play`, positions elsewhere. All of it
//! is on one thread.

use std::hint::black_box;

use divan::Bencher;
use divan::counter::ItemsCount;
use games::{Game, History, Position, State, Step, perft};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

/// How many plies of a random game lead to the position called `middle`.
const PLIES: u32 = 24;

fn main() {
    divan::main();
}

/// A position to measure on.
struct Sample {
    game: &'static Game,
    name: &'static str,
    position: Position,
}

impl std::fmt::Display for Sample {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.game.id, self.name)
    }
}

/// The start of every game, and a position from the middle of one.
fn samples() -> impl Iterator<Item = Sample> {
    Game::all().iter().flat_map(|game| {
        let sample = |(name, position)| Sample { game, name, position };
        [("start", game.start()), ("middle", middle(game))].map(sample)
    })
}

/// The samples whose moves are counted without being listed.
fn counted() -> impl Iterator<Item = Sample> {
    samples().filter(|sample| sample.position.count_moves().is_some())
}

/// The last position between moves, at most [`PLIES`] from the start, in which a random game is
/// not over.
fn middle(game: &Game) -> Position {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut history = History::new(game.start());
    let mut last = game.start();
    while history.plies() < PLIES {
        let mut steps = Vec::new();
        history.steps(&mut steps);
        if steps.is_empty() {
            break;
        }
        if !history.position().mid_move() {
            last = history.position().clone();
        }
        history.play(steps[(random.next_u64() % steps.len() as u64) as usize]);
    }
    last
}

/// The depth to which `position` has some hundred thousand leaves, or a few more, and how many.
fn depth_and_leaves(position: &Position) -> (u32, u64) {
    /// No tree that is likely to be larger is tried.
    const MOST_LEAVES: u64 = 500_000;
    let (mut depth, mut leaves, mut above) = (0, 1, 1);
    while leaves > 0 && leaves * leaves / above <= MOST_LEAVES {
        match perft(position, depth + 1) {
            Ok(more) => (depth, above, leaves) = (depth + 1, leaves, more),
            Err(_) => break,
        }
    }
    (depth, leaves)
}

fn steps_of(position: &Position) -> Vec<Step> {
    let mut steps = Vec::new();
    position.steps(&mut steps);
    steps
}

/// Counting the leaves of a tree, the yardstick of a move generator.
#[divan::bench(args = samples(), sample_count = 10)]
fn leaves(bencher: Bencher<'_, '_>, sample: &Sample) {
    let (depth, leaves) = depth_and_leaves(&sample.position);
    let bencher = bencher.counter(ItemsCount::new(leaves));
    bencher.bench(|| perft(black_box(&sample.position), depth));
}

/// Listing all steps of a position.
#[divan::bench(args = samples())]
fn steps(bencher: Bencher<'_, '_>, sample: &Sample) {
    let mut steps = steps_of(&sample.position);
    bencher.counter(ItemsCount::new(steps.len())).bench_local(|| {
        steps.clear();
        black_box(&sample.position).steps(&mut steps)
    });
}

/// Playing every step of a position, each on a copy.
#[divan::bench(args = samples())]
fn play(bencher: Bencher<'_, '_>, sample: &Sample) {
    let steps = steps_of(&sample.position);
    bencher.counter(ItemsCount::new(steps.len())).bench(|| {
        for &step in &steps {
            let mut next = black_box(&sample.position).clone();
            next.play(step);
            black_box(next.key());
        }
    });
}

/// Counting the moves of a position.
#[divan::bench(args = counted())]
fn count_moves(bencher: Bencher<'_, '_>, sample: &Sample) {
    bencher.counter(ItemsCount::new(1usize)).bench(|| black_box(&sample.position).count_moves());
}

/// Asking whether the game is over.
#[divan::bench(args = samples())]
fn outcome(bencher: Bencher<'_, '_>, sample: &Sample) {
    bencher.counter(ItemsCount::new(1usize)).bench(|| black_box(&sample.position).outcome());
}
