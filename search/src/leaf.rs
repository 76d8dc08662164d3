//! [`Leaf`]: the state a simulation ends in, and what can be said of it without the network.

use games::{Outcome, State, Step};

use crate::Query;
use crate::expansion::Trial;

/// A state, its steps, and what trying them has told. Buffers are kept from leaf to leaf.
#[derive(Debug)]
pub(crate) struct Leaf<S> {
    pub(crate) state: S,
    /// The legal steps in generation order; none if the game is over.
    pub(crate) steps: Vec<Step>,
    /// What trying the first steps has told; shorter than `steps` if not all were tried.
    pub(crate) trials: Vec<Trial>,
    /// Scratch: the state after a step.
    ahead: S,
    /// Scratch: per step whether the game surely goes on after it.
    open: Vec<bool>,
}

impl<S: State> Leaf<S> {
    pub(crate) fn new(root: &S) -> Self {
        Self {
            state: root.clone(),
            steps: Vec::new(),
            trials: Vec::new(),
            ahead: root.clone(),
            open: Vec::new(),
        }
    }

    /// The state as a question.
    pub(crate) fn query(&self) -> Query<'_, S> {
        Query { state: &self.state, steps: &self.steps }
    }

    /// Goes to the state `line` leads to from `root` and finds its steps. The outcome if the game
    /// is over there.
    pub(crate) fn reach(&mut self, root: &S, line: &[Step]) -> Option<Outcome> {
        self.state.clone_from(root);
        for &step in line {
            self.state.play(step);
        }
        self.trials.clear();
        self.steps.clear();
        self.state.steps(&mut self.steps)
    }

    /// What `step` leads to.
    pub(crate) fn trial(&mut self, step: Step) -> Trial {
        self.ahead.clone_from(&self.state);
        self.ahead.play(step);
        self.ahead.foregone().map_or(Trial::Open, Trial::Over)
    }

    /// Tries the first `most` steps, and stops at one that wins if `one_win` is enough. Returns the
    /// outcome if the steps tried decide it: the mover's win, or the best of all steps.
    pub(crate) fn look_ahead(&mut self, most: usize, one_win: bool) -> Option<Outcome> {
        let mover = self.state.side_to_move();
        let mut best: Option<Outcome> = None;
        let mut all_over = self.steps.len() <= most;
        let tried = self.steps.len().min(most);
        self.open.clear();
        self.state.open_after(&self.steps[..tried], &mut self.open);
        for index in 0..tried {
            let trial = if self.open[index] { Trial::Open } else { self.trial(self.steps[index]) };
            self.trials.push(trial);
            let Trial::Over(outcome) = trial else {
                all_over = false;
                continue;
            };
            if best.is_none_or(|best| outcome.score(mover) > best.score(mover)) {
                best = Some(outcome);
            }
            if one_win && outcome == Outcome::Win(mover) {
                return best;
            }
        }
        best.filter(|&best| all_over || best == Outcome::Win(mover))
    }
}
