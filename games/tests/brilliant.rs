//! Brilliant chess, ruling by ruling (rulebook page brilliant.md).

use games::{End, EndReason, History, Outcome, Side, State};

use crate::support::{after, check_fault, check_from, position};

/// The game.
const ID: &str = "brilliant";

#[test]
fn r2_lines_cross_edges_and_have_a_range() {
    let fen = |unit| format!("k4/9/9/9/4{unit}4/9/9/8K w - - - 0 1");
    check_from(ID, &fen('B'), "e4", "c3 c5 d3 d4 e2 e3 e5 e6 f3 f4 g3 g5");
    check_from(ID, &fen('R'), "e4", "b2 b5 c3 c5 d3 d4 e1 e2 e3 e5 e6 e7 f3 f4 g3 g5 h2 h5");
    check_from(ID, &fen('N'), "e4", "c3 c4 c5 d2 d3 d4 d5 e2 e3 e5 e6 f2 f3 f4 f5 g3 g4 g5");
}

#[test]
fn r5_a_double_step_from_any_starting_cell() {
    let captured = after(ID, "k4/9/9/9/9/9/Pn7/8K w - - - 0 1", "a2b2 a8a7");
    assert_eq!(captured, "5/k8/9/9/9/9/1P7/8K w - - - 1 2");
    check_from(ID, &captured, "b2", "b3 b4");
    assert_eq!(after(ID, &captured, "b2b4"), "5/k8/9/9/1P7/9/9/8K b - b3 - 0 2");
}

#[test]
fn r7_the_cell_decides_what_a_pawn_becomes() {
    let fen = "k4/2P6/1P1P1P1P1/9/9/9/9/8K w - - - 0 1";
    check_from(ID, fen, "c7", "c8=Q");
    check_from(ID, fen, "b6", "b7=N");
    check_from(ID, fen, "d6", "d7=B");
    check_from(ID, "2k2/P7P/9/9/9/9/9/8K w - - - 0 1", "i7", "i8=R");
    check_from(ID, "k4/4P4/9/9/9/9/9/8K w - - - 0 1", "e7", "e8=K");
}

#[test]
fn r8_a_third_king_is_not_made() {
    let fen = "k4/4P4/9/9/9/9/9/K7K w a1,i1 - - 0 1";
    check_from(ID, fen, "e7", "e8");
    let stays = after(ID, fen, "e7e8 a8a7");
    assert_eq!(stays, "2P2/k8/9/9/9/9/9/K7K w a1,i1 - - 1 2");
    check_from(ID, &stays, "e8", "");
}

#[test]
fn r9_two_kings_are_not_bound_by_check() {
    // Neither check nor pin hinders a promotion to king.
    check_from(ID, "5/4P4/9/8k/9/r8/9/K8 w - - - 0 50", "e7", "e8=K");
    check_from(ID, "5/3rP4/5K3/9/9/9/9/k8 w - - - 0 1", "e7", "d7=B e8=K");
    check_from(ID, "5/3rP4/5K3/9/9/9/9/k7K w - - - 0 1", "e7", "d7=B e8");
    // A king may go where he is attacked, or stay there.
    let two = "k4/9/9/9/9/r8/9/K7K w - - - 0 1";
    check_from(ID, two, "a1", "a2 b1");
    check_from(ID, two, "i1", "h1 i2");
    // One is captured; the other, attacked, is in check.
    let taken = after(ID, "k4/9/9/9/9/r8/8r/K7K w - - - 0 1", "a1b1 i2i1");
    assert_eq!(taken, "k4/9/9/9/9/r8/9/1K6r w - - - 0 2");
    let mated = position(ID, "k4/9/9/9/1r7/q1q6/9/1K7 w - - - 0 2");
    assert_eq!(mated.outcome(), Some(Outcome::Win(Side::Black)));
}

