//! `raja match`: openings, score, Elo, what is left on the disk.

use std::path::Path;
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
    let other = folder.path().join("other");
    let book = ["--book", book.to_str().unwrap(), "--out", other.to_str().unwrap()];
    let again = [&book[..], &["--threads", "1", "--json"]].concat();
    let again = raja(&[&args[..6], &again].concat()).done();
    let mut again: Value = serde_json::from_str(&again).unwrap();
    again["result"]["seconds"] = saved["result"]["seconds"].clone();
    assert_eq!(again, saved);
}

#[test]
fn a_condition_on_the_score_decides_the_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["match", "chess", "random", "alphabeta:2", "--games", "4", "--at-least"];
    let out = ["--out", folder.path().to_str().unwrap()];
    let least = |percent| raja(&[&args[..], &[percent], &out].concat());
    least("0").done();
    let ran = least("99.5");
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.starts_with("random   alphabeta:2      4 games"), "{ran:?}");
    let last = ran.err.lines().last().unwrap();
    assert!(last.starts_with("random has ") && last.ends_with("99.5% at least"), "{ran:?}");
    // What has been played before is not taken for new.
    assert!(ran.err.contains("4 games have been played before: "), "{ran:?}");
    for percent in ["100.5", "nan", "-1"] {
        let message = format!(
            "invalid value '{percent}' for '--at-least <PERCENT>': expected a number from 0 to 100"
        );
        least(percent).refused(2, &message);
    }
}

#[test]
fn a_folder_in_which_another_process_plays_is_left_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let lock = arena::Lock::take(&folder.path().join("lock")).unwrap();
    let held = format!("{out}: held by process {}", std::process::id());
    let players = ["cheskers", "greedy", "random", "--out", out];
    for kind in ["match", "sprt", "tournament"] {
        raja(&[&[kind], &players[..]].concat()).refused(3, &held);
    }
    drop(lock);
    raja(&[&["match"], &players[..], &["--games", "2"]].concat()).done();
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
    let other = folder.path().join("other");
    let other = ["--out", other.to_str().unwrap()];
    let book = [&book[..], &other].concat();
    let random = ["match", "cheskers", "alphabeta:1", "random", "--games", "4"];
    raja(&[&random[..], &book].concat()).done();
    let chess = ["match", "chess", "random", "random", "--games", "4"];
    let message = format!("opening book {}: game: expected `chess`, found `cheskers`", book[1]);
    raja(&[&chess[..], &book].concat()).refused(2, &message);
}

