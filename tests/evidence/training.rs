//! Training the runs that the evidence is about. Each goes on where it was stopped.

use std::path::Path;

use arena::MatchResult;
use train::{GenerationReport, RunFiles, Settings};

use crate::program::raja;

/// A run that has come to its end.
#[derive(Debug)]
pub(crate) struct Trained {
    /// The command that trained it.
    pub(crate) command: String,
    pub(crate) files: RunFiles,
    pub(crate) settings: Settings,
    /// One a generation.
    pub(crate) reports: Vec<GenerationReport>,
}

impl Trained {
    /// Trains `config` for so many minutes of processor time as `runs/NAME`, with further keys set to
    /// other values. What has been trained already is not trained again.
    pub(crate) fn new(config: &str, name: &str, minutes: u32, others: &[String]) -> Self {
        let minutes = format!("run.minutes={minutes}");
        let own = [minutes, "run.clock=processor".to_owned()];
        let sets = own.iter().chain(others).flat_map(|set| ["--set", set]);
        let args: Vec<&str> = ["train", config, "--run", name].into_iter().chain(sets).collect();
        raja(&args).done();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("runs").join(name);
        let files = RunFiles::open(&root).unwrap();
        let settings = files.settings().unwrap();
        let (reports, _) = files.reports().unwrap();
        let command = format!("raja {}", quoted(&args));
        Self { command, files, settings, reports }
    }

    /// The last checkpoint.
    pub(crate) fn last(&self) -> u32 {
        self.files.newest_checkpoint().unwrap().unwrap()
    }

    /// The checkpoint of the first generation that ended after so many minutes of training.
    pub(crate) fn after(&self, minutes: f64) -> u32 {
        let found = self.reports.iter().find(|report| report.seconds >= minutes * 60.0);
        found.unwrap().generation + 1
    }

    /// A checkpoint as a player with 64 simulations a step, to be shown as `name`.
    pub(crate) fn player(&self, checkpoint: u32, name: String) -> Player {
        let path = self.files.checkpoint(checkpoint);
        let path = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap();
        Player { name, spec: format!("net:{}@64", path.display()) }
    }

    /// What the run was, in a sentence.
    pub(crate) fn summary(&self) -> String {
        let last = self.reports.last().unwrap();
        let evaluations: f64 = self
            .reports
            .iter()
            .map(|report| report.evaluations_per_second * report.selfplay_seconds)
            .sum();
        let (network, learner) = (&self.settings.network, &self.settings.learner);
        format!(
            "A network of {} blocks of {} channels, from nothing, in {:.0} minutes of processor time \
             ({:.0} on two cores): {} generations, {} games, about {:.1} million evaluations, {} steps of \
             {} rows.",
            network.blocks,
            network.channels,
            last.seconds / 60.0,
            last.seconds / 120.0,
            self.reports.len(),
            last.games,
            evaluations / 1e6,
            last.step,
            learner.batch,
        )
    }
}

/// Who plays a match.
#[derive(Debug)]
pub(crate) struct Player {
    /// What the pages call it.
    name: String,
    /// What the command line calls it.
    spec: String,
}

/// A match of so many games on `game`. It goes on where it was stopped.
pub(crate) fn matched(game: &str, a: &Player, b: &Player, games: u32) -> MatchResult {
    let games = games.to_string();
    let told = raja(&["match", game, &a.spec, &b.spec, "--games", &games, "--json"]).done();
    let row: arena::Row = serde_json::from_str(&told).unwrap();
    MatchResult { a: a.name.clone(), b: b.name.clone(), ..row.result }
}

/// Arguments as one types them.
fn quoted(args: &[&str]) -> String {
    let plain = |arg: &str| !arg.contains(|c: char| " \"'[]{}*".contains(c));
    let quote = |arg: &&str| if plain(arg) { (*arg).to_owned() } else { format!("'{arg}'") };
    args.iter().map(quote).collect::<Vec<_>>().join(" ")
}
