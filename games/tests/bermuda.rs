//! Bermuda chess, ruling by ruling (rulebook page bermuda.md).

use games::{Outcome, Side, State};

use crate::support::{after, check_fault, check_from, position};

/// The game.
const ID: &str = "bermuda";

/// The position string after one move.
#[track_caller]
fn check_after(fen: &str, text: &str, expected: &str) {
    assert_eq!(after(ID, fen, text), expected, "{fen} after {text}");
}

#[test]
fn a_piece_moves_where_a_king_of_its_side_stands() {
    let one_king = "8/8/8/8/8/8/4N3/K6k|8/8/8/8/4N3/8/8/8 w - - - 0 1";
    check_from(ID, one_king, "E4", "");
    check_from(ID, one_king, "e2", "c1 c3 d4 f4 g1 g3");
    // It may go below when the only king is above, and leave the rest to stand still.
    let above = "8/8/8/8/8/8/4N3/7k|8/8/8/8/4N3/8/8/K7 w - - - 0 1";
    check_from(ID, above, "e2", "");
    check_from(ID, above, "E4", "C3 C5 D2 D6 F2 F6 G3 G5 e4");
    // Standing still does not protect.
    check_after(
        "8/8/8/8/8/8/4N3/K7|8/8/4n3/8/4N3/8/8/7k b - - - 3 1",
        "E6e6",
        "8/8/4n3/8/8/8/4N3/K7|8/8/8/8/4N3/8/8/7k w - - - 4 2",
    );
    check_after(
        "8/8/8/8/8/8/4N3/K7|8/8/4r3/8/4N3/8/8/7k b - - - 3 1",
        "E6E4",
        "8/8/8/8/4N3/8/4N3/K7|8/8/8/8/4r3/8/8/7k w - - - 0 2",
    );
}

#[test]
fn r3_a_push_takes_off_whatever_stands_below() {
    // An enemy, a friend, an own king; the pushed piece keeps its side and kind.
    for below in ["3n4", "3N4", "3K4", "8"] {
        check_after(
            &format!("8/8/{below}/8/8/8/8/k7|8/8/3q4/8/8/8/8/K2R4 w - - - 7 9"),
            "D1D6",
            "8/8/3q4/8/8/8/8/k7|8/8/3R4/8/8/8/8/K7 b - - - 0 9",
        );
    }
}

#[test]
fn r4_the_last_king_decides() {
    // Black's only other king is below a piece that is pushed on it.
    let fen = "8/8/3k4/8/8/8/8/8|8/8/3q4/8/8/8/8/K2R4 w - - - 7 9";
    let mut lost = position(ID, fen);
    lost.play_move(&lost.parse_move("D1D6").unwrap());
    assert_eq!(lost.outcome(), Some(Outcome::Win(Side::White)));
    assert_eq!((lost.moves(), lost.count_moves()), (Ok(vec![]), Some(0)));
    // A king pushed down is not lost, and the first of two is no loss of the game.
    for fen in [
        "8/8/8/8/8/8/8/8|8/8/3k4/8/8/8/8/K2R4 w - - - 7 9",
        "8/8/3k4/8/8/8/8/8|8/8/3k4/8/8/8/8/K2R4 w - - - 7 9",
        "k7/8/3n4/8/8/8/8/8|8/8/3k4/8/8/8/8/K2R4 w - - - 7 9",
    ] {
        let mut next = position(ID, fen);
        next.play_move(&next.parse_move("D1D6").unwrap());
        assert_eq!(next.outcome(), None, "{fen}");
    }
}

#[test]
fn r5_both_kings_may_stand_on_one_board() {
    check_after(
        "8/8/8/8/8/8/8/K6k|8/8/8/8/8/8/8/2K5 w - - - 0 1",
        "C1c1",
        "8/8/8/8/8/8/8/K1K4k|8/8/8/8/8/8/8/8 b - - - 1 1",
    );
}

