//! Input that has to be refused in one sentence: exit code, message, no panic, no backtrace.

use crate::program::{all_games, raja};

#[test]
fn unknown_names_are_answered_with_the_known_ones() {
    raja(&["moves", "halma"])
        .refused(2, &format!("unknown game `halma`: the games are {}", all_games()));
    raja(&["moves", "mgc1-no-HH"]).refused(2, "unknown game `mgc1-no-HH`: `H` is left out twice");
    let commands = "games, rules, show, moves, perft, result, replay, check-vectors, train, \
                    status, plot, selfplay, match, sprt, tournament, ladder, play, uci, xboard, \
                    analyse, records, doctor, net, bench";
    raja(&["movse", "chess"])
        .refused(2, &format!("unknown command `movse`: the commands are {commands}"));
    raja(&["net", "show"]).refused(2, "unknown command `show`: the commands are info");
}

#[test]
fn wrong_usage_is_told_in_one_line() {
    let missing = "the following required arguments were not provided";
    raja(&["moves"]).refused(2, &format!("{missing}: <GAME> (usage: raja moves <GAME>)"));
    raja(&["perft", "chess"])
        .refused(2, &format!("{missing}: <DEPTH> (usage: raja perft <GAME> <DEPTH>)"));
    raja(&["perft", "chess", "two"])
        .refused(2, "invalid value 'two' for '<DEPTH>': invalid digit found in string");
    raja(&["perft", "chess", "2", "--threads", "-1"])
        .refused(2, "unexpected argument '-1' found (usage: raja perft [OPTIONS] <GAME> <DEPTH>)");
    raja(&["perft", "chess", "0", "--divide"]).refused(2, "--divide needs a depth of at least 1");
    raja(&["train", "configs/quick.toml", "--run", "../x"])
        .refused(2, "invalid value '../x' for '--run <NAME>': expected a name, not a path");
    raja(&["show", "chess", "--from", "x"])
        .refused(2, "unexpected argument '--from' found (usage: raja show <GAME>)");
}

#[test]
fn help_and_version_are_no_errors() {
    let help = raja(&["--help"]).done();
    assert!(help.contains("perft"), "{help}");
    assert!(raja(&["perft", "--help"]).done().contains("--divide"));
    assert_eq!(raja(&["--version"]).done(), format!("raja {}\n", env!("CARGO_PKG_VERSION")));
    let bare = raja(&[]);
    assert_eq!((bare.code, bare.out.as_str()), (Some(2), ""));
    assert!(bare.err.contains("Usage: raja <COMMAND>"), "{bare:?}");
}

/// Malformed positions of cheskers and what is said of them, after `bad FEN, `.
const BAD_POSITIONS: [(&str, &str); 15] = [
    ("", "column 1 (placement): expected 7 fields separated by single spaces, found 1"),
    ("startpos", "column 1 (placement): expected 7 fields separated by single spaces, found 1"),
    (
        "rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBKQBNR w - - - 0 1",
        "column 1 (placement): expected 8 ranks, found 7",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/8/PPPPPPPP/RNBKQBNR w - - - 0 1",
        "column 1 (placement): expected 8 ranks, found 9",
    ),
    (
        "rnbqkbnr/ppppXppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - - 0 1",
        "column 14 (placement): `X` is no piece: the pieces are PNBRQK",
    ),
    (
        "rnbqkbnr/pppp♙ppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - - 0 1",
        "column 14 (placement): `♙` is no piece: the pieces are PNBRQK",
    ),
    (
        "rnbqqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - - 0 1",
        "column 1 (placement): no `k`: only the side to move can have lost its king",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKKBNR w - - - 0 1",
        "column 40 (placement): a second `K`",
    ),
    (
        "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - - 0 1",
        "column 18 (placement): rank 7 has more than 8 cells",
    ),
    (
        "rnbqkbnr/pppppppp/7/8/8/8/PPPPPPPP/RNBKQBNR w - - - 0 1",
        "column 19 (placement): rank 6 has 7 of 8 cells",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR x - - - 0 1",
        "column 45 (side to move): expected `w` or `b`, found `x`",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w KQ - - 0 1",
        "column 47 (rights): expected `-`, found `KQ`",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - - -1 1",
        "column 53 (halfmove): expected a whole number from 0 to 9999, found `-1`",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - - 0 1 e2e4",
        "column 57 (fullmove): expected 7 fields separated by single spaces, found 8",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - - 0 1;",
        "column 55 (fullmove): expected a whole number from 1 to 9999, found `1;`",
    ),
];

#[test]
fn malformed_positions_are_refused_with_the_place_of_the_fault() {
    for (fen, problem) in BAD_POSITIONS {
        raja(&["show", "cheskers", "--fen", fen]).refused(2, &format!("bad FEN, {problem}"));
    }
}

#[test]
fn every_command_that_takes_a_position_refuses_a_bad_one() {
    let (fen, problem) = BAD_POSITIONS[2];
    let message = format!("bad FEN, {problem}");
    for command in ["show", "moves", "result"] {
        raja(&[command, "cheskers", "--fen", fen]).refused(2, &message);
    }
    raja(&["perft", "cheskers", "2", "--fen", fen]).refused(2, &message);
    raja(&["replay", "cheskers", "-", "--fen", fen]).refused(2, &message);
}

#[test]
fn kings_are_counted_in_chess_too() {
    let show = |placement| raja(&["show", "chess", "--fen", &format!("{placement} w - - - 0 1")]);
    let kings = "column 1 (placement): expected one white king, found";
    show("4k3/8/8/8/8/8/8/8").refused(2, &format!("bad FEN, {kings} 0"));
    show("4k3/8/8/8/8/8/8/K6K").refused(2, &format!("bad FEN, {kings} 2"));
}

/// The queen has 2,769,819 capture routes here, and no program should try to list them.
const MILLIONS_OF_ROUTES: &str = "7k/4p1p1/1pp5/3p1p2/1pp2p2/4p1p1/1p1p1p2/Q6K w - - - 0 1";

#[test]
fn a_position_with_millions_of_moves_is_no_memory_bomb() {
    let too_many = "the position has more than 65535 moves";
    let fen = ["--fen", MILLIONS_OF_ROUTES];
    raja(&[&["moves", "cheskers"][..], &fen].concat()).refused(2, too_many);
    raja(&[&["perft", "cheskers", "1"][..], &fen].concat()).refused(2, too_many);
    raja(&[&["perft", "cheskers", "4", "--threads", "2"][..], &fen].concat()).refused(2, too_many);
    raja(&[&["perft", "cheskers", "1", "--divide"][..], &fen].concat()).refused(2, too_many);
    assert_eq!(raja(&[&["result", "cheskers"][..], &fen].concat()).done(), "none\n");
    let one_of_them = raja(&[&["replay", "cheskers", "-"][..], &fen].concat());
    assert_eq!(one_of_them.done(), format!("{MILLIONS_OF_ROUTES}\nnone\n"));
}
