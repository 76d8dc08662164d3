//! `raja play`: a game in the terminal, here played from a script.

use std::io::Write as _;
use std::process::Stdio;

use games::Game;

use crate::networks;
use crate::program::{fed, program, raja};

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

#[test]
fn machines_play_every_game() {
    for game in Game::all() {
        let net = networks::tiny(game.id);
        let net = format!("net:{}@2,t=1", net.file());
        for [white, black] in [[net.as_str(), "alphabeta:1"], ["random", net.as_str()]] {
            let args = ["play", game.id, "--white", white, "--black", black, "--plies", "4"];
            let out = raja(&args).done();
            for player in [format!("white ({white})"), format!("black ({black})")] {
                assert!(out.contains(&format!("{player} plays ")), "{}: {out}", game.id);
            }
        }
    }
}

/// One game of each kind of board and piece.
#[test]
fn games_of_machines_end_on_every_board() {
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
fn what_is_taken_back_can_be_played_again() {
    let fens = |args: &[&str], script: &str| -> Vec<String> {
        let out = fed(&[&["play", "cheskers"], args].concat(), script).done();
        out.lines().filter(|line| line.contains('/')).map(str::to_owned).collect()
    };
    // The answer of the machine too.
    let told = fens(&["--seed", "1"], "e2e3\nfen\nundo\nfen\nredo\nfen\n");
    assert!(told[0].ends_with(" w - - - 2 2") && told[1].ends_with(" 0 1"), "{told:?}");
    assert_eq!(told[2], told[0]);
    let kings = ["--white", "human", "--black", "human", "--fen", KINGS];
    let told = fens(&kings, "d1d2\nd8d7\nfen\nundo\nundo\nfen\nredo\nredo\nfen\n");
    assert_eq!((told[1].as_str(), &told[2]), (KINGS, &told[0]));
    let script = "redo\ne2e3\nundo\ne2d3\nredo\n";
    let out = fed(&["play", "cheskers"], script).done();
    assert_eq!(out.matches("there is no move to play again\n").count(), 2, "{out}");
}

#[test]
fn the_beginning_of_a_move_is_enough() {
    let args = ["play", "cheskers", "--white", "human", "--black", "human"];
    let out = fed(&args, "e2\ne2e\nfen\nbo\n").done();
    assert!(out.contains("`e2` may be e2d3, e2e3, e2f3\n"), "{out}");
    assert!(out.contains("/4P3/PPPP1PPP/RNBKQBNR b "), "{out}");
    assert_eq!(out.matches("black to move\n").count(), 2, "{out}");
}

#[test]
fn sides_can_be_changed() {
    let args = ["play", "cheskers", "--black", "random", "--fen", KINGS];
    let out = fed(&args, "swap\nmoves\n").done();
    assert!(out.contains("white is random, black is human\nwhite (random) plays d1"), "{out}");
    assert!(out.ends_with("d8c7  d8c8  d8d7  d8e7  d8e8\n"), "{out}");
}

#[test]
fn chances_are_shown_below_the_board_if_asked_for() {
    let args = ["play", "cheskers", "--white", "human", "--black", "human", "--sims", "8"];
    let out = fed(&args, "eval on\ne2e3\neval off\ne7e6\n").done();
    let bars: Vec<&str> = out.lines().filter(|line| line.starts_with('[')).collect();
    assert_eq!(bars.len(), 2, "{out}");
    assert!(bars[0].contains("]  white ") && bars[0].contains("%, draw "), "{out}");
    assert!(out.contains(&format!("{}\nblack to move\n", bars[1])), "{out}");
}

#[test]
fn games_are_written_and_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a game.txt");
    let file = file.to_str().unwrap();
    let escaped = file.replace(' ', "\\ ");
    let human = ["--white", "human", "--black", "human"];
    let play = |more: &[&str], script: &str| {
        fed(&[&["play", "cheskers"], &human[..], more].concat(), script).done()
    };
    let out = play(&["--fen", KINGS], &format!("d1e2\nd8d7\nsave {file}\ne2e3\nfen\n"));
    assert!(out.contains(&format!("written to {file}\n")), "{out}");
    let fen = "8/3k4/8/8/8/8/4K3/8 w - - - 2 2\n";
    let out = play(&[], &format!("load {escaped}\nfen\nundo\nresign\nsave {escaped}\n"));
    assert!(out.contains(fen), "{out}");
    // A game that was given up is so when it is read again.
    let out = play(&["--file", file], "");
    assert!(out.ends_with("white wins (black resigned)\n"), "{out}");
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains("[Termination \"resignation\"]\n"), "{text}");
    assert!(text.ends_with("\n1. d1e2 1-0\n"), "{text}");
    // The same text is read by those who read games.
    let replayed = raja(&["replay", "cheskers", file]).done();
    assert!(replayed.starts_with("3k4/8/8/8/8/8/4K3/8 b "), "{replayed}");
}

