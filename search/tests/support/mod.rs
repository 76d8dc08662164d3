//! Games and evaluators made for tests.

mod endless;
mod evaluators;
mod noughts;
mod script;

use std::sync::atomic::AtomicBool;

use games::State;
use search::{
    Algorithm, Decision, Evaluator, GumbelSettings, PuctSettings, SearchSettings, Searcher,
};

pub(crate) use endless::Endless;
pub(crate) use evaluators::{Counting, Hashed};
pub(crate) use noughts::Noughts;
pub(crate) use script::Script;

pub(crate) fn gumbel() -> SearchSettings {
    let algorithm = Algorithm::Gumbel(GumbelSettings::default());
    SearchSettings { algorithm, ..SearchSettings::default() }
}

pub(crate) fn puct() -> SearchSettings {
    let algorithm = Algorithm::Puct(PuctSettings::default());
    SearchSettings { algorithm, ..SearchSettings::default() }
}

/// Without look-ahead, so that trees have to find everything themselves.
pub(crate) fn blind(settings: SearchSettings) -> SearchSettings {
    SearchSettings { look_ahead: 0, inner_look_ahead: 0, ..settings }
}

/// Runs a whole search.
pub(crate) fn run<S: State>(
    searcher: &mut Searcher<S>,
    evaluator: &mut dyn Evaluator<S>,
    simulations: u32,
    noise: bool,
) -> Decision {
    searcher.start(simulations, noise);
    search::search(searcher, evaluator, &AtomicBool::new(false))
        .expect("test evaluators never fail");
    searcher.decision()
}
