//! From an evaluation to a node: priors out of logits, the likeliest steps first.

use games::{Outcome, Side, State, Step};

use crate::flight::Flight;
use crate::tree::{Edge, Node, NodeId, ROOT, Tree};
use crate::{Answer, Wdl};

/// Most edges of a node below the root. The steps beyond keep their share of the prior as one mass
/// that selection sees but cannot visit.
pub(crate) const INNER_EDGES: usize = 256;

/// What trying a step one ply ahead has told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trial {
    /// It was not tried.
    Untried,
    /// The game goes on.
    Open,
    /// The game is decided.
    Over(Outcome),
}

/// Buffers to turn evaluations into nodes without allocating.
#[derive(Debug, Default)]
pub(crate) struct Expander {
    priors: Vec<f32>,
    /// Per step its prior's bits above the complement of its index: sorts by prior, then by order
    /// of generation.
    order: Vec<u64>,
    edges: Vec<Edge>,
    /// Evaluations that were not finite, or no probabilities.
    pub(crate) repaired: u64,
}

impl Expander {
    /// Sorts the steps by the prior their logits give, drops those after the first `most`, and
    /// returns the answer's value. `trials` may be shorter than `steps`.
    fn prepare(&mut self, steps: &[Step], answer: Option<Answer<'_>>, most: usize) -> Wdl {
        let mut value = Wdl::EVEN;
        self.priors.clear();
        match answer {
            Some(answer) => {
                self.priors.extend_from_slice(answer.logits);
                value = answer.value;
                let finite = answer.logits.iter().all(|logit| logit.is_finite());
                if !finite {
                    self.priors.fill(0.0);
                }
                if !value.is_sound() {
                    value = Wdl::EVEN;
                }
                self.repaired += u64::from(!finite || !answer.value.is_sound());
            }
            None => self.priors.resize(steps.len(), 0.0),
        }
        softmax(&mut self.priors);
        self.order.clear();
        self.order.extend(self.priors.iter().zip(0_u32..).map(|(prior, index)| {
            // The bits of floats that are not negative are in the order of the floats.
            u64::from(prior.to_bits()) << 32 | u64::from(!index)
        }));
        if self.order.len() > most {
            self.order.select_nth_unstable_by(most - 1, |a, b| b.cmp(a));
            self.order.truncate(most);
        }
        self.order.sort_unstable_by(|a, b| b.cmp(a));
        value
    }

    /// The steps in the order of the prepared edges, as indices into `steps`.
    fn index(key: u64) -> usize {
        !(key as u32) as usize
    }

    /// Adds a node with the steps of a state: behind edge `parent`, or as the root. Without an
    /// answer all steps are alike and the node counts as not evaluated. Tried steps that decide the
    /// game get their nodes at once. The node has no visit yet.
    pub(crate) fn add_node(
        &mut self,
        tree: &mut Tree,
        parent: Option<(NodeId, usize)>,
        side: Side,
        steps: &[Step],
        trials: &[Trial],
        answer: Option<Answer<'_>>,
    ) -> NodeId {
        let most = if parent.is_some() { INNER_EDGES } else { usize::MAX };
        let raw = self.prepare(steps, answer, most).seen_by(side);
        let node = Node {
            win: 0.0,
            loss: 0.0,
            raw_win: raw.win,
            raw_loss: raw.loss,
            first: tree.edges.len() as u32,
            edges: self.order.len() as u32,
            children: 0,
            visits: 0,
            waiting: 0,
            distance: 0,
            proven: None,
            side,
            evaluated: answer.is_some(),
            dropped: self.order.len() < steps.len(),
        };
        let id = match parent {
            Some((parent, index)) => tree.add_child(parent, index, node),
            None => {
                debug_assert!(tree.is_empty());
                tree.nodes.push(node);
                ROOT
            }
        };
        let trial = |index: usize| trials.get(index).copied().unwrap_or(Trial::Untried);
        tree.edges.extend(self.order.iter().map(|&key| {
            let index = Self::index(key);
            Edge::new(steps[index], self.priors[index], trial(index) == Trial::Open)
        }));
        for (edge, &key) in self.order.iter().enumerate() {
            if let Trial::Over(outcome) = trial(Self::index(key)) {
                tree.add_child(id, edge, Node::over(outcome, 0, side));
            }
        }
        id
    }

    /// Ends a simulation that has its answer: adds the node and backs its value up.
    pub(crate) fn expand<S: State>(
        &mut self,
        tree: &mut Tree,
        flight: &Flight<S>,
        answer: Answer<'_>,
    ) {
        let Flight { leaf, path, edge, .. } = flight;
        let parent = *path.last().expect("a path begins at the root");
        let side = leaf.state.side_to_move();
        let (steps, trials) = (&leaf.steps, &leaf.trials);
        let node = self.add_node(tree, Some((parent, *edge)), side, steps, trials, Some(answer));
        let value = tree.raw(node).expect("the network has evaluated it");
        tree.back_up(path, node, value);
    }

    /// Gives the root, which was expanded as an inner node, all its steps; what is below stays.
    pub(crate) fn widen_root(&mut self, tree: &mut Tree, steps: &[Step], answer: Answer<'_>) {
        let raw = self.prepare(steps, Some(answer), usize::MAX).seen_by(tree.node(ROOT).side);
        self.edges.clear();
        self.edges.extend(self.order.iter().map(|&key| {
            let index = Self::index(key);
            Edge::new(steps[index], self.priors[index], false)
        }));
        tree.replace_root_edges(&self.edges);
        let root = tree.node_mut(ROOT);
        root.raw_win = raw.win;
        root.raw_loss = raw.loss;
        root.dropped = false;
    }
}

/// Replaces finite logits by probabilities, none of which is 0: logarithms of priors stay finite.
fn softmax(logits: &mut [f32]) {
    let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for logit in &mut *logits {
        *logit = (*logit - highest).exp();
        sum += *logit;
    }
    for logit in logits {
        *logit = (*logit / sum).max(f32::MIN_POSITIVE);
    }
}

#[cfg(test)]
mod tests {
    use super::softmax;

    #[test]
    fn probabilities_sum_to_one_and_none_is_zero() {
        let mut logits = [1e30, 0.0, -1e30, f32::MAX, f32::MIN];
        softmax(&mut logits);
        assert!(logits.iter().all(|&prior| prior > 0.0));
        assert!((logits.iter().sum::<f32>() - 1.0).abs() < 1e-6);
    }
}
