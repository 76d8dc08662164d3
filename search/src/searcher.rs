//! [`Searcher`]: the search of one game.

use games::{State, Step};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::expansion::{Expander, Trial};
use crate::flight::Flights;
use crate::leaf::Leaf;
use crate::root::{Plan, step_visits};
use crate::selection::View;
use crate::tree::{Node, NodeId, ROOT, Tree};
use crate::{Algorithm, Answer, Branch, EvaluationCache, Query, SearchSettings, Wdl, gumbel, puct};

/// The search of one game: a tree, the states that wait for their evaluations, and a generator of
/// random numbers.
///
/// A search is [`start`](Self::start)ed, then [`gather`](Self::gather) and [`apply`](Self::apply)
/// take turns until `gather` says [`Gathered::Done`]; [`decision`](Self::decision) tells what came
/// of it and [`advance`](Self::advance) plays a step.
///
/// One state waits at a time, or up to [`SearchSettings::leaves`] of them. Then each counts as a
/// visit of the nodes above it while it waits, which turns the next simulations elsewhere and
/// changes no value; a new state waits once at most; and a phase of sequential halving ends when
/// all its answers are there. States that wait when a search ends leave no trace.
///
/// Visits: one simulation is one walk from the root and one visit of a root step; evaluating the
/// root is none. With `reuse`, visits of earlier searches stay in the tree and count: under Gumbel
/// each visit a candidate already has stands in for one of its turns, under PUCT without noise they
/// are taken off the budget, under PUCT with noise they are extra (noise has to have its say). So
/// `start(n)` for growing `n` on one root goes on with the same search.
///
/// Memory: one tree of at most [`SearchSettings::tree_bytes`] (a search ends early there), slid to
/// the front in place by `advance`; 4 bytes a node more while it does. A search reuses all its
/// buffers; only a decision makes a few lists, of one entry a legal step.
#[derive(Debug)]
pub struct Searcher<S> {
    pub(crate) settings: SearchSettings,
    root: S,
    pub(crate) rng: Xoshiro256PlusPlus,
    pub(crate) tree: Tree,
    pub(crate) plan: Plan,
    expander: Expander,
    flights: Flights<S>,
    view: View,
    /// The steps of the simulation under way.
    line: Vec<Step>,
    stage: Stage,
    pub(crate) ended: Ended,
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
    /// At least one state needs its evaluation: [`Searcher::query`], or [`Searcher::queries`] if
    /// several may wait, then [`Searcher::apply`].
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
    /// Simulations run, or wait for evaluations.
    Running,
    /// Over.
    Done,
}

/// Why a search is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It was not: no search has begun, or it was stopped.
    Stopped,
    /// Its simulations are spent.
    Spent,
    /// The result of the root is proven.
    Proven,
    /// The tree has reached [`SearchSettings::tree_bytes`].
    TreeFull,
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Stopped => "stopped",
            Self::Spent => "all simulations made",
            Self::Proven => "proven",
            Self::TreeFull => "the tree is full",
        })
    }
}

/// What a search that goes on has to do next.
enum Next {
    /// A simulation through this edge of the root.
    Edge(usize),
    /// Nothing before an answer has come.
    Wait,
    /// Nothing more.
    End(Ended),
}

/// What has become of a simulation.
enum Simulated {
    /// It has ended in a state that is decided.
    Ended,
    /// It waits for an evaluation.
    Waits,
    /// There is no way but to states that wait; it has not been.
    Blocked,
}

impl<S: State> Searcher<S> {
    /// The search of a game that stands at `root`. Equal seeds give equal searches.
    #[must_use]
    pub fn new(root: S, settings: SearchSettings, seed: u64) -> Self {
        Self {
            flights: Flights::new(settings.leaves, &root),
            root,
            settings,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            tree: Tree::default(),
            plan: Plan::default(),
            expander: Expander::default(),
            view: View::default(),
            line: Vec::new(),
            stage: Stage::Done,
            ended: Ended::Stopped,
            budget: 0,
            noise: false,
            simulations: 0,
            reused: 0,
        }
    }