#[test]
fn a_killed_game_goes_on_where_it_stood() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.txt");
    let args = ["play", "cheskers", "--black", "random", "--file", file.to_str().unwrap()];
    let mut child =
        program(&args).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("it was built");
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"e2e3\n").unwrap();
    let answered = || std::fs::read_to_string(&file).is_ok_and(|text| text.contains("1. e2e3 "));
    while !answered() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let out = fed(&args, "fen\n").done();
    assert!(out.contains("/4P3/PPPP1PPP/RNBKQBNR "), "{out}");
}

#[test]
fn broken_files_are_told_of_and_the_game_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.txt");
    let file = file.to_str().unwrap();
    std::fs::write(file, "[Variant \"cheskers\"]\n\n1. e2e5 *\n").unwrap();
    let out = fed(&["play", "cheskers"], &format!("load {file}\nload none\nfen\n")).done();
    let illegal = format!("{file}: ply 1: `e2e5` is not a legal move here: legal are ");
    assert!(out.contains(&illegal), "{out}");
    assert!(out.contains("none: No such file or directory (os error 2)\n"), "{out}");
    assert!(out.ends_with(" 0 1\n"), "{out}");
    std::fs::write(file, "[Variant \"chess\"]\n\n*\n").unwrap();
    raja(&["play", "cheskers", "--file", file])
        .refused(2, &format!("{file}: it is of the game `chess`, not of `cheskers`"));
    let out = fed(&["play", "cheskers"], "save no/such/folder\nfen\n").done();
    assert!(out.contains("no/such/folder: "), "{out}");
    assert!(out.ends_with(" 0 1\n"), "{out}");
}

