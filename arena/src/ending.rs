//! [`Ending`]: why a game of a match is over.

use std::str::FromStr;

use games::EndReason;
use serde::{Deserialize, Serialize};

/// Why a game of a match is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// A rule of the game ended it.
    Rule(EndReason),
    /// A player has resigned, or adjudicated: both players have seen the same side winning for so many
    /// plies.
    Resignation,
    /// Adjudicated: both players have seen nothing for either side for so many plies.
    AgreedDraw,
    /// A player could not go on: another program that has ended, hangs, or plays illegal moves.
    Forfeit,
}

impl Ending {
    const ALL: [Self; 8] = [
        Self::Rule(EndReason::Rules),
        Self::Rule(EndReason::Repetition),
        Self::Rule(EndReason::PerpetualCheck),
        Self::Rule(EndReason::HundredPlies),
        Self::Rule(EndReason::MaximumLength),
        Self::Resignation,
        Self::AgreedDraw,
        Self::Forfeit,
    ];
}

impl std::fmt::Display for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rule(reason) => reason.fmt(f),
            Self::Resignation => f.write_str("resignation"),
            Self::AgreedDraw => f.write_str("agreed draw"),
            Self::Forfeit => f.write_str("forfeit"),
        }
    }
}

impl FromStr for Ending {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.into_iter().find(|ending| ending.to_string() == text);
        known.ok_or_else(|| format!("`{text}` is no way to end a game"))
    }
}

/// Why games ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct EndCounts {
    /// By the game's own rules.
    pub rules: u32,
    /// Drawn by repetition.
    pub repetition: u32,
    /// Lost by perpetual check.
    #[serde(default)]
    pub perpetual_check: u32,
    /// Drawn by the hundred-ply rule.
    pub hundred_plies: u32,
    /// Adjudicated at the game's maximum length.
    pub maximum_length: u32,
    /// Won because the loser resigned, or adjudicated as won because both players agreed.
    #[serde(default)]
    pub resignation: u32,
    /// Adjudicated as drawn because both players agreed.
    #[serde(default)]
    pub agreed_draw: u32,
    /// Won because the loser could not go on.
    #[serde(default)]
    pub forfeit: u32,
}

impl EndCounts {
    pub(crate) fn count(&mut self, ending: Ending) {
        *match ending {
            Ending::Rule(EndReason::Rules) => &mut self.rules,
            Ending::Rule(EndReason::Repetition) => &mut self.repetition,
            Ending::Rule(EndReason::PerpetualCheck) => &mut self.perpetual_check,
            Ending::Rule(EndReason::HundredPlies) => &mut self.hundred_plies,
            Ending::Rule(EndReason::MaximumLength) => &mut self.maximum_length,
            Ending::Resignation => &mut self.resignation,
            Ending::AgreedDraw => &mut self.agreed_draw,
            Ending::Forfeit => &mut self.forfeit,
        } += 1;
    }
}

impl std::fmt::Display for EndCounts {
    /// The usual reasons with their counts, the unusual ones where they occurred.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { rules, repetition, perpetual_check, .. } = *self;
        write!(f, "rules {rules}, repetition {repetition}, ")?;
        if perpetual_check > 0 {
            write!(f, "perpetual check {perpetual_check}, ")?;
        }
        write!(f, "hundred plies {}, maximum length {}", self.hundred_plies, self.maximum_length)?;
        for (name, count) in [
            ("resignation", self.resignation),
            ("agreed draw", self.agreed_draw),
            ("forfeit", self.forfeit),
        ] {
            if count > 0 {
                write!(f, ", {name} {count}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_round_trip_and_are_counted_once() {
        let mut counts = EndCounts::default();
        for ending in Ending::ALL {
            assert_eq!(ending.to_string().parse(), Ok(ending));
            counts.count(ending);
        }
        assert_eq!(
            counts.to_string(),
            "rules 1, repetition 1, perpetual check 1, hundred plies 1, maximum length 1, \
             resignation 1, agreed draw 1, forfeit 1"
        );
        assert_eq!("boredom".parse::<Ending>().unwrap_err(), "`boredom` is no way to end a game");
    }
}
