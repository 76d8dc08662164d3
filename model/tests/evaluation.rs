use std::sync::Barrier;
use std::thread;

use games::{Game, History, State, Step};
use model::{
    EncodedSample, Extras, Network, PackedBatch, PackedQueries, Precision, TorchDevices,
    TorchSource,
};
use search::{Answers, DeviceBatch, DeviceSource, Evaluator, EvaluatorSource, Query, Wdl};
use tch::{Device, Kind, Tensor, no_grad};

use crate::samples::{Moment, batch, distance, lived_in, moments, numbers, small};

fn evaluate(evaluator: &mut dyn Evaluator, moments: &[Moment]) -> Answers {
    let queries: Vec<Query<'_>> =
        moments.iter().map(|m| Query { state: &m.history, steps: &m.steps }).collect();
    let mut answers = Answers::default();
    evaluator.evaluate(&queries, &mut answers).unwrap();
    assert_eq!(answers.len(), moments.len());
    for (index, moment) in moments.iter().enumerate() {
        assert_eq!(answers.get(index).logits.len(), moment.steps.len());
    }
    answers
}

fn on_cpu(network: &Network, precision: Precision) -> TorchSource {
    TorchSource::new(network, Device::Cpu, precision)
}

fn all_logits(answers: &Answers) -> Vec<f32> {
    (0..answers.len()).flat_map(|i| answers.get(i).logits.to_vec()).collect()
}

fn all_values(answers: &Answers) -> Vec<f32> {
    let parts = |value: Wdl| [value.win, value.draw, value.loss];
    (0..answers.len()).flat_map(|i| parts(answers.get(i).value)).collect()
}

#[test]
fn folded_weights_say_what_the_network_says() {
    for game in Game::all() {
        let network = lived_in(game, &small());
        let moments = moments(game, 100, 100);
        let outputs = no_grad(|| network.forward(&batch(&moments), false, &Extras::default()));
        let wdl = numbers(&outputs.wdl_logits.softmax(1, Kind::Float));
        let logits = numbers(&outputs.policy_logits);
        let exact = evaluate(&mut on_cpu(&network, Precision::Fp32).torch_evaluator(), &moments);
        assert!(distance(&all_logits(&exact), &logits) < 1e-4, "{}", game.id);
        assert!(distance(&all_values(&exact), &wdl) < 1e-4, "{}", game.id);
        let libtorch = TorchSource::with_libtorch(&network, Device::Cpu, Precision::Bf16);
        for source in [on_cpu(&network, Precision::Bf16), libtorch] {
            let rough = evaluate(&mut source.torch_evaluator(), &moments);
            let by_logit = distance(&all_logits(&rough), &logits);
            let by_value = distance(&all_values(&rough), &wdl);
            let what = format!("{}, bf16 by {}", game.id, source.engine());
            assert!(by_logit < 0.1, "{what}: logits are {by_logit} off");
            assert!(by_value < 0.02, "{what}: chances are {by_value} off");
        }
    }
}

fn packed(devices: &TorchDevices, moments: &[Moment]) -> PackedQueries {
    let mut packed = devices.batch();
    for Moment { history, steps } in moments {
        packed.push(&Query { state: history, steps }).unwrap();
    }
    packed
}

#[test]
fn devices_say_of_packed_positions_what_evaluators_say() {
    let game = Game::by_id("cheskers").unwrap();
    let network = lived_in(game, &small());
    let moments = moments(game, 24, 2);
    let expected = evaluate(&mut on_cpu(&network, Precision::Fp32).torch_evaluator(), &moments);
    let devices = TorchDevices::new(&network, &[Device::Cpu; 2], Precision::Fp32);
    let mut both = packed(&devices, &moments[..10]);
    both.append(&packed(&devices, &moments[10..]));
    for index in 0..devices.feeders() {
        let mut answers = Answers::default();
        devices.device(index).unwrap().evaluate(&both, &mut answers).unwrap();
        assert!(distance(&all_logits(&answers), &all_logits(&expected)) < 1e-4);
        assert!(distance(&all_values(&answers), &all_values(&expected)) < 1e-4);
    }
    both.clear();
    assert!(both.is_empty());
    let chess = History::new(Game::by_id("chess").unwrap().start());
    let error = both.push(&Query { state: &chess, steps: &[] }).unwrap_err().to_string();
    assert_eq!(error, "evaluation failed: a network for cheskers was asked about chess");
    let error = devices.device(2).err().unwrap().to_string();
    assert_eq!(error, "evaluation failed: there is no device 2");
}

