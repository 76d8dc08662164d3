//! Russian cheskers, ruling by ruling (rulebook page cheskers.md).

use games::{Outcome, Side, State, TooManyMoves};

use crate::support::{check_fault, check_from, check_moves, play, position};

/// The game.
const ID: &str = "cheskers";

#[test]
fn r1_the_knight_goes_along_lines() {
    let ends = "b2 b4 b6 c3 c4 c5 d2 d3 d5 d6 e3 e4 e5 f2 f4 f6";
    check_from(ID, "7k/8/8/8/3N4/8/8/7K w - - - 0 1", "d4", ends);
    // Not over an own piece, nor over an enemy that cannot be jumped.
    let ends = "b2 b6 c3 c5 d2 d3 d5 d6 e3 e4 f2 f4";
    check_from(ID, "7k/8/5p2/4p3/2PN4/8/8/7K w - - - 0 1", "d4", ends);
}

#[test]
fn r2_pawns_march_forward_and_jump_in_all_directions() {
    check_from(ID, "7k/8/8/8/3P4/8/8/7K w - - - 0 1", "d4", "c5 d5 e5");
    check_from(ID, "7k/8/8/3p4/8/8/8/7K b - - - 0 1", "d5", "c4 d4 e4");
    let around = "7k/8/8/2ppp3/2pPp3/2ppp3/8/7K w - - - 0 1";
    check_moves(ID, around, "d4b2 d4b4 d4b6 d4d2 d4d6 d4f2 d4f4 d4f6");
}

#[test]
fn r3_a_jump_of_any_piece_forbids_all_marches() {
    check_moves(ID, "7k/8/8/8/3P4/3p4/8/R6K w - - - 0 1", "d4d2");
}

#[test]
fn r4_going_on_is_compulsory_even_when_the_king_has_been_jumped() {
    let fen = "8/8/4p3/3k4/3N4/8/8/7K w - - - 0 1";
    check_moves(ID, fen, "d4d6f6");
    let mut leg = position(ID, fen);
    let chosen = leg.parse_move("d4d6f6").unwrap();
    leg.play(chosen.steps()[0]);
    assert!(leg.mid_move());
    assert_eq!(leg.side_to_move(), Side::White);
    assert_eq!(leg.outcome(), None);
    assert_eq!(leg.foregone(), Some(Outcome::Win(Side::White)));
    leg.play(chosen.steps()[1]);
    assert_eq!(leg.outcome(), Some(Outcome::Win(Side::White)));
    assert_eq!(leg.fen(), "8/8/5N2/8/8/8/8/7K b - - - 0 1");
    assert_eq!(leg.moves(), Ok(vec![]));
}

#[test]
fn pawn_and_king_jump_once() {
    check_moves(ID, "k7/8/8/5p2/8/3p4/2P5/K7 w - - - 0 1", "c2e4");
    check_moves(ID, "k7/8/8/5p2/8/3p4/2K5/8 w - - - 0 1", "c2e4");
    check_moves(ID, "k7/8/8/5p2/8/3p4/2N5/K7 w - - - 0 1", "c2e4g6");
}

#[test]
fn r5_the_landing_is_free() {
    check_moves(ID, "7k/8/8/8/p7/8/8/R3K3 w - - - 0 1", "a1a5 a1a6 a1a7 a1a8");
    check_moves(
        ID,
        "7k/8/2p5/8/p7/8/8/R3K3 w - - - 0 1",
        "a1a5 a1a6d6 a1a6e6 a1a6f6 a1a6g6 a1a6h6 a1a7 a1a8",
    );
}

#[test]
fn r6_a_jumped_piece_is_removed_at_once_and_the_first_cell_is_empty() {
    let moves = "a3a1a6 a3a1a7 a3a1a8 a3a6a1 a3a7a1 a3a8a1";
    check_moves(ID, "7k/8/8/p7/8/R7/p7/4K3 w - - - 0 1", moves);
}

#[test]
fn r7_two_pieces_in_a_row_cannot_be_jumped() {
    check_from(ID, "7k/8/8/p7/p7/8/8/R3K3 w - - - 0 1", "a1", "a2 a3 b1 c1 d1");
}

#[test]
fn r8_the_king_leaps_once_over_an_own_piece_and_only_as_a_march() {
    check_from(ID, "7k/8/8/2P5/8/P1P5/PP6/KP6 w - - - 0 1", "a1", "c1");
    check_from(ID, "7k/8/8/8/8/8/PP6/KP6 w - - - 0 1", "a1", "a3 c1 c3");
    check_moves(ID, "7k/8/8/8/8/1p6/PP6/KP6 w - - - 0 1", "a2c4 b2b4");
}

