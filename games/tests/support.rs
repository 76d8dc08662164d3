//! Positions, moves and messages by their texts, for the tests that go through the rulings.

use games::{Game, Position};

/// The position that `fen` is in the game called `id`.
#[track_caller]
pub(crate) fn position(id: &str, fen: &str) -> Position {
    Game::by_id(id).unwrap().parse_fen(fen).unwrap()
}

/// The position after `moves`, which are separated by spaces.
#[track_caller]
pub(crate) fn play(id: &str, fen: &str, moves: &str) -> Position {
    let mut position = position(id, fen);
    for text in moves.split_whitespace() {
        let chosen = position.parse_move(text).unwrap();
        position.play_move(&chosen);
    }
    position
}

/// The position string after `moves`.
#[track_caller]
pub(crate) fn after(id: &str, fen: &str, moves: &str) -> String {
    play(id, fen, moves).fen()
}

/// Checks all legal moves.
#[track_caller]
pub(crate) fn check_moves(id: &str, fen: &str, moves: &str) {
    check_from(id, fen, "", moves);
}

/// Checks all legal moves whose texts begin with `start`, such as the name of a cell; `ends` are
/// the rests of these texts.
#[track_caller]
pub(crate) fn check_from(id: &str, fen: &str, start: &str, ends: &str) {
    let texts = position(id, fen).move_texts().unwrap();
    let found: Vec<&str> = texts.iter().filter_map(|text| text.strip_prefix(start)).collect();
    assert_eq!(found.join(" "), ends, "{start} in {fen}");
}

/// Checks the message about a bad position string.
#[track_caller]
pub(crate) fn check_fault(id: &str, fen: &str, message: &str) {
    let fault = Game::by_id(id).unwrap().parse_fen(fen).unwrap_err().to_string();
    assert_eq!(fault, format!("bad FEN, {message}"), "{fen}");
}
