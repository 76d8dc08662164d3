//! [`Device`]: evaluation in two stages on two threads, for what is worth feeding by several.

use games::{History, State};

use crate::{Answers, EvaluatorError, Query};

/// States of one game in the form a device takes them: filled by the threads that search, evaluated
/// by the thread that owns the device. Kept and filled again, so that nothing is allocated.
pub trait DeviceBatch<S: State = History>: Send + 'static {
    /// Takes all states out and keeps the memory.
    fn clear(&mut self);

    /// Encodes the state of `query` and adds it.
    ///
    /// # Errors
    /// If the device does not know that game.
    fn push(&mut self, query: &Query<'_, S>) -> Result<(), EvaluatorError>;

    /// Adds all states of `other`, which came from the same source.
    fn append(&mut self, other: &Self);

    /// The number of states.
    fn len(&self) -> usize;

    /// Whether there is no state.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// One network on one device, in the hands of the thread that feeds it.
pub trait Device<B> {
    /// Clears `answers` and adds one answer for each state of `batch`, in order.
    ///
    /// # Errors
    /// If the evaluation as a whole failed; `answers` is then of no use.
    fn evaluate(&mut self, batch: &B, answers: &mut Answers) -> Result<(), EvaluatorError>;
}

/// One network on several devices.
pub trait DeviceSource<B>: Send + Sync {
    /// An empty batch for any of the devices, and for those of any other network of the game.
    fn batch(&self) -> B;

    /// The network on device `index`, counted from 0, for the calling thread.
    ///
    /// # Errors
    /// If the device cannot take it.
    fn device(&self, index: usize) -> Result<Box<dyn Device<B>>, EvaluatorError>;
}
