use games::Game;
use model::{Extras, Network, NetworkSettings, Precision, StepAddresses};
use tch::{Device, Kind, Tensor, no_grad};

use crate::samples::{batch, distance, lived_in, moments, numbers, small};

#[test]
fn equal_seeds_give_equal_weights() {
    let game = Game::by_id("cheskers").unwrap();
    let weights = |seed| {
        let network = Network::new(&small(), game, Device::Cpu, seed).unwrap();
        network.parameters().iter().flat_map(|p| numbers(&p.tensor)).collect::<Vec<_>>()
    };
    assert_eq!(weights(1), weights(1));
    assert_ne!(weights(1), weights(2));
}

#[test]
fn a_new_network_is_nearly_indifferent() {
    for game in Game::all() {
        let network = Network::new(&NetworkSettings::default(), game, Device::Cpu, 1).unwrap();
        let extras = Extras { moves_left: true, ..Extras::default() };
        let outputs = no_grad(|| network.forward(&batch(&moments(game, 64, 1)), true, &extras));
        let logits = numbers(&outputs.policy_logits);
        let mean = logits.iter().sum::<f32>() / logits.len() as f32;
        let variance = logits.iter().map(|l| (l - mean).powi(2)).sum::<f32>() / logits.len() as f32;
        assert!(variance.sqrt() < 0.5, "{}: deviation {}", game.id, variance.sqrt());
        let wdl = numbers(&outputs.wdl_logits.softmax(1, Kind::Float));
        // Not more indifferent: with many planes or cells a draw of weights leans somewhere.
        assert!(wdl.iter().all(|p| (0.05..0.7).contains(p)), "{}: {wdl:?}", game.id);
        assert!(numbers(&outputs.moves_left.unwrap()).iter().all(|&plies| plies >= 0.0));
    }
}

#[test]
fn only_training_moves_the_statistics() {
    let game = Game::by_id("cheskers").unwrap();
    let network = Network::new(&small(), game, Device::Cpu, 1).unwrap();
    let batch = batch(&moments(game, 16, 1));
    let statistics = || {
        let list = network.parameters().iter().filter(|p| !p.trained);
        list.flat_map(|p| numbers(&p.tensor)).collect::<Vec<_>>()
    };
    let before = statistics();
    no_grad(|| network.forward(&batch, false, &Extras::default()));
    assert_eq!(before, statistics());
    no_grad(|| network.forward(&batch, true, &Extras::default()));
    assert_ne!(before, statistics());
}

#[test]
fn gradients_reach_every_trained_tensor() {
    let game = Game::by_id("chess").unwrap();
    for precision in [Precision::Fp32, Precision::Bf16] {
        let mut network = Network::new(&small(), game, Device::Cpu, 1).unwrap();
        network.set_compute(precision);
        // A logit whose weight is the same for all steps would have no gradient.
        let moments = moments(game, 200, 1);
        let reply = StepAddresses::new(
            network.shape(),
            moments.iter().map(|moment| &moment.steps[..]),
            Device::Cpu,
        );
        let reply = Some(&reply);
        let extras = Extras { moves_left: true, soft_policy: true, occupancy: true, reply };
        let outputs = network.forward(&batch(&moments), true, &extras);
        let uneven = |logits: Tensor| {
            let weights = Tensor::arange(logits.size()[0], (Kind::Float, Device::Cpu));
            (logits * weights.sin()).sum(Kind::Float)
        };
        let loss = uneven(outputs.policy_logits)
            + outputs.wdl_logits.select(1, 0).sum(Kind::Float)
            + outputs.moves_left.unwrap().sum(Kind::Float)
            + uneven(outputs.soft_policy_logits.unwrap())
            + uneven(outputs.reply_logits.unwrap())
            + outputs.occupancy_logits.unwrap().select(1, 0).sum(Kind::Float);
        loss.backward();
        for parameter in network.parameters().iter().filter(|p| p.trained) {
            let gradient = parameter.tensor.grad();
            assert!(gradient.defined(), "{}", parameter.name);
            assert_eq!(gradient.kind(), Kind::Float);
            assert!(gradient.isfinite().all().int64_value(&[]) == 1, "{}", parameter.name);
            assert!(gradient.abs().sum(Kind::Float).double_value(&[]) > 0.0, "{}", parameter.name);
        }
        assert_eq!(
            network.trained().len(),
            network.parameters().iter().filter(|p| p.trained).count()
        );
    }
}

