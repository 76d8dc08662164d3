//! Simulations a second on a made-up game, where neither rules nor evaluations cost anything: what
//! is left is the tree. `raja bench search` measures real games.
//!
//! `cargo bench -p search` runs all; an argument picks those whose name contains it. Rates are per
//! second of processor time where Linux tells it, so that a busy machine disturbs them less.

#![allow(clippy::print_stdout, reason = "a benchmark reports to a person")]

use std::time::Instant;

use games::{Cell, Key, Outcome, Side, State, Step};
use search::{Algorithm, Gathered, GumbelSettings, PuctSettings, SearchSettings, Searcher, Wdl};

/// A game that costs nothing: 30 steps everywhere, over after 80.
#[derive(Debug, Clone, Copy)]
struct Synthetic {
    key: Key,
    plies: u32,
}

const STEPS: u16 = 30;

impl State for Synthetic {
    fn side_to_move(&self) -> Side {
        Side::ALL[self.plies as usize % 2]
    }

    fn steps(&self, into: &mut Vec<Step>) -> Option<Outcome> {
        let outcome = self.outcome();
        if outcome.is_none() {
            into.extend((0..STEPS).map(|index| Step::plain(Cell::new(index), Cell::new(index))));
        }
        outcome
    }

    fn play(&mut self, step: Step) {
        let mixed = (self.key ^ u64::from(step.bits())).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.key = mixed ^ mixed >> 29;
        self.plies += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.plies >= 80).then_some(Outcome::Draw)
    }

    fn key(&self) -> Key {
        self.key
    }
}

/// Seconds this thread has run, from some start.
fn seconds(clock: &Instant) -> f64 {
    let run = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = run.and_then(|run| run.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| clock.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// Plays 40 steps of a game, one search each; returns simulations and evaluations.
fn play<S: State>(
    searcher: &mut Searcher<S>,
    start: &S,
    simulations: u32,
    logits: &mut Vec<f32>,
) -> (u64, u64) {
    searcher.reset(start);
    let (mut done, mut evaluations) = (0, 0);
    for _ in 0..40 {
        searcher.start(simulations, true);
        while searcher.gather() == Gathered::Leaf {
            let query = searcher.query();
            let mut bits = query.state.key() | 1;
            logits.clear();
            logits.extend(query.steps.iter().map(|_| {
                bits = bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ bits >> 32;
                (bits >> 40) as f32 / (1 << 22) as f32
            }));
            let win = 0.4 + 0.2 * (bits >> 40) as f32 / (1 << 24) as f32;
            let value = Wdl { win, draw: 0.0, loss: 1.0 - win };
            searcher.apply(search::Answer { value, logits });
            evaluations += 1;
        }
        let decision = searcher.decision();
        done += u64::from(decision.simulations);
        searcher.advance(decision.step);
        if searcher.root().outcome().is_some() {
            break;
        }
    }
    (done, evaluations)
}

fn measure<S: State>(name: &str, start: &S, simulations: u32, settings: SearchSettings) {
    if std::env::args().skip(1).any(|arg| !arg.starts_with('-') && !name.contains(&arg)) {
        return;
    }
    let mut searcher = Searcher::new(start.clone(), settings, 1);
    let mut logits = Vec::new();
    let clock = Instant::now();
    let (begun, mut done, mut evaluations) = (seconds(&clock), 0, 0);
    while seconds(&clock) - begun < 1.0 {
        let (more, asked) = play(&mut searcher, start, simulations, &mut logits);
        done += more;
        evaluations += asked;
    }
    let run = seconds(&clock) - begun;
    let rate = |count: u64| count as f64 / run / 1e3;
    println!(
        "{name:<34} {:>6.0}k simulations/s {:>6.0}k evaluations/s",
        rate(done),
        rate(evaluations)
    );
}

fn main() {
    let gumbel = SearchSettings {
        algorithm: Algorithm::Gumbel(GumbelSettings::default()),
        ..SearchSettings::default()
    };
    let puct = SearchSettings {
        algorithm: Algorithm::Puct(PuctSettings::default()),
        ..SearchSettings::default()
    };
    for (name, simulations, settings) in
        [("gumbel 64", 64, gumbel), ("puct 800", 800, puct), ("gumbel 800", 800, gumbel)]
    {
        let synthetic = Synthetic { key: 1, plies: 0 };
        measure(&format!("synthetic {name}"), &synthetic, simulations, settings);
        let blind = SearchSettings { inner_look_ahead: 0, ..settings };
        measure(&format!("synthetic {name} no look-ahead"), &synthetic, simulations, blind);
    }
}
