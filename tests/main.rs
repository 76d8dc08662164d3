//! End-to-end tests: what a user does with the built program, and what has to come back.

mod program;

// One module a group of commands, the good paths.
mod replay;
mod rules;
mod vectors;

// What must not go in, and what must not come out: one sentence, the documented exit code.
mod bad_input;
mod pipes;

// The house itself.
mod layering;
