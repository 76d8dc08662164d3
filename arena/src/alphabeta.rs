//! [`AlphaBeta`]: full-width search that counts material, for every game.

use games::{History, Outcome, Side, State, Step};

use crate::seeds::Random;
use crate::walk::{BestMove, Walk, material};

/// The value of a win at once. A win that takes n moves of both sides is worth n - 1 less.
pub(crate) const WIN: i32 = 1_000_000;

/// So few steps are all played to see which win material: it finds the jumps over pieces, which
/// end on empty cells.
const FEW: usize = 16;

/// A fixed-depth search in whole moves, with fail-soft windows and captures first.
///
/// Values are hundredths of a pawn from the view of the side to move. It follows steps and asks
/// each state for its side, so moves of several steps need no special care; the past of the game
/// (repetition, the hundred-ply rule) counts. The stacks are kept: nothing is allocated in a node.
#[derive(Debug, Default)]
pub(crate) struct AlphaBeta {
    walk: Walk,
    order: Vec<(i32, u32, Step)>,
}

impl AlphaBeta {
    /// The value of `state` at `depth` whole moves if it lies between `alpha` and `beta`; else a
    /// bound on it, on the same side of the window.
    pub(crate) fn value(&mut self, state: &History, depth: u32, alpha: i32, beta: i32) -> i32 {
        self.walk.start(state);
        self.search(0, depth, alpha, beta, 0)
    }

    /// Fills `best` with one of the best whole moves of `state` at `depth` moves, all of them with
    /// equal chance, and its exact value. The steps break off where the rest of the move cannot
    /// change the outcome.
    pub(crate) fn choose(
        &mut self,
        state: &History,
        depth: u32,
        best: &mut BestMove,
        random: &mut Random,
    ) {
        best.clear();
        self.walk.start(state);
        self.root(0, depth, &mut Vec::new(), best, random);
    }

    /// Offers the completions of the root move whose steps so far are `played`.
    fn root(
        &mut self,
        level: usize,
        depth: u32,
        played: &mut Vec<Step>,
        best: &mut BestMove,
        random: &mut Random,
    ) {
        let start = self.walk.steps.len();
        self.walk.push_steps(level);
        if depth > 1 {
            self.captures_first(level, start);
        }
        for i in start..self.walk.steps.len() {
            let step = self.walk.steps[i];
            // One below the best, so that equally good moves are told from worse ones.
            let alpha = best.value.map_or(-WIN, |value| value - 1);
            let side = self.walk.state(level).side_to_move();
            let child = self.walk.play(level, step);
            played.push(step);
            if child.position().mid_move() && child.foregone().is_none() {
                self.root(level + 1, depth, played, best, random);
            } else {
                let value = self.child(side, level, depth, alpha, WIN, 0);
                best.offer(played, value, random);
            }
            played.pop();
        }
        self.walk.steps.truncate(start);
    }

    /// The value of the state of `level`, `ply` whole moves below the root.
    fn search(&mut self, level: usize, depth: u32, alpha: i32, beta: i32, ply: i32) -> i32 {
        let state = self.walk.state(level);
        let side = state.side_to_move();
        if depth == 0 && !state.position().mid_move() {
            return match state.outcome() {
                Some(outcome) => value_of(outcome, side, ply),
                None => material(state, side),
            };
        }
        let start = self.walk.steps.len();
        if let Some(outcome) = self.walk.push_steps(level) {
            return value_of(outcome, side, ply);
        }
        // A side that stands well enough just before the leaves need not win anything.
        if depth > 1 || material(self.walk.state(level), side) < beta {
            self.captures_first(level, start);
        }
        let mut alpha = alpha;
        let mut best = -WIN;
        for i in start..self.walk.steps.len() {
            self.walk.play(level, self.walk.steps[i]);
            let value = self.child(side, level, depth, alpha, beta, ply);
            if value > best {
                best = value;
                alpha = alpha.max(value);
                if alpha >= beta {
                    break;
                }
            }
        }
        self.walk.steps.truncate(start);
        best
    }

    /// The value for `side` of the state that it has reached from `level`.
    fn child(
        &mut self,
        side: Side,
        level: usize,
        depth: u32,
        alpha: i32,
        beta: i32,
        ply: i32,
    ) -> i32 {
        let child = self.walk.state(level + 1);
        if child.position().mid_move() {
            return match child.foregone() {
                Some(outcome) => value_of(outcome, side, ply + 1),
                None => self.search(level + 1, depth, alpha, beta, ply),
            };
        }
        -self.search(level + 1, depth - 1, -beta, -alpha, ply + 1)
    }

