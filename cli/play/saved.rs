//! Games as files, in the text that matches write too.

use std::fmt;
use std::path::Path;

use anyhow::Context as _;
use arena::Line;
use games::{Game, GameText, Outcome, Side, Step, game_text, result_text};

/// What the header `Termination` says of a game that a side has given up.
const RESIGNATION: &str = "resignation";

/// How a game ended that its rules have not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Settled {
    outcome: Outcome,
    /// Why, as the header `Termination` says.
    why: String,
}

impl Settled {
    /// `side` has given the game up.
    pub(super) fn resigned(side: Side) -> Self {
        Self { outcome: Outcome::Win(side.other()), why: RESIGNATION.to_owned() }
    }

    /// Something is wrong with the player of `side`.
    pub(super) fn forfeited(side: Side, problem: &str) -> Self {
        Self { outcome: Outcome::Win(side.other()), why: format!("forfeit: {problem}") }
    }

    /// What the headers of `game` say, if it has a result.
    fn read(game: &GameText) -> Option<Self> {
        let result = game.header("Result")?;
        let outcomes = Side::ALL.map(Outcome::Win).into_iter().chain([Outcome::Draw]);
        let outcome = outcomes.into_iter().find(|&outcome| result_text(Some(outcome)) == result)?;
        let why = game.header("Termination").unwrap_or("as the file says").to_owned();
        Some(Self { outcome, why })
    }
}

impl fmt::Display for Settled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.outcome, self.why.as_str()) {
            (Outcome::Win(side), RESIGNATION) => {
                write!(f, "{side} wins ({} resigned)", side.other())
            }
            (Outcome::Win(side), why) => write!(f, "{side} wins ({why})"),
            (Outcome::Draw, why) => write!(f, "draw ({why})"),
        }
    }
}

/// A game that a file tells.
pub(super) struct Saved {
    pub(super) line: Line,
    pub(super) settled: Option<Settled>,
    /// The names of White and Black, if both are told.
    pub(super) names: Option<[String; 2]>,
}

/// Reads the file `path`, which must be of `game`.
pub(super) fn read(path: &Path, game: &'static Game) -> anyhow::Result<Saved> {
    let name = || path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(name)?;
    let read = GameText::read(&text, &game.start()).with_context(name)?;
    let mut line = Line::new(read.start.clone());
    read.moves.iter().for_each(|played| line.play(played.clone()));
    let settled = if line.state().end().is_some() { None } else { Settled::read(&read) };
    let names = match ["White", "Black"].map(|side| read.header(side).map(str::to_owned)) {
        [Some(white), Some(black)] => Some([white, black]),
        _ => None,
    };
    Ok(Saved { line, settled, names })
}

/// Writes the game that `line` is, whole or not at all; `names` are those of White and Black.
pub(super) fn write(
    path: &Path,
    line: &Line,
    names: [&str; 2],
    settled: Option<&Settled>,
) -> anyhow::Result<()> {
    let (outcome, termination) = match (settled, line.state().end()) {
        (Some(Settled { outcome, why }), _) => (Some(*outcome), why.clone()),
        (None, Some(end)) => (Some(end.outcome), end.reason.to_string()),
        (None, None) => (None, "unterminated".to_owned()),
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
