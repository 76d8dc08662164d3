//! What the selection rules see of a node: [`Arm`]s and [`Untried`].

use crate::tree::{NodeId, Tree};

/// A step with a known value: visited, or proven.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Arm {
    /// The prior probability.
    pub(crate) prior: f32,
    /// Visits of the step, with those of simulations that wait for an evaluation behind it.
    pub(crate) visits: u32,
    /// The expected score for the mover, -1 to 1.
    pub(crate) q: f32,
}

/// The steps of which nothing is known but their priors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Untried {
    /// The highest of their priors; none if there is no step to try.
    pub(crate) best: Option<f32>,
    /// The sum of their priors, those of edges that were left out included.
    pub(crate) mass: f32,
}

/// What a rule selects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pick {
    /// The arm with this index.
    Arm(usize),
    /// The untried step with the highest prior.
    Untried,
}

/// A node as the rules see it; buffers reused from node to node. Steps that are proven to lose are
/// left out, and those behind which a simulation waits for the evaluation of a new state.
#[derive(Debug, Default)]
pub(crate) struct View {
    pub(crate) arms: Vec<Arm>,
    /// Per arm the index of its edge.
    edges: Vec<u32>,
    /// The edge of [`Untried::best`].
    untried_edge: usize,
}

impl View {
    /// Looks at a node below the root.
    pub(crate) fn of_inner(&mut self, tree: &Tree, node: NodeId) -> Untried {
        // Edges are in the order of their priors: the first untried one is the best, and nothing
        // more is to be seen once it and all children are found.
        self.collect(tree, node, |edge| tree.edge(node, edge).prior, true)
    }

    /// Looks at a node under other priors than its own, one an edge.
    pub(crate) fn under_priors(&mut self, tree: &Tree, node: NodeId, priors: &[f32]) -> Untried {
        self.collect(tree, node, |edge| priors[edge], false)
    }

    #[inline]
    fn collect(
        &mut self,
        tree: &Tree,
        node: NodeId,
        prior: impl Fn(usize) -> f32,
        sorted: bool,
    ) -> Untried {
        self.arms.clear();
        self.edges.clear();
        let side = tree.node(node).side;
        let mut unseen = tree.node(node).children;
        let mut best: Option<f32> = None;
        let mut mass = 1.0;
        for (index, edge) in tree.edges(node).iter().enumerate() {
            if sorted && unseen == 0 && best.is_some() {
                break;
            }
            let prior = prior(index);
            let Some(child) = edge.child() else {
                if edge.is_awaited() {
                    continue;
                }
                if best.is_none_or(|best| prior > best) {
                    best = Some(prior);
                    self.untried_edge = index;
                }
                continue;
            };
            unseen -= 1;
            mass -= prior;
            if !tree.is_lost(child, side) {
                let q = tree.value(child).seen_by(side).score();
                let node = tree.node(child);
                self.arms.push(Arm { prior, visits: node.visits + u32::from(node.waiting), q });
                self.edges.push(index as u32);
            }
        }
        // The difference of numbers near 1 can come out below the prior that is surely in it.
        Untried { best, mass: mass.max(best.unwrap_or(0.0)) }
    }

    /// The edge that was picked.
    pub(crate) fn edge(&self, pick: Pick) -> usize {
        match pick {
            Pick::Arm(arm) => self.edges[arm] as usize,
            Pick::Untried => self.untried_edge,
        }
    }
}

/// The index of the greatest value; of several, the first. 0 for none.
pub(crate) fn argmax(values: impl IntoIterator<Item = f32>) -> usize {
    let mut best = (0, f32::NEG_INFINITY);
    for (index, value) in values.into_iter().enumerate() {
        if value > best.1 {
            best = (index, value);
        }
    }
    best.0
}
