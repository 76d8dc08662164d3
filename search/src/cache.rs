//! [`EvaluationCache`]: answers that evaluators have given before.

use games::{Key, State};

use crate::{Answer, Query, Wdl};

/// The answers of one network to the states it has seen last, in memory of fixed size.
///
/// Made for one thread and all its searchers, which go on with a remembered answer as with a new
/// one ([`crate::Searcher::gather_known`]). States are told apart by [`State::evaluation_key`]:
/// equal keys mean the same network input and the same steps in the same order, so an answer is
/// what the network would say again, to the last bit. Where another network takes over, the answers
/// have to [go](Self::forget).
///
/// A quarter of the memory is a table of keys, in sets of two; the rest holds the logits of the
/// answers one behind the other. What is new overwrites what is oldest.
///
/// ```
/// use search::{Answer, EvaluationCache, Query, Wdl};
/// # let state = games::History::new(games::Game::by_id("chess")?.start());
/// # let mut steps = Vec::new();
/// # games::State::steps(&state, &mut steps);
/// let mut cache = EvaluationCache::new(1 << 20);
/// let query = Query { state: &state, steps: &steps };
/// assert!(cache.get(&query).is_none());
/// let value = Wdl { win: 0.4, draw: 0.5, loss: 0.1 };
/// cache.put(&query, Answer { value, logits: &[0.0; 20] });
/// assert_eq!(cache.get(&query).map(|answer| answer.value), Some(value));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct EvaluationCache {
    /// The answers; a power of two of them, or none. Neighbours are a set.
    slots: Vec<Slot>,
    /// Their logits: place `n` is at index `n % logits.len()`.
    logits: Vec<f32>,
    /// The place of the next logit. Places are never used twice.
    next: u64,
    /// Answers whose logits are before this place are forgotten.
    first: u64,
    usage: CacheUsage,
}

/// How often a cache was asked, and what came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CacheUsage {
    /// States that were looked for.
    pub asked: u64,
    /// Those that were found.
    pub found: u64,
}

/// One answer: 32 bytes, so that a set is one line of the processor's cache.
#[derive(Debug, Clone, Copy)]
struct Slot {
    key: Key,
    /// The place of the first logit.
    place: u64,
    steps: u32,
    value: Wdl,
}

impl EvaluationCache {
    /// A cache that takes at most `bytes` of memory; below a few hundred, and so for 0, it
    /// remembers nothing. The memory is touched as it fills up.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        let most = bytes / 4 / size_of::<Slot>();
        // The greatest power of two that is not above.
        let slots = if most < 2 { 0 } else { 1 << most.ilog2() };
        let left = bytes - slots * size_of::<Slot>();
        let places = if slots == 0 { 0 } else { left / size_of::<f32>() };
        // The first places are never used: empty slots point there.
        let first = places as u64 + 1;
        let empty = Slot { key: 0, place: 0, steps: 0, value: Wdl::default() };
        Self {
            slots: vec![empty; slots],
            logits: vec![0.0; places],
            next: first,
            first,
            usage: CacheUsage::default(),
        }
    }

    /// Forgets all answers at once: another network takes over.
    pub fn forget(&mut self) {
        self.first = self.next;
    }

    /// How the cache has been used since it was made.
    #[must_use]
    pub fn usage(&self) -> CacheUsage {
        self.usage
    }

    /// The answer to `query`, if it is remembered.
    #[must_use]
    pub fn get<S: State>(&mut self, query: &Query<'_, S>) -> Option<Answer<'_>> {
        if self.slots.is_empty() {
            return None;
        }
        self.usage.asked += 1;
        let key = query.state.evaluation_key();
        let set = self.set(key);
        // Different states with one key are all but impossible, but must not end in a panic.
        let here = |slot: &&Slot| slot.key == key && slot.steps as usize == query.steps.len();
        let slot = *self.slots[set..set + 2].iter().find(here).filter(|slot| self.holds(slot))?;
        self.usage.found += 1;
        let start = (slot.place % self.logits.len() as u64) as usize;
        Some(Answer { value: slot.value, logits: &self.logits[start..][..query.steps.len()] })
    }

    /// Remembers the answer to `query`, if there is room for one so long.
    ///
    /// # Panics
    /// If the answer does not have one logit a step.
    pub fn put<S: State>(&mut self, query: &Query<'_, S>, answer: Answer<'_>) {
        assert_eq!(answer.logits.len(), query.steps.len(), "an answer has one logit a step");
        let (length, places) = (answer.logits.len(), self.logits.len());
        if self.slots.is_empty() || length > places {
            return;
        }
        let mut start = (self.next % places as u64) as usize;
        if start + length > places {
            // An answer does not go over the end.
            self.next += (places - start) as u64;
            start = 0;
        }
        let key = query.state.evaluation_key();
        let set = self.set(key);
        let [a, b] = &self.slots[set..set + 2] else { unreachable!("a set is two slots") };
        let older = set + usize::from(a.key != key && (b.key == key || b.place < a.place));
        let steps = length as u32;
        self.slots[older] = Slot { key, place: self.next, steps, value: answer.value };
        self.logits[start..][..length].copy_from_slice(answer.logits);
        self.next += length as u64;
    }

    /// The first slot of the set of `key`.
    fn set(&self, key: Key) -> usize {
        // Keys are well mixed in all their bits.
        key as usize & (self.slots.len() - 2)
    }

    /// Whether the logits of `slot` are still there.
    fn holds(&self, slot: &Slot) -> bool {
        slot.place >= self.first && self.next - slot.place <= self.logits.len() as u64
    }
}

impl Default for EvaluationCache {
    /// A cache that remembers nothing.
    fn default() -> Self {
        Self::new(0)
    }
}
