//! [`Notation`]: how moves and positions are written in a talk.

use games::{Dialect, FenError, Game, Move, MoveError, Position};

/// How moves and positions are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notation {
    /// As in all programs that speak a protocol.
    Of(Dialect),
    /// As everywhere else in raja: UGI does not look into them.
    Own,
}

impl Notation {
    /// The text of `chosen`, which is legal in `position`.
    pub(crate) fn move_text(self, position: &Position, chosen: &Move) -> String {
        match self {
            Self::Of(dialect) => dialect.move_text(position, chosen),
            Self::Own => position.move_text(chosen),
        }
    }

    /// Reads a move.
    pub(crate) fn parse_move(self, position: &Position, text: &str) -> Result<Move, MoveError> {
        match self {
            Self::Of(dialect) => dialect.parse_move(position, text),
            Self::Own => position.parse_move(text),
        }
    }

    pub(crate) fn fen(self, position: &Position) -> String {
        match self {
            Self::Of(dialect) => dialect.fen(position),
            Self::Own => position.fen(),
        }
    }

    /// Reads a position string.
    pub(crate) fn parse_fen(self, game: &'static Game, text: &str) -> Result<Position, FenError> {
        match self {
            Self::Of(dialect) => dialect.parse_fen(game, text),
            Self::Own => game.parse_fen(text),
        }
    }

    /// The texts of moves that are played one after the other from `position` on.
    pub(crate) fn line(self, position: &Position, moves: &[Move]) -> Vec<String> {
        let mut position = position.clone();
        let text = |chosen: &Move| {
            let text = self.move_text(&position, chosen);
            position.play_move(chosen);
            text
        };
        moves.iter().map(text).collect()
    }
}
