//! Self-play: many games at a time against an evaluator, and the records they leave. No torch.
//!
//! A [`Pool`] keeps games in progress and plays them on all cores; finished games come out as
//! [`GameRecord`]s, which [`write_shard`] puts into a file and [`read_shard`] gets back, checked by
//! the rules. A trainer draws positions from them with a [`Replayer`].
//!
//! ```
//! use std::sync::{Arc, atomic::AtomicBool};
//!
//! use games::Game;
//! use search::Uniform;
//! use selfplay::{Goal, LocalEvaluators, Pool, Progress, RecordStats, Run, SelfPlaySettings};
//!
//! let settings: SelfPlaySettings = toml::from_str(
//!     "workers = 1
//!      games_per_worker = 4
//!      search.simulations = 2",
//! )?;
//! let game = Game::by_id("cheskers")?;
//! let mut pool = Pool::new(game, settings, 1)?;
//! let run = Run {
//!     evaluators: &LocalEvaluators::new("none", Arc::new(Uniform)),
//!     goal: Goal::AllOf(4),
//!     stop: &AtomicBool::new(false),
//!     progress: &Progress::new(),
//! };
//! let mut records = Vec::new();
//! let throughput = pool.run(&run, &mut |record| {
//!     records.push(record);
//!     Ok(())
//! })?;
//! assert_eq!((throughput.games, records.len()), (4, 4));
//!
//! let folder = tempfile::tempdir()?;
//! let path = selfplay::shard_path(folder.path(), 1);
//! selfplay::write_shard(&path, game, &records)?;
//! let mut stats = RecordStats::default();
//! stats.add_shard(&selfplay::read_shard(&path, game)?);
//! assert_eq!(stats.games, 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | open |
//! |---|---|
//! | change what is kept of a step | `record.rs`, `seat.rs` (where it is filled in), `codec.rs` (bytes) |
//! | change the file around the records | `shard.rs`, `shard/read.rs` |
//! | change how steps are chosen, or when a side resigns | `seat.rs`, `resignation.rs`, `settings.rs` |
//! | change what recorded games tell of their game | `facts.rs`, `facts/values.rs` |
//! | change how threads work together | `pool.rs`, `worker.rs`, `goal.rs` |
//! | change how networks are asked and exchanged | `evaluators.rs`, `local.rs`, `shared.rs` |

mod codec;
mod evaluators;
mod facts;
mod goal;
mod local;
mod pool;
mod progress;
mod record;
mod replay;
mod resignation;
mod seat;
mod settings;
mod shard;
mod shared;
mod stats;
mod text;
mod worker;

pub use codec::DecodeError;
pub use evaluators::{Answered, Client, Evaluators, Net, Spent};
pub use facts::{Branching, Ending, Facts, GameFacts, Length, PieceValues, Term, Unknown};
pub use goal::Goal;
pub use local::LocalEvaluators;
pub use pool::{DeliveryError, Pool, Run, SelfPlayError};
pub use progress::{Progress, Throughput};
pub use record::{
    Choice, Fault, GameRecord, NetSpan, Policy, RootValues, StepRecord, Verdict, Visited, Wdl16,
};
pub use replay::{Moment, Positions, ReplayError, Replayer};
pub use resignation::{Resignation, Resignations};
pub use seat::game_seed;
pub use settings::{SelfPlaySettings, SettingsError};
pub use shard::{
    BadFrame, BadReason, Shard, ShardError, ShardWriter, list_shards, read_shard, shard_game,
    shard_path, write_shard,
};
pub use shared::SharedDevices;
pub use stats::RecordStats;
