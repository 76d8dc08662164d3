//! Cubic chess and nihongi, ruling by ruling (rulebook pages cubic.md and nihongi.md).

use crate::support::{check_fault, check_from, play, position};

#[test]
fn pieces_move_along_one_two_or_three_axes() {
    let fen = |unit| format!("7k/8/8/8/8/8/5{unit}2/K7 w - - - 0 1");
    check_from("cubic", &fen('H'), "f2", "a3 a5 a7 b2 b6 c1 c3 c5 c7 e2 f1 f3 g2");
    check_from("cubic", &fen('B'), "f2", "a2 a6 b1 b3 b5 b7 c2 c6 e1 e3 f8 g1 g3 h4 h6");
    check_from("cubic", &fen('R'), "f2", "b2 b6 e2 f1 f3 f4 f6 g2 h2");
    check_from("cubic", &fen('P'), "f2", "b6 f3 g2");
}

#[test]
fn r7_the_first_check_ends_the_d_steps() {
    let checked = play("cubic", "3r3k/8/8/8/8/8/8/K7 b Kk - - 0 1", "d8a8");
    assert_eq!(checked.fen(), "r6k/8/8/8/8/8/8/K7 w Kk - - 1 2", "a8 is not in line with a1");
    let checked = play("cubic", "7k/8/8/8/8/8/3r4/K7 b Kk - - 0 1", "d2d1");
    assert_eq!(checked.fen(), "7k/8/8/8/8/8/8/K2r4 w k - - 1 2");
    check_from("cubic", &checked.fen(), "a1", "a2 e1");
    let free = "7k/8/8/8/8/8/8/K7 w Kk - - 0 1";
    check_from("cubic", free, "a1", "a2 b1 e1 f2");
    assert_eq!(play("cubic", free, "a1f2").fen(), "7k/8/8/8/8/8/5K2/8 b Kk - - 1 1");
}

#[test]
fn r8_legality_comes_before_the_loss_of_the_right() {
    // The king uncovers its rook on e2 and comes within a D-step of the black king.
    check_from("cubic", "8/8/8/8/8/8/4RK1k/8 w Kk - - 0 1", "f2c", "");
    check_from("cubic", "8/8/8/8/8/8/4RK1k/8 w K - - 0 1", "f2c", "1 3 5 7");
    check_from("cubic", "8/8/8/8/8/8/4RK1k/8 w Kk - - 0 1", "f2b", "2 6");
}

#[test]
fn r9_a_king_with_the_right_checks_one_without() {
    let checked = play("cubic", "8/8/8/8/8/8/5K1k/8 w K - - 0 1", "f2c7");
    assert_eq!(checked.fen(), "8/2K5/8/8/8/8/7k/8 b K - - 1 1");
    check_from("cubic", &checked.fen(), "h2", "d2 d6 g2 h1 h3");
}

#[test]
fn r3_to_r6_pawns_go_ahead_and_promote_in_the_corner() {
    let choices = "h8=B h8=H h8=Q h8=R";
    for (cell, fen) in [
        ("h7", "8/7P/8/4k3/8/8/8/K7 w - - - 0 1"),
        ("g8", "6P1/8/8/4k3/8/8/8/K7 w - - - 0 1"),
        ("d8", "3P4/8/8/4k3/8/8/8/K7 w - - - 0 1"),
    ] {
        check_from("cubic", fen, cell, choices);
    }
    let won = play("cubic", "8/7P/8/4k3/8/8/8/K7 w - - - 7 1", "h7h8=H");
    assert_eq!(won.fen(), "7H/8/8/4k3/8/8/8/K7 b - - - 0 1");
    check_from("cubic", "8/8/8/4k3/8/8/p7/1P5K b - - - 0 1", "a2", "a1=B a1=H a1=Q a1=R");
    check_from("nihongi", "9/8P/9/9/4k4/9/9/9/K8 w - - - 0 1", "i8", "i9=B i9=H i9=Q i9=R");
}

#[test]
fn nihongi_pieces_move_along_four_axes() {
    let fen = |unit| format!("8k/9/9/9/4{unit}4/9/9/9/K8 w - - - 0 1");
    let moves = |unit| {
        let texts = position("nihongi", &fen(unit)).move_texts().unwrap();
        texts.iter().filter(|text| text.starts_with("e5")).count()
    };
    assert_eq!(["P", "H", "R", "B", "Q"].map(moves), [4, 40, 8, 24, 32]);
}

#[test]
fn strings_that_are_no_position_are_refused() {
    for (id, fen, message) in [
        (
            "cubic",
            "k6P/8/8/8/8/8/8/1K6 w - - - 0 1",
            "column 3 (placement): a white pawn cannot stand on h8",
        ),
        (
            "nihongi",
            "8k/9/9/9/9/9/9/9/p7K w - - - 0 1",
            "column 18 (placement): a black pawn cannot stand on a1",
        ),
        (
            "cubic",
            "7k/8/8/8/8/8/8/KK6 w - - - 0 1",
            "column 1 (placement): expected one white king, found 2",
        ),
        (
            "cubic",
            "7k/8/8/8/8/8/8/KN6 w - - - 0 1",
            "column 17 (placement): `N` is no piece of cubic",
        ),
        (
            "cubic",
            "7k/8/8/8/8/8/8/Kr6 w K - - 0 1",
            "column 22 (rights): the white king is in check, so it has lost its leap right",
        ),
        (
            "cubic",
            "7k/8/8/8/8/8/8/Kr6 b - - - 0 1",
            "column 1 (placement): black could capture the king on a1",
        ),
        (
            "cubic",
            "7k/8/8/8/8/8/8/K7 w kK - - 0 1",
            "column 22 (rights): expected some of `Kk` in this order, or `-`",
        ),
        (
            "cubic",
            "7k/8/8/8/P7/8/8/K7 b - a3 - 0 1",
            "column 24 (en passant): expected `-`, found `a3`",
        ),
        (
            "nihongi",
            "8k/9/9/9/9/9/9/9/K8 w Kk - H 0 1",
            "column 28 (hands): expected `-`, found `H`",
        ),
    ] {
        check_fault(id, fen, message);
    }
}
