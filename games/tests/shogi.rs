//! Shogi and its modern sisters: drops, pieces that turn over, repetition (rulebook page shogi.md).

use games::{End, EndReason, Features, Game, History, Outcome, Side, State};

use crate::support::{after, check_fault, position};

/// The legal moves whose texts begin with `start`.
fn moves(id: &str, fen: &str, start: &str) -> Vec<String> {
    let texts = position(id, fen).move_texts().unwrap();
    texts.into_iter().filter(|text| text.starts_with(start)).collect()
}

/// The game from `fen` in which `texts` have been played; it is not over before the last of them.
fn played(id: &str, fen: &str, texts: &[&str]) -> History {
    let mut history = History::new(position(id, fen));
    for text in texts {
        assert_eq!(history.end(), None, "before {text} at ply {}", history.plies());
        let chosen = history.position().parse_move(text).unwrap();
        chosen.steps().iter().for_each(|&step| history.play(step));
    }
    history
}

/// Checks how `history` has ended, by each way to ask.
#[track_caller]
fn assert_end(history: &History, outcome: Outcome, reason: EndReason) {
    assert_eq!(history.end(), Some(End { outcome, reason }));
    assert_eq!(history.outcome(), Some(outcome));
    assert_eq!(history.foregone(), Some(outcome));
    let mut steps = Vec::new();
    assert_eq!(history.steps(&mut steps), Some(outcome));
    assert!(steps.is_empty());
}

#[test]
fn drops_have_their_limits() {
    // No lance and no pawn on the last rank, no knight on the last two; anything else anywhere.
    let fen = "4k4/9/9/9/9/9/9/9/4K4 w - - RBGSNLP 0 1";
    for (letter, cells) in [("R", 79), ("G", 79), ("N", 62), ("L", 71)] {
        assert_eq!(moves("shogi", fen, &format!("{letter}*")).len(), cells, "{letter}");
    }
    // e8 gives check, but no mate.
    assert_eq!(moves("shogi", fen, "P*").len(), 71);
    let horse = "4k4/9/9/9/9/9/9/9/4K4 b - - h 0 1";
    assert_eq!(moves("shogi2", horse, "H*").len(), 79);
    // Not on the file of an own pawn; an enemy's or a promoted one does not count.
    let files = "4k4/9/p8/9/2+P6/9/1P7/9/4K4 w - - P 0 1";
    let pawns = moves("shogi", files, "P*");
    assert!(pawns.contains(&"P*a2".to_owned()) && pawns.contains(&"P*c2".to_owned()));
    assert!(!pawns.iter().any(|text| text.starts_with("P*b")), "{pawns:?}");
    // In check only where it helps.
    let check = "4k4/9/9/9/4r4/9/9/9/3GKG3 w - - NP 0 1";
    assert_eq!(moves("shogi", check, "P*"), ["P*e2", "P*e3", "P*e4"]);
}

#[test]
fn a_pawn_may_not_be_dropped_with_mate() {
    let mate = "6+P1k/6R2/9/9/9/9/9/9/4K4 w - - GP 0 1";
    assert!(moves("shogi", mate, "P*i8").is_empty());
    // A gold may, and so may a pawn that moves there.
    let gold = after("shogi", mate, "G*i8");
    assert_eq!(position("shogi", &gold).outcome(), Some(Outcome::Win(Side::White)));
    let pawn = after("shogi", "6+P1k/6R2/8P/9/9/9/9/9/4K4 w - - - 0 1", "i7i8");
    assert_eq!(position("shogi", &pawn).outcome(), Some(Outcome::Win(Side::White)));
    // It is no mate if the pawn can be taken or the king has a way out.
    let taken = "6+P1k/6Rg1/9/9/9/9/9/9/4K4 w - - P 0 1";
    assert_eq!(moves("shogi", taken, "P*i8"), ["P*i8"]);
    assert_eq!(moves("shogi", "8k/6R2/9/9/9/9/9/9/4K4 w - - P 0 1", "P*i8"), ["P*i8"]);
    // The taker is pinned: mate. Black's drops are judged the same way.
    let pinned = "5R1gk/6+P2/8+P/9/9/9/9/9/4K4 w - - P 0 1";
    assert!(moves("shogi", pinned, "P*i8").is_empty());
    let black = "4k4/9/9/9/9/9/9/2r6/K1+p6 b - - p 0 1";
    assert!(moves("shogi", black, "P*a2").is_empty());
    assert_eq!(moves("shogi", black, "P*a3"), ["P*a3"]);
}

