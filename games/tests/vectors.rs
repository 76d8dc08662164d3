//! Every line of `vectors/ID.jsonl` and `traces/ID.jsonl` holds.

use std::path::Path;

use games::Game;

/// Checks all lines of `folder/ID.jsonl` of every game that has the file.
fn check_folder(folder: &str) {
    let mut checked = 0;
    for game in Game::all() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests")
            .join(folder)
            .join(game.id)
            .with_extension("jsonl");
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        for (number, line) in text.lines().enumerate() {
            if let Err(error) = games::check_line(game, line) {
                panic!("{}:{}: {error}", path.display(), number + 1);
            }
        }
        checked += 1;
    }
    assert!(checked > 0, "no game has a file in {folder}");
}

#[test]
fn vectors_hold() {
    check_folder("vectors");
}

#[test]
fn traces_hold() {
    check_folder("traces");
}
