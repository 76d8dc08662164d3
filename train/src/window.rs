//! [`ReplayWindow`]: the newest games, and random rows of them.

use std::collections::{HashSet, VecDeque};

use rand::Rng;
use rand::seq::IteratorRandom as _;
use selfplay::{Choice, GameRecord};

use crate::surprise::chances;

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
/// Rows are drawn evenly over the window, or, within each game, more often where its search has found
/// something out. A batch holds two rows of one game only if games are too few for anything else:
/// rows of one game share one result, and a value head that sees many of them at once learns games by
/// heart instead of positions.
#[derive(Debug, Default)]
pub struct ReplayWindow {
    /// The share of a game's draws that goes by surprise.
    surprise: f64,
    games: VecDeque<Held>,
    /// Rows before the first game held, counted from the beginning of the run.
    gone: u64,
}

#[derive(Debug)]
struct Held {
    record: GameRecord,
    /// The steps that are rows.
    rows: Vec<u32>,
    /// For each of them, the chance that a row drawn from the game is this one or an earlier one;
    /// nothing if all are drawn evenly.
    chances: Box<[f32]>,
    /// Rows up to and including this game, counted from the beginning of the run.
    end: u64,
}

impl Held {
    /// The place of a row of this game, which has one.
    fn draw(&self, rng: &mut impl Rng) -> usize {
        match *self.chances {
            [] => rng.random_range(0..self.rows.len()),
            _ => {
                let drawn = rng.random::<f32>();
                self.chances.partition_point(|&chance| chance <= drawn)
            }
        }
    }
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
    /// An empty window whose rows are drawn by surprise to the share `surprise`, 0 to 1, and evenly
    /// otherwise. Each game is drawn as often as it has rows either way.
    #[must_use]
    pub fn new(surprise: f64) -> Self {
        Self { surprise, ..Self::default() }
    }

    /// Adds a game as the newest.
    pub fn push(&mut self, mut record: GameRecord) {
        // It stays for long, and a list that grew step by step may be half empty.
        record.steps.shrink_to_fit();
        let rows = rows_of(&record);
        let chances = if self.surprise > 0.0 {
            chances(rows.iter().map(|&row| &record.steps[row as usize]), self.surprise)
        } else {
            Box::default()
        };
        let end = self.end() + rows.len() as u64;
        self.games.push_back(Held { record, rows, chances, end });
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

    /// Draws `count` rows, no two of one game if there are `count` games with rows. The same generator
    /// state draws the same rows from the same window.
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
                if seen.contains(&drawn.0) && self.games.len() >= count {
                    drawn = self.draw_other(&seen, rng).unwrap_or(drawn);
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
        let held = &self.games[game];
        let start = held.end - held.rows.len() as u64;
        let place = match *held.chances {
            [] => (row - start) as usize,
            _ => held.draw(rng),
        };
        (game, place)
    }

    /// A row of a game that is not among those `seen`, all such games equally likely.
    fn draw_other(&self, seen: &HashSet<usize>, rng: &mut impl Rng) -> Option<(usize, usize)> {
        let games = self.games.iter().enumerate();
        let others = games.filter(|(game, held)| !seen.contains(game) && !held.rows.is_empty());
        let (game, held) = others.choose(rng)?;
        Some((game, held.draw(rng)))
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
            resignation: None,
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
    }

    #[test]
    fn a_batch_has_each_game_once_where_that_can_be() {
        for surprise in [0.0, 0.5] {
            let mut window = ReplayWindow::new(surprise);
            // One game has as many rows as all others together; one has none.
            (0..32).for_each(|seed| window.push(game(seed, if seed == 3 { 90 } else { 3 })));
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
            for _ in 0..20 {
                let batch = window.sample(32, &mut rng);
                let games: HashSet<u64> = batch.iter().map(|row| row.record.seed).collect();
                assert_eq!(games.len(), 32);
            }
            // Fewer games than rows: each may come again.
            assert_eq!(window.sample(80, &mut rng).len(), 80);
            window.push(game(99, 0));
            assert_eq!(window.sample(33, &mut rng).len(), 33);
        }
    }

    /// Surprise moves draws within a game, never from game to game.
    #[test]
    fn surprising_rows_are_drawn_more_often() {
        let mut window = ReplayWindow::new(0.5);
        let mut news = game(1, 4);
        // The network gave the only legal step a tenth.
        news.steps[5].visited = Box::new([selfplay::Visited {
            index: 0,
            proven: None,
            visits: 1,
            q: half::f16::ZERO,
            prior: half::f16::from_f32(0.1),
        }]);
        let even = search::Wdl { win: 0.5, draw: 0.0, loss: 0.5 }.into();
        news.steps[5].values = Some(selfplay::RootValues { raw: Some(even), searched: even });
        window.push(news);
        window.push(game(2, 4));
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut counts = std::collections::HashMap::new();
        for _ in 0..8000 {
            let row = window.sample(1, &mut rng)[0];
            *counts.entry((row.record.seed, row.index)).or_insert(0) += 1;
        }
        let near = |key, expected: f64| {
            let found = f64::from(counts[&key]);
            assert!((found - expected).abs() < 5.0 * expected.sqrt(), "{key:?}: {found}");
        };
        near((1, 5), 4000.0 * 0.625);
        [3, 4, 6].into_iter().for_each(|index| near((1, index), 4000.0 * 0.125));
        (3..7).for_each(|index| near((2, index), 1000.0));
    }
}