#[test]
fn r6_a_drop_stays_below() {
    check_after(
        "8/8/3n4/8/8/8/8/k7|8/8/3Q4/8/8/8/8/K7 w - - - 7 9",
        "D6d6",
        "8/8/3Q4/8/8/8/8/k7|8/8/8/8/8/8/8/K7 b - - - 0 9",
    );
    check_from(
        ID,
        "8/8/3N4/8/8/8/8/k7|8/8/3N4/8/8/8/8/K7 w - - - 7 9",
        "D6",
        "B5 B7 C4 C8 E4 E8 F5 F7",
    );
}

#[test]
fn a_capture_below_rises_unless_the_cell_above_is_taken() {
    check_after(
        "8/8/3n4/8/8/8/8/k2R3K|8/8/8/8/8/8/8/8 w - - - 7 9",
        "d1d6",
        "8/8/8/8/8/8/8/k6K|8/8/3R4/8/8/8/8/8 b - - - 0 9",
    );
    for above in ['N', 'n'] {
        check_after(
            &format!("8/8/3n4/8/8/8/8/k2R3K|8/8/3{above}4/8/8/8/8/8 w - - - 7 9"),
            "d1d6",
            &format!("8/8/3R4/8/8/8/8/k6K|8/8/3{above}4/8/8/8/8/8 b - - - 0 9"),
        );
    }
}

#[test]
fn r7_en_passant_rises_or_pushes() {
    check_after(
        "4k3/3p4/8/4P3/8/8/8/3K4|8/8/8/8/8/8/8/8 b - - - 3 9",
        "d7d5",
        "4k3/8/8/3pP3/8/8/8/3K4|8/8/8/8/8/8/8/8 w - d6 - 0 10",
    );
    check_after(
        "4k3/8/8/3pP3/8/8/8/3K4|8/8/8/8/8/8/8/8 w - d6 - 0 10",
        "e5d6",
        "4k3/8/8/8/8/8/8/3K4|8/8/3P4/8/8/8/8/8 b - - - 0 10",
    );
    check_after(
        "4k3/8/8/3pP3/8/8/8/3K4|8/8/3q4/8/8/8/8/8 w - d6 - 0 10",
        "e5d6",
        "4k3/8/3P4/8/8/8/8/3K4|8/8/3q4/8/8/8/8/8 b - - - 0 10",
    );
    // Above, the pawn falls from where it stands and hits what is below it.
    check_after(
        "4k3/8/8/8/4Q3/8/8/8|8/8/8/K3P3/4p3/8/8/8 w - F4 - 0 10",
        "E5F4",
        "4k3/8/8/8/4p3/8/8/8|8/8/8/K7/5P2/8/8/8 b - - - 0 10",
    );
    // A drop on the cell passed over takes nothing.
    check_after(
        "4k3/8/8/3p4/8/8/8/8|8/8/K2P4/8/8/8/8/8 w - d6 - 0 10",
        "D6d6",
        "4k3/8/3P4/3p4/8/8/8/8|8/8/K7/8/8/8/8/8 b - - - 0 10",
    );
    // Pawns of the other board do not see it.
    check_from(ID, "4k3/8/8/3p4/8/8/8/8|8/8/K7/2P5/8/8/8/8 w - d6 - 0 10", "C5", "D5 c5");
}

const ROOKS_AND_KINGS: &str = "r3k2r/8/8/8/8/8/8/R2K3R|R6r/8/8/K7/7k/8/8/R6r w AHOEahoe - - 0 1";