#[test]
fn players_that_cannot_be_are_refused() {
    let players = "the players are random, greedy, alphabeta:DEPTH, mcts:SIMS, net:PATH[@SIMS], \
                   uci:COMMAND and xboard:COMMAND";
    let refused = |a, message: &str| raja(&["match", "mgc", a, "random"]).refused(2, message);
    refused("stockfish", &format!("unknown player `stockfish`: {players}"));
    refused("mcts:0", "player `mcts:0`: expected simulations from 1 to 1000000, found `0`");
    refused(
        "uci:/no/such/engine",
        "player `uci:/no/such/engine@100ms`: it cannot be started: No such file or directory (os \
         error 2)",
    );
    refused(
        "xboard:true@9nodes",
        "player `xboard:true@9nodes`: its protocol counts no nodes: give it a time, such as 100ms",
    );
    refused(
        "xboard:sh -c 'exit 7'",
        "player `xboard:sh -c 'exit 7'@100ms`: it ended (exit status: 7) instead of answering \
         `protover 2`",
    );
    refused("net:", "player `net:` names no checkpoint: expected net:PATH or net:PATH@SIMS");
    raja(&["match", "mgc", "random", "random", "--games", "3"])
        .refused(2, "invalid value '3' for '--games <N>': expected an even number of 2 or more");
    let folder = tempfile::tempdir().unwrap();
    let out = ["--out", folder.path().to_str().unwrap(), "--book", "none.json"];
    raja(&[&["match", "mgc", "random", "random", "--games", "2"], &out[..]].concat())
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

#[test]
fn a_test_ends_with_a_verdict_and_its_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let sprt = |players: [&str; 2], more: &[&str]| {
        let out = folder.path().join(players.concat());
        let out = ["--elo1", "100", "--out", out.to_str().unwrap()];
        raja(&[&["sprt", "cheskers"], &players[..], &out, more].concat())
    };
    let told = sprt(["greedy", "random"], &[]).done();
    assert!(told.trim_end().ends_with("]: H1 accepted"), "{told}");
    let saved = folder.path().join("greedyrandom/sprt.json");
    let saved = std::fs::read_to_string(saved).unwrap();
    let saved: Value = serde_json::from_str(&saved).unwrap();
    assert_eq!(saved["verdict"], "AcceptH1");
    assert!(saved["result"]["score"]["wins"].as_u64() < Some(1000), "{saved}");

    let ran = sprt(["random", "greedy"], &["--json"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["verdict"], "AcceptH0");
    let ran = sprt(["random", "random"], &["--max-games", "4", "--elo0", "-1"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.trim_end().ends_with("]: undecided"), "{ran:?}");

    sprt(["greedy", "random"], &["--alpha", "0"])
        .refused(2, "alpha: expected a number above 0 and below 0.5, found 0");
    sprt(["greedy", "random"], &["--elo0", "100"])
        .refused(2, "expected -2000 <= elo0 < elo1 <= 2000, found 100 and 100");
    sprt(["greedy", "random"], &["--draw", "1"])
        .refused(2, "draw: expected a score from 0 to below 1, found 1");
}

/// Starts a match, kills it when its journal has so many lines, and returns those that are whole.
fn killed(args: &[&str], journal: &Path, lines: usize) -> String {
    let mut child =
        program(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it was built");
    while std::fs::read_to_string(journal).unwrap_or_default().lines().count() < lines {
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let mut text = std::fs::read_to_string(journal).unwrap();
    text.truncate(1 + text.rfind('\n').unwrap());
    text
}

/// The games of a match are on the disk one by one; the same command goes on after whatever has
/// ended it, and with a greater number of games.
#[test]
fn a_killed_match_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let games = |games| {
        ["match", "cheskers", "mcts:100", "greedy", "--games", games, "--out", out, "--json"]
    };
    let journal = folder.path().join("match.jsonl");
    let kept = killed(&games("200"), &journal, 4);
    let result = |games_played| {
        let told = raja(&games(games_played)).done();
        serde_json::from_str::<Value>(&told).unwrap()["result"].clone()
    };
    let most = (kept.lines().count() + 10) / 2 * 2;
    let whole = result(&most.to_string());
    assert_eq!(whole["pairs"].as_array().unwrap().len(), most / 2);
    let after = std::fs::read_to_string(&journal).unwrap();
    assert!(after.starts_with(&kept), "no finished game is lost");
    assert_eq!(after.lines().count(), 1 + most);
    let texts = std::fs::read_to_string(folder.path().join("games.txt")).unwrap();
    assert_eq!(texts.matches("[White ").count(), most);
    let bad = raja(&["match", "cheskers", "random", "greedy", "--games", "2", "--out", out]);
    let problem = "player A: expected random, found mcts:100; choose another --out";
    let message = format!("{} belongs to another match: {problem}", journal.display());
    assert_eq!(bad.code, Some(2));
    assert!(bad.err.ends_with(&format!("raja: {message}\n")), "{bad:?}");
    assert_eq!(std::fs::read_to_string(&journal).unwrap(), after, "left as it was");
}

/// What is left behind by a match that is killed: games, and engines that have nobody to talk to.
#[test]
#[cfg(unix)]
fn a_killed_match_with_an_engine_loses_only_the_games_under_way() {
    let folder = tempfile::tempdir().unwrap();
    let numbers = folder.path().join("numbers");
    let (engine, list) = (env!("CARGO_BIN_EXE_raja"), numbers.display());
    let player = format!("uci:sh -c 'echo $$ >>{list}; exec {engine} uci'@10ms");
    let out = folder.path().join("out");
    let args = ["match", "mgc", &player, "greedy", "--games", "6", "--threads", "2", "--json"];
    let args = [&args[..], &["--out", out.to_str().unwrap()]].concat();
    let journal = out.join("match.jsonl");
    let kept = killed(&args, &journal, 2);
    let runs = |number: &str| {
        let sent = Command::new("kill").args(["-0", number]).stderr(Stdio::null()).status();
        sent.unwrap().success()
    };
    for number in std::fs::read_to_string(&numbers).unwrap().lines() {
        let begun = std::time::Instant::now();
        while runs(number) {
            assert!(begun.elapsed() < Duration::from_secs(60), "the engine {number} goes on");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    let row: Value = serde_json::from_str(&raja(&args).done()).unwrap();
    assert_eq!(
        (&row["result"]["complete"], &row["result"]["ends"]["forfeit"]),
        (&true.into(), &0.into())
    );
    let after = std::fs::read_to_string(&journal).unwrap();
    assert!(after.starts_with(&kept), "no finished game is lost");
    assert_eq!(after.lines().count(), 1 + 6);
}

/// Commands that cannot be, on the folder of a match: each is refused in a sentence, and the match
/// is as it was.
#[test]
fn a_refused_command_leaves_the_match_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let play = |a: &str, more: &[&str]| {
        let out = folder.path().to_str().unwrap();
        raja(&[&["match", "chess", a, "random", "--out", out][..], more].concat())
    };
    play("greedy", &["--games", "4"]).done();
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let names = ["match.jsonl", "match.json", "openings.json", "games.txt"];
    let before = names.map(read);
    for (player, message) in [
        ("alphabeta:0", "expected a depth in moves from 1 to 20, found `0`"),
        ("mcts:0nodes", "expected nodes from 1 to 1000000, found `0nodes`"),
        ("net:any@0", "expected simulations from 1 to 1000000, found `0`"),
        ("uci:any@0ms", "expected milliseconds from 1 to 3600000, found `0ms`"),
        ("net:any@8,t=-1", "expected a temperature from 0 to 100, found `-1`"),
    ] {
        play(player, &[]).refused(2, &format!("player `{player}`: {message}"));
    }
    let games = "invalid value '0' for '--games <N>': expected an even number of 2 or more";
    play("greedy", &["--games", "0"]).refused(2, games);
    let plies = ["--resign", "0.9", "--adjudicate-plies", "0"];
    play("greedy", &plies).refused(2, "plies: expected a number from 2 to 1000, found 0");
    let book = &before[2];
    let broken = path("broken.json");
    for (text, problem) in [
        (&book[..book.len() / 2], "EOF while parsing "),
        (
            &book.replace("raja openings 1", "pgn"),
            "format: expected `raja openings 1`, found `pgn`",
        ),
        (
            &book.replacen("\"moves\": \"", "\"moves\": \"a1h8 ", 1),
            "opening 1: `a1h8` is not a legal",
        ),
    ] {
        std::fs::write(&broken, text).unwrap();
        let ran = play("greedy", &["--book", &broken]);
        let message = format!("raja: opening book {broken}: {problem}");
        assert!(ran.err.starts_with(&message), "{ran:?}");
        assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{ran:?}");
    }
    assert_eq!(names.map(read), before);
}

#[test]
fn a_tournament_prints_ratings_and_grows() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let play = |players: &[&str], more: &[&str]| {
        raja(&[&["tournament", "cheskers"], players, &["--out", out], more].concat())
    };
    let two = ["random", "greedy"];
    let told = play(&two, &["--games", "10"]).done();
    assert!(told.contains("+0 (anchor)"), "{told}");
    let three = ["random", "greedy", "alphabeta:2"];
    let told = play(&three, &["--games", "10", "--json", "--anchor", "greedy"]).done();
    let standings: Value = serde_json::from_str(&told).unwrap();
    let games = folder.path().join("greedy_random/games.txt");
    assert_eq!(std::fs::read_to_string(games).unwrap().matches("[Variant ").count(), 10);
    assert_eq!(standings["anchor"], "greedy");
    assert_eq!(standings["players"].as_array().unwrap().len(), 3);
    for encounter in standings["encounters"].as_array().unwrap() {
        assert_eq!(encounter["openings"], 5, "{told}");
    }
    let saved = std::fs::read_to_string(folder.path().join("standings.json")).unwrap();
    let mut read: Value = serde_json::from_str(&saved).unwrap();
    assert!(read.as_object_mut().unwrap().remove("crc32c").is_some());
    assert_eq!(read, standings);
    let picture = std::fs::read_to_string(folder.path().join("standings.svg")).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("alphabeta:2"), "{picture}");
    // As a ladder, only neighbours meet.
    let ladder = tempfile::tempdir().unwrap();
    let args = ["tournament", "cheskers", "random", "greedy", "alphabeta:2", "--ladder", "--json"];
    let ran =
        raja(&[&args[..], &["--games", "4", "--out", ladder.path().to_str().unwrap()]].concat());
    let standings: Value = serde_json::from_str(&ran.done()).unwrap();
    assert_eq!(standings["encounters"].as_array().unwrap().len(), 2);

    play(&["random", "random"], &[]).refused(2, "player `random` is listed twice");
    play(&two, &["--anchor", "mcts:3"]).refused(2, "the anchor `mcts:3` is none of the players");
    // Standings follow from the games, which are kept.
    std::fs::write(folder.path().join("standings.json"), &saved[..saved.len() / 2]).unwrap();
    let ran = play(&three, &["--games", "10", "--json", "--anchor", "greedy"]);
    assert!(ran.err.contains("30 games have been played before: "), "{ran:?}");
    assert_eq!(ran.done(), told);
    assert_eq!(std::fs::read_to_string(folder.path().join("standings.json")).unwrap(), saved);
    let ran = play(&two, &["--games", "10", "--draw", "0.1"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("belongs to another match: adjudication: expected "), "{ran:?}");
}

/// Twenty fast games by both protocols.
#[test]
fn fairy_stockfish_plays_chess_and_shogi() {
    let Some(rival) = crate::rivals::fairy_stockfish_or_skip() else { return };
    // Five of each would be an odd number.
    crate::rivals::fast_games(&rival, 6);
    let refused = raja(&["match", "mgc", &format!("uci:{}", rival.display()), "random"]);
    let name = format!("uci:{}@100ms", rival.display());
    assert!(
        refused.err.starts_with(&format!("raja: player `{name}`: it does not play mgc; it plays ")),
        "{refused:?}"
    );
    assert_eq!((refused.code, refused.err.lines().count()), (Some(2), 1), "{refused:?}");
}

#[test]
fn a_match_with_an_engine_that_fails_goes_on_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let talk = "echo uciok; echo readyok; read a; read b; echo readyok; echo no memory >&2";
    let player = format!("uci:sh -c '{talk}; sleep 0.2'");
    let args = ["match", "chess", "random", &player, "--games", "2", "--out", out];
    let ran = raja(&args);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("100.0% (+2 =0 -0)") && ran.out.contains("forfeit 2"), "{ran:?}");
    let note = format!(
        "{player}@100ms ended (exit status: 0) instead of answering `go movetime 100`; its last \
         error was `no memory`"
    );
    assert!(ran.err.contains(&note), "{ran:?}");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(read("games.txt").contains(&format!("[Termination \"forfeit: {note}\"]")));
    let files = std::fs::read_dir(folder.path()).unwrap();
    let mut names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let errors = names.find(|name| name.starts_with("stderr_uci-sh-")).unwrap();
    assert!(read(&errors).contains("no memory\n"));
    // Nothing is played again.
    let again = raja(&args);
    assert_eq!(again.out.lines().next(), ran.out.lines().next(), "{again:?}");
    assert!(!again.err.contains("no memory"), "{again:?}");
}
