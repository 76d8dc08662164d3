use std::sync::atomic::AtomicBool;

use games::{History, State};
use search::{
    Answer, Answers, Evaluator, EvaluatorError, Gathered, Query, SearchSettings, Searcher, Wdl,
    search,
};

use crate::support::{Endless, Hashed, Noughts, gumbel, puct, run};

/// Gives the same value and logit everywhere, in turns those of a list.
struct Odd {
    answers: Vec<(Wdl, f32)>,
    asked: usize,
}

impl<S: State> Evaluator<S> for Odd {
    fn evaluate(
        &mut self,
        queries: &[Query<'_, S>],
        answers: &mut Answers,
    ) -> Result<(), EvaluatorError> {
        answers.clear();
        for query in queries {
            let (value, logit) = self.answers[self.asked % self.answers.len()];
            self.asked += 1;
            // One odd logit among good ones, at a place that changes.
            let odd = self.asked % query.steps.len();
            let logits = (0..query.steps.len()).map(|at| if at == odd { logit } else { 0.5 });
            answers.push(value, logits);
        }
        Ok(())
    }
}

const EVEN: Wdl = Wdl { win: 0.5, draw: 0.0, loss: 0.5 };

#[test]
fn answers_that_are_not_finite_are_repaired_and_counted() {
    let nan = Wdl { win: f32::NAN, ..EVEN };
    let negative = Wdl { win: 1.5, draw: 0.0, loss: -0.5 };
    let nothing = Wdl { win: 0.0, draw: 0.0, loss: 0.0 };
    let infinite = Wdl { win: f32::INFINITY, ..EVEN };
    let bad = [
        (EVEN, f32::NAN),
        (EVEN, f32::INFINITY),
        (EVEN, f32::NEG_INFINITY),
        (nan, 0.0),
        (negative, 0.0),
        (nothing, 0.0),
        (infinite, f32::NAN),
    ];
    for settings in [gumbel(), puct()] {
        for noise in [false, true] {
            let mut odd = Odd { answers: bad.to_vec(), asked: 0 };
            let mut searcher = Searcher::new(Endless::new(9, 9), settings, 1);
            let decision = run(&mut searcher, &mut odd, 69, noise);
            assert_eq!(searcher.repaired(), 70);
            check_decision(&decision, 9);
        }
    }
}

#[test]
fn extreme_and_equal_logits_are_fine() {
    for logit in [0.5, 1e30, -1e30, f32::MAX, f32::MIN] {
        for settings in [gumbel(), puct()] {
            let mut odd = Odd { answers: vec![(EVEN, logit)], asked: 0 };
            let mut searcher = Searcher::new(Endless::new(9, 9), settings, 1);
            let decision = run(&mut searcher, &mut odd, 100, true);
            assert_eq!(searcher.repaired(), 0);
            check_decision(&decision, 9);
        }
    }
}

fn check_decision(decision: &search::Decision, legal: usize) {
    assert_eq!(decision.candidates.len(), legal);
    assert!(decision.candidates.is_sorted_by_key(|candidate| candidate.step));
    let sum = |part: fn(&search::Candidate) -> f32| decision.candidates.iter().map(part).sum();
    let (target, prior): (f32, f32) = (sum(|c| c.target), sum(|c| c.prior));
    assert!((target - 1.0).abs() < 1e-3 && (prior - 1.0).abs() < 1e-3, "{target} {prior}");
    for candidate in &decision.candidates {
        assert!(candidate.target >= 0.0 && candidate.q.is_finite(), "{candidate:?}");
    }
    assert!(decision.candidates.iter().any(|candidate| candidate.step == decision.step));
    let Wdl { win, draw, loss } = decision.value;
    assert!((win + draw + loss - 1.0).abs() < 1e-3 && win >= 0.0 && loss >= 0.0);
}

#[test]
fn five_thousand_steps_are_searched() {
    for settings in [gumbel(), puct()] {
        for simulations in [0, 1, 2, 16, 200] {
            let mut searcher = Searcher::new(Endless::new(5_000, 3_000), settings, 1);
            let decision = run(&mut searcher, &mut Hashed, simulations, true);
            check_decision(&decision, 5_000);
            assert_eq!(decision.simulations, simulations);
            // Below the root only the likeliest were kept: as the root it has all of them again.
            searcher.advance(decision.step);
            let kept = searcher.branches();
            let next = run(&mut searcher, &mut Hashed, simulations, true);
            check_decision(&next, 3_000);
            assert!(kept.first().is_none_or(|root| next.reused == root.visits - 1));
            let below = searcher.branches();
            for old in &kept[kept.len().min(1)..] {
                assert!(below.iter().any(|new| new.step == old.step && new.visits >= old.visits));
            }
        }
    }
}

#[test]
fn one_legal_step_is_played() {
    for settings in [gumbel(), puct()] {
        for simulations in [0, 1, 50] {
            let mut searcher = Searcher::new(Endless::new(1, 4), settings, 1);
            let decision = run(&mut searcher, &mut Hashed, simulations, true);
            check_decision(&decision, 1);
            assert!((decision.candidates[0].target - 1.0).abs() < 1e-6);
        }
    }
}

#[test]
fn noise_is_drawn_for_each_search_and_seeds_repeat() {
    for settings in [gumbel(), puct()] {
        let settings = SearchSettings { reuse: false, ..settings };
        let play = |seed: u64, noise: bool| {
            let mut searcher = Searcher::new(Endless::new(40, 5), settings, seed);
            let searches = (0..4).map(|_| {
                let decision = run(&mut searcher, &mut Hashed, 24, noise);
                searcher.reset(&Endless::new(40, 5));
                decision.candidates.iter().map(|candidate| candidate.visits).collect::<Vec<_>>()
            });
            searches.collect::<Vec<_>>()
        };
        let games = play(1, true);
        assert_eq!(games, play(1, true), "same seed");
        assert_ne!(games, play(2, true), "other seed");
        for (index, one) in games.iter().enumerate() {
            for other in &games[index + 1..] {
                assert_ne!(one, other, "noise is drawn afresh");
            }
        }
        let silent = play(1, false);
        assert_eq!(silent, play(2, false), "no noise");
        assert!(silent.iter().all(|visits| *visits == silent[0]));
    }
}

#[test]
fn a_reseeded_searcher_repeats_itself() {
    let start = Endless::new(40, 5);
    let mut searcher = Searcher::new(start, gumbel(), 1);
    let first = run(&mut searcher, &mut Hashed, 24, true);
    searcher.reset(&start);
    searcher.reseed(1);
    assert_eq!(run(&mut searcher, &mut Hashed, 24, true), first);
}

#[test]
fn temperature_samples_the_target() {
    let mut searcher = Searcher::new(Endless::new(6, 5), puct(), 1);
    let decision = run(&mut searcher, &mut Hashed, 60, false);
    for temperature in [0.0, -1.0, f32::NAN] {
        assert_eq!(searcher.sample(&decision, temperature), decision.step);
    }
    for temperature in [0.5, 1.0, 3.0, 1e-6] {
        let weight = |target: f32| target.powf(1.0 / temperature);
        let highest = decision.candidates.iter().map(|c| c.target).fold(0.0, f32::max);
        let sum: f32 = decision.candidates.iter().map(|c| weight(c.target / highest)).sum();
        let trials = 20_000;
        let mut counts = [0; 6];
        for _ in 0..trials {
            let step = searcher.sample(&decision, temperature);
            let at = decision.candidates.iter().position(|candidate| candidate.step == step);
            counts[at.expect("a legal step")] += 1;
        }
        for (count, candidate) in counts.iter().zip(&decision.candidates) {
            let share = *count as f32 / trials as f32;
            let expected = weight(candidate.target / highest) / sum;
            assert!((share - expected).abs() < 0.02, "{temperature}: {share} {expected}");
        }
    }
}

#[test]
fn searches_can_be_dropped_at_any_point() {
    for settings in [gumbel(), puct()] {
        let mut searcher = Searcher::new(Noughts::new(false), settings, 1);
        searcher.start(50, true);
        assert_eq!(searcher.gather(), Gathered::Leaf);
        assert_eq!(searcher.gather(), Gathered::Leaf, "asked twice, said twice");
        assert_eq!(searcher.query().steps.len(), 9);
        searcher.start(50, true);
        assert_eq!(searcher.gather(), Gathered::Leaf);
        searcher.apply(Answer { value: EVEN, logits: &[0.0; 9] });
        assert_eq!(searcher.gather(), Gathered::Leaf);
        assert_eq!(searcher.query().steps.len(), 8);
        // A step is played while a leaf waits, and one that the search never visited.
        let step = searcher.decision().candidates[8].step;
        searcher.advance(step);
        let decision = run(&mut searcher, &mut Hashed, 50, true);
        check_decision(&decision, 8);
        // A kept root has a decision before its search begins.
        searcher.advance(decision.step);
        if !searcher.branches().is_empty() {
            check_decision(&searcher.decision(), 7);
        }
    }
}

#[test]
fn a_stopped_search_still_decides() {
    let mut searcher = Searcher::new(Endless::new(9, 9), gumbel(), 1);
    searcher.start(1_000_000, false);
    search(&mut searcher, &mut Hashed, &AtomicBool::new(true)).expect("it never fails");
    check_decision(&searcher.decision(), 9);
}

#[test]
fn searchers_go_to_threads() {
    fn is_send<T: Send>() {}
    is_send::<Searcher<History>>();
}

#[test]
#[should_panic(expected = "one logit a step")]
fn an_answer_to_another_question_is_refused() {
    let mut searcher = Searcher::new(Endless::new(9, 9), gumbel(), 1);
    searcher.start(10, false);
    assert_eq!(searcher.gather(), Gathered::Leaf);
    searcher.apply(Answer { value: EVEN, logits: &[0.0; 8] });
}
