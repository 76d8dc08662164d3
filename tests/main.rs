//! End-to-end tests: what a user does with the built program, and what has to come back.

#![allow(clippy::print_stdout, reason = "tests may tell what they took")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod killing;
mod program;
#[allow(dead_code, reason = "some of it takes too long for every day")]
mod rivals;

// One module a group of commands: the good paths, and the bad input that only they can meet.
mod analyse;
mod bench;
mod looking;
mod matches;
mod networks;
mod play;
mod records;
mod replay;
mod rules;
mod terminal;
mod training;
mod uci;
mod vectors;
mod xboard;

// What must not go in, and what must not come out: one sentence, the documented exit code.
mod bad_input;
mod pipes;

// What it takes.
mod memory;

// The house itself.
mod layering;
mod readme;
