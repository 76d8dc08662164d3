//! The player that looks a few moves ahead and counts material.

use games::{History, State, Step};

use crate::alphabeta::AlphaBeta;
use crate::player::{Player, Thought};
use crate::seeds::{Random, random};
use crate::walk::BestMove;

/// Plays one of the best moves of a full-width search, without quiescence; a nearer win is better.
#[derive(Debug)]
pub(crate) struct AlphaBetaPlayer {
    depth: u32,
    state: History,
    search: AlphaBeta,
    plan: Plan,
    random: Random,
}

impl AlphaBetaPlayer {
    pub(crate) fn new(depth: u32, state: &History, seed: u64) -> Self {
        Self {
            depth,
            state: state.clone(),
            search: AlphaBeta::default(),
            plan: Plan::default(),
            random: random(seed),
        }
    }
}

impl Player for AlphaBetaPlayer {
    fn new_game(&mut self, state: &History, seed: u64) {
        self.state.clone_from(state);
        self.plan.drop();
        self.random = random(seed);
    }

    fn observe(&mut self, step: Step) {
        self.state.play(step);
        self.plan.observe(step);
    }

    fn think(&mut self) -> Thought {
        let step = self.plan.next().unwrap_or_else(|| {
            let best = self.plan.renewed();
            self.search.choose(&self.state, self.depth, best, &mut self.random);
            best.steps[0]
        });
        Thought::Chosen(step)
    }
}

/// A whole move that has been chosen and is being played step by step.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    best: BestMove,
    played: usize,
}

impl Plan {
    /// Gives up the plan.
    pub(crate) fn drop(&mut self) {
        self.best.clear();
        self.played = 0;
    }

    /// The next step, if there is a plan for it.
    pub(crate) fn next(&self) -> Option<Step> {
        self.best.steps.get(self.played).copied()
    }

    /// Goes on if `step` is the next one; else the plan is void.
    pub(crate) fn observe(&mut self, step: Step) {
        if self.next() == Some(step) {
            self.played += 1;
        } else {
            self.drop();
        }
    }

    /// Where to write a new plan.
    pub(crate) fn renewed(&mut self) -> &mut BestMove {
        self.drop();
        &mut self.best
    }
}
