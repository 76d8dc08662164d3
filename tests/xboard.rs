//! `raja xboard`: the engine as XBoard talks to it. What it says in detail is in the transcripts of
//! the crate `arena`; here the built program talks, and plays for `raja match` as any engine does.

use std::io::Write as _;

use games::{Dialect, Game};
use serde_json::Value;

use crate::networks;
use crate::program::{fed, raja, talking};

#[test]
fn every_game_is_played() {
    let (mut child, mut to_engine, mut lines) = talking(&["xboard"]);
    let mut say = |text: &str| writeln!(to_engine, "{text}").unwrap();
    say("xboard\nprotover 2");
    assert!(lines.any(|line| line == "feature done=1"));
    for game in Game::all() {
        say(&format!("new\nvariant {}\nst 1\nnps 8\ngo\nping 1", Dialect::Cecp.variant(game)));
        let said: Vec<String> = lines.by_ref().take_while(|line| line != "pong 1").collect();
        let played = said.last().and_then(|line| line.strip_prefix("move "));
        let played = played.unwrap_or_else(|| panic!("{}: {said:?}", game.id));
        let read = Dialect::Cecp.parse_move(&game.start(), played);
        assert!(read.is_ok(), "{}: {said:?}", game.id);
    }
    say("quit");
    assert_eq!(lines.next(), None);
    assert!(child.wait().unwrap().success());
}

#[test]
fn matches_are_played_by_the_rules() {
    let program = env!("CARGO_BIN_EXE_raja");
    let talks = [("uci", "mgc"), ("xboard", "chess"), ("xboard", "mgc"), ("xboard", "shogi2")];
    for (protocol, game) in talks.into_iter().chain([("xboard", "cheskers")]) {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().to_str().unwrap();
        let player = format!("{protocol}:'{program}' {protocol}@5ms");
        let args = ["match", game, &player, "random", "--games", "2", "--json", "--out", out];
        let ran = raja(&args).done();
        let row: Value = serde_json::from_str(&ran).unwrap();
        assert_eq!(row["result"]["complete"], true, "{game} by {protocol}: {ran}");
        for kind in ["forfeit", "resignation"] {
            assert_eq!(row["result"]["ends"][kind], 0, "{game} by {protocol}: {ran}");
        }
    }
}

#[test]
fn a_network_plays_its_own_game() {
    let net = networks::tiny("cheskers");
    let out = fed(&["xboard", "--net", net.file()], "st 1\nnps 8\nusermove a2a3\n").done();
    assert!(out.starts_with("move "), "{out}");
    let out = fed(&["xboard", "mgc"], "protover 2\nanalyze\n").done();
    assert!(out.contains("\nfeature variants=\"mgc,"), "{out}");
    assert!(!out.contains("normal"), "{out}");
}

#[test]
fn what_cannot_be_used_is_refused_before_the_talk() {
    raja(&["xboard", "--net", "none"])
        .refused(2, "cannot read none: No such file or directory (os error 2)");
    let net = networks::tiny("cheskers");
    let message = format!("{} is a network for cheskers, not for mgc", net.file());
    raja(&["xboard", "mgc", "--net", net.file()]).refused(2, &message);
    raja(&["xboard", "halma"]).refused(
        2,
        &format!("unknown game `halma`: the games are {}", crate::program::all_games()),
    );
}
