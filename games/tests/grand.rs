//! The games on 10x10 that are told by orthodox pawns, ruling by ruling (rulebook pages agc.md,
//! guru.md and waterloo.md).

use games::Game;

use crate::support::{after, check_fault, check_from, position};

#[test]
fn agc_kings_have_one_double_move_ahead() {
    let fen = |row_2: &str, row_3: &str, rights: &str| {
        format!("k9/10/10/10/10/10/10/{row_3}/{row_2}/4K5 w {rights} - - 0 1")
    };
    // One cell or the knight's leap anyway: c2, d1, d2, d3, e2, f1, f2, f3, g2.
    check_from("agc", &fen("10", "10", "-"), "e1", "d1 d2 e2 f1 f2");
    check_from("agc", &fen("10", "10", "K"), "e1", "c2 d1 d2 d3 e2 f1 f2 f3 g2");
    check_from("agc", &fen("10", "10", "KD"), "e1", "c2 c3 d1 d2 d3 e2 e3 f1 f2 f3 g2 g3");
    // Neither over a piece nor to one: it captures nothing.
    check_from("agc", &fen("3B6", "10", "KD"), "e1", "c2 d1 d3 e2 e3 f1 f2 f3 g2 g3");
    check_from("agc", &fen("10", "4n1n3", "KD"), "e1", "c3 d2 d3 f2 f3");
}

#[test]
fn agc_double_moves_do_not_pass_an_attacked_cell() {
    // The rook on d8 attacks d2; c3 itself is free.
    let fen = "k9/10/3r6/10/10/10/10/10/10/4K5 w KD - - 0 1";
    check_from("agc", fen, "e1", "c2 e2 e3 f1 f2 f3 g2 g3");
    // A king that still leaps attacks d3, e2 and g2, one that does not attacks none of them.
    for (rights, ends) in [("KDkd", "c2 c3 d1 d2 f1 f2"), ("KD", "c2 c3 d1 d2 d3 e2 f1 f2 g2")] {
        let fen = format!("10/10/10/10/10/10/5k4/10/10/4K5 w {rights} - - 0 1");
        check_from("agc", &fen, "e1", ends);
    }
}

#[test]
fn agc_rights_end_with_moves_and_checks() {
    let start = Game::by_id("agc").unwrap().start().fen();
    let rights = |moves| {
        let fen = after("agc", &start, moves);
        fen.split(' ').nth(2).unwrap().to_owned()
    };
    assert_eq!(rights("e3e5"), "KDkd");
    // A leap and a step end the double move only.
    assert_eq!(rights("d3d5 e8e6 e1d3"), "Kkd");
    assert_eq!(rights("e3e5 e8e6 e2e4 e9e7 e1e2"), "Kkd");
    assert_eq!(
        after("agc", "k9/10/10/10/10/10/10/10/10/4K5 w KD - - 3 7", "e1c3"),
        "k9/10/10/10/10/10/10/2K7/10/10 b K - - 4 7"
    );
    // A check ends both.
    assert_eq!(
        after("agc", "k9/10/10/10/10/10/10/10/10/1R2K5 b KDkd - - 0 1", "a10a9 b1a1"),
        "10/k9/10/10/10/10/10/10/10/R3K5 b KD - - 2 2"
    );
}

#[test]
fn agc_guards_slide_two_cells_at_most() {
    let fen = "10/10/10/10/4p5/3pG5/3P6/10/10/K8k w - - - 0 1";
    check_from("agc", fen, "e5", "c7 d5 d6 e3 e4 e6 f4 f5 f6 g3 g5 g7");
}

#[test]
fn agc_guards_pin_and_check_from_two_cells() {
    check_from("agc", "k9/10/10/10/10/10/10/4g5/4N5/4K5 w - - - 0 1", "e2", "");
    check_from("agc", "k9/10/10/10/10/10/4g5/10/4N5/4K5 w - - - 0 1", "e2", "c1 c3 d4 f4 g1 g3");
    // The adviser blocks or captures.
    check_from("agc", "9k/10/10/10/10/10/10/2g7/A9/4K5 w - - - 0 1", "a2", "d2");
    check_from("agc", "9k/10/10/10/10/10/10/A3g5/10/4K5 w - - - 0 1", "a3", "e3");
}

#[test]
fn agc_pawns_may_promote_on_rank_9_and_must_on_rank_10() {
    let fen = "r8k/10/1P8/10/10/10/10/10/10/4K5 w - - - 0 1";
    check_from("agc", fen, "b8", "b9 b9=B b9=G b9=N");
    let fen = "r8k/1P8/10/10/10/10/10/10/10/4K5 w - - - 0 1";
    let ends: Vec<String> = ["a10", "b10"]
        .into_iter()
        .flat_map(|to| "ABCGMNQR".chars().map(move |letter| format!("{to}={letter}")))
        .collect();
    check_from("agc", fen, "b9", &ends.join(" "));
}

/// Ruling 1: no rule depends on where the kings stand at home.
#[test]
fn agc_starts_from_the_other_reading_too() {
    let fen = "rmcaqkacmr/nnbggggbnn/pppppppppp/10/10/10/10/PPPPPPPPPP/NNBGGGGBNN/RMCAKQACMR \
               w KDkd - - 0 1";
    assert_eq!(position("agc", fen).fen(), fen);
}

