//! Debian's `fairy-stockfish` against our own players, on games that both know.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use crate::program::{program, raja};

/// The program, if it is installed.
pub(crate) fn fairy_stockfish() -> Option<PathBuf> {
    installed("fairy-stockfish")
}

/// A program, if it is installed.
pub(crate) fn installed(program: &str) -> Option<PathBuf> {
    // Debian's place for games is not on everybody's path.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let mut places = folders.into_iter().chain([PathBuf::from("/usr/games")]);
    places.find_map(|folder| Some(folder.join(program)).filter(|file| file.exists()))
}

/// The program, or none after saying that there is nothing to test without it.
pub(crate) fn fairy_stockfish_or_skip() -> Option<PathBuf> {
    let found = fairy_stockfish();
    if found.is_none() {
        println!("fairy-stockfish is not installed (apt install fairy-stockfish): skipped");
    }
    found
}

/// Plays `games` fast games of chess and of shogi with each protocol: none may be lost by anything
/// but the rules, and every process has to end by itself when it is told to.
pub(crate) fn fast_games(rival: &Path, games: u32) {
    let folder = tempfile::tempdir().unwrap();
    for (game, opponent) in [("chess", "alphabeta:1"), ("shogi", "greedy")] {
        for (protocol, limit) in [("uci", "30nodes"), ("xboard", "10ms")] {
            let out = folder.path().join(format!("{game}-{protocol}"));
            let ended = folder.path().join(format!("{game}-{protocol}-ended"));
            let [rival, ended_text] = [rival, &ended].map(|path| path.display());
            let player = format!("{protocol}:sh -c '{rival}; echo $? >>{ended_text}'@{limit}");
            let games = games.to_string();
            let out = out.to_str().unwrap();
            let args = ["match", game, &player, opponent, "--games", &games, "--out", out];
            let ran = raja(&[&args[..], &["--threads", "2", "--json"]].concat()).done();
            let row: Value = serde_json::from_str(&ran).unwrap();
            assert_eq!(row["result"]["complete"], true, "{game} by {protocol}: {ran}");
            for kind in ["forfeit", "resignation"] {
                assert_eq!(row["result"]["ends"][kind], 0, "{game} by {protocol}: {ran}");
            }
            let codes = std::fs::read_to_string(&ended).unwrap();
            assert!(codes.lines().all(|code| code == "0"), "{game} by {protocol}: {codes}");
        }
    }
}

/// Kills a process of the engine again and again during a match: the match comes to its end, and no
/// more games are lost so than processes were killed.
pub(crate) fn killed_engines(rival: &Path, games: u32, kills: usize) {
    let folder = tempfile::tempdir().unwrap();
    let numbers = folder.path().join("numbers");
    let [rival, list] = [rival, &numbers].map(|path| path.display());
    let player = format!("uci:sh -c 'echo $$ >>{list}; exec {rival}'@20ms");
    let (games, out) = (games.to_string(), folder.path().join("out"));
    let args = ["match", "chess", &player, "alphabeta:1", "--games", &games, "--json", "--out"];
    let mut command = program(&[&args[..], &[out.to_str().unwrap()]].concat());
    let mut child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    let mut killed = std::collections::HashSet::new();
    while killed.len() < kills {
        std::thread::sleep(Duration::from_millis(300));
        assert!(child.try_wait().unwrap().is_none(), "the match has ended early");
        // An engine that ends before the first game is refused.
        let games = std::fs::read_to_string(out.join("match.jsonl")).unwrap_or_default();
        if games.lines().count() < 2 {
            continue;
        }
        let known = std::fs::read_to_string(&numbers).unwrap_or_default();
        let Some(number) = known.lines().last().filter(|&number| killed.insert(number.to_owned()))
        else {
            continue;
        };
        let sent = std::process::Command::new("kill").args(["-9", number]).status().unwrap();
        assert!(sent.success(), "the engine had ended before it was killed");
    }
    let ran = child.wait_with_output().unwrap();
    let row: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(row["result"]["complete"], true, "{row}");
    let forfeits = row["result"]["ends"]["forfeit"].as_u64().unwrap();
    // One that is killed between two games of its own loses the next one.
    assert_eq!(forfeits, kills as u64, "{row}");
    let text = std::fs::read_to_string(out.join("games.txt")).unwrap();
    assert_eq!(text.matches("ended (signal: 9 (SIGKILL))").count(), kills, "{text}");
}
