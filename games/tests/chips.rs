//! Chips (rulebook page chips.md).

use games::{EndReason, Game, History, Outcome, Side, State, Step};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::sample;
use crate::support::{after, check_fault, check_from, position};

/// The game.
const ID: &str = "chips";

#[test]
fn a_king_is_set_on_any_empty_cell_and_only_then_its_side_captures() {
    let fen = "k9/10/10/10/4(p1)5/4[s1]5/10/10/10/10 w - - K 9 1";
    let texts = position(ID, fen).move_texts().unwrap();
    assert_eq!(texts.iter().filter(|text| text.starts_with("K*")).count(), 97);
    check_from(ID, fen, "e5", "");
    let set = "k9/10/10/10/4(p1)5/4[s1]5/10/4K5/10/10 b - - - 0 1";
    assert_eq!(after(ID, fen, "K*e3"), set);
    check_from(ID, &set.replace(" b ", " w "), "e5", "e6");
    // A king in hand cannot be lost, and setting is written alike for Black.
    let both = "10/10/10/10/10/4[s1]5/10/10/10/10 b - - Kk 9 1";
    assert_eq!(position(ID, both).outcome(), None);
    assert_eq!(after(ID, both, "K*a1"), "10/10/10/10/10/4[s1]5/10/10/10/k9 w - - K 0 2");
}

#[test]
fn a_captured_king_loses() {
    let fen = "10/10/10/10/4k5/4[s1]5/10/10/10/9K w - - - 9 1";
    let lost = after(ID, fen, "e5e6");
    assert_eq!(lost, "10/10/10/10/4[s1]5/10/10/10/10/9K b - - - 0 1");
    assert_eq!(position(ID, &lost).outcome(), Some(Outcome::Win(Side::White)));
    assert_eq!(position(ID, &lost).move_texts(), Ok(vec![]));
}

#[test]
fn double_means_two_and_single_means_one() {
    let board = |unit: &str| format!("k9/10/10/10/10/4{unit}5/10/10/10/9K w - - - 0 1");
    let moves = |unit| {
        let texts = position(ID, &board(unit)).move_texts().unwrap();
        texts.into_iter().filter_map(|text| text.strip_prefix("e5").map(str::to_owned))
    };
    let whole = |unit| moves(unit).filter(|text| !text.contains('{')).collect::<Vec<_>>().join(" ");
    assert_eq!(whole("[p1]"), "d4 d6 f4 f6");
    assert_eq!(whole("[p11]"), "c3 c7 g3 g7");
    assert_eq!(whole("[p2]"), "d5 e4 e6 f5");
    assert_eq!(whole("[p22]"), "c5 e3 e7 g5");
    assert_eq!(whole("[p12]"), "d4 d5 d6 e4 e6 f4 f5 f6");
    assert_eq!(whole("[p3]"), "c3 c7 d4 d6 f4 f6 g3 g7");
    assert_eq!(whole("[p24]"), "c5 d4 d5 d6 e3 e4 e6 e7 f4 f5 f6 g5");
    // One p2 of two beside one p4: no O(1), but N(1) with the p4.
    assert_eq!(whole("[p224]"), "c5 d4 d5 d6 e3 e4 e6 e7 f4 f5 f6 g5");
    assert_eq!(whole("[s1]"), "e6");
    assert_eq!(whole("[s11]"), "e4 e6");
    assert_eq!(whole("[s12]"), "e6");
    assert_eq!(moves("[p11]").filter(|text| text.contains("{1}")).count(), 4);
}

