//! [`Standings`]: all results of some players and the ratings that follow from them, as a file.

use std::io::Write;
use std::path::Path;

use atomic_write_file::AtomicWriteFile;
use games::Game;
use serde::{Deserialize, Serialize};
use statistics::mean_and_variance;

use crate::checked::{read_checked, to_lines};
use crate::{Entrant, MatchResult, Meeting, Pair, Prior, Score, rate};

/// What the first field of every file says.
const FORMAT: &str = "raja standings 1";

/// All results of some players against each other and their ratings: the table of a tournament, the
/// `ladder.json` of a run. Results only ever add up, so ratings only get sharper.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standings {
    format: String,
    /// The id of the game.
    pub game: String,
    /// The player that has rating 0.
    pub anchor: String,
    /// The players with their ratings, the strongest first.
    pub players: Vec<Standing>,
    /// Who has met whom.
    pub encounters: Vec<Encounter>,
}

/// A player and how strong it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    /// The name of the player.
    pub player: String,
    /// The generation, of a checkpoint of a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<u32>,
    /// The rating in Elo above the anchor.
    pub elo: f64,
    /// The lower end of its 95% interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// All its games.
    pub score: Score,
}

/// The games of two players.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Encounter {
    /// The name of one player.
    pub a: String,
    /// The name of the other.
    pub b: String,
    /// The games, seen by A.
    pub score: Score,
    /// How many pairs gave A 0, 1/2, 1, 3/2 and 2 points.
    pub pentanomial: [u32; 5],
    /// Openings used up: the pairs and those left out as copies. The next match of the two goes on
    /// behind them.
    pub openings: u32,
}

/// Standings that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StandingsError {
    /// The file system failed.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// What failed.
        #[source]
        error: std::io::Error,
    },
    /// The file has no standings of this game.
    #[error("{path}: {problem}")]
    Content {
        /// The file.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
}

impl Standings {
    /// No results yet, of `game`; ratings will be above that of `anchor`.
    #[must_use]
    pub fn new(game: &'static Game, anchor: &str) -> Self {
        let (players, encounters) = (Vec::new(), Vec::new());
        let (format, game) = (FORMAT.to_owned(), game.id.to_owned());
        let mut standings = Self { format, game, anchor: anchor.to_owned(), players, encounters };
        standings.enter(anchor, None);
        standings
    }

    /// The standings in the file `path`; none if there is no file.
    ///
    /// # Errors
    /// If the file cannot be read or has no standings of `game`.
    pub fn load(path: &Path, game: &'static Game) -> Result<Option<Self>, StandingsError> {
        let name = || path.display().to_string();
        let text = match std::fs::read(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(StandingsError::Io { path: name(), error }),
        };
        let standings: Result<Self, _> = read_checked(&text);
        let checked = standings.and_then(|standings| {
            standings.check(game)?;
            Ok(standings)
        });
        checked.map(Some).map_err(|problem| StandingsError::Content { path: name(), problem })
    }

    /// Refuses what [`Standings::save`] would not have written.
    fn check(&self, game: &Game) -> Result<(), String> {
        let expect = |what: &str, expected: &str, found: &str| match expected == found {
            true => Ok(()),
            false => Err(format!("{what}: expected `{expected}`, found `{found}`")),
        };
        expect("format", FORMAT, &self.format)?;
        expect("game", game.id, &self.game)?;
        for name in self.encounters.iter().flat_map(|encounter| [&encounter.a, &encounter.b]) {
            if self.place(name).is_none() {
                return Err(format!("`{name}` has played and is not among the players"));
            }
        }
        match self.place(&self.anchor) {
            Some(_) => Ok(()),
            None => Err(format!("the anchor `{}` is not among the players", self.anchor)),
        }
    }

    /// Writes the file `path`, whole or not at all.
    ///
    /// # Errors
    /// If that fails; an old file is then as it was.
    pub fn save(&self, path: &Path) -> Result<(), StandingsError> {
        let text = to_lines(self);
        let write = || {
            let mut file = AtomicWriteFile::open(path)?;
            file.write_all(&text)?;
            file.commit()
        };
        write().map_err(|error| StandingsError::Io { path: path.display().to_string(), error })
    }

