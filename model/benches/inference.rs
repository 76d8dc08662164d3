//! Positions a second of a network that plays, by size, precision and batch: `cargo bench -p model`.
//!
//! `cargo bench -p model -- GAME` for another game than cheskers. Positions come from random games;
//! encoding them and reading the answers out is part of the time. The figures are: positions a second in
//! the quickest batch on one thread; on average in a second of processor time, which counts when other
//! programs run as well (Linux only, otherwise undefined); in the quickest batch on one thread a processor,
//! all together.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench prints its figures and stops at the first fault"
)]

use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

use games::{Game, History, State, Step};
use model::{InputShape, Network, NetworkSettings, Precision, TorchSource};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search::{Answers, Evaluator, Query};
use tch::Device;

const BATCHES: [usize; 5] = [1, 16, 32, 64, 128];
const SIZES: [(usize, usize); 3] = [(4, 32), (5, 48), (6, 64)];
/// For how long each figure is taken.
const TIME: Duration = Duration::from_millis(400);

fn main() {
    model::single_threaded();
    // Cargo passes `--bench`.
    let id = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let game = Game::by_id(id.as_deref().unwrap_or("cheskers")).unwrap();
    let moments = moments(game, 128);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    for (blocks, channels) in SIZES {
        let settings = NetworkSettings { blocks, channels, ..NetworkSettings::default() };
        let flops = settings.flops(InputShape::of(game));
        println!("{} {blocks}x{channels}, {:.1} MFLOP a position", game.id, flops as f64 / 1e6);
        let network = Network::new(&settings, game, Device::Cpu, 1).unwrap();
        let sources = [
            TorchSource::with_libtorch(&network, Device::Cpu, Precision::Fp32),
            TorchSource::with_libtorch(&network, Device::Cpu, Precision::Bf16),
            TorchSource::new(&network, Device::Cpu, Precision::Bf16),
        ];
        for source in sources {
            for batch in BATCHES {
                let (best, mean) = rate(&mut source.torch_evaluator(), &moments[..batch]);
                let together: f64 = thread::scope(|scope| {
                    let run = || rate(&mut source.torch_evaluator(), &moments[..batch]).0;
                    let running: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
                    running.into_iter().map(|thread| thread.join().unwrap()).sum()
                });
                println!(
                    "  {:?} by {:11} batch {batch:3}: best {best:6.0}/s ({:3.0} GFLOP/s), mean {mean:6.0}/s \
                     of processor time, {together:6.0}/s on {threads} threads",
                    source.precision(),
                    source.engine(),
                    best * flops as f64 / 1e9
                );
            }
        }
    }
}

/// Positions a second in the quickest batch, and in a second of processor time.
fn rate(evaluator: &mut dyn Evaluator, moments: &[(History, Vec<Step>)]) -> (f64, f64) {
    let queries: Vec<Query<'_>> =
        moments.iter().map(|(state, steps)| Query { state, steps }).collect();
    let mut answers = Answers::default();
    // Not the first two: libtorch chooses its kernels then.
    for _ in 0..2 {
        evaluator.evaluate(&queries, &mut answers).unwrap();
    }
    let (start, busy) = (Instant::now(), processor_seconds());
    let mut best = Duration::MAX;
    let mut batches = 0.0;
    while start.elapsed() < TIME {
        let before = Instant::now();
        evaluator.evaluate(black_box(&queries), &mut answers).unwrap();
        black_box(&answers);
        best = best.min(before.elapsed());
        batches += 1.0;
    }
    let size = queries.len() as f64;
    (size / best.as_secs_f64(), batches * size / (processor_seconds() - busy))
}

/// The time this thread has run, as Linux counts it.
fn processor_seconds() -> f64 {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = statistics.split(' ').next().and_then(|text| text.parse::<f64>().ok());
    nanoseconds.unwrap_or(f64::NAN) / 1e9
}

/// States of random games with their legal steps.
fn moments(game: &'static Game, count: usize) -> Vec<(History, Vec<Step>)> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut moments = Vec::new();
    let mut history = History::new(game.start());
    while moments.len() < count {
        let mut steps = Vec::new();
        if history.steps(&mut steps).is_some() {
            history = History::new(game.start());
            continue;
        }
        let chosen = steps[random.random_range(0..steps.len())];
        moments.push((history.clone(), steps));
        history.play(chosen);
    }
    moments
}
