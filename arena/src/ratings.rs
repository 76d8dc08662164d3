//! [`rate`]: one number for each of many players, from all their results at once.

use statistics::Z;

use crate::Score;

/// Elo points in a unit of natural logarithm of the odds: 400 / ln 10.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Games between two players, by their numbers in the list of players.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Meeting {
    /// One player.
    pub a: usize,
    /// The other one.
    pub b: usize,
    /// The games, seen by A.
    pub score: Score,
    /// The variance of the score over that of independent games without draws: 1 for these, less
    /// with draws and where the colours of an opening even each other out, more where the same
    /// player wins with both.
    pub scatter: f64,
}

/// What is believed of ratings before any game: little, but enough for a number where a player has
/// all or no points, or has met nobody.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prior {
    /// Imagined draws a player, half of each its opponent's, shared out among those that it has met
    /// in proportion to their games (as BayesElo does). A match of two players has so many.
    pub draws: f64,
    /// The standard deviation of ratings around the anchor's, in Elo; may be infinite.
    pub spread: f64,
}

impl Default for Prior {
    fn default() -> Self {
        Self { draws: 1.0, spread: 3000.0 }
    }
}

impl Prior {
    /// Nothing is believed: plain maximum likelihood, which exists only where no group of players
    /// has all the points against the others.
    pub const NONE: Self = Self { draws: 0.0, spread: f64::INFINITY };
}

/// The strength of a player above the anchor, in Elo.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating {
    /// The likeliest value.
    pub elo: f64,
    /// Half the width of its 95% interval; 0 for the anchor.
    pub margin: f64,
}

/// The ratings of `players` players that explain all `meetings` best, with player `anchor` at 0.
///
/// The model is Bradley and Terry's (1952): A scores `1 / (1 + 10^((b - a) / 400))` on average, a
/// draw being half a point for each. The likelihood, with the prior, has one maximum, found by
/// Newton's method. The intervals are normal ones. Their covariance is the inverse of the Hessian
/// where all scatter is 1, and White's (1982) for a likelihood that holds in the mean only
/// otherwise: `H^-1 J H^-1` with the information of each meeting in `J` times its scatter.
///
/// ```
/// use arena::{Meeting, Prior, Score, rate};
/// let score = Score { wins: 30, draws: 0, losses: 10 };
/// let ratings = rate(2, 1, &[Meeting { a: 0, b: 1, score, scatter: 1.0 }], &Prior::NONE);
/// assert!((ratings[0].elo - 400.0 * 3_f64.log10()).abs() < 1e-6);
/// ```
///
/// # Panics
/// If `anchor` or a player of a meeting is not below `players`.
#[must_use]
pub fn rate(players: usize, anchor: usize, meetings: &[Meeting], prior: &Prior) -> Vec<Rating> {
    assert!(anchor < players, "the anchor is one of the players");
    let games = with_prior(players, meetings, prior);
    let stiffness = (ELO / prior.spread).powi(2);
    // All but the anchor are free; free player i is player i or i + 1.
    let free = |player: usize| match player {
        _ if player == anchor => None,
        _ => Some(player - usize::from(player > anchor)),
    };
    let mut strengths = vec![0.0; players];
    let mut value = log_likelihood(&games, &strengths, stiffness);
    for _ in 0..200 {
        let mut gradient: Vec<f64> = (0..players).map(|i| -stiffness * strengths[i]).collect();
        for game in &games {
            let surprise = game.points_of_a - game.games * game.chance(&strengths);
            gradient[game.a] += surprise;
            gradient[game.b] -= surprise;
        }
        let factor =
            Cholesky::new(hessian(&games, &strengths, stiffness, players - 1, free, |_| 1.0));
        gradient.remove(anchor);
        factor.solve(&mut gradient);
        let longest = gradient.iter().fold(0.0_f64, |most, step| most.max(step.abs()));
        // Newton's step, shortened until it is an improvement.
        let mut share = (4.0 / longest).min(1.0);
        let (moved, better) = loop {
            let mut moved = strengths.clone();
            for (player, strength) in moved.iter_mut().enumerate() {
                *strength += free(player).map_or(0.0, |i| share * gradient[i]);
            }
            let better = log_likelihood(&games, &moved, stiffness);
            if better >= value || share * longest < 1e-12 {
                break (moved, better);
            }
            share /= 2.0;
        };
        (strengths, value) = (moved, better);
        if share * longest < 1e-10 {
            break;
        }
    }
    let information = |weight: fn(&Games) -> f64| {
        hessian(&games, &strengths, stiffness, players - 1, free, weight)
    };
    let factor = Cholesky::new(information(|_| 1.0));
    let scattered = information(|game| game.scatter);
    let margin = |i: usize| {
        let mut column = vec![0.0; players - 1];
        column[i] = 1.0;
        factor.solve(&mut column);
        let terms = scattered.iter().zip(&column).map(|(row, x)| {
            let along: f64 = row.iter().zip(&column).map(|(j, y)| j * y).sum();
            x * along
        });
        Z * terms.sum::<f64>().sqrt() * ELO
    };
    (0..players)
        .map(|player| Rating {
            elo: strengths[player] * ELO,
            margin: free(player).map_or(0.0, margin),
        })
        .collect()
}

