//! Games on the disk: going on after a stop, whatever has happened to the file.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use arena::{
    Adjudication, Entrant, Journal, JournalError, Match, MatchResult, MatchSettings, OpeningBook,
};
use games::Game;
use search::EvaluatorSource;

use crate::support::{GO_ON, Scripted, book, entrant, game};

fn settings(games: u32) -> MatchSettings {
    MatchSettings { games, seed: 5, threads: 2, games_at_once: 4, ..MatchSettings::default() }
}

/// The result, how many games were played for it, and what was said.
fn play(
    players: [&Entrant; 2],
    book: &OpeningBook,
    games: u32,
    path: &Path,
    stop_after: u32,
) -> (MatchResult, u32, Vec<String>) {
    let prepared = Match::new(players[0], players[1], book, settings(games)).unwrap();
    let (played, stop) = (Mutex::new(0), AtomicBool::new(false));
    let progress = |_: &arena::Progress<'_>| {
        let mut played = played.lock().unwrap();
        *played += 1;
        stop.store(*played >= stop_after, Ordering::Relaxed);
    };
    let opened = Journal::open(path, &prepared).unwrap();
    let notes = opened.bad.clone();
    let result = prepared.play_kept(opened, &progress, &stop).unwrap();
    let played = *played.lock().unwrap();
    (MatchResult { seconds: 0.0, evaluations: 0, ..result }, played, notes)
}

#[test]
fn a_match_goes_on_whatever_its_file_has_suffered() {
    // Moves of one step and of several, games with and without networks.
    for (id, a) in [("cheskers", "net:scripted@8"), ("chess", "greedy")] {
        let (a, b) = (entrant(a, game(id)), entrant("random", game(id)));
        let book = book(game(id), 10);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.jsonl");
        let (whole, played, _) = play([&a, &b], &book, 20, &path, 100);
        assert_eq!((played, whole.complete), (20, true));
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 21);
        let texts = std::fs::read_to_string(folder.path().join("games.txt")).unwrap();
        assert_eq!(texts.matches("[Variant ").count(), 20);
        assert!(texts.contains("[Termination \"rules\"]"), "{texts}");

        // As it is: nothing is played again.
        let again = |stop_after| play([&a, &b], &book, 20, &path, stop_after);
        assert_eq!(again(100), (whole.clone(), 0, Vec::new()));
        // Cut off within the header, at a line, within a line.
        for cut in [0, 10, text.len() / 3, text.len() - 1] {
            std::fs::write(&path, &text[..cut]).unwrap();
            let (result, played, notes) = again(100);
            assert_eq!((result, notes), (whole.clone(), Vec::new()));
            let kept = text[..cut].matches('\n').count().saturating_sub(1);
            assert_eq!(played as usize, 20 - kept);
            assert_eq!(again(100).1, 0);
        }
        // A line that has become another game, or none: it is said and played again.
        let line = text.lines().nth(3).unwrap();
        let moves = line.split("\"moves\":\"").nth(1).unwrap().split('"').next().unwrap();
        let without_last = moves.rsplit_once(' ').unwrap().0;
        let rubbish = line.replace("\"result\"", "\"resu\u{fffd}t\"");
        for bad in [line.replace(moves, without_last), line.replace(moves, "z9z9"), rubbish] {
            std::fs::write(&path, text.replace(line, &bad)).unwrap();
            let (result, played, notes) = again(100);
            assert_eq!((&result, played, notes.len()), (&whole, 1, 1), "{notes:?}");
            let place = format!("{}: line 4: left out: ", path.display());
            assert!(notes[0].starts_with(&place), "{notes:?}");
        }
        // Stopped: what is played is kept.
        std::fs::remove_file(&path).unwrap();
        let (_, first, _) = again(5);
        let (result, second, _) = again(100);
        assert_eq!((first + second, result), (20, whole.clone()));
        // Longer and shorter.
        let (longer, played, _) = play([&a, &b], &book, 20, &path, 100);
        assert_eq!((longer.pairs.len(), played), (10, 0));
        let (shorter, played, notes) = play([&a, &b], &book, 8, &path, 100);
        assert_eq!((&shorter.pairs[..], played, notes.len()), (&whole.pairs[..4], 0, 0));
    }
}

