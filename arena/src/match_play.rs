//! [`Match`]: two players, many games, each opening with both colours.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use games::Game;
use search::EvaluatorError;

use crate::journal::Opened;
use crate::scoreboard::Scoreboard;
use crate::seeds::derived;
use crate::worker::{Desk, Job, Worker};
use crate::{
    Adjudication, AdjudicationError, Entrant, JournalError, Line, MatchResult, OpeningBook,
    PlayedGame, PlayerError, Score, Sprt, SprtError,
};

/// How a match is played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MatchSettings {
    /// Games: an even number, each opening is played with both colours.
    pub games: u32,
    /// Openings that are left out because the two have played them before. A match that goes on
    /// behind another one plays the games that one longer match would have played.
    pub first_opening: u32,
    /// The seed of the random choices of all players.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// Games that a thread plays at the same time: the largest batch a network sees.
    pub games_at_once: usize,
    /// When games are ended before their rules do.
    pub adjudication: Adjudication,
}

impl Default for MatchSettings {
    fn default() -> Self {
        let adjudication = Adjudication::default();
        let (games, first_opening, seed) = (400, 0, 1);
        Self { games, first_opening, seed, threads: 1, games_at_once: 128, adjudication }
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
        /// The most games that can be played from those that are left.
        most: usize,
    },
    /// There is nothing to start from.
    #[error("there are no openings of {game} to play")]
    NoOpenings {
        /// The id of the game.
        game: &'static str,
    },
    /// The settings of adjudication are impossible.
    #[error(transparent)]
    Adjudication(#[from] AdjudicationError),
    /// The test is none.
    #[error(transparent)]
    Sprt(#[from] SprtError),
    /// The games cannot be kept.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A player cannot go on.
    #[error(transparent)]
    Player(PlayerError),
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
#[derive(Debug, Clone, Copy)]
pub struct Progress<'g> {
    /// Games finished.
    pub finished: u32,
    /// Games in all.
    pub games: u32,
    /// The games finished, seen by A.
    pub score: Score,
    /// The pairs before the first one that is not finished: what a test has seen so far.
    pub counted: &'g MatchResult,
    /// The game that has ended.
    pub game: &'g PlayedGame,
}

/// A match of A against B, ready to be played.
///
/// Game 2k and 2k + 1 start from opening k of those that are not left out (from the first one of the
/// book when it ends), with A as White and as Black. Every seat has a seed of its own, so the result
/// depends on the seed, the book and the evaluators, and not on threads.
#[derive(Debug, Clone)]
pub struct Match<'a> {
    pub(crate) a: &'a Entrant,
    pub(crate) b: &'a Entrant,
    pub(crate) book: &'a OpeningBook,
    pub(crate) settings: MatchSettings,
    pub(crate) sprt: Option<Sprt>,
    /// Games played before.
    pub(crate) played: Vec<PlayedGame>,
}

impl<'a> Match<'a> {
    /// Prepares a match.
    ///
    /// # Errors
    /// If the number of games is odd, the book too small for players that do not vary, or the
    /// adjudication impossible.
    pub fn new(
        a: &'a Entrant,
        b: &'a Entrant,
        book: &'a OpeningBook,
        settings: MatchSettings,
    ) -> Result<Self, MatchError> {
        settings.adjudication.check()?;
        let games = settings.games;
        if games == 0 || !games.is_multiple_of(2) {
            return Err(MatchError::OddGames { games });
        }
        let first = settings.first_opening as usize;
        let (needed, found) = (first + games as usize / 2, book.lines.len());
        if found == 0 {
            return Err(MatchError::NoOpenings { game: book.game.id });
        }
        if a.is_noise_free() && b.is_noise_free() && found < needed {
            let (a, b) = (a.name().to_owned(), b.name().to_owned());
            let most = 2 * found.saturating_sub(first);
            return Err(MatchError::FewOpenings { games, a, b, needed, found, most });
        }
        Ok(Self { a, b, book, settings, sprt: None, played: Vec::new() })
    }

    /// Ends the match as soon as `sprt` has a verdict. The test looks at the pairs in their order,
    /// so it comes to the same whatever the number of threads; pairs that are finished before that
    /// order reaches them do not count.
    ///
    /// # Errors
    /// If the test is none.
    pub fn until(self, sprt: Sprt) -> Result<Self, MatchError> {
        sprt.check()?;
        Ok(Self { sprt: Some(sprt), ..self })
    }

    /// Goes on with a match of which these games have been played before, in any order. Of games
    /// with the same number the last one counts; those beyond the end of the match do not.
    #[must_use]
    pub fn go_on_from(self, played: Vec<PlayedGame>) -> Self {
        let mut games: Vec<_> =
            played.into_iter().filter(|game| game.index < self.settings.games as usize).collect();
        games.reverse();
        games.sort_by_key(|game| game.index);
        games.dedup_by_key(|game| game.index);
        Self { played: games, ..self }
    }

