//! [`SearchSettings`]: every number of the search, as configurations write them.

use serde::{Deserialize, Serialize};

use crate::expansion::INNER_EDGES;
use crate::tree::{Edge, Node};

/// How a game is searched. In a configuration each key may be left out:
///
/// ```
/// let settings: search::SearchSettings = toml::from_str(
///     "simulations = 32
///      [algorithm.gumbel]
///      considered = 8",
/// )?;
/// assert_eq!(settings.look_ahead, 512);
/// settings.check()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearchSettings {
    /// Simulations a search: walks from the root, each of which visits one root step. The
    /// evaluation of the root itself is not one of them.
    pub simulations: u32,
    /// How steps are selected.
    pub algorithm: Algorithm,
    /// Most steps of the root that are first tried one ply without the network.
    pub look_ahead: usize,
    /// Most steps of every other state that are. A state with a step that wins at once then needs
    /// no evaluation.
    pub inner_look_ahead: usize,
    /// Whether the part of the tree below the played step is kept.
    pub reuse: bool,
    /// Bytes of nodes and edges at which a search ends early. One expansion may go beyond; the
    /// allocations behind them can be up to twice as large.
    pub tree_bytes: usize,
    /// Most states of one search that wait for their evaluations at a time. More than one fills
    /// batches where a single game is searched, and makes a search of so many simulations a little
    /// worse: it selects before it knows. Where many games share a batch, 1 is right.
    pub leaves: usize,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self {
            simulations: 64,
            algorithm: Algorithm::default(),
            look_ahead: 512,
            inner_look_ahead: 64,
            reuse: true,
            tree_bytes: 256 << 20,
            leaves: 1,
        }
    }
}

/// How steps are selected, at the root and below it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Algorithm {
    /// Gumbel-top-k candidates and sequential halving; below the root deterministic by the improved
    /// policy. For few simulations.
    Gumbel(GumbelSettings),
    /// AlphaZero's rule with KataGo's refinements. For many simulations.
    Puct(PuctSettings),
}

impl Default for Algorithm {
    fn default() -> Self {
        Self::Gumbel(GumbelSettings::default())
    }
}

/// Settings of the search of Danihelka et al., "Policy improvement by planning with Gumbel"
/// (ICLR 2022).
///
/// Advantages are scaled by `sigma(q) = (c_visit + max N) * c_scale * q` with `q` the expected
/// score on a fixed scale from 0 (lost) to 1 (won). The paper's board games use this scale with
/// these constants. Its code for other domains stretches the q of each node to 0..1 by their own
/// minimum and maximum and lowers `c_scale` to 0.1; with values that are already bounded that
/// would blow up differences which are only noise.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GumbelSettings {
    /// Most steps of the root that are considered.
    pub considered: u32,
    /// Visits that `sigma` adds to those of the most visited step.
    pub c_visit: f32,
    /// The weight of q against logits.
    pub c_scale: f32,
}

impl Default for GumbelSettings {
    fn default() -> Self {
        Self { considered: 16, c_visit: 50.0, c_scale: 1.0 }
    }
}

/// Settings of PUCT (Silver et al. 2018) with the refinements of KataGo (Wu 2019). Scores are on
/// the scale -1 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PuctSettings {
    /// Exploration at the first visit.
    pub c_init: f32,
    /// How much exploration grows with the logarithm of the visits.
    pub c_log: f32,
    /// Visits at which that growth sets in.
    pub c_base: f32,
    /// How far an unvisited step is taken to be below its parent's value, times the root of the
    /// prior mass already visited.
    pub fpu_reduction: f32,
    /// The same at the root.
    pub root_fpu_reduction: f32,
    /// Root noise: the sum of the Dirichlet parameters, spread evenly over the legal steps.
    pub noise_total: f32,
    /// Root noise: its share of the prior; 0 turns it off.
    pub noise_share: f32,
    /// Root priors are raised to one over this where noise is on.
    pub root_temperature: f32,
    /// Forced playouts where noise is on: `k` of `sqrt(k P N)`; 0 turns them off.
    pub forced_playouts: f32,
}

impl Default for PuctSettings {
    fn default() -> Self {
        Self {
            c_init: 1.0,
            c_log: 0.45,
            c_base: 500.0,
            fpu_reduction: 0.2,
            root_fpu_reduction: 0.1,
            noise_total: 10.83,
            noise_share: 0.25,
            root_temperature: 1.1,
            forced_playouts: 2.0,
        }
    }
}

/// A key whose value no search can work with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key}: expected {expected}, found {found}")]
pub struct SettingError {
    /// The key, from the table of the search on: `algorithm.gumbel.considered`.
    pub key: &'static str,
    /// What would do.
    pub expected: &'static str,
    /// What stands there.
    pub found: String,
}

