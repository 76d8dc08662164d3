//! Walking through a record with the rules: verification, and positions for the trainer.

use games::{End, FenError, Game, History, Side, State, Step};

use crate::record::{Fault, GameRecord, StepRecord};
use crate::resignation::Resignation;

/// A position of a recorded game and what was done there.
#[derive(Debug)]
pub struct Moment<'a> {
    /// Index into [`GameRecord::steps`].
    pub index: usize,
    /// The position with its past, before the step.
    pub history: &'a History,
    /// Its legal steps in canonical order, the order of the record's indices.
    pub legal: &'a [Step],
    /// What was searched and played.
    pub step: &'a StepRecord,
}

/// A record that the rules do not confirm.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The start is no position of the game.
    #[error("the start of the game: {0}")]
    Start(#[from] FenError),
    /// The networks of the record do not fit its steps.
    #[error("{0}")]
    Record(Fault),
    /// A step is recorded wrongly.
    #[error("step {index}: {fault}")]
    Step {
        /// Index of the step.
        index: usize,
        /// What is wrong with it.
        fault: Fault,
    },
    /// The record has steps after the game's end.
    #[error("step {index}: the game is over ({end})")]
    Over {
        /// Index of the step.
        index: usize,
        /// How the game had ended.
        end: End,
    },
    /// Another number of steps is legal than was recorded.
    #[error("step {index}: {found} steps are legal, {recorded} were recorded")]
    LegalSteps {
        /// Index of the step.
        index: usize,
        /// By the record.
        recorded: usize,
        /// By the rules.
        found: usize,
    },
    /// The step played is illegal.
    #[error("step {index}: {played:?} is not legal")]
    Illegal {
        /// Index of the step.
        index: usize,
        /// The step.
        played: Step,
    },
    /// The game ended otherwise than recorded.
    #[error("the game ends with {}, recorded was {}", words(*found), words(*recorded))]
    End {
        /// By the record.
        recorded: Option<End>,
        /// By the rules.
        found: Option<End>,
    },
    /// A side cannot have resigned there.
    #[error("before step {index}: {side} cannot have resigned there")]
    Resignation {
        /// Index of the step that would have followed.
        index: usize,
        /// The side that is to have resigned.
        side: Side,
    },
    /// The record has no such step.
    #[error("the game has {steps} steps, step {index} was asked for")]
    NoSuchStep {
        /// What was asked for.
        index: usize,
        /// How many there are.
        steps: usize,
    },
}

fn words(end: Option<End>) -> String {
    end.map_or_else(|| "no result".to_owned(), |end| end.to_string())
}

impl GameRecord {
    /// The game's start.
    ///
    /// # Errors
    /// If the start is no position of the game.
    pub fn start(&self) -> Result<History, ReplayError> {
        Ok(History::new(self.game.parse_fen(&self.start)?))
    }

    /// A walk through the game that verifies each step before it is shown.
    ///
    /// # Errors
    /// If the start is no position of the game or the networks do not cover it.
    pub fn positions(&self) -> Result<Positions<'_>, ReplayError> {
        if !self.nets_hold() {
            return Err(ReplayError::Record(Fault::Nets));
        }
        Ok(Positions { record: self, history: self.start()?, legal: Vec::new(), index: 0 })
    }

    /// Shows every position of the game to `visit`, in order, after verification.
    ///
    /// # Errors
    /// The first contradiction between record and rules; the positions before it have been shown.
    pub fn replay(&self, mut visit: impl FnMut(Moment<'_>)) -> Result<(), ReplayError> {
        let mut positions = self.positions()?;
        while let Some(moment) = positions.next()? {
            visit(moment);
        }
        Ok(())
    }

    /// Verifies the record with the rules alone: each step is legal, policies are distributions
    /// over the legal steps, values are chances, the game ends as recorded, and a side that resigns
    /// could.
    ///
    /// # Errors
    /// The first contradiction.
    pub fn check(&self) -> Result<(), ReplayError> {
        self.replay(|_| ())
    }

    fn nets_hold(&self) -> bool {
        let rise = self.nets.is_sorted_by(|a, b| a.first_step < b.first_step);
        rise && self.nets.first().is_some_and(|span| span.first_step == 0)
    }
}

/// A walk through a recorded game; see [`GameRecord::positions`].
#[derive(Debug)]
pub struct Positions<'r> {
    record: &'r GameRecord,
    history: History,
    legal: Vec<Step>,
    index: usize,
}

