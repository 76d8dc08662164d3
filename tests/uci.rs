//! `raja uci`: the engine as other programs talk to it. What it says in detail is in the transcripts
//! of the crate `arena`; here the built program talks, with and without a network.

use std::io::Write as _;
use std::time::{Duration, Instant};

use games::Game;

use crate::networks;
use crate::program::{fed, raja, talking};

/// The move in the last line of `talk`.
#[track_caller]
fn best_move(talk: &str) -> &str {
    let last = talk.lines().last().unwrap_or_default();
    let rest = last.strip_prefix("bestmove ").unwrap_or_else(|| panic!("{talk}"));
    rest.split(' ').next().unwrap()
}

#[test]
fn every_game_is_played() {
    let (mut child, mut to_engine, mut lines) = talking(&["uci"]);
    let mut say = |text: &str| writeln!(to_engine, "{text}").unwrap();
    say("uci");
    assert!(lines.any(|line| line == "uciok"));
    for game in Game::all() {
        say(&format!("setoption name UCI_Variant value {}", game.id));
        say("position startpos");
        say("go nodes 8");
        let best = lines.find(|line| line.starts_with("bestmove ")).unwrap();
        say(&format!("query islegal {}", best_move(&best)));
        assert_eq!(lines.next().unwrap(), "response true", "{}: {best}", game.id);
        say(&format!("position startpos moves {}", best_move(&best)));
        say("query p1turn");
        assert_eq!(lines.next().unwrap(), "response false", "{}: {best}", game.id);
    }
    say("quit");
    assert_eq!(lines.next(), None);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_network_plays_its_own_game_and_stops_at_once() {
    let net = networks::with_default_sizes("mgc");
    let (mut child, mut to_engine, mut lines) =
        talking(&["uci", "--net", net.file(), "--threads", "2"]);
    writeln!(to_engine, "setoption name UCI_ShowWDL value true\nposition startpos\nisready")
        .unwrap();
    assert_eq!(lines.next().unwrap(), "readyok");
    writeln!(to_engine, "go infinite").unwrap();
    let report = lines.next().unwrap();
    assert!(report.starts_with("info depth ") && report.contains(" wdl "), "{report}");
    let began = Instant::now();
    writeln!(to_engine, "stop").unwrap();
    let best = lines.find(|line| line.starts_with("bestmove ")).unwrap();
    // A hundredth of that on a machine with nothing else to do.
    assert!(began.elapsed() < Duration::from_secs(10));
    let moves = Game::by_id("mgc").unwrap().start();
    assert!(games::Dialect::Uci.parse_move(&moves, best_move(&best)).is_ok(), "{best}");
    drop(to_engine);
    assert_eq!(lines.next(), None);
    assert!(child.wait().unwrap().success());
}

#[test]
fn the_end_of_the_input_ends_the_talk() {
    let out = fed(&["uci", "cheskers"], "position startpos\ngo nodes 5\n").done();
    assert!(out.contains(" nodes 5 "), "{out}");
    best_move(&out);
    let out = fed(&["uci", "cheskers"], "go infinite").done();
    best_move(&out);
    assert_eq!(fed(&["uci"], "").done(), "");
    assert_eq!(fed(&["uci"], "quit\nisready\n").done(), "");
}

#[test]
fn the_variants_file_is_written_alone() {
    assert_eq!(raja(&["uci", "--variants-ini"]).done(), games::variants_ini());
    for also in [&["agc"][..], &["--net", "none"], &["--threads", "2"]] {
        let message = "the argument '--variants-ini' cannot be used with one or more of the other \
                       specified arguments (usage: raja uci [OPTIONS] [GAME])";
        raja(&[&["uci", "--variants-ini"], also].concat()).refused(2, message);
    }
}

#[test]
fn what_cannot_be_used_is_refused_before_the_talk() {
    raja(&["uci", "--net", "none"])
        .refused(2, "cannot read none: No such file or directory (os error 2)");
    let net = networks::tiny("cheskers");
    let message = format!("{} is a network for cheskers, not for mgc", net.file());
    raja(&["uci", "mgc", "--net", net.file()]).refused(2, &message);
    raja(&["uci", "--threads", "0"])
        .refused(2, "invalid value '0' for '--threads <N>': 0 is not in 1..=256");
}
