//! Pyramids in all variants (rulebook page pyramids.md).

use games::{Game, Outcome, State};

use crate::support::{after, check_fault, check_from, position};

const WEAK_7: &str = "pyramids-weak-7";

#[test]
fn a_part_moves_by_its_own_checkers() {
    /// How many moves of each part there are.
    #[track_caller]
    fn counts(game: &str, fen: &str, expected: &[(&str, usize)]) {
        let texts = position(game, fen).move_texts().unwrap();
        for &(part, count) in expected {
            let named = |text: &&String| match part {
                "" => text.len() == 4 && !text.starts_with('a'),
                part => text.ends_with(part),
            };
            assert_eq!(texts.iter().filter(named).count(), count, "{part} in {fen}");
        }
    }
    let two = "9/f8/9/9/4[12]4/9/9/9/F8 w - - - 0 1";
    // p1 and p2 together have N(3) in the weak variant, on the big board only.
    counts("pyramids-weak", two, &[("{1}", 8), ("{2}", 16), ("", 48)]);
    counts("pyramids1", two, &[("{1}", 8), ("{2}", 16), ("", 24)]);
    counts("pyramids-strong", two, &[("{1}", 16), ("{2}", 24), ("", 40)]);
    let small = "7/f6/7/3[12]3/7/7/F6 w - - - 0 1";
    counts(WEAK_7, small, &[("{1}", 8), ("{2}", 16), ("", 24)]);
    let three = "9/f8/9/9/4[134]4/9/9/9/F8 w - - - 0 1";
    counts("pyramids1", three, &[("{13}", 8 + 11), ("{34}", 15 + 16), ("", 8 + 24 + 7 + 8)]);
}

/// However many jumps there are: nothing can be jumped in a corner.
#[test]
fn a_faraon_in_a_corner_keeps_its_leap_right() {
    let crowd = "(234)8/1S1S1S1S1/9/1S1S1S1S1/9/1S1S1S1S1/9/1S1S1S1S1/F6f1 w F - - 0 1";
    assert_eq!(position("pyramids-cheskers", crowd).fen(), crowd);
}

#[test]
fn parts_unite_where_no_size_is_twice() {
    let fen = "7/f6/7/7/[13][2]5/7/F6 w - - - 5 9";
    check_from(WEAK_7, fen, "b3", "a5 b1 b5 c1 c5 d1 d2 d3 d4 d5");
    assert_eq!(after(WEAK_7, fen, "a3b3{1}"), "7/f6/7/7/[3][12]5/7/F6 b - - - 6 9");
    // Not with a common size, nor with a slave or a faraon.
    let fen = "7/f6/7/7/[1][1]5/S6/F[123]5 w - - - 0 1";
    check_from(WEAK_7, fen, "a3", "a4 b2 b4");
    let position = position(WEAK_7, fen);
    assert!(position.parse_move("b1a3{2}").is_ok());
    for text in ["b1a2{3}", "b1a1{1}", "b1a3{12}"] {
        assert!(position.parse_move(text).is_err(), "{text}");
    }
}

#[test]
fn only_a_whole_pino_is_pinned() {
    let fen = "f6/7/3(4)3/7/3[13]3/7/3F3 w - - - 0 1";
    let texts = position(WEAK_7, fen).move_texts().unwrap();
    let whole: Vec<&String> =
        texts.iter().filter(|text| text.starts_with("d3") && text.len() == 4).collect();
    assert_eq!(whole, ["d3d2", "d3d4"]);
    for text in ["d3e3{1}", "d3c2{1}", "d3c2{3}", "d3g6{3}"] {
        assert!(texts.contains(&text.to_owned()), "{text}");
    }
    // A leap along the line but over the attacker does not stay between.
    check_from(WEAK_7, "f6/7/7/3(4)3/3[2]3/7/3F3 w - - - 0 1", "d3", "");
}

