//! Matches, tables and their determinism.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use arena::{
    Adjudication, Entrant, Match, MatchError, MatchResult, MatchSettings, OpeningBook, Pairing,
    Progress, Score, Sprt, SprtVerdict, StrengthTable,
};
use games::{Move, State};

use crate::support::{GO_ON, Scripted, book, entrant, game};

fn settings(games: u32, threads: usize, games_at_once: usize) -> MatchSettings {
    MatchSettings { games, seed: 5, threads, games_at_once, ..MatchSettings::default() }
}

fn play(a: &Entrant, b: &Entrant, book: &OpeningBook, settings: MatchSettings) -> MatchResult {
    Match::new(a, b, book, settings).unwrap().play(&|_| {}, &GO_ON).unwrap()
}

/// A result without what differs from run to run.
fn timeless(result: MatchResult) -> MatchResult {
    MatchResult { seconds: 0.0, evaluations: 0, ..result }
}

#[test]
fn random_against_random_is_even() {
    let cheskers = game("cheskers");
    let random = entrant("random", cheskers);
    let result = play(&random, &random, &book(cheskers, 100), settings(800, 2, 1));
    assert_eq!(result.score.games(), 800);
    assert!((0.44..0.56).contains(&result.score.share()), "{result}");
    let elo = result.elo();
    assert!(elo.low < Some(20.0) && elo.high > Some(-20.0), "{result}");
}

#[test]
fn greedy_beats_random_clearly() {
    let cheskers = game("cheskers");
    let (greedy, random) = (entrant("greedy", cheskers), entrant("random", cheskers));
    let result = play(&greedy, &random, &book(cheskers, 100), settings(600, 2, 1));
    assert!(result.elo().low > Some(10.0), "{result}");
}

#[test]
fn a_deeper_search_beats_a_shallow_one() {
    let cheskers = game("cheskers");
    let (deep, shallow) = (entrant("alphabeta:3", cheskers), entrant("alphabeta:1", cheskers));
    let result = play(&deep, &shallow, &book(cheskers, 20), settings(40, 2, 1));
    assert!(result.elo().low > Some(0.0), "{result}");
}

#[test]
fn results_do_not_depend_on_threads_or_batches() {
    for game in ["chess", "cheskers"].map(game) {
        let book = book(game, 8);
        let net = |name: &str, simulations| {
            Entrant::net(name.to_owned(), Arc::new(Scripted::default()), simulations)
        };
        for (a, b) in [
            (net("a", 8), net("b", 12)),
            (net("a", 8), entrant("random", game)),
            (entrant("greedy", game), net("b", 12)),
            (entrant("alphabeta:1", game), entrant("mcts:4", game)),
        ] {
            let one = timeless(play(&a, &b, &book, settings(16, 1, 1)));
            assert_eq!(timeless(play(&a, &b, &book, settings(16, 1, 16))), one, "{}", game.id);
            assert_eq!(timeless(play(&a, &b, &book, settings(16, 3, 4))), one, "{}", game.id);
        }
    }
}

#[test]
fn queries_of_all_games_go_into_one_batch() {
    let cheskers = game("cheskers");
    let scripted = Scripted::default();
    let source = Arc::new(scripted.clone());
    let a = Entrant::net("a".to_owned(), source.clone(), 8);
    let b = Entrant::net("b".to_owned(), source, 16);
    let pairings = [(&a, &b), (&b, &a), (&a, &a)].map(|(a, b)| Pairing {
        a: a.clone(),
        b: b.clone(),
        games: 32,
    });
    let book = book(cheskers, 16);
    StrengthTable::play(&pairings, &book, settings(0, 1, 16), &|_, _| {}, &GO_ON).unwrap();
    // All players have the same network, so all are in each batch, as long as there are games.
    let batches = scripted.batches.lock().unwrap();
    let full = batches.iter().take_while(|&&size| size == 16).count();
    assert!(full > batches.len() / 3, "{full} of {} batches are full", batches.len());
}

