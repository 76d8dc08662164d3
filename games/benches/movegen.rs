//! How fast the rules are: `cargo bench -p games`.
//!
//! `items` are leaf nodes in `perft`, steps in `steps` and `play`, positions elsewhere.

use std::hint::black_box;

use divan::Bencher;
use divan::counter::ItemsCount;
use games::{Game, Position, State, Step, perft};

/// Game, name and position string of what is measured.
const POSITIONS: &[(&str, &str, &str)] = &[
    ("chess", "start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - - 0 1"),
    ("chess", "open", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - - 0 1"),
    (
        "mgc",
        "start",
        "lgmaqkamgl/hncebbecnh/pppppppppp/10/10/10/10/PPPPPPPPPP/HNCEBBECNH/LGMAKQAMGL w Kk - - 0 1",
    ),
    (
        "mgc",
        "open",
        "l1m2m3l/2gk2e2a/2pbc5/1hp1P2p2/7Pp1/4p5/1PA2P2PP/N4P3Q/1KH2BE3/LG5HGL w -:f3c8 - - 1 56",
    ),
    ("cubic", "start", "1ppqphrk/2bp1pbr/3p2ph/7p/P7/HP2P3/RBP1PB2/KRHPQPP1 w Kk - - 0 1"),
    ("nihongi", "start", "4ppbqk/5pbrr/6phh/7pp/P7p/PP7/HHP6/RRBP5/KQBPP4 w Kk - - 0 1"),
    ("brilliant", "start", "rqkqr/pnpbpbpnp/1p1p1p1p1/9/9/9/PPPPPPPPP/RNQBKBQNR w e1,e8 - - 0 1"),
];

fn main() {
    divan::main();
}

/// One of [`POSITIONS`] under a name that the report can show.
struct Sample(&'static str, &'static str, Position);

impl std::fmt::Display for Sample {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.0, self.1)
    }
}

fn samples() -> impl Iterator<Item = Sample> {
    POSITIONS.iter().map(|&(id, name, fen)| {
        let game = Game::by_id(id).expect("the bench names games of the catalogue");
        Sample(id, name, game.parse_fen(fen).expect("the bench has valid positions"))
    })
}

fn steps_of(position: &Position) -> Vec<Step> {
    let mut steps = Vec::new();
    position.steps(&mut steps);
    steps
}

/// Nodes at depth 3, with the last ply counted in bulk.
#[divan::bench(args = samples(), sample_count = 20)]
fn perft_3(bencher: Bencher<'_, '_>, sample: &Sample) {
    let nodes = perft(&sample.2, 3).expect("chess-like games have few moves");
    bencher.counter(ItemsCount::new(nodes)).bench(|| perft(black_box(&sample.2), 3));
}

/// Listing all steps of a position.
#[divan::bench(args = samples())]
fn steps(bencher: Bencher<'_, '_>, sample: &Sample) {
    let mut steps = steps_of(&sample.2);
    bencher.counter(ItemsCount::new(steps.len())).bench_local(|| {
        steps.clear();
        black_box(&sample.2).steps(&mut steps)
    });
}

/// Playing every step of a position, each on a copy.
#[divan::bench(args = samples())]
fn play(bencher: Bencher<'_, '_>, sample: &Sample) {
    let steps = steps_of(&sample.2);
    bencher.counter(ItemsCount::new(steps.len())).bench(|| {
        for &step in &steps {
            let mut next = black_box(&sample.2).clone();
            next.play(step);
            black_box(next.key());
        }
    });
}

/// Counting the moves of a position.
#[divan::bench(args = samples())]
fn count_moves(bencher: Bencher<'_, '_>, sample: &Sample) {
    bencher.counter(ItemsCount::new(1usize)).bench(|| black_box(&sample.2).count_moves());
}

/// Asking whether the game is over.
#[divan::bench(args = samples())]
fn outcome(bencher: Bencher<'_, '_>, sample: &Sample) {
    bencher.counter(ItemsCount::new(1usize)).bench(|| black_box(&sample.2).outcome());
}
