//! English draughts, rule by rule.

use games::{History, Outcome, Side, State};

use crate::support::{after, check_fault, check_moves, position};

/// The game.
const ID: &str = "english-draughts";

#[test]
fn men_march_and_jump_forward_only() {
    check_moves(ID, "7k/8/8/2m1m3/3M4/2m1m3/8/8 w - - - 0 1", "d4b6 d4f6");
    check_moves(ID, "7m/8/8/8/3M4/8/8/8 w - - - 0 1", "d4c5 d4e5");
    check_moves(ID, "8/8/3M1M2/4m3/3M1M2/8/8/K7 b - - - 0 1", "e5c3 e5g3");
    check_moves(ID, "8/8/8/4m3/8/8/8/6K1 b - - - 0 1", "e5d4 e5f4");
}

#[test]
fn kings_are_short_and_go_both_ways() {
    check_moves(ID, "7m/8/8/8/3K4/8/8/8 w - - - 0 1", "d4c3 d4c5 d4e3 d4e5");
    check_moves(ID, "7m/8/1m6/8/3K4/8/5m2/8 w - - - 0 1", "d4c3 d4c5 d4e3 d4e5");
    check_moves(ID, "7m/8/8/2m5/3K4/4m3/8/8 w - - - 0 1", "d4b6 d4f2");
}

#[test]
fn a_jump_is_compulsory_and_has_to_be_completed_by_any_route() {
    // Two pieces or one: the choice is free, to stop on the way is not.
    check_moves(ID, "8/8/3m1m2/8/1m1m4/2M5/8/6M1 w - - - 0 1", "c3a5 c3e5c7 c3e5g7");
}

#[test]
fn a_king_may_come_back_to_where_it_began() {
    let round = "8/8/8/2m1m3/8/2m1m3/3K4/8 w - - - 7 50";
    check_moves(ID, round, "d2b4d6f4d2 d2f4d6b4d2");
    assert_eq!(after(ID, round, "d2b4d6f4d2"), "8/8/8/8/8/8/3K4/8 b - - - 0 50");
}

#[test]
fn a_promotion_ends_the_move() {
    let fen = "8/2m1m3/1M6/8/8/8/8/6k1 w - - - 0 50";
    check_moves(ID, fen, "b6d8=K");
    assert_eq!(after(ID, fen, "b6d8=K"), "3K4/4m3/8/8/8/8/8/6k1 b - - - 0 50");
    check_moves(ID, "8/8/8/8/8/8/5m2/K7 b - - - 0 50", "f2e1=K f2g1=K");
}

#[test]
fn who_cannot_move_has_lost() {
    let blocked = position(ID, "8/8/8/8/1m6/M7/8/8 w - - - 0 9");
    assert_eq!(blocked.outcome(), None);
    let blocked = position(ID, "8/8/8/2m5/1m6/M7/8/8 w - - - 0 9");
    assert_eq!(blocked.outcome(), Some(Outcome::Win(Side::Black)));
    assert_eq!(blocked.moves(), Ok(vec![]));
    let bare = position(ID, "8/8/8/8/8/M7/8/8 b - - - 0 9");
    assert_eq!(bare.outcome(), Some(Outcome::Win(Side::White)));
    // Also at the hundredth ply.
    let late = History::new(position(ID, "8/8/8/2m5/1m6/M7/8/8 w - - - 100 99"));
    assert_eq!(late.end().unwrap().to_string(), "black (rules)");
}

#[test]
fn captures_and_marches_of_men_reset_the_counter() {
    let fen = "7k/8/8/8/3M4/8/8/K7 w - - - 42 61";
    assert_eq!(after(ID, fen, "d4e5"), "7k/8/8/4M3/8/8/8/K7 b - - - 0 61");
    assert_eq!(after(ID, fen, "a1b2"), "7k/8/8/8/3M4/8/1K6/8 b - - - 43 61");
    let fen = "7k/8/8/8/3m4/4K3/8/8 w - - - 42 61";
    assert_eq!(after(ID, fen, "e3c5"), "7k/8/8/2K5/8/8/8/8 b - - - 0 61");
}

#[test]
fn strings_that_are_no_position_are_refused() {
    for (fen, message) in [
        (
            "8/8/8/8/8/8/8/1M4m1 w - - - 0 1",
            "column 16 (placement): `M` on b1: pieces stand on dark cells only",
        ),
        (
            "k7/8/8/8/8/8/8/M7 w - - - 0 1",
            "column 1 (placement): `k` on a8: pieces stand on dark cells only",
        ),
        (
            "1M6/8/8/8/8/8/8/k7 w - - - 0 1",
            "column 2 (placement): `M` on b8 would have been promoted",
        ),
        (
            "7K/8/8/8/8/8/8/m7 w - - - 0 1",
            "column 16 (placement): `m` on a1 would have been promoted",
        ),
        (
            "8/8/8/8/8/8/8/Q7 w - - - 0 1",
            "column 15 (placement): `Q` is no piece: the pieces are MK",
        ),
        (
            "8/8/8/8/8/8/8/M7 w - - - 0 1",
            "column 1 (placement): \
             no black piece: only the side to move can have lost its last one",
        ),
        (
            "8/8/8/8/8/8/8/8 b - - - 0 1",
            "column 1 (placement): \
             no white piece: only the side to move can have lost its last one",
        ),
        ("7k/8/8/8/8/8/8/K7 w K - - 0 1", "column 21 (rights): expected `-`, found `K`"),
    ] {
        check_fault(ID, fen, message);
    }
}