/// Games of two players, imagined ones included.
struct Games {
    a: usize,
    b: usize,
    games: f64,
    points_of_a: f64,
    scatter: f64,
}

impl Games {
    /// The share of the points that A can expect.
    fn chance(&self, strengths: &[f64]) -> f64 {
        1.0 / (1.0 + (strengths[self.b] - strengths[self.a]).exp())
    }
}

fn with_prior(players: usize, meetings: &[Meeting], prior: &Prior) -> Vec<Games> {
    let mut played = vec![0.0; players];
    for meeting in meetings {
        let games = f64::from(meeting.score.games());
        played[meeting.a] += games;
        played[meeting.b] += games;
    }
    let met = meetings.iter().filter(|meeting| meeting.score.games() > 0);
    met.map(|&Meeting { a, b, score, scatter }| {
        let games = f64::from(score.games());
        let imagined = prior.draws / 2.0 * (games / played[a] + games / played[b]);
        let points_of_a = score.share() * games + imagined / 2.0;
        Games { a, b, games: games + imagined, points_of_a, scatter }
    })
    .collect()
}

fn log_likelihood(games: &[Games], strengths: &[f64], stiffness: f64) -> f64 {
    // ln(1 / (1 + e^-x)) without overflow.
    let log_chance = |x: f64| x.min(0.0) - (-x.abs()).exp().ln_1p();
    let of_games = games.iter().map(|game| {
        let lead = strengths[game.a] - strengths[game.b];
        game.points_of_a * log_chance(lead) + (game.games - game.points_of_a) * log_chance(-lead)
    });
    let of_prior = strengths.iter().map(|strength| -stiffness * strength * strength / 2.0);
    of_games.sum::<f64>() + of_prior.sum::<f64>()
}

/// The negative matrix of second derivatives, rows of the free players; what a meeting adds to it is
/// multiplied by its `weight`.
fn hessian(
    games: &[Games],
    strengths: &[f64],
    stiffness: f64,
    size: usize,
    free: impl Fn(usize) -> Option<usize>,
    weight: fn(&Games) -> f64,
) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; size]; size];
    for (i, row) in matrix.iter_mut().enumerate() {
        // A floor, so that without a prior a player that has met nobody stays where it is.
        row[i] = stiffness.max(1e-12);
    }
    for game in games {
        let chance = game.chance(strengths);
        let information = weight(game) * game.games * chance * (1.0 - chance);
        for (one, other) in [(game.a, game.b), (game.b, game.a)] {
            let Some(i) = free(one) else { continue };
            matrix[i][i] += information;
            if let Some(j) = free(other) {
                matrix[i][j] -= information;
            }
        }
    }
    matrix
}

/// A symmetric positive definite matrix as the product of a lower triangle and its mirror.
struct Cholesky(Vec<Vec<f64>>);

impl Cholesky {
    fn new(mut matrix: Vec<Vec<f64>>) -> Self {
        for i in 0..matrix.len() {
            for j in 0..=i {
                let known: f64 = (0..j).map(|k| matrix[i][k] * matrix[j][k]).sum();
                let rest = matrix[i][j] - known;
                // Rounding may leave a pivot that is not positive where nothing is known.
                matrix[i][j] = if i == j { rest.max(1e-12).sqrt() } else { rest / matrix[j][j] };
            }
        }
        Self(matrix)
    }

