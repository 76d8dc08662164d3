//! The players that grow a search tree: with a network, or with random rollouts.

use std::time::Instant;

use games::{History, State, Step};
use search::{Algorithm, Answer, Ended, Gathered, PuctSettings, Query, SearchSettings, Searcher};

use crate::Limit;
use crate::limit::{FIRST_ROUND, MOST_SIMULATIONS};
use crate::player::{Player, Thought};
use crate::rollouts::Rollouts;

/// A tree that is carried along a game and grown for each step until a limit is reached.
struct Tree {
    settings: SearchSettings,
    limit: Limit,
    /// At which steps are drawn from what the search finds; 0 plays what it prefers.
    temperature: f32,
    searcher: Searcher<History>,
    under_way: Option<Search>,
    /// The expected score that the last search found.
    opinion: Option<f32>,
    steps: Vec<Step>,
}

/// A search for one step.
struct Search {
    began: Instant,
    /// Simulations of the round under way, those of earlier rounds included.
    round: u32,
    /// Positions evaluated so far.
    evaluated: u32,
}

impl Tree {
    fn new(
        settings: SearchSettings,
        limit: Limit,
        temperature: f32,
        state: &History,
        seed: u64,
    ) -> Self {
        let searcher = Searcher::new(state.clone(), settings, seed);
        let (under_way, opinion, steps) = (None, None, Vec::new());
        Self { settings, limit, temperature, searcher, under_way, opinion, steps }
    }

    /// Made anew and not reset, so that a game depends on its own seed only.
    fn new_game(&mut self, state: &History, seed: u64) {
        self.searcher = Searcher::new(state.clone(), self.settings, seed);
        self.under_way = None;
        self.opinion = None;
    }

    fn observe(&mut self, step: Step) {
        self.searcher.advance(step);
        self.under_way = None;
    }

    fn think(&mut self) -> Thought {
        let mut search = match self.under_way.take() {
            Some(search) => search,
            None => {
                self.steps.clear();
                self.searcher.root().steps(&mut self.steps);
                if let &[only] = self.steps.as_slice() {
                    return Thought::Chosen(only);
                }
                let round = match self.limit {
                    Limit::Simulations(simulations) => simulations,
                    Limit::Nodes(_) | Limit::Milliseconds(_) => FIRST_ROUND,
                };
                self.searcher.start(round, false);
                Search { began: Instant::now(), round, evaluated: 0 }
            }
        };
        while !self.is_enough(&search) {
            match self.searcher.gather() {
                Gathered::Leaf => {
                    self.under_way = Some(search);
                    return Thought::NeedsEvaluation;
                }
                Gathered::Done if self.has_another_round(&search) => {
                    search.round = (search.round * 2).min(MOST_SIMULATIONS);
                    self.searcher.start(search.round, false);
                }
                Gathered::Done => break,
            }
        }
        let decision = self.searcher.decision();
        self.opinion = Some(decision.value.score());
        Thought::Chosen(self.searcher.sample(&decision, self.temperature))
    }

    /// Whether a search that is over goes on: only the simulations of its round are spent, and they
    /// are not what limits it.
    fn has_another_round(&self, search: &Search) -> bool {
        let limited = matches!(self.limit, Limit::Simulations(_));
        let spent = self.searcher.ended() == Ended::Spent;
        !limited && spent && search.round < MOST_SIMULATIONS
    }

    /// Whether the limit is reached. The root is always evaluated before that.
    fn is_enough(&self, search: &Search) -> bool {
        search.evaluated > 0
            && match self.limit {
                Limit::Simulations(_) => false,
                Limit::Nodes(most) => search.evaluated >= most,
                Limit::Milliseconds(_) => {
                    self.limit.time().is_some_and(|time| search.began.elapsed() >= time)
                }
            }
    }

    fn answer(&mut self, answer: Answer<'_>) {
        self.searcher.apply(answer);
        if let Some(search) = &mut self.under_way {
            search.evaluated += 1;
        }
    }
}

/// Asks for evaluations of its network and plays what the search prefers, without noise, or draws
/// from it at a temperature.
pub(crate) struct NetPlayer(Tree);

impl NetPlayer {
    pub(crate) fn new(
        settings: SearchSettings,
        limit: Limit,
        temperature: f32,
        state: &History,
        seed: u64,
    ) -> Self {
        Self(Tree::new(settings, limit, temperature, state, seed))
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

    fn opinion(&self) -> Option<f32> {
        self.0.opinion
    }

    fn query(&self) -> Query<'_> {
        self.0.searcher.query()
    }

    fn answer(&mut self, answer: Answer<'_>) {
        self.0.answer(answer);
    }
}

/// Monte-Carlo tree search as it was before networks: PUCT over steps that are all alike, leaves
/// judged by one random rollout each.
pub(crate) struct MctsPlayer {
    tree: Tree,
    rollouts: Rollouts,
}

impl MctsPlayer {
    pub(crate) fn new(limit: Limit, state: &History, seed: u64) -> Self {
        let algorithm = Algorithm::Puct(PuctSettings::default());
        let settings = SearchSettings { algorithm, ..SearchSettings::default() };
        let tree = Tree::new(settings, limit, 0.0, state, seed);
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

    fn opinion(&self) -> Option<f32> {
        self.tree.opinion
    }

    fn think(&mut self) -> Thought {
        loop {
            match self.tree.think() {
                Thought::NeedsEvaluation => {
                    let answer = self.rollouts.answer(&self.tree.searcher.query());
                    self.tree.answer(answer);
                }
                decided => return decided,
            }
        }
    }
}
