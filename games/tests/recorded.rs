//! Games that people have played, one move text a token in `recorded/ID-N.txt`.

use games::{Game, History, Outcome, Side, State};

use crate::sample::data;

/// Replays `recorded/ID-N.txt` and calls `visit` with the position after each ply.
fn replay(game: &str, number: u32, mut visit: impl FnMut(u32, &History)) -> History {
    let mut history = History::new(Game::by_id(game).unwrap().start());
    let text = std::fs::read_to_string(data("recorded", &format!("{game}-{number}.txt"))).unwrap();
    for token in text.split_whitespace() {
        assert_eq!(history.end(), None, "before {token}");
        let chosen = history.position().parse_move(token).unwrap();
        assert_eq!(history.position().move_text(&chosen), token);
        chosen.steps().iter().for_each(|&step| history.play(step));
        visit(history.plies(), &history);
    }
    history
}

/// Replays a game of cheskers, which ends with the capture of the loser's king.
fn check_cheskers(number: u32, plies: u32, winner: Side) {
    let history = replay("cheskers", number, |_, _| {});
    assert_eq!(history.plies(), plies);
    assert_eq!(history.outcome(), Some(Outcome::Win(winner)));
}

/// Rulebook page cheskers.md, section Recorded games.
#[test]
fn cheskers() {
    check_cheskers(1, 5, Side::White);
    check_cheskers(2, 21, Side::White);
    check_cheskers(3, 20, Side::Black);
}

/// Rulebook page mgc.md: Kosintsev - Skuratovsky, Black resigned.
#[test]
fn modern_grand_chess() {
    /// 12. g6e8+, the first of the two checks, takes Black's leap right away.
    const FIRST_CHECK: u32 = 23;
    let history = replay("mgc", 1, |ply, history| {
        let rights = if ply < FIRST_CHECK { "Kk" } else { "K" };
        let fen = history.position().fen();
        let found = fen.split(' ').nth(2).unwrap().split(':').next().unwrap();
        assert_eq!(found, rights, "after {ply} plies: {fen}");
    });
    assert_eq!(history.plies(), 93);
    assert_eq!(history.end(), None);
    let last = "6m1gl/5b2k1/C4a1hp1/4p1pp2/5p4/4pP1K2/10/P1P4PP1/6A3/LG3M2GL b K - - 0 47";
    assert_eq!(history.position().fen(), last);
}
