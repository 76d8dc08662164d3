//! Positions that recur.

use games::{EndReason, Game, History, Position, State, Step};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

use crate::sample;

/// The position without its counters.
fn placement(history: &History) -> String {
    let fen = history.position().fen();
    fen.split(' ').take(5).collect::<Vec<_>>().join(" ")
}

/// The whole moves whose first step begins on `cell`, as far as they are listed by steps.
fn moves_from(history: &History, cell: games::Cell) -> Vec<Vec<Step>> {
    let mut found = Vec::new();
    let mut open = vec![(history.position().clone(), Vec::new())];
    while let Some((position, line)) = open.pop() {
        let mut steps = Vec::new();
        position.steps(&mut steps);
        for step in steps {
            if line.is_empty() && step.from() != cell {
                continue;
            }
            let (mut next, mut line) = (position.clone(), line.clone());
            next.play(step);
            line.push(step);
            match next.mid_move() {
                true => open.push((next, line)),
                false => found.push(line),
            }
        }
        if found.len() + open.len() > 500 {
            break;
        }
    }
    found
}

/// A random legal step, rather not a drop, which cannot be taken back.
fn restless_step(position: &Position, random: &mut impl RngCore) -> Step {
    let mut steps = Vec::new();
    position.steps(&mut steps);
    let on_board: Vec<Step> =
        steps.iter().copied().filter(|step| step.from() != step.to()).collect();
    sample::choose(if on_board.is_empty() { &steps } else { &on_board }, random)
}

/// A game between players that like to go back to where they have been. Returns how often a position
/// has recurred in it.
fn restless_game(start: Position, random: &mut impl RngCore) -> usize {
    const PLIES: usize = 60;
    let mut history = History::new(start);
    let game = history.game();
    let mut seen = vec![placement(&history)];
    // Where each side's last move has led.
    let mut reached = Vec::new();
    let mut most = 0;
    while seen.len() <= PLIES && history.position().outcome().is_none() {
        let back = reached.len().checked_sub(2).filter(|_| !random.next_u32().is_multiple_of(4));
        let back = back.and_then(|own| {
            moves_from(&history, reached[own]).into_iter().find(|line| {
                let mut next = history.clone();
                line.iter().for_each(|&step| next.play(step));
                seen.contains(&placement(&next))
            })
        });
        let line = back.unwrap_or_else(|| {
            let (mut next, mut line) = (history.position().clone(), Vec::new());
            loop {
                let step = restless_step(&next, random);
                next.play(step);
                line.push(step);
                if !next.mid_move() {
                    break line;
                }
            }
        });
        line.iter().for_each(|&step| history.play(step));
        reached.push(line.last().unwrap().to());
        let now = placement(&history);
        let before = seen.iter().filter(|&past| *past == now).count();
        assert_eq!(history.repetitions(), before, "{}: {seen:#?}\n{now}", game.id);
        most = most.max(before);
        let recurred = before + 1 >= game.repetition.limit;
        let reason = history.end().map(|end| end.reason);
        let told = matches!(reason, Some(EndReason::Repetition | EndReason::PerpetualCheck));
        let stronger = matches!(reason, Some(EndReason::Rules | EndReason::HundredPlies));
        assert_eq!(told, recurred && !stronger, "{}: {reason:?} at {now}", game.id);
        seen.push(now);
    }
    most
}

/// Some positions late in the random games of the traces, when pieces have room.
fn late_positions(game: &Game) -> Vec<Position> {
    const AT_MOST: usize = 24;
    let text = std::fs::read_to_string(sample::data("traces", &format!("{}.jsonl", game.id)));
    let text = text.unwrap();
    let late = text.lines().map(|line| {
        let trace: serde_json::Value = serde_json::from_str(line).unwrap();
        let mut fens: Vec<(usize, String)> = trace["fens"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(ply, fen)| (ply.parse().unwrap(), fen.as_str().unwrap().to_owned()))
            .collect();
        fens.sort_unstable();
        let fen = &fens[fens.len() * 2 / 3].1;
        game.parse_fen(fen).unwrap()
    });
    late.take(AT_MOST).collect()
}

/// Occurrences are counted as if the whole game were looked through.
#[test]
fn every_recurrence_is_counted() {
    const GAMES: usize = 60;
    let mut ended = Vec::new();
    for game in Game::all() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let starts = late_positions(game);
        let mut most = 0;
        for (number, start) in starts.iter().cycle().take(GAMES).enumerate() {
            most = most.max(restless_game(start.clone(), &mut random));
            // All positions, and more games only if nothing has recurred often enough.
            if number >= starts.len() && most + 1 >= game.repetition.limit {
                break;
            }
        }
        // Pieces of several checkers seldom find back by chance: see the test below.
        assert!(most > 0 || game.family == "polyforms", "{}: no recurrence", game.id);
        if most + 1 >= game.repetition.limit {
            ended.push(game.id);
        }
    }
    assert!(ended.len() * 4 > Game::all().len() * 3, "only {ended:?} have come to the limit");
}

/// A capture that an arrival makes good: nothing is irreversible in games with hands.
#[test]
fn a_position_can_recur_after_captures() {
    let rounds = "a8+b8-a10 e5+f5-e3 a10+b10-a8 e3+f3-e5 P*e3 e5+f5-e3 P*e5 e3+f3-e5 ";
    for id in ["nomino", "nomino-pro"] {
        let game = Game::by_id(id).unwrap();
        let start = game.parse_fen("10/10/PP8/10/10/4pp4/10/10/10/10 w - - - 0 1").unwrap();
        let mut history = History::new(start);
        for (ply, text) in rounds.repeat(2).split_whitespace().enumerate() {
            assert_eq!(history.end(), None, "{id} after {ply} plies");
            let chosen = history.position().parse_move(text).unwrap();
            chosen.steps().iter().for_each(|&step| history.play(step));
        }
        assert_eq!(history.end().unwrap().reason, EndReason::Repetition, "{id}");
    }
}
