//! [`MatchResult`]: how a match went.

use games::{EndReason, Side};
use serde::{Deserialize, Serialize};

use crate::Elo;

/// Games won, drawn and lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Score {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Score {
    /// Counts a game that scored 1, 0 or -1.
    pub(crate) fn count(&mut self, score: i8) {
        match score {
            1.. => self.wins += 1,
            0 => self.draws += 1,
            _ => self.losses += 1,
        }
    }

    /// The number of games.
    #[must_use]
    pub fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Points a game, draws counting half: 0 to 1, and one half if there was no game.
    #[must_use]
    pub fn share(self) -> f64 {
        if self.games() == 0 {
            return 0.5;
        }
        (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(self.games())
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "+{} ={} -{}", self.wins, self.draws, self.losses)
    }
}

/// Why games ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct EndCounts {
    /// By the game's own rules.
    pub rules: u32,
    /// Drawn by repetition.
    pub repetition: u32,
    /// Lost by perpetual check.
    #[serde(default)]
    pub perpetual_check: u32,
    /// Drawn by the hundred-ply rule.
    pub hundred_plies: u32,
    /// Adjudicated at the game's maximum length.
    pub maximum_length: u32,
}

impl EndCounts {
    fn count(&mut self, reason: EndReason) {
        match reason {
            EndReason::Rules => self.rules += 1,
            EndReason::Repetition => self.repetition += 1,
            EndReason::PerpetualCheck => self.perpetual_check += 1,
            EndReason::HundredPlies => self.hundred_plies += 1,
            EndReason::MaximumLength => self.maximum_length += 1,
        }
    }
}

/// One game of a match, seen by A.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GameResult {
    /// 1 if A won, 0 for a draw, -1 if A lost.
    pub(crate) score: i8,
    /// Whole moves from the start of the opening.
    pub(crate) plies: u32,
    /// Which rule ended it.
    pub(crate) reason: EndReason,
}

/// The two games of an opening, seen by A.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairResult {
    /// The opening: an index into the book.
    pub opening: usize,
    /// How A scored as White and as Black: 1 won, 0 drawn, -1 lost.
    pub scores: [i8; 2],
    /// The lengths of the two games in plies, the opening included.
    pub plies: [u32; 2],
}

/// A finished or stopped match of A against B, seen by A. Games whose twin with the other colours
/// was not finished are left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MatchResult {
    /// The id of the game.
    pub game: String,
    /// The name of A.
    pub a: String,
    /// The name of B.
    pub b: String,
    /// The seed of the match.
    pub seed: u64,
    /// All games.
    pub score: Score,
    /// The games in which A had White.
    pub as_white: Score,
    /// The games in which A had Black.
    pub as_black: Score,
    /// How many pairs gave A 0, 1/2, 1, 3/2 and 2 points.
    pub pentanomial: [u32; 5],
    /// The pairs, in the order in which the match lists them.
    pub pairs: Vec<PairResult>,
    /// The mean length of a game in plies, the opening included; 0 without games.
    pub mean_plies: f64,
    /// Why the games ended.
    pub ends: EndCounts,
    /// Wall-clock time from the start of its first game to the end of its last one. Matches of one
    /// table overlap.
    pub seconds: f64,
    /// Whether all games were played: `false` after a stop.
    pub complete: bool,
}

impl MatchResult {
    /// The Elo difference A - B that the pairs speak for.
    #[must_use]
    pub fn elo(&self) -> Elo {
        Elo::of_pairs(&self.pentanomial)
    }

    /// No games yet.
    pub(crate) fn empty(game: &str, a: &str, b: &str, seed: u64) -> Self {
        Self {
            game: game.to_owned(),
            a: a.to_owned(),
            b: b.to_owned(),
            seed,
            score: Score::default(),
            as_white: Score::default(),
            as_black: Score::default(),
            pentanomial: [0; 5],
            pairs: Vec::new(),
            mean_plies: 0.0,
            ends: EndCounts::default(),
            seconds: 0.0,
            complete: false,
        }
    }

    /// Adds the two games of `opening`, the one in which A has White first.
    pub(crate) fn add(&mut self, opening: usize, games: [GameResult; 2]) {
        let before = f64::from(self.score.games());
        for (game, side) in games.iter().zip(Side::ALL) {
            self.score.count(game.score);
            match side {
                Side::White => self.as_white.count(game.score),
                Side::Black => self.as_black.count(game.score),
            }
            self.ends.count(game.reason);
        }
        let plies = games.map(|game| game.plies);
        let total = self.mean_plies * before + f64::from(plies[0]) + f64::from(plies[1]);
        self.mean_plies = total / (before + 2.0);
        let scores = games.map(|game| game.score);
        let half_points = scores[0] + scores[1] + 2;
        self.pentanomial[usize::try_from(half_points).expect("two scores of -1 to 1")] += 1;
        self.pairs.push(PairResult { opening, scores, plies });
    }
}

impl std::fmt::Display for MatchResult {
    /// One line: players, games, score, Elo.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&crate::table::row(self, [self.a.len(), self.b.len(), 0]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_once_in_every_list() {
        let mut result = MatchResult::empty("chess", "a", "b", 1);
        let game = |score, plies, reason| GameResult { score, plies, reason };
        result.add(0, [game(1, 10, EndReason::Rules), game(0, 20, EndReason::Repetition)]);
        result.add(1, [game(-1, 30, EndReason::Rules), game(-1, 40, EndReason::Rules)]);
        result
            .add(2, [game(0, 50, EndReason::MaximumLength), game(0, 60, EndReason::HundredPlies)]);
        let score = |wins, draws, losses| Score { wins, draws, losses };
        assert_eq!(result.score, score(1, 3, 2));
        assert_eq!(result.as_white, score(1, 1, 1));
        assert_eq!(result.as_black, score(0, 2, 1));
        assert_eq!(result.pentanomial, [1, 0, 1, 1, 0]);
        assert!((result.mean_plies - 35.0).abs() < 1e-9);
        let ends = EndCounts {
            rules: 3,
            repetition: 1,
            perpetual_check: 0,
            hundred_plies: 1,
            maximum_length: 1,
        };
        assert_eq!(result.ends, ends);
        assert_eq!(result.pairs[1], PairResult { opening: 1, scores: [-1, -1], plies: [30, 40] });
        assert!((result.score.share() - 2.5 / 6.0).abs() < 1e-12);
        let json = serde_json::to_string(&result).unwrap();
        assert_eq!(serde_json::from_str::<MatchResult>(&json).unwrap(), result);
    }
}
