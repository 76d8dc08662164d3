//! [`Tree`]: nodes and edges in two flat lists.

use games::{Outcome, Side, Step};

use crate::{Proof, Wdl};

/// The index of a node.
pub(crate) type NodeId = u32;

/// The root is always the first node.
pub(crate) const ROOT: NodeId = 0;

/// One legal step of a node: 12 bytes, next to those of its siblings, the likeliest first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) step: Step,
    /// The network's probability among all legal steps of the node; never 0.
    pub(crate) prior: f32,
    child: u32,
}

/// No node behind the edge, and nothing known.
const UNTRIED: u32 = u32::MAX;
/// No node behind the edge, but the game is known not to be over there.
const OPEN: u32 = u32::MAX - 1;
/// No node behind the edge, but a simulation that waits for its evaluation.
const AWAITED: u32 = u32::MAX - 2;

impl Edge {
    pub(crate) fn new(step: Step, prior: f32, open: bool) -> Self {
        Self { step, prior, child: if open { OPEN } else { UNTRIED } }
    }

    /// The node behind the edge.
    #[inline]
    pub(crate) fn child(self) -> Option<NodeId> {
        (self.child < AWAITED).then_some(self.child)
    }

    /// Whether the step has not been tried at all.
    #[inline]
    pub(crate) fn is_untried(self) -> bool {
        self.child == UNTRIED
    }

    /// Whether a simulation waits for the evaluation of what is behind the edge.
    #[inline]
    pub(crate) fn is_awaited(self) -> bool {
        self.child == AWAITED
    }

    /// Whether the step was tried and does not end the game.
    #[inline]
    pub(crate) fn is_open(self) -> bool {
        self.child == OPEN
    }
}

/// One state. All values are White's: nothing changes sign on the way up the tree, and whoever
/// reads a value says for which side ([`Wdl::seen_by`]).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    /// The sums of the results of all visits; what is missing to `visits` are draws.
    pub(crate) win: f64,
    pub(crate) loss: f64,
    /// The network's own value.
    pub(crate) raw_win: f32,
    pub(crate) raw_loss: f32,
    /// Where the edges start; there are none in a node that was found to be over or won without
    /// the network.
    pub(crate) first: u32,
    pub(crate) edges: u32,
    /// How many edges have a node behind them: lets a scan of the edges stop early.
    pub(crate) children: u32,
    /// The evaluation of the node itself and all visits of its edges. A node that is only known
    /// from looking ahead has none.
    pub(crate) visits: u32,
    /// Simulations that wait for an evaluation below the node: virtual visits. None while only one
    /// may wait.
    pub(crate) waiting: u16,
    /// Steps to the proven end.
    pub(crate) distance: u16,
    pub(crate) proven: Option<Outcome>,
    pub(crate) side: Side,
    /// Whether the network has evaluated the node.
    pub(crate) evaluated: bool,
    /// Whether unlikely edges were left out.
    pub(crate) dropped: bool,
}

// One cache line holds five edges; a node is read at every visit of its parent.
const _: () = assert!(size_of::<Edge>() == 12 && size_of::<Node>() == 48);

/// A search tree. Children have higher indices than their parents, and the edges of a node come
/// before those of every later node: so [`Tree::keep`] can slide what stays to the front in place.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge>,
    /// Scratch of [`Tree::keep`]: the new index of each node.
    forward: Vec<u32>,
}

