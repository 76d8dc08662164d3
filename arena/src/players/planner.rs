//! Players that choose a whole move and then play it step by step.

use games::{History, State, Step};

use crate::player::{Player, Thought};
use crate::seeds::{Random, random};
use crate::walk::BestMove;

/// How a whole move is chosen.
pub(crate) trait Planner: Send {
    /// Fills `best` with a move of `state`.
    fn plan(&mut self, state: &History, best: &mut BestMove, random: &mut Random);
}

/// A player that asks its planner once a move.
#[derive(Debug)]
pub(crate) struct PlannedPlayer<P> {
    planner: P,
    state: History,
    best: BestMove,
    /// Steps of `best` that have been played.
    played: usize,
    random: Random,
}

impl<P: Planner> PlannedPlayer<P> {
    pub(crate) fn new(planner: P, state: &History, seed: u64) -> Self {
        let (best, state) = (BestMove::default(), state.clone());
        Self { planner, state, best, played: 0, random: random(seed) }
    }

    fn drop_plan(&mut self) {
        self.best.clear();
        self.played = 0;
    }

    /// The next step of the plan, if there is one.
    fn next(&self) -> Option<Step> {
        self.best.steps.get(self.played).copied()
    }
}

impl<P: Planner> Player for PlannedPlayer<P> {
    fn new_game(&mut self, state: &History, seed: u64) {
        self.state.clone_from(state);
        self.drop_plan();
        self.random = random(seed);
    }

    fn observe(&mut self, step: Step) {
        self.state.play(step);
        if self.next() == Some(step) {
            self.played += 1;
        } else {
            self.drop_plan();
        }
    }

    fn think(&mut self) -> Thought {
        if self.next().is_none() {
            self.drop_plan();
            self.planner.plan(&self.state, &mut self.best, &mut self.random);
        }
        Thought::Chosen(self.next().expect("a planner plans at least one step"))
    }
}
