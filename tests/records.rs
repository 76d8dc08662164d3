//! `raja selfplay` and `raja records`: games on disk, whole and spoilt.

use std::path::Path;

use serde_json::Value;

use crate::program::{fed, raja};

/// Plays games of cheskers with a network that knows nothing; the name of their file.
fn play_into(folder: &Path, games: &str) -> String {
    let folder = folder.to_str().unwrap();
    let args = ["selfplay", "cheskers", "--net", "uniform", "--games", games, "--sims", "4"];
    let told = raja(&[&args[..], &["--out", folder]].concat()).done();
    told.lines().next().unwrap().to_owned()
}

#[test]
fn games_are_recorded_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("games");
    let first = play_into(&records, "3");
    let second = play_into(&records, "2");
    assert!(first.ends_with("000001.games.zst") && second.ends_with("000002.games.zst"));

    let stats = raja(&["records", "stats", &first]).done();
    assert!(stats.starts_with("games        3\n"), "{stats}");
    let folder = records.to_str().unwrap();
    let json = raja(&["records", "stats", "--json", folder]).done();
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["games"], &json["bad_frames"]), (&5.into(), &0.into()));
}

#[test]
fn recorded_games_can_be_read_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let file = play_into(folder.path(), "2");
    let text = raja(&["records", "cat", &file]).done();
    assert_eq!(text.matches("[Variant \"cheskers\"]\n").count(), 2, "{text}");
    for game in text.split("[Variant ").skip(1) {
        let (headers, moves) = game.split_once("\n\n").unwrap();
        let (headers, moves) = (headers.to_owned(), moves.replace("[", ";"));
        let ran = fed(&["replay", "cheskers", "-"], &moves).done();
        let result = match ran.lines().nth(1).unwrap() {
            "white" => "[Result \"1-0\"]",
            "black" => "[Result \"0-1\"]",
            "draw" => "[Result \"1/2-1/2\"]",
            other => panic!("{other}: {game}"),
        };
        assert!(headers.contains(result), "{game}");
    }
}

#[test]
fn spoilt_records_are_told_and_the_rest_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = play_into(folder.path(), "3");
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&file, &bytes).unwrap();
    let ran = raja(&["records", "stats", &file]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.starts_with("games        2\n"), "{ran:?}");
    assert!(ran.err.starts_with(&format!("{file}: byte ")), "{ran:?}");
    assert!(!ran.err.contains("panicked"), "{ran:?}");
}

#[test]
fn what_is_no_file_of_records_is_refused() {
    raja(&["records", "stats", "none.games.zst"])
        .refused(2, "none.games.zst: could not read: No such file or directory (os error 2)");
    raja(&["records", "cat", "Cargo.toml"]).refused(2, "Cargo.toml: not a file of game records");
    raja(&["records", "dog", "Cargo.toml"])
        .refused(2, "unknown command `dog`: the commands are cat, stats");
    let args = ["selfplay", "cheskers", "--net", "uniform", "--games", "1", "--sims", "0"];
    let ran = raja(&[&args[..], &["--out", "/nowhere"]].concat());
    ran.refused(2, "search.simulations: expected 1 or more, found 0");
}
