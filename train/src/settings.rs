//! [`Settings`]: a run's TOML file, read, checked, and written back whole into the run folder.

use std::path::{Path, PathBuf};

use games::Game;
use model::device::{DeviceError, DeviceList};
use model::{NetworkSettings, Precision};
use selfplay::SelfPlaySettings;
use serde::{Deserialize, Serialize};

use crate::clock::ClockChoice;
use crate::gate::GateSettings;
use crate::ladder::LadderSettings;
use crate::layers::{lay_over, layers, merge, read};
use crate::optimizer::OptimizerChoice;

/// The whole configuration of a run: one TOML file, one table a concern.
///
/// Every key has a default except `run.game`; unknown keys are refused. What a run uses is written
/// into its folder with every default spelled out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// What is trained, on what, for how long.
    pub run: RunSettings,
    /// The size of the network.
    #[serde(default)]
    pub network: NetworkSettings,
    /// How games are played for training, including the search.
    #[serde(default)]
    pub selfplay: SelfPlaySettings,
    /// Which positions are trained on.
    #[serde(default)]
    pub replay: ReplaySettings,
    /// How the network is fitted.
    #[serde(default)]
    pub learner: LearnerSettings,
    /// What a new network has to do before it plays.
    #[serde(default)]
    pub gate: GateSettings,
    /// The strength table at the end.
    #[serde(default)]
    pub table: TableSettings,
    /// The ratings of the checkpoints.
    #[serde(default)]
    pub ladder: LadderSettings,
}

/// What is trained, on what, for how long.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSettings {
    /// The id of the game.
    pub game: String,
    /// Everything random in the run derives from this number.
    #[serde(default = "one")]
    pub seed: u64,
    /// `auto`, `cpu`, `cuda` or `cuda:N`; or several, separated by commas. The learner has the first.
    /// They share self-play, or the others do if it goes on while the learner learns.
    #[serde(default)]
    pub device: DeviceList,
    /// Whether games are played while the learner learns: `auto` if there are two or more different
    /// devices, `on` or `off`.
    #[serde(default)]
    pub concurrent: Concurrency,
    /// The arithmetic of self-play and matches: `auto`, `fp32` or `bf16`.
    #[serde(default)]
    pub precision: PrecisionChoice,
    /// Stop after so many minutes of training, all sittings together; 0: no limit.
    #[serde(default)]
    pub minutes: f64,
    /// What these minutes are counted by: `wall` or `processor`.
    #[serde(default)]
    pub clock: ClockChoice,
    /// Stop after so many generations; 0: no limit.
    #[serde(default)]
    pub generations: u32,
    /// Games that each generation plays before the learner's turn.
    #[serde(default = "hundred")]
    pub games: u32,
}

impl RunSettings {
    /// Whether games are played while the learner learns.
    ///
    /// # Errors
    /// If a device cannot be had.
    pub fn is_concurrent(&self) -> Result<bool, DeviceError> {
        Ok(match self.concurrent {
            Concurrency::On => true,
            Concurrency::Off => false,
            Concurrency::Auto => {
                let devices = self.device.shared()?;
                devices.iter().any(|device| *device != devices[0])
            }
        })
    }
}

/// Whether games are played while the learner learns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Concurrency {
    /// If there are two or more different devices.
    #[default]
    Auto,
    /// Also where they share a device.
    On,
    /// In turns.
    Off,
}

fn one() -> u64 {
    1
}

fn hundred() -> u32 {
    100
}

/// The numbers to compute with: `auto`, `fp32` or `bf16`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PrecisionChoice {
    /// bf16 where the device is fast at it, otherwise fp32.
    #[default]
    Auto,
    /// 32 bits.
    Fp32,
    /// 16 bits with the exponent of fp32.
    Bf16,
}

impl PrecisionChoice {
    /// The numbers to compute with on `device`.
    #[must_use]
    pub fn on(self, device: tch::Device) -> Precision {
        match self {
            Self::Fp32 => Precision::Fp32,
            Self::Bf16 => Precision::Bf16,
            Self::Auto => Precision::best_for(device),
        }
    }
}

/// Which positions are trained on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ReplaySettings {
    /// Rows in the window before it begins to grow (c of KataGo's law, see [`crate::window_rows`]).
    pub window: u64,
    /// How fast the window grows with the rows of the run, 0 to 1 (alpha of the law).
    pub exponent: f64,
    /// How steeply the growth begins (beta of the law).
    pub slope: f64,
    /// How often each row is trained on, on average. The learner takes no step beyond that.
    pub passes: f64,
    /// The learner waits until there are so many rows.
    pub minimum: u64,
    /// The share of games that are never trained on, to tell what is learned from what is learned by
    /// heart. It stays what it is for the life of a run.
    pub validation: f64,
    /// Within each game, the share of draws that goes by how much the search's policy differs from
    /// the network's; the rest is even.
    pub surprise: f64,
}