#[test]
fn every_opening_is_played_with_both_colours() {
    let cheskers = game("cheskers");
    let random = entrant("random", cheskers);
    let result = play(&random, &random, &book(cheskers, 5), settings(14, 2, 1));
    let openings: Vec<_> = result.pairs.iter().map(|pair| pair.opening).collect();
    assert_eq!(openings, [0, 1, 2, 3, 4, 0, 1]);
    assert_eq!(result.as_white.games(), 7);
    assert_eq!(result.as_black.games(), 7);
    assert_eq!(result.pentanomial.iter().sum::<u32>(), 7);
    let ends = result.ends;
    let drawn = ends.repetition + ends.hundred_plies + ends.maximum_length;
    let counted = ends.rules + ends.perpetual_check + drawn;
    assert_eq!(counted, 14);
    assert!(result.mean_plies > 2.0);
    assert!(result.complete);
}

#[test]
fn copies_of_games_are_refused() {
    let cheskers = game("cheskers");
    let (a, b) = (entrant("net:scripted", cheskers), entrant("alphabeta:2", cheskers));
    let book = book(cheskers, 3);
    let error = Match::new(&a, &b, &book, settings(10, 1, 1)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "10 games of net:scripted@64 against alphabeta:2 need 5 different openings and there are \
         3: neither player varies its play, so further games would be copies; play at most 6 \
         games, or allow longer openings"
    );
    assert!(Match::new(&a, &b, &book, settings(6, 1, 1)).is_ok());
    let random = entrant("random", cheskers);
    assert!(Match::new(&a, &random, &book, settings(10, 1, 1)).is_ok());
    let error = Match::new(&a, &b, &book, settings(5, 1, 1)).unwrap_err();
    assert_eq!(error.to_string(), "a match of 5 games: expected an even number of 2 or more");
    let empty = OpeningBook { lines: Vec::new(), ..book };
    let error = Match::new(&a, &random, &empty, settings(2, 1, 1)).unwrap_err();
    assert_eq!(error.to_string(), "there are no openings of cheskers to play");
}

#[test]
fn a_stopped_match_keeps_its_finished_pairs() {
    let cheskers = game("cheskers");
    let random = entrant("random", cheskers);
    let stop = AtomicBool::new(false);
    let seen = Mutex::new(Vec::new());
    let progress = |so_far: &Progress<'_>| {
        seen.lock().unwrap().push([so_far.finished, so_far.games]);
        stop.store(so_far.finished >= 7, Ordering::Relaxed);
    };
    let book = book(cheskers, 5);
    let prepared = Match::new(&random, &random, &book, settings(40, 1, 1)).unwrap();
    let result = prepared.play(&progress, &stop).unwrap();
    assert!(!result.complete);
    assert_eq!((result.score.games(), result.pairs.len()), (6, 3));
    assert_eq!(seen.into_inner().unwrap(), [1, 2, 3, 4, 5, 6, 7].map(|finished| [finished, 40]));
}

#[test]
fn evaluations_for_games_that_are_given_up_count() {
    let cheskers = game("cheskers");
    let net = Scripted::default();
    let a = Entrant::net("net".to_owned(), Arc::new(net.clone()), 4);
    let stop = AtomicBool::new(false);
    let in_games = Mutex::new(0);
    let progress = |so_far: &Progress<'_>| {
        *in_games.lock().unwrap() += so_far.game.evaluations;
        stop.store(so_far.finished >= 3, Ordering::Relaxed);
    };
    let book = book(cheskers, 8);
    for threads in [1, 2] {
        stop.store(false, Ordering::Relaxed);
        net.batches.lock().unwrap().clear();
        *in_games.lock().unwrap() = 0;
        let prepared = Match::new(&a, &a, &book, settings(16, threads, 4)).unwrap();
        let result = prepared.play(&progress, &stop).unwrap();
        assert!(!result.complete);
        let asked: usize = net.batches.lock().unwrap().iter().sum();
        assert_eq!(result.evaluations, asked as u64, "{threads} threads");
        assert!(*in_games.lock().unwrap() < result.evaluations, "{threads} threads");
    }
}

