//! Players, matches and what their results say. No torch: networks come from a [`NetLoader`].
//!
//! A [`PlayerSpec`] is a player as people write it, an [`Entrant`] the player itself; it takes seats
//! ([`Player`]) at games. [`Solo`] runs one seat for a person or a program to play against,
//! [`Match`] plays two entrants from an [`OpeningBook`], until an [`Sprt`] has a verdict if need be;
//! [`StrengthTable`] plays many pairings, [`Standings`] rates all that have ever played, [`Tournament`]
//! keeps their games too.
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
//! | change how other programs are spoken to | `outside/` |
//! | change what an opening is | `openings.rs`; its file: `book.rs` |
//! | change how games are kept on the disk | `journal.rs` |
//! | change how games are run and batched | `match_play.rs`, `worker.rs` |
//! | change when a match or a game ends | `sprt.rs`, `adjudication.rs` |
//! | change what is counted | `scoreboard.rs`, `result.rs`, `elo.rs`, `table.rs` |
//! | change how raja answers as an engine | `uci/`, `xboard/`: the talks; `engine/`: the search behind them |
//! | change how positions are analysed | `analysis.rs` |
//! | change how many players are rated | `ratings.rs`, `standings.rs`, `round.rs`, `tournament.rs`, `picture.rs` |

mod adjudication;
mod alphabeta;
mod analysis;
mod book;
mod checked;
mod contents;
mod elo;
mod ending;
mod engine;
mod file_name;
mod journal;
mod limit;
mod line;
mod lock;
mod match_play;
mod openings;
mod outside;
mod picture;
mod player;
mod players;
mod ratings;
mod result;
mod rollouts;
mod round;
mod scoreboard;
mod seeds;
mod solo;
mod spec;
mod sprt;
mod standings;
mod table;
mod tournament;
mod uci;
mod walk;
mod worker;
mod xboard;

pub use adjudication::{Adjudication, AdjudicationError};
pub use analysis::{AnalysisError, AnalysisTask, Analyst, Question, analyse_all, watch};
pub use book::{BookError, OpeningBook};
pub use checked::{read_checked, to_line, to_lines};
pub use elo::{Elo, share_of};
pub use ending::{EndCounts, Ending};
pub use engine::{EngineOptions, EngineSearch, Found, FoundLine};
pub use file_name::file_name;
pub use journal::{Journal, JournalError, Opened};
pub use limit::{Limit, LimitError};
pub use line::Line;
pub use lock::{Lock, LockError};
pub use match_play::{Match, MatchError, MatchSettings, Progress};
pub use openings::OpeningSettings;
pub use outside::{EngineProtocol, Patience};
pub use player::{Entrant, NetLoader, Player, PlayerError, Thought};
pub use ratings::{Meeting, Prior, Rating, rate};
pub use result::{MatchResult, PairResult, PlayedGame, Score};
pub use round::{Pair, RoundError};
pub use solo::{Solo, SoloError};
pub use spec::{DEFAULT_ENGINE_TIME, DEFAULT_SIMULATIONS, PlayerSpec, PlayerSpecError};
pub use sprt::{Sprt, SprtError, SprtVerdict};
pub use standings::{Encounter, Standing, Standings, StandingsError};
pub use table::{Pairing, Row, StrengthTable};
pub use tournament::Tournament;
pub use uci::serve_uci;
pub use xboard::serve_xboard;
