//! Players, matches and what their results say. No torch: networks come from a [`NetLoader`].
//!
//! A [`PlayerSpec`] is a player as people write it, an [`Entrant`] the player itself; it takes seats
//! ([`Player`]) at games. [`Solo`] runs one seat for a person or a program to play against,
//! [`Match`] plays two entrants from an [`OpeningBook`], [`StrengthTable`] many pairings.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use arena::{Entrant, Match, MatchSettings, OpeningBook, OpeningSettings};
//! use games::Game;
//!
//! let game = &Game::all()[0];
//! let nets = |_: &'static Game, _: &std::path::Path| Err("no networks here".to_owned());
//! let greedy = Entrant::new(&"greedy".parse()?, game, &nets)?;
//! let random = Entrant::new(&"random".parse()?, game, &nets)?;
//! let stop = AtomicBool::new(false);
//! let book = OpeningBook::find(game, 5, &OpeningSettings::default(), 1, 1, &stop);
//! let settings = MatchSettings { games: 10, ..MatchSettings::default() };
//! let result = Match::new(&greedy, &random, &book, settings)?.play(&|_| {}, &stop)?;
//! assert_eq!(result.score.games(), 10);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | open |
//! |---|---|
//! | add a player | `spec.rs`, `player.rs`, `players/` |
//! | change what an opening is | `openings.rs`; its file: `book.rs` |
//! | change how games are run and batched | `match_play.rs`, `worker.rs` |
//! | change what is counted | `result.rs`, `elo.rs`, `table.rs` |

mod alphabeta;
mod book;
mod elo;
mod line;
mod match_play;
mod openings;
mod player;
mod players;
mod result;
mod rollouts;
mod seeds;
mod solo;
mod spec;
mod table;
mod walk;
mod worker;

pub use book::{BookError, OpeningBook};
pub use elo::Elo;
pub use line::Line;
pub use match_play::{Match, MatchError, MatchSettings, Progress};
pub use openings::OpeningSettings;
pub use player::{Entrant, NetLoader, Player, PlayerError, Thought};
pub use result::{EndCounts, MatchResult, PairResult, Score};
pub use solo::Solo;
pub use spec::{DEFAULT_SIMULATIONS, PlayerSpec, PlayerSpecError};
pub use table::{Pairing, Row, StrengthTable};
