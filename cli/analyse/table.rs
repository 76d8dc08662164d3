//! What has been found about one position, as a table.

use std::fmt::Write as _;

use arena::{Found, FoundLine};
use console::truncate_str;
use games::{History, Outcome, Position, State as _};
use search::{Proof, Wdl};

/// Moves of a line that are shown.
const SHOWN: usize = 8;

/// The table for `state`, which was searched with so many simulations a second.
pub(crate) fn draw(state: &History, found: &Found, rate: f64) -> String {
    let side = state.side_to_move();
    let mut text = match found.proven {
        Some(proof) => format!("{side}: proven: {} in {} steps", proof.outcome, proof.steps),
        None => format!("{side}: {}", chances(found.value)),
    };
    write!(text, " after {} visits, {rate:.0} simulations/s", found.nodes).expect(STRING);
    if let Some(raw) = found.raw {
        write!(text, "; at first sight {}", chances(raw)).expect(STRING);
    }
    text.push('\n');
    let position = state.position();
    let lines: Vec<Vec<String>> =
        found.lines.iter().map(|line| line_texts(line, position)).collect();
    let width = lines.iter().map(|texts| texts[0].chars().count()).max().unwrap_or(0).max(4);
    writeln!(text, "{:width$}  visits   prior    win   draw   loss  line", "move").expect(STRING);
    for (texts, line) in lines.iter().zip(&found.lines) {
        let FoundLine { visits, prior, value, .. } = line;
        let [prior, win, draw, loss] = [*prior, value.win, value.draw, value.loss].map(percent);
        let [moved, more @ ..] = &texts[..] else { continue };
        let more = more[..more.len().min(SHOWN)].join(" ");
        let proof = line.proven.map_or_else(String::new, |proof| in_words(proof, state));
        let row =
            format!("{moved:width$}  {visits:>6}  {prior}  {win} {draw} {loss}  {proof}{more}");
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}

/// What of `table` can be drawn again in place on a terminal of so many rows and columns: no line is
/// wrapped, and the cursor has a row below.
pub(super) fn cut(table: &str, (rows, columns): (u16, u16)) -> String {
    let lines = table.lines().take(usize::from(rows).saturating_sub(1));
    lines.map(|line| truncate_str(line, columns.into(), "") + "\n").collect()
}

/// The texts of a line: the move, whole if the search has seen the rest of it, and what follows.
fn line_texts(line: &FoundLine, position: &Position) -> Vec<String> {
    let texts = line.line_texts(position);
    if texts.is_empty() { vec![line.text(position)] } else { texts }
}

const STRING: &str = "a String takes all text";

fn percent(chance: f32) -> String {
    format!("{:5.1}%", chance * 100.0)
}

fn chances(value: Wdl) -> String {
    let [win, draw, loss] = [value.win, value.draw, value.loss].map(|chance| chance * 100.0);
    format!("win {win:.1}%, draw {draw:.1}%, loss {loss:.1}%")
}

/// What is proven of a move, before the line that shows it.
fn in_words(proof: Proof, state: &History) -> String {
    let what = match proof.outcome {
        Outcome::Win(winner) if winner == state.side_to_move() => "wins",
        Outcome::Win(_) => "loses",
        Outcome::Draw => "draws",
    };
    format!("({what} in {}) ", proof.steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_drawn_live_fits_the_terminal() {
        let table = "white: win\nmove  visits\ne2e4  12\nd2d4  3\n";
        assert_eq!(cut(table, (24, 80)), table);
        assert_eq!(cut(table, (5, 80)), table);
        assert_eq!(cut(table, (4, 8)), "white: w\nmove  vi\ne2e4  12\n");
        assert_eq!(cut(table, (0, 0)), "");
    }
}