/// A head costs nothing where nobody asks for it, and changes nothing for those who do not have it.
#[test]
fn heads_for_training_are_computed_when_asked_for_only() {
    let game = Game::by_id("cheskers").unwrap();
    let with = Network::new(&small(), game, Device::Cpu, 1).unwrap();
    let bare = NetworkSettings { moves_left: false, soft_policy: false, ..small() };
    let bare = NetworkSettings { reply: false, occupancy: false, ..bare };
    let without = Network::new(&bare, game, Device::Cpu, 1).unwrap();
    let moments = moments(game, 16, 1);
    let outputs = no_grad(|| with.forward(&batch(&moments), false, &Extras::default()));
    assert!(outputs.moves_left.is_none() && outputs.soft_policy_logits.is_none());
    assert!(outputs.reply_logits.is_none() && outputs.occupancy_logits.is_none());
    let all = Extras { moves_left: true, soft_policy: true, occupancy: true, reply: None };
    let outputs = no_grad(|| without.forward(&batch(&moments), false, &all));
    assert!(outputs.moves_left.is_none() && outputs.soft_policy_logits.is_none());
    assert!(outputs.occupancy_logits.is_none());
    for parameter in without.parameters() {
        let other = with.parameters().iter().find(|p| p.name == parameter.name).unwrap();
        assert_eq!(numbers(&parameter.tensor), numbers(&other.tensor), "{}", parameter.name);
    }
    assert!(bare.plays_like(&small()) && small().plays_like(&bare));
    assert!(!bare.plays_like(&NetworkSettings { channels: 8, ..small() }));
}

#[test]
fn training_in_bf16_computes_about_the_same() {
    let game = Game::by_id("cheskers").unwrap();
    let mut network = lived_in(game, &small());
    let batch = batch(&moments(game, 64, 1));
    let exact = no_grad(|| network.forward(&batch, false, &Extras::default()));
    network.set_compute(Precision::Bf16);
    let rough = no_grad(|| network.forward(&batch, false, &Extras::default()));
    assert!(distance(&numbers(&exact.policy_logits), &numbers(&rough.policy_logits)) < 0.1);
    assert!(distance(&numbers(&exact.wdl_logits), &numbers(&rough.wdl_logits)) < 0.05);
}

