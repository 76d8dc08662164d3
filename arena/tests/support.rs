//! Evaluators made up for tests, and shorthands.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use arena::{Entrant, OpeningBook, OpeningSettings};
use games::{Game, History, Position, State};
use search::{Answers, Evaluator, EvaluatorError, EvaluatorSource, Query, Wdl};

pub(crate) static GO_ON: AtomicBool = AtomicBool::new(false);

pub(crate) fn entrant(text: &str, game: &'static Game) -> Entrant {
    let nets = |_: &'static Game, path: &Path| {
        if path == Path::new("scripted") {
            Ok(Arc::new(Scripted::default()) as Arc<dyn EvaluatorSource>)
        } else {
            Err(format!("{}: no such file", path.display()))
        }
    };
    Entrant::new(&text.parse().unwrap(), game, &nets).unwrap()
}

pub(crate) fn game(id: &str) -> &'static Game {
    Game::by_id(id).unwrap()
}

pub(crate) fn position(id: &str, fen: &str) -> Position {
    game(id).parse_fen(fen).unwrap()
}

pub(crate) fn book(game: &'static Game, count: usize) -> OpeningBook {
    OpeningBook::find(game, count, &OpeningSettings::default(), 1, 2, &GO_ON)
}

/// Answers that look arbitrary and depend on the state alone.
#[derive(Debug, Default, Clone)]
pub(crate) struct Scripted {
    /// The sizes of the batches asked for.
    pub(crate) batches: Arc<Mutex<Vec<usize>>>,
    /// Batches after which the evaluator fails; 0: never.
    pub(crate) fails_after: usize,
}

fn mixed(value: u64) -> u64 {
    let z = (value ^ (value >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (z ^ (z >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 16
}

fn unit(value: u64) -> f32 {
    (mixed(value) % 1000) as f32 / 1000.0
}

impl Evaluator for Scripted {
    fn evaluate(
        &mut self,
        queries: &[Query<'_, History>],
        answers: &mut Answers,
    ) -> Result<(), EvaluatorError> {
        let mut batches = self.batches.lock().unwrap();
        batches.push(queries.len());
        if self.fails_after > 0 && batches.len() > self.fails_after {
            return Err(EvaluatorError("the device is gone".to_owned()));
        }
        answers.clear();
        for query in queries {
            let key = query.state.key();
            let draw = 0.2;
            let win = (1.0 - draw) * unit(key);
            let value = Wdl { win, draw, loss: 1.0 - draw - win };
            let logit = |bits: u32| 3.0 * unit(key ^ u64::from(bits) << 20);
            answers.push(value, query.steps.iter().map(|step| logit(step.bits())));
        }
        Ok(())
    }
}

impl EvaluatorSource for Scripted {
    fn evaluator(&self) -> Result<Box<dyn Evaluator>, EvaluatorError> {
        Ok(Box::new(self.clone()))
    }
}
