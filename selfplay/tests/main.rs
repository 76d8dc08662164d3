//! Self-play from outside: pools that play, and files that keep what they played.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

/// Spoilt and forged shards; shared with the long tests.
mod forge;

/// Evaluators and settings for the other modules.
mod support;

/// Pools: goals, seeds, many workers, settings.
mod play;

/// Pools: shared devices, many threads, networks swapped meanwhile.
mod devices;

/// Pools: whatever can go wrong in an evaluator or a receiver.
mod trouble;

/// Pools: sides that resign, and games played out in spite of it.
mod resigning;

/// Records: verification, positions for the trainer, text, statistics.
mod records;

/// What records tell of their game.
mod facts;

/// Shards: round trips, spoilt files, refusals.
mod shards;
