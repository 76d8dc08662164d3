//! The rules of every game: geometry, bitboards, generators, notation, perft.
//!
//! No files, no clocks, no threads, no torch. A variant is data (`catalogue`), a family of variants
//! is code (`families`); everything above this crate sees [`Game`], [`Position`], [`History`] and
//! [`Step`].
//!
//! ```
//! use games::{Game, History, State};
//! let game = Game::by_id("chess")?;
//! let mut history = History::new(game.start());
//! assert_eq!(history.position().move_texts()?.len(), 20);
//! for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
//!     let chosen = history.position().parse_move(text)?;
//!     chosen.steps().iter().for_each(|&step| history.play(step));
//! }
//! assert_eq!(history.end().unwrap().to_string(), "black (rules)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod catalogue;
mod cell_set;
mod dialect;
mod families;
mod features;
mod game;
mod game_text;
mod geometry;
mod guide;
mod history;
mod lines;
mod moves;
mod notation;
mod page;
mod perft;
mod position;
mod state;
mod step;
mod turn;
mod variants_ini;
mod vectors;
mod zobrist;

pub use cell_set::CellSet;
pub use dialect::Dialect;
pub use families::{
    bermuda::BermudaPosition, chess::ChessPosition, draughts::DraughtsPosition,
    polyforms::PolyformPosition, stacks::StacksPosition,
};
pub use features::Features;
pub use game::{Game, Symmetry, UnknownGame};
pub use game_text::{GameText, GameTextError, game_text, result_text};
pub use geometry::{Cell, Diagram, Geometry, Offset, Picture, Span};
pub use guide::{Example, Guide, PieceGuide, Ruling, Section};
pub use history::{End, EndReason, History, Repetition};
pub use moves::{MOST_MOVES, MoveError, TooManyMoves};
pub use notation::FenError;
pub use page::index_page;
pub use perft::{divide, perft};
pub use position::{PieceCount, Position};
pub use state::{Key, Outcome, Side, State};
pub use step::{Move, Step};
pub use variants_ini::variants_ini;
pub use vectors::{Trace, Vector, VectorError, check_line};
