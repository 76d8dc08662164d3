//! Records as text, for people and for programs that read PGN.

use std::fmt::Write;

use games::{Outcome, Side, State};

use crate::record::GameRecord;
use crate::replay::ReplayError;

/// Columns that the moves are wrapped to.
const WIDTH: usize = 80;

impl GameRecord {
    /// The game in the manner of PGN: headers, then the moves in the game's own notation, then the
    /// result. A game that was cut off within a move ends with the text of that move's steps.
    ///
    /// # Errors
    /// If the record does not replay.
    pub fn to_text(&self) -> Result<String, ReplayError> {
        let result = match self.end.map(|end| end.outcome) {
            Some(Outcome::Win(Side::White)) => "1-0",
            Some(Outcome::Win(Side::Black)) => "0-1",
            Some(Outcome::Draw) => "1/2-1/2",
            None => "*",
        };
        let reason = self.end.map_or_else(|| "cut off".to_owned(), |end| end.reason.to_string());
        let nets: Vec<String> = self
            .nets
            .iter()
            .map(|span| format!("{} from step {}", span.net, span.first_step))
            .collect();
        let mut text = String::new();
        for (header, value) in [
            ("Variant", self.game.id),
            ("FEN", &self.start),
            ("Result", result),
            ("Termination", &reason),
            ("Seed", &format!("{:016x}", self.seed)),
            ("Nets", &nets.join(", ")),
            ("OpeningSteps", &self.opening_len().to_string()),
            ("Steps", &self.steps.len().to_string()),
        ] {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(text, "[{header} \"{value}\"]").expect("strings take everything");
        }
        let mut words = Vec::new();
        let mut number = 0;
        let mut word = String::new();
        self.replay(|moment| {
            let position = moment.history.position();
            if !position.mid_move() {
                words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
                let white = moment.history.side_to_move() == Side::White;
                if white || number == 0 {
                    number += 1;
                    words.push(format!("{number}{}", if white { "." } else { "..." }));
                }
            }
            position.write_step(moment.step.played, &mut word);
        })?;
        words.extend((!word.is_empty()).then_some(word));
        words.push(result.to_owned());
        let mut column = 0;
        for word in words {
            let gap = match column {
                0 => "\n",
                used if used + 1 + word.len() > WIDTH => {
                    column = 0;
                    "\n"
                }
                _ => " ",
            };
            column += word.len() + usize::from(gap == " ");
            text.push_str(gap);
            text.push_str(&word);
        }
        text.push('\n');
        Ok(text)
    }
}