#[test]
fn a_check_is_answered_by_capture_block_or_flight() {
    let fen = "6f/3(4)3/7/2[1]4/7/[4]5[2]/3F3 w - - - 0 1";
    check_from(WEAK_7, fen, "", "a2d2 c4d3 c4d4 c4d5 d1c1 d1c2 d1e1 d1e2");
    // A leap can only be answered by capture or flight.
    let fen = "6f/7/7/7/3(2)3/4[3]2/3F3 w - - - 0 1";
    check_from(WEAK_7, fen, "", "d1c2 d1d2 e2d3");
}

#[test]
fn the_leap_right_is_lost_in_check_and_only_then() {
    let fen = "f6/7/7/(4)6/7/7/3F3 b Ff - - 0 1";
    let checked = "f6/7/7/3(4)3/7/7/3F3 w f - - 1 2";
    assert_eq!(after(WEAK_7, fen, "a4d4"), checked);
    check_from(WEAK_7, checked, "d1", "c1 c2 e1 e2");
    let leapt = "f6/7/7/2(4)4/5F1/7/7 w Ff - - 3 3";
    assert_eq!(after(WEAK_7, fen, "a4b4 d1f3 b4c4"), leapt);
}

#[test]
fn faraons_of_the_first_edition_attack_with_their_leaps() {
    // Black may leap, so White keeps away, even from where he would give check.
    let fen = "9/4f4/9/9/9/9/4F4/9/9 w Ff - - 0 1";
    let texts = position("pyramids1", fen).move_texts().unwrap();
    assert!(texts.iter().all(|text| !text.ends_with(['5', '6'])), "{texts:?}");
    let near = "9/4f4/9/9/4F4/9/9/9/9 b F - - 1 1";
    assert_eq!(after("pyramids1", "9/4f4/9/9/9/9/4F4/9/9 w F - - 0 1", "e3e5"), near);
    check_from("pyramids1", near, "", "e8d9 e8e9 e8f9");
    let fen = "f8/9/9/9/9/3s5/9/9/2F6 w F - - 3 1";
    assert_eq!(after("pyramids1", fen, "c1d4"), "f8/9/9/9/9/3F5/9/9/9 b F - - 0 1");
}

#[test]
fn the_faraon_of_the_second_edition_captures_and_attacks_nothing() {
    let fen = "9/9/4f4/9/9/9/4F4/9/9 w Ff - - 0 1";
    assert!(position("pyramids-weak", fen).parse_move("e3e6").is_ok());
    check_from(WEAK_7, "f6/7/7/7/4s2/3s3/3F3 w - - - 0 1", "d1", "c2 e2");
}

#[test]
fn slaves_are_spent_by_walking_along_their_rank() {
    let fen = "7/f6/7/7/7/1S5/6F w - - - 7 1";
    check_from(WEAK_7, fen, "b2", "a2 a3 a4 b3 b4 c2 c3 c4 d3 d4");
    let walked = "7/f6/7/7/7/2S4/6F b -:c2 - - 8 1";
    assert_eq!(after(WEAK_7, fen, "b2c2"), walked);
    let back = "7/f6/7/7/7/1S5/6F w -:b2 - - 11 3";
    assert_eq!(after(WEAK_7, walked, "a6a7 c2b2 a7a6"), back);
    check_from(WEAK_7, back, "b2", "a2 a3 b3 c2 c3");
    assert_eq!(after(WEAK_7, back, "b2b3"), "7/f6/7/7/1S5/7/6F b - - - 0 3");
    // The entry goes with a captured slave.
    let fen = "7/f6/7/7/7/1S4(4)/5F1 b -:b2 - - 3 1";
    assert_eq!(after(WEAK_7, fen, "g2b2"), "7/f6/7/7/7/1(4)5/5F1 w - - - 0 2");
    // In the strong variant a capture along the rank spends as well.
    let fen = "f8/9/9/9/9/9/1Ss6/9/8F w - - - 3 1";
    assert_eq!(after("pyramids-strong", fen, "b3c3"), "f8/9/9/9/9/9/2S6/9/8F b -:c3 - - 0 1");
}

