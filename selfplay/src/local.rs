//! [`LocalEvaluators`]: each worker calls an evaluator of its own. The way on processors.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use search::{Answers, Evaluator, EvaluatorError, EvaluatorSource, Query};

use crate::evaluators::{Answered, Client, Evaluators, Made, Net, Slot, Spent};

/// An evaluator for each worker, which calls it on its own thread: nothing is handed over.
pub struct LocalEvaluators {
    slot: Slot<dyn EvaluatorSource>,
}

impl LocalEvaluators {
    /// Evaluators of the network `net` from `source`.
    #[must_use]
    pub fn new(net: &str, source: Arc<dyn EvaluatorSource>) -> Self {
        Self { slot: Slot::new(net, source) }
    }

    /// Puts another network in, also while a pool runs: each worker asks it from its next batch on.
    pub fn swap(&self, net: &str, source: Arc<dyn EvaluatorSource>) {
        self.slot.swap(net, source);
    }
}

impl fmt::Debug for LocalEvaluators {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalEvaluators").field("net", &self.slot.current().0).finish()
    }
}

impl Evaluators for LocalEvaluators {
    fn lanes(&self) -> usize {
        1
    }

    fn client(&self, groups: usize, _: usize) -> Result<Box<dyn Client + '_>, EvaluatorError> {
        let mut made = None;
        let net = Arc::clone(&self.slot.update(&mut made, |source| source.evaluator())?.net);
        let answered = || (Answers::default(), Arc::clone(&net));
        Ok(Box::new(LocalClient {
            slot: &self.slot,
            answered: (0..groups).map(|_| answered()).collect(),
            made,
            done: VecDeque::with_capacity(groups),
            spent: Spent::default(),
        }))
    }
}

struct LocalClient<'a> {
    slot: &'a Slot<dyn EvaluatorSource>,
    made: Option<Made<Box<dyn Evaluator>>>,
    /// Each group's answers and who gave them.
    answered: Vec<(Answers, Arc<Net>)>,
    /// The groups whose answers have not been received.
    done: VecDeque<usize>,
    spent: Spent,
}

impl Client for LocalClient<'_> {
    fn net(&self) -> Arc<Net> {
        self.slot.current().0
    }

    fn send(
        &mut self,
        group: usize,
        queries: &[Query<'_>],
        seats: usize,
    ) -> Result<(), EvaluatorError> {
        let Made { net, evaluator } =
            self.slot.update(&mut self.made, |source| source.evaluator())?;
        let (answers, by) = &mut self.answered[group];
        let began = Instant::now();
        evaluator.evaluate(queries, answers)?;
        let (all, encoding) = (began.elapsed(), evaluator.encoding());
        self.spent.encoding += encoding;
        self.spent.network += all.saturating_sub(encoding);
        self.spent.batches += 1;
        self.spent.places += seats as u64;
        by.clone_from(net);
        self.done.push_back(group);
        Ok(())
    }

    fn receive(&mut self) -> Result<Answered<'_>, EvaluatorError> {
        let group = self.done.pop_front().expect("a batch has been sent");
        let (answers, net) = &self.answered[group];
        Ok(Answered { group, answers, net })
    }

    fn take_spent(&mut self) -> Spent {
        std::mem::take(&mut self.spent)
    }
}
