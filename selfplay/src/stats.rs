//! [`RecordStats`]: what a heap of game records looks like as a whole.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use games::{Outcome, Side};
use serde::Serialize;

use crate::record::{Choice, GameRecord, StepRecord};
use crate::resignation::Resignations;
use crate::shard::Shard;

/// Counts over game records.
#[derive(Debug, Clone, Default, Serialize)]
pub struct RecordStats {
    /// Games.
    pub games: u64,
    /// Games whose start and steps are those of an earlier one.
    pub duplicates: u64,
    /// Different openings: starts with the steps up to the last one sampled for variety.
    pub openings: u64,
    /// Parts of files that could not be read.
    pub bad_frames: u64,
    /// Games that White won.
    pub white_wins: u64,
    /// Games that Black won.
    pub black_wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games without result.
    pub cut_off: u64,
    /// Games by the reason of their end, in words.
    pub reasons: BTreeMap<String, u64>,
    /// Games resigned, and what became of those played out in spite of it.
    pub resignations: Resignations,
    /// Steps.
    pub steps: u64,
    /// Steps of the shortest game.
    pub shortest: u64,
    /// Steps of the longest game.
    pub longest: u64,
    /// Steps chosen by full searches: those with a policy to learn.
    pub full: u64,
    /// Steps chosen by cheap searches.
    pub cheap: u64,
    /// Steps sampled for variety in the opening.
    pub opening: u64,
    /// Steps that were the only legal one.
    pub forced: u64,
    /// Steps from positions that the search had proved.
    pub proven: u64,
    /// Legal steps, summed over all steps played.
    pub legal: u64,
    /// Most legal steps of any position.
    pub most_legal: u64,
    #[serde(skip)]
    seen: HashSet<[u8; 16]>,
    #[serde(skip)]
    seen_openings: HashSet<[u8; 16]>,
}

impl RecordStats {
    /// Counts everything in `shard`.
    pub fn add_shard(&mut self, shard: &Shard) {
        shard.games.iter().for_each(|game| self.add(game));
        self.bad_frames += shard.bad.len() as u64;
    }

    /// Counts `record`.
    pub fn add(&mut self, record: &GameRecord) {
        let len = record.steps.len() as u64;
        self.shortest = if self.games == 0 { len } else { self.shortest.min(len) };
        self.longest = self.longest.max(len);
        self.games += 1;
        let GameRecord { start, steps, .. } = record;
        self.duplicates += u64::from(!self.seen.insert(identity(start, steps)));
        let opening = identity(start, &steps[..record.opening_len()]);
        self.openings += u64::from(self.seen_openings.insert(opening));
        *match record.outcome() {
            Some(Outcome::Win(Side::White)) => &mut self.white_wins,
            Some(Outcome::Win(Side::Black)) => &mut self.black_wins,
            Some(Outcome::Draw) => &mut self.draws,
            None => &mut self.cut_off,
        } += 1;
        *self.reasons.entry(record.reason()).or_default() += 1;
        self.resignations.add(record);
        self.steps += len;
        for step in &record.steps {
            *match step.choice {
                Choice::Full => &mut self.full,
                Choice::Cheap => &mut self.cheap,
                Choice::Opening => &mut self.opening,
                Choice::Forced => &mut self.forced,
            } += 1;
            self.proven += u64::from(step.proven.is_some());
            self.legal += u64::from(step.legal);
            self.most_legal = self.most_legal.max(u64::from(step.legal));
        }
    }

    /// Steps a game, on average.
    #[must_use]
    pub fn mean_steps(&self) -> f64 {
        ratio(self.steps, self.games)
    }

    /// Legal steps a position, on average.
    #[must_use]
    pub fn mean_legal(&self) -> f64 {
        ratio(self.legal, self.steps)
    }
}

/// `part` of `whole`, 0 if there is nothing.
fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// A hash of what was played.
fn identity(start: &str, steps: &[StepRecord]) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(start.as_bytes());
    for step in steps {
        hasher.update(&step.played.bits().to_le_bytes());
    }
    *hasher.finalize().as_bytes().first_chunk().expect("32 bytes")
}

impl fmt::Display for RecordStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: u64, whole: u64| format!("{part} ({:.1}%)", 100.0 * ratio(part, whole));
        let of_games = |part| share(part, self.games);
        let of_steps = |part| share(part, self.steps);
        writeln!(f, "games        {}", self.games)?;
        writeln!(f, "  duplicates {}", of_games(self.duplicates))?;
        writeln!(f, "  openings   {}", of_games(self.openings))?;
        writeln!(f, "  white wins {}", of_games(self.white_wins))?;
        writeln!(f, "  black wins {}", of_games(self.black_wins))?;
        writeln!(f, "  draws      {}", of_games(self.draws))?;
        writeln!(f, "  cut off    {}", of_games(self.cut_off))?;
        for (reason, &games) in &self.reasons {
            writeln!(f, "  ended by   {reason}: {}", of_games(games))?;
        }
        let Resignations { played_out, wrong, .. } = self.resignations;
        if played_out > 0 {
            let wrong = share(wrong, played_out);
            writeln!(f, "  played out {played_out} after a resignation, wrong in {wrong}")?;
        }
        writeln!(f, "steps        {}", self.steps)?;
        writeln!(
            f,
            "  a game     {:.1} ({} to {})",
            self.mean_steps(),
            self.shortest,
            self.longest
        )?;
        writeln!(f, "  full       {}", of_steps(self.full))?;
        writeln!(f, "  cheap      {}", of_steps(self.cheap))?;
        writeln!(f, "  opening    {}", of_steps(self.opening))?;
        writeln!(f, "  forced     {}", of_steps(self.forced))?;
        writeln!(f, "  proven     {}", of_steps(self.proven))?;
        writeln!(f, "  legal      {:.1} (at most {})", self.mean_legal(), self.most_legal)?;
        write!(f, "bad frames   {}", self.bad_frames)
    }
}
