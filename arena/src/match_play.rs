//! [`Match`]: two players, many games, each opening with both colours.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use games::Game;
use search::EvaluatorError;

use crate::result::GameResult;
use crate::worker::{Desk, Job, Worker};
use crate::{Entrant, MatchResult, OpeningBook, Score};

/// How a match is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatchSettings {
    /// Games: an even number, each opening is played with both colours.
    pub games: u32,
    /// The seed of the random choices of all players.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// Games that a thread plays at the same time: the largest batch a network sees.
    pub games_at_once: usize,
}

impl Default for MatchSettings {
    fn default() -> Self {
        Self { games: 400, seed: 1, threads: 1, games_at_once: 128 }
    }
}

/// A match that is not played, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// Pairs need an even number.
    #[error("a match of {games} games: expected an even number of 2 or more")]
    OddGames {
        /// The number asked for.
        games: u32,
    },
    /// The same games would be played again and counted as if they were new ones.
    #[error(
        "{games} games of {a} against {b} need {needed} different openings and there are {found}: \
         neither player varies its play, so further games would be copies; play at most {most} \
         games, or allow longer openings"
    )]
    FewOpenings {
        /// The number of games asked for.
        games: u32,
        /// The name of A.
        a: String,
        /// The name of B.
        b: String,
        /// Openings needed.
        needed: usize,
        /// Openings in the book.
        found: usize,
        /// Twice that many.
        most: usize,
    },
    /// There is nothing to start from.
    #[error("there are no openings of {game} to play")]
    NoOpenings {
        /// The id of the game.
        game: &'static str,
    },
    /// A network failed during the match.
    #[error("{player}: {error}")]
    Evaluator {
        /// Whose network.
        player: String,
        /// What happened.
        error: EvaluatorError,
    },
}

/// How far a match is, after a game has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Games finished.
    pub finished: u32,
    /// Games in all.
    pub games: u32,
    /// The games finished, seen by A.
    pub score: Score,
}

/// A match of A against B, ready to be played.
///
/// Game 2k and 2k + 1 start from opening k of the book (again from the first one when it ends),
/// with A as White and as Black. Every seat has a seed of its own, so the result depends on the
/// seed, the book and the evaluators, and not on threads.
#[derive(Debug)]
pub struct Match<'a> {
    pub(crate) a: &'a Entrant,
    pub(crate) b: &'a Entrant,
    pub(crate) book: &'a OpeningBook,
    pub(crate) settings: MatchSettings,
}

impl<'a> Match<'a> {
    /// Prepares a match.
    ///
    /// # Errors
    /// If the number of games is odd, or the book too small for players that do not vary.
    pub fn new(
        a: &'a Entrant,
        b: &'a Entrant,
        book: &'a OpeningBook,
        settings: MatchSettings,
    ) -> Result<Self, MatchError> {
        let games = settings.games;
        if games == 0 || !games.is_multiple_of(2) {
            return Err(MatchError::OddGames { games });
        }
        let (needed, found) = (games as usize / 2, book.lines.len());
        if found == 0 {
            return Err(MatchError::NoOpenings { game: book.game.id });
        }
        if a.is_noise_free() && b.is_noise_free() && found < needed {
            let (a, b) = (a.name().to_owned(), b.name().to_owned());
            return Err(MatchError::FewOpenings { games, a, b, needed, found, most: 2 * found });
        }
        Ok(Self { a, b, book, settings })
    }

    /// The game that is played.
    #[must_use]
    pub fn game(&self) -> &'static Game {
        self.book.game
    }

    /// Plays the match. `progress` is called after each game, by one thread at a time. When `stop`
    /// is set the games under way are dropped and the result has the pairs finished so far.
    ///
    /// # Errors
    /// If an evaluator fails; the match is then over.
    pub fn play(
        &self,
        progress: &(dyn Fn(&Progress) + Sync),
        stop: &AtomicBool,
    ) -> Result<MatchResult, MatchError> {
        let results = play_all(
            std::slice::from_ref(self),
            self.settings.threads,
            self.settings.games_at_once,
            &|_, so_far| progress(so_far),
            stop,
        )?;
        Ok(results.into_iter().next().expect("a result for each match"))
    }
}