    /// The game that is played.
    #[must_use]
    pub fn game(&self) -> &'static Game {
        self.book.game
    }

    /// The openings.
    #[must_use]
    pub fn book(&self) -> &'a OpeningBook {
        self.book
    }

    /// The opening of game `index`.
    #[must_use]
    pub fn opening(&self, index: usize) -> &'a Line {
        &self.book.lines[self.opening_number(index)]
    }

    /// Which opening of the book that is.
    pub(crate) fn opening_number(&self, index: usize) -> usize {
        (self.settings.first_opening as usize + index / 2) % self.book.lines.len()
    }

    /// The seed of game `index`.
    pub(crate) fn seed(&self, index: usize) -> u64 {
        let before = 2 * u64::from(self.settings.first_opening);
        derived(self.settings.seed, &[before + index as u64])
    }

    /// Plays the games that are left. `progress` is called after each game, by one thread at a time.
    /// When `stop` is set the games under way are dropped and the result has the pairs finished so
    /// far.
    ///
    /// # Errors
    /// If an evaluator fails; the match is then over.
    pub fn play(
        &self,
        progress: &(dyn Fn(&Progress<'_>) + Sync),
        stop: &AtomicBool,
    ) -> Result<MatchResult, MatchError> {
        let results = play_all(
            std::slice::from_ref(self),
            self.settings.threads,
            self.settings.games_at_once,
            &|_, so_far| progress(so_far),
            &|| stop.load(Ordering::Relaxed),
        )?;
        Ok(results.into_iter().next().expect("a result for each match"))
    }
}

impl Match<'_> {
    /// As [`Match::play`], going on from the games of `opened`, the journal of this match, and writing
    /// each game that ends into it; at the end, all games are beside it in `games.txt` as texts.
    ///
    /// # Errors
    /// As [`Match::play`], and if the journal cannot be written.
    pub fn play_kept(
        &self,
        opened: Opened,
        progress: &(dyn Fn(&Progress<'_>) + Sync),
        stop: &AtomicBool,
    ) -> Result<MatchResult, MatchError> {
        let Opened { journal, games, .. } = opened;
        let this = self.clone().go_on_from(games);
        let failure = Mutex::new(None);
        let failed = AtomicBool::new(false);
        let watch = |_: usize, so_far: &Progress<'_>| {
            if let Err(error) = journal.record(&this, so_far.game) {
                failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                failed.store(true, Ordering::Relaxed);
            }
            progress(so_far);
        };
        let MatchSettings { threads, games_at_once, .. } = this.settings;
        let stopped = || stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
        let matches = std::slice::from_ref(&this);
        let results = play_all(matches, threads, games_at_once, &watch, &stopped);
        if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error.into());
        }
        journal.write_texts(&this)?;
        Ok(results?.remove(0))
    }
}

/// Plays `matches`, their games in order but several at a time: while the last games of a match go
/// on, the next one has begun. The results are as if each had been played alone. `progress` is
/// told the number of the match; the games under way are dropped when `stopped`.
pub(crate) fn play_all(
    matches: &[Match<'_>],
    threads: usize,
    games_at_once: usize,
    progress: &(dyn Fn(usize, &Progress<'_>) + Sync),
    stopped: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<MatchResult>, MatchError> {
    let boards: Vec<_> = matches.iter().map(Scoreboard::new).collect();
    let due: Vec<_> = (0..matches.len())
        .flat_map(|row| (0..matches[row].settings.games as usize).map(move |index| (row, index)))
        .filter(|&(row, index)| !boards[row].has(index))
        .collect();
    let threads = threads.clamp(1, due.len().max(1));
    // With fewer games than seats each thread takes its share. A clock runs for one game at a time.
    let timed = matches.iter().any(|of| of.a.is_timed() || of.b.is_timed());
    let seats = if timed { 1 } else { games_at_once.clamp(1, due.len().div_ceil(threads).max(1)) };
    let boards = Mutex::new(boards);
    let lock = || boards.lock().unwrap_or_else(PoisonError::into_inner);
    let next = AtomicUsize::new(0);
    let abort = AtomicBool::new(false);
    let work = || {
        let _guard = AbortOnPanic(&abort);
        let outcome = Worker::new(seats).run(&Desk {
            next: &|| {
                let &(row, index) = due.get(next.fetch_add(1, Ordering::Relaxed))?;
                lock()[row].begin();
                Some(Job::new(row, index, &matches[row]))
            },
            report: &|job, game| {
                let mut boards = lock();
                progress(job.row, &boards[job.row].enter(&matches[job.row], game));
                abort.fetch_or(boards.iter().all(Scoreboard::is_decided), Ordering::Relaxed);
            },
            drop: &|job, evaluations| lock()[job.row].spend(evaluations),
            stopped: &|| stopped() || abort.load(Ordering::Relaxed),
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
