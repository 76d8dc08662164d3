//! Node counts: each line of `perft/ID.txt` is a position string, `;`, and the counts at depth 1, 2
//! and so on. The files hold as many depths as are quick.

use games::Game;

use crate::sample::data;

#[test]
fn node_counts() {
    for game in Game::all() {
        let text = std::fs::read_to_string(data("perft", &format!("{}.txt", game.id)))
            .unwrap_or_else(|error| panic!("{} has no node counts: {error}", game.id));
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (fen, counts) = line.split_once("; ").expect("`position; counts`");
            let position = game.parse_fen(fen).unwrap();
            for (depth, count) in (1..).zip(counts.split(' ')) {
                let nodes = games::perft(&position, depth).unwrap();
                assert_eq!(nodes.to_string(), count, "{} at depth {depth}: {fen}", game.id);
            }
        }
    }
}

#[test]
fn divided_counts_add_up() {
    for game in Game::all() {
        let start = game.start();
        let sum: u64 = games::divide(&start, 2).unwrap().iter().map(|(_, nodes)| nodes).sum();
        assert_eq!(Ok(sum), games::perft(&start, 2), "{}", game.id);
    }
}
