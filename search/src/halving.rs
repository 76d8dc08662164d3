//! [`Halving`]: which root step is visited next under sequential halving.

use rand::Rng;

use crate::gumbel::{Phases, Sigma};
use crate::root::{CompletedQ, completed_q};
use crate::selection::argmax;
use crate::tree::{ROOT, Tree};
use crate::{GumbelSettings, noise};

/// The state of sequential halving at the root (algorithm 2 of the paper).
///
/// A search of `n` simulations has exactly `n` turns. A turn visits its candidate; if the candidate
/// came with visits from an earlier search, each of them stands in for one turn, which then costs
/// nothing. Candidates that are proven to lose leave at once, and their turns go to the others; if
/// all have left, the next best steps take their places.
#[derive(Debug, Default)]
pub(crate) struct Halving {
    /// Per root edge its logit and Gumbel draw; the draw is 0 without noise.
    bias: Vec<f32>,
    /// Per root edge the visits of earlier searches that have not stood in for a turn yet.
    credit: Vec<u32>,
    /// Edges still in the running, in the order of their next turns.
    candidates: Vec<u32>,
    /// The position of the next turn in `candidates`.
    position: usize,
    /// Rounds over all candidates left in this phase.
    rounds: u32,
    phases: Phases,
    /// Turns left.
    turns: u32,
    /// Scratch of [`Halving::rank`].
    completed: CompletedQ,
    scores: Vec<f32>,
}

impl Halving {
    /// Begins a search of `turns` simulations; with noise, draws it afresh.
    pub(crate) fn start(
        &mut self,
        settings: &GumbelSettings,
        tree: &Tree,
        turns: u32,
        noise: Option<&mut impl Rng>,
    ) {
        let edges = tree.edges(ROOT);
        self.bias.clear();
        self.bias.resize(edges.len(), 0.0);
        if let Some(rng) = noise {
            noise::gumbel(rng, &mut self.bias);
        }
        self.credit.clear();
        for (bias, edge) in self.bias.iter_mut().zip(edges) {
            *bias += edge.prior.ln();
            self.credit.push(edge.child().map_or(0, |child| tree.node(child).visits));
        }
        self.turns = turns;
        self.choose_candidates(settings, tree);
    }

    /// Gumbel-top-k: the steps with the greatest sums of logit and draw.
    fn choose_candidates(&mut self, settings: &GumbelSettings, tree: &Tree) {
        self.candidates.clear();
        self.candidates.extend(
            (0..tree.edges(ROOT).len()).filter(|&edge| !is_lost(tree, edge)).map(|e| e as u32),
        );
        let most = settings.considered.min(self.turns).max(1) as usize;
        let better = |&a: &u32, &b: &u32| {
            let bias = |edge: u32| self.bias[edge as usize];
            bias(b).total_cmp(&bias(a)).then(a.cmp(&b))
        };
        if self.candidates.len() > most {
            self.candidates.select_nth_unstable_by(most - 1, better);
            self.candidates.truncate(most);
        }
        self.candidates.sort_unstable_by(better);
        self.phases = Phases::new(self.turns, self.candidates.len() as u32);
        self.rounds = self.phases.next().map_or(0, |(_, rounds)| rounds);
        self.position = 0;
    }

    /// The root edge to visit, or none when all turns are spent, or when a phase has ended and
    /// simulations of it are still `waiting` for their evaluations.
    pub(crate) fn next(
        &mut self,
        settings: &GumbelSettings,
        tree: &Tree,
        waiting: bool,
    ) -> Option<usize> {
        while self.turns > 0 {
            self.drop_lost(tree);
            if self.candidates.is_empty() {
                self.choose_candidates(settings, tree);
                if self.candidates.is_empty() {
                    return None;
                }
            }
            if self.position == self.candidates.len() {
                if waiting && self.rounds == 1 {
                    return None;
                }
                self.end_round(settings, tree);
            }
            let edge = self.candidates[self.position] as usize;
            self.position += 1;
            self.turns -= 1;
            if self.credit[edge] == 0 {
                return Some(edge);
            }
            self.credit[edge] -= 1;
        }
        None
    }

    /// Takes the turn of [`Halving::next`]'s answer back.
    pub(crate) fn take_back(&mut self) {
        self.position -= 1;
        self.turns += 1;
    }

    fn drop_lost(&mut self, tree: &Tree) {
        let (mut index, mut before) = (0, 0);
        self.candidates.retain(|&edge| {
            let stays = !is_lost(tree, edge as usize);
            before += usize::from(!stays && index < self.position);
            index += 1;
            stays
        });
        self.position -= before;
    }

    fn end_round(&mut self, settings: &GumbelSettings, tree: &Tree) {
        self.position = 0;
        self.rounds -= 1;
        if self.rounds > 0 {
            return;
        }
        if let Some((keep, rounds)) = self.phases.next() {
            self.rank(settings, tree);
            self.candidates.truncate(keep as usize);
            self.rounds = rounds;
        } else {
            // The last phase was cut short by a lost candidate only in theory: it has 2^32 rounds.
            self.rounds = u32::MAX;
        }
    }

    /// Sorts the candidates by draw + logit + sigma(q), the best first.
    fn rank(&mut self, settings: &GumbelSettings, tree: &Tree) {
        self.completed.look(tree);
        self.scores.clear();
        self.scores.extend(scores(settings, &self.completed, &self.bias));
        let score = |edge: u32| self.scores[edge as usize];
        self.candidates.sort_by(|&a, &b| score(b).total_cmp(&score(a)));
    }

    /// The edge to play: of the candidates of the last phase the one with the best score. One
    /// without any visit (the search was stopped early) only if no candidate has one.
    pub(crate) fn best(&self, settings: &GumbelSettings, tree: &Tree) -> usize {
        let scores: Vec<_> = scores(settings, &completed_q(tree), &self.bias).collect();
        let known = |edge: usize| tree.edge(ROOT, edge).child().is_some();
        let best_of = |visited: bool| {
            let candidates = self.candidates.iter().map(|&edge| edge as usize);
            candidates
                .filter(|&edge| (!visited || known(edge)) && scores[edge] > f32::NEG_INFINITY)
                .max_by(|&a, &b| scores[a].total_cmp(&scores[b]).then(b.cmp(&a)))
        };
        best_of(true).or_else(|| best_of(false)).unwrap_or_else(|| argmax(scores.iter().copied()))
    }
}

/// Draw + logit + sigma(completed q) of every root edge; those that are proven to lose have negative
/// infinity. `bias` are the draws and logits.
fn scores(
    settings: &GumbelSettings,
    completed: &CompletedQ,
    bias: &[f32],
) -> impl Iterator<Item = f32> {
    let sigma = Sigma::new(settings, completed.most_visits);
    let edges = completed.q.iter().zip(bias);
    edges.map(move |(q, bias)| q.map_or(f32::NEG_INFINITY, |q| bias + sigma.of(q)))
}

/// Whether the root's mover is proven to lose after this step.
fn is_lost(tree: &Tree, edge: usize) -> bool {
    let side = tree.node(ROOT).side;
    tree.edge(ROOT, edge).child().is_some_and(|child| tree.is_lost(child, side))
}
