//! Omino, Nomino and Doseki, ruling by ruling (rulebook pages omino.md, nomino.md and doseki.md).

use games::{Game, History, Outcome, Position, Side, State};

use crate::support::{after, check_fault, position};

/// The ends of all moves of the piece whose text is `piece`.
#[track_caller]
fn ends(position: &Position, piece: &str) -> String {
    let texts = position.move_texts().unwrap();
    let start = format!("{piece}-");
    texts.iter().filter_map(|text| text.strip_prefix(&start)).collect::<Vec<_>>().join(" ")
}

#[test]
fn omino_captures_with_the_whole_body_and_stops_there() {
    let fen = "10/10/10/10/10/4p5/4p5/10/4PP4/4PP4 w - - - 0 1";
    let square = position("omino", fen);
    let up: Vec<String> = (1..=10).map(|rank| format!("e{rank}")).collect();
    let found = ends(&square, "e1+f1+e2+f2");
    assert!(found.split(' ').filter(|end| up.iter().any(|cell| cell == end)).eq(["e2", "e3"]));
    assert!(ends(&square, "e1+e2").split(' ').any(|end| end == "e3"));
    assert!(!ends(&square, "e1+f1").split(' ').any(|end| end == "e2"));
    assert_eq!(ends(&square, "e1"), "");
    let expected = "10/10/10/10/10/4p5/4PP4/4PP4/10/10 b - - - 0 1";
    assert_eq!(after("omino", fen, "e1+f1+e2+f2-e3"), expected);
}

#[test]
fn omino_r9_the_king_s_captures_go_into_the_hand() {
    let fen = "10/10/10/4p5/10/4P5/3PPP4/4P5/10/p9 w - - - 7 9";
    let expected = "10/10/10/4P5/3PPP4/4P5/10/10/10/p9 b - - P 0 9";
    assert_eq!(after("omino", fen, "e3+d4+e4+f4+e5-e5"), expected);
    // A piece of another shape captures the same checker, and it leaves the game.
    let expected = "10/10/10/4PP4/4PP4/10/10/10/10/p9 b - - - 0 9";
    let fen = "10/10/10/4p5/10/10/4PP4/4PP4/10/p9 w - - - 7 9";
    assert_eq!(after("omino", fen, "e3+f3+e4+f4-e6"), expected);
}

#[test]
fn omino_r3_a_piece_may_leave_a_hole() {
    let fen = "10/10/10/4p5/10/4P5/3PPP4/4P5/10/p9 w - - - 7 9";
    assert!(ends(&position("omino", fen), "d4+e4+f4+e5").split(' ').any(|end| end == "d5"));
}

#[test]
fn omino_drops_go_onto_empty_cells_of_any_rank() {
    let fen = "10/10/10/10/10/4P5/10/10/10/p9 w - - 2P 3 9";
    let texts = position("omino", fen).move_texts().unwrap();
    let drops: Vec<_> = texts.iter().filter(|text| text.starts_with("P*")).collect();
    assert_eq!(drops.len(), 98);
    assert!(!texts.contains(&"P*e5".to_owned()) && !texts.contains(&"P*a1".to_owned()));
    let expected = "P9/10/10/10/10/4P5/10/10/10/p9 b - - P 0 9";
    assert_eq!(after("omino", fen, "P*a10"), expected);
}

#[test]
fn omino_r8_pawns_go_ahead_only() {
    let white = "10/10/10/10/3ppp4/4P5/3p1p4/10/10/10 w - - - 0 1";
    assert_eq!(position("omino", white).move_texts().unwrap().join(" "), "e5-d6 e5-f6");
    let black = "10/10/10/10/3P1P4/4p5/3P1P4/10/10/10 b - - - 0 1";
    assert_eq!(position("omino", black).move_texts().unwrap().join(" "), "e5-d4 e5-e4 e5-f4");
    let top = position("omino", "4P5/10/10/10/10/10/10/10/10/p9 w - - - 0 1");
    assert_eq!(top.outcome(), Some(Outcome::Win(Side::Black)));
}

#[test]
fn who_cannot_move_has_lost_but_not_with_a_drop() {
    for (id, hand, outcome) in [
        ("omino", "-", Some(Outcome::Win(Side::White))),
        ("omino", "p", None),
        ("omino", "P", Some(Outcome::Win(Side::White))),
        ("nomino", "-", Some(Outcome::Win(Side::White))),
        ("nomino", "3p", None),
    ] {
        let bare = position(id, &format!("10/10/10/10/10/4P5/10/10/10/10 b - - {hand} 0 9"));
        assert_eq!(bare.outcome(), outcome, "{id} with {hand}");
        assert_eq!(bare.moves().unwrap().is_empty(), outcome.is_some());
    }
    // Also at the hundredth ply.
    let fen = "10/10/10/10/10/4P5/10/10/10/10 b - - - 100 90";
    assert_eq!(History::new(position("omino", fen)).end().unwrap().to_string(), "white (rules)");
    let fen = "10/10/10/10/10/4P5/10/10/10/10 w - - - 100 90";
    let end = History::new(position("omino", fen)).end().unwrap();
    assert_eq!(end.to_string(), "draw (hundred plies)");
}