/// The formula of the policy head, worked out with plain numbers on a trunk that passes two input
/// planes through.
#[test]
fn policy_logits_follow_the_formula() {
    let game = Game::by_id("cheskers").unwrap();
    let settings = NetworkSettings {
        blocks: 0,
        channels: 2,
        policy_dim: 2,
        policy_cell_dim: 1,
        ..NetworkSettings::default()
    };
    let network = Network::new(&settings, game, Device::Cpu, 1).unwrap();
    let set = |name: &str, values: &Tensor| {
        let parameter = network.parameters().iter().find(|p| p.name == name).unwrap();
        no_grad(|| parameter.tensor.shallow_clone().copy_(values));
    };
    let kernel = Tensor::zeros([2, game.planes.len() as i64, 3, 3], (Kind::Float, Device::Cpu));
    // The first two planes, each to a channel of its own.
    let _ = kernel.get(0).get(0).get(1).get(1).fill_(1.0);
    let _ = kernel.get(1).get(1).get(1).get(1).fill_(1.0);
    set("trunk.input.kernel", &kernel);
    // Rows q0, q1, u and k0, k1, w.
    let (q, q_bias) = ([[1.0, 2.0], [0.5, -1.0], [3.0, 0.25]], [0.1, 0.2, 0.3]);
    let (k, k_bias) = ([[-1.0, 1.5], [2.0, 0.0], [0.75, -2.0]], [0.4, 0.5, 0.6]);
    set("policy.from.matrix", &Tensor::from_slice2(&q));
    set("policy.from.bias", &Tensor::from_slice(&q_bias));
    set("policy.to.matrix", &Tensor::from_slice2(&k));
    set("policy.to.bias", &Tensor::from_slice(&k_bias));
    let kinds = game.kinds.len();
    let e: Vec<f32> = (0..2 * kinds).map(|i| 1.0 + i as f32).collect();
    let a: Vec<f32> = (0..kinds).map(|i| 0.5 * i as f32 - 0.25).collect();
    let b: Vec<f32> = (0..kinds).map(|i| 2.0 - i as f32).collect();
    set("policy.product", &Tensor::from_slice(&e).view([-1, 2]));
    set("policy.leaving", &Tensor::from_slice(&a).view([-1, 1]));
    set("policy.reaching", &Tensor::from_slice(&b).view([-1, 1]));

    let moments = moments(game, 40, 1);
    let logits = numbers(
        &no_grad(|| network.forward(&batch(&moments), false, &Extras::default())).policy_logits,
    );
    let mut expected = Vec::new();
    for moment in &moments {
        let sample = model::EncodedSample::new(&moment.history, &moment.steps, None);
        for step in sample.steps() {
            let channels = |cell| {
                [0, 1].map(|plane| f32::from(sample.features().marks().contains(&(plane, cell))))
            };
            let apply = |matrix: &[[f32; 2]; 3], bias: &[f32; 3], cell| {
                let x = channels(cell);
                [0, 1, 2].map(|row| matrix[row][0] * x[0] + matrix[row][1] * x[1] + bias[row])
            };
            let kind = usize::from(step.kind());
            let from = apply(&q, &q_bias, step.from());
            let to = apply(&k, &k_bias, step.to());
            expected.push(
                e[2 * kind] * from[0] * to[0]
                    + e[2 * kind + 1] * from[1] * to[1]
                    + a[kind] * from[2]
                    + b[kind] * to[2],
            );
        }
    }
    // The norm divides by the root of 1.00001.
    assert!(distance(&logits, &expected) < 1e-3);
}

#[test]
fn settings_out_of_range_are_named() {
    let settings = NetworkSettings { channels: 0, ..small() };
    let game = Game::by_id("chess").unwrap();
    let error = Network::new(&settings, game, Device::Cpu, 1).unwrap_err();
    assert_eq!(error.to_string(), "channels: expected a whole number from 1 to 4096, found 0");
}

#[test]
fn parameters_are_overwritten_all_or_none() {
    let game = Game::by_id("chess").unwrap();
    let network = |seed| Network::new(&small(), game, Device::Cpu, seed).unwrap();
    let (mut to, from) = (network(1), network(2));
    let list = |network: &Network| {
        let named = network.parameters().iter();
        named.map(|p| (p.name.clone(), p.tensor.detach())).collect::<Vec<_>>()
    };
    let all = |network: &Network| {
        network.parameters().iter().flat_map(|p| numbers(&p.tensor)).collect::<Vec<_>>()
    };
    let before = all(&to);
    let mut short = list(&from);
    let (missing, _) = short.pop().unwrap();
    let error = to.set_parameters(&short).unwrap_err().to_string();
    assert_eq!(error, format!("tensor {missing} is missing"));
    let mut long = list(&from);
    long.push(("extra".to_owned(), Tensor::from_slice(&[0.0_f32])));
    let error = to.set_parameters(&long).unwrap_err().to_string();
    assert_eq!(error, "tensor extra is one too many");
    let mut other = list(&from);
    other[0].1 = Tensor::from_slice(&[0.0_f32]);
    let error = to.set_parameters(&other).unwrap_err().to_string();
    assert!(error.starts_with("tensor trunk.input.kernel is Float [1], expected Float [16, "));
    assert_eq!(before, all(&to));
    to.set_parameters(&list(&from)).unwrap();
    assert_eq!(all(&to), all(&from));
}
