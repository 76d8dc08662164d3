//! What a search has found, as `info` lines.

use games::{Position, State as _};
use search::Wdl;

use crate::engine::{FoundLine, Notation, Report, Score};

/// How reports are written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    pub(super) notation: Notation,
    /// Moves that get a line of their own.
    pub(super) multi_pv: usize,
    pub(super) show_wdl: bool,
    /// Whether the last report lists all moves.
    pub(super) verbose: bool,
}

/// The lines of `report` on a search of `position`.
pub(super) fn lines(report: &Report, position: &Position, style: Style) -> Vec<String> {
    let mut lines = Vec::new();
    if style.verbose && !report.interim {
        lines.extend(
            report.found.lines.iter().map(|line| statistics(line, position, style.notation)),
        );
    }
    for (number, line) in report.found.lines.iter().take(style.multi_pv).enumerate() {
        let depth = line.moves.len().max(1);
        let score = match line.score(position.side_to_move()) {
            Score::Centipawns(number) => format!("cp {number}"),
            Score::Mate(moves) => format!("mate {moves}"),
        };
        let mut text = format!("info depth {depth} multipv {} score {score}", number + 1);
        if style.show_wdl {
            let [win, draw, loss] = thousandths(line.value);
            text.push_str(&format!(" wdl {win} {draw} {loss}"));
        }
        let (nodes, rate, time) = (report.found.nodes, report.rate, report.time.as_millis());
        text.push_str(&format!(" nodes {nodes} nps {rate:.0} time {time}"));
        if !line.moves.is_empty() {
            text.push_str(" pv");
            for moved in style.notation.line(position, &line.moves) {
                text.push(' ');
                text.push_str(&moved);
            }
        }
        lines.push(text);
    }
    lines
}

/// What is known of a step, as Lc0 lists it.
fn statistics(line: &FoundLine, position: &Position, notation: Notation) -> String {
    // Moves of several steps are written alike everywhere.
    let text = match line.moves.first() {
        Some(first) if first.steps() == line.beginning => notation.move_text(position, first),
        _ => line.text(position),
    };
    let FoundLine { visits, prior, value, .. } = line;
    let (prior, score) = (prior * 100.0, value.score());
    format!(
        "info string {text} N: {visits} (P: {prior:.2}%) (D: {:.3}) (Q: {score:.5})",
        value.draw
    )
}

/// Chances in thousandths that sum to 1000.
fn thousandths(value: Wdl) -> [i32; 3] {
    let of = |chance: f32| (chance * 1000.0).round() as i32;
    let (win, loss) = (of(value.win), of(value.loss));
    let win = win.min(1000 - loss);
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_sum_to_a_thousand() {
        for (win, loss) in [(0.5, 0.5), (0.3335, 0.3335), (0.0005, 0.9995), (1.0, 0.0), (0.2, 0.3)]
        {
            let value = Wdl { win, draw: 1.0 - win - loss, loss };
            let [win, draw, loss] = thousandths(value);
            assert_eq!(win + draw + loss, 1000);
            assert!(win >= 0 && draw >= 0 && loss >= 0, "{value:?}");
        }
    }
}
