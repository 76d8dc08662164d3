//! Speeds of the arena without networks: `cargo bench -p arena`.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use arena::{Entrant, Match, MatchSettings, OpeningBook, OpeningSettings};
use games::Game;

#[allow(clippy::print_stdout, reason = "a bench reports to people")]
fn main() {
    let stop = AtomicBool::new(false);
    let nets = |_: &'static Game, _: &Path| Err("no networks here".to_owned());
    for game in Game::all() {
        let began = Instant::now();
        let book = OpeningBook::find(game, 200, &OpeningSettings::default(), 1, 1, &stop);
        let (found, seconds) = (book.lines.len(), began.elapsed().as_secs_f64());
        println!("{:12} {found} openings on one thread: {seconds:.2} s", game.id);
        for (a, b, games) in [
            ("random", "random", 400),
            ("greedy", "random", 400),
            ("alphabeta:1", "random", 100),
            ("alphabeta:2", "random", 40),
            ("alphabeta:3", "random", 20),
            ("mcts:100", "random", 4),
        ] {
            let entrant = |text: &str| {
                let spec = text.parse().expect("a player");
                Entrant::new(&spec, game, &nets).expect("not a network")
            };
            let (a, b) = (entrant(a), entrant(b));
            let settings = MatchSettings { games, ..MatchSettings::default() };
            let prepared = Match::new(&a, &b, &book, settings).expect("enough openings");
            let result = prepared.play(&|_| {}, &stop).expect("no networks");
            let moves = result.mean_plies * f64::from(games);
            println!(
                "{:12} {:12} {games:4} games, {:5.1} plies each: {:8.1} games/s, {:9.1} plies/s",
                game.id,
                a.name(),
                result.mean_plies,
                f64::from(games) / result.seconds,
                moves / result.seconds,
            );
        }
    }
}
