//! [`SelfPlaySettings`]: how games are played for training, as configurations write it.

use search::{SearchSettings, SettingError};
use serde::{Deserialize, Serialize};

/// How games are played for training. In a configuration each key may be left out:
///
/// ```
/// let settings: selfplay::SelfPlaySettings = toml::from_str(
///     "games_per_worker = 32
///      opening_most = 4
///      [search]
///      simulations = 16",
/// )?;
/// assert_eq!(settings.full_share, 1.0);
/// settings.check()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Games are played to their end by the rules unless `resign_plies` lets sides resign. Their first
/// steps are sampled from the network's policy (`opening_least` and what follows), so that games
/// begin in many ways; a step that wins, or loses where another does not, is seen there too, so a
/// game is hardly ever decided before it is searched.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SelfPlaySettings {
    /// Threads that play; 0 is one a core.
    pub workers: usize,
    /// Games that each of them plays at a time. They are the states of its batches; where workers
    /// share devices, half of them, so that one batch is computed while the other is collected.
    pub games_per_worker: usize,
    /// Most states of a batch. A device takes the batches of several workers at a time, up to this
    /// many states.
    pub batch: usize,
    /// Bytes in which each thread remembers evaluations, of the newest network only; 0 for none.
    pub cache_bytes: usize,
    /// Whether the same seed gives the same games in the same order on any number of threads, as far
    /// as the network's answers do not depend on the rest of their batch. The games of a generation
    /// are then all begun and ended in it: its last batches are small.
    pub reproducible: bool,
    /// How the steps are searched. A full search takes `search.simulations`.
    pub search: SearchSettings,
    /// The share of searches that are full; the others are cheap, without noise, and leave no
    /// policy to learn (playout-cap randomisation, Wu 2019).
    pub full_share: f32,
    /// Simulations of a cheap search.
    pub cheap_simulations: u32,
    /// Fewest plies at the start of a game that are sampled from the network's policy.
    pub opening_least: u32,
    /// Most plies that are; each number from the least to the most is as likely.
    pub opening_most: u32,
    /// Temperature of that sampling: 1 is the policy itself, more is more even.
    pub opening_temperature: f32,
    /// Temperature at which searched steps are sampled at first; 0 plays what the search chose.
    pub temperature: f32,
    /// Plies of a game, those of the opening included, in which `temperature` holds.
    pub temperature_plies: u32,
    /// Temperature after that.
    pub late_temperature: f32,
    /// A side resigns when so many of its moves in a row were searched and found to be lost; 0:
    /// nobody resigns. A loss that is proven is always played out.
    pub resign_plies: u32,
    /// The score of the root, -1 to 1 for the side to move, below which a move counts as lost. A
    /// draw has score 0: below -0.9 the chance of a loss is 90% at least.
    pub resign_score: f32,
    /// The share of games that are played out in spite of a resignation, to measure how often it is
    /// wrong ([`crate::Resignations`]).
    pub resign_played_out: f32,
    /// Plies at which a game is cut off, without a result. For tests: the games' own maximum
    /// lengths are part of their rules and end them with a result.
    pub cut_off_plies: Option<u32>,
}

impl Default for SelfPlaySettings {
    fn default() -> Self {
        Self {
            workers: 0,
            games_per_worker: 64,
            batch: 1024,
            cache_bytes: 32 << 20,
            reproducible: false,
            search: SearchSettings::default(),
            full_share: 1.0,
            cheap_simulations: 16,
            opening_least: 0,
            opening_most: 6,
            opening_temperature: 1.0,
            temperature: 1.0,
            temperature_plies: 16,
            late_temperature: 0.0,
            resign_plies: 0,
            resign_score: -0.9,
            resign_played_out: 0.1,
            cut_off_plies: None,
        }
    }
}

/// A key whose value self-play cannot work with.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SettingsError {
    /// A key of this table.
    #[error("{key}: expected {expected}, found {found}")]
    Key {
        /// The key.
        key: &'static str,
        /// What would do.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// A key of the table of the search.
    #[error("search.{0}")]
    Search(#[from] SettingError),
}

impl SelfPlaySettings {
    /// Whether games can be played with these settings.
    ///
    /// # Errors
    /// The first key that is impossible, what was expected and what was found.
    pub fn check(&self) -> Result<(), SettingsError> {
        self.search.check()?;
        need("workers", "0 to 1024", self.workers, self.workers <= 1024)?;
        let games = self.games_per_worker;
        need("games_per_worker", "1 to 65536", games, (1..=65_536).contains(&games))?;
        need("batch", "1 to 65536", self.batch, (1..=65_536).contains(&self.batch))?;
        let cache = self.cache_bytes;
        need("cache_bytes", "0 to 34359738368", cache, cache <= 32 << 30)?;
        let share = self.full_share;
        need("full_share", "above 0, at most 1", share, share > 0.0 && share <= 1.0)?;
        let (cheap, full) = (self.cheap_simulations, self.search.simulations);
        let fewer = "1 or more, and fewer than search.simulations";
        need("cheap_simulations", fewer, cheap, share == 1.0 || (1..full).contains(&cheap))?;
        let (least, most) = (self.opening_least, self.opening_most);
        need("opening_most", "opening_least or more", most, most >= least)?;
        let t = self.opening_temperature;
        need("opening_temperature", "above 0, at most 100", t, t > 0.0 && t <= 100.0)?;
        for (key, t) in
            [("temperature", self.temperature), ("late_temperature", self.late_temperature)]
        {
            need(key, "0 to 100", t, (0.0..=100.0).contains(&t))?;
        }
        let plies = self.resign_plies;
        need("resign_plies", "0 to 1000", plies, plies <= 1000)?;
        let score = self.resign_score;
        need("resign_score", "above -1, below 0", score, score > -1.0 && score < 0.0)?;
        let share = self.resign_played_out;
        need("resign_played_out", "0 to 1", share, (0.0..=1.0).contains(&share))?;
        let plies = self.cut_off_plies.unwrap_or(1);
        need("cut_off_plies", "1 or more", plies, plies >= 1)
    }

    /// The temperature after `plies` plies of a game.
    #[must_use]
    pub fn temperature_at(&self, plies: u32) -> f32 {
        if plies < self.temperature_plies { self.temperature } else { self.late_temperature }
    }

    /// The number of threads on this machine.
    #[must_use]
    pub fn worker_count(&self) -> usize {
        match self.workers {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            workers => workers,
        }
    }
}

/// An error unless the value `fits`.
fn need(
    key: &'static str,
    expected: &'static str,
    found: impl Copy + ToString,
    fits: bool,
) -> Result<(), SettingsError> {
    if fits {
        return Ok(());
    }
    Err(SettingsError::Key { key, expected, found: found.to_string() })
}
