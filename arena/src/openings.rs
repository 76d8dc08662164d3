//! Finding openings: a few random moves after which neither side is lost.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use games::{Game, History, Key, Move, State, Step};
use rand::Rng;
use serde::{Deserialize, Serialize};

use crate::alphabeta::{AlphaBeta, WIN};
use crate::seeds::{Random, derived, random};
use crate::spec::moves_at_start;
use crate::{Line, OpeningBook};

/// What an opening is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OpeningSettings {
    /// Random plies at least.
    pub least_plies: u32,
    /// Random plies at most.
    pub most_plies: u32,
    /// The greatest advantage of either side that a search may see, in hundredths of a pawn.
    pub most_advantage: i32,
}

impl Default for OpeningSettings {
    fn default() -> Self {
        Self { least_plies: 2, most_plies: 6, most_advantage: 100 }
    }
}

impl OpeningSettings {
    /// The moves that the search looks ahead: 4, or fewer where that many are too many lines of play
    /// from the start; on boards of more than 64 cells 1.
    #[must_use]
    pub fn depth(game: &Game) -> u32 {
        if game.geometry.cell_count() > 64 {
            return 1;
        }
        let moves = moves_at_start(game) as u64;
        (2..=4).rev().find(|&depth| moves.pow(depth) <= MOST_LINES).unwrap_or(1)
    }
}

/// The most lines of play that an opening is judged by, before alpha-beta has left most of them out.
const MOST_LINES: u64 = 8_000_000;

/// Tries for each opening wanted, before the search gives up.
const TRIES: u64 = 100;

/// Tries a round; a multiple of any sensible number of threads.
const ROUND: u64 = 64;

impl OpeningBook {
    /// Finds `count` openings of `game` that lead to different positions, on `threads` threads.
    /// Fewer come back if there do not seem to be so many, or if `stop` is set meanwhile. They
    /// depend on `seed` and not on the number of threads.
    #[must_use]
    pub fn find(
        game: &'static Game,
        count: usize,
        settings: &OpeningSettings,
        seed: u64,
        threads: usize,
        stop: &AtomicBool,
    ) -> Self {
        let mut lines = Vec::new();
        let mut judged = HashSet::new();
        let most_tries = TRIES * (count as u64 + 10);
        for first in (0..most_tries).step_by(ROUND as usize) {
            if lines.len() >= count || stop.load(Ordering::Relaxed) {
                break;
            }
            for (line, balanced) in
                round(game, settings, seed, first, threads.max(1) as u64, &judged)
            {
                if judged.insert(line.state().key()) && balanced && lines.len() < count {
                    lines.push(line);
                }
            }
        }
        Self { game, seed, lines }
    }
}

/// The tries from `first` on that lead to positions not `judged` before, in order, and whether these
/// are balanced. Where few positions can be reached, nearly all tries lead to old ones, and it is the
/// searches that take the time.
fn round(
    game: &'static Game,
    settings: &OpeningSettings,
    seed: u64,
    first: u64,
    threads: u64,
    judged: &HashSet<Key>,
) -> Vec<(Line, bool)> {
    let worker = |thread: u64| {
        let mut search = AlphaBeta::default();
        (first + thread..first + ROUND)
            .step_by(threads as usize)
            .filter_map(|attempt| {
                let mut random = random(derived(seed, &[attempt]));
                let line = random_line(game, settings, &mut random)?;
                if judged.contains(&line.state().key()) {
                    return None;
                }
                let balanced = is_balanced(line.state(), settings, &mut search);
                Some((attempt, line, balanced))
            })
            .collect::<Vec<_>>()
    };
    let mut found = std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..threads).map(|thread| scope.spawn(move || worker(thread))).collect();
        let joined = workers.into_iter().map(|worker| worker.join().expect("no search panics"));
        joined.flatten().collect::<Vec<_>>()
    });
    found.sort_by_key(|&(attempt, ..)| attempt);
    found.into_iter().map(|(_, line, balanced)| (line, balanced)).collect()
}

/// As many random moves as `settings` allow; none if the game is over before.
fn random_line(
    game: &'static Game,
    settings: &OpeningSettings,
    random: &mut Random,
) -> Option<Line> {
    let most = settings.most_plies.max(settings.least_plies);
    let plies = random.random_range(settings.least_plies..=most);
    let mut line = Line::new(game.start());
    for _ in 0..plies {
        line.play(random_move(line.state(), random)?);
    }
    Some(line)
}

/// A random move, step by step; none if the game is over.
fn random_move(state: &History, random: &mut Random) -> Option<Move> {
    let mut state = state.clone();
    let mut played = Vec::new();
    let mut steps: Vec<Step> = Vec::new();
    loop {
        steps.clear();
        if state.steps(&mut steps).is_some() {
            return None;
        }
        let step = steps[random.random_range(0..steps.len())];
        state.play(step);
        played.push(step);
        if !state.position().mid_move() {
            return Some(Move::new(&played));
        }
    }
}

/// Whether the game goes on and a search sees neither a forced win nor a great advantage.
fn is_balanced(state: &History, settings: &OpeningSettings, search: &mut AlphaBeta) -> bool {
    if state.outcome().is_some() {
        return false;
    }
    // However much is allowed, a forced win is not.
    let most = settings.most_advantage.clamp(0, WIN / 2);
    let depth = OpeningSettings::depth(state.game());
    search.value(state, depth, -most - 1, most + 1).abs() <= most
}

#[cfg(test)]
mod tests {
    use super::*;

    static GO_ON: AtomicBool = AtomicBool::new(false);

    fn find(game: &'static Game, count: usize, seed: u64, threads: usize) -> OpeningBook {
        OpeningBook::find(game, count, &OpeningSettings::default(), seed, threads, &GO_ON)
    }

    #[test]
    fn openings_are_distinct_balanced_and_as_long_as_asked() {
        for game in Game::all() {
            let book = find(game, 20, 5, 2);
            assert_eq!(book.lines.len(), 20, "{}", game.id);
            let keys: HashSet<_> = book.lines.iter().map(|line| line.state().key()).collect();
            assert_eq!(keys.len(), 20, "{}", game.id);
            for line in &book.lines {
                assert!((2..=6).contains(&line.moves().len()));
                let depth = OpeningSettings::depth(game);
                let value = AlphaBeta::default().value(line.state(), depth, -WIN, WIN);
                assert!(value.abs() <= 100, "{}: {value}", line.state().position().fen());
            }
        }
    }

    #[test]
    fn openings_depend_on_the_seed_alone() {
        let game = &Game::all()[0];
        let texts = |seed, threads| {
            let book = find(game, 10, seed, threads);
            book.lines.iter().map(Line::texts).collect::<Vec<_>>()
        };
        assert_eq!(texts(1, 1), texts(1, 3));
        assert_ne!(texts(1, 1), texts(2, 1));
    }

    #[test]
    fn a_stop_ends_the_search_for_openings() {
        let stop = AtomicBool::new(true);
        let game = &Game::all()[0];
        let book = OpeningBook::find(game, 10, &OpeningSettings::default(), 1, 1, &stop);
        assert!(book.lines.is_empty());
    }
}