#[test]
fn pieces_turn_over_in_the_zone_or_leaving_it() {
    let arrivals = |id, fen, start| moves(id, fen, start).join(" ");
    assert_eq!(arrivals("shogi1", "k8/9/9/4P4/9/9/9/9/4K4 w - - - 0 1", "e6"), "e6e7 e6e7+");
    assert_eq!(arrivals("shogi1", "k8/4P4/9/9/9/9/9/9/4K4 w - - - 0 1", "e8"), "e8e9+");
    assert_eq!(arrivals("shogi1", "k8/9/9/9/4P4/9/9/9/4K4 w - - - 0 1", "e5"), "e5e6");
    // Out of the zone, and Black's zone at the other end.
    let out = arrivals("shogi2", "k8/9/4H4/9/9/9/9/9/4K4 w - - - 0 1", "e7d5");
    assert_eq!(out, "e7d5 e7d5+");
    let black = arrivals("shogi2", "k8/9/9/9/9/9/4h4/9/K8 b - - - 0 1", "e3f5");
    assert_eq!(black, "e3f5 e3f5+");
    // A side's own camp is not its zone.
    let camp = "k8/9/9/9/9/9/4G4/9/K8 w - - - 0 1";
    assert!(moves("shogi1", camp, "e3").iter().all(|text| !text.ends_with('+')));
    // What is turned over, and the king, has no other side; the gold of shogi neither.
    for (id, fen, start) in [
        ("shogi1", "k8/9/9/4+G4/9/9/9/9/4K4 w - - - 0 1", "e6"),
        ("shogi1", "k8/9/9/4K4/9/9/9/9/9 w - - - 0 1", "e6"),
        ("shogi", "k8/9/9/4G4/9/9/9/9/4K4 w - - - 0 1", "e6"),
    ] {
        assert!(moves(id, fen, start).iter().all(|text| !text.ends_with('+')), "{fen}");
    }
    // Compulsory where it could not move again.
    assert_eq!(arrivals("shogi", "k8/9/4N4/9/9/9/9/9/4K4 w - - - 0 1", "e7"), "e7d9+ e7f9+");
    assert_eq!(arrivals("shogi", "k8/9/9/4N4/9/9/9/9/4K4 w - - - 0 1", "e6"), "e6d8+ e6f8+");
    let lance = arrivals("shogi", "k8/9/9/4L4/9/9/9/9/4K4 w - - - 0 1", "e6");
    assert_eq!(lance, "e6e7 e6e7+ e6e8 e6e8+ e6e9+");
    // It restarts the clock.
    let turned = after("shogi1", "k8/9/9/9/9/9/1R7/9/4K4 w - - - 7 9", "b3b7+");
    assert_eq!(turned, "k8/9/1+R7/9/9/9/9/9/4K4 b - - - 0 9");
}

#[test]
fn captured_pieces_change_sides_as_what_they_were() {
    let taken = after("shogi1", "k8/9/9/4+b4/4R4/9/9/9/4K4 w - - 2P 7 9", "e5e6");
    assert_eq!(taken, "k8/9/9/4R4/9/9/9/9/4K4 b - - B2P 0 9");
    let taken = after("shogi2", "k8/9/9/4h4/9/4R4/9/9/4K4 b - - bp 7 9", "e6f4");
    assert_eq!(taken, "k8/9/9/9/9/4Rh3/9/9/4K4 w - - bp 8 10");
    let dropped = after("shogi2", "k8/9/9/9/9/9/9/9/4K4 b - - H3b2p 7 9", "B*e5");
    assert_eq!(dropped, "k8/9/9/9/4b4/9/9/9/4K4 w - - H2b2p 0 10");
    let last = after("shogi2", "k8/9/9/9/9/9/9/9/4K4 b - - Hb 7 9", "B*e5");
    assert_eq!(last, "k8/9/9/9/4b4/9/9/9/4K4 w - - H 0 10");
}

