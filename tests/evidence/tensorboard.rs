//! What TensorBoard itself reads of a run.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::killing::{folder, start};
use crate::program::ended;
use crate::python::python_with;

/// The release that is asked.
const RELEASE: &str = "tensorboard==2.21.0";

/// Prints all scalars of a folder as `{tag: [[step, time, value], ...]}`.
const SCRIPT: &str = r#"
import json, sys
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
events = EventAccumulator(sys.argv[1], size_guidance={"scalars": 0})
events.Reload()
read = {tag: [[e.step, e.wall_time, e.value] for e in events.Scalars(tag)]
        for tag in events.Tags()["scalars"]}
print(json.dumps(read))
"#;

/// Step, time and value of each figure, by tag. Values have the 24 bits of the event file.
type Figures = BTreeMap<String, Vec<(u32, f64, f32)>>;

/// Kills a run halfway, cuts its event file short, lets the run end, and has TensorBoard read what
/// is there then: the numbers of `metrics.jsonl`, each once.
pub(crate) fn reads_the_same_numbers() {
    let Some(python) = python_with("tensorboard", RELEASE) else {
        println!("{RELEASE} is not installed and pip does not install it: nothing is read by it");
        return;
    };
    let folder = folder();
    let run = folder.path().join("runs/short");
    let mut child = start(folder.path());
    while std::fs::read_to_string(run.join("metrics.jsonl")).map_or(0, |m| m.lines().count()) < 3 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be killed");
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    ended(child);
    let path = train::RunFiles::open(&run).unwrap().tensorboard();
    let events = std::fs::read(&path).unwrap();
    std::fs::write(&path, &events[..events.len() - 100]).unwrap();
    ended(start(folder.path())).done();

    let output = Command::new(python).args(["-c", SCRIPT]).arg(run.join("tensorboard")).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut read: Figures = serde_json::from_slice(&output.stdout).unwrap();
    let expected = figures(&run);
    let ladder = read.split_off("ladder/");
    let of_ladder = |tag: &&String| tag.starts_with("ladder/");
    let tags: Vec<&String> = ladder.keys().take_while(of_ladder).collect();
    assert_eq!(tags, ["ladder/elo", "ladder/high", "ladder/low"]);
    let generations = |tag: &str| ladder[tag].iter().map(|&(step, ..)| step).collect::<Vec<_>>();
    tags.iter().for_each(|tag| assert_eq!(generations(tag), [0, 4, 8]));
    read.extend(ladder.into_iter().filter(|(tag, _)| !of_ladder(&tag)));
    assert_eq!(read, expected);
    let count: usize = expected.values().map(Vec::len).sum();
    println!("TensorBoard reads all {count} figures of {} tags as they are", expected.len());
}

/// The figures of `metrics.jsonl`.
fn figures(run: &Path) -> Figures {
    let mut figures: Figures = BTreeMap::new();
    let metrics = std::fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    for line in metrics.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let step = line["generation"].as_u64().unwrap() as u32;
        let time = line["time"].as_f64().unwrap();
        let mut add = |tag: String, value: &Value| {
            if let Some(value) = value.as_f64() {
                figures.entry(tag).or_default().push((step, time, value as f32));
            }
        };
        for (key, value) in line.as_object().unwrap() {
            match value {
                Value::Object(table) => {
                    table.iter().for_each(|(inner, value)| add(format!("{key}/{inner}"), value));
                }
                _ if key == "generation" || key == "time" => {}
                _ => add(format!("run/{key}"), value),
            }
        }
    }
    figures
}