    /// Takes a player in, of a run's checkpoint with its generation. Without games it is as strong
    /// as the anchor, as far as is known.
    pub fn enter(&mut self, name: &str, generation: Option<u32>) {
        match self.players.iter_mut().find(|standing| standing.player == name) {
            Some(known) => known.generation = generation,
            None => {
                let (player, score) = (name.to_owned(), Score::default());
                let (elo, low, high) = (0.0, 0.0, 0.0);
                self.players.push(Standing { player, generation, elo, low, high, score });
                self.rate();
            }
        }
    }

    /// Moves all ratings so that this player has 0.
    ///
    /// # Panics
    /// If it has not been entered.
    pub fn set_anchor(&mut self, name: &str) {
        assert!(self.place(name).is_some(), "`{name}` has been entered");
        name.clone_into(&mut self.anchor);
        self.rate();
    }

    /// How many games of A and B are missing to `games`; copies that are left out do not miss.
    #[must_use]
    pub fn missing(&self, a: &str, b: &str, games: u32) -> u32 {
        games.saturating_sub(self.encounter(a, b).map_or(0, |before| 2 * before.openings))
    }

    /// A against B for as many games as are [missing](Self::missing) to `games`.
    #[must_use]
    pub fn pair_up_to<'e>(&self, a: &'e Entrant, b: &'e Entrant, games: u32) -> Pair<'e> {
        Pair { a, b, games: self.missing(a.name(), b.name(), games) }
    }

    /// What A and B, or B and A, have played.
    #[must_use]
    pub fn encounter(&self, a: &str, b: &str) -> Option<&Encounter> {
        self.encounters.iter().find(|encounter| encounter.is_of(a, b))
    }

    /// Adds games of A and B, seen by A. Both are players.
    pub(crate) fn add(&mut self, games: &Encounter) {
        let Encounter { a, b, .. } = games;
        match self.encounters.iter_mut().find(|encounter| encounter.is_of(a, b)) {
            None => self.encounters.push(games.clone()),
            Some(known) => {
                let (score, pentanomial) = if known.a == *a {
                    (games.score, games.pentanomial)
                } else {
                    let mut turned = games.pentanomial;
                    turned.reverse();
                    (games.score.turned(), turned)
                };
                known.score.add(score);
                for (known, more) in known.pentanomial.iter_mut().zip(pentanomial) {
                    *known += more;
                }
                known.openings += games.openings;
            }
        }
    }

    /// Puts all games of a match in the place of what is known of it.
    pub(crate) fn replace(&mut self, result: &MatchResult) {
        let MatchResult { a, b, score, pentanomial, copies, .. } = result;
        self.encounters.retain(|encounter| !encounter.is_of(a, b));
        let openings = result.pairs.len() as u32 + copies;
        if openings > 0 {
            let (score, pentanomial) = (*score, *pentanomial);
            self.add(&Encounter { score, pentanomial, openings, ..Encounter::new(a, b) });
        }
    }

    /// Rates all players anew and sorts them.
    pub(crate) fn rate(&mut self) {
        let place = |name: &str| self.place(name).expect("both have been entered");
        let meetings: Vec<_> = self
            .encounters
            .iter()
            .map(|encounter| Meeting {
                a: place(&encounter.a),
                b: place(&encounter.b),
                score: encounter.score,
                scatter: encounter.scatter(),
            })
            .collect();
        let anchor = place(&self.anchor);
        let ratings = rate(self.players.len(), anchor, &meetings, &Prior::default());
        for (player, (standing, rating)) in self.players.iter_mut().zip(ratings).enumerate() {
            // To the hundredth, for files that people read.
            let rounded = |elo: f64| (elo * 100.0).round() / 100.0;
            standing.elo = rounded(rating.elo);
            standing.low = rounded(rating.elo - rating.margin);
            standing.high = rounded(rating.elo + rating.margin);
            standing.score = Score::default();
            for meeting in &meetings {
                if meeting.a == player {
                    standing.score.add(meeting.score);
                } else if meeting.b == player {
                    standing.score.add(meeting.score.turned());
                }
            }
        }
        self.players.sort_by(|one, other| other.elo.total_cmp(&one.elo));
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.players.iter().position(|standing| standing.player == name)
    }

