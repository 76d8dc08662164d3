//! [`ReplayWindow`]: the newest games, and random rows of them.

use std::collections::{HashSet, VecDeque};

use rand::Rng;
use selfplay::{Choice, GameRecord};

/// A row: a step with a policy target whose game result it may learn.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// The game.
    pub record: &'a GameRecord,
    /// Index into [`GameRecord::steps`].
    pub index: usize,
}

/// The newest games of a run, as many as hold the rows that the window law allows.
///
/// Rows are drawn evenly over the window. A batch holds two rows of one game only if games are too
/// few for anything else: rows of one game share one result, and a value head that sees many of
/// them at once learns games by heart instead of positions.
#[derive(Debug, Default)]
pub struct ReplayWindow {
    games: VecDeque<Held>,
    /// Rows before the first game held, counted from the beginning of the run.
    gone: u64,
}

#[derive(Debug)]
struct Held {
    record: GameRecord,
    /// The steps that are rows.
    rows: Vec<u32>,
    /// Rows up to and including this game, counted from the beginning of the run.
    end: u64,
}

/// How often a row of a game that the batch already has is drawn again before it is accepted.
const REDRAWS: usize = 8;

/// The steps of `record` that are rows: searched in full, and after the last step that was sampled
/// for variety, since the result says little about positions before it.
#[must_use]
pub fn rows_of(record: &GameRecord) -> Vec<u32> {
    let first = record.opening_len();
    let steps = record.steps.iter().enumerate().skip(first);
    steps.filter(|(_, step)| step.choice == Choice::Full).map(|(index, _)| index as u32).collect()
}

impl ReplayWindow {
    /// Adds a game as the newest.
    pub fn push(&mut self, record: GameRecord) {
        let rows = rows_of(&record);
        let end = self.end() + rows.len() as u64;
        self.games.push_back(Held { record, rows, end });
    }

    /// Lets the oldest games go while the others still hold `rows` rows.
    pub fn shrink(&mut self, rows: u64) {
        while let Some(oldest) = self.games.front()
            && self.end() - oldest.end >= rows
        {
            self.pop();
        }
    }

    /// The rows held.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.end() - self.gone
    }

    /// The games held.
    #[must_use]
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// Lets the oldest game go, if there is one.
    pub(crate) fn pop(&mut self) {
        if let Some(oldest) = self.games.pop_front() {
            self.gone = oldest.end;
        }
    }

    /// Rows before the oldest game held, counted from the first that was ever pushed.
    pub(crate) fn gone(&self) -> u64 {
        self.gone
    }

    /// Rows up to the newest game, counted in the same way.
    pub(crate) fn end(&self) -> u64 {
        self.games.back().map_or(self.gone, |newest| newest.end)
    }

    /// Draws `count` rows. The same generator state draws the same rows from the same window.
    ///
    /// # Panics
    /// If the window holds no row.
    #[must_use]
    pub fn sample(&self, count: usize, rng: &mut impl Rng) -> Vec<Row<'_>> {
        let mut seen = HashSet::with_capacity(count);
        (0..count)
            .map(|_| {
                let mut drawn = self.draw(rng);
                for _ in 0..REDRAWS {
                    if !seen.contains(&drawn.0) {
                        break;
                    }
                    drawn = self.draw(rng);
                }
                seen.insert(drawn.0);
                let held = &self.games[drawn.0];
                Row { record: &held.record, index: held.rows[drawn.1] as usize }
            })
            .collect()
    }

    /// The place of a game and of a row in it.
    fn draw(&self, rng: &mut impl Rng) -> (usize, usize) {
        let row = rng.random_range(self.gone..self.end());
        let game = self.games.partition_point(|held| held.end <= row);
        let start = self.games[game].end - self.games[game].rows.len() as u64;
        (game, (row - start) as usize)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use games::Game;
    use rand::SeedableRng as _;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use selfplay::{Policy, StepRecord};

    use super::*;

    /// A game of `steps` full searches after one opening step. Its moves are not legal: the window
    /// does not look at them.
    pub(crate) fn game(seed: u64, steps: usize) -> GameRecord {
        let step = |choice| StepRecord {
            played: games::Step::from_bits(0),
            legal: 1,
            choice,
            proven: None,
            values: None,
            target: Some(Policy::new(&[1.0], |_| true)),
            visited: Box::default(),
        };
        let mut record = GameRecord {
            game: Game::by_id("cheskers").unwrap(),
            seed,
            start: String::new(),
            nets: Vec::new(),
            steps: vec![step(Choice::Full), step(Choice::Opening), step(Choice::Forced)],
            end: None,
        };
        record.steps.extend((0..steps).map(|_| step(Choice::Full)));
        record
    }

    #[test]
    fn rows_are_the_full_searches_after_the_opening() {
        assert_eq!(rows_of(&game(1, 2)), [3, 4]);
    }

    #[test]
    fn the_window_keeps_just_enough_of_the_newest_games() {
        let mut window = ReplayWindow::default();
        (0..10).for_each(|seed| window.push(game(seed, 10)));
        window.shrink(35);
        assert_eq!((window.rows(), window.games()), (40, 4));
        window.push(game(10, 3));
        assert_eq!(window.rows(), 43);
        window.shrink(35);
        assert_eq!(window.games(), 5, "33 rows would be too few");
    }

    #[test]
    fn rows_are_drawn_evenly_and_one_a_game_where_that_can_be() {
        let mut window = ReplayWindow::default();
        // Games of very different lengths: a row's chance must not depend on its game's length.
        (0..40).for_each(|seed| window.push(game(seed, 1 + seed as usize % 4 * 5)));
        window.shrink(200);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut counts = std::collections::HashMap::new();
        for _ in 0..20_000 {
            let row = window.sample(1, &mut rng)[0];
            assert_eq!(row.record.steps[row.index].choice, Choice::Full);
            *counts.entry((row.record.seed, row.index)).or_insert(0) += 1;
        }
        assert_eq!(counts.len() as u64, window.rows());
        let mean = 20_000.0 / window.rows() as f64;
        assert!(counts.values().all(|&n| (f64::from(n) - mean).abs() < 5.0 * mean.sqrt()));

        let batch = window.sample(8, &mut rng);
        let games: HashSet<u64> = batch.iter().map(|row| row.record.seed).collect();
        assert!(games.len() >= 7, "{games:?}");
    }
}
