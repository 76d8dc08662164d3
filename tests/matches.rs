//! `raja match`: openings, score, Elo, what is left on the disk.

use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::program::{program, raja};

#[test]
fn a_match_prints_score_and_elo_and_leaves_its_openings() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new/folder");
    let args = ["match", "cheskers", "greedy", "random", "--games", "20", "--threads", "2"];
    let table = raja(&[&args[..], &["--out", out.to_str().unwrap()]].concat()).done();
    let first = table.lines().next().unwrap();
    assert!(first.starts_with("greedy   random     20 games"), "{table}");
    assert!(first.contains("Elo "), "{table}");

    let read = |name| std::fs::read_to_string(out.join(name)).unwrap();
    let book: Value = serde_json::from_str(&read("openings.json")).unwrap();
    assert_eq!(book["openings"].as_array().unwrap().len(), 10);
    let saved: Value = serde_json::from_str(&read("match.json")).unwrap();
    assert_eq!(saved["result"]["pairs"].as_array().unwrap().len(), 10);

    // The same match again, from the same openings, on another number of threads.
    let book = out.join("openings.json");
    let again = ["--book", book.to_str().unwrap(), "--threads", "1", "--json"];
    let again = raja(&[&args[..6], &again].concat()).done();
    let mut again: Value = serde_json::from_str(&again).unwrap();
    again["result"]["seconds"] = saved["result"]["seconds"].clone();
    assert_eq!(again, saved);
}

#[test]
fn a_condition_on_the_score_decides_the_exit_code() {
    let args = ["match", "chess", "alphabeta:2", "random", "--games", "4", "--at-least"];
    let least = |percent| raja(&[&args[..], &[percent]].concat());
    least("60").done();
    let ran = least("100.5");
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.starts_with("alphabeta:2   random      4 games"), "{ran:?}");
    let last = ran.err.lines().last().unwrap();
    assert!(last.starts_with("alphabeta:2 has ") && last.ends_with("100.5% at least"), "{ran:?}");
}

#[test]
fn a_match_that_would_repeat_its_games_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let args = ["match", "cheskers", "alphabeta:1", "alphabeta:2", "--games"];
    raja(&[&args[..], &["2", "--out", out]].concat()).done();
    let book = folder.path().join("openings.json");
    let book = ["--book", book.to_str().unwrap()];
    raja(&[&args[..], &["4"], &book].concat()).refused(
        2,
        "4 games of alphabeta:1 against alphabeta:2 need 2 different openings and there are 1: \
         neither player varies its play, so further games would be copies; play at most 2 games, \
         or allow longer openings",
    );
    let random = ["match", "cheskers", "alphabeta:1", "random", "--games", "4"];
    raja(&[&random[..], &book].concat()).done();
    let chess = ["match", "chess", "random", "random", "--games", "4"];
    let message = format!("opening book {}: game: expected `chess`, found `cheskers`", book[1]);
    raja(&[&chess[..], &book].concat()).refused(2, &message);
}

#[test]
fn players_that_cannot_be_are_refused() {
    let players = "the players are random, greedy, alphabeta:DEPTH, mcts:SIMS and net:PATH[@SIMS]";
    let refused = |a, message: &str| raja(&["match", "mgc", a, "random"]).refused(2, message);
    refused("stockfish", &format!("unknown player `stockfish`: {players}"));
    refused("mcts:0", "player `mcts:0`: expected simulations from 1 to 1000000, found `0`");
    refused("net:", "player `net:` names no checkpoint: expected net:PATH or net:PATH@SIMS");
    raja(&["match", "mgc", "random", "random", "--games", "3"])
        .refused(2, "invalid value '3' for '--games <N>': expected an even number of 2 or more");
    raja(&["match", "mgc", "random", "random", "--games", "2", "--book", "none.json"])
        .refused(2, "opening book none.json: No such file or directory (os error 2)");
}

#[test]
#[cfg(unix)]
fn an_interrupt_ends_a_match_with_what_has_been_played() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let long = ["match", "cheskers", "mcts:3000", "mcts:3000", "--games", "10", "--out", out];
    let child = program(&long).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !folder.path().join("openings.json").exists() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.contains("stopping; once more to stop at once\n"), "{err}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("(stopped)"));
}
