//! What is said to leave the game open does.

use games::{Game, History, State as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::sample;

/// Plays every step that is said to leave the game open; returns how many are, and how many steps
/// there are.
fn check(state: &History) -> (usize, usize) {
    let (mut steps, mut open) = (Vec::new(), vec![true]);
    if state.steps(&mut steps).is_some() {
        return (0, 0);
    }
    state.open_after(&steps, &mut open);
    assert_eq!(open.len(), 1 + steps.len(), "one answer a step, behind what was there");
    let claimed = steps.iter().zip(&open[1..]).filter(|&(_, &open)| open);
    for (&step, _) in claimed.clone() {
        let mut next = state.clone();
        next.play(step);
        assert_eq!(next.foregone(), None, "{} {step:?}", state.position().fen());
    }
    (claimed.count(), steps.len())
}

#[test]
fn the_game_goes_on_after_every_open_step() {
    for game in Game::all() {
        let (mut open, mut all) = (0, 0);
        sample::for_each_state(game, &mut |state| {
            let (more, steps) = check(state);
            open += more;
            all += steps;
        });
        // Where the question is answered at all it is worth asking.
        assert!(game.family != "chess" || 3 * open > all, "{}: {open} of {all}", game.id);
    }
}

/// Late in the hundred plies, with pieces going to and fro, every rule of the history has its turn.
#[test]
fn the_game_goes_on_in_spite_of_counters() {
    let games = || Game::all().iter().filter(|game| game.family == "chess");
    let mut ends = 0;
    for game in games() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let fen = game.start().fen();
        for clock in [0, 80, 90] {
            let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
            fields[5] = clock.to_string();
            let mut state = History::new(game.parse_fen(&fields.join(" ")).unwrap());
            for _ in 0..60 {
                let mut steps = Vec::new();
                if state.steps(&mut steps).is_some() {
                    ends += 1;
                    break;
                }
                check(&state);
                // The last few steps are those of pieces, of which two go to and fro.
                let kept = steps.split_off(steps.len().saturating_sub(2));
                state.play(sample::choose(&kept, &mut random));
            }
        }
    }
    assert!(ends > games().count(), "{ends} games were ended by a counter");
}
