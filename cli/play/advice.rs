//! [`Adviser`]: what a network thinks of a position; random rollouts without one.

use std::sync::atomic::AtomicBool;

use arena::{Analyst, Found, Line, watch};
use games::{Side, State as _};

use crate::analyse::table;
use crate::interrupt::Breaks;

/// Who is asked for an opinion.
pub(super) struct Adviser {
    pub(super) analyst: Analyst,
    /// Simulations of the search behind an opinion, unless the question says otherwise.
    pub(super) simulations: u32,
    /// What ends the search before.
    pub(super) breaks: Breaks,
}

/// Moves that an opinion lists.
const LISTED: usize = 8;

/// Characters of the bar.
const BAR: usize = 40;

impl Adviser {
    /// The best moves where `line` ends, which is not the end of the game, as a table.
    pub(super) fn opinion(&self, line: &Line, simulations: Option<u32>) -> anyhow::Result<String> {
        let (found, rate) = self.ask(line, simulations.unwrap_or(self.simulations))?;
        Ok(table::draw(line.state(), &found, rate))
    }

    /// The chances of both sides where `line` ends, which is not the end of the game, as a bar:
    /// White's wins, draws, Black's wins.
    pub(super) fn bar(&self, line: &Line) -> anyhow::Result<String> {
        let (found, _) = self.ask(line, self.simulations)?;
        let mover = line.state().side_to_move();
        let [white, black] = match mover {
            Side::White => [found.value.win, found.value.loss],
            Side::Black => [found.value.loss, found.value.win],
        };
        let percent = |chance: f32| (chance * 100.0).round();
        Ok(format!(
            "[{}]  white {}%, draw {}%, black {}%",
            bar(white, black),
            percent(white),
            percent(found.value.draw),
            percent(black)
        ))
    }

    fn ask(&self, line: &Line, simulations: u32) -> anyhow::Result<(Found, f64)> {
        let mut last = None;
        let mut note = |found: &Found, rate: f64, _| {
            last = Some((found.clone(), rate));
            Ok(())
        };
        let limit = Some(simulations.into());
        let search = |stop: &AtomicBool| watch(&self.analyst, line, limit, LISTED, &mut note, stop);
        self.breaks.end(search)?;
        last.ok_or_else(|| anyhow::anyhow!("the search has found nothing"))
    }
}

/// `#` for the chances of White, `=` for draws, `.` for those of Black.
fn bar(white: f32, black: f32) -> String {
    let cells = |chance: f32| (chance.clamp(0.0, 1.0) * BAR as f32).round() as usize;
    let wins = cells(white);
    let losses = cells(black).min(BAR - wins);
    ["#".repeat(wins), "=".repeat(BAR - wins - losses), ".".repeat(losses)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_has_always_the_same_length() {
        assert_eq!(bar(1.0, 0.0), "#".repeat(BAR));
        assert_eq!(bar(0.0, 1.0), ".".repeat(BAR));
        assert_eq!(bar(0.25, 0.5), ["#".repeat(10), "=".repeat(10), ".".repeat(20)].concat());
        for (white, black) in [(0.513, 0.487), (0.0126, 0.9874), (0.987_6, 0.012_6)] {
            assert_eq!(bar(white, black).len(), BAR);
        }
    }
}
