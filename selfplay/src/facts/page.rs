//! [`GameFacts`] as a page of Markdown.

use std::fmt;

use statistics::Estimate;

use super::{Branching, GameFacts, Length, PieceValues, Term};

/// A share in percent, with its interval in the next column of a table.
struct Percent(Estimate);

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [value, low, high] = [self.0.value, self.0.low, self.0.high].map(|share| 100.0 * share);
        write!(f, "{value:.1}% | {low:.1}% to {high:.1}%")
    }
}

/// A number, with its interval in the next column.
struct Number(Estimate);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Estimate { value, low, high } = self.0;
        write!(f, "{value:.2} | {low:.2} to {high:.2}")
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { lower_quartile, median, upper_quartile, longest } = self;
        write!(
            f,
            "{median} | half of the games {lower_quartile} to {upper_quartile}, at most {longest}"
        )
    }
}

impl fmt::Display for Branching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} | median {}, at most {}", self.mean, self.median, self.most)
    }
}

impl fmt::Display for GameFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { title, game, games, plies, steps, cut_off, .. } = self;
        writeln!(f, "# First facts about {title} (`{game}`)\n")?;
        write!(f, "From {games} games of self-play, {plies} plies")?;
        if steps > plies {
            write!(f, " in {steps} steps")?;
        }
        writeln!(
            f,
            "; {cut_off} games without result are left out. Intervals are of 95%, for games drawn anew \
             from the same networks.\n"
        )?;
        writeln!(f, "| what | | interval or range |\n|---|---|---|")?;
        writeln!(f, "| score of the side that moves first | {} |", Percent(self.first_score))?;
        writeln!(f, "| draws | {} |", Percent(self.draw_share))?;
        writeln!(f, "| length in plies, median | {} |", self.length)?;
        if let Some(length) = self.length_in_steps {
            writeln!(f, "| length in steps, median | {length} |")?;
        }
        if let Some(moves) = self.moves {
            writeln!(f, "| legal moves in a position, mean | {moves} |")?;
        }
        if let Some(steps) = self.legal_steps {
            writeln!(f, "| legal steps where one is played, mean | {steps} |")?;
        }
        writeln!(f, "\n| games ended by | games | share | interval |\n|---|---|---|---|")?;
        for ending in &self.endings {
            writeln!(f, "| {} | {} | {} |", ending.reason, ending.games, Percent(ending.share))?;
        }
        match &self.piece_values {
            Some(values) => write!(f, "\n{values}"),
            None => write!(
                f,
                "\nNo piece values: the games with quiet positions, if there are any, all had the same result."
            ),
        }
    }
}

impl fmt::Display for PieceValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = self.unit.as_deref().unwrap_or("no kind");
        writeln!(
            f,
            "| piece | value | interval | log-odds | interval | games |\n|---|---|---|---|---|---|"
        )?;
        for term in self.kinds.iter().chain([&self.first_side, &self.to_move]) {
            term.fmt(f)?;
        }
        write!(
            f,
            "\nPiece values are a logistic regression of the results on the differences in pieces of \
             {} quiet positions of {} games, in units of {unit}; a quiet position is one between two \
             moves, after the sampled opening, with the same difference before and after, so that having \
             the move there means taking nothing with it. Intervals \
             respect that positions of one game depend on each other, and those of values how well the \
             unit is known (Fieller). Games: those in which the sides \
             differed in it.",
            self.positions, self.games
        )
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, games, log_odds, value, unknown } = self;
        let number = |number: &Option<Estimate>| match (number, unknown) {
            (Some(number), _) => Number(*number).to_string(),
            (None, Some(unknown)) => format!("{unknown} | "),
            (None, None) => " | ".to_owned(),
        };
        writeln!(f, "| {name} | {} | {} | {games} |", number(value), number(log_odds))
    }
}
