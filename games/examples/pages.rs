//! Writes the page of every game into a folder, for a change of rules or words that is wanted:
//! `cargo run -p games --example pages -- docs/games`.

use std::path::Path;

use games::Game;

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "docs/games".to_owned());
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    for game in Game::all() {
        std::fs::write(folder.join(game.id).with_extension("md"), game.page())?;
    }
    std::fs::write(folder.join("README.md"), games::index_page())
}
