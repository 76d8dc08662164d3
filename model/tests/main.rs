//! The tests of the network, one program.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

/// Whole checkpoints: what they keep and what they refuse.
mod checkpoints;
/// From positions to batches.
mod encoding;
/// Playing: folded weights, precisions, threads, memory.
mod evaluation;
/// Training: weights, statistics, gradients, the policy's formula.
mod networks;
/// How far bf16 is from fp32, and fp32 from the network as it is written, on positions of real games.
mod precision;
/// Positions and networks to test on.
mod samples;
/// Tensor files: every byte counts.
mod tensor_files;
