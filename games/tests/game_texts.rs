//! Games written as text and read again.

use games::{Game, GameText, History, Outcome, Side, State as _, Step, game_text};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng as _;

use crate::sample;
use crate::support::position;

/// The steps of the first moves of a random game.
fn random_steps(game: &Game) -> Vec<Step> {
    const PLIES: u32 = 30;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let (mut history, mut steps) = (History::new(game.start()), Vec::new());
    while history.plies() < PLIES {
        let Some(step) = sample::random_step(&history, &mut random) else { break };
        steps.push(step);
        history.play(step);
    }
    steps
}

#[test]
fn what_is_written_is_read_again() {
    for game in Game::all() {
        let (start, steps) = (game.start(), random_steps(game));
        let headers = [("Variant", game.id), ("FEN", &start.fen()), ("White", r#"a "b" \c"#)];
        let text = game_text(&headers, &start, &steps, Some(Outcome::Win(Side::White)));
        let read = GameText::read(&text, &start).unwrap();
        assert_eq!(read.header("White"), Some(r#"a "b" \c"#));
        assert_eq!(read.start.fen(), start.fen());
        let read: Vec<Step> =
            read.moves.iter().flat_map(|played| played.steps()).copied().collect();
        assert!(read == steps, "{}: {text}", game.id);
    }
}

#[test]
fn a_game_starts_where_its_header_says() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - - 5 40";
    let text = format!("[FEN \"{fen}\"]\n\n1... e8e7 *\n");
    let read = GameText::read(&text, &position("chess", fen)).unwrap();
    assert_eq!((read.start.fen().as_str(), read.moves.len()), (fen, 1));
}

#[test]
fn faults_are_told_with_their_place() {
    let start = Game::by_id("chess").unwrap().start();
    for (text, message) in [
        ("\n[White me]\n", "line 2: expected [Name \"value\"], found `[White me]`"),
        ("[Variant \"mgc\"]\n", "it is of the game `mgc`, not of `chess`"),
        (
            "[White \"me\"]\n[FEN \"8 w\"]\n",
            "line 2: bad FEN, column 3 (side to move): expected 7 fields separated by single \
             spaces, found 2",
        ),
        (
            "[White \"me\"]\n\ne2e4\n{ no end",
            "line 4: the comment that begins with a brace has no end",
        ),
        (
            "1. f2f3 e7e5 2. g2g4 d8h4 3. a2a3",
            "ply 5: `a2a3` comes after the end of the game: black (rules)",
        ),
    ] {
        assert_eq!(GameText::read(text, &start).unwrap_err().to_string(), message);
    }
    let illegal = GameText::read("e2e5", &start).unwrap_err().to_string();
    assert!(illegal.starts_with("ply 1: `e2e5` is not a legal move here: legal are "), "{illegal}");
}

#[test]
fn several_games_are_told_apart() {
    let start = Game::by_id("chess").unwrap().start();
    let text = "\u{feff}[White \"a; {b\"]\n[Black \"c\"]\n\n1. e2e4 { so\n[far] } e7e5 ; [and]\n2. g1f3 *\n\
                [White \"d\"]\n\n1. d2d4 *\n\n; nothing\n[White \"e\"]\n\n*\n";
    let games = GameText::read_all(text, &start).unwrap();
    let told: Vec<_> =
        games.iter().map(|game| (game.header("White").unwrap(), game.moves.len())).collect();
    assert_eq!(told, [("a; {b", 3), ("d", 1), ("e", 0)]);
    assert_eq!(games[0].header("Black"), Some("c"));

    let message = |text: &str| GameText::read_all(text, &start).unwrap_err().to_string();
    assert_eq!(GameText::read(text, &start).unwrap_err().to_string(), "it has 3 games, not one");
    let illegal = message(&text.replace("d2d4", "d2d4 d2d4"));
    assert!(illegal.starts_with("game 2, ply 2: `d2d4` is not a legal move here"), "{illegal}");
    assert_eq!(
        message("e2e4\n[Variant \"mgc\"]\n"),
        "game 2, it is of the game `mgc`, not of `chess`"
    );
    let fen = message("e2e4\n[FEN \"8 w\"]\n");
    assert!(fen.starts_with("game 2, line 2: bad FEN, "), "{fen}");
    assert_eq!(message("e2e4\n[White\n"), "line 2: expected [Name \"value\"], found `[White`");
}

#[test]
fn a_mark_of_the_byte_order_is_no_move() {
    let start = Game::by_id("chess").unwrap().start();
    assert_eq!(GameText::read("\u{feff}1. e2e4 *\n", &start).unwrap().moves.len(), 1);
}