impl Default for ReplaySettings {
    fn default() -> Self {
        Self {
            window: 50_000,
            exponent: 0.75,
            slope: 0.4,
            passes: 2.0,
            minimum: 2_000,
            validation: 0.05,
            surprise: 0.0,
        }
    }
}

/// How the network is fitted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LearnerSettings {
    /// Rows a step.
    pub batch: usize,
    /// `adamw` or `sgd`, which has Nesterov's momentum. A run keeps its optimiser for life.
    pub optimizer: OptimizerChoice,
    /// The highest learning rate, reached after the warm-up.
    pub rate: f64,
    /// The rate falls to this share of the highest by the end of the run, along a cosine; a run
    /// without a limit keeps the highest.
    pub final_rate: f64,
    /// Steps over which the rate rises from 0.
    pub warm_up: u32,
    /// The share of the last steps' direction that `sgd` keeps.
    pub momentum: f64,
    /// Decoupled weight decay of matrices and kernels.
    pub decay: f64,
    /// The gradients are scaled down to this common norm at most.
    pub clip: f64,
    /// The share of the averaged weights that a step keeps. The average plays.
    pub average: f64,
    /// Whether each position is mapped by a random one of the symmetries that the rules have, where
    /// it holds. The board is always turned for the mover.
    pub symmetries: bool,
    /// The share of the search's root value in the value target; the rest is the result.
    pub value_mix: f32,
    /// Weight of the value loss; the policy loss has weight 1.
    pub value_weight: f64,
    /// Weight of the moves-left loss. This head and those that follow are there if `[network]` has
    /// them; weight 0 switches one off, and it is not computed then.
    pub moves_left_weight: f64,
    /// Weight of the soft policy's loss: cross-entropy against the fourth root of the policy target.
    pub soft_policy_weight: f64,
    /// Weight of the loss of the opponent's answer.
    pub reply_weight: f64,
    /// Weight of the loss of who holds each cell at the end, the mean over the cells.
    pub occupancy_weight: f64,
    /// Aid for games that hardly ever end by themselves at first: the share, at step 0, of the final
    /// material in the value target of games that nobody has won; 0 for none.
    pub material_mix: f32,
    /// The lead, in hundredths of a pawn, that counts as 76% of a win there.
    pub material_scale: f32,
    /// The step at which that share has come down to 0.
    pub material_steps: u32,
    /// Forward and backward passes in bf16 with fp32 master weights: `auto` where it is fast.
    pub precision: PrecisionChoice,
}

impl Default for LearnerSettings {
    fn default() -> Self {
        Self {
            batch: 256,
            optimizer: OptimizerChoice::AdamW,
            rate: 2e-3,
            final_rate: 0.05,
            warm_up: 100,
            momentum: 0.9,
            decay: 1e-4,
            clip: 4.0,
            average: 0.99,
            symmetries: true,
            value_mix: 0.5,
            value_weight: 1.0,
            moves_left_weight: 0.1,
            soft_policy_weight: 8.0,
            reply_weight: 0.15,
            occupancy_weight: 1.5,
            material_mix: 0.0,
            material_scale: 300.0,
            material_steps: 2_000,
            precision: PrecisionChoice::Auto,
        }
    }
}

/// The strength table that a run ends with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TableSettings {
    /// Games in each row, half of them with each colour; 0: no table.
    pub games: u32,
    /// Simulations a step of the networks.
    pub simulations: u32,
    /// The players that the last checkpoint meets, besides checkpoint 0.
    pub opponents: Vec<String>,
    /// The players that checkpoint 0 meets.
    pub baseline: Vec<String>,
}

impl Default for TableSettings {
    fn default() -> Self {
        let list = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Self {
            games: 0,
            simulations: 64,
            opponents: list(&["random", "greedy", "alphabeta:2", "alphabeta:3"]),
            baseline: list(&["random", "greedy", "alphabeta:2"]),
        }
    }
}