#[test]
fn lances_go_one_way() {
    let lance = "k8/9/9/4p4/9/9/4L4/9/4K4 w - - - 0 1";
    assert_eq!(moves("shogi", lance, "e3"), ["e3e4", "e3e5", "e3e6"]);
    let black = "k8/9/4l4/9/9/9/4P4/9/K8 b - - - 0 1";
    assert_eq!(moves("shogi", black, "e7").len(), 5, "three cells, and a capture that may turn");
    // It checks and pins ahead, and nothing behind it.
    let pin = "4k4/9/4g4/9/4L4/9/9/9/4K4 b - - - 0 1";
    assert_eq!(moves("shogi", pin, "e7"), ["e7e6", "e7e8"]);
    let behind = "4L4/9/4g4/9/4k4/9/9/9/K8 b - - - 0 1";
    assert!(Game::by_id("shogi").unwrap().parse_fen(behind).is_err(), "a lance on its last rank");
    let behind = "9/4L4/4g4/9/4k4/9/9/9/K8 b - - - 0 1";
    assert_eq!(moves("shogi", behind, "e7").len(), 6);
    let check = "4k4/9/9/9/4L4/9/9/9/4K4 b - - p 0 1";
    assert_eq!(moves("shogi", check, "P*"), ["P*e6", "P*e7", "P*e8"]);
}

#[test]
fn the_second_edition_s_bishop_steps_without_capturing() {
    let fen = "9/9/4k4/9/9/3pB4/9/9/4K4 w - - - 0 1";
    assert!(moves("shogi2", fen, "e4d4").is_empty());
    assert_eq!(moves("shogi2", fen, "e4f4"), ["e4f4"]);
    // Next to the king it gives no check, and does not guard the cell; the episcope does both.
    let beside = "9/9/9/9/3Bk4/9/9/9/4K4 b - - - 0 1";
    assert!(moves("shogi2", beside, "e5").contains(&"e5d5".to_owned()));
    assert_eq!(moves("shogi2", beside, "e5").len(), 8 - 2, "c6 and c4 lie on no diagonal of d5");
    let turned = "9/9/9/9/3+Bk4/9/9/9/4K4 b - - - 0 1";
    assert!(moves("shogi2", turned, "e5").contains(&"e5d5".to_owned()));
    assert_eq!(moves("shogi2", turned, "e5").len(), 4);
    // A step answers a check by standing in the way, and leaves a pin along its line only.
    let block = "4k4/9/9/4r4/9/3B5/9/3G1G3/3GKG3 w - - - 0 1";
    assert_eq!(moves("shogi1", block, "d4"), ["d4e3", "d4e5"]);
    assert_eq!(moves("shogi2", block, "d4"), ["d4e3", "d4e4", "d4e5"]);
    let pin = "4k4/9/9/4r4/9/4B4/9/9/4K4 w - - - 0 1";
    assert_eq!(moves("shogi2", pin, "e4"), ["e4e3", "e4e5"]);
    assert!(moves("shogi1", pin, "e4").is_empty());
}

#[test]
fn a_side_that_cannot_move_loses() {
    // Not even in check; with a piece in hand it can move.
    let stuck = "k8/9/1GN6/9/9/9/9/9/4K4 b - - - 0 1";
    assert_eq!(position("shogi1", stuck).outcome(), Some(Outcome::Win(Side::White)));
    assert_end(&played("shogi1", stuck, &[]), Outcome::Win(Side::White), EndReason::Rules);
    let dropping = "k8/9/1GN6/9/9/9/9/9/4K4 b - - p 0 1";
    assert_eq!(position("shogi1", dropping).outcome(), None);
    let black = "4k4/9/9/9/9/9/1gh6/9/K8 w - - - 0 1";
    assert_eq!(position("shogi2", black).outcome(), Some(Outcome::Win(Side::Black)));
}

/// White's rook checks the king to and fro.
const CHECKED: &str = "4k4/9/9/9/9/9/9/9/3R4K w - - - 0 1";
const CHECKS: [&str; 4] = ["d1e1", "e9d9", "e1d1", "d9e9"];
/// The same king and rook go a quiet way to where they were.
const QUIET: [&str; 4] = ["d1c1", "e9e8", "c1d1", "e8e9"];

