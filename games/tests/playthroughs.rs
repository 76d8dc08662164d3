//! The playthroughs have not changed. After a wanted change write them anew and read the diff:
//! `cargo run -p games --example playthroughs`.

use games::Game;

use crate::playthrough::playthrough;
use crate::sample::data;

#[test]
fn playthroughs_have_not_changed() {
    for game in Game::all() {
        let path = data("playthroughs", &format!("{}.txt", game.id));
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        let found = playthrough(game);
        let difference =
            expected.lines().zip(found.lines()).zip(1..).find(|((old, new), _)| old != new);
        if let Some(((old, new), line)) = difference {
            panic!("{}:{line}: expected\n{old}\nfound\n{new}", path.display());
        }
        assert!(
            expected == found,
            "{}: {} and {} lines",
            path.display(),
            expected.lines().count(),
            found.lines().count()
        );
    }
}
