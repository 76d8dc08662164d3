//! Nothing is allocated where the search spends its time.

use games::{Features, Game, History, State, Step};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::sample;

/// Looks at every state of a random game as the search does: lists the steps, asks for the outcome
/// and the key, plays each of the first steps on a scratch state that it comes back from, and asks
/// what the network is shown there.
fn visit_game(
    start: &History,
    seed: u64,
    [state, scratch]: &mut [History; 2],
    steps: &mut Vec<Step>,
    features: &mut Features,
) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    state.clone_from(start);
    loop {
        steps.clear();
        if state.steps(steps).is_some() {
            return;
        }
        for &step in steps.iter().take(8) {
            scratch.clone_from(state);
            scratch.play(step);
            let _ = (scratch.outcome(), scratch.foregone(), scratch.key());
            scratch.features(features);
        }
        let _ = (state.position().count_moves(), state.outcome());
        state.play(sample::choose(steps, &mut random));
    }
}

#[test]
fn steps_play_outcome_features_and_copies_allocate_nothing() {
    for game in Game::all() {
        let start = History::new(game.start());
        let mut states = [start.clone(), start.clone()];
        let (mut steps, mut features) = (Vec::new(), Features::default());
        // The first round finds out how much memory the vectors need.
        for seed in 1..=2 {
            visit_game(&start, seed, &mut states, &mut steps, &mut features);
        }
        let info = allocation_counter::measure(|| {
            for seed in 1..=2 {
                visit_game(&start, seed, &mut states, &mut steps, &mut features);
            }
        });
        assert_eq!(info.count_total, 0, "{}: {} bytes", game.id, info.bytes_total);
    }
}