#[test]
fn slaves_are_promoted() {
    let nine = "9/1S7/9/f8/9/9/9/9/8F w - - - 3 1";
    for (game, fen, expected) in [
        ("pyramids1", nine, 45),
        ("pyramids-weak", nine, 12),
        ("pyramids-strong", nine, 12),
        (WEAK_7, "7/1S5/7/f6/7/7/6F w - - - 3 1", 12),
    ] {
        let texts = position(game, fen).move_texts().unwrap();
        let promotions: Vec<&String> = texts.iter().filter(|text| text.contains('=')).collect();
        assert_eq!(promotions.len(), expected, "{game}");
        let to_last = |text: &&String| text.len() == 4 && text.ends_with(['7', '9']);
        assert_eq!(texts.iter().filter(to_last).count(), 0, "{game}: {texts:?}");
    }
    let promoted = "1[134]7/9/9/f8/9/9/9/9/8F b - - - 0 1";
    assert_eq!(after("pyramids1", nine, "b8b9=134"), promoted);
}

#[test]
fn without_a_move_it_is_mate_or_a_draw() {
    let outcome = |fen| position(WEAK_7, fen).outcome().map(|outcome| outcome.to_string());
    let mate = outcome("[4]5f/1[4]5/7/7/7/7/F6 b - - - 0 1");
    assert_eq!(mate.as_deref(), Some("white"));
    let stuck = outcome("6f/[4]6/7/7/7/7/F4[4]1 b - - - 0 1");
    assert_eq!(stuck.as_deref(), Some("draw"));
}

const CHESKERS: &str = "pyramids-cheskers-7";

#[test]
fn jumps_are_compulsory_and_depend_on_the_moving_part() {
    check_from(CHESKERS, "f6/7/7/7/1s5/1S5/F5[4] w - - - 0 1", "", "b2b4");
    // p2 leaps and jumps short alone or with p1, not with p3 or p4 (ruling R13).
    let ends = "b2 b3 b4 b5 b6 c2 c6 d2 d6 e2 e6 f2 f3 f4 f5 f6";
    check_from(CHESKERS, "f6/7/7/3[2]3/7/7/F6 w - - - 0 1", "d4", ends);
    let marches = position(CHESKERS, "f6/7/7/3[24]3/7/7/6F w - - - 0 1");
    assert!(marches.parse_move("d4b2{2}").is_ok() && marches.parse_move("d4b2").is_err());
    check_from(CHESKERS, "f6/7/7/3[24]3/2s4/7/6F w - - - 0 1", "", "d4b2{2}");
    let far = "f6/7/7/[24]2s3/7/7/6F w - - - 0 1";
    check_from(CHESKERS, far, "", "a4e4 a4e4{4} a4f4 a4f4{4} a4g4 a4g4{4}");
    check_from(CHESKERS, "f6/7/7/[1]s5/7/7/6F w - - - 0 1", "", "a4c4");
}

#[test]
fn parts_with_p2_go_on_and_the_text_names_them_at_the_end() {
    check_from(CHESKERS, "f6/7/4s2/7/2s4/1[13]5/F6 w - - - 0 1", "b2", "d4 d4{1} d4{3}");
    let ends = "d4f6 d4f6{12} d4f6{23} d4f6{2} d4g7 d4g7{23} d4{13} d4{1} d4{3}";
    check_from(CHESKERS, "f6/7/4s2/7/2s4/1[123]5/F6 w - - - 0 1", "b2", ends);
}

#[test]
fn a_tour_ends_where_it_began_if_nothing_stayed() {
    let ends = "b4d6f4d2 b4d6f4{2} b4{1} f4d6b4d2 f4d6b4{2} f4{1}";
    let fen = "f6/7/2s1s2/7/2s1s2/3[12]3/F6 w - - - 0 1";
    check_from(CHESKERS, fen, "d2", ends);
    assert_eq!(after(CHESKERS, fen, "d2b4d6f4d2"), "f6/7/7/7/7/3[12]3/F6 b - - - 0 1");
    let divided = "f6/7/7/5[2]1/4s2/3[1]3/F6 b - - - 0 1";
    assert_eq!(after(CHESKERS, fen, "d2b4d6f4{2}"), divided);
}

