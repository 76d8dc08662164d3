//! Published and agreed node counts, and the corners of the rules.

use crate::{Game, History, Position, Side, State, perft};

fn game(id: &str) -> &'static Game {
    Game::by_id(id).unwrap()
}

fn position(id: &str, fen: &str) -> Position {
    game(id).parse_fen(fen).unwrap()
}

/// Plays `moves`, checking at each position what has to hold of all.
fn play(position: &mut Position, moves: &str) {
    for text in moves.split_whitespace() {
        let chosen = position.parse_move(text).unwrap();
        position.play_move(&chosen);
        let reread = position.game().parse_fen(&position.fen()).unwrap();
        assert_eq!(reread.key(), position.key(), "key after {text}: {position:?}");
        assert_eq!(reread.fen(), position.fen());
        assert_eq!(position.count_moves(), Some(position.moves().unwrap().len()));
    }
}

fn after(id: &str, fen: &str, moves: &str) -> String {
    let mut position = position(id, fen);
    play(&mut position, moves);
    position.fen()
}

/// Whether `text` is a legal move.
fn legal(id: &str, fen: &str, text: &str) -> bool {
    position(id, fen).move_texts().unwrap().iter().any(|legal| legal == text)
}

fn check_perft(id: &str, fen: &str, nodes: &[u64]) {
    let position = position(id, fen);
    for (depth, &nodes) in (1..).zip(nodes) {
        assert_eq!(perft(&position, depth), Ok(nodes), "{id} depth {depth}: {fen}");
    }
}

/// The message about a bad position string.
fn fault(id: &str, fen: &str) -> String {
    game(id).parse_fen(fen).unwrap_err().to_string()
}

const CHESS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const MGC: &str =
    "lgmaqkamgl/hncebbecnh/pppppppppp/10/10/10/10/PPPPPPPPPP/HNCEBBECNH/LGMAKQAMGL w Kk - - 0 1";

/// The six test positions of the Chess Programming Wiki ("Perft Results").
#[test]
fn chess_perft() {
    check_perft("chess", CHESS, &[20, 400, 8902, 197_281, 4_865_609]);
    check_perft("chess", KIWIPETE, &[48, 2039, 97_862, 4_085_603]);
    check_perft(
        "chess",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        &[14, 191, 2812, 43_238, 674_624],
    );
    let nodes = [6, 264, 9467, 422_333];
    check_perft(
        "chess",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        &nodes,
    );
    check_perft(
        "chess",
        "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
        &nodes,
    );
    check_perft(
        "chess",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        &[44, 1486, 62_379, 2_103_487],
    );
    check_perft(
        "chess",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2079, 89_890, 3_894_594],
    );
}