#[test]
fn nomino_r4_singles_pass_over_singles_and_nothing_over_doubles() {
    let fen = "10/10/10/10/7s2/10/5p4/10/3P6/3PP5 w - - - 0 1";
    let flat = position("nomino", fen);
    assert_eq!(ends(&flat, "d1+e1+d2"), "a4 b3 c2 e2 f3 g4 h5");
    let expected = "10/10/10/10/7s2/6P3/5pPP2/10/10/10 b - - - 1 1";
    assert_eq!(after("nomino", fen, "d1+e1+d2-g4"), expected);
    let expected = "10/10/10/10/7s2/10/5p4/10/3S6/4P5 b - - - 1 1";
    assert_eq!(after("nomino", fen, "d1-d2"), expected);
    let singles = position("nomino", "10/10/10/10/10/10/4p5/4p5/3PP5/3PP5 w - - - 0 1");
    assert!(ends(&singles, "d1+e1+d2+e2").ends_with("d2 d3 d4 d5 d6 d7 d8 d9 e1 f1 g1 h1 i1"));
    let double = position("nomino", "10/10/10/10/10/10/4s5/10/3PP5/3PP5 w - - - 0 1");
    assert!(ends(&double, "d1+e1+d2+e2").ends_with("d2 d3 e1 f1 g1 h1 i1"));
}

#[test]
fn nomino_r6_a_double_goes_as_a_whole_or_in_part() {
    let general = position("nomino", "10/10/10/10/10/10/4p5/10/3SP5/3PP5 w - - - 0 1");
    assert!(ends(&general, "d1+e1+d2*2+e2").split(' ').any(|end| end == "d9"));
    assert_eq!(ends(&general, "d2*2"), "c3 d3 e3");
    assert_eq!(ends(&general, "d2"), "d3");
}

#[test]
fn nomino_r10_each_arriving_checker_earns_one() {
    let fen = "10/4S5/10/10/10/10/10/10/p9/10 w - - - 4 40";
    let both = "4S5/10/10/10/10/10/10/10/p9/10 b - - 2P 5 40";
    assert_eq!(after("nomino", fen, "e9*2-e10"), both);
    let one = "4P5/4P5/10/10/10/10/10/10/p9/10 b - - P 5 40";
    assert_eq!(after("nomino", fen, "e9-e10"), one);
    let along = "4PP4/10/10/10/10/10/10/10/p9/10 w - - P 4 40";
    let expected = "6PP2/10/10/10/10/10/10/10/p9/10 b - - P 5 40";
    assert_eq!(after("nomino", along, "e10+f10-g10"), expected);
    let black = "10/10/10/10/10/10/10/10/4s5/P9 b - - p 4 40";
    let expected = "10/10/10/10/10/10/10/10/4p5/P3p5 w - - 2p 5 41";
    assert_eq!(after("nomino", black, "e2-e1"), expected);
}

#[test]
fn nomino_drops_make_doubles_and_earn_nothing() {
    let fen = "4PP4/10/10/10/10/10/10/10/p9/10 w - - P 4 40";
    let expected = "4SP4/10/10/10/10/10/10/10/p9/10 b - - - 0 40";
    assert_eq!(after("nomino", fen, "P*e10"), expected);
    assert!(position("nomino", fen).parse_move("P*a2").is_err());
}

#[test]
fn nomino_pro_r9_the_mirror_runs_round_the_board() {
    let fen = "10/10/10/10/10/10/p9/10/7SS1/7S2 w - - - 0 1";
    let piece = "h1*2+h2*2+i2*2";
    let mirror = position("nomino-pro", fen);
    assert_eq!(ends(&mirror, piece), "a8 b7 b9 c6 c8 d5 d7 e4 e6 f3 f5 g2 g4 h3 i2");
    assert_eq!(ends(&position("nomino", fen), piece), "");
}

#[test]
fn doseki_pawns_capture_aside_but_not_in_space() {
    let mut layers = ["9/9/9/9/9/9/9/9/9"; 9];
    layers[3] = "9/9/9/3pp4/9/9/9/9/9";
    layers[4] = "9/9/9/3ppp3/4P4/9/9/9/9";
    layers[5] = "9/9/9/4p4/9/9/9/9/9";
    let pawn = position("doseki", &format!("{} w - - - 0 1", layers.join("|")));
    assert_eq!(pawn.move_texts().unwrap().join(" "), "Ee5-De6 Ee5-Ed6 Ee5-Ef6 Ee5-Fe6");
}

