//! [`Phase`]: what a run is doing, and so what it waits for.

use serde::Serialize;

/// What a run is doing, or would go on with. Displayed, it is a sentence that says what has to
/// happen before it goes on to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "phase", rename_all = "snake_case")]
pub enum Phase {
    /// Games are played.
    Playing {
        /// Which generation, counted from 0.
        generation: u32,
        /// Games finished so far.
        games: u64,
        /// Games to finish before the learner's turn.
        goal: u64,
        /// Rows to learn from so far in the run, these games included.
        rows: u64,
        /// Rows before the learner takes its first step.
        minimum: u64,
    },
    /// The learner is at work.
    Learning {
        /// Which generation, counted from 0.
        generation: u32,
        /// Steps taken in the run so far, as far as it is known.
        step: i64,
        /// Steps to take before the next games.
        due: i64,
    },
    /// The games of a checkpoint at the gate are played.
    Gating {
        /// Which checkpoint.
        checkpoint: u32,
    },
    /// The games of a checkpoint on the ladder are played.
    Rating {
        /// Which checkpoint.
        checkpoint: u32,
        /// Games finished so far.
        games: u64,
        /// Games that give it its place.
        goal: u64,
    },
    /// The games of the strength table are played.
    Measuring,
    /// All is done.
    Complete,
}

impl std::fmt::Display for Phase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self::Playing { generation, games, goal, rows, minimum } => {
                let (games, goal) = (Grouped(games), Grouped(goal));
                write!(f, "generation {generation}: {games} of {goal} games before ")?;
                if rows < minimum {
                    let (rows, minimum) = (Grouped(rows), Grouped(minimum));
                    write!(f, "the learner looks, {rows} of {minimum} rows before the first step")
                } else {
                    f.write_str("the learner's turn")
                }
            }
            Self::Learning { generation, step, due } => write!(
                f,
                "generation {generation}: step {} of {} before the next games",
                Grouped(step.unsigned_abs()),
                Grouped(due.unsigned_abs()),
            ),
            Self::Gating { checkpoint } => {
                write!(f, "checkpoint {checkpoint}: its games against the one that plays")
            }
            Self::Rating { checkpoint, games, goal } => write!(
                f,
                "checkpoint {checkpoint}: {} of {} games of the ladder",
                Grouped(games),
                Grouped(goal),
            ),
            Self::Measuring => f.write_str("the games of the strength table"),
            Self::Complete => f.write_str("nothing: the run is complete"),
        }
    }
}

/// A number whose digits are grouped by three, as in 18,200.
#[derive(Debug, Clone, Copy)]
pub struct Grouped(pub u64);

impl std::fmt::Display for Grouped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digits = self.0.to_string();
        let mut text = String::with_capacity(digits.len() * 4 / 3);
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                text.push(',');
            }
            text.push(digit);
        }
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_phase_says_what_it_waits_for() {
        let playing =
            |rows| Phase::Playing { generation: 3, games: 40, goal: 1000, rows, minimum: 50_000 };
        assert_eq!(
            playing(18_200).to_string(),
            "generation 3: 40 of 1,000 games before the learner looks, 18,200 of 50,000 rows \
             before the first step"
        );
        assert_eq!(
            playing(50_000).to_string(),
            "generation 3: 40 of 1,000 games before the learner's turn"
        );
        let learning = Phase::Learning { generation: 3, step: 999, due: 1_234_567 };
        let expected = "generation 3: step 999 of 1,234,567 before the next games";
        assert_eq!(learning.to_string(), expected);
        let rating = Phase::Rating { checkpoint: 40, games: 12, goal: 1200 };
        assert_eq!(rating.to_string(), "checkpoint 40: 12 of 1,200 games of the ladder");
    }

    #[test]
    fn digits_are_grouped_from_the_right() {
        let grouped = [0, 12, 123, 1234, 1_000_000].map(|n| Grouped(n).to_string());
        assert_eq!(grouped, ["0", "12", "123", "1,234", "1,000,000"]);
        assert_eq!(format!("{:>6}", Grouped(1234)), " 1,234");
    }
}
