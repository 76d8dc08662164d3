//! Every game has a page for players, which tells of every piece and is not stale.

use std::collections::BTreeSet;
use std::path::Path;

use games::{Game, Ruling};

/// The unit of White that `unit` is, of whichever side.
fn whites(unit: &str) -> String {
    let letters = unit.replace('(', "[").replace(')', "]");
    if letters.starts_with('[') { letters } else { letters.to_uppercase() }
}

#[test]
fn pages_are_as_the_rules_draw_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/games");
    let mut expected = BTreeSet::from(["README.md".to_owned()]);
    let again = "write them with `cargo run -p games --example pages`";
    for game in Game::all() {
        let file = format!("{}.md", game.id);
        let written = std::fs::read_to_string(folder.join(&file)).unwrap_or_default();
        assert!(written == game.page(), "docs/games/{file} is stale: {again}");
        expected.insert(file);
    }
    let index = std::fs::read_to_string(folder.join("README.md")).unwrap_or_default();
    assert!(index == games::index_page(), "docs/games/README.md is stale: {again}");
    let files = std::fs::read_dir(folder).unwrap();
    let found: BTreeSet<_> =
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(found, expected, "docs/games holds the pages and nothing else");
}

#[test]
fn guides_tell_of_every_piece() {
    for game in Game::all() {
        let (guide, start) = (&game.guide, game.start());
        assert!(!guide.summary.is_empty() && !guide.sections.is_empty(), "{}", game.id);
        let named: BTreeSet<String> =
            guide.pieces.iter().map(|piece| piece.unit.to_owned()).collect();
        assert_eq!(named.len(), guide.pieces.len(), "{}: a piece is told of twice", game.id);
        let units = game.geometry.cells().filter_map(|cell| start.unit(cell));
        // A stack is told of by the checkers it is made of.
        for unit in units.map(|unit| whites(&unit)).filter(|unit| !unit.starts_with('[')) {
            assert!(named.contains(&unit), "{}: nothing is said about {unit}", game.id);
        }
        for ruling in &guide.rulings {
            let (Ruling::Reading(text) | Ruling::Reconstruction(text)) = ruling;
            assert!(text.ends_with('.'), "{}: {text}", game.id);
        }
    }
}

#[test]
fn every_piece_and_example_shows_a_move() {
    for game in Game::all() {
        let page = game.page();
        let pictures = page.split("```text\n").skip(2);
        for picture in pictures.map(|rest| rest.split("```").next().unwrap()) {
            assert!(picture.contains(['*', 'x']), "{}: no move in\n{picture}", game.id);
        }
    }
}
