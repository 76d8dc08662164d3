//! What a step of training takes, by part: `cargo bench -p train`, or `cargo bench -p train -- GAME`.
//!
//! The network is that of `configs/quick.toml`, the games come from a search that knows nothing. The
//! figures are milliseconds of processor time for a batch, on one thread (Linux only, otherwise
//! undefined): they count when other programs run as well.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench prints its figures and stops at the first fault"
)]

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use games::Game;
use model::{InputShape, NetworkSettings};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use search::{SearchSettings, Uniform};
use selfplay::{Goal, LocalEvaluators, Pool, Progress, Run, SelfPlaySettings};
use tch::Device;
use train::{
    Learner, LearnerSettings, OptimizerChoice, ReplayWindow, Targets, TrainingBatch, make_samples,
};

const ROWS: usize = 256;
/// For how long each figure is taken.
const TIME: Duration = Duration::from_secs(4);

fn main() {
    tch::set_num_threads(1);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    // Cargo passes `--bench`.
    let id = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let game = Game::by_id(id.as_deref().unwrap_or("cheskers")).unwrap();
    let window = window(game);
    let shape = InputShape::of(game);
    let network = NetworkSettings { blocks: 4, channels: 32, ..NetworkSettings::default() };
    let settings = LearnerSettings { batch: ROWS, ..LearnerSettings::default() };
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    println!("{}: {} rows in {} games, batches of {ROWS}", game.id, window.rows(), window.games());
    let bare = NetworkSettings { moves_left: false, ..network };
    let heads = [
        ("policy and value", bare),
        ("and moves left", network),
        ("and soft policy", NetworkSettings { soft_policy: true, ..bare }),
        ("and reply", NetworkSettings { reply: true, ..bare }),
        ("and occupancy", NetworkSettings { occupancy: true, ..bare }),
    ];
    let mut seed = 0;
    for (name, network) in heads {
        println!("{name}");
        let targets = Targets::at(0, &settings, &network);
        let samples = one.install(|| {
            measure("draw and encode", || {
                seed += 1;
                make_samples(game, &window.sample(ROWS, &mut rng), &targets, seed).unwrap()
            })
        });
        let batch = measure("tensors", || TrainingBatch::new(shape, &samples, Device::Cpu));
        for optimizer in [OptimizerChoice::AdamW, OptimizerChoice::Sgd] {
            let mut learner = Learner::new(&network, optimizer, game, Device::Cpu, 1).unwrap();
            measure(&format!("step, {optimizer}"), || {
                learner.step(&batch, &settings, 0.0).unwrap()
            });
        }
    }
}

/// Prints what one call takes; the last result.
fn measure<T>(name: &str, mut call: impl FnMut() -> T) -> T {
    let mut last = call();
    let (start, busy) = (Instant::now(), processor_seconds());
    let mut calls = 0.0;
    while start.elapsed() < TIME {
        last = call();
        calls += 1.0;
    }
    println!("  {name:20}{:8.2} ms", (processor_seconds() - busy) / calls * 1e3);
    last
}

/// The time this thread has run, as Linux counts it.
fn processor_seconds() -> f64 {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = statistics.split(' ').next().and_then(|text| text.parse::<f64>().ok());
    nanoseconds.unwrap_or(f64::NAN) / 1e9
}

/// Some games of `game` played by a search that knows nothing.
fn window(game: &'static Game) -> ReplayWindow {
    let settings = SelfPlaySettings {
        workers: 1,
        search: SearchSettings { simulations: 8, ..SearchSettings::default() },
        ..SelfPlaySettings::default()
    };
    let mut window = ReplayWindow::default();
    let run = Run {
        evaluators: &LocalEvaluators::new("uniform", Arc::new(Uniform)),
        goal: Goal::AllOf(64),
        stop: &AtomicBool::new(false),
        progress: &Progress::new(),
    };
    let mut keep = |record| {
        window.push(record);
        Ok(())
    };
    Pool::new(game, settings, 5).unwrap().run(&run, &mut keep).unwrap();
    window
}
