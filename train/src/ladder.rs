//! [`climb`]: checkpoints meet their ancestors and reference players; all results make ratings.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arena::{Entrant, MatchSettings, OpeningBook, OpeningSettings, Pair, PlayerSpec, Standings};
use games::Game;
use model::{Checkpoint, TorchSource};
use search::EvaluatorSource;
use serde::{Deserialize, Serialize};

use crate::events::{Event, Observer};
use crate::run::RunError;
use crate::run_folder::RunFolder;
use crate::settings::Settings;

/// The ladder of a run: `ladder.json` in its folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LadderSettings {
    /// Every so many generations the checkpoint takes its place on the ladder; 0: no ladder while
    /// the run trains.
    pub every: u32,
    /// Games against each opponent, half of them with each colour.
    pub games: u32,
    /// Simulations a step of the networks.
    pub simulations: u32,
    /// Earlier checkpoints of the ladder that each one meets: those 1, 2, 4, 8... places before it.
    pub ancestors: u32,
    /// The reference players that each checkpoint meets; also each other.
    pub opponents: Vec<String>,
    /// The one of them that has rating 0.
    pub anchor: String,
}

impl Default for LadderSettings {
    fn default() -> Self {
        Self {
            every: 0,
            games: 20,
            simulations: 64,
            ancestors: 3,
            opponents: ["random", "greedy", "alphabeta:1"].map(str::to_owned).to_vec(),
            anchor: "greedy".to_owned(),
        }
    }
}

impl LadderSettings {
    /// Refuses what is of the right type and still impossible: key and problem.
    pub(crate) fn check(&self, game: &Game) -> Result<(), (&'static str, String)> {
        let Self { games, simulations, opponents, anchor, .. } = self;
        if *games == 0 || games % 2 != 0 {
            return Err(("games", format!("expected an even number of 2 or more, found {games}")));
        }
        if !(1..=1_000_000).contains(simulations) {
            return Err(("simulations", format!("expected 1 to 1000000, found {simulations}")));
        }
        for (number, player) in opponents.iter().enumerate() {
            let wrong = |problem: String| ("opponents", problem);
            let spec: PlayerSpec = player.parse().map_err(|error| wrong(format!("{error}")))?;
            if let PlayerSpec::Net { .. } = spec {
                return Err(wrong(format!("expected players without networks, found `{player}`")));
            }
            spec.check(game).map_err(|error| wrong(error.to_string()))?;
            if opponents[..number].contains(player) {
                return Err(wrong(format!("`{player}` is listed twice")));
            }
        }
        match opponents.contains(anchor) {
            true => Ok(()),
            false => Err(("anchor", format!("expected one of the opponents, found `{anchor}`"))),
        }
    }
}

/// The path of the ladder in the run folder `root`.
#[must_use]
pub fn ladder_path(root: &Path) -> PathBuf {
    root.join("ladder.json")
}

/// The places of the ladder: the generations 0, `every`, 2 `every`... whose checkpoints are kept, up
/// to `last`.
#[must_use]
pub fn rungs(folder: &RunFolder, every: u32, last: u32) -> Vec<u32> {
    let generations = (0..=last).step_by(every.max(1) as usize);
    generations.filter(|&generation| folder.checkpoint(generation).exists()).collect()
}

