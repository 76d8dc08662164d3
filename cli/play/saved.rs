//! Games as files, in the text that matches write too.

use std::path::Path;

use anyhow::Context as _;
use arena::Line;
use games::{Game, GameText, Outcome, Side, Step, game_text, result_text};

/// What the header `Termination` says of a game that a side has given up.
const RESIGNATION: &str = "resignation";

/// A game that a file tells.
pub(super) struct Saved {
    pub(super) line: Line,
    /// Who has given the game up.
    pub(super) resigned: Option<Side>,
}

/// Reads the file `path`, which must be of `game`.
pub(super) fn read(path: &Path, game: &'static Game) -> anyhow::Result<Saved> {
    let name = || path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(name)?;
    let read = GameText::read(&text, &game.start()).with_context(name)?;
    let mut line = Line::new(read.start.clone());
    read.moves.iter().for_each(|played| line.play(played.clone()));
    let resigned = match read.header("Termination") {
        Some(RESIGNATION) if line.state().end().is_none() => Side::ALL.into_iter().find(|side| {
            read.header("Result") == Some(result_text(Some(Outcome::Win(side.other()))))
        }),
        _ => None,
    };
    Ok(Saved { line, resigned })
}

/// Writes the game that `line` is, whole or not at all; `names` are those of White and Black.
pub(super) fn write(
    path: &Path,
    line: &Line,
    names: [&str; 2],
    resigned: Option<Side>,
) -> anyhow::Result<()> {
    let end = line.state().end();
    let outcome = match resigned {
        Some(side) => Some(Outcome::Win(side.other())),
        None => end.map(|end| end.outcome),
    };
    let termination = match (resigned, end) {
        (Some(_), _) => RESIGNATION.to_owned(),
        (None, Some(end)) => end.reason.to_string(),
        (None, None) => "unterminated".to_owned(),
    };
    let plies = line.moves().len().to_string();
    let headers = [
        ("Variant", line.start().game().id),
        ("FEN", &line.start().fen()),
        ("White", names[0]),
        ("Black", names[1]),
        ("Result", result_text(outcome)),
        ("Termination", &termination),
        ("Plies", &plies),
    ];
    let steps: Vec<Step> = line.moves().iter().flat_map(|played| played.steps()).copied().collect();
    let text = game_text(&headers, line.start(), &steps, outcome);
    Ok(model::write_atomically(path, |file| file.write_all(text.as_bytes()))?)
}
