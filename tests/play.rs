//! `raja play`: a game in the terminal, here played from a script.

use crate::networks;
use crate::program::{fed, raja};

const KINGS: &str = "3k4/8/8/8/8/8/8/3K4 w - - - 0 1";

#[test]
fn a_game_is_played_to_its_end() {
    // The greedy black king can only walk; White takes him when he is next to the pawn.
    let fen = "8/8/8/3k4/3P4/8/8/3K4 w - - - 0 1";
    let out = fed(&["play", "cheskers", "--fen", fen], "d4d6\n").done();
    assert!(out.starts_with("  8  . . . . . . . .\n"), "{out}");
    assert!(out.ends_with("white wins (rules)\n"), "{out}");
}

#[test]
fn both_sides_can_be_machines() {
    let args = ["play", "cheskers", "--white", "greedy", "--black", "random", "--seed", "5"];
    let out = raja(&args).done();
    assert!(
        out.contains("white (greedy) plays ") && out.contains("black (random) plays "),
        "{out}"
    );
    let ending = out.lines().last().unwrap();
    assert!(ending.contains(" wins (rules)") || ending.starts_with("draw ("), "{ending}");
    assert_eq!(raja(&args).done(), out, "the same seed plays the same game");
}

/// One game of each kind of board and piece.
#[test]
fn machines_play_on_every_board() {
    for game in ["shogi", "cubic", "nihongi", "brilliant", "bermuda", "chips", "nomino", "doseki"] {
        let args = ["play", game, "--white", "greedy", "--black", "random", "--seed", "1"];
        let out = raja(&args).done();
        let ending = out.lines().last().unwrap();
        assert!(ending.contains(" wins (") || ending.starts_with("draw ("), "{game}: {ending}");
    }
}

#[test]
fn what_is_in_hand_is_shown() {
    let fen = "4k4/9/9/9/9/9/9/9/4K4 w - - G2Pp 0 1";
    let out = fed(&["play", "shogi", "--fen", fen], "").done();
    assert!(out.contains("\n     white holds G 2P\n     black holds p\n"), "{out}");
    let out = fed(&["play", "shogi"], "").done();
    assert!(!out.contains("holds"), "{out}");
}

