//! Tests of the search through its public interface.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

/// Games and evaluators made for tests.
mod support;

/// Every simulation is counted: budgets, candidates, kept visits, full trees.
mod accounting;
/// A search that has warmed up allocates nothing.
mod allocations;
/// What the Gumbel paper promises, on bandits whose values are known.
mod bandits;
/// Remembered evaluations.
mod cache;
/// Whole trees as data, compared node by node.
mod golden;
/// Several states that wait at a time.
mod leaves;
/// Repetitions in real games.
mod repetition;
/// Answers no network should give, thousands of steps, seeds and noise.
mod robust;
/// The rules of the search on small trees written as text: proofs, look-ahead, foregone states.
mod scripted;
/// Settings as configurations write them.
mod settings;
/// Many searches in a row: memory stays where it is; shared with the long test.
mod soak;
/// Small real games against an exhaustive solver.
mod solves;