#[test]
fn r7_castling_needs_empty_cells_only() {
    for (text, after) in [
        ("d1b1", "r3k2r/8/8/8/8/8/8/1KR4R|R6r/8/8/K7/7k/8/8/R6r b OEahoe - - 1 1"),
        ("d1f1", "r3k2r/8/8/8/8/8/8/R3RK2|R6r/8/8/K7/7k/8/8/R6r b OEahoe - - 1 1"),
        ("A5A3", "r3k2r/8/8/8/8/8/8/R2K3R|R6r/8/8/8/R6k/K7/8/7r b AHahoe - - 1 1"),
        ("A5A7", "r3k2r/8/8/8/8/8/8/R2K3R|7r/K7/R7/8/7k/8/8/R6r b AHahoe - - 1 1"),
    ] {
        check_after(ROOKS_AND_KINGS, text, after);
    }
    let blacks = "r3k2r/8/8/8/8/8/8/R2K3R|R6r/8/8/K7/7k/8/8/R6r b AHOEahoe - - 0 1";
    for (text, after) in [
        ("e8c8", "2kr3r/8/8/8/8/8/8/R2K3R|R6r/8/8/K7/7k/8/8/R6r w AHOEoe - - 1 2"),
        ("e8g8", "r4rk1/8/8/8/8/8/8/R2K3R|R6r/8/8/K7/7k/8/8/R6r w AHOEoe - - 1 2"),
        ("H4H2", "r3k2r/8/8/8/8/8/8/R2K3R|R6r/8/8/K7/8/7r/7k/R7 w AHOEah - - 1 2"),
        ("H4H6", "r3k2r/8/8/8/8/8/8/R2K3R|R7/8/7k/K6r/8/8/8/R6r w AHOEah - - 1 2"),
    ] {
        check_after(blacks, text, after);
    }
    // Through attacked cells, out of an attacked cell; not over a piece, not without the right.
    check_from(
        ID,
        "2r1k3/8/8/8/8/3r4/8/R2K3R|8/8/8/8/8/8/8/8 w AH - - 0 1",
        "d1",
        "b1 c1 c2 d2 e1 e2 f1",
    );
    check_from(ID, "4k3/8/8/8/8/8/8/RN1K2NR|8/8/8/8/8/8/8/8 w AH - - 0 1", "d1", "c1 c2 d2 e1 e2");
    check_from(ID, "4k3/8/8/8/8/8/8/R2K3R|8/8/8/8/8/8/8/8 w H - - 0 1", "d1", "c1 c2 d2 e1 e2 f1");
}

#[test]
fn a_right_ends_when_a_home_cell_is_touched() {
    // Left, and hit by a capture.
    check_after(
        ROOKS_AND_KINGS,
        "a1a8",
        "R3k2r/8/8/8/8/8/8/3K3R|R6r/8/8/K7/7k/8/8/R6r b HOEhoe - - 0 1",
    );
    // A push on the rook at home, although a rook of the same side stands there afterwards.
    check_after(
        "4k3/8/8/8/8/8/8/R2K3R|8/8/8/8/8/7k/8/R6q b AH - - 0 1",
        "H1A1",
        "4k3/8/8/8/8/8/8/R2K3R|8/8/8/8/8/7k/8/q7 w H - - 0 2",
    );
    // A drop on a rook at home.
    check_after(
        "4k3/8/8/8/8/8/8/R2K3R|8/8/8/8/8/7k/8/7q b AH - - 0 1",
        "H1h1",
        "4k3/8/8/8/8/8/8/R2K3q|8/8/8/8/8/7k/8/8 w A - - 0 2",
    );
    // A pawn captured en passant above falls on the king below.
    check_after(
        "4k3/8/8/8/8/8/8/R2K4|8/8/8/8/8/7k/3p4/3P4 b A C1 - 0 2",
        "D2C1",
        "4k3/8/8/8/8/8/8/R2P4|8/8/8/8/8/7k/8/2p5 w - - - 0 3",
    );
}

#[test]
fn r8_a_double_step_starts_on_the_second_rank_of_its_board() {
    let fen = "4k3/8/8/8/8/8/1P6/3K1P2|8/8/8/K7/1P6/8/8/2P5 w - - - 0 1";
    check_from(ID, fen, "b2", "b3 b4");
    check_from(ID, fen, "f1", "f2");
    check_from(ID, fen, "B4", "C4 D4 b4");
    check_from(ID, fen, "C1", "D1 c1");
    check_from(ID, "4k3/8/8/8/1n6/8/1P6/3K4|8/8/8/K7/1Pn5/8/8/8 w - - - 0 1", "b2", "b3");
    check_from(ID, "4k3/8/8/8/1n6/8/1P6/3K4|8/8/8/K7/1Pn5/8/8/8 w - - - 0 1", "B4", "b4");
}

