//! [`PieceValues`]: what the pieces of a game are worth, from positions and results.
//!
//! A logistic regression: the score of White in a game is explained by how many more pieces of each
//! kind White has than Black in its positions, with an intercept for moving first and a term for
//! having the move. The kinds are those of [`Position::count_pieces`], hands included; those that
//! cannot be lost before the game is are left out.
//!
//! Which positions: those between two moves, after the last step that was sampled for variety (the
//! result says little about positions before it), that are *quiet*: neither the move before nor the
//! move after changed the difference in any kind. In the middle of an exchange a piece is missing
//! that will be won back at once; such positions would make all pieces look cheap. Every quiet
//! position counts once, so that an advantage counts for as long as it lasted; a forced move does
//! not make a position less telling.
//!
//! Positions of one game share a result, and nearly all of their pieces. So the intervals are those
//! of games drawn anew, not of positions: games are the clusters of [`statistics::Sample`].

use std::collections::BTreeMap;

use games::{Game, Outcome, Position, Side, State};
use serde::Serialize;
use statistics::{Estimate, Fit, Sample};

/// With fewer games in which a kind was ever unequal, the spread of games cannot be estimated.
const FEWEST_GAMES: u64 = 50;

/// The ridge of the regression: as if each coefficient had been seen once with a spread of ten
/// log-odds, ten times that of a queen. It is felt by nothing but what games do not tell.
const RIDGE: f64 = 0.01;

/// The least share of what is known about a coefficient that must come from games.
const LEAST_KNOWN: f64 = 0.95;

/// Columns before those of the kinds: for moving first, and for having the move.
const TERMS: usize = 2;

/// What the pieces turned out to be worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PieceValues {
    /// Quiet positions, as this module's source defines them.
    pub positions: u64,
    /// Games with such positions.
    pub games: u64,
    /// The kind that is worth 1: of those with a value clearly above 0 the most numerous at the
    /// start, the cheapest of several. None if there is none.
    pub unit: Option<String>,
    /// What moving first is worth, the move itself left out.
    pub first_side: Term,
    /// What having the move is worth, in positions in which the mover then takes nothing: most of
    /// what the move is good for is left out with the others, so it may well be negative.
    pub to_move: Term,
    /// The kinds that were on the board in any of the positions.
    pub kinds: Vec<Term>,
}

/// What one thing is worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Term {
    /// The kind of piece, or what else it is.
    pub name: String,
    /// Games in which the sides differed in it in a quiet position.
    pub games: u64,
    /// By how much it raises the log-odds of a win.
    pub log_odds: Option<Estimate>,
    /// The same in units of [`PieceValues::unit`].
    pub value: Option<Estimate>,
    /// Why there is no number.
    pub unknown: Option<Unknown>,
}

/// Why something's worth is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unknown {
    /// The sides differed in it in too few games.
    TooFew,
    /// The games do not bound it, or not apart from other kinds.
    Unbounded,
}

impl std::fmt::Display for Unknown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::TooFew => "too few",
            Self::Unbounded => "unbounded",
        })
    }
}

/// What of a position the regression sees.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Balance {
    to_move: i8,
    /// By kind: White's less Black's.
    differences: Box<[i16]>,
}

/// The balances along a game, move by move.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// Whether the result is that of the players' own play from here on, and the balance.
    passed: Vec<(bool, Balance)>,
    /// The kinds that either side had.
    present: Vec<bool>,
}

impl Walk {
    /// Notes a position between moves; `tells` is whether the result says something about it.
    pub(super) fn pass(&mut self, position: &Position, tells: bool) {
        let mut differences = Vec::new();
        position.count_pieces(Side::White, |kind| differences.push(kind.count as i16));
        self.present.resize(differences.len(), false);
        let mut kinds = differences.iter_mut().zip(&mut self.present);
        position.count_pieces(Side::Black, |kind| {
            let (difference, present) = kinds.next().expect("both sides have the same kinds");
            *present |= *difference > 0 || kind.count > 0;
            *difference -= kind.count as i16;
        });
        let to_move = if position.side_to_move() == Side::White { 1 } else { -1 };
        self.passed.push((tells, Balance { to_move, differences: differences.into() }));
    }