#[test]
fn an_answer_does_not_depend_on_its_batch() {
    for game in Game::all() {
        let network = lived_in(game, &small());
        for (precision, tolerance) in [(Precision::Fp32, 1e-5), (Precision::Bf16, 0.05)] {
            let mut evaluator = on_cpu(&network, precision).torch_evaluator();
            let moments = moments(game, 37, 200);
            let together = evaluate(&mut evaluator, &moments);
            for (index, moment) in moments.iter().enumerate() {
                let alone = evaluate(&mut evaluator, std::slice::from_ref(moment));
                let logits = together.get(index).logits;
                assert!(distance(logits, alone.get(0).logits) < tolerance, "{}", game.id);
                let difference = together.get(index).value.score() - alone.get(0).value.score();
                assert!(difference.abs() < tolerance, "{}", game.id);
            }
        }
    }
}

#[test]
fn a_source_keeps_its_weights_when_training_goes_on() {
    let game = Game::by_id("cheskers").unwrap();
    let moments = moments(game, 8, 250);
    for precision in [Precision::Fp32, Precision::Bf16] {
        let network = lived_in(game, &small());
        let mut evaluator = on_cpu(&network, precision).torch_evaluator();
        let before = evaluate(&mut evaluator, &moments);
        for parameter in network.parameters() {
            let _ = no_grad(|| parameter.tensor.shallow_clone().g_add_scalar_(0.5));
        }
        let after = evaluate(&mut evaluator, &moments);
        assert_eq!(all_logits(&before), all_logits(&after));
        assert_eq!(all_values(&before), all_values(&after));
    }
}

/// The same position with the sides changed over: a half turn of the board in cheskers.
#[test]
fn both_colours_are_played_alike() {
    let game = Game::by_id("cheskers").unwrap();
    let network = lived_in(game, &small());
    let mut evaluator = on_cpu(&network, Precision::Fp32).torch_evaluator();
    let moment_of = |fen: &str| {
        let history = History::new(game.parse_fen(fen).unwrap());
        let mut steps = Vec::new();
        assert_eq!(history.steps(&mut steps), None);
        Moment { history, steps }
    };
    let mut compared = 0;
    for moment in moments(game, 200, 300) {
        if moment.history.position().mid_move() {
            continue;
        }
        let fen = moment.history.position().fen();
        let fields: Vec<&str> = fen.split(' ').collect();
        let other_case = |c: char| match c {
            'a'..='z' => c.to_ascii_uppercase(),
            _ => c.to_ascii_lowercase(),
        };
        let placement: String = fields[0].chars().rev().map(other_case).collect();
        let side = if fields[1] == "w" { "b" } else { "w" };
        let turned = moment_of(&format!("{placement} {side} {}", fields[2..].join(" ")));
        // Without its past, as the turned one is.
        let original = moment_of(&fen);
        assert_eq!(original.steps.len(), turned.steps.len());
        let answers = evaluate(&mut evaluator, &[original.clone(), turned.clone()]);
        let (here, there) = (answers.get(0), answers.get(1));
        assert!((here.value.win - there.value.win).abs() < 1e-6);
        assert!((here.value.draw - there.value.draw).abs() < 1e-6);
        for (step, logit) in original.steps.iter().zip(here.logits) {
            let cell = |cell: games::Cell| game.colour_turn[cell.index()];
            let image = Step::new(step.kind(), cell(step.from()), cell(step.to()));
            let index = turned.steps.iter().position(|&step| step == image).unwrap();
            assert!((logit - there.logits[index]).abs() < 1e-5);
        }
        compared += 1;
    }
    assert!(compared > 50);
}