#[test]
fn r9_a_pawn_promotes_where_its_own_move_brings_it() {
    let all = |end: &str| ["B", "N", "Q", "R"].map(|to| format!("{end}={to}")).join(" ");
    // Step and drop to the last rank; the upper board has its own.
    check_from(ID, "k7/3P4/8/8/8/8/8/3K4|8/8/8/8/8/8/8/8 w - - - 0 1", "d7", &all("d8"));
    check_from(
        ID,
        "k7/8/8/8/8/8/8/8|3P4/8/8/K7/8/8/8/8 w - - - 0 1",
        "D8",
        &format!("E8 {}", all("d8")),
    );
    check_from(
        ID,
        "k7/8/8/8/8/8/8/8|8/8/8/K5P1/8/8/8/8 w - - - 0 1",
        "G5",
        &format!("{} g5", all("H5")),
    );
    // A capture on file h rises to file H, if that is free.
    let rising = "k7/8/8/8/5p1p/6P1/8/3K4|8/8/8/8/8/8/8/8 w - - - 0 1";
    check_from(ID, rising, "g3", &format!("f4 g4 {}", all("h4")));
    check_after(rising, "g3h4=R", "k7/8/8/8/5p2/8/8/3K4|8/8/8/8/7R/8/8/8 b - - - 0 1");
    check_from(ID, "k7/8/8/8/5p1p/6P1/8/3K4|8/8/8/8/7n/8/8/8 w - - - 0 1", "g3", "f4 g4 h4");
    let mirrored = "4k3/8/1p6/P7/8/8/8/3K4|8/8/8/8/8/8/8/8 b - - - 0 1";
    check_from(ID, mirrored, "b6", &format!("{} b5", all("a5")));
    // En passant too.
    let passed = "4k3/8/8/6Pp/8/8/8/3K4|8/8/8/8/8/8/8/8 w - h6 - 0 1";
    check_from(ID, passed, "g5", &format!("g6 {}", all("h6")));
    check_after(passed, "g5h6=N", "4k3/8/8/8/8/8/8/3K4|8/8/7N/8/8/8/8/8 b - - - 0 1");
    // Pushed down to its last rank it stays a pawn that cannot move.
    let pushed = "4k3/8/8/8/8/8/8/3K4|3P1r1k/8/8/8/8/8/8/8 b - - - 0 1";
    check_after(pushed, "F8D8", "3Pk3/8/8/8/8/8/8/3K4|3r3k/8/8/8/8/8/8/8 w - - - 0 2");
    check_from(ID, "3Pk3/8/8/8/8/8/8/3K4|3r3k/8/8/8/8/8/8/8 w - - - 0 2", "d8", "");
}

#[test]
fn r10_stalemate_is_a_draw() {
    // Pawns up to the last rank, where one has been pushed; the bishop is walled in.
    let fen = "BP6/PP6/PP6/PP6/PP6/PP6/PP6/KP5k|8/8/8/8/8/8/8/8 w - - - 0 99";
    assert_eq!(position(ID, fen).outcome(), Some(Outcome::Draw));
    assert_eq!(position(ID, fen).count_moves(), Some(0));
    // Without a king the side has lost, although it also has no move.
    let bare = position(ID, "7k/8/8/8/8/8/1P6/8|8/8/8/8/8/8/8/8 w - - - 0 1");
    assert_eq!(bare.outcome(), Some(Outcome::Win(Side::Black)));
}

#[test]
fn captures_and_moves_of_pawns_restart_the_clock() {
    let fen = "4k3/8/8/8/8/8/8/R2K4|3R4/8/8/K1P5/8/8/8/8 w A - - 41 30";
    for (text, clock) in [("d1b1", 42), ("D8d8", 42), ("D8D7", 42), ("C5c5", 0), ("C5D5", 0)] {
        let mut next = position(ID, fen);
        next.play_move(&next.parse_move(text).unwrap());
        assert_eq!(next.clock(), clock, "{text}");
    }
}

