//! Records as text, for people and for programs that read PGN.

use games::{game_text, result_text};

use crate::record::GameRecord;
use crate::replay::ReplayError;

impl GameRecord {
    /// The game in the manner of PGN: headers, then the moves in the game's own notation, then the
    /// result. A game that was cut off within a move ends with the text of that move's steps.
    ///
    /// # Errors
    /// If the record does not replay.
    pub fn to_text(&self) -> Result<String, ReplayError> {
        self.check()?;
        let outcome = self.outcome();
        let nets: Vec<String> = self
            .nets
            .iter()
            .map(|span| format!("{} from step {}", span.net, span.first_step))
            .collect();
        let headers = [
            ("Variant", self.game.id),
            ("FEN", &self.start),
            ("Result", result_text(outcome)),
            ("Termination", &self.reason()),
            ("Seed", &format!("{:016x}", self.seed)),
            ("Nets", &nets.join(", ")),
            ("OpeningSteps", &self.opening_len().to_string()),
            ("Steps", &self.steps.len().to_string()),
        ];
        let steps: Vec<_> = self.steps.iter().map(|step| step.played).collect();
        Ok(game_text(&headers, self.start()?.position(), &steps, outcome))
    }
}