/// One rule each: en passant, castling, promotion, check and mate (published by Martin Sedlak).
#[test]
fn chess_perft_of_single_rules() {
    for (fen, depth, nodes) in [
        ("3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, 1_134_888),
        ("8/b2p2k1/8/2P5/8/4K3/8/8 b - - 0 1", 6, 1_015_133),
        ("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, 1_440_467),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, 661_072),
        ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 6, 803_711),
        ("r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4, 1_274_206),
        ("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4, 1_720_476),
        ("2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 6, 3_821_001),
        ("8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5, 1_004_658),
        ("4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6, 217_342),
        ("8/P1k5/K7/8/8/8/8/8 w - - 0 1", 6, 92_683),
        ("K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, 2217),
        ("8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, 567_584),
        ("8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 4, 23_527),
    ] {
        assert_eq!(perft(&position("chess", fen), depth), Ok(nodes), "{fen}");
    }
}

/// The table of the rulebook page.
#[test]
fn mgc_perft() {
    check_perft("mgc", MGC, &[119, 14_090, 1_697_867]);
    for (fen, nodes) in [
        (
            "lgmaqkamgl/hncebbe2h/4pppn2/4p1c2p/2p6p/1PPp2p3/1P1P2N1P1/P4EP1PP/HNCEBB3H/LGMAKQAMGL w Kk:g3 - - 2 13",
            [116, 14_420, 1_689_635],
        ),
        (
            "lgM1qkal2/h2ab5/1c1peebp2/5p1pm1/ppC1P4g/P9/1K8/N4HA1NP/LG2BB1E1H/3A1Q1MGL w k:h8 - - 1 36",
            [11, 1217, 163_343],
        ),
        (
            "l3bk2gl/8nh/8M1/1e2b1hm1e/L3Pp4/3p3pP1/3AP3G1/2N2B2N1/5AE3/1GB2K2a1 w - - - 2 61",
            [7, 739, 97_203],
        ),
        ("3l3g1k/4hb3l/6P2e/10/2A7/6Pg1L/9P/4K5/5B4/4e5 w - - - 4 86", [52, 3809, 177_982]),
        ("4M5/10/1k8/1p8/10/10/5l1p2/7H2/6l3/m5gL1K w - - - 0 111", [41, 2271, 89_381]),
    ] {
        check_perft("mgc", fen, &nodes);
    }
}

/// Kosintsev against Skuratovsky, from the rulebook page.
#[test]
fn mgc_recorded_game() {
    let mut position = game("mgc").start();
    play(
        &mut position,
        "f3f5 f8f6 k2h4 d8d7 e2h5 c8c6 i2g4 g8g7 e3e5 e8e7 h5d9 b9d9 d3d4 e9c7 h2f3 a9c8
         e1h2 i9g8 c1e1 d9e8 h4g6 h8h7 g6e8 c9e8 a2b4 k9h8 b2c4 g9f8 b3c5 h9f7 c5b6 c7d8
         d4d5 c6d5 b4d5 f7e9 b6b7 a8b7 d5b7 d8c7 b7c5 f10g9 c5c7 e9c7 d2f4 g8f7 e5f6 g7f6
         f4c7 e8c7 f2b6 c8b6 c4b6 f8e9 b6c7 e9c7 g2f2 g9h9 f2b6 h9i9 b6c7 b8c7 g3e5 h7g7
         k3h5 k8h7 e5e6 d7e6 g4e6 c7d7 e6d4 c10d8 c2b4 d7d6 g1g2 d6e5 d4b6 d8d1 e1d1 d10f8
         b6a8 a10a8 f3a8 b10d10 b4a6 d10d1 a6e10 d1f1 e10g10 h10g10 h1f1 f7h5 h2h5",
    );
    assert_eq!(
        position.fen(),
        "6m1gl/5b2k1/C4a1hp1/4p1pp2/5p4/4pP1K2/10/P1P4PP1/6A3/LG3M2GL b K - - 0 47"
    );
}

#[test]
fn en_passant_field_follows_every_double_step() {
    assert_eq!(
        after("chess", CHESS, "h2h4"),
        "rnbqkbnr/pppppppp/8/8/7P/8/PPPPPPP1/RNBQKBNR b KQkq h3 - 0 1"
    );
    assert_eq!(
        after("chess", CHESS, "e2e4 a7a6 e4e5 d7d5 e5d6"),
        "rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - - 0 3"
    );
    let passed = position("chess", "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1");
    let quiet = position("chess", "4k3/8/8/8/3Pp3/8/8/4K3 b - - 0 1");
    assert_ne!(passed.key(), quiet.key(), "the field is part of the position");
}

#[test]
fn en_passant_may_not_uncover_the_king() {
    // Along the rank both pawns leave, along the file of the capturing pawn, along a diagonal of
    // the captured pawn.
    for fen in [
        "4k3/8/8/8/K2pP2q/8/8/8 b - e3 0 1",
        "8/8/8/8/k2pP2Q/8/8/4K3 b - e3 0 1",
        "3k4/8/8/8/3pP3/8/8/3RK3 b - e3 0 1",
        "8/1k6/8/8/3pP3/8/6B1/4K3 b - e3 0 1",
    ] {
        assert_eq!(legal("chess", fen, "d4e3"), fen.starts_with("4k3"), "{fen}");
    }
    // It may capture a pawn that gives check.
    assert!(legal("chess", "8/8/8/3k4/3pP3/8/8/4K3 b - e3 0 1", "d4e3"));
}

#[test]
fn castling_needs_free_and_safe_cells() {
    let castlings = |fen| ["e1g1", "e1c1"].map(|text| legal("chess", fen, text));
    assert_eq!(castlings("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"), [true, true]);
    assert_eq!(castlings("4k3/8/8/8/8/8/8/R3K2R w K - 0 1"), [true, false]);
    assert_eq!(castlings("1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"), [true, true], "only a rook passes");
    assert_eq!(castlings("3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1"), [true, false]);
    assert_eq!(castlings("4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1"), [false, true]);
    assert_eq!(castlings("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1"), [false, true]);
    assert_eq!(castlings("4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1"), [false, false]);
    assert_eq!(castlings("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1"), [false, false]);
    assert_eq!(
        after("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1 e8c8"),
        "2kr3r/8/8/8/8/8/8/R4RK1 w - - - 2 2"
    );
    assert_eq!(
        after("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1a8"),
        "R3k2r/8/8/8/8/8/8/4K2R b Kk - - 0 1",
        "a captured rook ends a right as well"
    );
}

#[test]
fn six_fields_are_read_and_seven_written() {
    assert_eq!(
        position("chess", KIWIPETE).fen(),
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - - 0 1"
    );
}

#[test]
fn mgc_king_loses_its_leap_right_at_the_first_check() {
    // The check comes along the file; the reply may not be a leap.
    let mut checked = position("mgc", "k9/10/10/10/10/l9/10/10/10/4K5 b Kk - - 0 1");
    play(&mut checked, "a5e5");
    assert_eq!(checked.fen(), "k9/10/10/10/10/4l5/10/10/10/4K5 w k - - 1 2");
    assert!(checked.parse_move("e1d2").is_ok());
    assert!(checked.parse_move("e1c1").is_err());
    assert!(checked.parse_move("e1h3").is_err());
    // The other king still leaps, as often as it likes.
    play(&mut checked, "e1d1 a10d8 d1c1 d8b6");
    assert!(checked.fen().contains(" w k "));
}

#[test]
fn mgc_leaping_kings_keep_their_distance() {
    let fen = "4k5/10/10/10/10/4K5/10/10/10/10 w Kk - - 0 1";
    for (text, allowed) in [("e5e6", true), ("e5e7", false), ("e5h8", false), ("e5h6", true)] {
        assert_eq!(legal("mgc", fen, text), allowed, "{text}");
    }
    // Ruling 7: legality is judged with the right from before the move, so a king cannot approach
    // a leaping king by uncovering a check on it.
    let uncovers = "k9/10/10/10/K9/10/10/10/L9/10 w k - - 0 1";
    assert!(!legal("mgc", uncovers, "a6b7"));
    assert!(legal("mgc", uncovers, "a6b6"));
    // A leaping king gives check to one that has lost its right.
    let mut position = position("mgc", "10/10/10/1k3K4/10/10/10/10/10/10 w K - - 0 1");
    play(&mut position, "f7e7");
    assert_eq!(position.move_texts().unwrap(), ["b7a6", "b7a7", "b7a8"]);
}

#[test]
fn mgc_leap_checks_can_only_be_captured() {
    // The horse on e3 jumps over the pawn on e2; the pawn cannot block, the legion captures.
    let fen = "4k5/10/10/10/10/10/10/L3h5/10/4K5 w k - - 0 1";
    let texts = position("mgc", fen).move_texts().unwrap();
    assert!(texts.contains(&"a3e3".to_owned()));
    assert!(texts.iter().all(|text| text == "a3e3" || text.starts_with("e1")), "{texts:?}");
}

#[test]
fn mgc_pinned_leapers_jump_along_the_pin() {
    let fen = "4k5/10/10/4l5/10/10/10/4H5/10/4K5 w k - - 0 1";
    let texts = position("mgc", fen).move_texts().unwrap();
    let horse: Vec<_> = texts.iter().filter(|text| text.starts_with("e3")).collect();
    assert_eq!(horse, ["e3e5"]);
}

#[test]
fn mgc_pawns_that_stepped_sideways_at_home_are_spent() {
    let fen = "4k5/10/10/10/10/10/10/1P8/10/4K5 w Kk - - 0 1";
    assert!(legal("mgc", fen, "b3d4"));
    let stepped = after("mgc", fen, "b3c3");
    assert_eq!(stepped, "4k5/10/10/10/10/10/10/2P7/10/4K5 b Kk:c3 - - 1 1", "reversible");
    let mut position = position("mgc", &stepped);
    play(&mut position, "e10e9");
    let texts = position.move_texts().unwrap();
    let pawn: Vec<_> = texts.iter().filter(|text| text.starts_with("c3")).collect();
    assert_eq!(pawn, ["c3b3", "c3b4", "c3c4", "c3d3", "c3d4"]);
    play(&mut position, "c3d3 e9e10 d3d4");
    assert_eq!(position.fen(), "4k5/10/10/10/10/10/3P6/10/10/4K5 b Kk - - 0 3");
    // A captured one is forgotten.
    let captured = after("mgc", "4k5/10/10/10/10/10/10/2P1l5/10/K9 b -:c3 - - 0 1", "e3c3");
    assert_eq!(captured, "4k5/10/10/10/10/10/10/2l7/10/K9 w - - - 0 2");
}

#[test]
fn mgc_pawns_promote_or_not_when_they_arrive() {
    let arrivals = |fen, from: &str| {
        let texts = position("mgc", fen).move_texts().unwrap();
        texts.into_iter().filter(|text| text.starts_with(from)).collect::<Vec<_>>().len()
    };
    // b9: three cells ahead with eleven moves each, two at the side; b10: two at the side.
    assert_eq!(arrivals("9k/1P8/10/10/10/10/10/10/10/4K5 w - - - 0 1", "b9"), 3 * 11 + 2);
    assert_eq!(arrivals("1P7k/10/10/10/10/10/10/10/10/4K5 w - - - 0 1", "b10"), 2);
    assert_eq!(
        after("mgc", "9k/1P8/10/10/10/10/10/10/10/4K5 w - - - 5 1", "b9c10=Q"),
        "2Q6k/10/10/10/10/10/10/10/10/4K5 b - - - 0 1"
    );
}

#[test]
fn mate_and_stalemate() {
    for (id, fen, outcome) in [
        ("chess", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", Some("white")),
        ("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some("draw")),
        ("chess", CHESS, None),
        ("mgc", "4K5/7a2/3a6/10/10/10/10/10/9k/10 w - - - 16 83", Some("draw")),
        ("mgc", "1l4C2n/9m/1g8/3Ek1p3/6A1L1/4a4a/10/3N6/L7K1/10 b - - - 1 106", Some("white")),
    ] {
        let outcome_here = position(id, fen).outcome().map(|outcome| outcome.to_string());
        assert_eq!(outcome_here.as_deref(), outcome, "{fen}");
        let steps = position(id, fen).steps(&mut Vec::new());
        assert_eq!(steps.map(|outcome| outcome.to_string()).as_deref(), outcome, "{fen}");
    }
}

#[test]
fn bad_position_strings_are_refused_in_words() {
    for (id, fen, message) in [
        (
            "chess",
            "8/8/8/8/8/8/8/4K3 w - - - 0 1",
            "column 1 (placement): expected one black king, found 0",
        ),
        (
            "chess",
            "k7/8/8/8/8/8/8/K3K3 w - - - 0 1",
            "column 1 (placement): expected one white king, found 2",
        ),
        (
            "chess",
            "k7/8/8/8/8/8/8/KX6 w - - - 0 1",
            "column 17 (placement): `X` is no piece of chess",
        ),
        (
            "chess",
            "k6P/8/8/8/8/8/8/K7 w - - - 0 1",
            "column 3 (placement): a white pawn cannot stand on h8",
        ),
        (
            "chess",
            "k7/8/8/8/8/8/8/K6p w - - - 0 1",
            "column 18 (placement): a black pawn cannot stand on h1",
        ),
        (
            "chess",
            "k6R/8/8/8/8/8/8/K7 w - - - 0 1",
            "column 1 (placement): white could capture the king on a8",
        ),
        (
            "chess",
            "4k3/8/8/8/8/8/8/4K2R w KQ - - 0 1",
            "column 25 (rights): king and rook of `Q` are not at home",
        ),
        (
            "chess",
            "4k3/8/8/8/8/8/8/R3K2R w QK - - 0 1",
            "column 26 (rights): expected some of `KQkq` in this order, or `-`",
        ),
        (
            "chess",
            "4k3/8/8/8/8/8/8/4K2R w K:h1 - - 0 1",
            "column 25 (rights): expected some of `KQkq` in this order, or `-`",
        ),
        (
            "chess",
            "4k3/8/8/8/3P4/8/8/4K3 b - e3 - 0 1",
            "column 27 (en passant): no white pawn has just passed over e3",
        ),
        (
            "chess",
            "4k3/8/8/8/3P4/8/3B4/4K3 b - d3 - 0 1",
            "column 29 (en passant): no white pawn has just passed over d3",
        ),
        (
            "chess",
            "4k3/8/8/8/3P4/8/8/4K3 w - d3 - 0 1",
            "column 27 (en passant): no black pawn has just passed over d3",
        ),
        (
            "chess",
            "4k3/8/8/8/8/8/8/4K3 w - z9 - 0 1",
            "column 25 (en passant): expected a cell or `-`, found `z9`",
        ),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - P 0 1", "column 27 (hands): expected `-`, found `P`"),
        (
            "mgc",
            "4k5/10/10/10/10/10/10/10/4P5/4K5 w - - - 0 1",
            "column 27 (placement): a white pawn cannot stand on e2",
        ),
        (
            "mgc",
            "4k5/10/10/10/4L5/10/10/10/10/K9 b Kk - - 0 1",
            "column 35 (rights): the black king is in check, so it has lost its leap right",
        ),
        (
            "mgc",
            "4k5/10/10/10/10/10/10/1P8/10/4K5 w K:b4 - - 0 1",
            "column 38 (rights): no pawn stands on b4, or not one that starts there",
        ),
        (
            "mgc",
            "4k5/10/10/10/10/10/10/1PP7/10/4K5 w K:c3b3 - - 0 1",
            "column 41 (rights): spent pawns are ordered by rank, then file, each of them once",
        ),
        (
            "mgc",
            "4k5/10/10/10/10/10/10/1P8/10/4K5 w K: - - 0 1",
            "column 38 (rights): expected the cell of a spent pawn",
        ),
        (
            "mgc",
            "4k5/10/10/10/10/10/10/1P8/10/4K5 w :b3 - - 0 1",
            "column 36 (rights): expected rights or `-`",
        ),
        (
            "mgc",
            "4k5/10/10/10/10/10/10/1P8/10/4K5 w - b2 - 0 1",
            "column 38 (en passant): expected `-`, found `b2`",
        ),
    ] {
        assert_eq!(fault(id, fen), format!("bad FEN, {message}"), "{fen}");
    }
}

#[test]
fn features_are_seen_from_the_side_to_move() {
    for id in ["chess", "mgc"] {
        let game = game(id);
        let start = History::new(game.start());
        let mut white = crate::Features::default();
        start.features(&mut white);
        let fen = game.start().fen().replace(" w ", " b ");
        let mut black = crate::Features::default();
        History::new(game.parse_fen(&fen).unwrap()).features(&mut black);
        let sorted = |features: &crate::Features| {
            let mut marks = features.marks().to_vec();
            marks.sort();
            marks
        };
        assert_eq!(sorted(&white), sorted(&black), "{id} looks the same from both sides");
        assert_eq!(white.fills(), black.fills());
        let names: Vec<_> =
            white.fills().iter().map(|&(plane, _)| &game.planes[usize::from(plane)]).collect();
        assert!(names.iter().any(|name| name.starts_with("my ")), "{names:?}");
        assert!(names.iter().any(|name| name.starts_with("their ")), "{names:?}");
        assert_eq!(game.start().material(Side::White), game.start().material(Side::Black));
    }
}