    /// Turns the right side of the equations into their solution.
    fn solve(&self, vector: &mut [f64]) {
        let Self(lower) = self;
        for i in 0..lower.len() {
            let known: f64 = (0..i).map(|k| lower[i][k] * vector[k]).sum();
            vector[i] = (vector[i] - known) / lower[i][i];
        }
        for i in (0..lower.len()).rev() {
            let known: f64 = (i + 1..lower.len()).map(|k| lower[k][i] * vector[k]).sum();
            vector[i] = (vector[i] - known) / lower[i][i];
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::Rng;

    use super::*;
    use crate::seeds::random;

    fn meeting(a: usize, b: usize, wins: u32, draws: u32, losses: u32) -> Meeting {
        Meeting { a, b, score: Score { wins, draws, losses }, scatter: 1.0 }
    }

    /// The baseball season of 1987 in the Eastern Division of the American League: Agresti,
    /// *Categorical Data Analysis* (2nd edition 2002), tables 10.10 and 10.11. Row: the winner;
    /// Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore. The estimates (last team
    /// 0) are those of the book and of the R package BradleyTerry2, whose own test has them, with
    /// standard errors of about 0.3.
    #[test]
    fn the_ratings_of_a_published_table() {
        let wins = [
            [0, 7, 9, 7, 7, 9, 11],
            [6, 0, 7, 5, 11, 9, 9],
            [4, 6, 0, 7, 7, 8, 12],
            [6, 8, 6, 0, 6, 7, 10],
            [6, 2, 6, 7, 0, 7, 12],
            [4, 4, 5, 6, 6, 0, 6],
            [2, 4, 1, 3, 1, 7, 0],
        ];
        let published = [1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0.0];
        let pairs = (0..7).flat_map(|a| (0..a).map(move |b| (a, b)));
        let meetings: Vec<_> =
            pairs.map(|(a, b)| meeting(a, b, wins[a][b], 0, wins[b][a])).collect();
        let ratings = rate(7, 6, &meetings, &Prior::NONE);
        for (rating, published) in ratings.iter().zip(published) {
            let found = rating.elo / ELO;
            assert!((found - published).abs() < 0.005, "expected {published}, found {found}");
        }
        for rating in &ratings[..6] {
            let error = rating.margin / Z / ELO;
            assert!((0.25..0.35).contains(&error), "standard error {error}");
        }
        assert_eq!(ratings[6], Rating { elo: 0.0, margin: 0.0 });
        // Another anchor moves all alike, and a weak prior moves hardly any.
        let moved = rate(7, 2, &meetings, &Prior::NONE);
        let weak = rate(7, 6, &meetings, &Prior::default());
        for i in 0..7 {
            let difference = ratings[i].elo - ratings[2].elo;
            assert!((moved[i].elo - difference).abs() < 1e-6);
            assert!((weak[i].elo - ratings[i].elo).abs() < 5.0, "{:?}", weak[i]);
        }
    }

    /// In a chain each difference is that of its own match, and variances add up.
    #[test]
    fn a_chain_has_a_closed_form() {
        let meetings =
            [meeting(0, 1, 60, 20, 20), meeting(1, 2, 30, 40, 30), meeting(3, 2, 9, 0, 1)];
        let ratings = rate(4, 2, &meetings, &Prior::NONE);
        let elo = |share: f64| ELO * (share / (1.0 - share)).ln();
        let near = |found: f64, expected: f64| {
            assert!((found - expected).abs() < 1e-6, "expected {expected}, found {found}");
        };
        near(ratings[0].elo, elo(0.7));
        near(ratings[1].elo, 0.0);
        near(ratings[3].elo, elo(0.9));
        let variance = |games: f64, share: f64| 1.0 / (games * share * (1.0 - share));
        near(ratings[0].margin, Z * ELO * (variance(100.0, 0.7) + variance(100.0, 0.5)).sqrt());
        near(ratings[3].margin, Z * ELO * variance(10.0, 0.9).sqrt());
    }

    #[test]
    fn all_points_or_no_games_still_give_numbers() {
        // One imagined draw: 400.5 of 401 points.
        let prior = Prior { spread: f64::INFINITY, ..Prior::default() };
        let ratings = rate(2, 1, &[meeting(0, 1, 400, 0, 0)], &prior);
        assert!((ratings[0].elo - 400.0 * (400.5_f64 / 0.5).log10()).abs() < 1e-6);
        assert!(ratings[0].margin > 300.0);
        // Players 2 and 3 have only met each other, player 4 nobody.
        let meetings = [meeting(0, 1, 10, 0, 0), meeting(2, 3, 5, 0, 5)];
        let ratings = rate(5, 1, &meetings, &Prior::default());
        assert!(ratings[0].elo > 400.0);
        for stranger in &ratings[2..] {
            assert!(stranger.elo.abs() < 1e-3 && stranger.margin > 2000.0, "{stranger:?}");
        }
        assert!(rate(1, 0, &[], &Prior::default())[0] == Rating { elo: 0.0, margin: 0.0 });
    }

    #[test]
    fn a_ladder_of_far_apart_players_converges() {
        let meetings: Vec<_> = (0..60).map(|i| meeting(i + 1, i, 40, 0, 0)).collect();
        let ratings = rate(61, 0, &meetings, &Prior::default());
        assert!(ratings.windows(2).all(|pair| pair[0].elo < pair[1].elo));
        assert!(ratings.iter().all(|rating| rating.elo.is_finite() && rating.margin.is_finite()));
    }

    /// Intervals contain the truth about 95 times in 100, also where the two games of a pair are one
    /// another's copy, or even each other out.
    #[test]
    fn intervals_of_pairs_cover_the_truth() {
        let mut random = random(4);
        let truth = [0.0, 40.0, 90.0];
        // The share of pairs whose games end alike, and of those that are shared.
        for [alike, shared] in [[0.8, 0.0], [0.0, 0.0], [0.0, 0.7]] {
            let (mut covered, mut trials) = (0, 0);
            for _ in 0..400 {
                let mut standings = crate::Standings::new(&games::Game::all()[0], "0");
                standings.enter("1", None);
                standings.enter("2", None);
                for (a, b) in [(1, 0), (2, 0), (2, 1)] {
                    let share = crate::share_of(truth[a] - truth[b]);
                    // So that the mean is the share, although some pairs have one half.
                    let chance = 0.5 + (share - 0.5) / (1.0 - shared);
                    let mut pentanomial = [0; 5];
                    for _ in 0..60 {
                        let one = random.random::<f64>() < chance;
                        let other = random.random::<f64>() < chance;
                        let points = match random.random::<f64>() {
                            kind if kind < shared => 1,
                            kind if kind < shared + alike => 2 * u32::from(one),
                            _ => u32::from(one) + u32::from(other),
                        };
                        pentanomial[2 * points as usize] += 1;
                    }
                    standings.add(&crate::standings::tests::encounter(
                        &a.to_string(),
                        &b.to_string(),
                        pentanomial,
                    ));
                }
                standings.rate();
                for standing in &standings.players {
                    let player: usize = standing.player.parse().unwrap();
                    if player > 0 {
                        let interval = standing.low..=standing.high;
                        covered += u32::from(interval.contains(&truth[player]));
                        trials += 1;
                    }
                }
            }
            let share = f64::from(covered) / f64::from(trials);
            assert!((0.93..0.98).contains(&share), "{alike} {shared}: {share}");
        }
    }

    /// Intervals contain the truth about 95 times in 100.
    #[test]
    fn intervals_cover_the_truth() {
        let truth = [0.0, 50.0, 120.0, 300.0, 340.0];
        let mut random = random(3);
        let (mut covered, mut trials) = (0, 0);
        for _ in 0..300 {
            let mut meetings = Vec::new();
            for (a, b) in (0..5).flat_map(|a| (0..a).map(move |b| (a, b))) {
                let chance = 1.0 / (1.0 + 10_f64.powf((truth[b] - truth[a]) / 400.0));
                let wins = (0..40).filter(|_| random.random::<f64>() < chance).count() as u32;
                meetings.push(meeting(a, b, wins, 0, 40 - wins));
            }
            for (rating, truth) in
                rate(5, 0, &meetings, &Prior::default()).iter().zip(truth).skip(1)
            {
                covered += u32::from((rating.elo - truth).abs() <= rating.margin);
                trials += 1;
            }
        }
        let share = f64::from(covered) / f64::from(trials);
        assert!((0.93..0.98).contains(&share), "{share}");
    }
}