#[test]
fn boards_are_coloured_where_colours_are_wanted() {
    let out = |name: &str| {
        let ran = program(&["play", "cheskers", "--black", "random"])
            .env(name, "1")
            .stdin(Stdio::null())
            .output()
            .expect("the program was built");
        String::from_utf8(ran.stdout).unwrap()
    };
    assert!(out("CLICOLOR_FORCE").contains("\x1b[1mR\x1b[0m"));
    assert!(!out("NO_COLOR").contains('\x1b'));
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
    let script = "d1d2\nd8d7\ntake the king\n\nhelp\nresign\nd2d3\nmoves\nresign\nundo\nboard\n";
    let args = ["play", "cheskers", "--white", "human", "--black", "human", "--fen", KINGS];
    let out = fed(&args, script).done();
    for answer in [
        "`take the king` is neither a move nor a command; try `help`\n",
        "resign         give up\n",
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
    let script = "hint\nd2d3\nhint 7\n";
    let args = ["play", "cheskers", "--net", net, "--sims", "20"];
    let out = fed(&args, script).done();
    let opinions: Vec<&str> = out.lines().filter(|line| line.starts_with("white: win ")).collect();
    assert_eq!(opinions.len(), 2, "{out}");
    assert!(opinions[0].contains(" after 20 visits, "), "{out}");
    assert!(opinions[1].contains(" after 7 visits, "), "{out}");
    assert!(opinions[0].contains("; at first sight win "), "{out}");
    assert!(out.contains("  visits   prior    win   draw   loss  line\n"), "{out}");

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
    assert!(opinion.starts_with("white: proven: white in 1 steps after "), "{out}");
    assert!(opinion.lines().nth(2).unwrap().starts_with("d4d6"), "{out}");
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
    let advised = out.split("white: ").nth(1).unwrap().lines().nth(2).unwrap();
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

/// What another program wrote.
const ADJUDICATED: &str = "\
[Event \"a match\"]
[Variant \"cheskers\"]
[White \"A\"]
[Black \"B\"]
[Result \"0-1\"]
[Termination \"adjudication\"]

1. e2e3 {a comment} e7e6 0-1
";

#[test]
fn a_file_stays_as_it_is_until_the_game_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (file, copy) = (path("game.txt"), path("copy.txt"));
    std::fs::write(&file, ADJUDICATED).unwrap();
    let args = ["play", "cheskers", "--white", "random", "--file", &file];
    let out = fed(&args, &format!("save {copy}\nfen\n")).done();
    assert!(!out.contains(" plays ") && out.contains("black wins (adjudication)\n"), "{out}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), ADJUDICATED);
    let text = std::fs::read_to_string(&copy).unwrap();
    for header in ["[Result \"0-1\"]\n", "[Termination \"adjudication\"]\n"] {
        assert!(text.contains(header), "{text}");
    }
    // Whoever takes moves back goes on with the game.
    let out = fed(&args, "undo\n").done();
    assert!(out.ends_with("black to move\n"), "{out}");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(
        text.contains("[Black \"human\"]\n[Result \"*\"]\n[Termination \"unterminated\"]\n"),
        "{text}"
    );
    assert!(text.ends_with("\n1. e2e3 *\n"), "{text}");
}

#[test]
fn an_engine_that_dies_loses_the_game_and_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.txt");
    let file = file.to_str().unwrap();
    let talk = "echo uciok; echo readyok; read a; read b; echo readyok; sleep 0.2";
    let player = format!("uci:sh -c '{talk}'");
    let script = format!("e2e4\nhint 4\nsave {file}\nundo\nfen\nswap\ne2e4\n");
    let args = ["play", "chess", "--black", &player];
    let out = fed(&args, &script).done();
    let problem =
        format!("{player}@100ms ended (exit status: 0) instead of answering `go movetime 100`");
    assert!(out.contains(&format!("white wins (forfeit: {problem})\n")), "{out}");
    assert!(
        out.contains("\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - - 0 1\n"),
        "{out}"
    );
    // Now it has White, and fails again.
    assert!(out.contains(&format!("black wins (forfeit: {problem})\n")), "{out}");
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains("[Result \"1-0\"]\n[Termination \"forfeit: "), "{text}");
    // Nobody could go on here.
    let alone = raja(&["play", "chess", "--white", "random", "--black", &player]);
    assert_eq!((alone.code, alone.err), (Some(3), format!("raja: {problem}\n")));
}

#[test]
fn nothing_is_played_again_in_a_game_that_is_over() {
    let args = ["play", "cheskers", "--white", "human", "--black", "human"];
    let out = fed(&args, "e2e3\nundo\nresign\nredo\nfen\nundo\nredo\nfen\n").done();
    assert_eq!(out.matches("black wins (white resigned)\n").count(), 2, "{out}");
    let fens: Vec<&str> = out.lines().filter(|line| line.contains('/')).collect();
    assert!(fens[0].contains("/PPPPPPPP/") && fens[1].contains("/4P3/PPPP1PPP/"), "{out}");

    // Nor is it forgotten that it is over while there is nothing to take back.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.txt");
    std::fs::write(&file, "[Result \"0-1\"]\n[Termination \"resignation\"]\n\n0-1\n").unwrap();
    let args = ["play", "cheskers", "--white", "random", "--file", file.to_str().unwrap()];
    let out = fed(&args, "undo\nmoves\n").done();
    let over = "there is no move of yours to take back\nblack wins (white resigned)\n";
    assert!(out.ends_with(over), "{out}");
}

#[test]
fn changed_sides_are_remembered_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.txt");
    let args = |fen| {
        let file = file.to_str().unwrap();
        ["play", "cheskers", "--black", "random", "--fen", fen, "--file", file]
    };
    let out = fed(&args(KINGS), "swap\n").done();
    assert!(out.contains("white (random) plays d1"), "{out}");
    let out = fed(&args(KINGS), "d8d7\n").done();
    assert!(!out.contains("black (random)") && out.contains("white (random) plays "), "{out}");
    let out = fed(&args(KINGS), "swap\n").done();
    assert!(out.contains("white is human, black is random\n"), "{out}");
    let out = fed(&args(KINGS), "").done();
    assert!(out.ends_with("white to move\n"), "{out}");

    let other = "3k4/8/8/8/8/8/3K4/8 w - - - 0 1";
    let file = file.display();
    raja(&args(other))
        .refused(2, &format!("{file}: the game in this file does not begin where --fen says"));
}
