use games::{Outcome, Side};
use proptest::prelude::*;
use search::{Algorithm, Candidate, Proof, PuctSettings, SearchSettings, Searcher, Uniform, Wdl};

use crate::support::{Counting, Hashed, Script, blind, gumbel, puct, run};

const WHITE: Outcome = Outcome::Win(Side::White);
const BLACK: Outcome = Outcome::Win(Side::Black);

/// Both algorithms, with and without look-ahead.
fn all_settings() -> [SearchSettings; 4] {
    [gumbel(), puct(), blind(gumbel()), blind(puct())]
}

/// Searches the game once under each settings and hands what came out to `check`.
fn check_all(text: &str, simulations: u32, check: impl Fn(&search::Decision)) {
    for settings in all_settings() {
        for noise in [false, true] {
            let mut searcher = Searcher::new(Script::new(text), settings, 7);
            let decision = run(&mut searcher, &mut Hashed, simulations, noise);
            let sum: f32 = decision.candidates.iter().map(|candidate| candidate.target).sum();
            assert!((sum - 1.0).abs() < 1e-5, "{text}: target sums to {sum}");
            check(&decision);
        }
    }
}

fn targets(decision: &search::Decision) -> Vec<f32> {
    decision.candidates.iter().map(|candidate| candidate.target).collect()
}

#[test]
fn a_win_in_one_is_found_for_each_colour() {
    for (text, outcome) in [("w[b[w[B]] W b[w[B]]]", WHITE), ("b[w[b[W]] B w[b[W]]]", BLACK)] {
        check_all(text, 60, |decision| {
            assert_eq!(decision.proven, Some(Proof { outcome, steps: 1 }), "{text}");
            assert_eq!(decision.step, Script::step(1), "{text}");
            assert_eq!(decision.value, Wdl { win: 1.0, draw: 0.0, loss: 0.0 }, "{text}");
            assert_eq!(targets(decision), [0.0, 1.0, 0.0], "{text}");
        });
    }
}

#[test]
fn one_side_may_move_several_times_in_a_row() {
    // White moves three times: only the line 1, 0, 1 wins. Counting plies would flip the value.
    let text = "w[ w[w[B B] w[B B]] w[w[B W] w[B B]] ]";
    check_all(text, 200, |decision| {
        assert_eq!(decision.proven, Some(Proof { outcome: WHITE, steps: 3 }));
        assert_eq!(decision.step, Script::step(1));
    });
    let text = "b[ b[b[W W] b[W W]] b[b[W B] b[W W]] ]";
    check_all(text, 200, |decision| {
        assert_eq!(decision.proven, Some(Proof { outcome: BLACK, steps: 3 }));
        assert_eq!(decision.step, Script::step(1));
    });
}

#[test]
fn a_lost_game_lasts_as_long_as_it_can() {
    let text = "w[ B b[w[B]] b[w[b[w[B]]]] b[w[B]] ]";
    check_all(text, 400, |decision| {
        assert_eq!(decision.proven, Some(Proof { outcome: BLACK, steps: 5 }));
        assert_eq!(decision.step, Script::step(2));
        assert_eq!(decision.value.loss, 1.0);
        assert_eq!(targets(decision), [0.0, 0.0, 1.0, 0.0]);
    });
}

#[test]
fn the_shortest_wins_share_the_target() {
    let decision = run(
        &mut Searcher::new(Script::new("w[ W b[w[B]] = W ]"), gumbel(), 1),
        &mut Uniform,
        16,
        true,
    );
    assert_eq!(targets(&decision), [0.5, 0.0, 0.0, 0.5]);
    assert_eq!(decision.candidates[0].proven, Some(Proof { outcome: WHITE, steps: 0 }));
}

#[test]
fn a_draw_is_proven_and_the_target_keeps_to_it() {
    let text = "w[ b[w[B] w[B]] = b[= w[W]] ]";
    check_all(text, 2_000, |decision| {
        if let Some(proof) = decision.proven {
            assert_eq!(proof.outcome, Outcome::Draw);
            assert_eq!(decision.value.draw, 1.0);
        }
        assert_eq!(decision.candidates[0].target, 0.0);
        assert_ne!(decision.step, Script::step(0));
    });
}

#[test]
fn a_win_at_once_needs_no_network() {
    let mut counting = Counting::default();
    for settings in [gumbel(), puct()] {
        let mut searcher = Searcher::new(Script::new("w[ b[B] W ]"), settings, 1);
        let decision = run(&mut searcher, &mut counting, 50, true);
        assert_eq!(decision.raw, None);
        assert_eq!(decision.simulations, 0);
        assert_eq!(decision.candidates[1].q, 1.0);
    }
    assert_eq!(counting.asked, 0);
    // Behind every step Black wins at once: only the root needs the network.
    let mut searcher = Searcher::new(Script::new("w[ b[w[W] B] b[B w[W]] ]"), gumbel(), 1);
    let decision = run(&mut searcher, &mut counting, 50, true);
    assert_eq!(decision.proven, Some(Proof { outcome: BLACK, steps: 2 }));
    assert_eq!(counting.asked, 1);
}