    /// The text of the crosstable: what each player (row) scored against each (column), in points
    /// of games.
    fn write_crosstable(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let cell = |row: usize, column: usize| {
            let (row, column) = (&self.players[row].player, &self.players[column].player);
            let Some(encounter) = self.encounter(row, column) else { return "-".to_owned() };
            let score =
                if encounter.a == *row { encounter.score } else { encounter.score.turned() };
            format!("{}/{}", score.points(), score.games())
        };
        let count = self.players.len();
        let cells: Vec<Vec<String>> =
            (0..count).map(|row| (0..count).map(|column| cell(row, column)).collect()).collect();
        let width = cells.iter().flatten().map(String::len).max().unwrap_or(0).max(3);
        let rank = count.to_string().len();
        write!(f, "{:rank$}", "")?;
        (0..count).try_for_each(|column| write!(f, "  {:>width$}", column + 1))?;
        for (row, cells) in cells.iter().enumerate() {
            write!(f, "\n{:>rank$}", row + 1)?;
            for (column, cell) in cells.iter().enumerate() {
                write!(f, "  {:>width$}", if row == column { "" } else { cell })?;
            }
        }
        writeln!(f)
    }
}

impl Encounter {
    /// Nothing played yet.
    pub(crate) fn new(a: &str, b: &str) -> Self {
        let (score, pentanomial) = (Score::default(), [0; 5]);
        Self { a: a.to_owned(), b: b.to_owned(), score, pentanomial, openings: 0 }
    }

    /// By how much its pairs scatter more (or less) than pairs of independent games without draws
    /// would, as a ratio of variances. 1 where all points went to one side: nothing is known then.
    fn scatter(&self) -> f64 {
        let pairs: f64 = self.pentanomial.iter().copied().map(f64::from).sum();
        let (mean, variance) = mean_and_variance(&self.pentanomial, pairs);
        match mean * (1.0 - mean) / 2.0 {
            independent if independent > 0.0 => variance / independent,
            _ => 1.0,
        }
    }

    fn is_of(&self, a: &str, b: &str) -> bool {
        (self.a == a && self.b == b) || (self.a == b && self.b == a)
    }
}

impl std::fmt::Display for Standings {
    /// A line for each player, then the crosstable.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = self.players.iter().map(|s| s.player.chars().count()).max().unwrap_or(0);
        let rank = self.players.len().to_string().len();
        for (number, standing) in self.players.iter().enumerate() {
            let Standing { player, elo, low, high, score, .. } = standing;
            let interval = match *player == self.anchor {
                true => "(anchor)".to_owned(),
                false => format!("[{low:+.0}, {high:+.0}]"),
            };
            let (number, percent, games) = (number + 1, score.share() * 100.0, score.games());
            writeln!(
                f,
                "{number:>rank$}  {player:name$}  {elo:>+6.0} {interval:16}  {games:>5} games  \
                 {percent:>5.1}%  {score}"
            )?;
        }
        writeln!(f)?;
        self.write_crosstable(f)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Three players; c has only met b.
    pub(crate) fn standings() -> Standings {
        let mut standings = Standings::new(&Game::all()[0], "a");
        standings.enter("b", None);
        standings.enter("checkpoint 7", Some(7));
        for (a, b, pentanomial) in
            [("b", "a", [0, 0, 2, 4, 4]), ("checkpoint 7", "b", [0, 1, 3, 3, 3])]
        {
            standings.add(&encounter(a, b, pentanomial));
        }
        standings.rate();
        standings
    }

