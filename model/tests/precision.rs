//! How far what is computed quickly is from what is computed exactly, on positions of real games.

use std::fs;
use std::path::Path;

use games::{Game, History, State, Trace};
use model::{EncodedSample, PackedBatch, PlainEvaluator, Precision, TorchSource};
use search::{Answers, Evaluator, Query};
use tch::Device;

use crate::samples::{Moment, lived_in, small};

/// Squares, with captures of many steps, with drops; hexagons; three axes; four; two boards; polyforms;
/// stacks.
const GAMES: [&str; 9] =
    ["mgc", "cheskers", "shogi", "brilliant", "cubic", "nihongi", "bermuda", "omino", "pyramids1"];

/// Positions of the committed games of `game`, one behind the other, spread over their length.
fn real_moments(game: &'static Game, count: usize) -> Vec<Moment> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/tests/traces");
    let text = fs::read_to_string(folder.join(format!("{}.jsonl", game.id))).unwrap();
    let mut moments = Vec::new();
    for line in text.lines() {
        let trace: Trace = serde_json::from_str(line).unwrap();
        let mut history = History::new(game.parse_fen(&trace.fen).unwrap());
        for text in &trace.moves {
            let chosen = history.position().parse_move(text).unwrap();
            for &step in chosen.steps() {
                let mut steps = Vec::new();
                assert_eq!(history.steps(&mut steps), None);
                moments.push(Moment { history: history.clone(), steps });
                history.play(step);
            }
        }
    }
    let found = moments.len();
    assert!(found >= count, "{}: {found} positions", game.id);
    (0..count).map(|index| moments[index * found / count].clone()).collect()
}

fn evaluate(evaluator: &mut dyn Evaluator, moments: &[Moment]) -> Answers {
    let queries: Vec<Query<'_>> =
        moments.iter().map(|m| Query { state: &m.history, steps: &m.steps }).collect();
    let mut answers = Answers::default();
    evaluator.evaluate(&queries, &mut answers).unwrap();
    answers
}

/// As `evaluate`, packed as for a GPU.
fn evaluate_packed(source: &TorchSource, moments: &[Moment]) -> Answers {
    let mut batch = PackedBatch::new(source.shape());
    for moment in moments {
        batch.push(&EncodedSample::new(&moment.history, &moment.steps, None));
    }
    let mut answers = Answers::default();
    source.packed_evaluator().unwrap().evaluate(&batch, &mut answers).unwrap();
    answers
}

/// The greatest differences of a step's probability and of the expected score.
fn differences(a: &Answers, b: &Answers) -> [f32; 2] {
    assert_eq!(a.len(), b.len());
    let mut most = [0.0_f32; 2];
    for (a, b) in (0..a.len()).map(|index| (a.get(index), b.get(index))) {
        for (p, q) in softmax(a.logits).into_iter().zip(softmax(b.logits)) {
            most[0] = most[0].max((p - q).abs());
        }
        most[1] = most[1].max((a.value.score() - b.value.score()).abs());
    }
    most
}

fn softmax(logits: &[f32]) -> Vec<f32> {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let parts: Vec<f32> = logits.iter().map(|logit| (logit - most).exp()).collect();
    let sum: f32 = parts.iter().sum();
    parts.into_iter().map(|part| part / sum).collect()
}

#[test]
fn bf16_is_near_fp32_on_a_thousand_real_positions() {
    let mut positions = 0;
    for id in GAMES {
        let game = Game::by_id(id).unwrap();
        let network = lived_in(game, &small());
        let moments = real_moments(game, 112);
        positions += moments.len();
        let libtorch = |precision| TorchSource::with_libtorch(&network, Device::Cpu, precision);
        let [fp32, bf16] = [Precision::Fp32, Precision::Bf16].map(libtorch);
        let own = TorchSource::new(&network, Device::Cpu, Precision::Bf16);
        let exact = evaluate(&mut fp32.torch_evaluator(), &moments);
        let rough = [
            (bf16.engine(), evaluate(&mut bf16.torch_evaluator(), &moments)),
            ("packed", evaluate_packed(&bf16, &moments)),
            (own.engine(), evaluate(&mut own.torch_evaluator(), &moments)),
        ];
        for (engine, rough) in rough {
            let [by_prior, by_score] = differences(&exact, &rough);
            let found = format!("{id}, {engine}: {by_prior} and {by_score} off");
            assert!(by_prior < 0.01 && by_score < 0.01, "{found}");
        }
    }
    assert!(positions >= 1000);
}

#[test]
fn folded_fp32_is_the_network_written_plainly() {
    for id in GAMES {
        let game = Game::by_id(id).unwrap();
        let moments = real_moments(game, 40);
        let folded = TorchSource::new(&lived_in(game, &small()), Device::Cpu, Precision::Fp32);
        let quick = evaluate(&mut folded.torch_evaluator(), &moments);
        let plain = evaluate(&mut PlainEvaluator::new(lived_in(game, &small())), &moments);
        let [by_prior, by_score] = differences(&quick, &plain);
        assert!(by_prior < 1e-4 && by_score < 1e-4, "{id}: {by_prior} and {by_score} off");
    }
}
