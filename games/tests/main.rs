//! The tests of the rules, one program.

/// Vectors and traces: the move lists, counts and games that the rulebook's implementations agree on.
mod vectors;
