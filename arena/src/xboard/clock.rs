//! [`Clock`]: what the user interface has said about time.

use crate::engine::{Budget, EngineOptions};

/// What a user interface may say about time; times are in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Setting {
    /// Sessions of so many moves, of the whole game if there are none, with time that is added to
    /// the clock at their beginning and after each move.
    Level { moves: u64, base: u64, increment: u64 },
    /// For each move.
    MoveTime(u64),
    /// The most moves in the expected line.
    Depth(u64),
    /// The clock counts nodes: so many make a second. With 0 it is the clock on the wall.
    NodeRate(u64),
    /// On the engine's clock.
    Left(u64),
}

/// What the user interface has said about time.
#[derive(Debug, Default)]
pub(super) struct Clock {
    control: Option<Control>,
    depth: Option<u64>,
    node_rate: Option<u64>,
    left: Option<u64>,
}

#[derive(Debug, Clone, Copy)]
enum Control {
    /// The sessions count from the ply `since` on.
    Level {
        moves: u64,
        base: u64,
        increment: u64,
        since: usize,
    },
    MoveTime(u64),
}

impl Clock {
    /// Begins a game: what counts for it alone is forgotten.
    pub(super) fn begin_game(&mut self) {
        (self.depth, self.node_rate, self.left) = (None, None, None);
        if let Some(Control::Level { since, .. }) = &mut self.control {
            *since = 0;
        }
    }

    /// Takes a setting, after so many plies of the game.
    pub(super) fn set(&mut self, setting: Setting, plies: usize) {
        match setting {
            Setting::Level { moves, base, increment } => {
                self.control = Some(Control::Level { moves, base, increment, since: plies });
                self.left = None;
            }
            Setting::MoveTime(time) => self.control = Some(Control::MoveTime(time)),
            Setting::Depth(plies) => self.depth = Some(plies),
            Setting::NodeRate(rate) => self.node_rate = Some(rate).filter(|&rate| rate > 0),
            Setting::Left(time) => self.left = Some(time),
        }
    }

    /// How long the engine may take after so many plies of the game.
    pub(super) fn budget(&self, plies: usize, options: &EngineOptions) -> Budget {
        let budget = match self.control {
            Some(Control::MoveTime(time)) => Budget { move_time: Some(time), ..Budget::default() },
            Some(Control::Level { moves, base, increment, since }) => {
                let made = (plies.saturating_sub(since) / 2) as u64;
                let moves_to_go = made.checked_rem(moves).map(|made| moves - made);
                let clock = Some(self.left.unwrap_or(base));
                Budget { clock, increment, moves_to_go, ..Budget::default() }
            }
            None => Budget { clock: self.left, ..Budget::default() },
        };
        let counted = self.node_rate.and_then(|rate| {
            // Nodes are not lost on the way.
            let time = budget.time(0, options.ponder)?.as_millis() as u64;
            Some(time.saturating_mul(rate) / 1000)
        });
        match counted {
            Some(nodes) => Budget { nodes: Some(nodes), depth: self.depth, ..Budget::default() },
            None => Budget { depth: self.depth, ..budget },
        }
    }
}

#[cfg(test)]
mod tests {
    use games::Game;

    use super::*;

    fn budget(settings: &[Setting], plies: usize) -> Budget {
        let mut clock = Clock::default();
        settings.iter().for_each(|&setting| clock.set(setting, 0));
        clock.budget(plies, &EngineOptions::new(&Game::all()[0]))
    }

    #[test]
    fn sessions_count_the_moves_that_are_left_in_them() {
        let level = Setting::Level { moves: 40, base: 300_000, increment: 0 };
        let moves_to_go = |plies| budget(&[level], plies).moves_to_go;
        assert_eq!([0, 1, 2, 3, 79, 80].map(moves_to_go), [40, 40, 39, 39, 1, 40].map(Some));
        let whole = Setting::Level { moves: 0, base: 60_000, increment: 2000 };
        let expected = Budget { clock: Some(60_000), increment: 2000, ..Budget::default() };
        assert_eq!(budget(&[whole], 7), expected);
        assert_eq!(budget(&[whole, Setting::Left(5)], 7), Budget { clock: Some(5), ..expected });
        // A level that comes in the course of a game counts from there.
        let mut clock = Clock::default();
        clock.set(level, 10);
        let options = EngineOptions::new(&Game::all()[0]);
        assert_eq!(clock.budget(14, &options).moves_to_go, Some(38));
        clock.begin_game();
        assert_eq!(clock.budget(14, &options).moves_to_go, Some(33));
    }

    #[test]
    fn the_last_control_counts_and_depth_comes_on_top() {
        let level = Setting::Level { moves: 0, base: 60_000, increment: 0 };
        let settings = [level, Setting::Left(100), Setting::MoveTime(70), Setting::Depth(3)];
        let expected = Budget { move_time: Some(70), depth: Some(3), ..Budget::default() };
        assert_eq!(budget(&settings, 0), expected);
        assert_eq!(budget(&[], 0), Budget::default());
    }

    #[test]
    fn nodes_stand_for_time() {
        let nodes = |settings: &[Setting]| budget(settings, 0).nodes;
        assert_eq!(nodes(&[Setting::MoveTime(2000), Setting::NodeRate(100)]), Some(200));
        assert_eq!(nodes(&[Setting::MoveTime(2000), Setting::NodeRate(0)]), None);
        assert_eq!(nodes(&[Setting::NodeRate(100)]), None);
    }
}
