//! [`GameFacts`]: what recorded games say about the game itself.

mod page;
mod values;

use std::collections::BTreeMap;

use games::{Game, Outcome, Side, State};
use serde::Serialize;
use statistics::Estimate;

use crate::record::GameRecord;
use crate::replay::ReplayError;

use values::Walk;
pub use values::{PieceValues, Term, Unknown};

/// First facts about a game, from records of it. Shares are from 0 to 1; intervals are of 95%, over
/// games. Games without result are left out of everything but [`GameFacts::cut_off`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GameFacts {
    /// The id of the game.
    pub game: String,
    /// Its title.
    pub title: String,
    /// Games with a result.
    pub games: u64,
    /// Games without result.
    pub cut_off: u64,
    /// Plies, that is whole moves of one side.
    pub plies: u64,
    /// Steps; more than plies if a move can have several.
    pub steps: u64,
    /// Games won by the side that moves first.
    pub first_wins: u64,
    /// Games won by the other side.
    pub second_wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// The score of the side that moves first: its wins and half of the draws.
    pub first_score: Estimate,
    /// The share of draws.
    pub draw_share: Estimate,
    /// Plies a game.
    pub length: Length,
    /// Steps a game; none if each ply is one step.
    pub length_in_steps: Option<Length>,
    /// Legal whole moves in a position between moves; none if the rules do not count them without
    /// playing them.
    pub moves: Option<Branching>,
    /// Legal steps wherever one was played; none if each ply is one step.
    pub legal_steps: Option<Branching>,
    /// Why games were over, the most frequent reason first.
    pub endings: Vec<Ending>,
    /// What the pieces turned out to be worth; none if nothing can be fitted.
    pub piece_values: Option<PieceValues>,
}

/// How long games are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Length {
    /// A quarter of the games is at most so long.
    pub lower_quartile: u32,
    /// Half of them is.
    pub median: u32,
    /// Three quarters are.
    pub upper_quartile: u32,
    /// The longest game.
    pub longest: u32,
}

/// How many choices there are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Branching {
    /// On average over positions.
    pub mean: f64,
    /// In half of the positions there are not more.
    pub median: u32,
    /// In no position are there more.
    pub most: u32,
}

/// A reason why games were over.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ending {
    /// In words, as [`GameRecord::reason`].
    pub reason: String,
    /// Games that ended so.
    pub games: u64,
    /// Their share.
    pub share: Estimate,
}

/// Whole numbers, by how often they were seen.
#[derive(Debug, Clone, Default)]
struct Counts(BTreeMap<u32, u64>);

impl Counts {
    fn add(&mut self, number: usize) {
        *self.0.entry(number.try_into().unwrap_or(u32::MAX)).or_default() += 1;
    }

    fn total(&self) -> u64 {
        self.0.values().sum()
    }

    /// The sum of the numbers.
    fn sum(&self) -> u64 {
        self.0.iter().map(|(&number, times)| u64::from(number) * times).sum()
    }

    /// The least number that `quarters` of the four quarters do not exceed; 0 if there are none.
    fn quantile(&self, quarters: u64) -> u32 {
        let mut left = (quarters * self.total()).div_ceil(4);
        let reaches = |(&number, &times): (&u32, &u64)| {
            left = left.saturating_sub(times);
            (left == 0).then_some(number)
        };
        self.0.iter().find_map(reaches).unwrap_or(0)
    }

    fn most(&self) -> u32 {
        self.0.last_key_value().map_or(0, |(&number, _)| number)
    }

    fn length(&self) -> Length {
        Length {
            lower_quartile: self.quantile(1),
            median: self.quantile(2),
            upper_quartile: self.quantile(3),
            longest: self.most(),
        }
    }

    fn branching(&self) -> Branching {
        let mean = self.sum() as f64 / self.total() as f64;
        Branching { mean, median: self.quantile(2), most: self.most() }
    }
}

