//! [`Turn`]: whose turn it is and how many there have been, alike in all families.

use crate::{Key, Side, zobrist};

/// Where the counters stop.
pub(crate) const MOST_COUNTED: u16 = 9999;

/// The random number of the side to move, when it is Black.
const BLACK: Key = zobrist::number(0);

/// What a position has besides its pieces in every game: the side to move and two counters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turn {
    /// The side that plays the next step.
    pub(crate) side: Side,
    /// Plies since the last irreversible move, up to [`MOST_COUNTED`].
    pub(crate) clock: u16,
    /// The number of the move, from 1 up to [`MOST_COUNTED`]; it grows after each move of Black.
    pub(crate) fullmove: u16,
}

impl Turn {
    /// Its part of the position's key, in which the counters have none.
    pub(crate) const fn key(self) -> Key {
        match self.side {
            Side::White => 0,
            Side::Black => BLACK,
        }
    }

    /// Adds a ply to the clock.
    #[inline]
    pub(crate) fn count_ply(&mut self) {
        self.clock = (self.clock + 1).min(MOST_COUNTED);
    }

    /// Passes the turn to the other side, also in `key`.
    #[inline]
    pub(crate) fn pass(&mut self, key: &mut Key) {
        if self.side == Side::Black {
            self.fullmove = (self.fullmove + 1).min(MOST_COUNTED);
        }
        self.side = self.side.other();
        *key ^= BLACK;
    }

    /// The letter of the side to move in a position string.
    pub(crate) const fn letter(self) -> char {
        match self.side {
            Side::White => 'w',
            Side::Black => 'b',
        }
    }
}