#[test]
fn the_journal_of_another_match_is_refused() {
    let cheskers = game("cheskers");
    let (greedy, random) = (entrant("greedy", cheskers), entrant("random", cheskers));
    let book = book(cheskers, 4);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.jsonl");
    play([&greedy, &random], &book, 4, &path, 100);
    let text = std::fs::read_to_string(&path).unwrap();
    let refused = |a: &Entrant, settings: MatchSettings| {
        let prepared = Match::new(a, &random, &book, settings).unwrap();
        Journal::open(&path, &prepared).unwrap_err().to_string()
    };
    let other = |what: &str| {
        format!("{} belongs to another match: {what}; choose another --out", path.display())
    };
    assert_eq!(refused(&random, settings(4)), other("player A: expected random, found greedy"));
    assert_eq!(
        refused(&greedy, MatchSettings { seed: 6, ..settings(4) }),
        other("seed: expected 6, found 5")
    );
    let adjudication = Adjudication { draw: Some(0.5), ..Adjudication::default() };
    assert_eq!(
        refused(&greedy, MatchSettings { adjudication, ..settings(4) }),
        other(
            "adjudication: expected resign off, draw 0.5, plies 8, found resign off, draw off, \
             plies 8"
        )
    );
    // Whole or not, what is no journal of this match is left as it was.
    let cut = &text[..text.len() - 5];
    for (other, seed) in [("no journal\n", 5), ("no journal", 5), (cut, 6)] {
        std::fs::write(&path, other).unwrap();
        let message = refused(&greedy, MatchSettings { seed, ..settings(4) });
        assert!(message.starts_with(&path.display().to_string()), "{message}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), other);
    }
    // A folder in its place.
    let prepared = Match::new(&greedy, &random, &book, settings(4)).unwrap();
    let error = Journal::open(folder.path(), &prepared).unwrap_err();
    assert!(error.to_string().starts_with(&folder.path().display().to_string()), "{error}");
    assert!(text.starts_with("{\"format\":\"raja match 2\""));
}

/// A checkpoint or a program that has come into the place of another one has not played its games.
#[test]
fn a_player_that_has_only_its_name_in_common_is_another_one() {
    let cheskers = game("cheskers");
    let folder = tempfile::tempdir().unwrap();
    let (net, path) = (folder.path().join("net"), folder.path().join("match.jsonl"));
    let (book, random) = (book(cheskers, 1), entrant("random", cheskers));
    let nets =
        |_: &'static Game, _: &Path| Ok(Arc::new(Scripted::default()) as Arc<dyn EvaluatorSource>);
    let open = |weights: &str| {
        std::fs::write(&net, weights).unwrap();
        let spec = format!("net:{}@2", net.display()).parse().unwrap();
        let net = Entrant::new(&spec, cheskers, &nets).unwrap();
        let prepared = Match::new(&net, &random, &book, settings(2)).unwrap();
        Journal::open(&path, &prepared).map(|opened| {
            prepared.play_kept(opened, &|_| {}, &GO_ON).unwrap();
        })
    };
    open("some").unwrap();
    open("some").unwrap();
    let error = open("other").unwrap_err();
    assert!(
        matches!(error, JournalError::OtherMatch { what: "the files of player A", .. }),
        "{error}"
    );
}

#[test]
fn adjudicated_games_come_back_too() {
    let cheskers = game("cheskers");
    let net = entrant("net:scripted@8", cheskers);
    let book = book(cheskers, 4);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.jsonl");
    let adjudication = Adjudication { resign: Some(0.05), draw: None, plies: 2 };
    let settings = MatchSettings { adjudication, ..settings(8) };
    let prepared = Match::new(&net, &net, &book, settings).unwrap();
    let play = || {
        let opened = Journal::open(&path, &prepared).unwrap();
        assert_eq!(opened.bad, Vec::<String>::new());
        prepared.play_kept(opened, &|_| {}, &GO_ON).unwrap()
    };
    let first = play();
    assert!(first.ends.resignation > 0);
    let again = play();
    assert_eq!((again.ends, again.pairs), (first.ends, first.pairs));
}