    /// Sorts the steps of `level`, which begin at `start`, by the material they win. Where there
    /// are many, plain steps to empty cells are taken to win none, without playing them.
    fn captures_first(&mut self, level: usize, start: usize) {
        let state = self.walk.state(level);
        let side = state.side_to_move();
        let now = material(state, side);
        let play_all = self.walk.steps.len() - start <= FEW;
        self.order.clear();
        for i in start..self.walk.steps.len() {
            let step = self.walk.steps[i];
            let noisy = play_all
                || step.kind() != Step::PLAIN
                || self.walk.state(level).position().side_at(step.to()).is_some();
            let after = if noisy { material(self.walk.play(level, step), side) } else { now };
            self.order.push((-after, i as u32, step));
        }
        self.order.sort_unstable_by_key(|&(loss, i, _)| (loss, i));
        for (place, &(_, _, step)) in self.walk.steps[start..].iter_mut().zip(&self.order) {
            *place = step;
        }
    }
}

/// The value for `side` of a game that ends `plies` whole moves below the root.
fn value_of(outcome: Outcome, side: Side, plies: i32) -> i32 {
    i32::from(outcome.score(side)) * (WIN - plies)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use games::{Game, Move};
    use rand::Rng;

    use super::*;
    use crate::seeds::random;

    /// The value of `state` and of each of its moves by the definition: no windows, no order.
    fn minimax(state: &History, depth: u32, ply: i32) -> (i32, Vec<(Move, i32)>) {
        let side = state.side_to_move();
        if let Some(outcome) = state.outcome() {
            return (value_of(outcome, side, ply), Vec::new());
        }
        if depth == 0 {
            return (material(state, side), Vec::new());
        }
        let value = |chosen: Move| {
            let mut after = state.clone();
            chosen.steps().iter().for_each(|&step| after.play(step));
            let value = -minimax(&after, depth - 1, ply + 1).0;
            (chosen, value)
        };
        let moves: Vec<_> = state.position().moves().unwrap().into_iter().map(value).collect();
        (moves.iter().map(|&(_, value)| value).max().unwrap(), moves)
    }

    /// A state some random moves into a game of `game`, not over.
    fn random_state(game: &'static Game, plies: u32, random: &mut Random) -> History {
        let mut state = History::new(game.start());
        let mut steps = Vec::new();
        while state.plies() < plies {
            steps.clear();
            if state.steps(&mut steps).is_some() {
                return random_state(game, plies - 1, random);
            }
            state.play(steps[random.random_range(0..steps.len())]);
        }
        match state.outcome() {
            Some(_) => random_state(game, plies - 1, random),
            None => state,
        }
    }

    #[test]
    fn alpha_beta_equals_minimax() {
        let mut random = random(1);
        let mut search = AlphaBeta::default();
        let mut best = BestMove::default();
        for game in Game::all() {
            for _ in 0..8 {
                let plies = random.random_range(0..60);
                let state = random_state(game, plies, &mut random);
                let branches = state.position().moves().unwrap().len();
                let place = format!("{} {}", game.id, state.position().fen());
                for depth in 1..=3 {
                    if branches.pow(depth) > 60_000 {
                        break;
                    }
                    let (value, moves) = minimax(&state, depth, 0);
                    assert_eq!(search.value(&state, depth, -WIN, WIN), value, "{place}");
                    let narrow = search.value(&state, depth, value - 1, value + 1);
                    assert_eq!(narrow, value, "{place}");
                    assert!(search.value(&state, depth, value, value + 1) <= value, "{place}");
                    assert!(search.value(&state, depth, value - 1, value) >= value, "{place}");
                    let equal: BTreeSet<_> =
                        moves.into_iter().filter(|m| m.1 == value).map(|m| m.0).collect();
                    let mut seen = BTreeSet::new();
                    let choices = if branches.pow(depth) > 10_000 { 1 } else { 16 };
                    for _ in 0..choices {
                        search.choose(&state, depth, &mut best, &mut random);
                        assert_eq!(best.value, Some(value), "{place}");
                        let fits = |m: &&Move| m.steps().starts_with(&best.steps);
                        seen.insert(equal.iter().find(fits).expect("one of the best").clone());
                    }
                    assert!(
                        equal.len().min(choices) == 1 || seen.len() > 1,
                        "always the same: {place}"
                    );
                }
            }
        }
    }
}