#[test]
fn perpetual_check_loses_for_white() {
    for id in ["shogi", "shogi1", "shogi2"] {
        let history = played(id, CHECKED, &CHECKS.repeat(3));
        assert_end(&history, Outcome::Win(Side::Black), EndReason::PerpetualCheck);
        assert_eq!(history.end().unwrap().to_string(), "black (perpetual check)");
    }
}

#[test]
fn perpetual_check_loses_for_black() {
    let fen = "3r4k/9/9/9/9/9/9/9/4K4 b - - - 0 1";
    let checks = ["d9e9", "e1d1", "e9d9", "d1e1"];
    let history = played("shogi", fen, &checks.repeat(3));
    assert_end(&history, Outcome::Win(Side::White), EndReason::PerpetualCheck);
    // The side that checks may be the one to move where the position recurs.
    let fen = "4k4/9/9/9/9/9/9/9/4R3K b - - - 0 1";
    let history = played("shogi", fen, &["e9d9", "e1d1", "d9e9", "d1e1"].repeat(3));
    assert_end(&history, Outcome::Win(Side::Black), EndReason::PerpetualCheck);
}

#[test]
fn one_quiet_move_between_the_occurrences_saves_the_draw() {
    for rounds in [[CHECKS, CHECKS, QUIET], [CHECKS, QUIET, CHECKS], [QUIET, CHECKS, CHECKS]] {
        let history = played("shogi", CHECKED, &rounds.concat());
        assert_end(&history, Outcome::Draw, EndReason::Repetition);
    }
}

#[test]
fn moves_before_the_first_occurrence_save_nobody() {
    let fen = "4k4/9/9/9/9/9/9/9/2R5K w - - - 0 1";
    let quiet = ["c1d1", "e9e8"];
    let checks = ["d1e1", "e8d8", "e1d1", "d8e8"].repeat(3);
    let history = played("shogi", fen, &[&quiet[..], &checks].concat());
    assert_end(&history, Outcome::Win(Side::Black), EndReason::PerpetualCheck);
}

#[test]
fn only_occurrences_with_the_same_hands_and_side_count() {
    // Pieces go round by captures and drops, which set the clock back: the position recurs all
    // the same.
    let fen = "4k4/9/9/4g4/9/9/4G4/9/4K4 w - - P 0 1";
    let round = ["P*e5", "e6e5", "e1d1", "P*e4", "e3e4", "e5e6", "e4e3", "e9d9", "d1e1", "d9e9"];
    let history = played("shogi", fen, &round.repeat(3));
    assert_end(&history, Outcome::Draw, EndReason::Repetition);
    let history = played("shogi", fen, &round.repeat(2));
    assert_eq!((history.end(), history.repetitions()), (None, 2));
}

#[test]
fn the_network_sees_who_has_checked_all_along() {
    let planes = |history: &History| {
        let mut features = Features::default();
        history.features(&mut features);
        let names = &history.game().planes;
        let fills = features.fills().iter().map(|&(plane, _)| names[usize::from(plane)].clone());
        fills
            .filter(|name| name.contains("occurred") || name.contains("checked"))
            .collect::<Vec<_>>()
    };
    let history = played("shogi", CHECKED, &CHECKS[..3]);
    assert!(planes(&history).is_empty(), "nothing has recurred yet");
    let history = played("shogi", CHECKED, &CHECKS);
    assert_eq!(planes(&history), ["occurred once before", "I have checked ever since"]);
    let history = played("shogi", CHECKED, &CHECKS.repeat(2)[..5]);
    assert_eq!(planes(&history), ["occurred once before", "they have checked ever since"]);
    let history = played("shogi", CHECKED, &[CHECKS, QUIET].concat());
    assert_eq!(planes(&history), ["occurred twice before"]);
}

