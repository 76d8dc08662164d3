//! Tests of the search through its public interface.

/// Games and evaluators made for tests.
mod support;

/// The rules of the search on small trees written as text: proofs, look-ahead, foregone states.
mod scripted;
