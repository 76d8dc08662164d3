//! The principal line: what the search expects both sides to play.

use games::{Side, State, Step};

use crate::Searcher;
use crate::tree::{NodeId, ROOT, Tree};

impl<S: State> Searcher<S> {
    /// The step of the [decision](Searcher::decision) and, from there on, at each node a proven win
    /// (the shortest), else the most visited step that is not lost, else the loss that takes
    /// longest. Ends where the tree does; for analysis, not for speed.
    ///
    /// # Panics
    /// Before the root is evaluated.
    #[must_use]
    pub fn principal_line(&self) -> Vec<Step> {
        let mut line = vec![self.decision().step];
        let edges = self.tree.edges(ROOT).iter();
        let mut next =
            edges.clone().find(|edge| edge.step == line[0]).and_then(|edge| edge.child());
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