impl SearchSettings {
    /// About how many bytes the tree of a searcher comes to take where states have `legal` legal
    /// steps on average.
    #[must_use]
    pub fn tree_need(&self, legal: f64) -> f64 {
        // Lists grow by doubling, and stay as long as they have once been.
        const SPARE: f64 = 1.5;
        let edges = legal.min(INNER_EDGES as f64);
        let node = size_of::<Node>() as f64 + size_of::<Edge>() as f64 * edges;
        // What is kept of the last search comes on top.
        let searches = if self.reuse { 1.5 } else { 1.0 };
        let nodes = 1.0 + searches * f64::from(self.simulations);
        (SPARE * nodes * node).min(2.0 * self.tree_bytes as f64)
    }

    /// Whether a search can work with these settings.
    ///
    /// # Errors
    /// The first key that is impossible, what was expected and what was found.
    pub fn check(&self) -> Result<(), SettingError> {
        at_least_one("simulations", self.simulations)?;
        // Beyond 32 GiB the 32-bit indices of edges could run out.
        let bytes = self.tree_bytes;
        let fits = (1 << 16..=32_usize << 30).contains(&bytes);
        need("tree_bytes", "65536 to 34359738368", bytes, fits)?;
        let leaves = self.leaves;
        need("leaves", "1 to 1024", leaves, (1..=1024).contains(&leaves))?;
        match &self.algorithm {
            Algorithm::Gumbel(gumbel) => {
                at_least_one("algorithm.gumbel.considered", gumbel.considered)?;
                not_negative("algorithm.gumbel.c_visit", gumbel.c_visit)?;
                positive("algorithm.gumbel.c_scale", gumbel.c_scale)
            }
            Algorithm::Puct(puct) => {
                positive("algorithm.puct.c_init", puct.c_init)?;
                not_negative("algorithm.puct.c_log", puct.c_log)?;
                positive("algorithm.puct.c_base", puct.c_base)?;
                not_negative("algorithm.puct.fpu_reduction", puct.fpu_reduction)?;
                not_negative("algorithm.puct.root_fpu_reduction", puct.root_fpu_reduction)?;
                positive("algorithm.puct.noise_total", puct.noise_total)?;
                let share = puct.noise_share;
                let fits = (0.0..=1.0).contains(&share);
                need("algorithm.puct.noise_share", "0 to 1", share, fits)?;
                positive("algorithm.puct.root_temperature", puct.root_temperature)?;
                not_negative("algorithm.puct.forced_playouts", puct.forced_playouts)
            }
        }
    }
}

/// An error unless the value of `key` fits.
fn need(
    key: &'static str,
    expected: &'static str,
    found: impl std::fmt::Display,
    fits: bool,
) -> Result<(), SettingError> {
    if fits { Ok(()) } else { Err(SettingError { key, expected, found: found.to_string() }) }
}

fn at_least_one(key: &'static str, found: u32) -> Result<(), SettingError> {
    need(key, "1 or more", found, found >= 1)
}

fn positive(key: &'static str, found: f32) -> Result<(), SettingError> {
    need(key, "a number above 0", found, found > 0.0 && found.is_finite())
}

fn not_negative(key: &'static str, found: f32) -> Result<(), SettingError> {
    need(key, "0 or more", found, found >= 0.0 && found.is_finite())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use games::{Game, History, State as _};

    use super::*;
    use crate::tree::Tree;
    use crate::{Searcher, Uniform, search};

    /// The bytes behind the lists of a tree.
    fn allocated(tree: &Tree) -> f64 {
        let (nodes, edges) = (tree.nodes.capacity(), tree.edges.capacity());
        (nodes * size_of::<Node>() + edges * size_of::<Edge>()) as f64
    }

    #[test]
    fn trees_take_about_what_they_are_thought_to_need() {
        let gumbel = Algorithm::Gumbel(GumbelSettings::default());
        let puct = Algorithm::Puct(PuctSettings::default());
        for (id, algorithm, reuse) in [
            ("chess", gumbel, true),
            ("chess", gumbel, false),
            ("chess", puct, true),
            ("cheskers", gumbel, true),
            ("shogi", puct, true),
        ] {
            let settings = SearchSettings { algorithm, reuse, ..SearchSettings::default() };
            let mut ratio = 0.0;
            for game in 0..4 {
                let start = History::new(Game::by_id(id).unwrap().start());
                let mut searcher = Searcher::new(start, settings, game);
                let (mut steps, mut legal, mut searches) = (Vec::new(), 0, 0.0);
                while searches < 40.0 && searcher.root().steps(&mut steps).is_none() {
                    legal += steps.len();
                    searches += 1.0;
                    steps.clear();
                    searcher.start(settings.simulations, true);
                    search(&mut searcher, &mut Uniform, &AtomicBool::new(false)).unwrap();
                    let decision = searcher.decision();
                    let step = searcher.sample(&decision, 1.0);
                    searcher.advance(step);
                }
                let need = settings.tree_need(legal as f64 / searches);
                ratio += allocated(&searcher.tree) / need / 4.0;
            }
            assert!((0.6..1.5).contains(&ratio), "{id}, reuse {reuse}: {ratio}");
        }
    }
}
