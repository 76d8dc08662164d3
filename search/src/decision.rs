//! [`Decision`]: what came of a search, for players and for training.

use games::{Outcome, State, Step};
use rand::Rng;

use crate::gumbel::{Sigma, improve_policy};
use crate::root::{CompletedQ, completed_q};
use crate::selection::{Arm, argmax};
use crate::tree::{Edge, ROOT, Tree};
use crate::{Algorithm, Ended, Proof, PuctSettings, Searcher, Wdl, puct};

/// What came of a search. Values are from the view of the root's mover.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The step to play.
    pub step: Step,
    /// The value of the root: exact if proven; else the mixed value of the network's and the steps'
    /// q (Gumbel), or the mean of all visits (PUCT).
    pub value: Wdl,
    /// The network's own value of the root; none if the root was decided without it.
    pub raw: Option<Wdl>,
    /// What is proven of the root.
    pub proven: Option<Proof>,
    /// Why the search is over.
    pub ended: Ended,
    /// Simulations of this search.
    pub simulations: u32,
    /// Visits of root steps that the search found in the tree.
    pub reused: u32,
    /// All legal steps, in canonical order.
    pub candidates: Vec<Candidate>,
}

/// What a search found about one step of the root.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// The step.
    pub step: Step,
    /// The network's probability, without noise; sums to 1. If the network was not asked
    /// ([`Decision::raw`] is none) all steps have the same.
    pub prior: f32,
    /// Visits, those of earlier searches included.
    pub visits: u32,
    /// The expected score for the root's mover, -1 to 1: exact if proven, the mean of the visits,
    /// or without visits [`Decision::value`]'s score.
    pub q: f32,
    /// The probability that the policy should learn; sums to 1.
    pub target: f32,
    /// What is proven of the state behind the step.
    pub proven: Option<Proof>,
}

impl<S: State> Searcher<S> {
    /// What the search has come to, which may be asked at any time after the root is evaluated.
    ///
    /// The target is the improved policy (Gumbel) or the visits without forced ones (PUCT); steps
    /// that are proven to lose get nothing. If the root is proven, the target is uniform on the
    /// shortest wins, else the priors among the drawing steps, else uniform on the losses that take
    /// longest; a root whose outcome was [foregone](State::foregone) gets a uniform one.
    ///
    /// # Panics
    /// Before the root is evaluated.
    #[must_use]
    pub fn decision(&self) -> Decision {
        let tree = &self.tree;
        assert!(!tree.is_empty(), "the root has not been evaluated");
        let side = tree.node(ROOT).side;
        let proven = tree.proof(ROOT);
        let completed = completed_q(tree);
        let value = match (proven, &self.settings.algorithm) {
            (None, Algorithm::Gumbel(_)) => completed.mixed,
            (Some(_), _) | (None, Algorithm::Puct(_)) => tree.value(ROOT).seen_by(side),
        };
        let (target, chosen) = match proven {
            Some(proof) => {
                let target = proven_target(tree, proof);
                let likeliest = argmax(target.iter().copied());
                (target, likeliest)
            }
            None => self.unproven_target(&completed),
        };
        // Behind a foregone state everything is.
        let foregone = proven.filter(|proof| proof.steps == 0);
        let mut candidates: Vec<_> = tree
            .edges(ROOT)
            .iter()
            .zip(target)
            .map(|(edge, target)| {
                let proven = foregone.or_else(|| edge.child().and_then(|child| tree.proof(child)));
                let visits = edge.child().map_or(0, |child| tree.node(child).visits);
                let known = match (proven, edge.child()) {
                    (Some(proof), _) => Wdl::certain(proof.outcome).seen_by(side),
                    (None, Some(child)) => tree.value(child).seen_by(side),
                    (None, None) => value,
                };
                let (step, prior, q) = (edge.step, edge.prior, known.score());
                Candidate { step, prior, visits, q, target, proven }
            })
            .collect();
        let step = candidates[chosen].step;
        candidates.sort_unstable_by_key(|candidate| candidate.step);
        Decision {
            step,
            value,
            raw: tree.raw(ROOT).map(|raw| raw.seen_by(side)),
            proven,
            ended: self.ended,
            simulations: self.simulations,
            reused: self.reused,
            candidates,
        }
    }

