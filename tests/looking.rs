//! Looking at a run: `raja status` and `raja plot`.

use std::path::Path;

use serde_json::Value;

use crate::program::{raja, within};

/// The status of the run `short` in `folder`, for programs.
fn status(folder: &Path) -> Value {
    serde_json::from_str(&within(folder, &["status", "short", "--json"]).done()).unwrap()
}

/// Checks what is said of the run `short` in `folder` while a process trains there.
pub(crate) fn assert_held(folder: &Path, process: u32) {
    let status = status(folder);
    assert_eq!(status["held_by"], process.to_string());
    assert!(["playing", "learning"].contains(&status["phase"].as_str().unwrap()), "{status}");
}

/// Checks what is said of the run `short` in `folder` after it was interrupted.
pub(crate) fn assert_resting(folder: &Path) {
    let told = within(folder, &["status", "short"]).done();
    assert!(told.starts_with("run        runs/short: cheskers, no process holds it\n"), "{told}");
    let wait = told.lines().nth(1).unwrap();
    assert!(wait.starts_with("waits for  generation ") && wait.contains(" before the"), "{told}");
}

/// Checks what is said of the run `short` in `folder`, eight generations and a strength table, when
/// it is complete, and the picture of it.
pub(crate) fn assert_complete(folder: &Path) {
    let status = status(folder);
    assert_eq!((&status["phase"], &status["held_by"]), (&"complete".into(), &Value::Null));
    assert_eq!((&status["generations"], &status["progress"]), (&8.into(), &1.0.into()));
    assert_eq!(status["strength"]["table"]["rows"].as_array().unwrap().len(), 2);
    let rated = &status["ladder"];
    assert_eq!((&rated["generation"], &rated["anchor"]), (&8.into(), &"greedy".into()));
    assert!(rated["low"].as_f64() < rated["elo"].as_f64(), "{status}");
    assert!(status["rates"]["evaluations"].as_f64().unwrap() > 1.0, "{status}");
    let told = within(folder, &["status", "runs/short"]).done();
    for line in ["waits for  nothing: the run is complete\n", "strength   of checkpoint 8\n"] {
        assert!(told.contains(line), "{told}");
    }
    let elo = told.lines().find(|line| line.starts_with("elo        ")).expect("a rating");
    assert!(
        elo.contains(", +") && elo.ends_with("] over greedy: checkpoint 8 @2, 6 games"),
        "{told}"
    );

    let metrics = std::fs::read_to_string(folder.join("runs/short/metrics.jsonl")).unwrap();
    let generations = metrics.lines().count();
    assert_eq!(within(folder, &["plot", "short"]).done(), "runs/short/plot.svg\n");
    let svg = std::fs::read_to_string(folder.join("runs/short/plot.svg")).unwrap();
    let picture = roxmltree::Document::parse(&svg).expect("the picture is well-formed");
    let texts: Vec<&str> = picture.descendants().filter_map(|node| node.text()).collect();
    let has = |text: &str| texts.iter().any(|found| found.trim() == text);
    for text in ["runs/short: cheskers", "Policy loss", "Results", "Elo", "White", "over random"] {
        assert!(has(text), "{text}: {texts:?}");
    }
    assert!(has("Ladder") && has("Elo over greedy, 2 simulations"), "{texts:?}");
    // White, Black, draws, length and throughput have a point a generation; the losses one a
    // generation with steps, validation one where games were kept; the table two, the ladder three.
    let lines = metrics.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let count = |key: &str| lines.clone().filter(|line| !line[key].is_null()).count();
    let expected = 5 * generations + 3 * count("losses") + 2 * count("validation") + 2 + 3;
    let points = picture.descendants().filter(|node| node.has_tag_name("circle")).count();
    assert_eq!(points, expected);

    // A line that a crash has cut short is left out, and that is said.
    let cut = format!("{}\n{metrics}", &metrics[..40]);
    std::fs::write(folder.join("runs/short/metrics.jsonl"), cut).unwrap();
    let ran = within(folder, &["plot", "short", "--out", "again.svg"]);
    assert_eq!(ran.err, "runs/short/metrics.jsonl: line 1 is left out\n");
    assert_eq!(ran.done(), "again.svg\n");
    assert_eq!(std::fs::read_to_string(folder.join("again.svg")).unwrap(), svg);
    assert!(within(folder, &["status", "short"]).done().contains("left out   lines of metrics"));
    std::fs::write(folder.join("runs/short/metrics.jsonl"), metrics).unwrap();
}

#[test]
fn resignations_are_told_with_how_often_they_are_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("runs/giving-up");
    std::fs::create_dir_all(&run).unwrap();
    std::fs::write(run.join("config.toml"), "[run]\ngame = \"cheskers\"\n").unwrap();
    let mut report = train::GenerationReport {
        resignations: Some(selfplay::Resignations { resigned: 71, played_out: 8, wrong: 1 }),
        ..train::GenerationReport::default()
    };
    let told = |report: &train::GenerationReport| {
        let line = serde_json::to_string(report).unwrap() + "\n";
        std::fs::write(run.join("metrics.jsonl"), line.repeat(3)).unwrap();
        within(folder.path(), &["status", "giving-up"]).done()
    };
    assert!(told(&report).contains("\nresigned   71 games\n"));
    report.false_resignations = Some(train::FalseResignations { rate: 0.0625, games: 48 });
    let told = told(&report);
    let line = "\nresigned   71 games, wrong in 6.2% of 48 played out lately\n";
    assert!(told.contains(line), "{told}");
    assert!(told.contains("\nalarm      resigning is wrong too often"), "{told}");
}

#[test]
fn a_run_that_cannot_be_looked_at_is_told_in_one_sentence() {
    raja(&["status", "absent"]).refused(2, "runs/absent: there is no run: it has no config.toml");
    raja(&["plot", "/absent/run"])
        .refused(2, "/absent/run: there is no run: it has no config.toml");
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("runs/new");
    std::fs::create_dir_all(&run).unwrap();
    std::fs::write(run.join("config.toml"), "[run]\ngame = \"cheskers\"\n").unwrap();
    let told = within(folder.path(), &["status", "new"]).done();
    assert!(told.contains("0 of 2,000 rows before the first step"), "{told}");
    within(folder.path(), &["plot", "new"])
        .refused(2, "runs/new: no generation is complete, there is nothing to draw yet");
    std::fs::write(run.join("state.json"), "{\"format\": 1, \"sec").unwrap();
    let ran = within(folder.path(), &["status", "new"]);
    assert!(ran.err.starts_with("raja: runs/new/state.json: ") && ran.err.lines().count() == 1);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
}
