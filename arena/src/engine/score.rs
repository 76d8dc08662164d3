//! [`Score`]: what a line is worth, as protocols write it.

use games::{Outcome, Side};
use search::Proof;

use super::FoundLine;

/// What a line is worth for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Score {
    /// In hundredths of a pawn, as Lc0 makes them of expected scores.
    Centipawns(i32),
    /// The game is decided after so many moves of the winner: a loss if it is negative. With
    /// several steps a move, at most so many.
    Mate(i32),
}

impl FoundLine {
    /// What the line is worth for `mover`, the side to move.
    pub(crate) fn score(&self, mover: Side) -> Score {
        match self.proven {
            Some(Proof { outcome: Outcome::Win(winner), steps }) => {
                let moves = i32::from(steps).midpoint(1).max(1);
                Score::Mate(if winner == mover { moves } else { -moves })
            }
            Some(Proof { outcome: Outcome::Draw, .. }) => Score::Centipawns(0),
            None => Score::Centipawns(centipawns(self.value.score().into())),
        }
    }
}

/// An expected score of -1 to 1 as a number of centipawns, up to 12,780 of them.
fn centipawns(score: f64) -> i32 {
    (90.0 * (1.563_754_189_7 * score).tan()).round() as i32
}

#[cfg(test)]
mod tests {
    use search::Wdl;

    use super::*;

    #[test]
    fn scores_are_centipawns_or_moves_to_mate() {
        let score = |value, proven| {
            let (beginning, moves) = (Vec::new(), Vec::new());
            let line = FoundLine { beginning, moves, value, proven, visits: 1, prior: 0.5 };
            line.score(Side::White)
        };
        let even = Wdl { win: 0.5, draw: 0.0, loss: 0.5 };
        let proven = |outcome, steps| score(even, Some(Proof { outcome, steps }));
        assert_eq!(proven(Outcome::Win(Side::White), 1), Score::Mate(1));
        assert_eq!(proven(Outcome::Win(Side::White), 5), Score::Mate(3));
        assert_eq!(proven(Outcome::Win(Side::Black), 2), Score::Mate(-1));
        assert_eq!(proven(Outcome::Win(Side::Black), 4), Score::Mate(-2));
        assert_eq!(proven(Outcome::Draw, 4), Score::Centipawns(0));
        let unproven = |win, loss| score(Wdl { win, draw: 1.0 - win - loss, loss }, None);
        assert_eq!(unproven(0.5, 0.5001), Score::Centipawns(0));
        assert_eq!(unproven(0.5, 0.0), Score::Centipawns(89));
        assert_eq!(unproven(0.0, 0.5), Score::Centipawns(-89));
        assert_eq!(unproven(1.0, 0.0), Score::Centipawns(12_780));
    }
}