    /// Turns to another game and drops the tree. The random numbers go on where they were.
    pub fn reset(&mut self, root: &S) {
        self.root.clone_from(root);
        self.flights.land_all(&mut self.tree);
        self.tree.clear();
        self.stage = Stage::Done;
        self.ended = Ended::Stopped;
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

    /// Why the last search is over.
    #[must_use]
    pub fn ended(&self) -> Ended {
        self.ended
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
        self.flights.land_all(&mut self.tree);
        self.stage = Stage::Started;
        self.ended = Ended::Stopped;
        self.budget = simulations;
        self.noise = noise;
        self.simulations = 0;
        self.reused = 0;
    }

    /// Runs simulations until as many states need their evaluations as may wait, or those that wait
    /// have to be answered first, or the search is over: the simulations are spent, the root is
    /// proven, or the tree is full. Called again without an answer in between, it says the same
    /// again.
    ///
    /// # Panics
    /// If the game is over at the root.
    pub fn gather(&mut self) -> Gathered {
        self.gather_states(None)
    }

    /// As [`Searcher::gather`], but goes on by itself where `cache` knows the answer. Whoever
    /// evaluates the states [puts](EvaluationCache::put) the answers there. Answers of one
    /// deterministic network only: then a search in which one state waits at a time is the same
    /// with the cache and without.
    ///
    /// # Panics
    /// If the game is over at the root.
    pub fn gather_known(&mut self, cache: &mut EvaluationCache) -> Gathered {
        self.gather_states(Some(cache))
    }

    fn gather_states(&mut self, mut cache: Option<&mut EvaluationCache>) -> Gathered {
        if self.stage == Stage::Started {
            self.prepare_root();
        }
        if self.stage == Stage::RootWaits
            && let Some(cache) = &mut cache
            && let Some(answer) = cache.get(&self.flights.current().leaf.query())
        {
            self.expand_root(answer);
        }
        while self.stage == Stage::Running && self.flights.has_room() {
            match self.next_simulation() {
                Next::Edge(edge) => match self.simulate(edge) {
                    Simulated::Ended => {}
                    Simulated::Waits => {
                        let newest = &self.flights.get(self.flights.waiting() - 1).leaf;
                        if let Some(cache) = &mut cache
                            && let Some(answer) = cache.get(&newest.query())
                        {
                            let flight = self.flights.land_newest(&mut self.tree);
                            self.simulations += 1;
                            self.expander.expand(&mut self.tree, flight, answer);
                        }
                    }
                    Simulated::Blocked => {
                        self.plan.take_back(&self.settings.algorithm);
                        break;
                    }
                },
                Next::Wait => break,
                Next::End(ended) => {
                    self.flights.land_all(&mut self.tree);
                    self.ended = ended;
                    self.stage = Stage::Done;
                }
            }
        }
        if self.stage == Stage::Done { Gathered::Done } else { Gathered::Leaf }
    }

    /// What a search that goes on has to do next.
    fn next_simulation(&mut self) -> Next {
        if self.tree.node(ROOT).proven.is_some() {
            // What waits is not needed any more.
            return Next::End(Ended::Proven);
        }
        let waiting = self.flights.waiting() > 0;
        let full = self.tree.bytes() >= self.settings.tree_bytes;
        let Self { plan, settings, tree, view, .. } = self;
        let edge = if full { None } else { plan.next(&settings.algorithm, tree, view, waiting) };
        match edge {
            Some(edge) => Next::Edge(edge),
            None if waiting => Next::Wait,
            None => Next::End(if full { Ended::TreeFull } else { Ended::Spent }),
        }
    }

    /// The state that needs its evaluation; the one that has waited longest.
    ///
    /// # Panics
    /// If [`Searcher::gather`] did not say [`Gathered::Leaf`].
    #[must_use]
    pub fn query(&self) -> Query<'_, S> {
        self.queries().next().expect("no state needs an evaluation")
    }

