//! Evaluators made for tests.

use games::{Key, State};
use search::{Answers, Evaluator, EvaluatorError, Query, Uniform, Wdl};

/// Values and logits out of a hash of the key: arbitrary, but always the same.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Hashed;

/// A number from 0 to 1 that depends on both arguments (the finaliser of splitmix64).
fn hash(key: Key, salt: u64) -> f32 {
    let mut bits = key.wrapping_add(salt.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_add(1);
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (bits >> 40) as f32 / (1 << 24) as f32
}

impl<S: State> Evaluator<S> for Hashed {
    fn evaluate(
        &mut self,
        queries: &[Query<'_, S>],
        answers: &mut Answers,
    ) -> Result<(), EvaluatorError> {
        answers.clear();
        for query in queries {
            let key = query.state.key();
            let draw = 0.3 * hash(key, 1);
            let win = (1.0 - draw) * hash(key, 2);
            let value = Wdl { win, draw, loss: 1.0 - draw - win };
            let logit = |step: &games::Step| 4.0 * hash(key, 3 + u64::from(step.bits())) - 2.0;
            answers.push(value, query.steps.iter().map(logit));
        }
        Ok(())
    }
}

/// Knows nothing, and counts how often it is asked.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Counting {
    pub(crate) asked: u32,
}

impl<S: State> Evaluator<S> for Counting {
    fn evaluate(
        &mut self,
        queries: &[Query<'_, S>],
        answers: &mut Answers,
    ) -> Result<(), EvaluatorError> {
        self.asked += queries.len() as u32;
        Uniform.evaluate(queries, answers)
    }
}
