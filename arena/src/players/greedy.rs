//! The player that takes what it can get.

use games::{History, Outcome, State, Step};

use super::planner::Planner;
use crate::alphabeta::WIN;
use crate::seeds::Random;
use crate::walk::{BestMove, Walk, material};

/// Plans a winning move; else one of the moves that win the most material, captured and promoted
/// together. It does not ask what the opponent will do, or whether the game is then a draw.
#[derive(Debug, Default)]
pub(crate) struct Greedy {
    walk: Walk,
}

impl Planner for Greedy {
    fn plan(&mut self, state: &History, best: &mut BestMove, random: &mut Random) {
        self.walk.start(state);
        offer_all(&mut self.walk, 0, &mut Vec::new(), best, random);
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
