//! [`rate_checkpoints`]: checkpoints meet their ancestors and reference players; all results make ratings.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use arena::{Entrant, Pair, PlayerSpec, Standing, Standings};
use games::Game;
use serde::{Deserialize, Serialize};

use crate::disk::Disk;
use crate::entrants::{all_cores, book, checkpoint, checkpoint_name, reference};
use crate::events::{Event, Observer};
use crate::run::RunError;
use crate::run_files::RunFiles;
use crate::run_folder::{RunFolder, add_ratings};
use crate::seeds::mixed;
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

/// One of the players that meet on the ladder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Climber<'s> {
    /// The checkpoint of a generation.
    Checkpoint(u32),
    /// A reference player, as the settings write it.
    Reference(&'s str),
}

impl Climber<'_> {
    fn name(self, ladder: &LadderSettings) -> String {
        match self {
            Self::Checkpoint(generation) => checkpoint_name(generation, ladder.simulations),
            Self::Reference(player) => player.to_owned(),
        }
    }

    fn entrant(self, files: &RunFiles, settings: &Settings) -> Result<Entrant, RunError> {
        match self {
            Self::Checkpoint(generation) => {
                checkpoint(files, settings, generation, settings.ladder.simulations)
            }
            // Standings know it as the settings write it.
            Self::Reference(player) => {
                Ok(reference(player, settings.game())?.named(player.to_owned()))
            }
        }
    }
}

impl LadderSettings {
    /// The ratings of the checkpoints that have played with these settings' simulations, the oldest
    /// checkpoint first, each with its generation.
    #[must_use]
    pub fn ratings<'s>(&self, standings: &'s Standings) -> Vec<(u32, &'s Standing)> {
        let rated = |standing: &'s Standing| {
            let generation = standing.generation?;
            let is_own = standing.player == checkpoint_name(generation, self.simulations);
            (is_own && standing.score.games() > 0).then_some((generation, standing))
        };
        let mut ratings: Vec<_> = standings.players.iter().filter_map(rated).collect();
        ratings.sort_by_key(|&(generation, _)| generation);
        ratings
    }

    /// Whether the checkpoint of `generation` has a place on the ladder while the run trains.
    pub(crate) fn has_place(&self, generation: u32) -> bool {
        self.every > 0 && generation.is_multiple_of(self.every)
    }

    /// Who has to meet for the place of checkpoint `generation` on a ladder with these `rungs`.
    fn pairs(&self, generation: u32, rungs: &[u32]) -> Vec<(Climber<'_>, Climber<'_>)> {
        let newest = Climber::Checkpoint(generation);
        let references: Vec<_> =
            self.opponents.iter().map(|player| Climber::Reference(player)).collect();
        let before: Vec<u32> = rungs.iter().copied().filter(|&rung| rung < generation).collect();
        let mut pairs = Vec::new();
        for (i, &reference) in references.iter().enumerate() {
            pairs.push((newest, reference));
            pairs.extend(references[..i].iter().map(|&other| (reference, other)));
        }
        let ancestors = ancestors(&before, self.ancestors);
        pairs.extend(ancestors.map(|ancestor| (newest, Climber::Checkpoint(ancestor))));
        pairs
    }

    /// How many of the games for the place of checkpoint `generation` are played, and how many there
    /// are. Nothing is read but which checkpoints there are.
    pub(crate) fn games_for(
        &self,
        files: &RunFiles,
        standings: Option<&Standings>,
        generation: u32,
    ) -> (u64, u64) {
        let pairs = self.pairs(generation, &rungs(files, self.every, generation));
        let goal = u64::from(self.games) * pairs.len() as u64;
        let missing = |(a, b): &(Climber<'_>, Climber<'_>)| match standings {
            Some(standings) => standings.missing(&a.name(self), &b.name(self), self.games),
            None => self.games,
        };
        let missing: u64 = pairs.iter().map(|pair| u64::from(missing(pair))).sum();
        (goal - missing, goal)
    }
}

