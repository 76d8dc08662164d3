//! Playing for [`Standings`]: the rounds of ladders and tournaments.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::match_play::play_all;
use crate::scoreboard::Scoreboard;
use crate::{
    Encounter, Entrant, JournalError, Match, MatchError, MatchResult, MatchSettings, OpeningBook,
    PlayedGame, Progress, Score, Standings, StandingsError,
};

/// Two entrants that are to meet, and how often.
#[derive(Debug, Clone, Copy)]
pub struct Pair<'e> {
    /// One of them.
    pub a: &'e Entrant,
    /// The other.
    pub b: &'e Entrant,
    /// Games to play now: an even number, 0 for none.
    pub games: u32,
}

/// Standings are told to be saved no more often than that, except at the end of a match.
const SAVING: Duration = Duration::from_secs(5);

/// What is known of the matches under way.
struct Count<'s> {
    standings: &'s mut Standings,
    /// The pairs of each match that have been added.
    added: Vec<Encounter>,
    saved: Instant,
    failure: Option<RoundError>,
}

impl Standings {
    /// The openings that `pairs` need in their book: those that the two have used up, and as many
    /// as there are pairs of games to play.
    #[must_use]
    pub fn openings_for(&self, pairs: &[Pair<'_>]) -> usize {
        let needed = pairs.iter().map(|pair| {
            let used = self.encounter(pair.a.name(), pair.b.name()).map_or(0, |e| e.openings);
            (used + pair.games / 2) as usize
        });
        needed.max().unwrap_or(0)
    }

    /// Plays `pairs` from `book`, each from the openings that the two have not met in before, and
    /// rates all players anew. `settings.games` and `settings.first_opening` do not matter.
    ///
    /// `save` is given the standings every few seconds and at the end of each match, so that a
    /// crash loses hardly more than the games under way. After a stop the pairs of each match count
    /// that come before its first unfinished one.
    ///
    /// # Errors
    /// Before anything is played, if a match cannot be; later, if an evaluator fails or the
    /// standings cannot be saved. What has been played before that counts.
    pub fn play(
        &mut self,
        pairs: &[Pair<'_>],
        book: &OpeningBook,
        settings: MatchSettings,
        progress: &(dyn Fn(usize, &Progress<'_>) + Sync),
        save: &(dyn Fn(&Self) -> Result<(), StandingsError> + Sync),
        stop: &AtomicBool,
    ) -> Result<(), RoundError> {
        let pairs: Vec<_> = pairs.iter().filter(|pair| pair.games > 0).collect();
        for pair in &pairs {
            for entrant in [pair.a, pair.b] {
                if self.players.iter().all(|known| known.player != entrant.name()) {
                    self.enter(entrant.name(), None);
                }
            }
        }
        let matches = pairs
            .iter()
            .map(|&&Pair { a, b, games }| {
                let used = self.encounter(a.name(), b.name()).map_or(0, |before| before.openings);
                let settings = MatchSettings { games, first_opening: used, ..settings };
                Match::new(a, b, book, settings)
            })
            .collect::<Result<Vec<_>, _>>()?;
        let round = Round { matches: &matches, settings, keep: &|_, _| Ok(()), progress, save };
        round.play(self, stop).map(|_| ())
    }
}

/// Matches that are played for standings.
pub(crate) struct Round<'r, 'm> {
    pub(crate) matches: &'r [Match<'m>],
    /// How they are spread over threads.
    pub(crate) settings: MatchSettings,
    /// Is given each game that ends, and the number of its match.
    pub(crate) keep: &'r (dyn Fn(usize, &PlayedGame) -> Result<(), JournalError> + Sync),
    pub(crate) progress: &'r (dyn Fn(usize, &Progress<'_>) + Sync),
    pub(crate) save: &'r (dyn Fn(&Standings) -> Result<(), StandingsError> + Sync),
}

impl Round<'_, '_> {
    /// Plays, adds the pairs of the matches to `standings` in their order, and saves them.
    pub(crate) fn play(
        &self,
        standings: &mut Standings,
        stop: &AtomicBool,
    ) -> Result<Vec<MatchResult>, RoundError> {
        let Self { matches, settings, keep, progress, save } = *self;
        let of = |of: &Match<'_>| Encounter::new(of.a.name(), of.b.name());
        let added = matches.iter().map(of).collect();
        let mut count = Count { standings, added, saved: Instant::now(), failure: None };
        for (row, of) in matches.iter().enumerate() {
            count.take(row, Scoreboard::new(of).counted());
        }
        let count = Mutex::new(count);
        let failed = AtomicBool::new(false);
        let watch = |row: usize, so_far: &Progress<'_>| {
            let mut count = count.lock().unwrap_or_else(PoisonError::into_inner);
            if let Err(error) = keep(row, so_far.game) {
                count.failure.get_or_insert(MatchError::from(error).into());
            }
            count.take(row, so_far.counted);
            if so_far.finished == so_far.games || count.saved.elapsed() >= SAVING {
                count.save(save);
            }
            failed.fetch_or(count.failure.is_some(), Ordering::Relaxed);
            progress(row, so_far);
        };
        let stopped = || stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
        let MatchSettings { threads, games_at_once, .. } = settings;
        let outcome = play_all(matches, threads, games_at_once, &watch, &stopped);
        let mut count = count.into_inner().unwrap_or_else(PoisonError::into_inner);
        count.save(save);
        let failure = count.failure.take();
        let results = outcome?;
        failure.map_or(Ok(results), Err)
    }
}

/// A round that was not played, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum RoundError {
    /// A match cannot be played.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// The standings cannot be saved.
    #[error(transparent)]
    Standings(#[from] StandingsError),
}

impl Count<'_> {
    /// Adds the pairs of match `row` that are finished now, in its order.
    fn take(&mut self, row: usize, now: &MatchResult) {
        let before = &mut self.added[row];
        let openings = now.pairs.len() as u32 + now.copies;
        if openings == before.openings {
            return;
        }
        let Score { wins, draws, losses } = before.score;
        let score = Score {
            wins: now.score.wins - wins,
            draws: now.score.draws - draws,
            losses: now.score.losses - losses,
        };
        let pentanomial = std::array::from_fn(|i| now.pentanomial[i] - before.pentanomial[i]);
        let more = Encounter {
            score,
            pentanomial,
            openings: openings - before.openings,
            ..Encounter::new(&before.a, &before.b)
        };
        before.score = now.score;
        before.pentanomial = now.pentanomial;
        before.openings = openings;
        self.standings.add(&more);
    }

    fn save(&mut self, save: &dyn Fn(&Standings) -> Result<(), StandingsError>) {
        self.standings.rate();
        self.saved = Instant::now();
        if let Err(error) = save(self.standings) {
            self.failure.get_or_insert(error.into());
        }
    }
}
