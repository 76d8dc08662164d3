//! Node counts: each line of `perft/ID.txt` is a position string, `;`, and the counts at depth 1, 2
//! and so on, as deep as is quick. What takes longer is in `perft/ID.long.txt`, for the long tests.

use games::Game;

use crate::sample::data;

/// Checks the counts in `perft/ID.EXTENSION`, if there is such a file, and tells how many lines it
/// has.
pub(crate) fn check_file(game: &Game, extension: &str) -> usize {
    let text = std::fs::read_to_string(data("perft", &format!("{}.{extension}", game.id)));
    let mut lines = 0;
    for line in text.unwrap_or_default().lines().filter(|line| !line.starts_with('#')) {
        let (fen, counts) = line.split_once("; ").expect("`position; counts`");
        let position = game.parse_fen(fen).unwrap();
        for (depth, count) in (1..).zip(counts.split(' ')) {
            let nodes = games::perft(&position, depth).unwrap();
            assert_eq!(nodes.to_string(), count, "{} at depth {depth}: {fen}", game.id);
        }
        lines += 1;
    }
    lines
}

#[test]
fn node_counts() {
    for game in Game::all() {
        assert!(check_file(game, "txt") > 0, "{} has no node counts", game.id);
    }
}

#[test]
fn divided_counts_add_up() {
    for game in Game::all() {
        let start = game.start();
        // Half a billion nodes are too many for every day.
        let depth = if game.geometry.cell_count() > 128 { 1 } else { 2 };
        let sum: u64 = games::divide(&start, depth).unwrap().iter().map(|(_, nodes)| nodes).sum();
        assert_eq!(Ok(sum), games::perft(&start, depth), "{}", game.id);
    }
}