#[test]
fn a_slave_jumps_once_in_any_direction_and_is_promoted() {
    check_from(CHESKERS, "f6/7/4s2/3S3/2s4/7/F6 w - - - 0 1", "", "d4b2 d4f6");
    check_from(CHESKERS, "f6/7/7/4s2/7/2s4/1S4F w - - - 0 1", "", "b1d3");
    let fen = "f6/2s1s2/1S5/7/7/7/F6 w - - - 0 1";
    check_from(CHESKERS, fen, "", "b5d7=1 b5d7=2 b5d7=3 b5d7=4");
    assert_eq!(after(CHESKERS, fen, "b5d7=2"), "f2[2]3/4s2/7/7/7/7/F6 b - - - 0 1");
}

#[test]
fn the_faraon_leaps_over_enemies_and_leaves_them() {
    let fen = "f6/7/7/7/7/3s3/3F3 w F - - 3 1";
    assert_eq!(after(CHESKERS, fen, "d1d3"), "f6/7/7/7/3F3/3s3/7 b F - - 4 1");
}

#[test]
fn uniting_across_an_enemy_is_a_march() {
    let fen = "f6/7/7/[2]6/s6/[1]6/6F w - - - 3 1";
    assert_eq!(after(CHESKERS, fen, "a2a4"), "f6/7/7/[12]6/s6/7/6F b - - - 4 1");
}

#[test]
fn the_leap_right_is_lost_to_any_leg_of_a_jump_move() {
    let fen = "f6/7/4S2/6(2)/2F4/7/7 b Ff - - 0 1";
    assert_eq!(after(CHESKERS, fen, "g4f6"), "f6/5(2)1/4S2/7/2F4/7/7 w f - - 1 2");
    assert_eq!(after(CHESKERS, fen, "g4f2"), "f6/7/4S2/7/2F4/5(2)1/7 w Ff - - 1 2");
}

#[test]
fn the_faraon_is_really_captured_and_the_move_goes_on() {
    let fen = "7/5s1/7/3f3/2[2]4/7/F6 w Ff - - 0 1";
    check_from(CHESKERS, fen, "", "c3e5g7");
    let mut leg = position(CHESKERS, fen);
    let chosen = leg.parse_move("c3e5g7").unwrap();
    leg.play(chosen.steps()[0]);
    assert!(leg.mid_move());
    let won = Outcome::Win(games::Side::White);
    assert_eq!((leg.outcome(), leg.foregone()), (None, Some(won)));
    leg.play(chosen.steps()[1]);
    assert_eq!(leg.outcome(), Some(won));
    // The letter of the captured faraon stays.
    assert_eq!(leg.fen(), "6[2]/7/7/7/7/7/F6 b Ff - - 0 1");
}

/// A great pino among slaves has more routes than are ever listed or followed.
#[test]
fn too_many_routes_are_no_trap() {
    let placement = "1ss5f/8s/1s7/5s1s1/4s1s2/2s2s3/2s3ss1/3s1ss2/[1234]7F";
    let routes = position("pyramids-cheskers", &format!("{placement} w Ff - - 0 1"));
    assert_eq!(routes.count_moves(), None);
    assert_eq!(routes.moves(), Err(games::TooManyMoves));
    // Whether they threaten a faraon out of the corner is not asked for ever.
    let placement = placement.replace("5f/", "4f1/");
    let game = Game::by_id("pyramids-cheskers").unwrap();
    assert!(game.parse_fen(&format!("{placement} b Ff - - 0 1")).is_err());
    assert!(game.parse_fen(&format!("{placement} b F - - 0 1")).is_ok());
}

