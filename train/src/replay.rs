//! [`Replay`]: a run's newest games, split into those to learn from and those to be asked about.

use std::collections::VecDeque;

use selfplay::GameRecord;

use crate::seeds::mixed;
use crate::window::{ReplayWindow, rows_of};

/// The newest games of a run: those to learn from, as many as the window law allows, and those of
/// the same time that are kept out of training, so that the loss on them tells what was learned
/// from what was learned by heart.
///
/// The split is by game, since the rows of a game share its result. It depends on nothing but the
/// game's seed, so a game is on the same side whenever and by whomever it is read.
#[derive(Debug)]
pub struct Replay {
    share: f64,
    training: ReplayWindow,
    validation: ReplayWindow,
    /// For each game of `validation`: the rows to learn from that are older, counted as
    /// [`ReplayWindow::gone`] counts.
    marks: VecDeque<u64>,
}

/// The rows of one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameRows {
    /// So many to learn from.
    Training(u64),
    /// So many kept out of training.
    Validation(u64),
}

impl GameRows {
    /// The rows of `record` in a run that keeps `share` of its games for validation.
    #[must_use]
    pub fn of(record: &GameRecord, share: f64) -> Self {
        let rows = rows_of(record).len() as u64;
        match is_kept(record, share) {
            true => Self::Validation(rows),
            false => Self::Training(rows),
        }
    }
}

/// Whether `record` is one of the `share` of all games that nothing is learned from.
fn is_kept(record: &GameRecord, share: f64) -> bool {
    /// Makes the split independent of whatever else is derived from the seed.
    const SALT: u64 = 0x7661_6c69_6461_7465;
    let uniform = (mixed(record.seed, SALT) >> 11) as f64 / (1_u64 << 53) as f64;
    uniform < share
}

impl Replay {
    /// Holds nothing yet, and will keep `share` of the games for validation. The rows of both sides are
    /// drawn by `surprise` ([`ReplayWindow::new`]), so that their losses can be compared.
    #[must_use]
    pub fn new(share: f64, surprise: f64) -> Self {
        Self {
            share,
            training: ReplayWindow::new(surprise),
            validation: ReplayWindow::new(surprise),
            marks: VecDeque::new(),
        }
    }

    /// Adds a game as the newest, on its side, and says what that is.
    pub fn push(&mut self, record: GameRecord) -> GameRows {
        let rows = GameRows::of(&record, self.share);
        match rows {
            GameRows::Training(_) => self.training.push(record),
            GameRows::Validation(_) => {
                self.marks.push_back(self.training.end());
                self.validation.push(record);
            }
        }
        rows
    }

    /// Lets the oldest games go while there are still `rows` rows to learn from, and those kept for
    /// validation that are older than what is left.
    pub fn shrink(&mut self, rows: u64) {
        self.training.shrink(rows);
        while self.marks.front().is_some_and(|&mark| mark <= self.training.gone()) {
            self.marks.pop_front();
            self.validation.pop();
        }
    }

    /// The games to learn from.
    #[must_use]
    pub fn training(&self) -> &ReplayWindow {
        &self.training
    }

    /// The games kept out of training.
    #[must_use]
    pub fn validation(&self) -> &ReplayWindow {
        &self.validation
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::window::tests::game;

    #[test]
    fn the_split_is_by_game_of_the_share_asked_for_and_always_the_same() {
        let kept = |share| (0..10_000).filter(|&seed| is_kept(&game(seed, 1), share)).count();
        assert_eq!((kept(0.0), kept(1.0)), (0, 10_000));
        let some = kept(0.05);
        assert!((400..600).contains(&some), "{some}");
        let mut replay = Replay::new(0.3, 0.0);
        for seed in 0..200 {
            let record = game(seed, 5);
            let rows = GameRows::of(&record, 0.3);
            assert_eq!(replay.push(record), rows);
        }
        assert_eq!(replay.training().games() + replay.validation().games(), 200);
        assert!(replay.validation().games() > 30);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for row in replay.training().sample(2000, &mut rng) {
            assert!(!is_kept(row.record, 0.3), "a game kept for validation is trained on");
        }
        for row in replay.validation().sample(2000, &mut rng) {
            assert!(is_kept(row.record, 0.3), "a game that is trained on is validated with");
        }
        // A larger share keeps those that a smaller one keeps.
        assert!((0..500).all(|n| !is_kept(&game(n, 1), 0.1) || is_kept(&game(n, 1), 0.2)));
    }

    #[test]
    fn what_is_kept_is_as_old_as_what_is_learned_from_also_when_read_again() {
        let mut straight = Replay::new(0.3, 0.0);
        for seed in 0..300 {
            straight.push(game(seed, 5));
            straight.shrink(200);
        }
        assert!(straight.training().rows() >= 200 && straight.training().rows() < 205);
        assert!((8..40).contains(&straight.validation().games()));
        // From some game before the oldest on, as a run that goes on reads it.
        for first in [0, 100, 200] {
            let mut again = Replay::new(0.3, 0.0);
            for seed in first..300 {
                again.push(game(seed, 5));
            }
            again.shrink(200);
            assert_eq!(again.training().rows(), straight.training().rows());
            assert_eq!(again.validation().games(), straight.validation().games(), "{first}");
        }
    }
}
