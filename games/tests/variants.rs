//! The variants file for Fairy-Stockfish. That it says what the rules say is checked with that
//! program by `make evidence`.

use std::path::Path;

use games::{Game, variants_ini};

#[test]
fn the_file_is_as_it_was() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/variants.ini");
    let written = std::fs::read_to_string(file).unwrap_or_default();
    assert!(
        written == variants_ini(),
        "games/tests/variants.ini is stale: write it with \
         `cargo run -- uci --variants-ini > games/tests/variants.ini`"
    );
}

#[test]
fn every_game_is_told_of_and_has_a_section_if_it_needs_one() {
    let text = variants_ini();
    for game in Game::all() {
        let said: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix(&format!("# {}: ", game.id)))
            .collect();
        let [said] = said[..] else { panic!("{}: {said:?}", game.id) };
        let own = said.starts_with("expressed by its own variant");
        let expressed = said.starts_with("expressed");
        assert!(expressed || said.starts_with("cannot be expressed: "), "{}: {said}", game.id);
        let sections = text.lines().filter(|line| *line == format!("[{}]", game.id)).count();
        assert_eq!(sections, usize::from(expressed && !own), "{}", game.id);
    }
}