/// Gathers [`GameFacts`] from one record after the other.
#[derive(Debug)]
pub struct Facts {
    game: &'static Game,
    cut_off: u64,
    /// By side: games won.
    wins: [u64; 2],
    draws: u64,
    plies: Counts,
    steps: Counts,
    /// Legal whole moves; none as soon as a position had too many to count.
    moves: Option<Counts>,
    legal_steps: Counts,
    endings: BTreeMap<String, u64>,
    values: values::Gathered,
}

impl Facts {
    /// Nothing yet about `game`.
    #[must_use]
    pub fn new(game: &'static Game) -> Self {
        Self {
            game,
            cut_off: 0,
            wins: [0; 2],
            draws: 0,
            plies: Counts::default(),
            steps: Counts::default(),
            moves: Some(Counts::default()),
            legal_steps: Counts::default(),
            endings: BTreeMap::new(),
            values: values::Gathered::new(game),
        }
    }

    /// Takes in a record of the game, which must have passed [`GameRecord::check`] as every record
    /// from a file or a pool has.
    ///
    /// # Errors
    /// If the start is no position of the game.
    ///
    /// # Panics
    /// The rules may panic if a step is illegal.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), ReplayError> {
        let Some(outcome) = record.outcome() else {
            self.cut_off += 1;
            return Ok(());
        };
        match outcome {
            Outcome::Win(side) => self.wins[side.index()] += 1,
            Outcome::Draw => self.draws += 1,
        }
        *self.endings.entry(record.reason()).or_default() += 1;
        self.steps.add(record.steps.len());
        let mut position = record.start()?.position().clone();
        let (mut plies, mut walk) = (0, Walk::default());
        for (index, step) in record.steps.iter().enumerate() {
            self.legal_steps.add(step.legal.into());
            if !position.mid_move() {
                plies += 1;
                self.count_moves(position.count_moves());
                walk.pass(&position, index >= record.opening_len());
            }
            position.play(step.played);
        }
        if !position.mid_move() {
            walk.pass(&position, false);
        }
        self.plies.add(plies);
        self.values.add(&walk, outcome);
        Ok(())
    }

    fn count_moves(&mut self, moves: Option<usize>) {
        match (moves, &mut self.moves) {
            (Some(moves), Some(counts)) => counts.add(moves),
            _ => self.moves = None,
        }
    }

    /// The facts; none if no game had a result.
    #[must_use]
    pub fn finish(self) -> Option<GameFacts> {
        let games = self.plies.total();
        let share = |part| Estimate::of_share(part, games);
        let narrow = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        let [first_wins, second_wins] = self.wins;
        let quarters = [second_wins, 0, self.draws, 0, first_wins].map(narrow);
        let several = self.steps.sum() > self.plies.sum();
        let mut endings = self
            .endings
            .into_iter()
            .map(|(reason, games)| Some(Ending { share: share(games)?, reason, games }))
            .collect::<Option<Vec<_>>>()?;
        endings.sort_by_key(|ending| std::cmp::Reverse(ending.games));
        Some(GameFacts {
            game: self.game.id.to_owned(),
            title: self.game.title.to_owned(),
            games,
            cut_off: self.cut_off,
            plies: self.plies.sum(),
            steps: self.steps.sum(),
            first_wins,
            second_wins,
            draws: self.draws,
            first_score: Estimate::of_points(&quarters)?,
            draw_share: share(self.draws)?,
            length: self.plies.length(),
            length_in_steps: several.then(|| self.steps.length()),
            moves: self.moves.map(|moves| moves.branching()),
            legal_steps: several.then(|| self.legal_steps.branching()),
            endings,
            piece_values: self.values.fit(),
        })
    }
}

const _: () = assert!(Side::White.index() == 0, "White moves first");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_numbers_that_were_seen() {
        let mut counts = Counts::default();
        assert_eq!((counts.quantile(2), counts.most()), (0, 0));
        [7, 1, 3, 3, 9, 12, 5, 4].into_iter().for_each(|number| counts.add(number));
        // 1 3 | 3 4 | 5 7 | 9 12
        let length = Length { lower_quartile: 3, median: 4, upper_quartile: 7, longest: 12 };
        assert_eq!(counts.length(), length);
        assert_eq!(counts.branching(), Branching { mean: 5.5, median: 4, most: 12 });
    }
}