#[test]
fn bad_position_strings_are_refused_in_words() {
    for (id, fen, message) in [
        (
            "shogi",
            "4k4/9/9/9/4+G4/9/9/9/4K4 w - - - 0 1",
            "column 12 (placement): `+G` is no piece of shogi",
        ),
        (
            "shogi1",
            "4k4/9/9/9/4+K4/9/9/9/4K4 w - - - 0 1",
            "column 12 (placement): `+K` is no piece of shogi1",
        ),
        (
            "shogi1",
            "4k4/9/9/9/4H4/9/9/9/4K4 w - - - 0 1",
            "column 12 (placement): `H` is no piece of shogi1",
        ),
        (
            "shogi",
            "4kL3/9/9/9/9/9/9/9/4K4 w - - - 0 1",
            "column 3 (placement): a white lance cannot stand on f9",
        ),
        (
            "shogi",
            "4k4/9/9/9/9/9/9/5n3/4K4 w - - - 0 1",
            "column 18 (placement): a black knight cannot stand on f2",
        ),
        (
            "shogi2",
            "4k4/9/9/9/9/9/9/9/4K3p w - - - 0 1",
            "column 22 (placement): a black pawn cannot stand on i1",
        ),
        (
            "shogi2",
            "4k4/9/P8/9/P8/9/9/9/4K4 w - - - 0 1",
            "column 12 (placement): a second white pawn on its file",
        ),
        (
            "shogi2",
            "9/9/9/9/9/9/9/9/4K4 w - - - 0 1",
            "column 1 (placement): expected one black king, found 0",
        ),
        (
            "shogi1",
            "4k4/9/9/9/4R4/9/9/9/4K4 w - - - 0 1",
            "column 1 (placement): white could capture the king on e9",
        ),
        (
            "shogi1",
            "4k4/9/9/9/9/9/9/9/4K4 w K - - 0 1",
            "column 25 (rights): expected `-`, found `K`",
        ),
        (
            "shogi1",
            "4k4/9/9/9/9/9/9/9/4K4 w - e3 - 0 1",
            "column 27 (en passant): expected `-`, found `e3`",
        ),
        (
            "shogi1",
            "4k4/9/9/9/9/9/9/9/4K4 w - - PR 0 1",
            "column 30 (hands): expected some of `RBGNPrbgnp` in this order, each with its number \
             in front if that is above 1, or `-`",
        ),
        (
            "shogi1",
            "4k4/9/9/9/9/9/9/9/4K4 w - - 2PS 0 1",
            "column 31 (hands): expected some of `RBGNPrbgnp` in this order, each with its number \
             in front if that is above 1, or `-`",
        ),
        (
            "shogi1",
            "4k4/9/9/9/9/9/9/9/4K4 w - - 1P 0 1",
            "column 29 (hands): expected a number from 2 to 18, found `1`",
        ),
        (
            "shogi1",
            "4k4/9/9/9/9/9/9/9/4K4 w - - R02P 0 1",
            "column 30 (hands): expected a number from 2 to 18, found `02`",
        ),
        (
            "shogi1",
            "4k4/9/9/9/9/9/9/9/4K4 w - - 5R 0 1",
            "column 29 (hands): expected a number from 2 to 4, found `5`",
        ),
        (
            "shogi1",
            "4k4/9/9/9/9/9/9/9/4K4 w - - 99999999999999999999p 0 1",
            "column 29 (hands): expected a number from 2 to 18, found `99999999999999999999`",
        ),
        (
            "shogi1",
            "4k4/9/9/9/9/9/9/9/4K4 w - - R2 0 1",
            "column 29 (hands): expected the pieces in hand or `-`",
        ),
        (
            "shogi1",
            "4k4/9/9/2+R6/2r6/9/9/9/4K4 w - - 2Rr 0 1",
            "column 34 (hands): the game has 4 of `R`, found 5",
        ),
        (
            "shogi",
            "4k4/9/9/9/9/9/9/RRR6/K8 w - - - 0 1",
            "column 1 (placement): the game has 2 of `R`, found 3",
        ),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - P 0 1", "column 27 (hands): expected `-`, found `P`"),
    ] {
        check_fault(id, fen, message);
    }
}

#[test]
fn steps_are_plain_turning_or_drops() {
    let kinds = |id| Game::by_id(id).unwrap().kinds.join(" ");
    assert_eq!(kinds("shogi"), "plain + R* B* G* S* N* L* P*");
    assert_eq!(kinds("shogi2"), "plain + R* B* G* H* P*");
    let dropping = position("shogi2", "k8/9/9/9/9/9/9/9/4K4 w - - H 0 1");
    let drop = dropping.parse_move("H*e5").unwrap().steps()[0];
    assert_eq!(drop.from(), drop.to());
    // Hands count as material.
    assert_eq!(dropping.material(Side::White), 650);
    assert_eq!(dropping.material(Side::Black), 0);
}