#[test]
fn strings_that_are_no_position_are_refused() {
    const STACK: &str = "is no stack: expected some sizes from 1 to 4 in ascending order, each \
                         once at most";
    for (game, fen, column, message) in [
        (WEAK_7, "f6/7/7/7/7/7/F[21]5 w - - - 0 1", 15, format!("(placement): `[21]` {STACK}")),
        (WEAK_7, "f6/7/7/7/7/7/F[11]5 w - - - 0 1", 15, format!("(placement): `[11]` {STACK}")),
        (WEAK_7, "f6/7/7/7/7/(5)6/F6 w - - - 0 1", 12, format!("(placement): `(5)` {STACK}")),
        (WEAK_7, "f6/7/7/7/7/()6/F6 w - - - 0 1", 12, format!("(placement): `()` {STACK}")),
    ] {
        check_fault(game, fen, &format!("column {column} {message}"));
    }
    for (game, fen, message) in [
        (
            WEAK_7,
            "f6/7/7/7/7/(1]5/F6 w - - - 0 1",
            "column 12 (placement): a bracket is not closed",
        ),
        (
            WEAK_7,
            "f6/7/7/7/7/7/F5X w - - - 0 1",
            "column 16 (placement): `X` is no piece: expected `S`, `F` or a stack in brackets",
        ),
        (WEAK_7, "f6/7/7/7/7/7/FF5 w - - - 0 1", "column 15 (placement): a second `F`"),
        (WEAK_7, "7/7/7/7/7/7/F6 w - - - 0 1", "column 1 (placement): no `f`"),
        (WEAK_7, "f6/7/7/7/7/7/7 w - - - 0 1", "column 1 (placement): no `F`"),
        (
            WEAK_7,
            "f1S4/7/7/7/7/7/F6 w - - - 0 1",
            "column 3 (placement): `S` on c7 would have been promoted",
        ),
        (
            WEAK_7,
            "f6/7/7/7/7/7/F1s4 w - - - 0 1",
            "column 16 (placement): `s` on c1 would have been promoted",
        ),
        (
            WEAK_7,
            "f6/7/7/7/7/7/F1S4 w - - - 0 1",
            "column 16 (placement): `S` cannot stand behind its home rank, on c1",
        ),
        (
            WEAK_7,
            "f5[4]/7/7/7/7/7/F6 w - - - 0 1",
            "column 1 (placement): white is to move and could capture `f`",
        ),
        (
            WEAK_7,
            "f6/7/7/7/7/7/F5(4) w Ff - - 0 1",
            "column 22 (rights): `F` could be captured, so it has lost its leap right",
        ),
        (
            WEAK_7,
            "f6/7/7/7/7/7/F6 w fF - - 0 1",
            "column 20 (rights): expected some of `Ff` in this order, or `-`",
        ),
        (
            WEAK_7,
            "f6/7/7/7/7/2S4/F6 w -:d2 - - 0 1",
            "column 23 (rights): no slave stands on d2, or not one that starts there",
        ),
        (
            WEAK_7,
            "f6/7/7/7/2S4/7/F6 w -:c3 - - 0 1",
            "column 23 (rights): no slave stands on c3, or not one that starts there",
        ),
        (
            WEAK_7,
            "f6/2s4/7/7/7/2S4/F6 w -:c6c2 - - 0 1",
            "column 27 (rights): spent slaves are ordered by rank, then file, each of them once",
        ),
        (
            WEAK_7,
            "f6/7/7/7/7/2S4/F6 w -: - - 0 1",
            "column 23 (rights): expected the cell of a spent slave",
        ),
        (
            WEAK_7,
            "f6/7/7/7/7/7/F6 w - e3 - 0 1",
            "column 21 (en passant): expected `-`, found `e3`",
        ),
        (WEAK_7, "f6/7/7/7/7/7/F6 w - - F 0 1", "column 23 (hands): expected `-`, found `F`"),
        (
            CHESKERS,
            "7/7/7/7/7/7/F6 w - - - 0 1",
            "column 1 (placement): no `f`: only the side to move can have lost it",
        ),
        (
            CHESKERS,
            "f6/5(2)1/4S2/7/2F4/7/7 w Ff - - 0 1",
            "column 26 (rights): `F` could be captured, so it has lost its leap right",
        ),
        (
            CHESKERS,
            "f6/7/7/7/7/2S4/F6 w -:c2 - - 0 1",
            "column 21 (rights): expected some of `Ff` in this order, or `-`",
        ),
    ] {
        check_fault(game, fen, message);
    }
}
