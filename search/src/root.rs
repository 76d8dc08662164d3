//! What the root needs beyond a node: its plan for a search, and the q of all its steps.

use rand::Rng;

use crate::halving::Halving;
use crate::selection::{Arm, Pick, View};
use crate::tree::{ROOT, Tree};
use crate::{Algorithm, GumbelSettings, PuctSettings, Wdl, gumbel, noise, puct};

/// Which root step comes next, under either algorithm. Buffers are kept from search to search.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    halving: Halving,
    /// PUCT: the root priors with temperature and noise, one an edge.
    pub(crate) priors: Vec<f32>,
    /// Scratch: one Dirichlet draw.
    draw: Vec<f32>,
    /// PUCT: simulations left.
    left: u32,
    /// Whether this search has noise.
    pub(crate) noise: bool,
}

impl Plan {
    /// Begins a search of the expanded root.
    pub(crate) fn start(
        &mut self,
        algorithm: &Algorithm,
        tree: &Tree,
        simulations: u32,
        noise: bool,
        rng: &mut impl Rng,
    ) {
        self.noise = noise;
        match algorithm {
            Algorithm::Gumbel(settings) => {
                self.halving.start(settings, tree, simulations, noise.then_some(rng));
            }
            Algorithm::Puct(settings) => {
                self.priors.clear();
                self.priors.extend(tree.edges(ROOT).iter().map(|edge| edge.prior));
                if noise {
                    self.add_noise(settings, rng);
                    self.left = simulations;
                } else {
                    self.left = simulations.saturating_sub(step_visits(tree));
                }
            }
        }
    }

    fn add_noise(&mut self, settings: &PuctSettings, rng: &mut impl Rng) {
        let alpha = f64::from(settings.noise_total) / self.priors.len() as f64;
        self.draw.resize(self.priors.len(), 0.0);
        noise::dirichlet(rng, alpha, &mut self.draw);
        let PuctSettings { root_temperature, noise_share, .. } = *settings;
        puct::shape_root_priors(&mut self.priors, root_temperature, noise_share, &self.draw);
    }

    /// The root edge to visit. None at the end of the search or, while simulations are `waiting`
    /// for their evaluations, until one of these has come.
    pub(crate) fn next(
        &mut self,
        algorithm: &Algorithm,
        tree: &Tree,
        view: &mut View,
        waiting: bool,
    ) -> Option<usize> {
        match algorithm {
            Algorithm::Gumbel(settings) => self.halving.next(settings, tree, waiting),
            Algorithm::Puct(settings) => {
                let left = self.left.checked_sub(1)?;
                let untried = view.under_priors(tree, ROOT, &self.priors);
                let forced = if self.noise {
                    puct::forced_playout(settings.forced_playouts, &view.arms)
                } else {
                    None
                };
                let value = tree.value(ROOT).seen_by(tree.node(ROOT).side).score();
                let reduction = settings.root_fpu_reduction;
                let pick = forced
                    .map(Pick::Arm)
                    .or_else(|| puct::select(settings, value, reduction, &view.arms, untried))?;
                self.left = left;
                Some(view.edge(pick))
            }
        }
    }

    /// Takes back the visit that [`Plan::next`] has just given.
    pub(crate) fn take_back(&mut self, algorithm: &Algorithm) {
        match algorithm {
            Algorithm::Gumbel(_) => self.halving.take_back(),
            Algorithm::Puct(_) => self.left += 1,
        }
    }

    /// The edge to play by the Gumbel algorithm.
    pub(crate) fn best_candidate(&self, settings: &GumbelSettings, tree: &Tree) -> usize {
        self.halving.best(settings, tree)
    }
}

/// The q of every root step, with the mixed value where nothing is known.
#[derive(Debug, Default)]
pub(crate) struct CompletedQ {
    /// Per edge, for the root's mover, -1 to 1; none if the step is proven to lose.
    pub(crate) q: Vec<Option<f32>>,
    /// The mixed value, for the root's mover.
    pub(crate) mixed: Wdl,
    /// Visits of the most visited step.
    pub(crate) most_visits: u32,
}

/// Looks at all steps of the root, which must have been evaluated.
pub(crate) fn completed_q(tree: &Tree) -> CompletedQ {
    let mut completed = CompletedQ::default();
    completed.look(tree);
    completed
}

impl CompletedQ {
    /// Replaces everything by what the tree says now.
    pub(crate) fn look(&mut self, tree: &Tree) {
        let side = tree.node(ROOT).side;
        let known = || {
            let children = tree.edges(ROOT).iter().filter_map(|edge| Some((edge, edge.child()?)));
            children.filter(|&(_, child)| !tree.is_lost(child, side))
        };
        let arms = |part: fn(Wdl) -> f32| {
            known().map(move |(edge, child)| Arm {
                prior: edge.prior,
                visits: tree.node(child).visits,
                q: part(tree.value(child).seen_by(side)),
            })
        };
        let raw = tree.raw(ROOT).unwrap_or(Wdl::EVEN).seen_by(side);
        let win = gumbel::mixed_value(raw.win, arms(|value| value.win));
        let loss = gumbel::mixed_value(raw.loss, arms(|value| value.loss));
        let mixed = Wdl { win, draw: (1.0 - win - loss).max(0.0), loss };
        let q = tree.edges(ROOT).iter().map(|edge| match edge.child() {
            Some(child) if tree.is_lost(child, side) => None,
            Some(child) => Some(tree.value(child).seen_by(side).score()),
            None => Some(mixed.score()),
        });
        self.q.clear();
        self.q.extend(q);
        self.mixed = mixed;
        self.most_visits = known().map(|(_, child)| tree.node(child).visits).max().unwrap_or(0);
    }
}

/// Visits of all steps of the root together.
pub(crate) fn step_visits(tree: &Tree) -> u32 {
    let children = tree.edges(ROOT).iter().filter_map(|edge| edge.child());
    children.map(|child| tree.node(child).visits).sum()
}