#[test]
fn a_kept_root_is_tried_one_ply_ahead_as_well() {
    for settings in [gumbel(), puct()] {
        let settings = SearchSettings { inner_look_ahead: 0, ..settings };
        let game = Script::new("w[ w[b[w[=]] b[w[=]] W] ]");
        let mut searcher = Searcher::new(game, settings, 1);
        run(&mut searcher, &mut Uniform, 1, false);
        searcher.advance(Script::step(0));
        assert_eq!(searcher.branches().len(), 1, "the root was kept, its steps were not tried");
        let decision = run(&mut searcher, &mut Uniform, 0, false);
        assert_eq!(decision.step, Script::step(2));
        assert_eq!(decision.proven, Some(Proof { outcome: WHITE, steps: 1 }));
        assert!(decision.raw.is_some());
    }
}

#[test]
fn a_hanging_loss_leaves_the_candidates() {
    // 1 loses at once; the others last longer than this search sees.
    let long = "b[w[b[w[b[w[b[w[=]]]] b[w[b[w[=]]]]]]]]";
    let text = format!("w[{long} B {long} {long}]");
    check_all(&text, 8, |decision| {
        let lost = decision.candidates[1];
        assert_eq!((lost.target, lost.visits.min(1)), (0.0, lost.visits), "at most one visit");
        assert_ne!(decision.step, lost.step);
    });
}

#[test]
fn a_foregone_root_plays_its_first_step() {
    let mut counting = Counting::default();
    for settings in [gumbel(), puct()] {
        let mut searcher = Searcher::new(Script::new("b!W[ w[B] W b[B] ]"), settings, 1);
        for _ in 0..2 {
            let decision = run(&mut searcher, &mut counting, 50, true);
            assert_eq!(decision.step, Script::step(0));
            assert_eq!(decision.proven, Some(Proof { outcome: WHITE, steps: 0 }));
            assert_eq!(decision.value.loss, 1.0);
            assert!(decision.candidates.iter().all(|candidate| candidate.q == -1.0));
        }
        searcher.advance(Script::step(1));
    }
    assert_eq!(counting.asked, 0);
}

#[test]
fn a_foregone_state_is_proven_in_the_tree() {
    // White's capture of the king goes on with another leg.
    check_all("w[ b[w[=]] w!W[w[B] B] ]", 100, |decision| {
        assert_eq!(decision.step, Script::step(1));
        assert_eq!(decision.proven, Some(Proof { outcome: WHITE, steps: 1 }));
    });
}

#[test]
fn a_state_with_steps_left_out_is_never_proven_lost() {
    // 299 of Black's 300 steps lose; under equal priors the 300th is not even in the tree.
    for (last, others) in [("=", 299), ("B", 299), ("W", 299)] {
        let text = format!("w[ b[{}{last}] ]", "W".repeat(others));
        for settings in all_settings() {
            let mut searcher = Searcher::new(Script::new(&text), settings, 1);
            let decision = run(&mut searcher, &mut Uniform, 1_000, true);
            assert_eq!(decision.proven, None, "{last}");
        }
        // Where it is the root every step counts.
        for settings in all_settings() {
            let mut searcher = Searcher::new(Script::new(&text), settings, 1);
            let _ = run(&mut searcher, &mut Uniform, 1_000, true);
            searcher.advance(Script::step(0));
            let decision = run(&mut searcher, &mut Uniform, 2_000, true);
            assert_eq!(decision.candidates.len(), others + 1);
            let settled = decision.proven.map(|proof| proof.outcome);
            match last {
                "B" if settings.look_ahead > 0 => assert_eq!(settled, Some(BLACK)),
                "W" if settings.look_ahead > 0 => assert_eq!(settled, Some(WHITE)),
                "W" => assert!(settled.is_none_or(|outcome| outcome == WHITE)),
                _ => assert_ne!(settled, Some(WHITE)),
            }
        }
    }
    // A win among the edges that are there is a win.
    let text = format!("w[ b[{}B] ]", "W".repeat(255) + "B" + &"W".repeat(43));
    let mut searcher = Searcher::new(Script::new(&text), blind(puct()), 1);
    let decision = run(&mut searcher, &mut Uniform, 1_000, false);
    assert_eq!(decision.proven, Some(Proof { outcome: BLACK, steps: 2 }));
}

#[test]
fn looking_ahead_at_some_steps_decides_nothing_about_the_others() {
    for (inner_look_ahead, last) in [(64, "="), (64, "B"), (1, "="), (3, "W")] {
        let settings = SearchSettings { inner_look_ahead, ..puct() };
        let text = format!("w[ b[{}{last}] b[w[B]] ]", "W".repeat(inner_look_ahead));
        let game = Script::new(&text);
        let decision = run(&mut Searcher::new(game.clone(), settings, 1), &mut Uniform, 500, false);
        let proven = decision.proven.expect("few steps are searched to the end");
        assert_eq!((proven.outcome, usize::from(proven.steps)), game.solve());
    }
}

