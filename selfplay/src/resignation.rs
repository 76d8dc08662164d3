//! [`Resignation`]: a side gives up, or would have; [`Resignations`]: how often that was wrong.

use games::Side;
use rand::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use search::Decision;
use serde::{Deserialize, Serialize};

use crate::record::{GameRecord, Verdict};
use crate::settings::SelfPlaySettings;

/// The first time in a game that a side resigned. If the game has no further steps it ended there;
/// otherwise it was one of those that are played out, to see whether resigning is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resignation {
    /// The side that resigned: it was to move, between two moves.
    pub side: Side,
    /// The step that it resigned instead of playing: index into [`GameRecord::steps`].
    pub step: u32,
}

/// Counts of resignations, right and wrong.
///
/// A resigned game cannot tell what it would have come to. So a share of the games is played out
/// in spite of a resignation; the games of this share in which a side had resigned and did not lose
/// are the false positives (Silver et al. 2017).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resignations {
    /// Games that ended by resignation.
    pub resigned: u64,
    /// Games played out to a result in spite of a resignation.
    pub played_out: u64,
    /// Those of them that the side which had resigned won or drew.
    pub wrong: u64,
}

impl Resignations {
    /// Counts the resignation of `record`, if there is one.
    pub fn add(&mut self, record: &GameRecord) {
        let Some(resignation) = record.resignation else { return };
        if record.resigned().is_some() {
            self.resigned += 1;
        } else if let Some(result) = record.result(resignation.side) {
            self.played_out += 1;
            self.wrong += u64::from(result != Verdict::Loss);
        }
    }

    /// The share of wrong ones among those that were played out; none if none was.
    #[must_use]
    pub fn wrong_share(&self) -> Option<f64> {
        (self.played_out > 0).then(|| self.wrong as f64 / self.played_out as f64)
    }
}

/// For each side, the plies in a row in which its searches have seen it lose.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LosingPlies([u32; 2]);

impl LosingPlies {
    /// Takes in what `side` has found for its next move, and says whether it gives up.
    ///
    /// A proven loss neither counts nor breaks a row: it costs no more searches to play it out, and
    /// leaves policies to learn.
    pub(crate) fn gives_up(
        &mut self,
        side: Side,
        decision: &Decision,
        settings: &SelfPlaySettings,
    ) -> bool {
        let score = decision.value.score();
        if settings.resign_plies == 0 || (decision.proven.is_some() && score < 0.0) {
            return false;
        }
        let plies = &mut self.0[usize::from(side == Side::Black)];
        *plies = if score < settings.resign_score { *plies + 1 } else { 0 };
        *plies >= settings.resign_plies
    }
}

/// Whether the game with this seed is one of the `share` that are played out. It takes nothing from
/// the game's other random numbers, so that a game is the same up to its resignation, whether it is
/// heard or not.
pub(crate) fn is_played_out(seed: u64, share: f32) -> bool {
    /// Makes a sequence of its own.
    const SALT: u64 = 0x7265_7369_676e_6564;
    Xoshiro256PlusPlus::seed_from_u64(seed ^ SALT).random::<f32>() < share
}

#[cfg(test)]
mod tests {
    use games::{Outcome, Step};
    use search::{Ended, Proof, Wdl};

    use super::*;

    fn decision(score: f32, proven: Option<Outcome>) -> Decision {
        Decision {
            step: Step::from_bits(0),
            value: Wdl { win: (1.0 + score) / 2.0, draw: 0.0, loss: (1.0 - score) / 2.0 },
            raw: None,
            proven: proven.map(|outcome| Proof { outcome, steps: 3 }),
            ended: Ended::Spent,
            simulations: 1,
            reused: 0,
            candidates: Vec::new(),
        }
    }

    #[test]
    fn only_plies_in_a_row_of_one_side_count() {
        let settings = SelfPlaySettings { resign_plies: 3, ..SelfPlaySettings::default() };
        let after = |scores: &[(Side, f32)]| {
            let mut plies = LosingPlies::default();
            let given_up = |&(side, score): &(Side, f32)| {
                plies.gives_up(side, &decision(score, None), &settings)
            };
            scores.iter().map(given_up).collect::<Vec<_>>()
        };
        let (white, black) = (Side::White, Side::Black);
        assert_eq!(after(&[(white, -0.95); 4]), [false, false, true, true]);
        let broken = [(white, -0.95), (white, -0.95), (white, -0.85), (white, -0.95)];
        assert_eq!(after(&broken), [false; 4]);
        let mixed = [(white, -0.95), (black, -0.95), (white, -0.95), (black, 0.5), (white, -1.0)];
        assert_eq!(after(&mixed), [false, false, false, false, true]);
        assert_eq!(after(&[(white, f32::NAN); 5]), [false; 5]);
    }

    #[test]
    fn what_is_proven_is_played_out() {
        let settings = SelfPlaySettings { resign_plies: 2, ..SelfPlaySettings::default() };
        let mut plies = LosingPlies::default();
        let side = Side::White;
        let mut gives_up =
            |score, proven| plies.gives_up(side, &decision(score, proven), &settings);
        let lost = Some(Outcome::Win(Side::Black));
        assert!(!gives_up(-0.95, None));
        assert!(!gives_up(-1.0, lost) && !gives_up(-1.0, lost));
        assert!(gives_up(-0.95, None), "the row goes on");
        assert!(!gives_up(0.0, Some(Outcome::Draw)), "it is broken");
        assert!(!gives_up(-0.95, None));
    }

    #[test]
    fn the_share_that_is_played_out_is_the_one_asked_for() {
        let share =
            |share: f32| (0..10_000).filter(|&seed| is_played_out(seed, share)).count() as f64;
        assert!((share(0.1) / 1e4 - 0.1).abs() < 0.01, "{}", share(0.1));
        assert_eq!((share(0.0), share(1.0)), (0.0, 1e4));
    }
}
