//! What README.md promises exists.

use std::collections::BTreeSet;
use std::path::Path;

use crate::program::raja;

fn readme() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

/// The words behind `before` in the README, up to the next that is not part of a command's name.
fn words_behind(before: &str) -> BTreeSet<String> {
    let text = readme();
    let behind = text.split(before).skip(1).filter_map(|rest| {
        let word: String =
            rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '-').collect();
        (!word.is_empty()).then_some(word)
    });
    behind.collect()
}

#[test]
fn every_command_in_the_readme_exists() {
    let mut commands = words_behind("`raja ");
    commands.extend(words_behind("--release -- "));
    assert!(commands.len() > 10, "{commands:?}");
    for command in commands {
        let help = raja(&[&command, "--help"]).done();
        assert!(help.contains("Usage: raja "), "{command}: {help}");
    }
}

#[test]
fn every_make_target_and_preset_in_the_readme_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let makefile = std::fs::read_to_string(root.join("Makefile")).unwrap();
    let mut targets = words_behind("`make ");
    targets.extend(words_behind("\nmake "));
    assert!(targets.contains("train") && targets.contains("setup"), "{targets:?}");
    for target in targets {
        assert!(makefile.contains(&format!("\n{target}:")), "make {target}");
    }
    for preset in words_behind("configs/") {
        assert!(root.join(format!("configs/{preset}.toml")).exists(), "{preset}");
    }
}