    /// All states that need their evaluations, in the order in which they are to be answered.
    pub fn queries(&self) -> impl ExactSizeIterator<Item = Query<'_, S>> {
        let root = self.stage == Stage::RootWaits;
        let many = if root { 1 } else { self.flights.waiting() };
        (0..many).map(move |index| {
            let flight = if root { self.flights.current() } else { self.flights.get(index) };
            flight.leaf.query()
        })
    }

    /// Takes the evaluation of [`Searcher::query`]'s state; then the next one has its turn. An
    /// answer that is not finite is repaired and counted ([`Searcher::repaired`]).
    ///
    /// # Panics
    /// If no state waits, or the answer does not have one logit a step.
    pub fn apply(&mut self, answer: Answer<'_>) {
        let steps = self.query().steps.len();
        assert_eq!(answer.logits.len(), steps, "an answer has one logit a step");
        if self.stage == Stage::RootWaits {
            return self.expand_root(answer);
        }
        let flight = self.flights.land_oldest(&mut self.tree);
        self.simulations += 1;
        self.expander.expand(&mut self.tree, flight, answer);
    }

    /// Takes the evaluation of the root, where the leaf stands.
    fn expand_root(&mut self, answer: Answer<'_>) {
        let Self { tree, expander, flights, .. } = self;
        let Leaf { state, steps, trials, .. } = &flights.current().leaf;
        if tree.is_empty() {
            let side = state.side_to_move();
            expander.add_node(tree, None, side, steps, trials, Some(answer));
            self.first_visit_of_root();
        } else {
            expander.widen_root(tree, steps, answer);
            self.try_root_edges();
        }
        self.run();
    }

    /// Plays `step` at the root. With `reuse` the tree below it stays.
    pub fn advance(&mut self, step: Step) {
        self.root.play(step);
        self.flights.land_all(&mut self.tree);
        self.stage = Stage::Done;
        self.ended = Ended::Stopped;
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

    /// Gets the root ready for simulations, or finds that it needs the network, or none of it.
    fn prepare_root(&mut self) {
        let leaf = &mut self.flights.current_mut().leaf;
        let over = leaf.reach(&self.root, &[]);
        assert!(over.is_none(), "a finished game was searched");
        if !self.tree.is_empty() {
            if self.tree.proof(ROOT).is_some_and(|proof| proof.steps == 0) {
                self.stage = Stage::Done;
                self.ended = Ended::Proven;
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
        let side = leaf.state.side_to_move();
        let foregone = leaf.state.foregone();
        if foregone.is_none() && leaf.look_ahead(self.settings.look_ahead, false).is_none() {
            self.stage = Stage::RootWaits;
            return;
        }
        let Leaf { steps, trials, .. } = &*leaf;
        self.expander.add_node(&mut self.tree, None, side, steps, trials, None);
        match foregone {
            Some(_) => self.tree.node_mut(ROOT).proven = foregone,
            None => self.tree.prove(ROOT),
        }
        self.first_visit_of_root();
        self.stage = Stage::Done;
        self.ended = Ended::Proven;
    }

    /// The root's own evaluation is its first visit.
    fn first_visit_of_root(&mut self) {
        let value = self.tree.raw(ROOT).unwrap_or(Wdl::EVEN);
        self.tree.back_up(&[], ROOT, value);
    }

    /// Tries the first root edges that have not been tried yet, and sees what that proves. The leaf
    /// stands at the root.
    fn try_root_edges(&mut self) {
        let side = self.tree.node(ROOT).side;
        let leaf = &mut self.flights.current_mut().leaf;
        for edge in 0..self.tree.edges(ROOT).len().min(self.settings.look_ahead) {
            if !self.tree.edge(ROOT, edge).is_untried() {
                continue;
            }
            if let Trial::Over(outcome) = leaf.trial(self.tree.edge(ROOT, edge).step) {
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
    fn simulate(&mut self, edge: usize) -> Simulated {
        self.line.clear();
        let path = &mut self.flights.current_mut().path;
        path.clear();
        let (mut node, mut index) = (ROOT, edge);
        loop {
            path.push(node);
            let edge = self.tree.edge(node, index);
            self.line.push(edge.step);
            let Some(child) = edge.child() else {
                if edge.is_awaited() {
                    return Simulated::Blocked;
                }
                return self.meet_leaf(node, index, edge.is_open());
            };
            if self.tree.node(child).proven.is_some() {
                self.end_simulation(child);
                return Simulated::Ended;
            }
            node = child;
            match select_inner(&self.settings.algorithm, &self.tree, &mut self.view, node) {
                Some(edge) => index = edge,
                None => return Simulated::Blocked,
            }
        }
    }

    /// Reaches a new state: ends the simulation if the state is decided, else asks for its
    /// evaluation. `goes_on`: a trial has already shown that the game is not over there.
    fn meet_leaf(&mut self, node: NodeId, edge: usize, goes_on: bool) -> Simulated {
        let flight = self.flights.current_mut();
        flight.edge = edge;
        let leaf = &mut flight.leaf;
        let over = leaf.reach(&self.root, &self.line);
        let over = over.or_else(|| if goes_on { None } else { leaf.state.foregone() });
        let (outcome, distance) = match over {
            Some(outcome) => (outcome, 0),
            None => match leaf.look_ahead(self.settings.inner_look_ahead, true) {
                Some(outcome) => (outcome, 1),
                None => {
                    self.flights.take_off(&mut self.tree, &self.root);
                    return Simulated::Waits;
                }
            },
        };
        let side = leaf.state.side_to_move();
        let child = self.tree.add_child(node, edge, Node::over(outcome, distance, side));
        self.end_simulation(child);
        Simulated::Ended
    }

    /// Backs the proven value of `leaf` up the path of the simulation under way.
    fn end_simulation(&mut self, leaf: NodeId) {
        let outcome = self.tree.node(leaf).proven.expect("only what is proven ends a simulation");
        self.tree.back_up(&self.flights.current().path, leaf, Wdl::certain(outcome));
        self.simulations += 1;
    }
}

/// The edge to follow below the root; none if simulations wait behind all that could be followed.
fn select_inner(
    algorithm: &Algorithm,
    tree: &Tree,
    view: &mut View,
    node: NodeId,
) -> Option<usize> {
    let untried = view.of_inner(tree, node);
    let arms = &view.arms;
    let side = tree.node(node).side;
    let pick = match algorithm {
        Algorithm::Gumbel(settings) => {
            let raw = tree.raw(node).unwrap_or(Wdl::EVEN).seen_by(side).score();
            gumbel::select_inner(settings, raw, arms, untried)
        }
        Algorithm::Puct(settings) => {
            let value = tree.value(node).seen_by(side).score();
            puct::select(settings, value, settings.fpu_reduction, arms, untried)
        }
    };
    match pick {
        Some(pick) => Some(view.edge(pick)),
        None if tree.edges(node).iter().any(|edge| edge.is_awaited()) => None,
        // All edges lose and the node is not proven, because some were left out: the simulation
        // ends behind the likeliest, as bad as it is.
        None => Some(0),
    }
}