/// A configuration that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file cannot be read.
    #[error("{}: {source}", file.display())]
    Read {
        /// The configuration file.
        file: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is not TOML.
    #[error("{}: {problem}", file.display())]
    Syntax {
        /// The configuration file.
        file: PathBuf,
        /// Line, column and what was expected.
        problem: String,
    },
    /// A key is unknown, or its value of the wrong type or impossible.
    #[error("{origin}: {key}: {problem}")]
    Key {
        /// The file, or `--set`.
        origin: String,
        /// The key with its table, such as `learner.batch`.
        key: String,
        /// What was expected and what was found.
        problem: String,
    },
}

impl Settings {
    /// Reads `file` and lays `overrides`, each `table.key=value`, over it. A file may begin with
    /// `extends = "other.toml"`, beside it: what it does not say is as there.
    ///
    /// # Errors
    /// If the file cannot be read or a key is unknown, of the wrong type or impossible; the
    /// message names the file, the key, what was expected and what was found.
    pub fn load(file: &Path, overrides: &[String]) -> Result<Self, SettingsError> {
        Self::parse(file, &read(file)?, overrides)
    }

    /// As [`Settings::load`], for a file that has been read already.
    ///
    /// # Errors
    /// As [`Settings::load`].
    pub fn parse(file: &Path, text: &str, overrides: &[String]) -> Result<Self, SettingsError> {
        let layers = layers(file, text)?;
        let mut table = toml::Table::new();
        layers.iter().for_each(|layer| merge(&mut table, &layer.table, ""));
        let mut overridden = Vec::new();
        for text in overrides {
            overridden.push(lay_over(&mut table, text)?);
        }
        let origin_of = |key: &str| match overridden.iter().find(|o| key.starts_with(o.as_str())) {
            Some(_) => "--set".to_owned(),
            None => {
                let named = layers.iter().rev().find(|layer| layer.names(key));
                named.map_or(file, |layer| &layer.file).display().to_string()
            }
        };
        let settings: Self = serde_path_to_error::deserialize(table).map_err(|error| {
            let key = error.path().to_string();
            let problem = expected_found(error.inner().message());
            SettingsError::Key { origin: origin_of(&key), key, problem }
        })?;
        settings.check().map_err(|(key, problem)| SettingsError::Key {
            origin: origin_of(&key),
            key,
            problem,
        })?;
        Ok(settings)
    }

    /// The game of the run.
    ///
    /// # Panics
    /// Never for settings that came from [`Settings::parse`].
    #[must_use]
    pub fn game(&self) -> &'static Game {
        Game::by_id(&self.run.game).expect("checked when the settings were read")
    }

    /// The TOML text with every key.
    #[must_use]
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("settings are plain tables")
    }

    /// Refuses values that are of the right type and still impossible: key and problem.
    fn check(&self) -> Result<(), (String, String)> {
        let Self { run, network, selfplay, replay, learner, gate, table, ladder } = self;
        let game =
            Game::by_id(&run.game).map_err(|error| ("run.game".to_owned(), error.to_string()))?;
        network.validate().map_err(|error| {
            let model::SettingsError { key, least, most, found } = error;
            (format!("network.{key}"), out_of_range(&found, &least, &most))
        })?;
        selfplay.check().map_err(|error| {
            let text = error.to_string();
            let (key, problem) = text.split_once(": ").unwrap_or(("", &text));
            (format!("selfplay.{key}"), problem.to_owned())
        })?;
        within("run.minutes", run.minutes, 0.0..=1e7)?;
        within("run.games", run.games, 1..=10_000_000)?;
        within("replay.window", replay.window, 1..=1 << 40)?;
        within("replay.exponent", replay.exponent, 0.01..=1.0)?;
        within("replay.slope", replay.slope, 0.0..=1.0)?;
        within("replay.passes", replay.passes, 0.01..=1000.0)?;
        within("replay.minimum", replay.minimum, 1..=1 << 40)?;
        within("replay.validation", replay.validation, 0.0..=0.5)?;
        within("replay.surprise", replay.surprise, 0.0..=1.0)?;
        within("learner.batch", learner.batch, 1..=1 << 20)?;
        within("learner.rate", learner.rate, 1e-9..=10.0)?;
        within("learner.final_rate", learner.final_rate, 0.0..=1.0)?;
        within("learner.momentum", learner.momentum, 0.0..=0.9999)?;
        within("learner.decay", learner.decay, 0.0..=1.0)?;
        within("learner.clip", learner.clip, 1e-6..=1e9)?;
        within("learner.average", learner.average, 0.0..=0.999_999)?;
        within("learner.value_mix", learner.value_mix, 0.0..=1.0)?;
        within("learner.value_weight", learner.value_weight, 0.0..=1000.0)?;
        within("learner.moves_left_weight", learner.moves_left_weight, 0.0..=1000.0)?;
        within("learner.soft_policy_weight", learner.soft_policy_weight, 0.0..=1000.0)?;
        within("learner.reply_weight", learner.reply_weight, 0.0..=1000.0)?;
        within("learner.occupancy_weight", learner.occupancy_weight, 0.0..=1000.0)?;
        within("learner.material_mix", learner.material_mix, 0.0..=1.0)?;
        within("learner.material_scale", learner.material_scale, 1.0..=1e6)?;
        within("learner.material_steps", learner.material_steps, 1..=1_000_000_000)?;
        gate.check().map_err(|(key, problem)| (format!("gate.{key}"), problem))?;
        ladder.check(game).map_err(|(key, problem)| (format!("ladder.{key}"), problem))?;
        within("table.games", table.games, 0..=1_000_000)?;
        within("table.simulations", table.simulations, 1..=1_000_000)?;
        if table.games % 2 != 0 {
            let problem = format!("expected an even number, found {}", table.games);
            return Err(("table.games".to_owned(), problem));
        }
        for (key, players) in
            [("table.opponents", &table.opponents), ("table.baseline", &table.baseline)]
        {
            for player in players {
                let wrong = |problem: String| (key.to_owned(), problem);
                let spec: arena::PlayerSpec = player.parse().map_err(|e| wrong(format!("{e}")))?;
                if table.games > 0 {
                    spec.check(game).map_err(|error| wrong(error.to_string()))?;
                }
            }
        }
        Ok(())
    }
}