    /// Pairs whose halves are won, drawn and lost as simply as can be.
    pub(crate) fn encounter(a: &str, b: &str, pentanomial: [u32; 5]) -> Encounter {
        let [lost, worse, even, better, won] = pentanomial;
        let score = Score {
            wins: 2 * won + better,
            draws: better + 2 * even + worse,
            losses: 2 * lost + worse,
        };
        let openings = pentanomial.iter().sum();
        Encounter { score, pentanomial, openings, ..Encounter::new(a, b) }
    }

    #[test]
    fn standings_are_told_as_a_list_and_a_crosstable() {
        assert_eq!(
            standings().to_string(),
            "\
1  checkpoint 7    +370 [+144, +596]         20 games   70.0%  +9 =10 -1
2  b               +229 [+59, +399]          40 games   55.0%  +13 =18 -9
3  a                 +0 (anchor)             20 games   20.0%  +0 =8 -12

       1      2      3
1         14/20      -
2   6/20         16/20
3      -   4/20       
"
        );
    }

    /// 29 hundredths of 100 are no whole number in binary.
    #[test]
    fn the_crosstable_has_halves_and_no_other_fractions() {
        let mut standings = standings();
        let score = Score { wins: 28, draws: 3, losses: 69 };
        let (pentanomial, openings) = ([24, 21, 3, 2, 0], 50);
        standings.add(&Encounter {
            score,
            pentanomial,
            openings,
            ..Encounter::new("a", "checkpoint 7")
        });
        standings.rate();
        let text = standings.to_string();
        assert!(text.contains(" 29.5/100") && text.contains(" 70.5/100"), "{text}");
        for wins in 0..=100 {
            let score = Score { wins, draws: 0, losses: 100 - wins };
            assert_eq!(score.points(), f64::from(wins));
        }
    }

    #[test]
    fn results_add_up_from_either_side() {
        let mut standings = standings();
        standings.add(&encounter("a", "b", [4, 4, 2, 0, 0]));
        standings.rate();
        let both = standings.encounter("a", "b").unwrap();
        assert_eq!((both.a.as_str(), both.openings), ("b", 20));
        assert_eq!(both.pentanomial, [0, 0, 4, 8, 8]);
        assert_eq!(both.score, Score { wins: 24, draws: 16, losses: 0 });
        let wide = super::tests::standings().players[1].clone();
        let narrow = &standings.players[1];
        assert!(narrow.high - narrow.low < wide.high - wide.low, "more games sharpen a rating");
        assert_eq!(standings.players[0].generation, Some(7));
    }

    #[test]
    fn a_file_comes_back_and_a_faulty_one_is_refused_in_words() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ladder.json");
        let game = &Game::all()[0];
        assert_eq!(Standings::load(&path, game).unwrap(), None);
        let standings = standings();
        standings.save(&path).unwrap();
        assert_eq!(Standings::load(&path, game).unwrap().as_ref(), Some(&standings));
        let sealed = std::fs::read_to_string(&path).unwrap();
        // Without a checksum, as older versions wrote it.
        let text = serde_json::to_string_pretty(&standings).unwrap();
        let error = |text: &str| {
            std::fs::write(&path, text).unwrap();
            let error = Standings::load(&path, game).unwrap_err().to_string();
            error.strip_prefix(&format!("{}: ", path.display())).unwrap().to_owned()
        };
        assert_eq!(
            error(&sealed.replace("\"wins\": ", "\"wins\": 1")),
            "damaged: its contents do not match its checksum"
        );
        assert!(error(&text[..text.len() / 2]).contains("line"));
        assert_eq!(
            error(&text.replace(FORMAT, "raja standings 9")),
            "format: expected `raja standings 1`, found `raja standings 9`"
        );
        assert_eq!(
            error(&text.replace("\"player\": \"b\"", "\"player\": \"z\"")),
            "`b` has played and is not among the players"
        );
        assert_eq!(
            error(&text.replace("\"anchor\": \"a\"", "\"anchor\": \"q\"")),
            "the anchor `q` is not among the players"
        );
    }
}
