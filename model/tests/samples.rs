use games::{Game, History, State, Step};
use model::{Batch, BatchBuilder, EncodedSample, Extras, InputShape, Network, NetworkSettings};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tch::{Device, Tensor, no_grad};

/// A state with its legal steps.
#[derive(Debug, Clone)]
pub(crate) struct Moment {
    pub(crate) history: History,
    pub(crate) steps: Vec<Step>,
}

/// The first of `count` states in random games from the start.
pub(crate) fn moments(game: &'static Game, count: usize, seed: u64) -> Vec<Moment> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut moments = Vec::new();
    let mut history = History::new(game.start());
    while moments.len() < count {
        let mut steps = Vec::new();
        if history.steps(&mut steps).is_some() {
            history = History::new(game.start());
            continue;
        }
        let chosen = steps[random.random_range(0..steps.len())];
        moments.push(Moment { history: history.clone(), steps });
        history.play(chosen);
    }
    moments
}

/// The moments as one batch on the CPU.
pub(crate) fn batch(moments: &[Moment]) -> Batch {
    let mut builder = BatchBuilder::new(InputShape::of(moments[0].history.game()));
    for moment in moments {
        builder.push(&EncodedSample::new(&moment.history, &moment.steps, None));
    }
    builder.batch(Device::Cpu)
}

/// A network with every part there is, and quick.
pub(crate) fn small() -> NetworkSettings {
    NetworkSettings {
        blocks: 3,
        channels: 16,
        pooling_every: 2,
        soft_policy: true,
        reply: true,
        occupancy: true,
        ..NetworkSettings::default()
    }
}

/// A network as if it were trained: gains and biases differ from channel to channel, statistics are
/// those of real positions.
pub(crate) fn lived_in(game: &'static Game, settings: &NetworkSettings) -> Network {
    // Tests run side by side already: threads inside of calls would wait for each other.
    model::single_threaded();
    let network = Network::new(settings, game, Device::Cpu, 7).unwrap();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
    no_grad(|| {
        for parameter in network.parameters().iter().filter(|p| p.trained && p.tensor.dim() == 1) {
            let shifts: Vec<f32> =
                (0..parameter.tensor.numel()).map(|_| random.random_range(-0.2..0.2)).collect();
            let _ = parameter.tensor.shallow_clone().g_add_(&Tensor::from_slice(&shifts));
        }
        for seed in 0..40 {
            let _ = network.forward(&batch(&moments(game, 32, seed)), true, &Extras::default());
        }
    });
    network
}

/// The numbers of a tensor of any shape.
pub(crate) fn numbers(tensor: &Tensor) -> Vec<f32> {
    Vec::try_from(tensor.detach().flatten(0, -1)).unwrap()
}

/// The greatest difference between two lists of numbers.
pub(crate) fn distance(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}
