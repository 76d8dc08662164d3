//! The player that takes what it can get.

use games::{History, Outcome, State, Step};

use super::alphabeta::Plan;
use crate::alphabeta::WIN;
use crate::player::{Player, Thought};
use crate::seeds::{Random, random};
use crate::walk::{BestMove, Walk, material};

/// Plays a winning move; else one of the moves that win the most material, captured and promoted
/// together. It does not ask what the opponent will do, or whether the game is then a draw.
#[derive(Debug)]
pub(crate) struct GreedyPlayer {
    state: History,
    walk: Walk,
    plan: Plan,
    random: Random,
}

impl GreedyPlayer {
    pub(crate) fn new(state: &History, seed: u64) -> Self {
        Self {
            state: state.clone(),
            walk: Walk::default(),
            plan: Plan::default(),
            random: random(seed),
        }
    }
}

impl Player for GreedyPlayer {
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
            self.walk.start(&self.state);
            offer_all(&mut self.walk, 0, &mut Vec::new(), best, &mut self.random);
            best.steps[0]
        });
        Thought::Chosen(step)
    }
}

/// Offers the completions of the move whose steps so far are `played` and lead to `level`.
fn offer_all(
    walk: &mut Walk,
    level: usize,
    played: &mut Vec<Step>,
    best: &mut BestMove,
    random: &mut Random,
) {
    let side = walk.state(level).side_to_move();
    let start = walk.steps.len();
    walk.push_steps(level);
    for i in start..walk.steps.len() {
        let step = walk.steps[i];
        let child = walk.play(level, step);
        played.push(step);
        let won = child.foregone() == Some(Outcome::Win(side));
        if won || !child.position().mid_move() {
            let value = if won || child.outcome() == Some(Outcome::Win(side)) {
                WIN
            } else {
                material(child, side)
            };
            best.offer(played, value, random);
        } else {
            offer_all(walk, level + 1, played, best, random);
        }
        played.pop();
    }
    walk.steps.truncate(start);
}