/// The places of the ladder: the generations 0, `every`, 2 `every`... whose checkpoints are kept, up
/// to `last`.
fn rungs(files: &RunFiles, every: u32, last: u32) -> Vec<u32> {
    let generations = (0..=last).step_by(every.max(1) as usize);
    generations.filter(|&generation| files.checkpoint(generation).exists()).collect()
}

/// Rates all checkpoints that `settings.ladder` gives a place, as [`run()`](crate::run()) does with
/// one after the other. Only games that are missing are played: after a stop the next call goes on,
/// and more games or places only make the ladder sharper. TensorBoard's file gets the ratings that
/// it has not got.
///
/// # Errors
/// If a checkpoint or the ladder cannot be read, an evaluator fails or a file cannot be written.
pub fn rate_checkpoints(
    folder: &RunFolder,
    settings: &Settings,
    observer: &dyn Observer,
    stop: &AtomicBool,
) -> Result<Standings, RunError> {
    let newest = folder.newest_checkpoint()?.unwrap_or(0);
    let generations = rungs(folder, settings.ladder.every, newest);
    let standings = climb(folder, settings, &generations, observer, stop)?;
    if !stop.load(Ordering::Relaxed) {
        let (reports, _) = folder.reports()?;
        add_ratings(&mut folder.events(&reports)?, &settings.ladder.ratings(&standings))?;
    }
    Ok(standings)
}

/// Plays what is missing of the games of checkpoints `generations` against the reference players and
/// their ancestors on the ladder, and rates all players by all games ever played. What has been
/// played is in `ladder.json` every few seconds, and nothing is played twice.
pub(crate) fn climb(
    folder: &RunFolder,
    settings: &Settings,
    generations: &[u32],
    observer: &dyn Observer,
    stop: &AtomicBool,
) -> Result<Standings, RunError> {
    model::single_threaded();
    let (game, ladder) = (settings.game(), &settings.ladder);
    let (path, disk) = (folder.ladder(), Disk { observer, stop });
    let mut standings =
        folder.standings(game)?.unwrap_or_else(|| Standings::new(game, &ladder.anchor));
    ladder.opponents.iter().for_each(|reference| standings.enter(reference, None));
    standings.set_anchor(&ladder.anchor);
    for (number, &generation) in generations.iter().enumerate() {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        standings.enter(&checkpoint_name(generation, ladder.simulations), Some(generation));
        let mut due = ladder.pairs(generation, &rungs(folder, ladder.every, generation));
        due.retain(|(a, b)| standings.missing(&a.name(ladder), &b.name(ladder), ladder.games) > 0);
        // Networks are loaded for one checkpoint at a time: a ladder may have hundreds.
        let mut players: Vec<(Climber<'_>, Entrant)> = Vec::new();
        for climber in due.iter().flat_map(|&(a, b)| [a, b]) {
            if players.iter().all(|(known, _)| *known != climber) {
                players.push((climber, climber.entrant(folder, settings)?));
            }
        }
        let player = |climber: Climber<'_>| {
            let found = players.iter().find(|(known, _)| *known == climber);
            &found.expect("all of them have been made").1
        };
        let pairs: Vec<Pair<'_>> = due
            .iter()
            .map(|&(a, b)| standings.pair_up_to(player(a), player(b), ladder.games))
            .collect();
        if pairs.is_empty() {
            continue;
        }
        // Each checkpoint has openings of its own, the same ones whenever it plays.
        let seed = mixed(settings.run.seed, generation.into());
        let needed = standings.openings_for(&pairs);
        let Some(book) = book(game, needed, seed, stop) else { break };
        let goal: u32 = pairs.iter().map(|pair| pair.games).sum();
        let games = AtomicU32::new(0);
        let progress = |_: usize, _: &arena::Progress<'_>| {
            let games = 1 + games.fetch_add(1, Ordering::Relaxed);
            let (row, rows) = (number + 1, generations.len());
            observer.event(&Event::Measuring { row, rows, games, goal });
        };
        let save = |standings: &Standings| disk.write(|| standings.save(&path));
        standings.play(&pairs, &book, all_cores(seed), &progress, &save, stop)?;
    }
    Ok(standings)
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
