use allocation_counter::measure;
use games::{Game, History, State as _};
use search::{Answer, EvaluationCache, Gathered, SearchSettings, Searcher, Wdl};

use crate::support::{gumbel, puct};

/// Plays games with searches of a hundred simulations, on one searcher with one cache, until there
/// have been `simulations` of them. What is allocated has to be given back, but for what `most`
/// bytes of buffers may grow by.
pub(crate) fn soak(id: &str, settings: SearchSettings, simulations: u64) {
    let start = History::new(Game::by_id(id).unwrap().start());
    let mut searcher = Searcher::new(start.clone(), settings, 1);
    let mut cache = EvaluationCache::new(1 << 20);
    let mut logits = Vec::new();
    let mut done = 0;
    let mut play = |until: u64| {
        while done < until {
            searcher.start(100, true);
            while searcher.gather_known(&mut cache) == Gathered::Leaf {
                let query = searcher.query();
                let key = query.state.key();
                logits.clear();
                logits.extend((0..query.steps.len()).map(|i| (key >> (i % 60) & 3) as f32));
                let win = (key >> 8 & 1023) as f32 / 1023.0;
                let value = Wdl { win, draw: 0.0, loss: 1.0 - win };
                let answer = Answer { value, logits: &logits };
                cache.put(&query, answer);
                searcher.apply(answer);
            }
            let decision = searcher.decision();
            // Proven roots cost no simulation.
            done += u64::from(decision.simulations).max(1);
            let step = searcher.sample(&decision, 1.0);
            searcher.advance(step);
            if searcher.root().outcome().is_some() {
                searcher.reset(&start);
                // Another network: everything is new.
                cache.forget();
            }
        }
    };
    play(simulations / 10);
    let later = measure(|| play(simulations));
    // Buffers that have not met their largest position yet may still double.
    let most = 4 << 20;
    assert!(later.bytes_current < most, "{id}: {later:?}");
    assert!(later.bytes_max < most as u64, "{id}: {later:?}");
}

#[test]
fn memory_stays_flat_over_a_hundred_thousand_simulations() {
    for (id, settings) in [("cheskers", gumbel()), ("chess", puct())] {
        soak(id, settings, 50_000);
    }
}
