use games::{Outcome, Side, State};
use search::{Algorithm, GumbelSettings, PuctSettings, SearchSettings, Searcher};

use crate::support::{Hashed, Noughts, blind, gumbel, puct, run};

/// Exploration wide enough to visit everything.
fn curious() -> SearchSettings {
    let algorithm = Algorithm::Puct(PuctSettings { c_init: 100.0, ..PuctSettings::default() });
    SearchSettings { algorithm, ..puct() }
}

fn outcome(value: i8) -> Outcome {
    match value {
        1 => Outcome::Win(Side::White),
        0 => Outcome::Draw,
        _ => Outcome::Win(Side::Black),
    }
}

#[test]
fn noughts_and_crosses_is_solved_with_turns_of_one_step_and_of_two() {
    for double in [false, true] {
        let values = Noughts::solve_all(double);
        assert!(values.len() > 3_000);
        for (position, value) in values {
            if position.empty() > 5 {
                continue;
            }
            for settings in [curious(), blind(curious())] {
                let mut searcher = Searcher::new(position, settings, 1);
                let decision = run(&mut searcher, &mut Hashed, 1_000_000, false);
                let proof = decision.proven.expect("five cells are few");
                assert_eq!(proof.outcome, outcome(value), "{position:?}");
                let score = outcome(value).score(position.side_to_move());
                assert_eq!(decision.value.score(), f32::from(score));
            }
        }
    }
}

/// With the default settings nothing false is proven from the start of the game on, and the game
/// that a good player can hold is held.
#[test]
fn whole_games_keep_their_value() {
    let few = Algorithm::Gumbel(GumbelSettings { considered: 4, ..GumbelSettings::default() });
    for settings in [gumbel(), puct(), SearchSettings { algorithm: few, ..gumbel() }] {
        for double in [false, true] {
            let values = Noughts::solve_all(double);
            for seed in 0..10 {
                let mut searcher = Searcher::new(Noughts::new(double), settings, seed);
                while searcher.root().outcome().is_none() {
                    let decision = run(&mut searcher, &mut Hashed, 400, true);
                    if let Some(proof) = decision.proven {
                        assert_eq!(proof.outcome, outcome(values[searcher.root()]));
                        let mut next = *searcher.root();
                        next.play(decision.step);
                        let kept = next.outcome().unwrap_or_else(|| outcome(values[&next]));
                        assert_eq!(kept, proof.outcome, "the step keeps what is proven");
                    }
                    searcher.advance(decision.step);
                }
            }
        }
    }
}