/// Plays `matches`, their games in order but several at a time: while the last games of a match go
/// on, the next one has begun. The results are as if each had been played alone. `progress` is
/// told the number of the match.
pub(crate) fn play_all(
    matches: &[Match<'_>],
    threads: usize,
    games_at_once: usize,
    progress: &(dyn Fn(usize, &Progress) + Sync),
    stop: &AtomicBool,
) -> Result<Vec<MatchResult>, MatchError> {
    let games: usize = matches.iter().map(|of| of.settings.games as usize).sum();
    if games == 0 {
        return Ok(Vec::new());
    }
    let threads = threads.clamp(1, games);
    // With fewer games than seats each thread takes its share.
    let seats = games_at_once.clamp(1, games.div_ceil(threads));
    let boards = Mutex::new(matches.iter().map(Scoreboard::new).collect::<Vec<_>>());
    let lock = || boards.lock().unwrap_or_else(PoisonError::into_inner);
    let next = AtomicUsize::new(0);
    let abort = AtomicBool::new(false);
    let work = || {
        let _guard = AbortOnPanic(&abort);
        let outcome = Worker::new(seats).run(&Desk {
            next: &|| {
                let (row, index) = place(matches, next.fetch_add(1, Ordering::Relaxed))?;
                lock()[row].began.get_or_insert_with(Instant::now);
                Some(Job::new(row, index, &matches[row]))
            },
            report: &|job, result| progress(job.row, &lock()[job.row].enter(job.index, result)),
            stopped: &|| stop.load(Ordering::Relaxed) || abort.load(Ordering::Relaxed),
        });
        abort.fetch_or(outcome.is_err(), Ordering::Relaxed);
        outcome
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mine = work();
        let others = others
            .into_iter()
            .map(|other| other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        others.fold(mine, Result::and)
    })?;
    let boards = boards.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(matches.iter().zip(boards).map(|(of, board)| board.result(of)).collect())
}

/// Tells the other threads to give up when this one panics.
struct AbortOnPanic<'a>(&'a AtomicBool);

impl Drop for AbortOnPanic<'_> {
    fn drop(&mut self) {
        self.0.fetch_or(std::thread::panicking(), Ordering::Relaxed);
    }
}

/// The match and the game in it that come as number `number` of all, if there are so many.
fn place(matches: &[Match<'_>], number: usize) -> Option<(usize, usize)> {
    let mut index = number;
    for (row, of) in matches.iter().enumerate() {
        match index.checked_sub(of.settings.games as usize) {
            Some(rest) => index = rest,
            None => return Some((row, index)),
        }
    }
    None
}

/// The results of a match as they come in.
struct Scoreboard {
    games: Vec<Option<GameResult>>,
    score: Score,
    began: Option<Instant>,
    seconds: f64,
}

impl Scoreboard {
    fn new(of: &Match<'_>) -> Self {
        let games = vec![None; of.settings.games as usize];
        Self { games, score: Score::default(), began: None, seconds: 0.0 }
    }

    fn enter(&mut self, index: usize, result: GameResult) -> Progress {
        self.games[index] = Some(result);
        self.score.count(result.score);
        self.seconds = self.began.map_or(0.0, |began| began.elapsed().as_secs_f64());
        let games = self.games.len() as u32;
        Progress { finished: self.score.games(), games, score: self.score }
    }

    fn result(&self, of: &Match<'_>) -> MatchResult {
        let mut result =
            MatchResult::empty(of.game().id, of.a.name(), of.b.name(), of.settings.seed);
        for (pair, games) in self.games.chunks_exact(2).enumerate() {
            if let &[Some(white), Some(black)] = games {
                result.add(pair % of.book.lines.len(), [white, black]);
            }
        }
        result.complete = self.games.iter().all(Option::is_some);
        result.seconds = self.seconds;
        result
    }
}
