//! Writes `tests/playthroughs/ID.txt` of every game, for a change of the rules that is wanted.

use std::path::Path;

use games::Game;

#[path = "../tests/playthrough.rs"]
mod playthrough;

fn main() -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/playthroughs");
    std::fs::create_dir_all(&folder)?;
    for game in Game::all() {
        std::fs::write(folder.join(game.id).with_extension("txt"), playthrough::playthrough(game))?;
    }
    Ok(())
}
