//! [`EngineOptions`]: what other programs may set.

use std::path::PathBuf;

use games::Game;
use search::{Algorithm, GumbelSettings, PuctSettings, SearchSettings};

use crate::DEFAULT_SIMULATIONS;
use crate::limit::MOST_SIMULATIONS;

/// The options of the engine, with the values they have when it starts.
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// `UCI_Variant`: the game.
    pub game: &'static Game,
    /// `Net`: the checkpoint of the network; without one, positions are judged by random rollouts.
    pub net: Option<PathBuf>,
    /// `Threads` that evaluate positions, 1 to 256.
    pub threads: u32,
    /// `Batch`: positions that a network evaluates together in each thread, 1 to 256.
    pub batch: u32,
    /// `Hash`: megabytes of the search tree, 1 to 32768.
    pub hash: u32,
    /// `Search`: how steps are selected.
    pub search: EngineSearch,
    /// `Simulations` of a `go` that says nothing else, 1 to 1,000,000.
    pub simulations: u32,
    /// `MultiPV`: moves that are reported on, 1 to 500.
    pub multi_pv: u32,
    /// `UCI_ShowWDL`: whether reports have chances of win, draw and loss in thousandths.
    pub show_wdl: bool,
    /// `VerboseMoveStats`: whether all moves are listed when a search ends.
    pub verbose: bool,
    /// `Ponder`: whether the user interface lets the engine think while its opponent does; then a
    /// quarter more of the clock is used.
    pub ponder: bool,
    /// `MoveOverhead`: milliseconds a move that are lost on the way, 0 to 5000.
    pub overhead: u32,
}

/// How steps are selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineSearch {
    /// As the players of matches do: Gumbel with a network, PUCT with rollouts.
    Auto,
    /// Gumbel with sequential halving, in rounds that double.
    Gumbel,
    /// PUCT.
    Puct,
}

impl EngineSearch {
    const ALL: [(&'static str, Self); 3] =
        [("auto", Self::Auto), ("gumbel", Self::Gumbel), ("puct", Self::Puct)];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, search)| *search == self).expect("all are listed").0
    }
}

/// An option as protocols introduce it.
#[derive(Debug)]
pub(crate) struct Described {
    pub(crate) name: &'static str,
    /// What it is set to.
    pub(crate) value: String,
    pub(crate) kind: Kind,
}

/// What an option may be set to.
#[derive(Debug)]
pub(crate) enum Kind {
    /// One of these.
    Choice(Vec<&'static str>),
    /// The name of a file, or nothing.
    File,
    /// A whole number.
    Number { least: u32, most: u32 },
    /// `true` or `false`.
    Check,
}

/// What an option that was set has to do with.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Touched {
    /// The game, and so everything.
    Game,
    /// The network or the search.
    Engine,
    /// Only what is said, and when.
    Manners,
}

impl EngineOptions {
    /// The usual options for `game`.
    #[must_use]
    pub fn new(game: &'static Game) -> Self {
        Self {
            game,
            net: None,
            threads: 1,
            batch: 8,
            hash: 256,
            search: EngineSearch::Auto,
            simulations: DEFAULT_SIMULATIONS,
            multi_pv: 1,
            show_wdl: false,
            verbose: false,
            ponder: false,
            overhead: 30,
        }
    }

