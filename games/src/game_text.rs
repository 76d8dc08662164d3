//! [`game_text`]: a game as text, for people and for programs that read PGN.

use std::fmt::Write;

use crate::{Outcome, Position, Side, State, Step};

/// Columns that the moves are wrapped to.
const WIDTH: usize = 80;

/// A game in the manner of PGN: `headers`, then the moves from `start` on in the game's own
/// notation, then the result, `*` for none. A game that was cut off within a move ends with the
/// text of that move's steps.
///
/// ```
/// use games::{Game, game_text};
/// let start = Game::by_id("chess")?.start();
/// let moves = start.parse_move("e2e4")?;
/// let text = game_text(&[("Variant", "chess")], &start, moves.steps(), None);
/// assert_eq!(text, "[Variant \"chess\"]\n\n1. e2e4 *\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// In debug builds, if a step is not legal.
#[must_use]
pub fn game_text(
    headers: &[(&str, &str)],
    start: &Position,
    steps: &[Step],
    outcome: Option<Outcome>,
) -> String {
    let mut text = String::new();
    for (header, value) in headers {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(text, "[{header} \"{value}\"]").expect("strings take everything");
    }
    let mut words = Vec::new();
    let (mut number, mut word, mut position) = (0, String::new(), start.clone());
    for &step in steps {
        if !position.mid_move() {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            let white = position.side_to_move() == Side::White;
            if white || number == 0 {
                number += 1;
                words.push(format!("{number}{}", if white { "." } else { "..." }));
            }
        }
        position.write_step(step, &mut word);
        position.play(step);
    }
    words.extend((!word.is_empty()).then_some(word));
    words.push(result_text(outcome).to_owned());
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
    text
}

/// The result as PGN writes it.
#[must_use]
pub fn result_text(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::Win(Side::White)) => "1-0",
        Some(Outcome::Win(Side::Black)) => "0-1",
        Some(Outcome::Draw) => "1/2-1/2",
        None => "*",
    }
}
