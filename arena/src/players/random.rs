//! The player that knows the rules and nothing else.

use games::{History, State, Step};
use rand::Rng;

use crate::player::{Player, Thought};
use crate::seeds::{Random, random};

/// Plays any legal step with equal chance.
#[derive(Debug)]
pub(crate) struct RandomPlayer {
    state: History,
    steps: Vec<Step>,
    random: Random,
}

impl RandomPlayer {
    pub(crate) fn new(state: &History, seed: u64) -> Self {
        Self { state: state.clone(), steps: Vec::new(), random: random(seed) }
    }
}

impl Player for RandomPlayer {
    fn new_game(&mut self, state: &History, seed: u64) {
        self.state.clone_from(state);
        self.random = random(seed);
    }

    fn observe(&mut self, step: Step) {
        self.state.play(step);
    }

    fn think(&mut self) -> Thought {
        self.steps.clear();
        self.state.steps(&mut self.steps);
        Thought::Chosen(self.steps[self.random.random_range(0..self.steps.len())])
    }
}