#[test]
fn the_principal_line_is_best_play() {
    let text = "w[ b[w[B] w[B]] b[ w[w[W =] B] w[b[w[W]] B] w[w[W]] ] ]";
    check_all(text, 500, |decision| assert_eq!(decision.step, Script::step(1)));
    for settings in all_settings() {
        let mut searcher = Searcher::new(Script::new(text), settings, 1);
        run(&mut searcher, &mut Hashed, 500, false);
        // Black lasts longest with its second step.
        let best = [1, 1, 0, 0, 0].map(Script::step);
        let line = searcher.principal_line();
        assert_eq!(line, best[..line.len()]);
        assert!(line.len() >= 3);
    }
}

#[test]
fn variations_are_ordered_by_what_they_promise() {
    let text = "w[ w[w[= B] w[w[=]]] b[B] w[= w[B]] w[w[w[= B]]] ]";
    let mut lost = 0;
    for settings in all_settings() {
        let mut searcher = Searcher::new(Script::new(text), settings, 1);
        let decision = run(&mut searcher, &mut Hashed, 200, false);
        let variations = searcher.variations(&decision, 9);
        assert_eq!(variations.len(), 4);
        assert_eq!(variations[0].candidate.step, decision.step);
        assert_eq!(variations[0].steps, searcher.principal_line());
        let loses: Vec<bool> = variations.iter().map(|found| found.value.loss == 1.0).collect();
        assert!(loses.is_sorted(), "what loses comes last: {variations:?}");
        lost += usize::from(loses[3]);
        for found in &variations {
            assert_eq!(found.steps[0], found.candidate.step);
            assert!((found.value.score() - found.candidate.q).abs() < 1e-6);
        }
        assert_eq!(searcher.variations(&decision, 2), variations[..2]);
    }
    assert!(lost > 0);
}

/// Random game trees in which any side may move anywhere.
fn tree() -> impl Strategy<Value = String> {
    let outcome = prop_oneof![Just("W"), Just("B"), Just("=")].prop_map(String::from);
    let inner = outcome.prop_recursive(6, 200, 4, |inner| {
        (prop_oneof![Just("w"), Just("b")], prop::collection::vec(inner, 1..4))
            .prop_map(|(side, children)| format!("{side}[{}]", children.concat()))
    });
    (prop_oneof![Just("w"), Just("b")], prop::collection::vec(inner, 1..4))
        .prop_map(|(side, children)| format!("{side}[{}]", children.concat()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// With much exploration everything is visited in the end: values are then exact. (With little,
    /// a draw in the hand keeps the search from trying worse-looking steps.)
    #[test]
    fn small_games_are_solved_exactly(text in tree(), seed: u64) {
        let game = Script::new(&text);
        let (outcome, steps) = game.solve();
        let algorithm = Algorithm::Puct(PuctSettings { c_init: 100.0, ..PuctSettings::default() });
        let curious = SearchSettings { algorithm, ..puct() };
        for settings in [curious, blind(curious)] {
            let mut searcher = Searcher::new(game.clone(), settings, seed);
            let decision = run(&mut searcher, &mut Hashed, 1_000_000, false);
            let proof = decision.proven.expect("small games are solved");
            prop_assert_eq!(proof.outcome, outcome);
            let side = games::State::side_to_move(&game);
            prop_assert_eq!(decision.value, Wdl::certain(outcome).seen_by(side));
            // The step chosen keeps the result; a win may be a longer one than the shortest.
            let chosen = find(&decision, decision.step);
            prop_assert_eq!(chosen.proven.map(|proof| proof.outcome), Some(outcome));
            if outcome == Outcome::Win(side) {
                prop_assert!(usize::from(proof.steps) >= steps);
            }
        }
    }

    /// Whatever Gumbel proves is true, and what it does not prove it has no exact value for.
    #[test]
    fn proofs_are_true(text in tree(), seed: u64, simulations in 1_u32..300) {
        let game = Script::new(&text);
        for settings in all_settings() {
            let mut searcher = Searcher::new(game.clone(), settings, seed);
            let decision = run(&mut searcher, &mut Hashed, simulations, true);
            if let Some(proof) = decision.proven {
                prop_assert_eq!(proof.outcome, game.solve().0);
            }
            for candidate in &decision.candidates {
                if let Some(proof) = candidate.proven {
                    let mut behind = game.clone();
                    games::State::play(&mut behind, candidate.step);
                    prop_assert_eq!(proof.outcome, behind.solve().0);
                }
                prop_assert!((-1.0..=1.0).contains(&candidate.q));
                prop_assert!(candidate.target >= 0.0);
            }
        }
    }
}

fn find(decision: &search::Decision, step: games::Step) -> &Candidate {
    decision.candidates.iter().find(|candidate| candidate.step == step).expect("a legal step")
}
