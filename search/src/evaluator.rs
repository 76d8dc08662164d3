//! [`Evaluator`]: who says how good a position is and which steps look promising.

use std::ops::Range;
use std::time::Duration;

use games::{History, Outcome, Side, State, Step};

/// Chances of a win, a draw and a loss, seen from one side; they sum to 1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Wdl {
    /// The chance that this side wins.
    pub win: f32,
    /// The chance of a draw.
    pub draw: f32,
    /// The chance that this side loses.
    pub loss: f32,
}

impl Wdl {
    /// The expected score, -1 to 1.
    #[inline]
    #[must_use]
    pub fn score(self) -> f32 {
        self.win - self.loss
    }

    /// The same chances from the other side.
    #[inline]
    #[must_use]
    pub fn flipped(self) -> Self {
        Self { win: self.loss, draw: self.draw, loss: self.win }
    }

    /// White's chances as `side` sees them; and, the same thing, `side`'s chances as White sees
    /// them. The search flips values here and nowhere else.
    #[inline]
    #[must_use]
    pub fn seen_by(self, side: Side) -> Self {
        match side {
            Side::White => self,
            Side::Black => self.flipped(),
        }
    }

    /// A certain result, from White's side.
    #[inline]
    #[must_use]
    pub fn certain(outcome: Outcome) -> Self {
        let score = outcome.score(Side::White);
        Self {
            win: f32::from(score == 1),
            draw: f32::from(score == 0),
            loss: f32::from(score == -1),
        }
    }

    /// Nothing is known.
    pub(crate) const EVEN: Self = Self { win: 0.5, draw: 0.0, loss: 0.5 };

    /// Whether these are chances: finite, not negative, with a sum of 1 within a hundredth (half
    /// precision is good enough).
    pub(crate) fn is_sound(self) -> bool {
        let chances = [self.win, self.draw, self.loss];
        // A NaN fails both comparisons.
        chances.iter().all(|&chance| chance >= 0.0)
            && (chances.iter().sum::<f32>() - 1.0).abs() < 0.01
    }
}

/// A state to be evaluated, with its legal steps in generation order. Never a finished game.
#[derive(Debug)]
pub struct Query<'a, S = History> {
    /// The state.
    pub state: &'a S,
    /// Its legal steps.
    pub steps: &'a [Step],
}

/// One answer of a batch, from the view of the side to move.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    /// The expected result.
    pub value: Wdl,
    /// One logit a step, in the order of [`Query::steps`]: finite, not normalised.
    pub logits: &'a [f32],
}

/// The answers to a batch of queries, in the order of the queries. Reused from batch to batch.
#[derive(Debug, Default)]
pub struct Answers {
    values: Vec<Wdl>,
    logits: Vec<f32>,
    ends: Vec<usize>,
}

impl Answers {
    /// Takes all answers out and keeps the memory.
    pub fn clear(&mut self) {
        self.values.clear();
        self.logits.clear();
        self.ends.clear();
    }

    /// Adds an answer with these logits.
    pub fn push(&mut self, value: Wdl, logits: impl IntoIterator<Item = f32>) {
        self.values.push(value);
        self.logits.extend(logits);
        self.ends.push(self.logits.len());
    }

    /// Adds the answers of `other` to its queries `range`.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn extend_from(&mut self, other: &Self, range: Range<usize>) {
        for index in range {
            let Answer { value, logits } = other.get(index);
            self.push(value, logits.iter().copied());
        }
    }

    /// The number of answers.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is no answer.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The answer to query `index`.
    ///
    /// # Panics
    /// If there are not so many.
    #[must_use]
    pub fn get(&self, index: usize) -> Answer<'_> {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        Answer { value: self.values[index], logits: &self.logits[start..self.ends[index]] }
    }
}

/// An evaluator could not answer: a device failed, memory ran out.
#[derive(Debug, thiserror::Error)]
#[error("evaluation failed: {0}")]
pub struct EvaluatorError(pub String);

/// Evaluates batches of states.
///
/// One instance a thread: networks keep buffers of their own. The cost is one call a batch, so a
/// trait object is free.
pub trait Evaluator<S: State = History>: Send {
    /// Clears `answers` and adds one answer for each of `queries`, in order.
    ///
    /// # Errors
    /// If the evaluation as a whole failed; `answers` is then of no use.
    fn evaluate(
        &mut self,
        queries: &[Query<'_, S>],
        answers: &mut Answers,
    ) -> Result<(), EvaluatorError>;

    /// The part of the last [`Evaluator::evaluate`] that went into bringing states into the form a
    /// network takes; nothing unless the evaluator tells it apart.
    fn encoding(&self) -> Duration {
        Duration::ZERO
    }
}

/// Makes an evaluator for each thread that asks: a loaded network, say.
pub trait EvaluatorSource<S: State = History>: Send + Sync {
    /// An evaluator for the calling thread.
    ///
    /// # Errors
    /// If the device cannot take another one.
    fn evaluator(&self) -> Result<Box<dyn Evaluator<S>>, EvaluatorError>;
}

/// Knows nothing: all steps alike, the game even.
#[derive(Debug, Clone, Copy, Default)]
pub struct Uniform;

impl<S: State> Evaluator<S> for Uniform {
    fn evaluate(
        &mut self,
        queries: &[Query<'_, S>],
        answers: &mut Answers,
    ) -> Result<(), EvaluatorError> {
        answers.clear();
        for query in queries {
            answers.push(Wdl::EVEN, query.steps.iter().map(|_| 0.0));
        }
        Ok(())
    }
}

impl<S: State> EvaluatorSource<S> for Uniform {
    fn evaluator(&self) -> Result<Box<dyn Evaluator<S>>, EvaluatorError> {
        Ok(Box::new(*self))
    }
}
