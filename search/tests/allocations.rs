use allocation_counter::measure;
use games::{Game, History, State};
use search::{Answer, EvaluationCache, Gathered, SearchSettings, Searcher, Wdl};

use crate::support::{gumbel, puct};

/// The most lists that a decision makes, whatever the number of steps.
const LISTS: u64 = 8;

/// What stays from one game to the next.
struct Table {
    searcher: Searcher<History>,
    cache: EvaluationCache,
    logits: Vec<f32>,
}

impl Table {
    /// Plays the first moves of a game. Returns what searches and steps have allocated, and the
    /// most that a decision has.
    fn play(&mut self, start: &History) -> [u64; 2] {
        let Self { searcher, cache, logits } = self;
        let (mut in_search, mut in_decision) = (0, 0);
        searcher.reset(start);
        searcher.reseed(1);
        cache.forget();
        for _ in 0..6 {
            let search = measure(|| {
                searcher.start(64, true);
                while searcher.gather_known(cache) == Gathered::Leaf {
                    let waiting = searcher.queries().len();
                    for _ in 0..waiting {
                        let query = searcher.query();
                        logits.clear();
                        let key = query.state.key();
                        logits.extend((0..query.steps.len()).map(|i| (key >> (i % 60) & 3) as f32));
                        let win = (key % 1000) as f32 / 1000.0;
                        let value = Wdl { win, draw: 0.0, loss: 1.0 - win };
                        let answer = Answer { value, logits };
                        cache.put(&query, answer);
                        searcher.apply(answer);
                    }
                }
            });
            in_search += search.count_total;
            let mut step = None;
            let decision = measure(|| step = Some(searcher.decision().step));
            in_decision = decision.count_total.max(in_decision);
            let step = step.expect("there is a decision");
            in_search += measure(|| searcher.advance(step)).count_total;
            if searcher.root().outcome().is_some() {
                break;
            }
        }
        [in_search, in_decision]
    }
}

#[test]
fn searching_and_playing_allocate_nothing() {
    for id in ["chess", "cheskers", "mgc"] {
        let start = History::new(Game::by_id(id).unwrap().start());
        for settings in [gumbel(), puct()] {
            for leaves in [1, 8] {
                let settings = SearchSettings { leaves, ..settings };
                let mut table = Table {
                    searcher: Searcher::new(start.clone(), settings, 1),
                    cache: EvaluationCache::new(1 << 20),
                    logits: Vec::new(),
                };
                // The first round finds out how much memory the buffers need.
                table.play(&start);
                let [in_search, in_decision] = table.play(&start);
                assert_eq!(in_search, 0, "{id}, {settings:?}");
                assert!(in_decision <= LISTS, "{id}: {in_decision}");
            }
        }
    }
}
