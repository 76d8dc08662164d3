//! Who may depend on whom: a crate is a floor of the house and knows only the floors beneath it.

use std::process::Command;

use serde_json::Value;

/// The crates from the ground up, each with what it may depend on of this workspace and of libtorch.
/// The binary links libtorch but leaves the talking to `model` and `train`.
const FLOORS: [(&str, &[&str]); 8] = [
    ("games", &[]),
    ("statistics", &[]),
    ("search", &["games"]),
    ("model", &["games", "search", "tch", "torch-sys"]),
    ("selfplay", &["games", "statistics", "search"]),
    ("arena", &["games", "statistics", "search"]),
    ("train", &["games", "search", "model", "selfplay", "arena", "tch", "torch-sys"]),
    ("raja", &["games", "search", "model", "selfplay", "arena", "train", "torch-sys"]),
];

/// A crate and the names of its normal, dev and build dependencies.
type Package<'a> = (&'a str, Vec<&'a str>);

/// Says of each package what it depends on against [`FLOORS`].
fn wrong_edges(packages: &[Package<'_>]) -> Vec<String> {
    let is_guarded =
        |name: &str| name == "tch" || name == "torch-sys" || FLOORS.iter().any(|(f, _)| *f == name);
    let mut wrong = Vec::new();
    for (package, dependencies) in packages {
        let Some((_, allowed)) = FLOORS.iter().find(|(floor, _)| floor == package) else {
            wrong.push(format!("{package} has no floor"));
            continue;
        };
        for dependency in dependencies {
            if is_guarded(dependency) && !allowed.contains(dependency) {
                wrong.push(format!("{package} -> {dependency}"));
            }
        }
    }
    wrong
}

/// The packages in what `cargo metadata` prints.
fn packages(metadata: &Value) -> Vec<Package<'_>> {
    fn name(object: &Value) -> &str {
        object["name"].as_str().expect("cargo names every package and dependency")
    }
    fn list<'a>(object: &'a Value, key: &str) -> &'a [Value] {
        object[key].as_array().expect("cargo lists packages and their dependencies")
    }
    list(metadata, "packages")
        .iter()
        .map(|package| (name(package), list(package, "dependencies").iter().map(name).collect()))
        .collect()
}

#[test]
fn every_crate_knows_only_the_floors_beneath_it() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version=1", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata = serde_json::from_slice(&output.stdout).unwrap();
    let packages = packages(&metadata);
    assert_eq!(packages.len(), FLOORS.len());
    assert_eq!(wrong_edges(&packages), [""; 0]);
}

#[test]
fn wrong_edges_are_caught() {
    assert_eq!(
        wrong_edges(&[
            ("games", vec!["thiserror", "search"]),
            ("search", vec!["games", "tch"]),
            ("model", vec!["games", "tch", "torch-sys", "selfplay"]),
            ("arena", vec!["torch-sys", "raja"]),
            ("raja", vec!["train", "torch-sys", "tch"]),
            ("basement", vec!["games"]),
        ]),
        [
            "games -> search",
            "search -> tch",
            "model -> selfplay",
            "arena -> torch-sys",
            "arena -> raja",
            "raja -> tch",
            "basement has no floor",
        ]
    );
}

#[test]
fn dependencies_of_every_kind_are_read() {
    let metadata = serde_json::json!({ "packages": [{
        "name": "games",
        "dependencies": [
            { "name": "thiserror", "kind": null },
            { "name": "search", "kind": "dev" },
            { "name": "torch-sys", "kind": "build", "rename": "t" },
        ],
    }]});
    assert_eq!(wrong_edges(&packages(&metadata)), ["games -> search", "games -> torch-sys"]);
}