#[test]
fn strings_that_are_no_position_are_refused() {
    const EMPTY: &str = "8/8/8/8/8/8/8/8";
    for (fen, message) in [
        ("8/8/8/8/8/8/8/K6k w - - - 0 1", "column 1 (placement): expected 2 diagrams, found 1"),
        (
            "8/8/8/8/8/8/8/K6k|8/8/8/8/8/8/8 w - - - 0 1",
            "column 19 (placement): expected 8 ranks of the upper board, found 7",
        ),
        (
            "8/8/8/8/8/8/8/K6k|8/8/8/8/8/8/8/9 w - - - 0 1",
            "column 33 (placement): rank 1 has more than 8 cells",
        ),
        (
            "KK5k/8/8/8/8/8/8/8|K7/8/8/8/8/8/8/8 w - - - 0 1",
            "column 20 (placement): more than 2 white kings",
        ),
        (
            "8/8/8/8/8/8/8/K7|8/8/8/8/8/8/8/8 w - - - 0 1",
            "column 1 (placement): no `k`: only the side to move can have lost its kings",
        ),
        (
            "8/8/8/8/8/8/8/8|8/8/8/8/8/8/8/k7 b - - - 0 1",
            "column 1 (placement): no `K`: only the side to move can have lost its kings",
        ),
        (
            "3E4/8/8/8/8/8/8/K6k|8/8/8/8/8/8/8/8 w - - - 0 1",
            "column 2 (placement): `E` is no piece of bermuda",
        ),
        // Cells of pawns that would have been promoted, or that they never come to.
        (
            "8/8/8/8/8/8/8/K6k|8/8/8/8/7P/8/8/8 w - - - 0 1",
            "column 28 (placement): a white pawn cannot stand on H4",
        ),
        (
            "8/8/8/8/8/8/8/K6k|8/8/8/8/p7/8/8/8 w - - - 0 1",
            "column 27 (placement): a black pawn cannot stand on A4",
        ),
        (
            "8/8/8/8/8/8/8/K6k|P7/8/8/8/8/8/8/8 w - - - 0 1",
            "column 19 (placement): a white pawn cannot stand on A8",
        ),
        (
            "7P/8/8/8/8/8/8/K6k|8/8/8/8/8/8/8/8 w - - - 0 1",
            "column 2 (placement): a white pawn cannot stand on h8",
        ),
        (
            "8/8/8/8/8/8/8/p1K4k|8/8/8/8/8/8/8/8 w - - - 0 1",
            "column 15 (placement): a black pawn cannot stand on a1",
        ),
        (
            "4k3/8/8/8/8/8/8/R2K4|8/8/8/8/8/8/8/8 w AH - - 0 1",
            "column 41 (rights): king and rook of `H` are not at home",
        ),
        (
            "4k3/8/8/8/8/8/8/R2K3R|8/8/8/8/8/8/8/8 w HA - - 0 1",
            "column 42 (rights): expected some of `AHOEahoe` in this order, or `-`",
        ),
        (
            "4k3/8/8/8/8/8/8/3K4|8/8/8/8/8/8/8/8 w - e9 - 0 1",
            "column 41 (en passant): expected a cell or `-`, found `e9`",
        ),
        (
            "4k3/8/8/4p3/8/8/8/3K4|8/8/8/8/8/8/8/8 w - E6 - 0 1",
            "column 43 (en passant): no black pawn has just passed over E6",
        ),
        (
            "4k3/8/8/4p3/8/8/8/3K4|8/8/8/8/8/8/8/8 b - e6 - 0 1",
            "column 43 (en passant): no white pawn has just passed over e6",
        ),
        (
            "4k3/4p3/8/4p3/8/8/8/3K4|8/8/8/8/8/8/8/8 w - e6 - 0 1",
            "column 45 (en passant): no black pawn has just passed over e6",
        ),
        (
            "4k3/8/8/8/8/8/8/3K4|8/8/8/8/8/8/8/8 w - - P 0 1",
            "column 43 (hands): expected `-`, found `P`",
        ),
    ] {
        check_fault(ID, fen, message);
    }
    // Pushed or dropped pawns stand on the first and last ranks below.
    let pawns = "1PPPPPP1/8/8/8/8/8/8/KPPPPPPk";
    position(ID, &format!("{pawns}|{EMPTY} w - - - 0 1"));
    // One that rises on file a comes to file A.
    position(ID, "8/8/8/8/8/8/8/K6k|8/P7/8/8/8/8/P7/8 w - - - 0 1");
}
