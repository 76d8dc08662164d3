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
fn facts_of_a_game_come_as_a_page_and_as_json() {
    let folder = tempfile::tempdir().unwrap();
    play_into(folder.path(), "6");
    let folder = folder.path().to_str().unwrap();
    let page = raja(&["records", "stats", "--facts", folder]).done();
    assert!(page.starts_with("# First facts about "), "{page}");
    for row in ["score of the side that moves first", "draws", "length in plies, median"] {
        assert!(page.contains(&format!("\n| {row} | ")), "{row}: {page}");
    }
    let json = raja(&["records", "stats", "--facts", "--json", folder]).done();
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["game"], &json["games"]), (&"cheskers".into(), &6.into()));
    assert!(json["steps"].as_u64() > json["plies"].as_u64(), "{json}");
    let endings = json["endings"].as_array().unwrap();
    let ended: u64 = endings.iter().map(|ending| ending["games"].as_u64().unwrap()).sum();
    assert_eq!(ended, 6);
}

#[test]
fn only_the_last_games_are_counted_if_so_wished() {
    let folder = tempfile::tempdir().unwrap();
    let first = play_into(folder.path(), "3");
    let second = play_into(folder.path(), "2");
    let count = |files: &[&str], last: &str, key: &str| {
        let args = [&["records", "stats", "--json", "--last", last], files].concat();
        serde_json::from_str::<Value>(&raja(&args).done()).unwrap()[key].as_u64().unwrap()
    };
    let all = folder.path().to_str().unwrap();
    assert_eq!(["1", "4", "9"].map(|last| count(&[all], last, "games")), [1, 4, 5]);
    assert_eq!(count(&[all], "2", "steps"), count(&[&second], "9", "steps"));
    assert_eq!(count(&[&second, &first], "3", "steps"), count(&[&first], "9", "steps"));
    raja(&["records", "stats", "--last", "0", all])
        .refused(2, "invalid value '0' for '--last <GAMES>': 0 is not in 1..=4294967295");
}

#[test]
fn facts_need_results_and_one_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let play = |game: &str, cut_off: &str| {
        let args = ["selfplay", game, "--net", "uniform", "--games", "1", "--sims", "1"];
        let told = raja(&[&args[..], &["--cut-off", cut_off, "--out", &path(game)]].concat());
        told.done().lines().next().unwrap().to_owned()
    };
    let (chess, cheskers) = (play("chess", "2"), play("cheskers", "2"));
    let facts = |files: &[&str]| raja(&[&["records", "stats", "--facts"], files].concat());
    facts(&[&cheskers]).refused(2, "no game with a result in these files");
    std::fs::create_dir(path("empty")).unwrap();
    facts(&[&path("empty")])
        .refused(2, &format!("{}: there are no records in this folder", path("empty")));
    facts(&[&cheskers, &chess])
        .refused(2, &format!("{chess}: records of `chess`, not of `cheskers`"));
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

#[test]
fn the_records_of_a_run_are_found_in_its_folder() {
    let run = tempfile::tempdir().unwrap();
    let folder = run.path().to_str().unwrap();
    let stats = || raja(&["records", "stats", folder]);
    let missing = format!("{folder}: there are no records in this folder");
    stats().refused(2, &missing);
    std::fs::create_dir(run.path().join("games")).unwrap();
    stats().refused(2, &missing);
    raja(&["records", "cat", folder]).refused(2, &missing);
    play_into(&run.path().join("games"), "2");
    assert!(stats().done().starts_with("games        2\n"));
}

#[test]
fn only_the_last_games_are_printed_if_so_wished() {
    let folder = tempfile::tempdir().unwrap();
    play_into(folder.path(), "2");
    play_into(folder.path(), "3");
    let folder = folder.path().to_str().unwrap();
    let cat = |more: &[&str]| raja(&[&["records", "cat", folder], more].concat()).done();
    let all = cat(&[]);
    assert_eq!(all.matches("[Variant ").count(), 5, "{all}");
    assert_eq!(cat(&["--last", "9"]), all);
    let last = cat(&["--last", "4"]);
    assert_eq!(last.matches("[Variant ").count(), 4, "{last}");
    assert!(all.ends_with(&format!("\n\n{last}")), "{last}");
}
