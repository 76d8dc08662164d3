use games::{Side, State};
use proptest::prelude::*;
use search::{Algorithm, Branch, GumbelSettings, SearchSettings, Searcher, Wdl};

use crate::support::{Counting, Endless, Hashed, gumbel, puct, run};

fn considering(considered: u32) -> SearchSettings {
    let algorithm = Algorithm::Gumbel(GumbelSettings { considered, ..GumbelSettings::default() });
    SearchSettings { algorithm, ..gumbel() }
}

fn visits(decision: &search::Decision) -> Vec<u32> {
    decision.candidates.iter().map(|candidate| candidate.visits).filter(|&n| n > 0).collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_search_visits_exactly_what_it_was_given(
        simulations in 0_u32..200,
        considered in 1_u32..40,
        legal in 1_u16..60,
        seed: u64,
        noise: bool,
    ) {
        for settings in [considering(considered), puct()] {
            let mut counting = Counting::default();
            let mut searcher = Searcher::new(Endless::new(legal, 5), settings, seed);
            let decision = run(&mut searcher, &mut counting, simulations, noise);
            prop_assert_eq!(decision.simulations, simulations);
            prop_assert_eq!(decision.reused, 0);
            prop_assert_eq!(visits(&decision).iter().sum::<u32>(), simulations);
            prop_assert_eq!(counting.asked, simulations + 1, "each simulation and the root");
            prop_assert_eq!(decision.candidates.len(), usize::from(legal));
        }
    }

    #[test]
    fn sequential_halving_visits_as_many_steps_as_it_considers(
        simulations in 1_u32..300,
        considered in 1_u32..40,
        legal in 1_u16..60,
        seed: u64,
    ) {
        let mut searcher = Searcher::new(Endless::new(legal, 5), considering(considered), seed);
        let decision = run(&mut searcher, &mut Hashed, simulations, true);
        let mut counts = visits(&decision);
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let candidates = considered.min(simulations).min(u32::from(legal));
        prop_assert_eq!(counts.len() as u32, candidates);
        // The finalists share what the others leave: no more than one visit between them, unless
        // the simulations ran out before there were two.
        if candidates > 2 && simulations >= 4 * candidates {
            prop_assert!(counts[0] - counts[1] <= 1, "{:?}", counts);
        }
        let chosen = decision.candidates.iter().find(|candidate| candidate.step == decision.step);
        prop_assert!(chosen.is_some_and(|candidate| candidate.visits > 0));
    }
}

#[test]
fn phases_of_64_simulations_over_16_candidates() {
    let mut searcher = Searcher::new(Endless::new(30, 5), gumbel(), 3);
    let decision = run(&mut searcher, &mut Hashed, 64, true);
    let mut counts = visits(&decision);
    counts.sort_unstable_by(|a, b| b.cmp(a));
    // 16 once, 8 twice more, 4 four times more, and 16 turns for two: 1, 3, 7, 7 + 8.
    assert_eq!(counts, [15, 15, 7, 7, 3, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1]);
}

/// The branches below the first step `step`, one level up, as after playing it.
fn below(branches: &[Branch], step: games::Step) -> Vec<Branch> {
    let start = branches
        .iter()
        .position(|branch| branch.depth == 1 && branch.step == Some(step))
        .expect("the step was visited");
    let mut below = vec![Branch { depth: 0, step: None, prior: 1.0, ..branches[start] }];
    for branch in &branches[start + 1..] {
        if branch.depth <= 1 {
            break;
        }
        below.push(Branch { depth: branch.depth - 1, ..*branch });
    }
    below
}

#[test]
fn the_played_steps_subtree_stays_as_it_was() {
    for settings in [gumbel(), puct()] {
        let mut searcher = Searcher::new(Endless::new(12, 7), settings, 5);
        for _ in 0..6 {
            let decision = run(&mut searcher, &mut Hashed, 300, true);
            let expected = below(&searcher.branches(), decision.step);
            searcher.advance(decision.step);
            assert_eq!(searcher.branches(), expected);
        }
    }
}