#[test]
fn slides_of_two_cells_are_blocked_and_jumps_are_not() {
    let fen = "k9/10/10/10/3[s1](s1)[s1]4/3[s1][p3344]5/10/10/10/9K w - - - 0 1";
    let texts = position(ID, fen).move_texts().unwrap();
    let has = |text: &str| texts.contains(&text.to_owned());
    // Single p3 and p4 are stopped by what stands between; doubles slide.
    assert!(has("e5e6{4}") && !has("e5e7{4}") && has("e5g5{4}") && !has("e5c7{3}"));
    assert!(has("e5k5{44}") && !has("e5h5{4}") && has("e5h2{33}"));
    let fen = "k9/10/10/10/3[s1](s1)[s1]4/3[s1][p11223344]5/10/10/10/9K w - - - 0 1";
    let texts = position(ID, fen).move_texts().unwrap();
    let has = |text: &str| texts.contains(&text.to_owned());
    assert!(has("e5e7{22}") && has("e5c7{11}"), "J modes leap");
    assert!(has("e5b8{1133}") && has("e5e10{2244}") && !has("e5e10{44}"));
    // Stones and pieces never share a cell.
    assert!(!has("e5d6{1}") && !has("e5d5{2}"));
}

#[test]
fn groups_hold_two_of_a_kind_at_most() {
    let fen = "k9/10/10/10/10/3[p11][p2]5/10/10/10/9K w - - - 0 1";
    assert_eq!(
        after(ID, fen, "e5d5"),
        fen.replace("[p11][p2]5", "[p112]6").replace(" w - - - 0", " b - - - 1")
    );
    let fen = "k9/10/10/10/3[p1]6/4[p11]5/10/10/10/9K w - - - 0 1";
    let texts = position(ID, fen).move_texts().unwrap();
    assert!(texts.contains(&"e5d6{1}".to_owned()));
    let fen = "k9/10/10/10/3[p11]6/4[p11]5/10/10/10/9K w - - - 0 1";
    let texts = position(ID, fen).move_texts().unwrap();
    assert!(!texts.contains(&"e5d6{1}".to_owned()));
}

#[test]
fn the_clock_restarts_as_the_page_says() {
    let fen = "k9/4[s11]5/10/10/10/3[s12][s22]5/10/10/10/9K w - - - 40 9";
    for (text, clock) in [
        ("d5d6", 0),     // both single
        ("d5d6{1}", 0),  // leaves a rest
        ("e5e6", 41),    // double
        ("e5e6{2}", 0),  // single, from a double group
        ("e9e10", 41),   // double already: no chip is added
        ("e9e10{1}", 0), // single, and doubled on arrival
        ("k1k2", 41),
    ] {
        let found = after(ID, fen, text);
        assert_eq!(found.split(' ').nth(5), Some(clock.to_string().as_str()), "{text}");
    }
}

#[test]
fn stones_on_the_last_row_are_doubled() {
    let fen = "[s1][s22]8/[s2][s1]8/10/10/10/10/10/10/10/k8K w - - - 3 1";
    // What stands there is doubled too, even if it could not have stayed single.
    assert_eq!(
        after(ID, fen, "a9a10"),
        "[s1122][s22]8/1[s1]8/10/10/10/10/10/10/10/k8K b - - - 0 1"
    );
    assert_eq!(after(ID, fen, "b9b10"), "[s1][s1122]8/[s2]9/10/10/10/10/10/10/10/k8K b - - - 0 1");
    let black = "k8K/10/10/10/10/10/10/10/(s12)9/9[p4] b - - - 3 1";
    assert_eq!(
        after(ID, black, "a2a1{1}"),
        "k8K/10/10/10/10/10/10/10/(s2)9/(s11)8[p4] w - - - 0 2"
    );
}

/// A single stone goes ahead, unites, comes back as a double one and goes ahead again: positions
/// come back although the clock of a hundred plies starts anew.
#[test]
fn positions_recur_across_restarts_of_the_clock() {
    let mut history =
        History::new(position(ID, "k9/10/10/10/10/4[s1]5/4[s1]5/10/10/9K w - - - 0 1"));
    let cycle = ["e4e5", "a10b10", "e5e4", "b10b9", "e4e5{1}", "b9a10"];
    for (ply, text) in (1..).zip(cycle.into_iter().cycle().take(12)) {
        assert_eq!(history.end(), None, "before ply {ply}");
        let chosen = history.position().parse_move(text).unwrap();
        chosen.steps().iter().for_each(|&step| history.play(step));
    }
    let end = history.end().map(|end| end.to_string());
    assert_eq!(end.as_deref(), Some("draw (repetition)"));
}

