//! The arena from outside: players on positions, and whole matches.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

// Evaluators made up for tests, and shorthands.
mod support;

// What each player plays on small positions with one right answer.
mod players;

// Other programs as players.
mod engines;

// Matches, tables and their determinism.
mod matches;

// Games on the disk: going on after a stop, whatever has happened to the file.
mod journals;

// Positions that are looked at for their own sake.
mod analysis;

// The engine as other programs talk to it.
mod talks;

// Standings: tournaments and ladders that grow.
mod standings;