    /// The target of a root that is not proven, per edge, and the edge to play.
    fn unproven_target(&self, completed: &CompletedQ) -> (Vec<f32>, usize) {
        let tree = &self.tree;
        match &self.settings.algorithm {
            Algorithm::Gumbel(settings) => {
                let mut target: Vec<_> =
                    tree.edges(ROOT).iter().map(|edge| edge.prior.ln()).collect();
                improve_policy(
                    &mut target,
                    &completed.q,
                    Sigma::new(settings, completed.most_visits),
                );
                (target, self.plan.best_candidate(settings, tree))
            }
            Algorithm::Puct(settings) => {
                let noise = self.plan.noise;
                let forced_playouts = if noise { settings.forced_playouts } else { 0.0 };
                let settings = PuctSettings { forced_playouts, ..*settings };
                let target = self.visit_target(&settings, completed);
                let chosen = argmax(target.iter().copied());
                (target, chosen)
            }
        }
    }

    /// The visits of the steps that are not lost, pruned; without visits the priors.
    fn visit_target(&self, settings: &PuctSettings, completed: &CompletedQ) -> Vec<f32> {
        let edges = self.tree.edges(ROOT);
        let arms: Vec<_> = edges
            .iter()
            .zip(&completed.q)
            .zip(&self.plan.priors)
            .map(|((edge, q), &prior)| {
                // A lost step has no visits worth the name.
                let child = edge.child().filter(|_| q.is_some());
                let visits = child.map_or(0, |child| self.tree.node(child).visits);
                Arm { prior, visits, q: q.unwrap_or(-1.0) }
            })
            .collect();
        let mut target = Vec::new();
        puct::pruned_visits(settings, &arms, &mut target);
        if target.iter().sum::<f32>() == 0.0 {
            let prior = |(edge, q): (&Edge, &Option<f32>)| q.map_or(0.0, |_| edge.prior);
            target = edges.iter().zip(&completed.q).map(prior).collect();
        }
        normalise(&mut target);
        target
    }

    /// A step drawn from the decision's target raised to one over `temperature`: 1 samples the
    /// target itself, and from 0 on down (or at NaN) the decision's own step is returned. Uses the
    /// searcher's random numbers. Never a step that is proven to lose if there is another.
    pub fn sample(&mut self, decision: &Decision, temperature: f32) -> Step {
        let targets = || decision.candidates.iter().map(|candidate| candidate.target);
        let highest = targets().fold(0.0, f32::max);
        if temperature.is_nan() || temperature <= 0.0 || highest <= 0.0 {
            return decision.step;
        }
        let weight = |target: f32| (target / highest).powf(1.0 / temperature);
        let mut left = self.rng.random::<f32>() * targets().map(weight).sum::<f32>();
        for candidate in &decision.candidates {
            let weight = weight(candidate.target);
            left -= weight;
            if left < 0.0 && weight > 0.0 {
                return candidate.step;
            }
        }
        decision.step
    }
}

/// The target of a proven root, per edge.
fn proven_target(tree: &Tree, proof: Proof) -> Vec<f32> {
    let edges = tree.edges(ROOT);
    if proof.steps == 0 {
        return vec![1.0 / edges.len() as f32; edges.len()];
    }
    let decisive = matches!(proof.outcome, Outcome::Win(_));
    let weight = |edge: &Edge| {
        let child = edge.child().and_then(|child| tree.proof(child));
        match child.filter(|child| child.outcome == proof.outcome) {
            Some(_) if !decisive => edge.prior,
            Some(child) if child.steps.saturating_add(1) == proof.steps => 1.0,
            _ => 0.0,
        }
    };
    let mut target: Vec<_> = edges.iter().map(weight).collect();
    normalise(&mut target);
    target
}

/// Divides by the sum, which must not be 0.
fn normalise(weights: &mut [f32]) {
    let sum: f32 = weights.iter().sum();
    for weight in weights {
        *weight /= sum;
    }
}
