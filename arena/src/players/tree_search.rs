//! The players that grow a search tree: with a network, or with random rollouts.

use games::{History, State, Step};
use search::{Algorithm, Answer, Gathered, PuctSettings, Query, SearchSettings, Searcher};

use crate::player::{Player, Thought};
use crate::rollouts::Rollouts;

/// A tree that is carried along a game and grown by so many simulations a step.
struct Tree {
    settings: SearchSettings,
    simulations: u32,
    searcher: Searcher<History>,
    under_way: bool,
    steps: Vec<Step>,
}

impl Tree {
    fn new(settings: SearchSettings, simulations: u32, state: &History, seed: u64) -> Self {
        let searcher = Searcher::new(state.clone(), settings, seed);
        Self { settings, simulations, searcher, under_way: false, steps: Vec::new() }
    }

    /// Made anew and not reset, so that a game depends on its own seed only.
    fn new_game(&mut self, state: &History, seed: u64) {
        self.searcher = Searcher::new(state.clone(), self.settings, seed);
        self.under_way = false;
    }

    fn observe(&mut self, step: Step) {
        self.searcher.advance(step);
        self.under_way = false;
    }

    fn think(&mut self) -> Thought {
        if !self.under_way {
            self.steps.clear();
            self.searcher.root().steps(&mut self.steps);
            if let &[only] = self.steps.as_slice() {
                return Thought::Chosen(only);
            }
            self.searcher.start(self.simulations, false);
            self.under_way = true;
        }
        match self.searcher.gather() {
            Gathered::Leaf => Thought::NeedsEvaluation,
            Gathered::Done => {
                self.under_way = false;
                Thought::Chosen(self.searcher.decision().step)
            }
        }
    }
}

/// Asks for evaluations of its network and plays what the search prefers, without noise.
pub(crate) struct NetPlayer(Tree);

impl NetPlayer {
    pub(crate) fn new(
        settings: SearchSettings,
        simulations: u32,
        state: &History,
        seed: u64,
    ) -> Self {
        Self(Tree::new(settings, simulations, state, seed))
    }
}

impl Player for NetPlayer {
    fn new_game(&mut self, state: &History, seed: u64) {
        self.0.new_game(state, seed);
    }

    fn observe(&mut self, step: Step) {
        self.0.observe(step);
    }

    fn think(&mut self) -> Thought {
        self.0.think()
    }

    fn query(&self) -> Query<'_> {
        self.0.searcher.query()
    }

    fn answer(&mut self, answer: Answer<'_>) {
        self.0.searcher.apply(answer);
    }
}

/// Monte-Carlo tree search as it was before networks: PUCT over steps that are all alike, leaves
/// judged by one random rollout each.
pub(crate) struct MctsPlayer {
    tree: Tree,
    rollouts: Rollouts,
}

impl MctsPlayer {
    pub(crate) fn new(simulations: u32, state: &History, seed: u64) -> Self {
        let algorithm = Algorithm::Puct(PuctSettings::default());
        let settings = SearchSettings { algorithm, ..SearchSettings::default() };
        let tree = Tree::new(settings, simulations, state, seed);
        Self { tree, rollouts: Rollouts::new(seed) }
    }
}

impl Player for MctsPlayer {
    fn new_game(&mut self, state: &History, seed: u64) {
        self.tree.new_game(state, seed);
        self.rollouts = Rollouts::new(seed);
    }

    fn observe(&mut self, step: Step) {
        self.tree.observe(step);
    }

    fn think(&mut self) -> Thought {
        loop {
            match self.tree.think() {
                Thought::NeedsEvaluation => {
                    let answer = self.rollouts.answer(&self.tree.searcher.query());
                    self.tree.searcher.apply(answer);
                }
                chosen @ Thought::Chosen(_) => return chosen,
            }
        }
    }
}