#[test]
fn a_match_goes_on_from_the_games_it_has() {
    let cheskers = game("cheskers");
    let (greedy, random) = (entrant("greedy", cheskers), entrant("random", cheskers));
    let book = book(cheskers, 6);
    let prepared = |games| Match::new(&greedy, &random, &book, settings(games, 2, 1)).unwrap();
    let games = Mutex::new(Vec::new());
    let record = |so_far: &Progress<'_>| games.lock().unwrap().push(so_far.game.clone());
    let whole = timeless(prepared(20).play(&record, &GO_ON).unwrap());
    let games = games.into_inner().unwrap();
    // Some games of the middle are missing, and one of another match is too much.
    let some: Vec<_> = games.iter().filter(|game| game.index % 3 == 1).cloned().collect();
    let fresh = Mutex::new(0);
    let count = |_: &Progress<'_>| *fresh.lock().unwrap() += 1;
    let again = prepared(20).go_on_from(some.clone()).play(&count, &GO_ON).unwrap();
    assert_eq!(timeless(again), whole);
    assert_eq!(*fresh.lock().unwrap() + some.len(), 20);
    // A longer match begins with the games of the shorter one, a shorter one has the first of them.
    let shorter = timeless(prepared(12).go_on_from(games.clone()).play(&count, &GO_ON).unwrap());
    assert_eq!(shorter.pairs, whole.pairs[..6]);
    assert_eq!(*fresh.lock().unwrap() + some.len(), 20, "no game was needed");
    let longer = prepared(24).go_on_from(games).play(&|_| {}, &GO_ON).unwrap();
    assert_eq!(longer.pairs[..10], whole.pairs);
    assert_eq!(longer.pairs.len(), 12);
}

#[test]
fn a_test_ends_the_match_at_the_same_pair_on_any_number_of_threads() {
    let cheskers = game("cheskers");
    let (greedy, random) = (entrant("greedy", cheskers), entrant("random", cheskers));
    let book = book(cheskers, 20);
    let sprt = Sprt { elo1: 60.0, ..Sprt::default() };
    let play = |a, b, sprt, threads| {
        let prepared = Match::new(a, b, &book, settings(2000, threads, 1)).unwrap();
        prepared.until(sprt).unwrap().play(&|_| {}, &GO_ON).unwrap()
    };
    let one = play(&greedy, &random, sprt, 1);
    assert_eq!(sprt.verdict(&one.pentanomial), SprtVerdict::AcceptH1);
    assert!(one.complete && one.score.games() < 1000, "{one}");
    let three = play(&greedy, &random, sprt, 3);
    assert_eq!(three.pairs, one.pairs);
    let other = play(&random, &greedy, sprt, 3);
    assert_eq!(sprt.verdict(&other.pentanomial), SprtVerdict::AcceptH0);
    let error = Match::new(&greedy, &random, &book, settings(2, 1, 1)).unwrap();
    let error = error.until(Sprt { elo1: -1.0, ..sprt }).unwrap_err();
    assert_eq!(error.to_string(), "expected -2000 <= elo0 < elo1 <= 2000, found 0 and -1");
}

#[test]
fn copies_of_games_count_once() {
    let cheskers = game("cheskers");
    let net = entrant("net:scripted@8", cheskers);
    let mut book = book(cheskers, 3);
    // Openings that the first one runs into: the games are the same to the last move.
    let first = Match::new(&net, &net, &book, settings(2, 1, 1)).unwrap();
    let games = Mutex::new(Vec::new());
    let record = |so_far: &Progress<'_>| games.lock().unwrap().push(so_far.game.clone());
    first.play(&record, &GO_ON).unwrap();
    let played = games.into_inner().unwrap().remove(0);
    let mut later = book.lines[0].clone();
    let mut steps = Vec::new();
    for &step in &played.steps {
        steps.push(step);
        let mut state = later.state().clone();
        steps.iter().for_each(|&step| state.play(step));
        if !state.position().mid_move() {
            later.play(Move::new(&steps));
            break;
        }
    }
    book.lines.push(later);
    let result = play(&net, &net, &book, settings(8, 1, 8));
    assert_eq!((result.copies, result.pairs.len()), (1, 3), "{result}");
    assert_eq!(result.score.games(), 6);
    assert!(result.to_string().ends_with("(1 pair of copies left out)"), "{result}");
    // Players that vary have each game once anyway.
    let random = entrant("random", cheskers);
    assert_eq!(play(&random, &random, &book, settings(16, 1, 1)).copies, 0);
}