impl Positions<'_> {
    /// The next position; `None` after the last step, once the end has been compared.
    ///
    /// Not an iterator: what it shows lives in buffers that the next call changes.
    ///
    /// # Errors
    /// A contradiction between record and rules. The walk cannot go on after it.
    #[expect(clippy::should_implement_trait, reason = "it lends, which `Iterator` cannot")]
    pub fn next(&mut self) -> Result<Option<Moment<'_>>, ReplayError> {
        if let Some(before) = self.index.checked_sub(1) {
            if before == self.record.steps.len() {
                return Ok(None);
            }
            self.history.play(self.record.steps[before].played);
        }
        let index = self.index;
        let Some(step) = self.record.steps.get(index) else {
            let (recorded, found) = (self.record.end, self.history.end());
            if recorded != found {
                return Err(ReplayError::End { recorded, found });
            }
            self.confirm_resignation()?;
            self.index += 1;
            return Ok(None);
        };
        confirm(&self.history, &mut self.legal, step, index)?;
        self.confirm_resignation()?;
        self.index += 1;
        Ok(Some(Moment { index, history: &self.history, legal: &self.legal, step }))
    }

    /// Checks the resignation if it is recorded for the position reached, or for one behind the
    /// last: it is by the side to move, between two moves of a game that is not over.
    fn confirm_resignation(&self) -> Result<(), ReplayError> {
        let Some(Resignation { side, step }) = self.record.resignation else { return Ok(()) };
        let index = step as usize;
        let holds = if index == self.index {
            let between_moves = !self.history.position().mid_move();
            between_moves && self.history.side_to_move() == side && self.history.end().is_none()
        } else {
            index <= self.record.steps.len()
        };
        if holds { Ok(()) } else { Err(ReplayError::Resignation { index, side }) }
    }
}

/// Lists the legal steps of `history` in canonical order and checks `step` against them.
fn confirm(
    history: &History,
    legal: &mut Vec<Step>,
    step: &StepRecord,
    index: usize,
) -> Result<(), ReplayError> {
    if let Some(fault) = step.fault() {
        return Err(ReplayError::Step { index, fault });
    }
    legal.clear();
    history.steps(legal);
    if let (true, Some(end)) = (legal.is_empty(), history.end()) {
        return Err(ReplayError::Over { index, end });
    }
    let recorded = usize::from(step.legal);
    if legal.len() != recorded {
        return Err(ReplayError::LegalSteps { index, recorded, found: legal.len() });
    }
    legal.sort_unstable();
    match legal.binary_search(&step.played) {
        Ok(_) => Ok(()),
        Err(_) => Err(ReplayError::Illegal { index, played: step.played }),
    }
}

/// Jumps to chosen steps of verified records, again and again in the same memory.
///
/// The steps on the way are played without asking the rules for what is legal, which makes it many
/// times faster than [`GameRecord::positions`]; the position reached is verified.
#[derive(Debug)]
pub struct Replayer {
    /// The start of the last record; nearly all games share one.
    start: History,
    start_text: String,
    history: History,
    /// The steps played to reach `history`.
    index: usize,
    legal: Vec<Step>,
}

impl Replayer {
    /// A replayer for records of `game`.
    #[must_use]
    pub fn new(game: &Game) -> Self {
        let start = History::new(game.start());
        let start_text = start.position().fen();
        Self { history: start.clone(), index: 0, start, start_text, legal: Vec::new() }
    }

    /// The position before step `index` of `record`, which must have passed
    /// [`GameRecord::check`] as every record from a file or a pool has.
    ///
    /// # Errors
    /// If there is no such step, or the rules do not confirm it.
    ///
    /// # Panics
    /// The rules may panic if a step on the way is illegal.
    pub fn sample_at<'a>(
        &'a mut self,
        record: &'a GameRecord,
        index: usize,
    ) -> Result<Moment<'a>, ReplayError> {
        if record.start != self.start_text || record.game.id != self.start.game().id {
            self.start = record.start()?;
            self.start_text.clone_from(&record.start);
        }
        self.history.clone_from(&self.start);
        self.index = 0;
        self.play_to(record, index);
        self.moment(record, index)
    }

    /// Goes on from the position last shown of the same `record` to the first in which the other side
    /// is to move; `None` if the game ends before, and the last position is reached then.
    ///
    /// # Errors
    /// If the rules do not confirm the step.
    ///
    /// # Panics
    /// As [`Replayer::sample_at`].
    pub fn answer<'a>(
        &'a mut self,
        record: &'a GameRecord,
    ) -> Result<Option<Moment<'a>>, ReplayError> {
        let mover = self.history.side_to_move();
        while self.index < record.steps.len() {
            self.play_to(record, self.index + 1);
            if self.history.side_to_move() != mover {
                break;
            }
        }
        let there = self.index < record.steps.len();
        if there { self.moment(record, self.index).map(Some) } else { Ok(None) }
    }

    /// The last position of the same `record` that a position was shown of.
    ///
    /// # Panics
    /// As [`Replayer::sample_at`].
    pub fn last(&mut self, record: &GameRecord) -> &History {
        self.play_to(record, record.steps.len());
        &self.history
    }

    /// Plays on until `index` steps of `record` have been played, or all of them.
    fn play_to(&mut self, record: &GameRecord, index: usize) {
        let index = index.min(record.steps.len());
        for step in &record.steps[self.index.min(index)..index] {
            self.history.play(step.played);
        }
        self.index = index.max(self.index);
    }

    /// Where the walk stands, verified.
    fn moment<'a>(
        &'a mut self,
        record: &'a GameRecord,
        index: usize,
    ) -> Result<Moment<'a>, ReplayError> {
        let steps = record.steps.len();
        let step = record.steps.get(index).ok_or(ReplayError::NoSuchStep { index, steps })?;
        confirm(&self.history, &mut self.legal, step, index)?;
        Ok(Moment { index, history: &self.history, legal: &self.legal, step })
    }
}