    /// The quiet positions that tell something, each balance with the number of them.
    fn quiet(&self) -> BTreeMap<&Balance, u32> {
        let mut quiet = BTreeMap::new();
        for (index, (tells, balance)) in self.passed.iter().enumerate() {
            let same = |other: Option<&(bool, Balance)>| {
                other.is_none_or(|(_, other)| other.differences == balance.differences)
            };
            let before = index.checked_sub(1).and_then(|before| self.passed.get(before));
            if *tells && same(before) && same(self.passed.get(index + 1)) {
                *quiet.entry(balance).or_default() += 1;
            }
        }
        quiet
    }
}

/// A kind of piece of the game.
#[derive(Debug)]
struct Kind {
    name: &'static str,
    /// Whether it can be lost before the game is.
    counts: bool,
    /// By how many there are at the start, the cheaper ones last among equals.
    rank: (usize, i32),
    /// Games in which the sides differed in it.
    games: u64,
    /// Whether it was seen at all.
    seen: bool,
}

/// What has been gathered for the regression.
#[derive(Debug)]
pub(super) struct Gathered {
    kinds: Vec<Kind>,
    sample: Sample,
    positions: u64,
}

impl Gathered {
    pub(super) fn new(game: &'static Game) -> Self {
        let mut kinds = Vec::new();
        game.start().count_pieces(Side::White, |kind| {
            let (counts, rank) = (kind.value != 0, (kind.count, -kind.value));
            kinds.push(Kind { name: kind.name, counts, rank, games: 0, seen: false });
        });
        let width = TERMS + kinds.iter().filter(|kind| kind.counts).count();
        Self { kinds, sample: Sample::new(width), positions: 0 }
    }

    /// Takes in a game that ended so.
    pub(super) fn add(&mut self, walk: &Walk, outcome: Outcome) {
        let score = (f64::from(outcome.score(Side::White)) + 1.0) / 2.0;
        let mut differed = vec![false; self.kinds.len()];
        let mut row = Vec::new();
        for (balance, times) in walk.quiet() {
            row.clear();
            row.extend([1.0, f64::from(balance.to_move)]);
            for (number, &difference) in balance.differences.iter().enumerate() {
                differed[number] |= difference != 0;
                row.extend(self.kinds[number].counts.then(|| f64::from(difference)));
            }
            self.sample.push(&row, score, times.into());
            self.positions += u64::from(times);
        }
        self.sample.end_cluster();
        for (kind, (differed, present)) in
            self.kinds.iter_mut().zip(differed.into_iter().zip(&walk.present))
        {
            kind.games += u64::from(differed);
            kind.seen |= present;
        }
    }

    /// The values; none if all results of games with quiet positions are alike.
    pub(super) fn fit(&self) -> Option<PieceValues> {
        if !self.sample.varies() {
            return None;
        }
        let (fit, games) = (self.sample.fit(RIDGE), self.sample.clusters() as u64);
        let kinds: Vec<&Kind> = self.kinds.iter().filter(|kind| kind.counts).collect();
        let worth = |column: usize, games| log_odds(&fit, column, games);
        let is_unit = |(column, kind): &(usize, &&Kind)| {
            worth(*column, kind.games).is_ok_and(|worth| worth.is_positive())
        };
        let unit = (TERMS..).zip(&kinds).filter(is_unit).max_by_key(|(_, kind)| kind.rank);
        let term = |column: usize, name: &str, games| {
            let log_odds = worth(column, games);
            let value = |(unit, _): (usize, _)| fit.ratio(column, unit);
            Term {
                name: name.to_owned(),
                games,
                log_odds: log_odds.ok(),
                value: log_odds.ok().and(unit.map(value)),
                unknown: log_odds.err(),
            }
        };
        let seen = (TERMS..).zip(&kinds).filter(|(_, kind)| kind.seen);
        Some(PieceValues {
            positions: self.positions,
            games,
            unit: unit.map(|(_, kind)| kind.name.to_owned()),
            first_side: term(0, "moving first", games),
            to_move: term(1, "having the move", games),
            kinds: seen.map(|(column, kind)| term(column, kind.name, kind.games)).collect(),
        })
    }
}

