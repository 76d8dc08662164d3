//! [`SharedDevices`]: workers hand encoded batches to a few devices. The way on GPUs.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crossbeam::channel::{Receiver, Sender, bounded};
use search::{Answers, Device, DeviceBatch, DeviceSource, EvaluatorError, Query};

use crate::evaluators::{Answered, Client, Evaluators, Made, Net, Slot, Spent};

/// Batches that may wait for the devices; then the workers wait.
const MOST_WAITING: usize = 256;

/// Devices with one network, each fed by a thread of its own, which lives until this is dropped.
///
/// A worker encodes the states of a group of its games and hands the batch over; its other groups keep
/// it busy meanwhile. A device takes all batches that wait, up to its most states at a time, and never
/// waits for more: while it is the slower side they gather by themselves, and when the last games run
/// out nothing is held up. The batches of several devices wait in one queue, so that none idles
/// while another has work left over. Two threads on one device overlap: one prepares its next batch
/// while the other's is computed.
pub struct SharedDevices<B: DeviceBatch> {
    slot: Arc<Slot<dyn DeviceSource<B>>>,
    /// Taken out only when this is dropped, which ends the threads.
    queue: Option<Sender<Job<B>>>,
    threads: Vec<JoinHandle<()>>,
}

/// A batch on its way to a device, and the way back.
struct Job<B> {
    parcel: Parcel<B>,
    /// The most states that a batch of this worker has.
    states: usize,
    reply: Sender<Parcel<B>>,
}

/// A batch and its answers. They come back to the worker, who fills them again.
struct Parcel<B> {
    group: usize,
    batch: B,
    answers: Answers,
    net: Arc<Net>,
    outcome: Result<(), EvaluatorError>,
    /// What the device spent. The first of several batches that it took at a time tells of all.
    spent: Spent,
}

impl<B: DeviceBatch> SharedDevices<B> {
    /// Threads for `devices` devices of `source`, whose network is called `net`. A device takes at
    /// most `most` states at a time.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub fn new(
        net: &str,
        source: Arc<dyn DeviceSource<B>>,
        devices: usize,
        most: usize,
    ) -> Result<Self, EvaluatorError> {
        let slot = Arc::new(Slot::new(net, source));
        let (queue, jobs) = bounded(MOST_WAITING);
        let mut this = Self { slot, queue: Some(queue), threads: Vec::new() };
        for index in 0..devices {
            let (slot, jobs) = (Arc::clone(&this.slot), jobs.clone());
            let feeder = move || Feeder::new(&slot, index, most, jobs).run();
            let thread = thread::Builder::new().name(format!("device {index}")).spawn(feeder);
            let refused = |error| EvaluatorError(format!("no thread for device {index}: {error}"));
            this.threads.push(thread.map_err(refused)?);
        }
        Ok(this)
    }

    /// Puts another network in, also while a pool runs: each device computes with it from its next
    /// batch on.
    pub fn swap(&self, net: &str, source: Arc<dyn DeviceSource<B>>) {
        self.slot.swap(net, source);
    }
}

impl<B: DeviceBatch> Drop for SharedDevices<B> {
    fn drop(&mut self) {
        self.queue = None;
        for thread in self.threads.drain(..) {
            // The feeder catches panics; one of its own is nothing to panic about here.
            let _ = thread.join();
        }
    }
}

impl<B: DeviceBatch> fmt::Debug for SharedDevices<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let net = self.slot.current().0;
        let devices = self.threads.len();
        f.debug_struct("SharedDevices").field("net", &net).field("devices", &devices).finish()
    }
}

/// The thread of a device.
struct Feeder<'a, B: DeviceBatch> {
    slot: &'a Slot<dyn DeviceSource<B>>,
    index: usize,
    most: usize,
    jobs: Receiver<Job<B>>,
    device: Option<Made<Box<dyn Device<B>>>>,
    /// The jobs that are computed together.
    taken: Vec<Job<B>>,
    /// Their batches as one, and the answers.
    merged: Option<B>,
    answers: Answers,
}

impl<'a, B: DeviceBatch> Feeder<'a, B> {
    fn new(
        slot: &'a Slot<dyn DeviceSource<B>>,
        index: usize,
        most: usize,
        jobs: Receiver<Job<B>>,
    ) -> Self {
        let (device, taken, merged, answers) = Default::default();
        Self { slot, index, most, jobs, device, taken, merged, answers }
    }