/// Refuses a `value` outside `range`.
fn within<T: PartialOrd + Copy + std::fmt::Display>(
    key: &str,
    value: T,
    range: std::ops::RangeInclusive<T>,
) -> Result<(), (String, String)> {
    if range.contains(&value) {
        return Ok(());
    }
    Err((key.to_owned(), out_of_range(&value, range.start(), range.end())))
}

fn out_of_range<T: std::fmt::Display>(found: &T, least: &T, most: &T) -> String {
    format!("expected a number from {least} to {most}, found {found}")
}

/// serde's "invalid type: X, expected Y" in the order in which people ask.
fn expected_found(message: &str) -> String {
    let stripped =
        message.strip_prefix("invalid type: ").or_else(|| message.strip_prefix("invalid value: "));
    match stripped.and_then(|rest| rest.rsplit_once(", expected ")) {
        Some((found, expected)) => format!("expected {}, found {found}", plain_type(expected)),
        None => message.to_owned(),
    }
}

/// The words for a Rust number type.
fn plain_type(name: &str) -> &str {
    match name {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, 0 or more",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a boolean" => "true or false",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str, overrides: &[&str]) -> Result<Settings, String> {
        let overrides: Vec<String> = overrides.iter().map(|&o| o.to_owned()).collect();
        Settings::parse(Path::new("x.toml"), text, &overrides).map_err(|error| error.to_string())
    }

    const LEAST: &str = "[run]\ngame = \"cheskers\"\n";

    #[test]
    fn only_the_game_has_no_default() {
        assert_eq!(parse(LEAST, &[]).unwrap().game().id, "cheskers");
        assert_eq!(parse("[run]\n", &[]).unwrap_err(), "x.toml: run: missing field `game`");
    }

    #[test]
    fn a_configuration_says_in_what_it_differs_from_another() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let write = |name: &str, text: &str| std::fs::write(path(name), text).unwrap();
        let load = |name: &str| {
            let loaded = Settings::load(&path(name), &["learner.clip=2".to_owned()]);
            loaded.map_err(|error| error.to_string())
        };
        write("base.toml", &format!("{LEAST}seed = 5\n[learner]\nbatch = 64\nrate = 0.5\n"));
        let puct = "[selfplay.search.algorithm.puct]\nc_init = 2.0\n";
        write("middle.toml", &format!("extends = \"base.toml\"\n[learner]\nrate = 0.25\n{puct}"));
        write("top.toml", "extends = \"middle.toml\"\n[run]\ngame = \"chess\"\n");

        let settings = load("top.toml").unwrap();
        assert_eq!((settings.run.game.as_str(), settings.run.seed), ("chess", 5));
        let LearnerSettings { batch, rate, clip, .. } = settings.learner;
        assert_eq!((batch, rate, clip), (64, 0.25, 2.0));
        // Another choice replaces the one below it.
        write("over.toml", "extends = \"top.toml\"\n[selfplay.search.algorithm.gumbel]\n");
        assert_ne!(load("over.toml").unwrap().selfplay, settings.selfplay);

        // A wrong value is looked for where it stands.
        write("middle.toml", "extends = \"base.toml\"\n[learner]\nrate = \"fast\"\n");
        let middle = path("middle.toml").display().to_string();
        let wrong = load("top.toml").unwrap_err();
        assert!(wrong.starts_with(&format!("{middle}: learner.rate: expected")), "{wrong}");

        write("base.toml", "extends = \"top.toml\"\n");
        let base = path("base.toml").display().to_string();
        assert_eq!(
            load("top.toml").unwrap_err(),
            format!("{base}: extends: the configuration extends itself")
        );
        write("base.toml", "extends = 5\n");
        assert_eq!(
            load("top.toml").unwrap_err(),
            format!("{base}: extends: expected the name of a file")
        );
        write("base.toml", "extends = \"absent.toml\"\n");
        assert!(load("top.toml").unwrap_err().contains("absent.toml"));
    }

    #[test]
    fn what_cannot_be_is_refused_with_file_key_expected_and_found() {
        let refusals = [
            (
                "[learner]\nbatch = \"80O\"",
                "x.toml: learner.batch: expected a whole number, 0 or more, found string \"80O\"",
            ),
            (
                "[learner]\nbatch = -1",
                "x.toml: learner.batch: expected a whole number, 0 or more, found integer `-1`",
            ),
            (
                "[learner]\nbatch = 0",
                "x.toml: learner.batch: expected a number from 1 to 1048576, found 0",
            ),
            (
                "[learner]\nrate = nan",
                "x.toml: learner.rate: expected a number from 0.000000001 to 10, found NaN",
            ),
            (
                "[learner]\nreply_weight = -1.0",
                "x.toml: learner.reply_weight: expected a number from 0 to 1000, found -1",
            ),
            (
                "[learner]\nmaterial_scale = 0.0",
                "x.toml: learner.material_scale: expected a number from 1 to 1000000, found 0",
            ),
            (
                "[replay]\nvalidation = 1.0",
                "x.toml: replay.validation: expected a number from 0 to 0.5, found 1",
            ),
            (
                "[replay]\nsurprise = 1.5",
                "x.toml: replay.surprise: expected a number from 0 to 1, found 1.5",
            ),
            ("[table]\ngames = 3", "x.toml: table.games: expected an even number, found 3"),
            (
                "[gate]\ngames = 5",
                "x.toml: gate.games: expected an even number of 0 to 1000000, found 5",
            ),
            (
                "[gate]\nelo0 = 50",
                "x.toml: gate.elo1: expected -2000 <= elo0 < elo1 <= 2000, found 50 and 40",
            ),
            (
                "[ladder]\nevery = 5\nanchor = \"me\"",
                "x.toml: ladder.anchor: expected one of the opponents, found `me`",
            ),
        ];
        for (line, message) in refusals {
            assert_eq!(parse(&format!("{LEAST}{line}\n"), &[]).unwrap_err(), message);
        }
        let unknown = parse(&format!("{LEAST}[learner]\nbatches = 1\n"), &[]).unwrap_err();
        assert!(
            unknown
                .starts_with("x.toml: learner.batches: unknown field `batches`, expected one of"),
            "{unknown}"
        );
        let syntax = parse("[run\n", &[]).unwrap_err();
        assert!(syntax.starts_with("x.toml: line 1, column 5:"), "{syntax}");
        let game = parse("[run]\ngame = \"go\"\n", &[]).unwrap_err();
        assert!(game.starts_with("x.toml: run.game: unknown game `go`"), "{game}");
    }

    #[test]
    fn overrides_lie_over_the_file_and_are_named_when_wrong() {
        let settings =
            parse(LEAST, &["run.device=cpu", "learner.batch=64", "table.games=2"]).unwrap();
        assert_eq!(settings.run.device.to_string(), "cpu");
        assert_eq!(settings.learner.batch, 64);
        assert_eq!(settings.table.games, 2);
        let error = parse(LEAST, &["learner.batch=many"]).unwrap_err();
        assert_eq!(
            error,
            "--set: learner.batch: expected a whole number, 0 or more, found string \"many\""
        );
        assert_eq!(parse(LEAST, &["x"]).unwrap_err(), "--set: x: expected key=value");
    }

    #[test]
    fn the_written_form_reads_back_as_the_same_settings() {
        let settings = parse(LEAST, &["learner.rate=0.003"]).unwrap();
        assert_eq!(parse(&settings.to_toml(), &[]).unwrap(), settings);
    }
}