    /// The numbers: name, place, least and most.
    fn numbers(&mut self) -> [(&'static str, &mut u32, u32, u32); 6] {
        [
            ("Threads", &mut self.threads, 1, 256),
            ("Batch", &mut self.batch, 1, 256),
            ("Hash", &mut self.hash, 1, 32_768),
            ("Simulations", &mut self.simulations, 1, MOST_SIMULATIONS),
            ("MultiPV", &mut self.multi_pv, 1, 500),
            ("MoveOverhead", &mut self.overhead, 0, 5_000),
        ]
    }

    /// What is on or off.
    fn checks(&mut self) -> [(&'static str, &mut bool); 3] {
        [
            ("Ponder", &mut self.ponder),
            ("UCI_ShowWDL", &mut self.show_wdl),
            ("VerboseMoveStats", &mut self.verbose),
        ]
    }

    /// All options with the values they have now.
    pub(crate) fn described(&self) -> Vec<Described> {
        let games = Game::all().iter().map(|game| game.id).collect();
        let searches = EngineSearch::ALL.map(|(name, _)| name).to_vec();
        let net = self.net.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
        let described = |name, value, kind| Described { name, value, kind };
        let mut all = vec![
            described("UCI_Variant", self.game.id.to_owned(), Kind::Choice(games)),
            described("Net", net, Kind::File),
            described("Search", self.search.name().to_owned(), Kind::Choice(searches)),
        ];
        let mut now = self.clone();
        all.extend(now.numbers().map(|(name, value, least, most)| {
            described(name, value.to_string(), Kind::Number { least, most })
        }));
        all.extend(now.checks().map(|(name, on)| described(name, on.to_string(), Kind::Check)));
        all
    }

    /// Sets an option. Names are the same in capitals and in small letters.
    ///
    /// # Errors
    /// What is wrong with name or value, in one sentence; nothing is changed then.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<Touched, String> {
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        if is("UCI_Variant") {
            self.game = Game::by_id(value).map_err(|error| error.to_string())?;
            return Ok(Touched::Game);
        }
        if is("Net") {
            self.net = (!value.is_empty() && value != EMPTY).then(|| value.into());
            return Ok(Touched::Engine);
        }
        if is("Search") {
            let found = EngineSearch::ALL.iter().find(|(name, _)| value.eq_ignore_ascii_case(name));
            let found = found.ok_or_else(|| wrong("Search", "auto, gumbel or puct", value))?;
            self.search = found.1;
            return Ok(Touched::Engine);
        }
        if let Some((name, place, least, most)) = self.numbers().into_iter().find(|o| is(o.0)) {
            let number = value.parse().ok().filter(|number| (least..=most).contains(number));
            let expected = || wrong(name, &format!("a whole number from {least} to {most}"), value);
            *place = number.ok_or_else(expected)?;
            return Ok(match name {
                "Threads" | "Batch" | "Hash" => Touched::Engine,
                _ => Touched::Manners,
            });
        }
        if let Some((name, place)) = self.checks().into_iter().find(|option| is(option.0)) {
            let on = value.to_ascii_lowercase().parse();
            *place = on.map_err(|_| wrong(name, "true or false", value))?;
            return Ok(Touched::Manners);
        }
        Err(format!("there is no option `{name}`"))
    }

    /// How the engine searches, with a network or without.
    pub(crate) fn search_settings(&self, with_net: bool) -> SearchSettings {
        let gumbel = match self.search {
            EngineSearch::Auto => with_net,
            EngineSearch::Gumbel => true,
            EngineSearch::Puct => false,
        };
        // Rollouts gain nothing by batches.
        let batch = if with_net { self.batch } else { 1 };
        let mut settings = SearchSettings {
            algorithm: match gumbel {
                true => Algorithm::Gumbel(GumbelSettings::default()),
                false => Algorithm::Puct(PuctSettings::default()),
            },
            tree_bytes: (self.hash as usize) << 20,
            ..SearchSettings::default()
        };
        settings.leaves = ((self.threads * batch) as usize).clamp(1, 1024);
        settings
    }
}

/// What UCI writes for an empty string.
pub(crate) const EMPTY: &str = "<empty>";

fn wrong(name: &str, expected: &str, found: &str) -> String {
    format!("option {name}: expected {expected}, found `{found}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_can_be_set_to_all_that_is_introduced_and_to_nothing_else() {
        let mut options = EngineOptions::new(&Game::all()[0]);
        for Described { name, kind, .. } in options.described() {
            let values = match &kind {
                Kind::Choice(values) => values.iter().map(|&value| value.to_owned()).collect(),
                Kind::File => vec![String::new(), EMPTY.to_owned(), "a file".to_owned()],
                Kind::Number { least, most } => vec![least.to_string(), most.to_string()],
                Kind::Check => ["true", "false", "True"].map(str::to_owned).to_vec(),
            };
            assert!(values.len() > 1, "{name}");
            for value in values {
                options.set(&name.to_uppercase(), &value).unwrap();
                options.search_settings(true).check().unwrap();
                options.search_settings(false).check().unwrap();
            }
            if !matches!(kind, Kind::File) {
                let before = format!("{options:?}");
                for value in ["", "nonsense", "-1", "99999999"] {
                    assert!(options.set(name, value).is_err(), "{name} {value}");
                }
                assert_eq!(format!("{options:?}"), before);
            }
        }
        assert_eq!(options.set("Turbo", "on").unwrap_err(), "there is no option `Turbo`");
        let error = options.set("Threads", "0").unwrap_err();
        assert_eq!(error, "option Threads: expected a whole number from 1 to 256, found `0`");
    }

    #[test]
    fn the_search_is_that_of_the_players_unless_chosen() {
        let mut options = EngineOptions::new(&Game::all()[0]);
        let mut search = |value: &str, with_net| {
            options.set("Search", value).unwrap();
            let settings = options.search_settings(with_net);
            (matches!(settings.algorithm, Algorithm::Gumbel(_)), settings.leaves)
        };
        assert_eq!(search("auto", true), (true, 8));
        assert_eq!(search("auto", false), (false, 1));
        assert_eq!(search("puct", true), (false, 8));
        assert_eq!(search("gumbel", false), (true, 1));
    }
}
