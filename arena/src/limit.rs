//! [`Limit`]: how long a tree search thinks about a step.

use std::str::FromStr;
use std::time::Duration;

/// What ends the search for a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Limit {
    /// So many simulations, 1 to 1,000,000. What the tree has kept from the last search counts, as
    /// [`search::Searcher`] says.
    Simulations(u32),
    /// So many positions evaluated for this step, 1 to 1,000,000: what is kept from the last search,
    /// and simulations that end where the game does, are free.
    Nodes(u32),
    /// So many milliseconds of wall clock, 1 to 3,600,000. A position that is being evaluated then
    /// is waited for.
    Milliseconds(u32),
}

/// Simulations of the first round of a search that is not limited by them. Each round has twice as
/// many in all as the one before.
pub(crate) const FIRST_ROUND: u32 = 16;

/// The most simulations of any search.
pub(crate) const MOST_SIMULATIONS: u32 = 1_000_000;

impl Limit {
    /// The name of what is counted, and the most of it that is taken.
    fn range(self) -> (&'static str, u32) {
        match self {
            Self::Simulations(_) => ("simulations", MOST_SIMULATIONS),
            Self::Nodes(_) => ("nodes", MOST_SIMULATIONS),
            Self::Milliseconds(_) => ("milliseconds", 3_600_000),
        }
    }

    fn number(self) -> u32 {
        let (Self::Simulations(number) | Self::Nodes(number) | Self::Milliseconds(number)) = self;
        number
    }

    /// The time that it leaves, if it is about time.
    pub(crate) fn time(self) -> Option<Duration> {
        match self {
            Self::Milliseconds(number) => Some(Duration::from_millis(number.into())),
            Self::Simulations(_) | Self::Nodes(_) => None,
        }
    }
}

impl From<u32> for Limit {
    fn from(simulations: u32) -> Self {
        Self::Simulations(simulations)
    }
}

/// A text that is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected {what} from 1 to {most}")]
pub struct LimitError {
    /// What is counted.
    pub what: &'static str,
    /// The most of it that is taken.
    pub most: u32,
}

impl FromStr for Limit {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<Self, LimitError> {
        let (number, limit): (_, fn(u32) -> Self) = match text {
            _ if text.ends_with("nodes") => (&text[..text.len() - 5], Self::Nodes),
            _ if text.ends_with("ms") => (&text[..text.len() - 2], Self::Milliseconds),
            _ => (text, Self::Simulations),
        };
        let (what, most) = limit(1).range();
        match number.parse() {
            Ok(number) if (1..=most).contains(&number) => Ok(limit(number)),
            _ => Err(LimitError { what, most }),
        }
    }
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let unit = match self {
            Self::Simulations(_) => "",
            Self::Nodes(_) => "nodes",
            Self::Milliseconds(_) => "ms",
        };
        write!(f, "{}{unit}", self.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_round_trip_and_have_bounds() {
        for text in ["1", "1000000", "7nodes", "50ms", "3600000ms"] {
            assert_eq!(text.parse::<Limit>().unwrap().to_string(), text);
        }
        let refused = |text: &str| text.parse::<Limit>().unwrap_err();
        assert_eq!(refused("0"), LimitError { what: "simulations", most: 1_000_000 });
        assert_eq!(refused("0nodes"), LimitError { what: "nodes", most: 1_000_000 });
        assert_eq!(refused("0ms"), LimitError { what: "milliseconds", most: 3_600_000 });
        for text in ["", "ms", "nodes", "-1", "1s", "1.5", "1000001", "3600001ms"] {
            refused(text);
        }
    }
}
