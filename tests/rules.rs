//! The commands that need only the rules: `games rules show moves perft result`.

use serde_json::Value;

use crate::program::raja;

#[test]
fn games_are_listed_for_people_and_for_programs() {
    let table = raja(&["games"]).done();
    let ids: Vec<&str> = table.lines().filter_map(|line| line.split(' ').next()).collect();
    for id in ["chess", "mgc", "cheskers"] {
        assert!(ids.contains(&id), "{table}");
    }
    let json: Vec<Value> = serde_json::from_str(&raja(&["games", "--json"]).done()).unwrap();
    assert_eq!(json.iter().map(|game| game["id"].as_str().unwrap()).collect::<Vec<_>>(), ids);
    let mgc = json.iter().find(|game| game["id"] == "mgc").unwrap();
    assert_eq!(mgc["cells"], 100);
    for key in ["title", "family", "edition"] {
        assert!(!mgc[key].as_str().unwrap().is_empty(), "{mgc}");
    }
}

#[test]
fn a_page_tells_the_rules_of_a_game() {
    for game in ["chess", "mgc", "cheskers"] {
        let page = std::fs::read_to_string(format!("docs/games/{game}.md")).unwrap();
        assert_eq!(raja(&["rules", game]).done(), page);
    }
}

#[test]
fn show_draws_the_board_above_its_fen() {
    let start = [
        "  8  r n b q k b n r",
        "  7  p p p p p p p p",
        "  6  . . . . . . . .",
        "  5  . . . . . . . .",
        "  4  . . . . . . . .",
        "  3  . . . . . . . .",
        "  2  P P P P P P P P",
        "  1  R N B K Q B N R",
        "",
        "     a b c d e f g h",
        "",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - - 0 1",
        "",
    ];
    let start = start.join("\n");
    assert_eq!(raja(&["show", "cheskers"]).done(), start);

    let fen = "1r2k2r/p4pbp/3n2np/5p2/NP6/4K3/7P/2B5 b - - - 8 17";
    let shown = raja(&["show", "cheskers", "--fen", fen]).done();
    assert_eq!(shown.lines().last(), Some(fen));
    assert!(shown.contains("  3  . . . . K . . .\n"), "{shown}");
}

#[test]
fn moves_are_sorted_one_a_line() {
    let moves = raja(&["moves", "cheskers"]).done();
    let expected = "a2a3 a2b3 b2a3 b2b3 b2c3 c2b3 c2c3 c2d3 d1b3 d1d3 d1f3 d2c3 d2d3 d2e3 e2d3 e2e3 \
                    e2f3 f2e3 f2f3 f2g3 g2f3 g2g3 g2h3 h2g3 h2h3";
    assert_eq!(moves.lines().collect::<Vec<_>>().join(" "), expected);

    let fen = "R5nr/4k2p/1p1P4/8/8/1KP2P2/1PP1BPP1/3N2NR w - - - 1 18";
    assert_eq!(raja(&["moves", "cheskers", "--fen", fen]).done(), "d6f8=Q\n");
}

#[test]
fn moves_of_a_finished_game_are_none() {
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    assert_eq!(raja(&["moves", "chess", "--fen", mated]).done(), "");
}

#[test]
fn perft_counts() {
    assert_eq!(raja(&["perft", "chess", "0"]).done(), "nodes 1\n");
    let ran = raja(&["perft", "chess", "3"]);
    assert!(ran.err.ends_with(" million nodes/s\n"), "{ran:?}");
    assert_eq!(ran.done(), "nodes 8902\n");
    assert_eq!(raja(&["perft", "cheskers", "3"]).done(), "nodes 16689\n");
    let fen = "1n1qkb1r/r1p1p1np/2p2p2/4p1p1/7R/3K2PB/2NPPP2/2B1Q2N b - - - 7 14";
    assert_eq!(raja(&["perft", "cheskers", "2", "--fen", fen]).done(), "nodes 1543\n");
}

#[test]
fn speed_of_move_generators() {
    let table = raja(&["bench", "movegen", "cheskers"]).done();
    assert!(table.starts_with("cheskers  depth ") && table.ends_with(" million nodes/s\n"));
    let json: Value =
        serde_json::from_str(&raja(&["bench", "movegen", "mgc", "--json"]).done()).unwrap();
    let [speed] = json.as_array().unwrap().as_slice() else { panic!("one game: {json}") };
    assert_eq!(speed["game"], "mgc");
    assert!(speed["depth"].as_u64().unwrap() > 1, "{speed}");
    let [nodes, seconds, speed] =
        ["nodes", "seconds", "nodes_per_second"].map(|key| speed[key].as_f64().unwrap());
    assert!((speed - nodes / seconds).abs() < 1.0, "{json}");
}

#[test]
fn speed_of_the_search() {
    let table = raja(&["bench", "search", "cheskers"]).done();
    let [gumbel, puct] = table.lines().collect::<Vec<_>>()[..] else { panic!("{table}") };
    assert!(gumbel.starts_with("cheskers  gumbel   64  ") && gumbel.ends_with(" k simulations/s"));
    assert!(puct.starts_with("cheskers  puct    800  "), "{table}");
    let json: Value =
        serde_json::from_str(&raja(&["bench", "search", "mgc", "--json"]).done()).unwrap();
    let speeds = json.as_array().unwrap();
    assert_eq!(speeds.len(), 2, "{json}");
    for speed in speeds {
        assert_eq!(speed["game"], "mgc");
        let number = |key: &str| speed[key].as_f64().unwrap();
        let rate = number("simulations") / number("seconds");
        assert!((number("simulations_per_second") - rate).abs() < 1.0, "{json}");
        assert!(number("evaluations") > 0.0 && speed["settings"]["look_ahead"] == 512);
    }
}

#[test]
fn perft_divides_by_first_move() {
    let divided = raja(&["perft", "chess", "3", "--divide"]).done();
    let (last, counts) =
        divided.lines().collect::<Vec<_>>().split_last().map(|(l, c)| (*l, c.to_vec())).unwrap();
    assert_eq!(last, "nodes 8902");
    assert_eq!(counts.len(), 20);
    assert_eq!((counts[0], counts[19]), ("a2a3: 380", "h2h4: 420"));
    let sum: u64 =
        counts.iter().map(|line| line.split(": ").nth(1).unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!(sum, 8902);
}

#[test]
fn threads_do_not_change_a_count() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let with =
        |threads| raja(&["perft", "chess", "4", "--fen", kiwipete, "--threads", threads]).done();
    assert_eq!(with("1"), "nodes 4085603\n");
    assert_eq!(with("3"), "nodes 4085603\n");
}

#[test]
fn results() {
    let result = |game, fen| raja(&["result", game, "--fen", fen]).done();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(result("chess", start), "none\n");
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - - 1 3";
    assert_eq!(result("chess", mated), "black\n");
    assert_eq!(result("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), "draw\n");
    assert_eq!(result("chess", "7k/8/6K1/8/8/8/8/R7 b - - 100 90"), "draw\n");
    assert_eq!(result("cheskers", "8/8/8/8/8/8/8/K7 b - - - 0 9"), "white\n");
}
