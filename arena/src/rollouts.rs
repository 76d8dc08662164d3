//! [`Rollouts`]: judging a state by playing on at random.

use games::{History, State, Step};
use rand::Rng;
use search::{Answer, Answers, Evaluator, EvaluatorError, Query, Wdl};

use crate::seeds::{Random, derived, random};
use crate::walk::material;

/// Whole moves after which a rollout is cut and its material counted.
const LONGEST: u32 = 60;

/// The material, in hundredths of a pawn, that is worth a score of tanh(1) = 0.76.
const SCALE: f32 = 500.0;

/// Evaluates states by one random game each, cut after 60 plies; all steps look alike to it.
#[derive(Debug)]
pub(crate) struct Rollouts {
    state: Option<History>,
    steps: Vec<Step>,
    logits: Vec<f32>,
    random: Random,
}

impl Rollouts {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            state: None,
            steps: Vec::new(),
            logits: Vec::new(),
            random: random(derived(seed, &[1])),
        }
    }

    /// The answer to `query` by one rollout.
    pub(crate) fn answer(&mut self, query: &Query<'_>) -> Answer<'_> {
        let value = self.play(query.state);
        self.logits.clear();
        self.logits.resize(query.steps.len(), 0.0);
        Answer { value, logits: &self.logits }
    }

    /// Plays from `from` at random; the result is seen by the side to move in `from`.
    fn play(&mut self, from: &History) -> Wdl {
        let side = from.side_to_move();
        let state = match &mut self.state {
            Some(state) => {
                state.clone_from(from);
                state
            }
            empty => empty.insert(from.clone()),
        };
        while state.plies() < from.plies() + LONGEST || state.position().mid_move() {
            self.steps.clear();
            if let Some(outcome) = state.steps(&mut self.steps) {
                return score(f32::from(outcome.score(side)));
            }
            state.play(self.steps[self.random.random_range(0..self.steps.len())]);
        }
        score((material(state, side) as f32 / SCALE).tanh())
    }
}

impl Evaluator for Rollouts {
    fn evaluate(
        &mut self,
        queries: &[Query<'_>],
        answers: &mut Answers,
    ) -> Result<(), EvaluatorError> {
        answers.clear();
        for query in queries {
            answers.push(self.play(query.state), query.steps.iter().map(|_| 0.0));
        }
        Ok(())
    }
}

/// Chances that make up an expected score of -1 to 1.
fn score(score: f32) -> Wdl {
    Wdl { win: (1.0 + score) / 2.0, draw: 0.0, loss: (1.0 - score) / 2.0 }
}

#[cfg(test)]
mod tests {
    use games::Game;

    use super::*;

    #[test]
    fn a_rollout_is_a_chance_and_repeats_with_its_seed() {
        for game in Game::all() {
            let state = History::new(game.start());
            let values = |seed| {
                let mut rollouts = Rollouts::new(seed);
                [(); 20].map(|()| rollouts.play(&state).score())
            };
            assert_eq!(values(7), values(7));
            assert_ne!(values(7), values(8), "{}", game.id);
            assert!(values(7).iter().all(|value| value.abs() <= 1.0));
        }
    }
}