#[test]
fn threads_share_a_source() {
    let game = Game::by_id("cheskers").unwrap();
    let network = lived_in(game, &small());
    let source: Box<dyn EvaluatorSource> = Box::new(on_cpu(&network, Precision::Bf16));
    let moments = moments(game, 16, 400);
    let expected = all_logits(&evaluate(&mut *source.evaluator().unwrap(), &moments));
    let start = Barrier::new(2);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut evaluator = source.evaluator().unwrap();
                start.wait();
                for _ in 0..20 {
                    assert_eq!(all_logits(&evaluate(&mut *evaluator, &moments)), expected);
                }
            });
        }
    });
}

#[test]
fn memory_stays_flat() {
    let resident_pages = || -> usize {
        let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
        statm.split(' ').nth(1).unwrap().parse().unwrap()
    };
    let game = Game::by_id("chess").unwrap();
    let network = lived_in(game, &small());
    let mut evaluator = on_cpu(&network, Precision::best_for(Device::Cpu)).torch_evaluator();
    let moments = moments(game, 32, 500);
    let mut answers = Vec::new();
    for _ in 0..50 {
        answers.push(evaluate(&mut evaluator, &moments));
    }
    let before = resident_pages();
    for _ in 0..200 {
        answers[0] = evaluate(&mut evaluator, &moments);
    }
    // Each batch would leave 3 MB behind if its graph were kept. Other tests run meanwhile.
    let grown = resident_pages().saturating_sub(before) * 4096;
    assert!(grown < 200 << 20, "{grown} bytes more after 200 batches");
}

#[test]
fn answers_that_are_not_finite_are_replaced_and_counted() {
    let game = Game::by_id("cheskers").unwrap();
    for (name, value) in [("policy.product", f64::NAN), ("value.wdl.bias", f64::INFINITY)] {
        let network = Network::new(&small(), game, Device::Cpu, 1).unwrap();
        let broken = network.parameters().iter().find(|p| p.name == name).unwrap();
        no_grad(|| broken.tensor.shallow_clone().copy_(&Tensor::from(value)));
        let libtorch = |precision| TorchSource::with_libtorch(&network, Device::Cpu, precision);
        let sources = [
            libtorch(Precision::Fp32),
            libtorch(Precision::Bf16),
            on_cpu(&network, Precision::Bf16),
        ];
        let moments = moments(game, 5, 600);
        for source in sources {
            let mut answers = vec![evaluate(&mut source.torch_evaluator(), &moments)];
            if let Some(mut packed) = source.packed_evaluator() {
                let mut batch = PackedBatch::new(source.shape());
                for moment in &moments {
                    batch.push(&EncodedSample::new(&moment.history, &moment.steps, None));
                }
                answers.push(Answers::default());
                packed.evaluate(&batch, answers.last_mut().unwrap()).unwrap();
            }
            assert_eq!(source.repaired(), 5 * answers.len() as u64, "{}", source.engine());
            for answer in answers.iter().flat_map(|answers| (0..5).map(|i| answers.get(i))) {
                assert!(answer.logits.iter().all(|&logit| logit == 0.0));
                assert_eq!(answer.value, Wdl { win: 0.25, draw: 0.5, loss: 0.25 });
            }
        }
    }
}

#[test]
fn a_question_about_another_game_is_an_error() {
    let network = Network::new(&small(), Game::by_id("cheskers").unwrap(), Device::Cpu, 1).unwrap();
    let asked = moments(Game::by_id("chess").unwrap(), 1, 1);
    let query = Query { state: &asked[0].history, steps: &asked[0].steps };
    let mut evaluator = on_cpu(&network, Precision::Fp32).torch_evaluator();
    let error = evaluator.evaluate(&[query], &mut Answers::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "evaluation failed: a network for cheskers was asked about chess"
    );
}

#[test]
fn no_question_has_no_answer() {
    let network = Network::new(&small(), Game::by_id("chess").unwrap(), Device::Cpu, 1).unwrap();
    let mut answers = Answers::default();
    on_cpu(&network, Precision::Fp32).torch_evaluator().evaluate(&[], &mut answers).unwrap();
    assert!(answers.is_empty());
}