    /// Computes until nobody can send any more.
    fn run(mut self) {
        while let Ok(job) = self.jobs.recv() {
            let (mut room, states) = (self.most.saturating_sub(job.states), job.states);
            self.taken.push(job);
            while room >= states
                && let Ok(job) = self.jobs.try_recv()
            {
                room = room.saturating_sub(job.states);
                self.taken.push(job);
            }
            let began = Instant::now();
            let outcome = catch_unwind(AssertUnwindSafe(|| self.compute()));
            let outcome = outcome.unwrap_or_else(|panic| {
                // Nobody can vouch for its state.
                self.device = None;
                let message = message(panic.as_ref());
                Err(EvaluatorError(format!("device {} panicked: {message}", self.index)))
            });
            let places = self.most as u64;
            let mut spent =
                Spent { batches: 1, places, network: began.elapsed(), ..Spent::default() };
            for Job { mut parcel, reply, .. } in self.taken.drain(..) {
                parcel.spent = std::mem::take(&mut spent);
                parcel.outcome = match &outcome {
                    Ok(net) => {
                        parcel.net.clone_from(net);
                        Ok(())
                    }
                    Err(EvaluatorError(text)) => Err(EvaluatorError(text.clone())),
                };
                // A worker that has given up takes no answers.
                let _ = reply.send(parcel);
            }
        }
    }

    /// Computes all that was taken; by which network.
    fn compute(&mut self) -> Result<Arc<Net>, EvaluatorError> {
        let index = self.index;
        let Made { net, evaluator } =
            self.slot.update(&mut self.device, |source| source.device(index))?;
        if let [job] = &mut self.taken[..] {
            let Parcel { batch, answers, .. } = &mut job.parcel;
            evaluator.evaluate(batch, answers)?;
            return Ok(Arc::clone(net));
        }
        let merged = self.merged.get_or_insert_with(|| self.slot.current().1.batch());
        merged.clear();
        self.taken.iter().for_each(|job| merged.append(&job.parcel.batch));
        evaluator.evaluate(merged, &mut self.answers)?;
        let (asked, answered) = (merged.len(), self.answers.len());
        if asked != answered {
            return Err(EvaluatorError(format!("{answered} answers to {asked} queries")));
        }
        let mut start = 0;
        for job in &mut self.taken {
            let Parcel { batch, answers, .. } = &mut job.parcel;
            answers.clear();
            answers.extend_from(&self.answers, start..start + batch.len());
            start += batch.len();
        }
        Ok(Arc::clone(net))
    }
}

/// What was said at a panic.
pub(crate) fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned()
}

impl<B: DeviceBatch> Evaluators for SharedDevices<B> {
    fn lanes(&self) -> usize {
        2
    }

    fn client(&self, groups: usize, states: usize) -> Result<Box<dyn Client + '_>, EvaluatorError> {
        // There is room for all that can be on its way: a device never waits for a worker.
        let (reply, replies) = bounded(groups);
        Ok(Box::new(SharedClient {
            devices: self,
            states,
            reply,
            replies,
            idle: Vec::with_capacity(groups),
            received: None,
            spent: Spent::default(),
        }))
    }
}

struct SharedClient<'a, B: DeviceBatch> {
    devices: &'a SharedDevices<B>,
    states: usize,
    reply: Sender<Parcel<B>>,
    replies: Receiver<Parcel<B>>,
    idle: Vec<Parcel<B>>,
    /// What the last answers were given out of.
    received: Option<Parcel<B>>,
    spent: Spent,
}

impl<B: DeviceBatch> Client for SharedClient<'_, B> {
    fn net(&self) -> Arc<Net> {
        self.devices.slot.current().0
    }

    fn send(
        &mut self,
        group: usize,
        queries: &[Query<'_>],
        _: usize,
    ) -> Result<(), EvaluatorError> {
        let began = Instant::now();
        let mut parcel = self.received.take().or_else(|| self.idle.pop()).unwrap_or_else(|| {
            let (net, source) = self.devices.slot.current();
            let (answers, spent) = Default::default();
            Parcel { group, batch: source.batch(), answers, net, outcome: Ok(()), spent }
        });
        parcel.group = group;
        parcel.batch.clear();
        queries.iter().try_for_each(|query| parcel.batch.push(query))?;
        let encoded = Instant::now();
        self.spent.encoding += encoded - began;
        let job = Job { parcel, states: self.states, reply: self.reply.clone() };
        let queue = self.devices.queue.as_ref().expect("taken out only when dropped");
        let sent = queue.send(job);
        self.spent.waiting += encoded.elapsed();
        sent.map_err(|_| EvaluatorError("the threads of all devices have ended".to_owned()))
    }

    fn receive(&mut self) -> Result<Answered<'_>, EvaluatorError> {
        self.idle.extend(self.received.take());
        let began = Instant::now();
        let parcel = self.replies.recv().expect("this keeps a sender itself");
        self.spent.waiting += began.elapsed();
        self.spent.batches += parcel.spent.batches;
        self.spent.places += parcel.spent.places;
        self.spent.network += parcel.spent.network;
        let parcel = self.received.insert(parcel);
        if let Err(EvaluatorError(text)) = &parcel.outcome {
            return Err(EvaluatorError(text.clone()));
        }
        Ok(Answered { group: parcel.group, answers: &parcel.answers, net: &parcel.net })
    }

    fn take_spent(&mut self) -> Spent {
        std::mem::take(&mut self.spent)
    }
}
