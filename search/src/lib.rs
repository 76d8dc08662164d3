//! Search trees and the interface of evaluators. No files, no printing, no torch, no threads.
//!
//! A [`Searcher`] is the search of one game. It never calls an evaluator: it says which state it
//! needs evaluated ([`Searcher::gather`], [`Searcher::query`]) and takes the answer
//! ([`Searcher::apply`]). Whoever plays many games puts the queries of many searchers into one
//! batch; [`search`] is the loop for a single one. An [`EvaluationCache`] remembers answers for all
//! searchers of a thread.
//!
//! ```
//! use games::{Game, History, State};
//! use search::{SearchSettings, Searcher, Uniform, search};
//! use std::sync::atomic::AtomicBool;
//!
//! let mut history = History::new(Game::by_id("chess")?.start());
//! for text in ["f2f3", "e7e5", "g2g4"] {
//!     let chosen = history.position().parse_move(text)?;
//!     chosen.steps().iter().for_each(|&step| history.play(step));
//! }
//! let mut searcher = Searcher::new(history, SearchSettings::default(), 1);
//! searcher.start(16, false);
//! search(&mut searcher, &mut Uniform, &AtomicBool::new(false))?;
//! let decision = searcher.decision();
//! assert!(decision.proven.is_some(), "d8h4 is mate");
//! assert_eq!(decision.value.win, 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | open |
//! |---|---|
//! | change how a step is selected | `gumbel.rs`, `halving.rs`, `puct.rs`: formulas on slices |
//! | change what is remembered of evaluations | `cache.rs`, and [`games::State::evaluation_key`] |
//! | change the noise | `noise.rs` |
//! | change what is stored, proven, kept | `tree.rs`, `expansion.rs`, `proof.rs` |
//! | change the order of events in a search | `searcher.rs`, `root.rs`, `leaf.rs`, `flight.rs` |
//! | change what training is told | `decision.rs` |
//! | change what analysis is told | `line.rs` |

mod cache;
mod decision;
mod device;
mod driver;
mod evaluator;
mod expansion;
mod flight;
mod gumbel;
mod halving;
mod leaf;
mod line;
mod noise;
mod proof;
mod puct;
mod root;
mod searcher;
mod selection;
mod settings;
mod tree;

pub use cache::{CacheUsage, EvaluationCache};
pub use decision::{Candidate, Decision};
pub use device::{Device, DeviceBatch, DeviceSource};
pub use driver::search;
pub use evaluator::{
    Answer, Answers, Evaluator, EvaluatorError, EvaluatorSource, Query, Uniform, Wdl,
};
pub use line::Variation;
pub use proof::Proof;
pub use searcher::{Ended, Gathered, Searcher};
pub use settings::{Algorithm, GumbelSettings, PuctSettings, SearchSettings, SettingError};
pub use tree::Branch;
