//! [`Flights`]: simulations that have reached a new state and wait for its evaluation.

use games::State;

use crate::leaf::Leaf;
use crate::tree::{NodeId, Tree};

/// One simulation: where it has come, and the way there.
#[derive(Debug)]
pub(crate) struct Flight<S> {
    pub(crate) leaf: Leaf<S>,
    /// The nodes from the root to the one whose edge leads to the leaf.
    pub(crate) path: Vec<NodeId>,
    /// That edge.
    pub(crate) edge: usize,
    /// Whether the edge was known not to end the game.
    open: bool,
}

/// The simulations of one search that wait, the oldest first, and the one under way.
///
/// While several may wait, each counts as a visit in the selection of the others, at every node of
/// its path (a virtual visit, which changes no value), and no other goes to its leaf. Both end when
/// it lands.
#[derive(Debug)]
pub(crate) struct Flights<S> {
    /// A ring: those that wait, the one under way, free ones. Buffers are used again and again.
    ring: Vec<Flight<S>>,
    /// The place of the oldest.
    first: usize,
    /// How many wait.
    waiting: usize,
    /// How many may.
    most: usize,
}

impl<S: State> Flights<S> {
    pub(crate) fn new(most: usize, root: &S) -> Self {
        Self { ring: vec![Flight::new(root)], first: 0, waiting: 0, most: most.max(1) }
    }

    /// How many simulations wait.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting
    }

    /// Whether another one may.
    pub(crate) fn has_room(&self) -> bool {
        self.waiting < self.most
    }

    /// The waiting simulation of this number, the oldest first.
    pub(crate) fn get(&self, index: usize) -> &Flight<S> {
        debug_assert!(index < self.waiting);
        &self.ring[self.place(index)]
    }

    /// The simulation under way.
    pub(crate) fn current(&self) -> &Flight<S> {
        &self.ring[self.place(self.waiting)]
    }

    /// The simulation under way. There has to be [room](Self::has_room) for it.
    pub(crate) fn current_mut(&mut self) -> &mut Flight<S> {
        let place = self.place(self.waiting);
        &mut self.ring[place]
    }

    /// Lets the simulation under way wait.
    pub(crate) fn take_off(&mut self, tree: &mut Tree, root: &S) {
        if self.most > 1 {
            let Flight { path, edge, open, .. } = self.current_mut();
            *open = tree.await_child(path, *edge);
        }
        self.waiting += 1;
        if self.waiting == self.ring.len() && self.has_room() {
            // The new place is the last one, so the oldest has to be the first.
            self.ring.rotate_left(self.first);
            self.first = 0;
            self.ring.push(Flight::new(root));
        }
    }

    /// Ends the waiting of the oldest.
    pub(crate) fn land_oldest(&mut self, tree: &mut Tree) -> &Flight<S> {
        let place = self.first;
        self.first = self.place(1);
        self.land(place, tree)
    }

    /// Ends the waiting of the newest.
    pub(crate) fn land_newest(&mut self, tree: &mut Tree) -> &Flight<S> {
        self.land(self.place(self.waiting - 1), tree)
    }

    /// Ends the waiting of all: the tree is as if they had not been.
    pub(crate) fn land_all(&mut self, tree: &mut Tree) {
        while self.waiting > 0 {
            self.land_newest(tree);
        }
        // Equal searches use equal buffers.
        self.first = 0;
    }

    fn land(&mut self, place: usize, tree: &mut Tree) -> &Flight<S> {
        self.waiting -= 1;
        let flight = &self.ring[place];
        if self.most > 1 {
            tree.stop_awaiting(&flight.path, flight.edge, flight.open);
        }
        flight
    }

    /// The place in the ring that is `index` places behind the oldest.
    fn place(&self, index: usize) -> usize {
        let place = self.first + index;
        if place < self.ring.len() { place } else { place - self.ring.len() }
    }
}

impl<S: State> Flight<S> {
    fn new(root: &S) -> Self {
        Self { leaf: Leaf::new(root), path: Vec::new(), edge: 0, open: false }
    }
}
