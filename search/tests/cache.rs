//! Remembered evaluations change what a search costs, and nothing else.

use games::{Cell, Game, History, Key, Outcome, Side, State, Step};
use search::{
    Answer, Answers, CacheUsage, EvaluationCache, Evaluator as _, Gathered, Query, SearchSettings,
    Searcher, Wdl,
};

use crate::support::{Hashed, gumbel, puct};

/// A state that is nothing but its key.
#[derive(Clone)]
struct Keyed(Key);

impl State for Keyed {
    fn side_to_move(&self) -> Side {
        Side::White
    }

    fn steps(&self, _: &mut Vec<Step>) -> Option<Outcome> {
        None
    }

    fn play(&mut self, _: Step) {}

    fn key(&self) -> Key {
        self.0
    }
}

/// Bytes of a cache with 64 slots and 2,048 - 512 logits.
const SMALL: usize = 8192;

/// Some steps; nobody looks at more than their number.
fn steps(count: usize) -> Vec<Step> {
    vec![Step::plain(Cell::new(0), Cell::new(0)); count]
}

/// The value and logits that belong to a key.
fn answer(key: Key, count: usize) -> (Wdl, Vec<f32>) {
    let win = (key % 1009) as f32 / 1009.0;
    let value = Wdl { win, draw: 0.0, loss: 1.0 - win };
    (value, (0..count).map(|index| win + index as f32).collect())
}

fn put(cache: &mut EvaluationCache, key: Key, count: usize) {
    let (value, logits) = answer(key, count);
    let query = Query { state: &Keyed(key), steps: &steps(count) };
    cache.put(&query, Answer { value, logits: &logits });
}

/// Whether the answer is remembered, which then has to be the right one.
fn knows(cache: &mut EvaluationCache, key: Key, count: usize) -> bool {
    let (value, logits) = answer(key, count);
    let steps = steps(count);
    match cache.get(&Query { state: &Keyed(key), steps: &steps }) {
        Some(found) => {
            assert_eq!((found.value, found.logits), (value, logits.as_slice()));
            true
        }
        None => false,
    }
}

#[test]
fn answers_come_back_as_they_were_until_the_memory_is_used_again() {
    let mut cache = EvaluationCache::new(SMALL);
    let mut random = 1_u64;
    let mut known = 0;
    for round in 0..20_000_u64 {
        random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(round | 1);
        let key = random >> 32;
        let count = 1 + (key % 40) as usize;
        put(&mut cache, key, count);
        assert!(knows(&mut cache, key, count), "what was put last is there");
        // Whatever else is found is right.
        let older = (key ^ 1) % (1 << 32);
        known += u32::from(knows(&mut cache, older, 1 + (older % 40) as usize));
    }
    assert_eq!(cache.usage().asked, 40_000);
    assert_eq!(cache.usage().found, 20_000 + u64::from(known));
}

#[test]
fn a_set_keeps_the_two_newest() {
    let mut cache = EvaluationCache::new(SMALL);
    for key in [0, 64, 128] {
        put(&mut cache, key, 3);
    }
    assert!(!knows(&mut cache, 0, 3));
    assert!(knows(&mut cache, 64, 3) && knows(&mut cache, 128, 3));
    // The same state takes its own place again.
    put(&mut cache, 64, 3);
    assert!(knows(&mut cache, 64, 3) && knows(&mut cache, 128, 3));
}

#[test]
fn the_oldest_logits_are_overwritten() {
    let mut cache = EvaluationCache::new(SMALL);
    // Room for three of 500 in 1,536 places.
    for key in 0..3 {
        put(&mut cache, 2 * key, 500);
    }
    assert!((0..3).all(|key| knows(&mut cache, 2 * key, 500)));
    put(&mut cache, 6, 500);
    assert!(!knows(&mut cache, 0, 500));
    assert!((1..4).all(|key| knows(&mut cache, 2 * key, 500)));
    // One that is too long leaves everything as it is.
    put(&mut cache, 8, 1537);
    assert!(!knows(&mut cache, 8, 1537) && knows(&mut cache, 6, 500));
    put(&mut cache, 10, 1536);
    assert!(knows(&mut cache, 10, 1536) && !knows(&mut cache, 6, 500));
}

#[test]
fn another_network_finds_nothing() {
    let mut cache = EvaluationCache::new(SMALL);
    put(&mut cache, 1, 3);
    cache.forget();
    assert!(!knows(&mut cache, 1, 3));
    put(&mut cache, 1, 3);
    assert!(knows(&mut cache, 1, 3));
}

#[test]
fn another_number_of_steps_is_another_state() {
    let mut cache = EvaluationCache::new(SMALL);
    put(&mut cache, 1, 3);
    assert!(!knows(&mut cache, 1, 4));
}

#[test]
fn without_memory_nothing_is_remembered() {
    for bytes in [0, 1, 100, 255] {
        let mut cache = EvaluationCache::new(bytes);
        put(&mut cache, 1, 3);
        assert!(!knows(&mut cache, 1, 3));
        assert_eq!(cache.usage(), CacheUsage::default());
    }
}

/// Plays a game of eight searches; returns all trees, and how often the evaluator was asked.
fn play(
    start: &History,
    settings: SearchSettings,
    cache: &mut EvaluationCache,
) -> (Vec<Vec<search::Branch>>, u64) {
    let mut searcher = Searcher::new(start.clone(), settings, 1);
    let mut answers = Answers::default();
    let (mut trees, mut asked) = (Vec::new(), 0);
    for _ in 0..8 {
        searcher.start(100, true);
        while searcher.gather_known(cache) == Gathered::Leaf {
            asked += 1;
            Hashed.evaluate(&[searcher.query()], &mut answers).expect("it never fails");
            cache.put(&searcher.query(), answers.get(0));
            searcher.apply(answers.get(0));
        }
        trees.push(searcher.branches());
        searcher.advance(searcher.decision().step);
        if searcher.root().outcome().is_some() {
            break;
        }
    }
    (trees, asked)
}

fn check_same(start: &History) {
    for settings in [gumbel(), puct()] {
        let (plain, asked) = play(start, settings, &mut EvaluationCache::default());
        for bytes in [1 << 12, 1 << 16, 1 << 22] {
            let mut cache = EvaluationCache::new(bytes);
            for round in 0..2 {
                let (trees, less) = play(start, settings, &mut cache);
                assert_eq!(trees, plain, "{bytes} bytes, round {round}");
                assert!(less <= asked);
                assert!(bytes < 1 << 22 || round == 0 || less == 0, "all of it is remembered");
            }
        }
    }
}

#[test]
fn a_search_finds_the_same_with_a_cache_and_without() {
    for id in ["chess", "cheskers"] {
        check_same(&History::new(Game::by_id(id).unwrap().start()));
    }
}