#[test]
fn the_machine_answers_and_undo_takes_both_moves_back() {
    let script = "fen\ne2e3\nfen\nundo\nfen\nundo\nquit\nfen\n";
    let out = fed(&["play", "cheskers", "--seed", "1"], script).done();
    let fens: Vec<&str> = out.lines().filter(|line| line.contains('/')).collect();
    assert_eq!(fens[0], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - - 0 1");
    assert!(fens[1].ends_with("/4P3/PPPP1PPP/RNBKQBNR w - - - 2 2"), "{fens:?}");
    assert_eq!((fens[2], fens.len()), (fens[0], 3));
    assert!(out.contains("black (alphabeta:3) plays "), "{out}");
    assert!(out.ends_with("there is no move of yours to take back\n"), "{out}");
}

#[test]
fn a_machine_with_white_moves_first() {
    let script = "undo\nmoves\n";
    let out = fed(&["play", "cheskers", "--white", "random", "--fen", KINGS], script).done();
    assert!(out.starts_with("white (random) plays d1"), "{out}");
    assert!(out.contains("there is no move of yours to take back"), "{out}");
    assert!(out.ends_with("d8c7  d8c8  d8d7  d8e7  d8e8\n"), "{out}");
}

#[test]
fn legal_moves_are_listed_whole_or_by_cell() {
    let script = "moves e2\nmoves e1\nmoves e9\nmoves\n";
    let out = fed(&["play", "cheskers"], script).done();
    let answers = out.split("white to move\n").nth(1).unwrap();
    let expected = "\
e2d3  e2e3  e2f3
no move begins there
there is no cell `e9`
a2a3  a2b3  b2a3  b2b3  b2c3  c2b3  c2c3  c2d3  d1b3  d1d3  d1f3  d2c3  d2d3
d2e3  e2d3  e2e3  e2f3  f2e3  f2f3  f2g3  g2f3  g2g3  g2h3  h2g3  h2h3
";
    assert_eq!(answers, expected);
}

#[test]
fn what_cannot_be_done_is_answered_and_the_game_goes_on() {
    let script =
        "d1d2\nd8d7\nmove the king\nhint\n\nhelp\nresign\nd1d2\nmoves\nresign\nundo\nboard\n";
    let args = ["play", "cheskers", "--white", "human", "--black", "human", "--fen", KINGS];
    let out = fed(&args, script).done();
    for answer in [
        "`move the king` is neither a move nor a command; try `help`\n",
        "no network plays here; start with --net PATH to ask one\n",
        "resign      give up\n",
        "black wins (white resigned)\n",
        "black wins (white resigned); `undo` takes back, `quit` leaves\n",
    ] {
        assert!(out.contains(answer), "{answer}: {out}");
    }
    assert_eq!(out.matches("white to move\n").count(), 4, "{out}");
    assert_eq!(out.matches("black to move\n").count(), 1, "{out}");

    let out = fed(&args, "e2e4\n").done();
    let illegal = "`e2e4` is not a legal move here: legal are d1c1 d1c2 d1d2 d1e1 d1e2\n";
    assert!(out.ends_with(illegal), "{out}");
}

#[test]
fn a_network_gives_its_opinion() {
    let net = networks::tiny("cheskers");
    let net = net.file();
    let script = "hint\nd2d3\nopinion\n";
    let args = ["play", "cheskers", "--net", net, "--sims", "20"];
    let out = fed(&args, script).done();
    let opinions: Vec<&str> = out.lines().filter(|line| line.starts_with("white: win ")).collect();
    assert_eq!(opinions.len(), 2, "{out}");
    assert!(opinions[0].contains(" after 20 simulations; at first sight win "), "{out}");
    assert!(out.contains(" visits   prior "), "{out}");

    // The network of a player is asked where no other is named.
    let player = format!("net:{net}@8");
    let out = fed(&["play", "cheskers", "--black", &player], "hint\ne2e3\n").done();
    assert!(out.contains("white: win "), "{out}");
    assert!(out.contains(&format!("black ({player}) plays ")), "{out}");
    let out = fed(&["play", "cheskers", "--black", &player, "--sims", "5"], "e2e3\n").done();
    assert!(out.contains(&format!("black (net:{net}@5) plays ")), "{out}");
}

#[test]
fn a_win_that_is_there_is_proven() {
    let net = networks::tiny("cheskers");
    let fen = "8/8/8/3k4/3P4/8/8/3K4 w - - - 0 1";
    let out = fed(&["play", "cheskers", "--net", net.file(), "--fen", fen], "hint\n").done();
    let opinion = out.split("white to move\n").nth(1).unwrap();
    assert!(
        opinion.starts_with("white: proven: white in 1 steps, seen without the network\n"),
        "{out}"
    );
    assert!(opinion.lines().nth(1).unwrap().contains("d4d6"), "{out}");
}

#[test]
fn a_capture_of_many_legs_is_advised_whole() {
    let net = networks::tiny("cheskers");
    // The rook has to take both pawns, over d2 to d3 and over d4 to any cell behind it.
    let fen = "k7/8/8/8/3p4/8/3p4/3R3K w - - - 0 1";
    let play = |script: &str| {
        fed(&["play", "cheskers", "--net", net.file(), "--fen", fen, "--sims", "8"], script).done()
    };
    let moves = play("moves\n");
    let out = play("hint\n");
    let advised = out.split("white: ").nth(1).unwrap().lines().nth(1).unwrap();
    let advised = advised.split_whitespace().next().unwrap();
    assert!(moves.split_whitespace().any(|text| text == advised), "{advised}: {moves}");
    assert!(advised.len() > 4, "{advised}");
}

#[test]
fn players_that_cannot_be_are_refused() {
    let players = "the players are random, greedy, alphabeta:DEPTH, mcts:SIMS, net:PATH[@SIMS], uci:COMMAND \
         and xboard:COMMAND, or human";
    raja(&["play", "mgc", "--black", "nobody"])
        .refused(2, &format!("unknown player `nobody`: {players}"));
    raja(&["play", "mgc", "--black", "net:none@8"]).refused(
        2,
        "player `net:none@8`: cannot read none: No such file or directory (os error 2)",
    );
    raja(&["play", "mgc", "--net", "none"])
        .refused(2, "cannot read none: No such file or directory (os error 2)");
}
