//! What a search has found, as lines of thinking output.

use games::{Position, State as _};

use super::NOTATION;
use crate::engine::{Report, Score};

/// What the protocol adds to the number of moves to a mate.
const MATE: i32 = 100_000;

/// The lines of `report` on a search of `position`, of so many moves at most.
pub(super) fn lines(report: &Report, position: &Position, most: usize) -> Vec<String> {
    let lines = report.found.lines.iter().take(most).map(|line| {
        let depth = line.moves.len().max(1);
        let score = match line.score(position.side_to_move()) {
            Score::Centipawns(number) => number,
            Score::Mate(moves) => moves + MATE * moves.signum(),
        };
        let (nodes, hundredths) = (report.found.nodes, report.time.as_millis() / 10);
        let moves = NOTATION.line(position, &line.moves).join(" ");
        format!("{depth} {score} {hundredths} {nodes} {moves}").trim_end().to_owned()
    });
    lines.collect()
}
