//! Tests of the training loop as a whole, with real games and tiny networks.

#![allow(clippy::print_stdout, reason = "tests may tell what they took")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

/// Runs killed after any write, and runs whose disk is full.
mod crashes;
/// Runs whose files are damaged.
mod damage;
/// Games and batches to train on.
mod data;
/// The whole way, for every game of the catalogue.
mod every_game;
/// What the learner does with batches, and what survives in its file.
mod learner;
/// What a run needs of memory, and that it is refused what there is not.
mod need;
/// What the network is shown of counters, rights and hands.
mod planes;
/// Runs: from nothing, stopped, started again, refused, looked at.
mod runs;
/// What is to be learned of a position.
mod targets;