/// Plays what is missing of the games of `climbers`, checkpoints of the ladder, against the
/// reference players and their ancestors on the ladder, and rates all players by all games ever
/// played. What has been played is in `ladder.json` every few seconds; nothing is played twice, so
/// a ladder that was stopped goes on, and a greater number of games only makes it sharper.
///
/// # Errors
/// If a checkpoint or the ladder cannot be read, an evaluator fails or a file cannot be written.
pub fn climb(
    folder: &RunFolder,
    settings: &Settings,
    climbers: &[u32],
    observer: &dyn Observer,
    stop: &AtomicBool,
) -> Result<Standings, RunError> {
    model::single_threaded();
    let (game, ladder) = (settings.game(), &settings.ladder);
    let path = ladder_path(folder.root());
    let mut standings =
        Standings::load(&path, game)?.unwrap_or_else(|| Standings::new(game, &ladder.anchor));
    let no_nets = |_: &'static Game, _: &Path| Err("give a reference player".to_owned());
    let player = |text: &String| -> Result<Entrant, RunError> {
        let spec = text.parse().expect("checked when the settings were read");
        Ok(Entrant::new(&spec, game, &no_nets)?)
    };
    let references = ladder.opponents.iter().map(player).collect::<Result<Vec<_>, _>>()?;
    references.iter().for_each(|reference| standings.enter(reference.name(), None));
    standings.set_anchor(&ladder.anchor);
    for (number, &climber) in climbers.iter().enumerate() {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        // Networks are loaded for one climber at a time: a ladder may have hundreds.
        let newest = net(folder, settings, climber)?;
        let before = rungs(folder, ladder.every, climber.saturating_sub(1));
        let before = if climber == 0 { Vec::new() } else { before };
        let ancestors = ancestors(&before, ladder.ancestors)
            .map(|generation| net(folder, settings, generation))
            .collect::<Result<Vec<_>, _>>()?;
        standings.enter(newest.name(), Some(climber));
        let mut pairs = Vec::new();
        for (i, reference) in references.iter().enumerate() {
            pairs.push((&newest, reference));
            pairs.extend(references[..i].iter().map(|other| (reference, other)));
        }
        pairs.extend(ancestors.iter().map(|ancestor| (&newest, ancestor)));
        let pairs: Vec<Pair<'_>> = pairs
            .into_iter()
            .map(|(a, b)| standings.pair_up_to(a, b, ladder.games))
            .filter(|pair| pair.games > 0)
            .collect();
        if pairs.is_empty() {
            continue;
        }
        // Each climber has openings of its own, the same ones whenever it plays.
        let seed = settings.run.seed.wrapping_add(u64::from(climber) << 32);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let (openings, needed) = (OpeningSettings::default(), standings.openings_for(&pairs));
        let book = OpeningBook::find(game, needed, &openings, seed, threads, stop);
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let goal: u32 = pairs.iter().map(|pair| pair.games).sum();
        let games = std::sync::atomic::AtomicU32::new(0);
        let progress = |_: usize, _: &arena::Progress<'_>| {
            let games = 1 + games.fetch_add(1, Ordering::Relaxed);
            let (row, rows) = (number + 1, climbers.len());
            observer.event(&Event::Measuring { row, rows, games, goal });
        };
        let match_settings = MatchSettings { seed, threads, ..MatchSettings::default() };
        let save = |standings: &Standings| standings.save(&path);
        standings.play(&pairs, &book, match_settings, &progress, &save, stop)?;
    }
    Ok(standings)
}

/// The checkpoint of `generation` as a player.
fn net(folder: &RunFolder, settings: &Settings, generation: u32) -> Result<Entrant, RunError> {
    let (game, simulations) = (settings.game(), settings.ladder.simulations);
    let (device, _) = settings.run.device.first().resolve()?;
    let network = Checkpoint::load(&folder.checkpoint(generation), game)?.network(game, device);
    let source = TorchSource::new(&network, device, settings.run.precision.on(device));
    let source: Arc<dyn EvaluatorSource> = Arc::new(source);
    Ok(Entrant::net(format!("checkpoint {generation} @{simulations}"), source, simulations))
}

/// At most `most` of the places `before` one: the last, the second last, the fourth last...
fn ancestors(before: &[u32], most: u32) -> impl Iterator<Item = u32> + '_ {
    let places = (0..most.min(31)).map(|power| 1_usize << power);
    places.map_while(|place| before.len().checked_sub(place)).map(|at| before[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ancestors_are_near_and_far() {
        let before: Vec<u32> = (0..10).map(|place| 5 * place).collect();
        assert_eq!(ancestors(&before, 3).collect::<Vec<_>>(), [45, 40, 30]);
        assert_eq!(ancestors(&before, 9).collect::<Vec<_>>(), [45, 40, 30, 10]);
        assert_eq!(ancestors(&before, 0).count(), 0);
        assert_eq!(ancestors(&[], 3).count(), 0);
        assert_eq!(ancestors(&[0], 3).collect::<Vec<_>>(), [0]);
    }

    #[test]
    fn impossible_ladders_are_refused() {
        let check = |ladder: LadderSettings, id: &str| {
            ladder
                .check(Game::by_id(id).unwrap())
                .map_err(|(key, problem)| format!("{key}: {problem}"))
        };
        let least = LadderSettings::default;
        for game in Game::all() {
            assert_eq!(check(least(), game.id), Ok(()), "the defaults fit every game");
        }
        let refused = |ladder| check(ladder, "chess").unwrap_err();
        let list = |players: &[&str]| players.iter().map(|&player| player.to_owned()).collect();
        assert_eq!(
            refused(LadderSettings { games: 3, ..least() }),
            "games: expected an even number of 2 or more, found 3"
        );
        assert_eq!(
            refused(LadderSettings { simulations: 0, ..least() }),
            "simulations: expected 1 to 1000000, found 0"
        );
        assert_eq!(
            refused(LadderSettings { anchor: "mcts:5".to_owned(), ..least() }),
            "anchor: expected one of the opponents, found `mcts:5`"
        );
        let opponents = list(&["greedy", "greedy"]);
        assert_eq!(
            refused(LadderSettings { opponents, ..least() }),
            "opponents: `greedy` is listed twice"
        );
        let opponents = list(&["net:x"]);
        assert_eq!(
            refused(LadderSettings { opponents, ..least() }),
            "opponents: expected players without networks, found `net:x`"
        );
        let opponents = list(&["mcts:0"]);
        assert!(refused(LadderSettings { opponents, ..least() }).starts_with("opponents: player"));
    }
}
