//! What a search has found, as `info` lines.

use games::{Outcome, Position, State as _};
use search::{Proof, Wdl};

use super::notation::Notation;
use crate::engine::{FoundLine, Report};

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
        let mut text =
            format!("info depth {depth} multipv {} score {}", number + 1, score(line, position));
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

/// The score of a line for the side to move: in moves to its end if that is proven, else in
/// centipawns, as Lc0 makes them of expected scores.
fn score(line: &FoundLine, position: &Position) -> String {
    match line.proven {
        Some(Proof { outcome: Outcome::Win(winner), steps }) => {
            // With several steps a move, at most so many moves.
            let moves = i32::from(steps).midpoint(1).max(1);
            format!("mate {}", if winner == position.side_to_move() { moves } else { -moves })
        }
        Some(Proof { outcome: Outcome::Draw, .. }) => "cp 0".to_owned(),
        None => format!("cp {:.0}", centipawns(line.value.score().into()) + 0.0),
    }
}

/// An expected score of -1 to 1 as a number of centipawns, up to 12,780 of them.
fn centipawns(score: f64) -> f64 {
    (90.0 * (1.563_754_189_7 * score).tan()).round()
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
    use games::{Game, Side};

    use super::*;

    fn line(value: Wdl, proven: Option<Proof>) -> FoundLine {
        let (beginning, moves) = (Vec::new(), Vec::new());
        FoundLine { beginning, moves, value, proven, visits: 1, prior: 0.5 }
    }

    #[test]
    fn scores_are_centipawns_or_moves_to_mate() {
        let position = Game::by_id("chess").unwrap().start();
        let even = Wdl { win: 0.5, draw: 0.0, loss: 0.5 };
        let proven = |outcome, steps| score(&line(even, Some(Proof { outcome, steps })), &position);
        assert_eq!(proven(Outcome::Win(Side::White), 1), "mate 1");
        assert_eq!(proven(Outcome::Win(Side::White), 5), "mate 3");
        assert_eq!(proven(Outcome::Win(Side::Black), 2), "mate -1");
        assert_eq!(proven(Outcome::Win(Side::Black), 4), "mate -2");
        assert_eq!(proven(Outcome::Draw, 4), "cp 0");
        let unproven =
            |win, loss| score(&line(Wdl { win, draw: 1.0 - win - loss, loss }, None), &position);
        assert_eq!(unproven(0.5, 0.5), "cp 0");
        assert_eq!(unproven(0.5, 0.5001), "cp 0", "no minus in front of a 0");
        assert_eq!(unproven(0.5, 0.0), "cp 89");
        assert_eq!(unproven(0.0, 0.5), "cp -89");
        assert_eq!(unproven(1.0, 0.0), "cp 12780");
    }

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