#[test]
fn r9_who_cannot_move_is_mated_with_one_attacked_king_only() {
    // Both armies are boxed in at the top; the pawn on e8 stays one, because White had two kings.
    let boxed =
        |kings: &str, rank_6: &str| format!("{kings}P2/PBPBP4/{rank_6}/9/9/9/9/8k w - - - 9 50");
    for (kings, rank_6, outcome) in [
        ("KK", "1P1P5", Outcome::Draw),
        ("KB", "1P1P5", Outcome::Draw),
        // The knight on a6 attacks the king on a8, that on c6 the king or bishop on c8.
        ("KK", "nPnP5", Outcome::Draw),
        ("KK", "nP1P5", Outcome::Draw),
        ("KK", "1PnP5", Outcome::Draw),
        ("KB", "1PnP5", Outcome::Draw),
        ("KB", "nP1P5", Outcome::Win(Side::Black)),
    ] {
        let fen = boxed(kings, rank_6);
        let stuck = position(ID, &fen);
        assert_eq!((stuck.moves(), stuck.count_moves()), (Ok(vec![]), Some(0)), "{fen}");
        let ended = History::new(stuck).end();
        assert_eq!(ended, Some(End { outcome, reason: EndReason::Rules }), "{fen}");
        // At the hundredth ply the rules still come first.
        let late = History::new(position(ID, &fen.replace(" 9 50", " 100 99"))).end();
        assert_eq!(late, ended, "{fen}");
    }
}

#[test]
fn r10_each_king_loses_his_own_jumps() {
    let fen = "k4/9/9/8r/9/9/9/K7K b a1,i1,a8 - - 0 1";
    assert_eq!(after(ID, fen, "i5i4"), "k4/9/9/9/8r/9/9/K7K w a1,a8 - - 1 2");
    // A king made by promotion jumps at once.
    let crowned = after(ID, "k4/4P4/9/9/9/9/9/8K w i1 - - 0 1", "e7e8=K a8a7");
    assert_eq!(crowned, "2K2/k8/9/9/9/9/9/8K w i1,e8 - - 1 2");
    check_from(ID, &crowned, "e8", "c7 c8 d6 d7 e6 e7 f6 f7 g7 g8");
    // Own moves into attack take nothing until the enemy has moved and still attacks.
    let dared = after(ID, "k4/9/9/8r/9/9/9/K7K w a1,i1,a8 - - 0 1", "i1i3");
    assert_eq!(dared, "k4/9/9/8r/9/8K/9/K8 b a1,i3,a8 - - 1 1");
    assert_eq!(after(ID, &dared, "i5i6"), "k4/9/8r/9/9/8K/9/K8 w a1,a8 - - 2 2");
    assert_eq!(after(ID, &dared, "i5h4"), "k4/9/9/9/7r1/8K/9/K8 w a1,i3,a8 - - 2 2");
    // A captured king takes his right along.
    assert_eq!(after(ID, &dared, "i5i3"), "k4/9/9/9/9/8r/9/K8 w a1,a8 - - 0 2");
}

#[test]
fn strings_that_are_no_position_are_refused() {
    for (fen, message) in [
        (
            "k4/9/9/9/9/9/9/K3K3K w - - - 0 1",
            "column 1 (placement): expected one or two white kings, found 3",
        ),
        (
            "5/9/9/9/9/9/9/K8 w - - - 0 1",
            "column 1 (placement): expected one or two black kings, found 0",
        ),
        (
            "k4/1P7/9/9/9/9/9/K8 w - - - 0 1",
            "column 5 (placement): a white pawn cannot stand on b7",
        ),
        ("k5/9/9/9/9/9/9/K8 w - - - 0 1", "column 2 (placement): rank 8 has more than 5 cells"),
        (
            "k4/9/9/9/9/r8/9/K8 b - - - 0 1",
            "column 1 (placement): black could capture the king on a1",
        ),
        (
            "k4/9/9/9/9/r8/9/K8 w a1,a8 - - 0 1",
            "column 22 (rights): the white king on a1 is attacked, so it has lost its leap right",
        ),
        (
            "k4/9/9/9/9/9/9/K8 w a8,a1 - - 0 1",
            "column 24 (rights): kings are ordered by rank, then file, each of them once",
        ),
        (
            "k4/9/9/9/9/9/9/K8 w a1,a1 - - 0 1",
            "column 24 (rights): kings are ordered by rank, then file, each of them once",
        ),
        ("k4/9/9/9/9/9/9/K8 w a1,b1 - - 0 1", "column 24 (rights): no king stands on b1"),
        (
            "k4/9/9/9/9/9/9/K8 w Kk - - 0 1",
            "column 21 (rights): expected the cell of a king, found `Kk`",
        ),
        (
            "k4/9/9/9/9/9/9/K8 w a1, - - 0 1",
            "column 24 (rights): expected the cell of a king, found ``",
        ),
        (
            "k4/9/9/9/9/P8/9/K8 b - a2 - 0 1",
            "column 24 (en passant): no white pawn has just passed over a2",
        ),
    ] {
        check_fault(ID, fen, message);
    }
    // A pawn that has stayed one stands at the end of file e.
    position(ID, "k1P2/9/9/9/9/9/9/K8 w - - - 0 1");
}
