//! Principal lines: what the search expects both sides to play.

use games::{Side, State, Step};

use crate::tree::{Edge, NodeId, ROOT, Tree};
use crate::{Candidate, Decision, Searcher, Wdl};

/// One of the steps of the root and what the search expects after it.
#[derive(Debug, Clone, PartialEq)]
pub struct Variation {
    /// The step and what the search found about it.
    pub candidate: Candidate,
    /// The expected result, seen by the root's mover: exact if proven, the mean of the visits, or
    /// without visits [`Decision::value`].
    pub value: Wdl,
    /// The step and the line after it, as far as the tree goes.
    pub steps: Vec<Step>,
}

impl<S: State> Searcher<S> {
    /// The step of the [decision](Searcher::decision) and, from there on, at each node a proven win
    /// (the shortest), else the most visited step that is not lost, else the loss that takes
    /// longest. Ends where the tree does; for analysis, not for speed.
    ///
    /// # Panics
    /// Before the root is evaluated.
    #[must_use]
    pub fn principal_line(&self) -> Vec<Step> {
        self.line_from(self.decision().step)
    }

    /// At most so many steps of the root with the lines after them, the best first: the step of
    /// `decision`, which is this searcher's, then in the order in which a
    /// [line](Self::principal_line) would choose them, the likelier ones before others.
    #[must_use]
    pub fn variations(&self, decision: &Decision, most: usize) -> Vec<Variation> {
        let side = self.tree.node(ROOT).side;
        let mut edges: Vec<Edge> = self.tree.edges(ROOT).to_vec();
        edges.sort_unstable_by_key(|edge| edge.step);
        let children = edges.iter().map(|edge| edge.child());
        let mut ranked: Vec<_> = decision
            .candidates
            .iter()
            .zip(children)
            .map(|(candidate, child)| {
                let rank = child.map_or((0, 0), |child| rank(&self.tree, child, side));
                ((candidate.step == decision.step, rank), candidate, child)
            })
            .collect();
        ranked.sort_by(|(a, first, _), (b, second, _)| {
            b.cmp(a).then(second.prior.total_cmp(&first.prior))
        });
        let variation = |(_, &candidate, child): (_, &Candidate, Option<NodeId>)| Variation {
            candidate,
            value: child.map_or(decision.value, |child| self.tree.value(child).seen_by(side)),
            steps: self.line_from(candidate.step),
        };
        ranked.into_iter().take(most).map(variation).collect()
    }

    /// `first`, a step of the root, and the line after it.
    fn line_from(&self, first: Step) -> Vec<Step> {
        let mut line = vec![first];
        let mut next = self
            .tree
            .edges(ROOT)
            .iter()
            .find(|edge| edge.step == first)
            .and_then(|edge| edge.child());
        while let Some(node) = next {
            let side = self.tree.node(node).side;
            let children = self.tree.edges(node).iter().filter_map(|edge| {
                let child = edge.child()?;
                Some((edge.step, child, rank(&self.tree, child, side)))
            });
            // Of equal ones the last of `max_by_key`: reversed, the likeliest.
            let best = children.rev().max_by_key(|&(_, _, rank)| rank);
            line.extend(best.map(|(step, ..)| step));
            next = best.map(|(_, child, _)| child);
        }
        line
    }
}

/// Orders steps by what `side`, who plays them, would rather play.
fn rank(tree: &Tree, child: NodeId, side: Side) -> (i8, i64) {
    match tree.proof(child).map(|proof| (proof.outcome.score(side), i64::from(proof.steps))) {
        Some((1, steps)) => (1, -steps),
        Some((-1, steps)) => (-1, steps),
        _ => (0, tree.node(child).visits.into()),
    }
}