#[test]
fn doseki_r5_both_parts_of_a_move_are_compulsory() {
    let mut layers = ["9/9/9/9/9/9/9/9/9"; 9];
    layers[0] = "9/9/9/9/9/9/9/PP7/PP2p4";
    layers[1] = "9/9/9/9/9/9/9/1P7/P8";
    let wisemen = position("doseki", &format!("{} w - - - 0 1", layers.join("|")));
    let found = ends(&wisemen, "Aa1+Ab1+Aa2+Ab2+Ba1+Bb2");
    let found: Vec<_> = found.split(' ').collect();
    assert_eq!(found.len(), 44);
    for end in ["Ad1", "Aa2", "Aa8", "Ba1", "Ca1"] {
        assert!(found.contains(&end), "{end}");
    }
    for end in ["Ae1", "Ac1", "Ab1", "Aa1"] {
        assert!(!found.contains(&end), "{end}");
    }
}

#[test]
fn doseki_r8_each_arriving_checker_earns_one() {
    let mut layers = ["9/9/9/9/9/9/9/9/9"; 9];
    layers[4] = "9/4PP3/9/9/9/9/9/9/9";
    layers[5] = "9/4P4/9/9/9/9/9/9/p8";
    let fen = format!("{} w - - - 0 1", layers.join("|"));
    layers[4] = "3PP4/9/9/9/9/9/9/9/9";
    layers[5] = "3P5/9/9/9/9/9/9/9/p8";
    let expected = format!("{} b - - 3P 1 1", layers.join("|"));
    assert_eq!(after("doseki", &fen, "Ee8+Ef8+Fe8-Ed9"), expected);
    assert!(after("doseki", &fen, "Ee8-Ee9").ends_with(" b - - P 1 1"));
}

#[test]
fn the_chosen_piece_is_part_of_the_state() {
    for id in ["omino", "nomino", "nomino-pro", "doseki"] {
        let start = Game::by_id(id).unwrap().start();
        let mut steps = Vec::new();
        start.steps(&mut steps);
        let mut keys = vec![start.key()];
        for &step in &steps {
            let mut chosen = start.clone();
            chosen.play(step);
            assert!(chosen.mid_move());
            assert_eq!(chosen.side_to_move(), start.side_to_move());
            assert_eq!(chosen.fen(), start.fen());
            keys.push(chosen.key());
            // No choice is a dead end, and all ways on start where it stands.
            let mut ends = Vec::new();
            assert_eq!(chosen.steps(&mut ends), None);
            assert!(!ends.is_empty());
            for end in ends {
                assert_eq!((end.kind(), end.from()), (step.kind(), step.from()));
                assert_ne!(end.to(), end.from());
            }
        }
        let count = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), count, "{id}: two states have one key");
    }
}

#[test]
fn strings_that_are_no_position_are_refused() {
    const EMPTY: &str = "10/10/10/10/10/10/10/10/10";
    let flat = |rank: &str, rest: &str| format!("{rank}/{EMPTY} {rest}");
    for (id, fen, message) in [
        (
            "omino",
            flat("3S6", "w - - - 0 1"),
            "column 2 (placement): `S` is no piece: the pieces are P",
        ),
        (
            "nomino",
            flat("3Ss1k3", "w - - - 0 1"),
            "column 5 (placement): `k` is no piece: the pieces are PS",
        ),
        (
            "nomino",
            flat("3+P6", "w - - - 0 1"),
            "column 2 (placement): `+P` is no piece: the pieces are PS",
        ),
        (
            "omino",
            flat("3P7", "w - - - 0 1"),
            "column 3 (placement): rank 10 has more than 10 cells",
        ),
        ("omino", flat("3P6", "w K - - 0 1"), "column 34 (rights): expected `-`, found `K`"),
        ("omino", flat("3P6", "w - e3 - 0 1"), "column 36 (en passant): expected `-`, found `e3`"),
        (
            "nomino",
            flat("3P6", "w - - S 0 1"),
            "column 38 (hands): expected hands such as `2Pp`, or `-`",
        ),
        (
            "nomino",
            flat("3P6", "w - - pP 0 1"),
            "column 39 (hands): expected hands such as `2Pp`, or `-`",
        ),
        (
            "nomino",
            flat("3P6", "w - - 2Pp3 0 1"),
            "column 41 (hands): expected hands such as `2Pp`, or `-`",
        ),
        (
            "nomino",
            flat("3P6", "w - - P1p 0 1"),
            "column 39 (hands): expected a number from 2 to 9999, found `1`",
        ),
        (
            "omino",
            flat("3P6", "w - - 02P 0 1"),
            "column 38 (hands): expected a number from 2 to 9999, found `02`",
        ),
        (
            "omino",
            flat("3P6", "w - - 99999999999P 0 1"),
            "column 38 (hands): expected a number from 2 to 9999, found `99999999999`",
        ),
        (
            "doseki",
            flat("3P6", "w - - - 0 1"),
            "column 1 (placement): expected 9 diagrams, found 1",
        ),
    ] {
        check_fault(id, &fen, message);
    }
    // Hands and counters stop where the notation stops.
    let fen = flat("10", "w - - - 0 1").replacen("10/10", "10/4S5", 1);
    let full = fen.replace("- 0 1", "9999P 9999 9999");
    assert!(after("nomino", &full, "e9*2-e10").ends_with(" b - - 9999P 9999 9999"));
}