#[test]
fn without_reuse_and_after_a_reset_the_tree_is_fresh() {
    let settings = SearchSettings { reuse: false, ..puct() };
    let mut searcher = Searcher::new(Endless::new(12, 7), settings, 5);
    let first = run(&mut searcher, &mut Hashed, 100, false);
    searcher.advance(first.step);
    assert!(searcher.branches().is_empty());
    let second = run(&mut searcher, &mut Hashed, 100, false);
    assert_eq!(second.reused, 0);
    let mut fresh = Searcher::new(*searcher.root(), settings, 6);
    assert_eq!(run(&mut fresh, &mut Hashed, 100, false), second);
    searcher.reset(&Endless::new(12, 7));
    assert_eq!(run(&mut searcher, &mut Hashed, 100, false), first);
}

#[test]
fn kept_visits_stand_in_for_simulations() {
    for settings in [gumbel(), puct()] {
        let mut searcher = Searcher::new(Endless::new(3, 3), settings, 5);
        let first = run(&mut searcher, &mut Hashed, 300, false);
        searcher.advance(first.step);
        let mut counting = Counting::default();
        let second = run(&mut searcher, &mut counting, 300, false);
        assert!(second.reused > 50, "{}", second.reused);
        // All three steps are candidates here, so every kept visit counts, except those a step has
        // beyond what halving would have given it.
        assert!(second.simulations < 300 && second.simulations >= 300 - second.reused);
        assert_eq!(counting.asked, second.simulations, "the root is not evaluated again");
    }
}

#[test]
fn with_noise_puct_makes_all_simulations() {
    let mut searcher = Searcher::new(Endless::new(3, 3), puct(), 5);
    let first = run(&mut searcher, &mut Hashed, 300, true);
    searcher.advance(first.step);
    assert_eq!(run(&mut searcher, &mut Hashed, 300, true).simulations, 300);
}

#[test]
fn a_longer_search_of_the_same_root_goes_on_with_it() {
    let mut searcher = Searcher::new(Endless::new(12, 7), puct(), 5);
    run(&mut searcher, &mut Hashed, 100, false);
    let longer = run(&mut searcher, &mut Hashed, 250, false);
    assert_eq!((longer.reused, longer.simulations), (100, 150));
    let mut fresh = Searcher::new(Endless::new(12, 7), puct(), 5);
    let at_once = run(&mut fresh, &mut Hashed, 250, false);
    assert_eq!(searcher.branches(), fresh.branches());
    assert_eq!(longer.candidates, at_once.candidates);
}

#[test]
fn a_full_tree_ends_the_search() {
    let settings = SearchSettings { tree_bytes: 1 << 16, ..puct() };
    let mut searcher = Searcher::new(Endless::new(30, 30), settings, 5);
    let decision = run(&mut searcher, &mut Hashed, 1_000_000, true);
    assert!((50..500).contains(&decision.simulations), "{}", decision.simulations);
    searcher.advance(decision.step);
    let next = run(&mut searcher, &mut Hashed, 1_000_000, true);
    assert!(next.simulations > 10, "playing a step makes room");
}

/// Sums of values are exact: the root's mean is the mean over its own evaluation and its steps.
#[test]
fn the_root_is_the_mean_of_its_visits() {
    for legal in [1, 4, 20] {
        let mut searcher = Searcher::new(Endless::new(legal, 4), puct(), 5);
        let decision = run(&mut searcher, &mut Hashed, 150, true);
        assert_eq!(searcher.root().side_to_move(), Side::White);
        let raw = decision.raw.map_or(f32::NAN, Wdl::score);
        let of_steps: f32 = decision.candidates.iter().map(|c| c.q * c.visits as f32).sum();
        let mean = (raw + of_steps) / 151.0;
        assert!((decision.value.score() - mean).abs() < 1e-5);
    }
}
