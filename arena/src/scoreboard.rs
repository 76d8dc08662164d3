//! [`Scoreboard`]: the games of one match as they come in, counted in the order of the match.

use std::collections::HashSet;
use std::time::Instant;

use games::{Key, Side, State, Step};

use crate::{Match, MatchResult, PlayedGame, Progress, Score, SprtVerdict};

/// Who had White (the colour of A), where the game started, and all its steps.
type Played = (Side, Key, Vec<Step>);

/// The games of a match as they come in.
pub(crate) struct Scoreboard {
    games: Vec<Option<PlayedGame>>,
    score: Score,
    /// The pairs before the first one that is not finished.
    counted: MatchResult,
    /// How many these are.
    pairs: usize,
    /// The lines of the games counted, of players that may repeat themselves.
    seen: Option<HashSet<Played>>,
    verdict: SprtVerdict,
    began: Option<Instant>,
    seconds: f64,
    evaluations: u64,
}

impl Scoreboard {
    /// The board of `of` with the games that it has already.
    pub(crate) fn new(of: &Match<'_>) -> Self {
        let mut board = Self {
            games: vec![None; of.settings.games as usize],
            score: Score::default(),
            counted: MatchResult::empty(of.game().id, of.a.name(), of.b.name(), of.settings.seed),
            pairs: 0,
            seen: (of.a.may_repeat() && of.b.may_repeat()).then(HashSet::new),
            verdict: SprtVerdict::Undecided,
            began: None,
            seconds: 0.0,
            evaluations: 0,
        };
        for game in &of.played {
            board.put(of, game.clone());
        }
        board
    }

    /// Starts the clock, unless it is running.
    pub(crate) fn begin(&mut self) {
        self.began.get_or_insert_with(Instant::now);
    }

    /// Whether game `index` need not be played any more.
    pub(crate) fn has(&self, index: usize) -> bool {
        self.is_decided() || self.games[index].is_some()
    }

    /// The pairs before the first one that is not finished.
    pub(crate) fn counted(&self) -> &MatchResult {
        &self.counted
    }

    /// Whether the match has an SPRT and that has said enough.
    pub(crate) fn is_decided(&self) -> bool {
        self.verdict != SprtVerdict::Undecided
    }

    /// Enters a game that has just ended and says how the match stands.
    pub(crate) fn enter(&mut self, of: &Match<'_>, game: PlayedGame) -> Progress<'_> {
        self.spend(game.evaluations);
        let index = game.index;
        self.put(of, game);
        Progress {
            finished: self.score.games(),
            games: self.games.len() as u32,
            score: self.score,
            counted: &self.counted,
            game: self.games[index].as_ref().expect("it has just been put there"),
        }
    }

    /// Counts the evaluations of a game that has ended or is given up, until now.
    pub(crate) fn spend(&mut self, evaluations: u64) {
        self.evaluations += evaluations;
        self.seconds = self.began.map_or(0.0, |began| began.elapsed().as_secs_f64());
    }

    fn put(&mut self, of: &Match<'_>, game: PlayedGame) {
        self.score.count(game.score);
        let index = game.index;
        self.games[index] = Some(game);
        while !self.is_decided()
            && let Some(games) = pair(&self.games, self.pairs)
        {
            count(of, &mut self.counted, &mut self.seen, games);
            self.pairs += 1;
            if let Some(sprt) = &of.sprt {
                self.verdict = sprt.verdict(&self.counted.pentanomial);
            }
        }
    }

    /// The result. Of a test it has the pairs that the test has seen; of another match, all that
    /// are finished.
    pub(crate) fn result(mut self, of: &Match<'_>) -> MatchResult {
        let mut result = self.counted.clone();
        let mut seen = self.seen.take();
        if of.sprt.is_none() {
            for number in self.pairs..self.games.len() / 2 {
                if let Some(games) = pair(&self.games, number) {
                    count(of, &mut result, &mut seen, games);
                }
            }
        }
        result.complete = self.is_decided() || self.games.iter().all(Option::is_some);
        result.seconds = self.seconds;
        result.evaluations = self.evaluations;
        result
    }
}

/// Pair `number`, if there is one and both its games are finished.
fn pair(games: &[Option<PlayedGame>], number: usize) -> Option<[&PlayedGame; 2]> {
    match games.get(2 * number..2 * number + 2)? {
        [Some(white), Some(black)] => Some([white, black]),
        _ => None,
    }
}

/// Counts a pair, unless it has a game that has been counted already.
fn count(
    of: &Match<'_>,
    result: &mut MatchResult,
    seen: &mut Option<HashSet<Played>>,
    games: [&PlayedGame; 2],
) {
    if let Some(seen) = seen {
        // The same moves with the colours exchanged are no copy: other players have made them.
        let lines = games.map(|game| {
            let opening = of.opening(game.index);
            let before = opening.moves().iter().flat_map(|played| played.steps());
            let steps = before.chain(&game.steps).copied().collect();
            (game.color_of_a(), opening.start().key(), steps)
        });
        if lines.iter().any(|line| seen.contains(line)) {
            result.copies += 1;
            return;
        }
        seen.extend(lines);
    }
    result.add(of.opening_number(games[0].index), games);
}
