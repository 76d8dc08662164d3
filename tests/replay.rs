//! `raja replay`: recorded games, as people write them down.

use std::path::Path;

use crate::program::{fed, raja};

#[test]
fn numbers_marks_comments_and_results_are_passed_over() {
    let score = "\
1. f2f3 e7e5 { a weak
   beginning } 2.g2g4?? ; and this is worse
2... d8h4# 0-1
";
    let ran = fed(&["replay", "chess", "-"], score);
    assert_eq!(ran.err, "4 plies, black (rules)\n");
    assert_eq!(
        ran.done(),
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - - 1 3\nblack\n"
    );
}

/// The random games that the rules are tested with, one of each game, as people would write them.
#[test]
fn recorded_games_of_every_kind_are_replayed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("games/tests/traces");
    for game in games::Game::all() {
        let text = std::fs::read_to_string(folder.join(game.id).with_extension("jsonl")).unwrap();
        let trace: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        let moves = trace["moves"].as_array().unwrap().iter().map(|text| text.as_str().unwrap());
        let score = moves.collect::<Vec<_>>().join(" {so far} ");
        let start = trace["fen"].as_str().unwrap();
        let out = fed(&["replay", game.id, "-", "--fen", start], &score).done();
        let fens = trace["fens"].as_object().unwrap();
        let last = fens.iter().max_by_key(|(ply, _)| ply.parse::<usize>().unwrap()).unwrap().1;
        assert_eq!(out.lines().next(), last.as_str(), "{}", game.id);
        let result = trace["result"].as_str().unwrap_or("none");
        assert_eq!(out.lines().nth(1), Some(result), "{}", game.id);
    }
}

#[test]
fn a_game_may_begin_anywhere_and_end_nowhere() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - - 5 40";
    let ran = fed(&["replay", "chess", "-", "--fen", fen], "40... e8e7 41. e2e3");
    assert_eq!(ran.err, "2 plies, not over\n");
    assert_eq!(ran.done(), "8/4k3/8/8/8/4P3/8/4K3 b - - - 0 41\nnone\n");
    let nothing = fed(&["replay", "chess", "-", "--fen", fen], " { nothing } ").done();
    assert_eq!(nothing, format!("{fen}\nnone\n"));
}

#[test]
fn the_first_illegal_ply_is_named() {
    let fen = "R5nr/4k2p/1p1P4/8/8/1KP2P2/1PP1BPP1/3N2NR w - - - 1 18";
    let replay = |moves| fed(&["replay", "cheskers", "-", "--fen", fen], moves);
    replay("d6d7").refused(2, "ply 1: `d6d7` is not a legal move here: legal are d6f8=Q");
    let ran = fed(&["replay", "chess", "-"], "1. e2e4 e7e5 2. e4e5");
    let legal = "a2a3 a2a4 b1a3 b1c3 b2b3 b2b4 c2c3 c2c4 d1e2 d1f3 d1g4 d1h5 d2d3 d2d4 e1e2 f1a6 f1b5 \
                 f1c4 f1d3 f1e2 f2f3 f2f4 g1e2 g1f3 g1h3 g2g3 g2g4 h2h3 h2h4";
    ran.refused(2, &format!("ply 3: `e4e5` is not a legal move here: legal are {legal}"));
    replay("d6f8=Q e7e6")
        .refused(2, "ply 2: `e7e6` comes after the end of the game: white (rules)");
    let and_again = "g1f3 g8f6 f3g1 f6g8 ".repeat(2);
    fed(&["replay", "chess", "-"], &format!("{and_again} e2e4"))
        .refused(2, "ply 9: `e2e4` comes after the end of the game: draw (repetition)");
}

#[test]
fn a_file_that_is_no_score_is_refused() {
    fed(&["replay", "chess", "-"], "e2e4\n{ no end")
        .refused(2, "line 2: the comment that begins with a brace has no end");
    raja(&["replay", "chess", "no-such-file"])
        .refused(2, "no-such-file: No such file or directory (os error 2)");
}

/// The games that the rulebook pages record: file, final position, result. The final position of
/// the mgc game stands in the rulebook; Black resigned there.
const RECORDED: [(&str, &str, &str); 4] = [
    ("cheskers-1", "rnbq1bnr/ppp1p1pp/3p4/7B/8/4P3/PPPP1PPP/RNBKQ1NR b - - - 0 3", "white"),
    ("cheskers-2", "1nbq3r/1pp3pp/5p2/7B/8/4NP2/P5PP/R1BK3R b - - - 0 11", "white"),
    ("cheskers-3", "1n2kbnr/6pp/8/1R6/8/8/4PPPP/3rQBNR w - - - 0 11", "black"),
    ("mgc-1", "6m1gl/5b2k1/C4a1hp1/4p1pp2/5p4/4pP1K2/10/P1P4PP1/6A3/LG3M2GL b K - - 0 47", "none"),
];

#[test]
fn recorded_games_replay_to_their_end() {
    for (name, fen, result) in RECORDED {
        let (game, _) = name.split_once('-').unwrap();
        let file = format!("games/tests/recorded/{name}.txt");
        assert_eq!(raja(&["replay", game, &file]).done(), format!("{fen}\n{result}\n"), "{name}");
    }
}

#[test]
fn the_games_of_a_match_are_replayed_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let args = ["match", "cheskers", "greedy", "random", "--games", "4", "--out"];
    raja(&[&args[..], &[&path("match")]].concat()).done();
    let file = path("match/games.txt");
    let ran = raja(&["replay", "cheskers", &file]);
    assert!(ran.err.starts_with("4 games, ") && ran.err.contains(" plies, "), "{ran:?}");
    let text = std::fs::read_to_string(&file).unwrap();
    let games: Vec<&str> = text.split("[Variant ").skip(1).collect();
    let out = ran.done();
    assert_eq!(out.lines().count(), 4, "{out}");
    for ((line, game), number) in out.lines().zip(&games).zip(1..) {
        let alone = fed(&["replay", "cheskers", "-"], &format!("[Variant {game}")).done();
        let (fen, result) = alone.trim_end().split_once('\n').unwrap();
        assert!(line.trim_start().starts_with(&format!("{number}  {result} ")), "{line}");
        assert!(line.ends_with(&format!("  {fen}")), "{line}");
    }

    // A file of one game is what `play` takes.
    raja(&["play", "cheskers", "--file", &file])
        .refused(2, &format!("{file}: it has 4 games, not one"));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    let out = fed(&["play", "cheskers"], &format!("load {file}\n")).done();
    assert!(out.contains(&format!("{file}: it has 4 games, not one\n")), "{out}");

    let ran = fed(
        &["replay", "cheskers", "-"],
        "[Round \"1\"]\n\n1. e2e3 *\n\n[Round \"2\"]\n\n1. e2e5 *\n",
    );
    assert!(ran.err.starts_with("raja: game 2, ply 1: `e2e5` is not a legal move here"), "{ran:?}");
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
}