#[test]
fn agc_refuses_rights_that_cannot_be() {
    check_fault(
        "agc",
        "k9/10/10/10/10/10/10/10/10/4K5 w Dk - - 0 1",
        "column 34 (rights): `D` is lost with `K`",
    );
    check_fault(
        "agc",
        "k9/10/10/10/10/10/10/10/10/4K5 w KDd - - 0 1",
        "column 34 (rights): `d` is lost with `k`",
    );
    check_fault(
        "agc",
        "k9/10/10/10/10/10/10/10/10/r3K5 w KD - - 0 1",
        "column 35 (rights): the white king is in check, so it has lost its leap right",
    );
    check_fault(
        "agc",
        "k9/10/10/10/10/10/10/10/10/4K5 w DK - - 0 1",
        "column 35 (rights): expected some of `KDkd` in this order, or `-`",
    );
    check_fault(
        "agc",
        "k8P/10/10/10/10/10/10/10/10/4K5 w - - - 0 1",
        "column 3 (placement): a white pawn cannot stand on k10",
    );
}

#[test]
fn guru_castlings_move_three_pieces() {
    let fen = "rr3k2rr/10/pp3ppppp/10/10/10/10/PP6PP/10/RR2K3RR w KQkq - - 4 9";
    assert_eq!(
        after("guru", fen, "e1b1"),
        "rr3k2rr/10/pp3ppppp/10/10/10/10/PP6PP/10/1KRR4RR b kq - - 5 9"
    );
    assert_eq!(
        after("guru", fen, "e1h1 f10i10"),
        "rr4rrk1/10/pp3ppppp/10/10/10/10/PP6PP/10/RR3RRK2 w - - - 6 10"
    );
    assert_eq!(
        after("guru", fen, "e1e2 f10c10"),
        "2krr3rr/10/pp3ppppp/10/10/10/10/PP6PP/4K5/RR6RR w - - - 6 10"
    );
}

/// Ruling 2.
#[test]
fn guru_castling_needs_free_and_safe_cells() {
    let castlings = |fen: &str| {
        let texts = position("guru", fen).move_texts().unwrap();
        ["e1b1", "e1h1"].map(|text| texts.iter().any(|legal| legal == text))
    };
    let with = |row_10: &str, row_1: &str, rights: &str| {
        castlings(&format!("{row_10}/10/10/10/10/10/10/9P/10/{row_1} w {rights} - - 0 1"))
    };
    let kings = "9k";
    assert_eq!(with(kings, "RR2K3RR", "KQ"), [true, true]);
    assert_eq!(with(kings, "RR2K3RR", "Q"), [false, true]);
    assert_eq!(with(kings, "RRN1K3RR", "KQ"), [false, true]);
    assert_eq!(with(kings, "RR2K2NRR", "KQ"), [true, false]);
    // The farther rook passes an attacked cell, the king does not reach it.
    assert_eq!(with("r8k", "RR2K3RR", "KQ"), [true, true]);
    for (row_10, castling) in [
        ("1r7k", [false, true]),
        ("2r6k", [false, true]),
        ("3r5k", [false, true]),
        ("4r4k", [false, false]),
        ("5r3k", [true, false]),
        ("6r2k", [true, false]),
        ("7r1k", [true, false]),
        ("8rk", [true, true]),
    ] {
        assert_eq!(with(row_10, "RR2K3RR", "KQ"), castling, "{row_10}");
    }
}

#[test]
fn guru_rights_end_with_either_rook() {
    let fen = "k9/10/10/10/10/10/b8b/10/10/RR2K3RR w KQ - - 0 1";
    let rights = |moves| {
        let fen = after("guru", fen, moves);
        fen.split(' ').nth(2).unwrap().to_owned()
    };
    assert_eq!(rights("a1a2"), "Q");
    assert_eq!(rights("b1b2"), "Q");
    assert_eq!(rights("i1i2"), "K");
    assert_eq!(rights("k1k2"), "K");
    assert_eq!(rights("e1e2"), "-");
    // A captured rook ends a right as well.
    let fen = "2k7/10/10/10/10/10/10/10/b9/RR2K3RR b KQ - - 0 1";
    assert!(after("guru", fen, "a2b1").ends_with(" w Q - - 0 2"));
    check_fault(
        "guru",
        "k9/10/10/10/10/10/10/10/10/1R2K3RR w KQ - - 0 1",
        "column 38 (rights): king and rook of `K` are not at home",
    );
}

#[test]
fn waterloo_guards_jump() {
    let fen = "10/10/10/10/4p5/3pG5/3P6/10/10/K8k w - - - 0 1";
    check_from("waterloo", fen, "e5", "c3 c5 c7 d5 d6 e3 e4 e6 e7 f4 f5 f6 g3 g5 g7");
}

/// Ruling 5.
#[test]
fn waterloo_pawns_promote_by_rank_or_stay_pawns() {
    let fen = |rows: &str| format!("{rows}/10/10/10/10/10/10/4K5 w - - - 0 1");
    check_from("waterloo", "9k/10/10/1P8/10/10/10/10/10/4K5 w - - - 0 1", "b7", "b8 b8=S");
    check_from("waterloo", &fen("9k/10/1P8"), "b8", "b9 b9=B b9=G b9=N");
    check_from("waterloo", &fen("9k/1P8/10"), "b9", "b10 b10=A b10=C b10=M b10=Q b10=R");
    // On rank 10 it has no move left and attacks nothing: the king stands beside and before it.
    check_from("waterloo", &fen("1P8/1k8/10"), "b10", "");
    check_from("waterloo", &fen("1P7k/10/10"), "b10", "");
    let fen = "1P8/k9/10/10/10/10/10/10/10/4K5 b - - - 0 1";
    check_from("waterloo", fen, "a9", "a10 a8 b10 b8 b9");
}

/// Ruling 6.
#[test]
fn waterloo_spies_never_promote() {
    let fen = "9k/10/1S8/10/10/10/10/10/10/4K5 w - - - 0 1";
    check_from("waterloo", fen, "b8", "a7 a8 a9 b7 b9 c7 c8 c9");
}