#[test]
fn games_on_which_both_agree_are_adjudicated() {
    let cheskers = game("cheskers");
    let net = entrant("net:scripted@8", cheskers);
    let book = book(cheskers, 4);
    let ends = |player: &Entrant, resign, draw| {
        let adjudication = Adjudication { resign, draw, plies: 2 };
        let result = play(player, &net, &book, MatchSettings { adjudication, ..settings(8, 1, 8) });
        (result.ends.resignation, result.ends.agreed_draw)
    };
    assert_eq!(ends(&net, None, None), (0, 0));
    // All that is seen is a draw, or the win of somebody.
    assert_eq!(ends(&net, None, Some(0.99)), (0, 8));
    let (resigned, drawn) = ends(&net, Some(0.05), None);
    assert!(resigned > 0 && drawn == 0);
    assert_eq!(ends(&entrant("random", cheskers), Some(0.05), Some(0.99)), (0, 0));
    let adjudication = Adjudication { plies: 0, ..Adjudication::default() };
    let error = Match::new(&net, &net, &book, MatchSettings { adjudication, ..settings(8, 1, 8) });
    assert_eq!(error.unwrap_err().to_string(), "plies: expected a number from 2 to 1000, found 0");
}

#[test]
fn limits_of_positions_and_of_time_are_kept() {
    let cheskers = game("cheskers");
    let book = book(cheskers, 4);
    let random = entrant("random", cheskers);
    let games = Mutex::new(Vec::new());
    let record = |so_far: &Progress<'_>| games.lock().unwrap().push(so_far.game.clone());
    let net = entrant("net:scripted@5nodes", cheskers);
    assert!(net.is_noise_free());
    let prepared = Match::new(&net, &random, &book, settings(8, 1, 8)).unwrap();
    let result = prepared.play(&record, &GO_ON).unwrap();
    let games = games.into_inner().unwrap();
    assert!(games.iter().all(|game| game.evaluations <= 5 * u64::from(game.plies)));
    assert!(games.iter().any(|game| game.evaluations > u64::from(game.plies)));
    assert_eq!(result.evaluations, games.iter().map(|game| game.evaluations).sum::<u64>());
    for text in ["net:scripted@1ms", "mcts:1ms"] {
        let timed = entrant(text, cheskers);
        assert!(timed.is_timed() && !timed.is_noise_free());
        assert!(play(&timed, &random, &book, settings(2, 1, 8)).complete);
    }
}

#[test]
fn a_failing_network_ends_the_match_in_words() {
    let cheskers = game("cheskers");
    let broken = Scripted { fails_after: 50, ..Scripted::default() };
    let a = Entrant::net("broken".to_owned(), Arc::new(broken), 8);
    let b = entrant("random", cheskers);
    let book = book(cheskers, 8);
    let prepared = Match::new(&a, &b, &book, settings(16, 2, 4)).unwrap();
    let error = prepared.play(&|_| {}, &GO_ON).unwrap_err();
    assert_eq!(error.to_string(), "broken: evaluation failed: the device is gone");
    assert!(matches!(error, MatchError::Evaluator { .. }));
}

#[test]
fn a_table_plays_its_pairings_in_order() {
    let cheskers = game("cheskers");
    let [greedy, random] = ["greedy", "random"].map(|text| entrant(text, cheskers));
    let pairing = |a: &Entrant, b: &Entrant, games| Pairing { a: a.clone(), b: b.clone(), games };
    let pairings = [pairing(&greedy, &random, 8), pairing(&random, &random, 4)];
    let book = book(cheskers, 4);
    let rows = Mutex::new(Vec::new());
    let progress = |row, _: &Progress<'_>| rows.lock().unwrap().push(row);
    let table =
        StrengthTable::play(&pairings, &book, settings(0, 2, 4), &progress, &GO_ON).unwrap();
    let mut rows = rows.into_inner().unwrap();
    rows.sort_unstable();
    assert_eq!(rows, [vec![0; 8], vec![1; 4]].concat());
    assert_eq!(table.rows.len(), 2);
    assert_eq!(table.rows[0].result.score.games(), 8);
    assert_eq!(table.to_string().lines().count(), 2);
    let odd = [pairing(&greedy, &random, 8), pairing(&random, &random, 3)];
    let refused = StrengthTable::play(&odd, &book, settings(0, 2, 4), &|_, _| {}, &GO_ON);
    assert!(matches!(refused, Err(MatchError::OddGames { games: 3 })));
    assert_eq!(Score::default().share(), 0.5);
}
