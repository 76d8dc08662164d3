//! [`Searcher`]: the search of one game.

use games::{State, Step};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::expansion::{Expander, Trial};
use crate::leaf::Leaf;
use crate::root::{Plan, step_visits};
use crate::selection::View;
use crate::tree::{Node, NodeId, ROOT, Tree};
use crate::{Algorithm, Answer, Branch, EvaluationCache, Query, SearchSettings, Wdl, gumbel, puct};

/// The search of one game: a tree, at most one state that waits for its evaluation, and a generator
/// of random numbers.
///
/// A search is [`start`](Self::start)ed, then [`gather`](Self::gather) and [`apply`](Self::apply)
/// take turns until `gather` says [`Gathered::Done`]; [`decision`](Self::decision) tells what came
/// of it and [`advance`](Self::advance) plays a step.
///
/// Visits: one simulation is one walk from the root and one visit of a root step; evaluating the
/// root is none. With `reuse`, visits of earlier searches stay in the tree and count: under Gumbel
/// each visit a candidate already has stands in for one of its turns, under PUCT without noise they
/// are taken off the budget, under PUCT with noise they are extra (noise has to have its say). So
/// `start(n)` for growing `n` on one root goes on with the same search.
///
/// Memory: one tree of at most [`SearchSettings::tree_bytes`] (a search ends early there), slid to
/// the front in place by `advance`; 4 bytes a node more while it does. Simulations reuse all their
/// buffers; the ends of phases and decisions make a few short lists.
#[derive(Debug)]
pub struct Searcher<S> {
    pub(crate) settings: SearchSettings,
    root: S,
    pub(crate) rng: Xoshiro256PlusPlus,
    pub(crate) tree: Tree,
    pub(crate) plan: Plan,
    expander: Expander,
    leaf: Leaf<S>,
    view: View,
    /// The nodes of the simulation under way, the root first, the leaf itself not included.
    path: Vec<NodeId>,
    /// Its steps.
    line: Vec<Step>,
    stage: Stage,
    budget: u32,
    noise: bool,
    /// Simulations of this search so far.
    pub(crate) simulations: u32,
    /// Visits of root steps that this search found in the tree.
    pub(crate) reused: u32,
}

/// What [`Searcher::gather`] has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gathered {
    /// A state needs its evaluation: [`Searcher::query`], then [`Searcher::apply`].
    Leaf,
    /// The search is over: [`Searcher::decision`].
    Done,
}

/// Where a search stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Started; the root is still to be prepared.
    Started,
    /// The root waits for its evaluation.
    RootWaits,
    /// Simulations run.
    Running,
    /// A leaf waits for its evaluation: behind this edge of this node.
    LeafWaits(NodeId, usize),
    /// Over.
    Done,
}

impl<S: State> Searcher<S> {
    /// The search of a game that stands at `root`. Equal seeds give equal searches.
    #[must_use]
    pub fn new(root: S, settings: SearchSettings, seed: u64) -> Self {
        Self {
            leaf: Leaf::new(&root),
            root,
            settings,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            tree: Tree::default(),
            plan: Plan::default(),
            expander: Expander::default(),
            view: View::default(),
            path: Vec::new(),
            line: Vec::new(),
            stage: Stage::Done,
            budget: 0,
            noise: false,
            simulations: 0,
            reused: 0,
        }
    }

    /// Turns to another game and drops the tree. The random numbers go on where they were.
    pub fn reset(&mut self, root: &S) {
        self.root.clone_from(root);
        self.tree.clear();
        self.stage = Stage::Done;
    }

    /// Starts the random numbers anew, so that a game does not depend on those before it.
    pub fn reseed(&mut self, seed: u64) {
        self.rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    }

