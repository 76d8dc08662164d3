//! Standings: tournaments and ladders that grow.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use arena::{Adjudication, MatchSettings, Pair, RoundError, Standings, Tournament};

use crate::support::{GO_ON, book, entrant, game};

fn settings() -> MatchSettings {
    MatchSettings { seed: 5, threads: 2, games_at_once: 4, ..MatchSettings::default() }
}

#[test]
fn a_round_is_saved_as_it_goes_and_goes_on_after_a_stop() {
    let cheskers = game("cheskers");
    let players = ["alphabeta:2", "greedy", "random"].map(|text| entrant(text, cheskers));
    let [deep, greedy, random] = &players;
    let book = book(cheskers, 30);
    let meet = [(deep, greedy), (greedy, random), (deep, random)];
    let play = |standings: &mut Standings, games, stop_after| {
        let pairs = meet.map(|(a, b)| standings.pair_up_to(a, b, games));
        let needed = standings.openings_for(&pairs);
        let (played, stop) = (Mutex::new(0), AtomicBool::new(false));
        let progress = |_: usize, _: &arena::Progress<'_>| {
            let mut played = played.lock().unwrap();
            *played += 1;
            stop.store(*played >= stop_after, Ordering::Relaxed);
        };
        let saved = Mutex::new(Vec::new());
        let save = |standings: &Standings| {
            saved.lock().unwrap().push(standings.clone());
            Ok(())
        };
        standings.play(&pairs, &book, settings(), &progress, &save, &stop).unwrap();
        let saved = saved.into_inner().unwrap();
        assert_eq!(saved.last(), Some(&*standings), "the last state is saved");
        let games = |standings: &Standings| -> u32 {
            standings.encounters.iter().map(|encounter| encounter.score.games()).sum()
        };
        assert!(saved.windows(2).all(|pair| games(&pair[0]) <= games(&pair[1])));
        (needed, saved.len(), *played.lock().unwrap())
    };
    let mut whole = Standings::new(cheskers, "random");
    let (needed, saves, played) = play(&mut whole, 20, 1000);
    assert_eq!((needed, played), (10, 60));
    assert!(saves >= 3, "at the end of each match, {saves}");
    let names: Vec<_> = whole.players.iter().map(|standing| standing.player.as_str()).collect();
    assert_eq!(names, ["alphabeta:2", "greedy", "random"]);
    assert!(whole.players[0].low > 0.0, "{whole}");
    assert_eq!(whole.players[2].elo, 0.0);

    let mut stopped = Standings::new(cheskers, "random");
    play(&mut stopped, 20, 25);
    let so_far: u32 = stopped.encounters.iter().map(|encounter| encounter.openings).sum();
    assert!((1..=13).contains(&so_far), "{so_far}");
    play(&mut stopped, 20, 1000);
    let sorted = |standings: &Standings| {
        let mut encounters = standings.encounters.clone();
        encounters.sort_by(|one, other| (&one.a, &one.b).cmp(&(&other.a, &other.b)));
        encounters
    };
    assert_eq!(sorted(&stopped), sorted(&whole), "the same games in the end");
    // More matches only sharpen it, from openings that have not been played.
    let width = |standings: &Standings| standings.players[1].high - standings.players[1].low;
    let before = width(&stopped);
    let (needed, _, played) = play(&mut stopped, 60, 1000);
    assert_eq!((needed, played), (30, 120));
    assert!(width(&stopped) < before);
}

#[test]
fn standings_that_cannot_be_saved_end_the_round() {
    let cheskers = game("cheskers");
    let [greedy, random] = ["greedy", "random"].map(|text| entrant(text, cheskers));
    let mut standings = Standings::new(cheskers, "random");
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("none/standings.json");
    let pairs = [Pair { a: &greedy, b: &random, games: 2 }; 3];
    let save = |standings: &Standings| standings.save(&nowhere);
    let error = standings
        .play(&pairs, &book(cheskers, 3), settings(), &|_, _| {}, &save, &GO_ON)
        .unwrap_err();
    assert!(error.to_string().starts_with(&nowhere.display().to_string()), "{error}");
}

/// Whatever is stopped and grows, and whoever is named first: all games count, and none twice.
#[test]
fn a_tournament_keeps_every_game() {
    let cheskers = game("cheskers");
    let players = ["alphabeta:1", "greedy", "random"].map(|text| entrant(text, cheskers));
    let [deep, greedy, random] = &players;
    let (book, folder) = (book(cheskers, 10), tempfile::tempdir().unwrap());
    let saved = folder.path().join("standings.json");
    let play = |pairs: &[[&arena::Entrant; 2]], settings, stop_after| {
        let tournament =
            Tournament::open(pairs, random, &book, settings, folder.path(), &mut |note| {
                panic!("{note}")
            })?;
        let (before, now) = (tournament.played(), Mutex::new(0));
        let stop = AtomicBool::new(false);
        let progress = |_: usize, _: &arena::Progress<'_>| {
            let mut now = now.lock().unwrap();
            *now += 1;
            stop.store(*now >= stop_after, Ordering::Relaxed);
        };
        let standings = tournament.play(&progress, &|standings| standings.save(&saved), &stop)?;
        assert_eq!(Standings::load(&saved, cheskers).unwrap().as_ref(), Some(&standings));
        Ok::<_, RoundError>((before, *now.lock().unwrap(), standings))
    };
    let all = [[deep, greedy], [greedy, random], [deep, random]];
    let of = |games| MatchSettings { games, ..settings() };
    // Games end out of order, and are not lost for that.
    let (before, first, _) = play(&all, of(12), 15).unwrap();
    assert_eq!(before, 0);
    let (before, second, whole) = play(&all, of(12), 1000).unwrap();
    assert_eq!((before, first + second), (first, 36));
    let counted = |standings: &Standings| -> u32 {
        standings.encounters.iter().map(|encounter| 2 * encounter.openings).sum()
    };
    assert_eq!(counted(&whole), 36);
    let (_, played, again) = play(&all.map(|[a, b]| [b, a]), of(12), 1000).unwrap();
    assert_eq!((played, counted(&again)), (0, 36));
    assert_eq!(again.players, whole.players);
    // Two of them, in more games: the third is left out.
    let (before, played, two) = play(&all[1..2], of(20), 1000).unwrap();
    assert_eq!((before, played, two.players.len()), (12, 8, 2));
    // The games are texts.
    let texts =
        |of: &str| std::fs::read_to_string(folder.path().join(of).join("games.txt")).unwrap();
    assert_eq!(texts("greedy_random").matches("[Variant ").count(), 20);
    assert_eq!(texts("alphabeta-1_greedy").matches("[Variant ").count(), 12);
    // By other rules it is another tournament.
    let adjudication = Adjudication { resign: Some(0.9), ..Adjudication::default() };
    let error = play(&all, MatchSettings { adjudication, ..of(12) }, 1000).unwrap_err();
    assert!(error.to_string().contains("belongs to another match: adjudication"), "{error}");
}
