use std::sync::{Arc, atomic::AtomicBool};

use games::Game;
use model::{InputShape, NetworkSettings};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use search::{SearchSettings, Uniform};
use selfplay::{GameRecord, Goal, LocalEvaluators, Pool, Progress, Run, SelfPlaySettings};
use tch::Device;
use train::{ReplayWindow, Targets, TrainingBatch, make_samples};

/// All there is to learn.
pub(crate) fn everything() -> Targets {
    Targets {
        value_mix: 0.5,
        material: 0.2,
        material_scale: 300.0,
        reply: true,
        occupancy: true,
        symmetries: true,
    }
}

/// The smallest network with a block of each kind and all heads.
pub(crate) fn tiny() -> NetworkSettings {
    NetworkSettings {
        blocks: 2,
        channels: 8,
        policy_dim: 4,
        policy_cell_dim: 2,
        value_channels: 4,
        value_hidden: 8,
        soft_policy: true,
        reply: true,
        occupancy: true,
        ..NetworkSettings::default()
    }
}

/// `count` games of `game` played by a search that knows nothing.
pub(crate) fn games(game: &'static Game, count: u64) -> Vec<GameRecord> {
    let settings = SelfPlaySettings {
        workers: 1,
        games_per_worker: 4,
        search: SearchSettings { simulations: 8, ..SearchSettings::default() },
        ..SelfPlaySettings::default()
    };
    games_with(game, settings, count)
}

/// The same with other `settings`.
pub(crate) fn games_with(
    game: &'static Game,
    settings: SelfPlaySettings,
    count: u64,
) -> Vec<GameRecord> {
    let mut pool = Pool::new(game, settings, 5).unwrap();
    let mut records = Vec::new();
    let run = Run {
        evaluators: &LocalEvaluators::new("uniform", Arc::new(Uniform)),
        goal: Goal::AllOf(count),
        stop: &AtomicBool::new(false),
        progress: &Progress::new(),
    };
    pool.run(&run, &mut |record| {
        records.push(record);
        Ok(())
    })
    .unwrap();
    records
}

/// A batch of `rows` rows of `window`, drawn with `seed`.
pub(crate) fn batch(
    game: &'static Game,
    window: &ReplayWindow,
    rows: usize,
    seed: u64,
) -> TrainingBatch {
    let drawn = window.sample(rows, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
    let samples = make_samples(game, &drawn, &everything(), seed).unwrap();
    TrainingBatch::new(InputShape::of(game), &samples, Device::Cpu)
}
