//! [`Walk`]: going down a game tree step by step without allocating.

use games::{History, State, Step};
use rand::Rng;

use crate::seeds::Random;

/// Stacks of states and steps along one line of play, kept from search to search.
///
/// Level 0 is the root; level n + 1 is the state after a step from level n.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    states: Vec<History>,
    /// The steps of all levels, the deepest last.
    pub(crate) steps: Vec<Step>,
}

impl Walk {
    /// Goes to the root `state`.
    pub(crate) fn start(&mut self, state: &History) {
        self.steps.clear();
        match self.states.first_mut() {
            Some(root) => root.clone_from(state),
            None => self.states.push(state.clone()),
        }
    }

    /// The state of `level`.
    #[inline]
    pub(crate) fn state(&self, level: usize) -> &History {
        &self.states[level]
    }

    /// Appends the steps of the state of `level`, as [`State::steps`].
    #[inline]
    pub(crate) fn push_steps(&mut self, level: usize) -> Option<games::Outcome> {
        self.states[level].steps(&mut self.steps)
    }

    /// Plays `step` from the state of `level` and gives the state of the next level.
    #[inline]
    pub(crate) fn play(&mut self, level: usize, step: Step) -> &History {
        if self.states.len() == level + 1 {
            let copy = self.states[level].clone();
            self.states.push(copy);
        } else {
            let (above, below) = self.states.split_at_mut(level + 1);
            below[0].clone_from(&above[level]);
        }
        let child = &mut self.states[level + 1];
        child.play(step);
        child
    }
}

/// What `side` has more than the other side, in hundredths of a pawn.
#[inline]
pub(crate) fn material(state: &History, side: games::Side) -> i32 {
    state.position().material(side) - state.position().material(side.other())
}

/// One of the moves with the greatest value, all with equal chance.
#[derive(Debug, Default)]
pub(crate) struct BestMove {
    /// The steps of the chosen move, as far as its value depends on them.
    pub(crate) steps: Vec<Step>,
    /// Its value; `None` as long as no move has been seen.
    pub(crate) value: Option<i32>,
    ties: u32,
}

impl BestMove {
    pub(crate) fn clear(&mut self) {
        self.steps.clear();
        self.value = None;
        self.ties = 0;
    }

    /// Considers the move made of `steps`, worth `value`.
    pub(crate) fn offer(&mut self, steps: &[Step], value: i32, random: &mut Random) {
        let better = match self.value {
            Some(best) if value < best => return,
            Some(best) if value == best => {
                self.ties += 1;
                random.random_range(0..self.ties) == 0
            }
            _ => {
                self.ties = 1;
                true
            }
        };
        if better {
            self.value = Some(value);
            self.steps.clear();
            self.steps.extend_from_slice(steps);
        }
    }
}
