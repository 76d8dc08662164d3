//! [`Proof`]: exact results, and how they travel up the tree (Winands et al. 2008, "Monte-Carlo
//! tree search solver", with draws and distances).

use games::{Outcome, Side};

use crate::Wdl;
use crate::tree::{Node, NodeId, Tree};

/// A result that no play of the other side can avoid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Proof {
    /// The result.
    pub outcome: Outcome,
    /// Steps to the end, as far as the tree has seen: the winner takes the shortest way it knows,
    /// the loser the longest.
    pub steps: u16,
}

impl Node {
    /// A state whose outcome is known without the network, `distance` steps from the end.
    pub(crate) fn over(outcome: Outcome, distance: u16, side: Side) -> Self {
        Self {
            win: 0.0,
            loss: 0.0,
            raw_win: 0.0,
            raw_loss: 0.0,
            first: 0,
            edges: 0,
            children: 0,
            visits: 0,
            waiting: 0,
            distance,
            proven: Some(outcome),
            side,
            evaluated: false,
            dropped: false,
        }
    }
}

impl Tree {
    /// Whether `side` has lost at `node` for certain.
    #[inline]
    pub(crate) fn is_lost(&self, node: NodeId, side: Side) -> bool {
        self.node(node).proven == Some(Outcome::Win(side.other()))
    }

    /// Proves the node if its children allow it: won if one step wins; drawn or lost if all steps
    /// are proven and none was left out.
    pub(crate) fn prove(&mut self, node: NodeId) {
        if let Some(Proof { outcome, steps }) = self.proof_from_children(node) {
            let node = self.node_mut(node);
            node.proven = Some(outcome);
            node.distance = steps.saturating_add(1);
        }
    }

    /// The best proof among the children, seen from the node's mover and counted from the child.
    fn proof_from_children(&self, node: NodeId) -> Option<Proof> {
        let Node { side, dropped, .. } = *self.node(node);
        let mut complete = !dropped;
        let mut shortest_win: Option<Proof> = None;
        let mut best: Option<Proof> = None;
        for edge in self.edges(node) {
            let Some(proof) = edge.child().and_then(|child| self.proof(child)) else {
                complete = false;
                continue;
            };
            if proof.outcome == Outcome::Win(side) {
                if shortest_win.is_none_or(|known| proof.steps < known.steps) {
                    shortest_win = Some(proof);
                }
            } else if best.is_none_or(|known| {
                let rank = |proof: Proof| (proof.outcome.score(side), proof.steps);
                rank(proof) > rank(known)
            }) {
                best = Some(proof);
            }
        }
        shortest_win.or(best.filter(|_| complete))
    }

    /// Adds one visit with `value`, White's, to `leaf` and to every node of `path`, from its last up
    /// to the root. Where a proof reaches a node, everything above sees its exact value instead.
    pub(crate) fn back_up(&mut self, path: &[NodeId], leaf: NodeId, mut value: Wdl) {
        let mut child_proven = false;
        for &node in [leaf].iter().chain(path.iter().rev()) {
            if child_proven && self.node(node).proven.is_none() {
                self.prove(node);
            }
            let node = self.node_mut(node);
            child_proven = node.proven.is_some();
            if let Some(outcome) = node.proven {
                value = Wdl::certain(outcome);
            }
            node.visits += 1;
            node.win += f64::from(value.win);
            node.loss += f64::from(value.loss);
        }
    }
}
