//! [`Tournament`]: many matches whose games are all kept, and the standings that follow from them.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::journal::Opened;
use crate::round::Round;
use crate::{
    Entrant, Journal, JournalError, Match, MatchError, MatchSettings, OpeningBook, PlayedGame,
    Progress, RoundError, Standings, StandingsError, file_name,
};

/// Matches between players of one game, each with its games in a folder of its own, so that it goes on
/// where it was stopped, with more games or more players too. Standings are made of what is in these
/// folders.
#[derive(Debug)]
pub struct Tournament<'e> {
    matches: Vec<Match<'e>>,
    journals: Vec<Journal>,
    standings: Standings,
    settings: MatchSettings,
    played: u32,
}

impl<'e> Tournament<'e> {
    /// The tournament in `folder`, begun if need be, in which these `pairs` meet, each from the first
    /// opening of `book` on in as many games as `settings` say. Ratings are above that of `anchor`.
    /// What has to be left out of the games so far is told to `note`.
    ///
    /// # Errors
    /// If a match cannot be played, or a folder has games of another one: by other rules, other
    /// openings, or a player that has only the name in common.
    pub fn open(
        pairs: &[[&'e Entrant; 2]],
        anchor: &Entrant,
        book: &'e OpeningBook,
        settings: MatchSettings,
        folder: &Path,
        note: &mut dyn FnMut(&str),
    ) -> Result<Self, MatchError> {
        let mut standings = Standings::new(book.game, anchor.name());
        let (mut matches, mut journals, mut played) = (Vec::new(), Vec::new(), 0);
        for &[a, b] in pairs {
            standings.enter(a.name(), None);
            standings.enter(b.name(), None);
            // Whoever is named first in the command.
            let [a, b] = if a.name() <= b.name() { [a, b] } else { [b, a] };
            let of = Match::new(a, b, book, settings)?;
            let place = folder.join(file_name(&format!("{}_{}", a.name(), b.name())));
            let io = |error| JournalError::Io { path: place.display().to_string(), error };
            std::fs::create_dir_all(&place).map_err(io)?;
            let Opened { journal, games, bad } = Journal::open(&place.join("match.jsonl"), &of)?;
            bad.iter().for_each(|sentence| note(sentence));
            let of = of.go_on_from(games);
            played += of.played.len() as u32;
            matches.push(of);
            journals.push(journal);
        }
        Ok(Self { matches, journals, standings, settings, played })
    }

    /// How many of its games have been played before.
    #[must_use]
    pub fn played(&self) -> u32 {
        self.played
    }

    /// The names of the two players of match `row`.
    #[must_use]
    pub fn players(&self, row: usize) -> [&str; 2] {
        [self.matches[row].a.name(), self.matches[row].b.name()]
    }

    /// Plays the games that are left, and rates all players. `progress` is told the number of the
    /// match; `save` is given the standings every few seconds. After a stop all finished pairs count.
    ///
    /// # Errors
    /// If a player or an evaluator fails, or something cannot be written. What has been played
    /// before that is kept.
    pub fn play(
        mut self,
        progress: &(dyn Fn(usize, &Progress<'_>) + Sync),
        save: &(dyn Fn(&Standings) -> Result<(), StandingsError> + Sync),
        stop: &AtomicBool,
    ) -> Result<Standings, RoundError> {
        let (matches, journals, settings) = (&self.matches, &self.journals, self.settings);
        let keep = |row: usize, game: &PlayedGame| journals[row].record(&matches[row], game);
        let round = Round { matches, settings, keep: &keep, progress, save };
        let outcome = round.play(&mut self.standings, stop);
        for (of, journal) in matches.iter().zip(journals) {
            journal.write_texts(of).map_err(MatchError::from)?;
        }
        for result in outcome? {
            self.standings.replace(&result);
        }
        self.standings.rate();
        save(&self.standings)?;
        Ok(self.standings)
    }
}
