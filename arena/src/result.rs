//! [`MatchResult`]: how a match went.

use games::{Outcome, Side, Step};
use serde::{Deserialize, Serialize};

use crate::elo::superiority;
use crate::{Elo, EndCounts, Ending};

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

    /// Adds other games.
    pub(crate) fn add(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }

    /// The same games seen by the opponent.
    pub(crate) fn turned(self) -> Self {
        Self { wins: self.losses, losses: self.wins, ..self }
    }

    /// The number of games.
    #[must_use]
    pub fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Points, draws counting half.
    #[must_use]
    pub fn points(self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// Points a game: 0 to 1, and one half if there was no game.
    #[must_use]
    pub fn share(self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => self.points() / f64::from(games),
        }
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "+{} ={} -{}", self.wins, self.draws, self.losses)
    }
}

/// One finished game of a match, seen by A.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedGame {
    /// The number of the game in its match: 2k and 2k + 1 make pair k; A has White in the first.
    pub index: usize,
    /// 1 if A won, 0 for a draw, -1 if A lost.
    pub score: i8,
    /// Whole moves, the opening included.
    pub plies: u32,
    /// Why it ended.
    pub ending: Ending,
    /// The steps played after the opening.
    pub steps: Vec<Step>,
    /// Positions that networks were asked about.
    pub evaluations: u64,
    /// What has happened, in a sentence, if a player could not go on or resigned.
    pub note: Option<String>,
}

impl PlayedGame {
    /// The colour of A.
    #[must_use]
    pub fn color_of_a(&self) -> Side {
        Side::ALL[self.index % 2]
    }

    /// Who won.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match self.score {
            1.. => Outcome::Win(self.color_of_a()),
            0 => Outcome::Draw,
            _ => Outcome::Win(self.color_of_a().other()),
        }
    }
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
/// was not finished are left out, and so are pairs with a copy of a game that is counted already.
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
    /// Pairs left out because one of their games, move for move, is counted already. Only players
    /// that do not vary their play are looked at: for others, equal games are chance.
    #[serde(default)]
    pub copies: u32,
    /// Positions that networks were asked about by this process, those of games that were not
    /// finished or do not count among them.
    #[serde(default)]
    pub evaluations: u64,
    /// Wall-clock time from the start of its first game to the end of its last one, or to the stop,
    /// in this process. Matches of one table overlap.
    pub seconds: f64,
    /// Whether all games were played, or as many as a test needed: `false` after a stop.
    pub complete: bool,
}

impl MatchResult {
    /// The Elo difference A - B that the pairs speak for.
    #[must_use]
    pub fn elo(&self) -> Elo {
        Elo::of_pairs(&self.pentanomial)
    }

    /// The likelihood that A is the stronger one, from 0 to 1 ("LOS"): the chance of a mean above
    /// one half, were the mean of the pairs normally distributed with the variance that [`Elo`]
    /// takes; one half without games.
    #[must_use]
    pub fn superiority(&self) -> f64 {
        superiority(&self.pentanomial)
    }

    /// The share of drawn games, 0 to 1; 0 without games.
    #[must_use]
    pub fn draw_share(&self) -> f64 {
        f64::from(self.score.draws) / f64::from(self.score.games().max(1))
    }

    /// Positions that networks evaluated a second.
    #[must_use]
    pub fn evaluations_per_second(&self) -> f64 {
        self.evaluations as f64 / self.seconds.max(1e-9)
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
            copies: 0,
            evaluations: 0,
            seconds: 0.0,
            complete: false,
        }
    }

    /// Adds the two games of `opening`, the one in which A has White first.
    pub(crate) fn add(&mut self, opening: usize, games: [&PlayedGame; 2]) {
        let before = f64::from(self.score.games());
        for (game, side) in games.iter().zip(Side::ALL) {
            self.score.count(game.score);
            match side {
                Side::White => self.as_white.count(game.score),
                Side::Black => self.as_black.count(game.score),
            }
            self.ends.count(game.ending);
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
pub(crate) mod tests {
    use games::EndReason;

    use super::*;

    /// A game without moves.
    pub(crate) fn game(index: usize, score: i8, plies: u32, reason: EndReason) -> PlayedGame {
        let (ending, steps) = (Ending::Rule(reason), Vec::new());
        PlayedGame { index, score, plies, ending, steps, evaluations: 0, note: None }
    }

    /// A match of pairs that gave A 0, 1/2, 1 (two draws), 3/2 and 2 points.
    pub(crate) fn result(a: &str, b: &str, pairs: [u32; 5]) -> MatchResult {
        let mut result = MatchResult::empty("cheskers", a, b, 1);
        let scores = [[-1, -1], [0, -1], [0, 0], [1, 0], [1, 1]];
        for (scores, count) in scores.into_iter().zip(pairs) {
            for _ in 0..count {
                let [white, black] = [0, 1].map(|i| game(i, scores[i], 40, EndReason::Rules));
                result.add(0, [&white, &black]);
            }
        }
        result.complete = true;
        result
    }

    #[test]
    fn pairs_are_counted_once_in_every_list() {
        use EndReason::{HundredPlies, MaximumLength, Repetition, Rules};
        let mut result = MatchResult::empty("chess", "a", "b", 1);
        result.add(0, [&game(0, 1, 10, Rules), &game(1, 0, 20, Repetition)]);
        result.add(1, [&game(2, -1, 30, Rules), &game(3, -1, 40, Rules)]);
        result.add(2, [&game(4, 0, 50, MaximumLength), &game(5, 0, 60, HundredPlies)]);
        let score = |wins, draws, losses| Score { wins, draws, losses };
        assert_eq!(result.score, score(1, 3, 2));
        assert_eq!(result.as_white, score(1, 1, 1));
        assert_eq!(result.as_black, score(0, 2, 1));
        assert_eq!(result.pentanomial, [1, 0, 1, 1, 0]);
        assert!((result.mean_plies - 35.0).abs() < 1e-9);
        assert!((result.draw_share() - 0.5).abs() < 1e-9);
        let ends = EndCounts {
            rules: 3,
            repetition: 1,
            hundred_plies: 1,
            maximum_length: 1,
            ..EndCounts::default()
        };
        assert_eq!(result.ends, ends);
        assert_eq!(result.pairs[1], PairResult { opening: 1, scores: [-1, -1], plies: [30, 40] });
        assert!((result.score.share() - 2.5 / 6.0).abs() < 1e-12);
        let json = serde_json::to_string(&result).unwrap();
        assert_eq!(serde_json::from_str::<MatchResult>(&json).unwrap(), result);
    }

    #[test]
    fn the_winner_of_a_game_follows_from_who_had_which_colour() {
        let outcome = |index, score| game(index, score, 1, EndReason::Rules).outcome();
        assert_eq!(outcome(0, 1), Outcome::Win(Side::White));
        assert_eq!(outcome(0, -1), Outcome::Win(Side::Black));
        assert_eq!(outcome(1, 1), Outcome::Win(Side::Black));
        assert_eq!(outcome(1, -1), Outcome::Win(Side::White));
        assert_eq!(outcome(1, 0), Outcome::Draw);
    }
}
