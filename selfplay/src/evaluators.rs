//! [`Evaluators`]: where the workers of a pool have their states evaluated, and by which network.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use search::{Answers, EvaluatorError, Query};

/// Where the workers of a pool have their states evaluated: by calls of their own
/// ([`LocalEvaluators`](crate::LocalEvaluators)) or on devices that they share
/// ([`SharedDevices`](crate::SharedDevices)).
///
/// The network may be exchanged while they play. A worker notices between two batches; no game stops
/// for it.
pub trait Evaluators: Sync {
    /// How many batches a worker should have on their way, so that neither side ever waits.
    fn lanes(&self) -> usize;

    /// The access of one worker, for the calling thread, that sends batches of at most `states`
    /// states from `groups` groups of games.
    ///
    /// # Errors
    /// If no evaluator can be had.
    fn client(&self, groups: usize, states: usize) -> Result<Box<dyn Client + '_>, EvaluatorError>;
}

/// One worker's access to evaluators. Of each group of games at most one batch is on its way.
pub trait Client {
    /// The network that is asked now.
    fn net(&self) -> Arc<Net>;

    /// Sends the batch of a group, of whose games `seats` could have had a state in it.
    ///
    /// # Errors
    /// If the evaluation failed or nobody does it any more.
    fn send(
        &mut self,
        group: usize,
        queries: &[Query<'_>],
        seats: usize,
    ) -> Result<(), EvaluatorError>;

    /// Waits for the answers to a batch on its way, whichever comes first. There must be one.
    ///
    /// # Errors
    /// If the evaluation failed.
    fn receive(&mut self) -> Result<Answered<'_>, EvaluatorError>;

    /// What was spent since this was last asked.
    fn take_spent(&mut self) -> Spent;
}

/// Answers to the batch of a group.
#[derive(Debug)]
pub struct Answered<'a> {
    /// The group.
    pub group: usize,
    /// An answer to each query.
    pub answers: &'a Answers,
    /// The network that gave them.
    pub net: &'a Arc<Net>,
}

/// A network by name.
#[derive(Debug, PartialEq, Eq)]
pub struct Net {
    /// Its id, for the records.
    pub id: String,
    /// How many others played before it, of the same [`Evaluators`].
    pub number: u64,
}

/// What evaluations took.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spent {
    /// Calls of evaluators or devices.
    pub batches: u64,
    /// States that these calls could have had.
    pub places: u64,
    /// The worker's time for bringing states into the network's form.
    pub encoding: Duration,
    /// The network's time: the worker's own or the device's.
    pub network: Duration,
    /// The worker's time without work.
    pub waiting: Duration,
}

/// The network that plays, and where to get it from.
#[derive(Debug)]
pub(crate) struct Slot<T: ?Sized> {
    /// The number of the current network, to be looked at without the lock.
    number: AtomicU64,
    current: Mutex<(Arc<Net>, Arc<T>)>,
}

/// Something made of a network.
pub(crate) struct Made<E> {
    pub(crate) net: Arc<Net>,
    pub(crate) evaluator: E,
}

impl<T: ?Sized> Slot<T> {
    pub(crate) fn new(id: &str, source: Arc<T>) -> Self {
        let net = Net { id: id.to_owned(), number: 0 };
        Self { number: AtomicU64::new(0), current: Mutex::new((Arc::new(net), source)) }
    }

    /// Puts another network in.
    pub(crate) fn swap(&self, id: &str, source: Arc<T>) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let number = current.0.number + 1;
        *current = (Arc::new(Net { id: id.to_owned(), number }), source);
        self.number.store(number, Ordering::Release);
    }

    pub(crate) fn current(&self) -> (Arc<Net>, Arc<T>) {
        self.current.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Makes `made` anew unless it is of the current network. What was made before is dropped first:
    /// a device need not have room for two.
    pub(crate) fn update<'m, E>(
        &self,
        made: &'m mut Option<Made<E>>,
        make: impl FnOnce(&T) -> Result<E, EvaluatorError>,
    ) -> Result<&'m mut Made<E>, EvaluatorError> {
        let number = self.number.load(Ordering::Acquire);
        if made.as_ref().is_none_or(|made| made.net.number != number) {
            *made = None;
            let (net, source) = self.current();
            let evaluator = make(&source)?;
            *made = Some(Made { net, evaluator });
        }
        Ok(made.as_mut().expect("it has just been made"))
    }
}
