//! A repetition is scored as what it is.

use games::{Game, History, Outcome, Side, State as _};
use search::Searcher;

use crate::support::{Hashed, blind, gumbel, puct, run};

/// A game of `id` from `fen` in which `moves` have been played.
fn played(id: &str, fen: &str, moves: &[&str]) -> History {
    let mut history = History::new(Game::by_id(id).unwrap().parse_fen(fen).unwrap());
    for text in moves {
        let chosen = history.position().parse_move(text).unwrap();
        chosen.steps().iter().for_each(|&step| history.play(step));
    }
    history
}

#[test]
fn the_third_occurrence_is_a_proven_draw_and_the_others_are_not() {
    let start = Game::by_id("chess").unwrap().start().fen();
    let round = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let twice = [&round[..], &round[..3]].concat();
    for settings in [gumbel(), puct(), blind(puct())] {
        let history = played("chess", &start, &twice);
        let mut searcher = Searcher::new(history.clone(), settings, 1);
        let decision = run(&mut searcher, &mut Hashed, 3_000, false);
        let text = |step| history.position().text_of(&[step]);
        let drawn = decision.candidates.iter().filter(|candidate| {
            candidate.proven.is_some_and(|proof| proof.outcome == Outcome::Draw)
        });
        let drawn: Vec<_> = drawn.map(|candidate| text(candidate.step)).collect();
        assert_eq!(drawn, ["f6g8"], "{settings:?}");
        // One round earlier the same move only repeats the position once.
        let mut searcher = Searcher::new(played("chess", &start, &round[..3]), settings, 1);
        let decision = run(&mut searcher, &mut Hashed, 3_000, false);
        assert!(decision.candidates.iter().all(|candidate| candidate.proven.is_none()));
    }
}

#[test]
fn the_side_that_checks_for_ever_is_proven_lost() {
    let checked = "4k4/9/9/9/9/9/9/9/3R4K w - - - 0 1";
    let rounds = ["d1e1", "e9d9", "e1d1", "d9e9"].repeat(3);
    for settings in [gumbel(), puct(), blind(puct())] {
        let history = played("shogi", checked, &rounds[..11]);
        let mut searcher = Searcher::new(history.clone(), settings, 1);
        let decision = run(&mut searcher, &mut Hashed, 200, false);
        let text = |step| history.position().text_of(&[step]);
        let won = decision.candidates.iter().filter(|candidate| {
            candidate.proven.is_some_and(|proof| proof.outcome == Outcome::Win(Side::Black))
        });
        let won: Vec<_> = won.map(|candidate| text(candidate.step)).collect();
        assert_eq!(won, ["d9e9"], "{settings:?}");
        assert_eq!(text(decision.step), "d9e9");
    }
}