    /// The state that is searched.
    #[must_use]
    pub fn root(&self) -> &S {
        &self.root
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &SearchSettings {
        &self.settings
    }

    /// Evaluations that were not finite, or no chances that sum to 1, since this searcher was made.
    /// They were taken as all steps alike, or as an even game.
    #[must_use]
    pub fn repaired(&self) -> u64 {
        self.expander.repaired
    }

    /// Every node of the tree and the step that leads to it, parents first, siblings by prior.
    #[must_use]
    pub fn branches(&self) -> Vec<Branch> {
        self.tree.branches()
    }

    /// Begins a search of the root, which must not be over, with this many simulations; 0 leaves it
    /// at the root's own evaluation. With `noise` Gumbel or Dirichlet noise is drawn for this
    /// search. A search under way ends; what it found stays in the tree.
    pub fn start(&mut self, simulations: u32, noise: bool) {
        self.stage = Stage::Started;
        self.budget = simulations;
        self.noise = noise;
        self.simulations = 0;
        self.reused = 0;
    }

    /// Runs simulations until a state needs its evaluation or the search is over: the simulations
    /// are spent, the root is proven, or the tree is full. Called again without an answer in
    /// between, it says the same again.
    ///
    /// # Panics
    /// If the game is over at the root.
    pub fn gather(&mut self) -> Gathered {
        if self.stage == Stage::Started {
            self.prepare_root();
        }
        while self.stage == Stage::Running {
            let full = self.tree.bytes() >= self.settings.tree_bytes;
            let next = if full || self.tree.node(ROOT).proven.is_some() {
                None
            } else {
                self.plan.next(&self.settings.algorithm, &self.tree, &mut self.view)
            };
            match next {
                Some(edge) => self.simulate(edge),
                None => self.stage = Stage::Done,
            }
        }
        if self.stage == Stage::Done { Gathered::Done } else { Gathered::Leaf }
    }

    /// As [`Searcher::gather`], but goes on by itself where `cache` knows the answer. Whoever
    /// evaluates the states [puts](EvaluationCache::put) the answers there. Answers of one
    /// deterministic network only: then the search is the same with the cache and without.
    ///
    /// # Panics
    /// If the game is over at the root.
    pub fn gather_known(&mut self, cache: &mut EvaluationCache) -> Gathered {
        while self.gather() == Gathered::Leaf {
            match cache.get(&self.query()) {
                Some(answer) => self.apply(answer),
                None => return Gathered::Leaf,
            }
        }
        Gathered::Done
    }

    /// The state that needs its evaluation.
    ///
    /// # Panics
    /// If [`Searcher::gather`] did not say [`Gathered::Leaf`].
    #[must_use]
    pub fn query(&self) -> Query<'_, S> {
        assert!(self.waits(), "no state needs an evaluation");
        Query { state: &self.leaf.state, steps: &self.leaf.steps }
    }

    /// Takes the evaluation of [`Searcher::query`]'s state. An answer that is not finite is
    /// repaired and counted ([`Searcher::repaired`]).
    ///
    /// # Panics
    /// If no state waits, or the answer does not have one logit a step.
    pub fn apply(&mut self, answer: Answer<'_>) {
        assert!(self.waits(), "no state needs an evaluation");
        let Leaf { state, steps, trials, .. } = &self.leaf;
        assert_eq!(answer.logits.len(), steps.len(), "an answer has one logit a step");
        let tree = &mut self.tree;
        if let Stage::LeafWaits(parent, edge) = self.stage {
            let (side, behind) = (state.side_to_move(), Some((parent, edge)));
            let node = self.expander.add_node(tree, behind, side, steps, trials, Some(answer));
            self.stage = Stage::Running;
            self.end_simulation(node);
        } else if tree.is_empty() {
            let side = state.side_to_move();
            self.expander.add_node(tree, None, side, steps, trials, Some(answer));
            self.first_visit_of_root();
            self.run();
        } else {
            self.expander.widen_root(tree, steps, answer);
            self.try_root_edges();
            self.run();
        }
    }

    /// Plays `step` at the root. With `reuse` the tree below it stays.
    pub fn advance(&mut self, step: Step) {
        self.root.play(step);
        self.stage = Stage::Done;
        let edge = if self.settings.reuse && !self.tree.is_empty() {
            self.tree.edges(ROOT).iter().find(|edge| edge.step == step)
        } else {
            None
        };
        match edge.and_then(|edge| edge.child()) {
            // A node without edges was decided without the network: nothing to go on with.
            Some(child) if self.tree.node(child).edges > 0 => {
                self.tree.keep(child);
                self.plan(0, false);
            }
            _ => self.tree.clear(),
        }
    }

    fn waits(&self) -> bool {
        matches!(self.stage, Stage::RootWaits | Stage::LeafWaits(..))
    }

    /// Gets the root ready for simulations, or finds that it needs the network, or none of it.
    fn prepare_root(&mut self) {
        let over = self.leaf.reach(&self.root, &[]);
        assert!(over.is_none(), "a finished game was searched");
        if !self.tree.is_empty() {
            if self.tree.proof(ROOT).is_some_and(|proof| proof.steps == 0) {
                self.stage = Stage::Done;
                return;
            }
            // An expansion below the root may have left steps out: they need their logits now.
            if self.tree.node(ROOT).dropped {
                self.stage = Stage::RootWaits;
            } else {
                self.try_root_edges();
                self.run();
            }
            return;
        }
        let Leaf { state, .. } = &self.leaf;
        let side = state.side_to_move();
        let foregone = state.foregone();
        if foregone.is_none() && self.leaf.look_ahead(self.settings.look_ahead, false).is_none() {
            self.stage = Stage::RootWaits;
            return;
        }
        let Leaf { steps, trials, .. } = &self.leaf;
        self.expander.add_node(&mut self.tree, None, side, steps, trials, None);
        match foregone {
            Some(_) => self.tree.node_mut(ROOT).proven = foregone,
            None => self.tree.prove(ROOT),
        }
        self.first_visit_of_root();
        self.stage = Stage::Done;
    }