#[test]
fn a_promotion_is_compulsory_and_ends_the_move() {
    check_from(ID, "7k/P7/8/8/8/8/8/7K w - - - 0 1", "a7", "a8=Q b8=Q");
    let fen = "k7/4p3/3P1p2/8/8/8/8/K7 w - - - 0 1";
    check_moves(ID, fen, "d6f8=Q");
    assert_eq!(play(ID, fen, "d6f8=Q").fen(), "k4Q2/8/5p2/8/8/8/8/K7 b - - - 0 1");
}

#[test]
fn r9_without_a_move_the_game_is_drawn() {
    let blocked = position(ID, "k7/8/8/8/8/5qqq/5qqq/5qqK w - - - 0 1");
    assert_eq!(blocked.outcome(), Some(Outcome::Draw));
}

#[test]
fn r10_only_captures_reset_the_counter() {
    let march = play(ID, "7k/8/8/8/3P4/8/8/7K w - - - 42 61", "d4d5");
    assert_eq!(march.fen(), "7k/8/8/3P4/8/8/8/7K b - - - 43 61");
    let jump = play(ID, "7k/3p4/8/3R4/8/8/8/7K b - - - 42 61", "h8h7");
    assert_eq!(jump.fen(), "8/3p3k/8/3R4/8/8/8/7K w - - - 43 62");
    let jump = play(ID, "7k/3p4/8/3R4/8/8/8/7K w - - - 42 61", "d5d8");
    assert_eq!(jump.fen(), "3R3k/8/8/8/8/8/8/7K b - - - 0 61");
}

#[test]
fn counters_stop_where_the_notation_stops() {
    let last = play(ID, "7k/8/8/8/8/8/8/7K b - - - 9999 9999", "h8h7");
    assert_eq!(last.fen(), "8/7k/8/8/8/8/8/7K w - - - 9999 9999");
}

/// A queen among fifteen pawns that stand apart has more routes than are ever listed.
#[test]
fn too_many_routes_are_refused_quickly() {
    let fen = "7k/3p4/2p2pp1/1p3pp1/3pppp1/5p2/1p2pp2/Q6K w - - - 0 1";
    let routes = position(ID, fen);
    assert_eq!(routes.count_moves(), None);
    assert_eq!(routes.moves(), Err(TooManyMoves));
    assert_eq!(games::perft(&routes, 1), Err(TooManyMoves));
    let mut steps = Vec::new();
    assert_eq!(routes.steps(&mut steps), None);
    assert!(steps.len() < 30, "{} steps", steps.len());
    // A move can still be named, and a wrong one refused.
    let mut text = String::new();
    let mut leg = routes.clone();
    while leg.side_to_move() == Side::White {
        steps.clear();
        leg.steps(&mut steps);
        leg.write_step(steps[0], &mut text);
        leg.play(steps[0]);
    }
    let chosen = routes.parse_move(&text).unwrap();
    assert_eq!(routes.move_text(&chosen), text);
    let error = routes.parse_move("a1a2").unwrap_err();
    assert_eq!(
        error.to_string(),
        "`a1a2` is not a legal move here: the position has more than 65535 moves"
    );
}

#[test]
fn strings_that_are_no_position_are_refused() {
    for (fen, message) in [
        ("7k/8/8/8/8/8/8/KK6 w - - - 0 1", "column 17 (placement): a second `K`"),
        ("k1k5/8/8/8/8/8/8/K7 w - - - 0 1", "column 3 (placement): a second `k`"),
        (
            "8/8/8/8/8/8/8/K7 w - - - 0 1",
            "column 1 (placement): no `k`: only the side to move can have lost its king",
        ),
        (
            "7k/8/8/8/8/8/8/8 b - - - 0 1",
            "column 1 (placement): no `K`: only the side to move can have lost its king",
        ),
        (
            "P6k/8/8/8/8/8/8/K7 w - - - 0 1",
            "column 1 (placement): `P` on a8 would have been promoted",
        ),
        (
            "7k/8/8/8/8/8/8/K1p5 w - - - 0 1",
            "column 18 (placement): `p` on c1 would have been promoted",
        ),
        (
            "7k/8/8/3X4/8/8/8/K7 w - - - 0 1",
            "column 9 (placement): `X` is no piece: the pieces are PNBRQK",
        ),
        ("7k/8/8/8/8/8/8/K7 w KQ - - 0 1", "column 21 (rights): expected `-`, found `KQ`"),
        ("7k/8/8/8/8/8/8/K7 w - e3 - 0 1", "column 23 (en passant): expected `-`, found `e3`"),
        ("7k/8/8/8/8/8/8/K7 w - - P 0 1", "column 25 (hands): expected `-`, found `P`"),
    ] {
        check_fault(ID, fen, message);
    }
    // A pawn may come back to its first rank by a jump (ruling R2).
    position(ID, "k2p4/8/8/8/8/8/8/K2P4 w - - - 0 1");
}