/// Plays a random game that goes on for as long as it can.
fn long_game(seed: u64) -> History {
    let game = Game::by_id(ID).unwrap();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut history = History::new(game.start());
    let mut steps: Vec<Step> = Vec::new();
    loop {
        steps.clear();
        if history.steps(&mut steps).is_some() {
            return history;
        }
        let leads = |&step: &Step| {
            let mut next = history.clone();
            next.play(step);
            let material =
                |side| (next.position().material(side), history.position().material(side));
            let [white, black] = Side::ALL.map(material);
            let last = next.plies() == game.maximum_plies;
            let quiet = white.0 >= white.1 && black.0 >= black.1;
            // The clock is restarted only when it has to be, and then not by captures of kings.
            (next.end().is_none() || last) && (quiet || history.position().clock() > 90)
        };
        let lasting: Vec<Step> = steps.iter().copied().filter(leads).collect();
        let from = if lasting.is_empty() { &steps } else { &lasting };
        history.play(sample::choose(from, &mut random));
    }
}

#[test]
fn the_longest_games_are_adjudicated_by_units() {
    let mut decided = 0;
    for seed in 0..4 {
        let history = long_game(seed);
        let end = history.end().unwrap();
        if end.reason != EndReason::MaximumLength {
            continue;
        }
        let [white, black] = Side::ALL.map(|side| history.position().material(side));
        let expected = match white - black {
            0 => Outcome::Draw,
            more if more > 0 => Outcome::Win(Side::White),
            _ => Outcome::Win(Side::Black),
        };
        assert_eq!(end.outcome, expected);
        assert_eq!(history.outcome(), Some(expected));
        assert_eq!(history.foregone(), Some(expected));
        decided += usize::from(expected != Outcome::Draw);
    }
    assert!(decided > 0, "no game was long and uneven");
}

#[test]
fn a_side_is_worth_its_units() {
    let start = Game::by_id(ID).unwrap().start();
    for side in Side::ALL {
        assert_eq!(start.material(side), 108 * 100);
    }
    let groups = position(ID, "k9/10/10/10/4(p11)5/4[s12]5/10/10/10/9K w - - - 0 1");
    assert_eq!(Side::ALL.map(|side| groups.material(side)), [300, 600]);
}

#[test]
fn strings_that_are_no_position_are_refused() {
    const STACK: &str = "is no stack: expected `s` and some sizes from 1 to 2 in ascending order, \
                         each twice at most, or `p` and some sizes from 1 to 4 in ascending order, \
                         each twice at most";
    for unit in ["[12]", "[s21]", "[s111]", "[s3]", "[p5]", "[p]", "[]", "[s1p2]", "[k]"] {
        let fen = format!("k9/10/10/10/10/4{unit}5/10/10/10/9K w - - - 0 1");
        let message = format!("column 17 (placement): `{unit}` {STACK}");
        check_fault(ID, &fen, &message);
    }
    for (fen, message) in [
        ("k9/10/10/10/10/10/10/10/10/8KK w - - - 0 1", "column 30 (placement): a second `K`"),
        (
            "k9/10/10/10/10/10/10/10/10/9K w - - K 0 1",
            "column 37 (hands): `K` is on the board already",
        ),
        (
            "k9/10/10/10/10/10/10/10/10/9K w - - kK 0 1",
            "column 38 (hands): expected some of `Kk` in this order, or `-`",
        ),
        (
            "k9/10/10/10/10/10/10/10/10/9K w Kk - - 0 1",
            "column 33 (rights): expected `-`, found `Kk`",
        ),
        (
            "k9/10/10/10/10/10/10/10/10/10 b - - - 0 1",
            "column 1 (placement): no `K`: only the side to move can have lost it",
        ),
        (
            "k9/10/10/10/10/10/10/10/S9/9K w - - - 0 1",
            "column 25 (placement): `S` is no piece: expected `K` or a stack in brackets",
        ),
    ] {
        check_fault(ID, fen, message);
    }
}
