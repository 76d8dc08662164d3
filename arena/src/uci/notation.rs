//! [`Notation`]: how moves and positions are written in a talk.

use games::{Dialect, FenError, Game, Move, MoveError, Position};

/// How moves and positions are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    /// As in all programs that speak UCI.
    Uci,
    /// As everywhere else in raja: to UGI they are opaque.
    Own,
}

impl Notation {
    /// The text of `chosen`, which is legal in `position`.
    pub(super) fn move_text(self, position: &Position, chosen: &Move) -> String {
        match self {
            Self::Uci => Dialect::Uci.move_text(position, chosen),
            Self::Own => position.move_text(chosen),
        }
    }

    /// Reads a move.
    pub(super) fn parse_move(self, position: &Position, text: &str) -> Result<Move, MoveError> {
        match self {
            Self::Uci => Dialect::Uci.parse_move(position, text),
            Self::Own => position.parse_move(text),
        }
    }

    pub(super) fn fen(self, position: &Position) -> String {
        match self {
            Self::Uci => Dialect::Uci.fen(position),
            Self::Own => position.fen(),
        }
    }

    /// Reads a position string.
    pub(super) fn parse_fen(self, game: &'static Game, text: &str) -> Result<Position, FenError> {
        match self {
            Self::Uci => Dialect::Uci.parse_fen(game, text),
            Self::Own => game.parse_fen(text),
        }
    }

    /// The texts of moves that are played one after the other from `position` on.
    pub(super) fn line(self, position: &Position, moves: &[Move]) -> Vec<String> {
        let mut position = position.clone();
        let text = |chosen: &Move| {
            let text = self.move_text(&position, chosen);
            position.play_move(chosen);
            text
        };
        moves.iter().map(text).collect()
    }
}
