//! `raja check-vectors`: the rules against files of vectors and traces.

use crate::program::{fed, raja};

#[test]
fn vectors_and_traces_of_each_game_pass() {
    let ids = raja(&["games"]).done();
    let ids: Vec<&str> = ids.lines().filter_map(|line| line.split(' ').next()).collect();
    let mut checked = 0;
    for folder in ["games/tests/vectors", "games/tests/traces"] {
        for game in &ids {
            let file = format!("{folder}/{game}.jsonl");
            if !std::fs::exists(&file).unwrap() {
                continue;
            }
            let lines = std::fs::read_to_string(&file).unwrap().lines().count();
            let done = raja(&["check-vectors", game, &file]).done();
            assert_eq!(done, format!("{lines} passed, 0 failed\n"), "{file}");
            checked += 1;
        }
    }
    let files = |folder| std::fs::read_dir(folder).unwrap().count();
    assert_eq!(checked, files("games/tests/vectors") + files("games/tests/traces"));
}

#[test]
fn a_vector_that_the_rules_contradict_is_shown() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - - 0 1";
    let vectors = format!(
        "{{\"fen\": \"{start}\", \"depth\": 1, \"nodes\": 25}}\n\n\
         {{\"fen\": \"{start}\", \"depth\": 2, \"nodes\": 626}}\n\
         {{\"fen\": \"{start}\", \"result\": \"white\"}}\n\
         25\n"
    );
    let ran = fed(&["check-vectors", "cheskers", "-"], &vectors);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], "-:3: nodes at depth 2: expected 626, found 625");
    assert_eq!(lines[1], "-:4: the result after 0 plies: expected white, found none");
    assert!(lines[2].starts_with("-:5: not a vector or trace: "), "{ran:?}");
    assert_eq!(lines[3], "1 passed, 3 failed");
}

#[test]
fn a_file_without_vectors_proves_nothing() {
    fed(&["check-vectors", "mgc", "-"], "\n").refused(2, "-: there are no vectors in it");
    raja(&["check-vectors", "mgc", "none.jsonl"])
        .refused(2, "none.jsonl: No such file or directory (os error 2)");
    raja(&["check-vectors", "mgc", "games"]).refused(2, "games: Is a directory (os error 21)");
}