/// The coefficient of a column in which the sides differed in so many games, if it is known.
fn log_odds(fit: &Fit, column: usize, games: u64) -> Result<Estimate, Unknown> {
    if games < FEWEST_GAMES {
        Err(Unknown::TooFew)
    } else if fit.known(column) < LEAST_KNOWN {
        Err(Unknown::Unbounded)
    } else {
        Ok(fit.estimate(column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A walk through positions with these differences in one kind, White to move first; the first
    /// `opening` of them tell nothing, nor does the last.
    fn walk(differences: &[i16], opening: usize) -> Walk {
        let last = differences.len() - 1;
        let balance = |index: usize| Balance {
            to_move: if index.is_multiple_of(2) { 1 } else { -1 },
            differences: [differences[index]].into(),
        };
        let passed = (0..=last).map(|index| ((opening..last).contains(&index), balance(index)));
        Walk { passed: passed.collect(), present: vec![true] }
    }

    fn quiet(walk: &Walk) -> Vec<(i8, i16, u32)> {
        let quiet = walk.quiet();
        quiet.iter().map(|(of, &times)| (of.to_move, of.differences[0], times)).collect()
    }

    #[test]
    fn positions_within_an_exchange_do_not_count() {
        // Equal; White takes, Black takes back; later White takes for nothing.
        let exchange = walk(&[0, 0, 0, 1, 0, 0, 0, 1, 1, 1], 0);
        assert_eq!(quiet(&exchange), [(-1, 0, 2), (1, 0, 1), (1, 1, 1)]);
        assert_eq!(quiet(&walk(&[0, 0, 0, 1, 0, 0, 0, 1, 1, 1], 6)), [(1, 1, 1)]);
        assert_eq!(quiet(&walk(&[0, 1, 0, 1], 0)), []);
        assert_eq!(quiet(&walk(&[2, 2], 0)), [(1, 2, 1)]);
    }

    /// Games of a few positions with pieces of two kinds of known worth.
    #[test]
    fn planted_values_are_found() {
        let mut random = 1_u64;
        let mut below = |limit: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) % limit
        };
        let kind = |name, rank, counts| Kind { name, counts, rank, games: 0, seen: false };
        let kinds = vec![
            kind("man", (8, -100), true),
            kind("king", (1, 0), false),
            kind("rook", (2, -500), true),
            kind("dragon", (0, -900), true),
            kind("unicorn", (0, -900), true),
        ];
        let mut gathered = Gathered { kinds, sample: Sample::new(6), positions: 0 };
        for game in 0..4000 {
            let [men, rooks] = [below(5) as i16 - 2, below(3) as i16 - 1];
            let dragons = i16::from(game % 200 == 0);
            let log_odds = 0.2 + 0.5 * f64::from(men) + 2.0 * f64::from(rooks);
            let chance = 1.0 / (1.0 + (-log_odds).exp());
            let won = (below(1 << 20) as f64) < chance * f64::from(1 << 20);
            let differences: Box<[i16]> = [men, 0, rooks, dragons, 0].into();
            let balance = |to_move| Balance { to_move, differences: differences.clone() };
            let passed = [1, -1, 1, -1].map(|to_move| (true, balance(to_move)));
            let walk = Walk { passed: passed.into(), present: vec![true, true, true, true, false] };
            let winner = if won { Side::White } else { Side::Black };
            gathered.add(&walk, Outcome::Win(winner));
        }
        let values = gathered.fit().unwrap();
        assert_eq!((values.games, values.positions), (4000, 16_000));
        assert_eq!(values.unit.as_deref(), Some("man"));
        let names: Vec<&str> = values.kinds.iter().map(|kind| kind.name.as_str()).collect();
        assert_eq!(names, ["man", "rook", "dragon"]);
        let holds = |term: &Term, log_odds: f64| {
            let Estimate { low, high, .. } = term.log_odds.unwrap();
            assert!((low..=high).contains(&log_odds) && high - low < 0.6, "{term:?}");
        };
        holds(&values.kinds[0], 0.5);
        holds(&values.kinds[1], 2.0);
        holds(&values.first_side, 0.2);
        holds(&values.to_move, 0.0);
        let Estimate { value, low, high } = values.kinds[1].value.unwrap();
        assert!((low..=high).contains(&4.0) && (value - 4.0).abs() < 1.0, "{:?}", values.kinds[1]);
        assert_eq!((values.kinds[2].games, values.kinds[2].unknown), (20, Some(Unknown::TooFew)));
    }
}
