//! Self-play: games against an evaluator, and the records they leave.

mod codec;
mod record;
mod replay;
mod shard;
mod stats;
mod text;

pub use codec::DecodeError;
pub use record::{
    Choice, Fault, GameRecord, NetSpan, Policy, RootValues, StepRecord, Verdict, Visited, Wdl16,
};
pub use replay::{Moment, Positions, ReplayError, Replayer};
pub use shard::{
    BadFrame, BadReason, Shard, ShardError, ShardWriter, list_shards, read_shard, shard_game,
    shard_path, write_shard,
};
pub use stats::RecordStats;
