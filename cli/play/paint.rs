//! The board in colours.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use games::{Cell, Position, Side, Span};

const WHITE: Style = Style::new().bold();
const BLACK: Style = AnsiColor::Cyan.on_default().bold();
/// Empty cells, and the names of cells.
const REST: Style = Style::new().dimmed();

/// Draws `position`: White's pieces in bold, Black's in cyan, in reverse what is not as it was
/// `before` the last move.
pub(super) fn board(position: &Position, before: Option<&Position>) -> String {
    let changed =
        |cell: Cell| before.is_some_and(|before| before.unit(cell) != position.unit(cell));
    let mut text = String::new();
    for line in position.picture().lines() {
        for Span { text: part, cell } in line {
            if part.trim().is_empty() {
                text.push_str(part);
                continue;
            }
            let style = match cell.map(|cell| position.side_at(cell)) {
                Some(Some(Side::White)) => WHITE,
                Some(Some(Side::Black)) => BLACK,
                Some(None) | None => REST,
            };
            let style = if cell.is_some_and(changed) { style.invert() } else { style };
            write!(text, "{style}{part}{style:#}").expect("a String takes all text");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use games::Game;

    use super::*;

    /// `text` without what a terminal takes for colours.
    fn plain(text: &str) -> String {
        let mut parts = text.split('\x1b');
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |text, part| text + part.split_once('m').expect("a colour").1)
    }

    #[test]
    fn colours_change_no_board() {
        for game in Game::all() {
            let position = game.start();
            assert_eq!(plain(&board(&position, None)), position.draw(), "{}", game.id);
        }
    }

    #[test]
    fn the_last_move_is_seen() {
        let before = Game::by_id("chess").unwrap().start();
        let mut after = before.clone();
        after.play_move(&before.parse_move("e2e4").unwrap());
        let painted = board(&after, Some(&before));
        let reverse = painted.matches("\x1b[7m").count();
        assert_eq!(reverse, 2, "{painted:?}");
    }
}