    /// The root's own evaluation is its first visit.
    fn first_visit_of_root(&mut self) {
        let value = self.tree.raw(ROOT).unwrap_or(Wdl::EVEN);
        self.tree.back_up(&[ROOT], value);
    }

    /// Tries the first root edges that have not been tried yet, and sees what that proves. The leaf
    /// stands at the root.
    fn try_root_edges(&mut self) {
        let side = self.tree.node(ROOT).side;
        for edge in 0..self.tree.edges(ROOT).len().min(self.settings.look_ahead) {
            if !self.tree.edge(ROOT, edge).is_untried() {
                continue;
            }
            if let Trial::Over(outcome) = self.leaf.trial(self.tree.edge(ROOT, edge).step) {
                self.tree.add_child(ROOT, edge, Node::over(outcome, 0, side));
            } else {
                self.tree.mark_open(ROOT, edge);
            }
        }
        self.tree.prove(ROOT);
    }

    fn run(&mut self) {
        self.reused = step_visits(&self.tree);
        self.plan(self.budget, self.noise);
        self.stage = Stage::Running;
    }

    /// Makes the plan fit the edges of the root, for this many simulations.
    fn plan(&mut self, simulations: u32, noise: bool) {
        let Self { settings, tree, plan, rng, .. } = self;
        plan.start(&settings.algorithm, tree, simulations, noise, rng);
    }

    /// Walks from this edge of the root to the first node that is proven or new.
    fn simulate(&mut self, edge: usize) {
        self.path.clear();
        self.line.clear();
        self.path.push(ROOT);
        let (mut node, mut index) = (ROOT, edge);
        loop {
            let edge = self.tree.edge(node, index);
            self.line.push(edge.step);
            let Some(child) = edge.child() else {
                return self.meet_leaf(node, index, edge.is_open());
            };
            if self.tree.node(child).proven.is_some() {
                return self.end_simulation(child);
            }
            self.path.push(child);
            node = child;
            index = self.select_inner(node);
        }
    }

    /// The edge to follow below the root.
    fn select_inner(&mut self, node: NodeId) -> usize {
        let untried = self.view.of_inner(&self.tree, node);
        let arms = &self.view.arms;
        let side = self.tree.node(node).side;
        let pick = match &self.settings.algorithm {
            Algorithm::Gumbel(settings) => {
                let raw = self.tree.raw(node).unwrap_or(Wdl::EVEN).seen_by(side).score();
                gumbel::select_inner(settings, raw, arms, untried)
            }
            Algorithm::Puct(settings) => {
                let value = self.tree.value(node).seen_by(side).score();
                puct::select(settings, value, settings.fpu_reduction, arms, untried)
            }
        };
        // If all edges lose and the node is not proven, then because some were left out: the
        // simulation ends behind the likeliest, as bad as it is.
        pick.map_or(0, |pick| self.view.edge(pick))
    }

    /// Reaches a new state: ends the simulation if the state is decided, else asks for its
    /// evaluation. `goes_on`: a trial has already shown that the game is not over there.
    fn meet_leaf(&mut self, node: NodeId, edge: usize, goes_on: bool) {
        let over = self.leaf.reach(&self.root, &self.line);
        let over = over.or_else(|| if goes_on { None } else { self.leaf.state.foregone() });
        let (outcome, distance) = match over {
            Some(outcome) => (outcome, 0),
            None => match self.leaf.look_ahead(self.settings.inner_look_ahead, true) {
                Some(outcome) => (outcome, 1),
                None => {
                    self.stage = Stage::LeafWaits(node, edge);
                    return;
                }
            },
        };
        let side = self.leaf.state.side_to_move();
        let child = self.tree.add_child(node, edge, Node::over(outcome, distance, side));
        self.end_simulation(child);
    }

    /// Backs the value of `leaf` up the path.
    fn end_simulation(&mut self, leaf: NodeId) {
        self.path.push(leaf);
        let value = match self.tree.node(leaf).proven {
            Some(outcome) => Wdl::certain(outcome),
            None => self.tree.raw(leaf).expect("a node is evaluated or proven"),
        };
        self.tree.back_up(&self.path, value);
        self.simulations += 1;
    }
}