impl Tree {
    /// Drops everything and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>() + self.edges.len() * size_of::<Edge>()
    }

    #[inline]
    pub(crate) fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node as usize]
    }

    #[inline]
    pub(crate) fn node_mut(&mut self, node: NodeId) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    /// The edges of a node, the likeliest first.
    #[inline]
    pub(crate) fn edges(&self, node: NodeId) -> &[Edge] {
        let Node { first, edges, .. } = *self.node(node);
        &self.edges[first as usize..][..edges as usize]
    }

    /// Edge `index` of a node.
    #[inline]
    pub(crate) fn edge(&self, node: NodeId, index: usize) -> Edge {
        self.edges(node)[index]
    }

    /// Notes that the game goes on behind an edge.
    pub(crate) fn mark_open(&mut self, node: NodeId, index: usize) {
        let first = self.node(node).first as usize;
        self.edges[first + index].child = OPEN;
    }

    /// Notes that a simulation waits behind `edge` of the last node of `path`, which it came.
    /// Returns whether the edge was known not to end the game.
    pub(crate) fn await_child(&mut self, path: &[NodeId], edge: usize) -> bool {
        let node = *path.last().expect("a path begins at the root");
        let edge = self.node(node).first as usize + edge;
        let open = self.edges[edge].is_open();
        self.edges[edge].child = AWAITED;
        for &node in path {
            self.node_mut(node).waiting += 1;
        }
        open
    }

    /// Takes the note away again.
    pub(crate) fn stop_awaiting(&mut self, path: &[NodeId], edge: usize, open: bool) {
        let node = *path.last().expect("a path begins at the root");
        let edge = self.node(node).first as usize + edge;
        self.edges[edge].child = if open { OPEN } else { UNTRIED };
        for &node in path {
            self.node_mut(node).waiting -= 1;
        }
    }

    /// Adds a node behind an edge.
    pub(crate) fn add_child(&mut self, node: NodeId, index: usize, child: Node) -> NodeId {
        let id = self.nodes.len() as u32;
        debug_assert!(id < AWAITED && node < id);
        self.nodes.push(child);
        let parent = self.node_mut(node);
        parent.children += 1;
        let edge = parent.first as usize + index;
        debug_assert!(self.edges[edge].child().is_none());
        self.edges[edge].child = id;
        id
    }

    /// The value of a node for White: exact if proven, else the mean of its visits. A node without
    /// visits is always proven.
    #[inline]
    pub(crate) fn value(&self, node: NodeId) -> Wdl {
        let node = self.node(node);
        if let Some(outcome) = node.proven {
            return Wdl::certain(outcome);
        }
        let visits = f64::from(node.visits);
        let (win, loss) = (node.win / visits, node.loss / visits);
        Wdl { win: win as f32, draw: (1.0 - win - loss).max(0.0) as f32, loss: loss as f32 }
    }

    /// The network's value of a node for White, if it has seen it.
    pub(crate) fn raw(&self, node: NodeId) -> Option<Wdl> {
        let node = self.node(node);
        node.evaluated.then(|| Wdl {
            win: node.raw_win,
            draw: (1.0 - node.raw_win - node.raw_loss).max(0.0),
            loss: node.raw_loss,
        })
    }

    /// What is proven of a node.
    pub(crate) fn proof(&self, node: NodeId) -> Option<Proof> {
        let node = self.node(node);
        node.proven.map(|outcome| Proof { outcome, steps: node.distance })
    }

    /// Makes the node the root and drops everything that is not below it.
    pub(crate) fn keep(&mut self, root: NodeId) {
        const GONE: u32 = u32::MAX;
        const STAYS: u32 = u32::MAX - 1;
        self.forward.clear();
        self.forward.resize(self.nodes.len(), GONE);
        self.forward[root as usize] = STAYS;
        // Children come after their parents, so one pass marks them all and numbers what stays.
        let mut count = 0;
        for old in root..self.nodes.len() as u32 {
            if self.forward[old as usize] == GONE {
                continue;
            }
            self.forward[old as usize] = count;
            count += 1;
            let Node { first, edges, .. } = *self.node(old);
            for edge in &self.edges[first as usize..][..edges as usize] {
                if let Some(child) = edge.child() {
                    self.forward[child as usize] = STAYS;
                }
            }
        }
        let mut edge_count = 0;
        for old in root as usize..self.nodes.len() {
            let new = self.forward[old];
            if new == GONE {
                continue;
            }
            let mut node = self.nodes[old];
            let from = node.first as usize;
            node.first = edge_count as u32;
            for index in from..from + node.edges as usize {
                let mut edge = self.edges[index];
                if let Some(child) = edge.child() {
                    edge.child = self.forward[child as usize];
                }
                self.edges[edge_count] = edge;
                edge_count += 1;
            }
            self.nodes[new as usize] = node;
        }
        self.nodes.truncate(count as usize);
        self.edges.truncate(edge_count);
    }

    /// Replaces the edges of the root by `edges`, which may be more, and links the children it has.
    pub(crate) fn replace_root_edges(&mut self, edges: &[Edge]) {
        let old = self.edges(ROOT).to_vec();
        let shift = edges.len() as u32 - old.len() as u32;
        self.edges.splice(..old.len(), edges.iter().copied());
        for node in &mut self.nodes[1..] {
            node.first += shift;
        }
        self.node_mut(ROOT).edges = edges.len() as u32;
        for known in old.iter().filter(|edge| !edge.is_untried()) {
            let edge = self.edges.iter_mut().find(|edge| edge.step == known.step);
            edge.expect("all legal steps are there").child = known.child;
        }
    }

    /// Every node and the step that leads to it, parents first, siblings by prior.
    pub(crate) fn branches(&self) -> Vec<Branch> {
        let mut branches = Vec::new();
        if !self.is_empty() {
            self.add_branches(ROOT, 0, None, &mut branches);
        }
        branches
    }

    fn add_branches(&self, node: NodeId, depth: usize, edge: Option<Edge>, into: &mut Vec<Branch>) {
        into.push(Branch {
            depth,
            step: edge.map(|edge| edge.step),
            prior: edge.map_or(1.0, |edge| edge.prior),
            visits: self.node(node).visits,
            value: self.value(node),
            proven: self.proof(node),
        });
        for &edge in self.edges(node) {
            if let Some(child) = edge.child() {
                self.add_branches(child, depth + 1, Some(edge), into);
            }
        }
    }
}

/// One node of a search tree, for people and tests.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Branch {
    /// Steps from the root.
    pub depth: usize,
    /// The step that leads here; none at the root.
    pub step: Option<Step>,
    /// The network's probability of that step; 1 at the root.
    pub prior: f32,
    /// Visits, the evaluation of the node itself included.
    pub visits: u32,
    /// The mean of the visits, or the proven result, from White's side.
    pub value: Wdl,
    /// What is proven.
    pub proven: Option<Proof>,
}
