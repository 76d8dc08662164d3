//! Tests of the search through its public interface.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

/// Games and evaluators made for tests.
mod support;

/// Every simulation is counted: budgets, candidates, kept visits, full trees.
mod accounting;
/// What the Gumbel paper promises, on bandits whose values are known.
mod bandits;
/// Remembered evaluations.
mod cache;
/// Whole trees as data, compared node by node.
mod golden;
/// Repetitions in real games.
mod repetition;
/// Answers no network should give, thousands of steps, seeds and noise.
mod robust;
/// The rules of the search on small trees written as text: proofs, look-ahead, foregone states.
mod scripted;
/// Settings as configurations write them.
mod settings;
/// Small real games against an exhaustive solver.
mod solves;
