//! Every line of `vectors/ID.jsonl` and `traces/ID.jsonl` holds.

use std::path::Path;

use games::Game;

/// Checks all lines of `folder/ID.jsonl` of every game but `without`, which have none.
fn check_folder(folder: &str, without: &[&str]) {
    let mut missing = Vec::new();
    for game in Game::all() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests")
            .join(folder)
            .join(game.id)
            .with_extension("jsonl");
        let Ok(text) = std::fs::read_to_string(&path) else {
            missing.push(game.id);
            continue;
        };
        assert!(!text.is_empty(), "{} is empty", path.display());
        for (number, line) in text.lines().enumerate() {
            if let Err(error) = games::check_line(game, line) {
                panic!("{}:{}: {error}", path.display(), number + 1);
            }
        }
    }
    assert_eq!(missing, without, "games without a file in {folder}");
}

#[test]
fn vectors_hold() {
    // The published node counts of these controls stand in `perft/`.
    check_folder("vectors", &["chess", "shogi"]);
}

#[test]
fn traces_hold() {
    check_folder("traces", &[]);
}

/// What is wrong with a line of a file about cheskers.
fn fault(line: &str) -> String {
    let game = Game::by_id("cheskers").unwrap();
    games::check_line(game, line).expect_err("the line is wrong").to_string()
}

#[test]
fn wrong_lines_are_found_out() {
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - - 0 1";
    for (fields, message) in [
        (r#""depth": 2, "nodes": 626"#, "nodes at depth 2: expected 626, found 625"),
        (r#""depth": 2"#, "the vector lacks `nodes`, `moves` or `result`"),
        (r#""nodes": 25"#, "the vector lacks `depth`"),
        (
            r#""moves_sha256": "00""#,
            "SHA-256 of the moves: expected 00, found \
             9d143f19966d3a1760bfdbbd2ce6a54d5d5ac746ba8495ecf92b8129d60e6aa3",
        ),
        (r#""result": "white""#, "the result after 0 plies: expected white, found none"),
        (
            r#""nodes": 25, "depth": 1, "after": {"a2a3": "8/8"}"#,
            "the position after a2a3: expected 8/8, found \
             rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBKQBNR b - - - 1 1",
        ),
        (
            r#""nods": 25"#,
            "not a vector or trace: unknown field `nods`, expected one of \
             `fen`, `depth`, `nodes`, `moves`, `moves_sha256`, `after`, `result`",
        ),
        (
            r#""moves": [], "fens": {"1": "8/8"}, "result": null"#,
            "the position after 1 plies: expected 8/8, found the game ends after 0",
        ),
        (
            r#""moves": [], "fens": {}, "result": "draw""#,
            "the result after 0 plies: expected draw, found none",
        ),
        (
            r#""moves": ["a2a3"], "fens": {"0": "8/8"}, "result": null"#,
            "the position after 0 plies: expected 8/8, found \
             rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - - 0 1",
        ),
    ] {
        assert_eq!(fault(&format!(r#"{{"fen": "{START}", {fields}}}"#)), message);
    }
    let moves = fault(&format!(r#"{{"fen": "{START}", "moves": ["a2a3"]}}"#));
    assert!(moves.starts_with("moves: expected a2a3, found a2a3 a2b3 "), "{moves}");
    let played =
        fault(&format!(r#"{{"fen": "{START}", "moves": ["a2a3", "a2a3"], "fens": {{}}}}"#));
    assert!(played.starts_with("at ply 1: `a2a3` is not a legal move here: "), "{played}");
    assert_eq!(
        fault(r#"{"fen": "8/8", "result": "draw"}"#),
        "`8/8`: bad FEN, column 1 (placement): \
         expected 7 fields separated by single spaces, found 1"
    );
    assert!(fault("{").starts_with("not a vector or trace: EOF"));
}
