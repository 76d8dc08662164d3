//! [`Journal`]: the games of a match on the disk, one line each, so that the match can go on.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use atomic_write_file::AtomicWriteFile;
use games::{Game, History, Move, Position, State, Step, game_text, result_text};
use serde::{Deserialize, Serialize};

use crate::{Ending, Match, PlayedGame};

/// What the first line of every journal says.
const FORMAT: &str = "raja match 2";

/// The file `match.jsonl` of a match: a line that says what match it is, then a line for each
/// finished game in the order in which they end. Whatever happens, only the games that were being
/// played are lost: a line that is cut short by a crash is cut off, one that has become something
/// else is left out, and their games are played again.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    kept: Mutex<Kept>,
}

/// The file, and the games in it by their numbers.
#[derive(Debug)]
struct Kept {
    file: File,
    games: BTreeMap<usize, PlayedGame>,
}

/// What a journal has when it is opened.
#[derive(Debug)]
pub struct Opened {
    /// The journal, for the games to come.
    pub journal: Journal,
    /// The games so far in the order of the match. Of games with the same number the last one counts.
    pub games: Vec<PlayedGame>,
    /// What had to be left out, in a sentence each.
    pub bad: Vec<String>,
}

/// A journal that cannot be read, written or used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file system failed.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// What failed.
        error: std::io::Error,
    },
    /// It is no journal.
    #[error("{path}: line 1: {problem}")]
    Header {
        /// The file.
        path: String,
        /// What is wrong.
        problem: String,
    },
    /// It belongs to a match that differs in more than its length.
    #[error(
        "{path} belongs to another match: {what}: expected {expected}, found {found}; choose \
         another --out"
    )]
    OtherMatch {
        /// The file.
        path: String,
        /// What differs.
        what: &'static str,
        /// Its value in this match.
        expected: String,
        /// Its value in the file.
        found: String,
    },
}

/// The first line: all that the games of a match depend on, except how many there are.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    game: String,
    rules: String,
    a: String,
    b: String,
    /// The files of A and of B, as [`crate::Entrant::contents`] sums them up.
    a_contents: String,
    b_contents: String,
    seed: u64,
    /// Where the first opening leads.
    opening: String,
    resign: Option<f32>,
    draw: Option<f32>,
    plies: u32,
}

/// The line of a game.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameLine {
    game: usize,
    white: String,
    black: String,
    /// Where the opening leads.
    opening: String,
    /// The moves after it, separated by spaces.
    moves: String,
    result: String,
    reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl Journal {
    /// Opens the journal `path` of `of`, or begins it, and reads its games.
    ///
    /// # Errors
    /// If the file cannot be read or written, is no journal, or one of another match. A match of
    /// another length is the same match.
    pub fn open(path: &Path, of: &Match<'_>) -> Result<Opened, JournalError> {
        let name = path.display().to_string();
        let io = |error| JournalError::Io { path: name.clone(), error };
        let mut file =
            File::options().read(true).append(true).create(true).open(path).map_err(io)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        // What follows the last line break was being written when a process was ended.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        let text = String::from_utf8_lossy(&bytes[..whole]);
        let mut lines = text.lines();
        let header = Header::of(of);
        let first = serde_json::to_string(&header).expect("strings and numbers only");
        // Nothing is cut off from a file that turns out to be another one's.
        match (lines.next(), String::from_utf8_lossy(&bytes)) {
            (None, begun) if !first.starts_with(&*begun) => {
                let problem = "expected that of a match".to_owned();
                return Err(JournalError::Header { path: name, problem });
            }
            (None, _) => {
                file.set_len(0).map_err(io)?;
                file.write_all(format!("{first}\n").as_bytes()).map_err(io)?;
            }
            (Some(line), _) => {
                let found = serde_json::from_str(line).map_err(|error| JournalError::Header {
                    path: name.clone(),
                    problem: error.to_string(),
                })?;
                header.expect(&found, &name)?;
                file.set_len(whole as u64).map_err(io)?;
            }
        }
        let (mut games, mut bad) = (BTreeMap::new(), Vec::new());
        for (number, line) in lines.enumerate() {
            match read_game(line, of) {
                Ok(game) => games.extend(game.map(|game| (game.index, game))),
                Err(problem) => {
                    bad.push(format!("{name}: line {}: left out: {problem}", number + 2));
                }
            }
        }
        let so_far = games.values().cloned().collect();
        let journal = Self { path: path.to_owned(), kept: Mutex::new(Kept { file, games }) };
        Ok(Opened { journal, games: so_far, bad })
    }

    /// Writes its games, which are of `of`, as texts into `games.txt` beside it, in the order of the
    /// match.
    ///
    /// # Errors
    /// If the file cannot be written; an old one is then as it was.
    pub fn write_texts(&self, of: &Match<'_>) -> Result<(), JournalError> {
        let path = self.path.with_file_name("games.txt");
        let kept = self.lock();
        let write = || {
            let mut file = AtomicWriteFile::open(&path)?;
            for (number, game) in kept.games.values().enumerate() {
                let gap = if number == 0 { "" } else { "\n" };
                write!(file, "{gap}{}", of.text_of(game))?;
            }
            file.commit()
        };
        write().map_err(|error| JournalError::Io { path: path.display().to_string(), error })
    }

    /// Appends a game of `of`.
    ///
    /// # Errors
    /// If the line cannot be written. What of it has been written is cut off by the next
    /// [`Journal::open`].
    pub fn record(&self, of: &Match<'_>, game: &PlayedGame) -> Result<(), JournalError> {
        let line = serde_json::to_string(&GameLine::new(of, game)).expect("strings only");
        let mut kept = self.lock();
        kept.file
            .write_all(format!("{line}\n").as_bytes())
            .map_err(|error| JournalError::Io { path: self.path.display().to_string(), error })?;
        kept.games.insert(game.index, game.clone());
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Header {
    fn of(of: &Match<'_>) -> Self {
        let adjudication = of.settings.adjudication;
        Self {
            format: FORMAT.to_owned(),
            game: of.game().id.to_owned(),
            rules: format!("{:016x}", of.game().fingerprint),
            a: of.a.name().to_owned(),
            b: of.b.name().to_owned(),
            a_contents: of.a.contents().to_owned(),
            b_contents: of.b.contents().to_owned(),
            seed: of.settings.seed,
            opening: of.opening(0).state().position().fen(),
            resign: adjudication.resign,
            draw: adjudication.draw,
            plies: adjudication.plies,
        }
    }

    /// Refuses `found` in the file `path`, if it is another one.
    fn expect(&self, found: &Self, path: &str) -> Result<(), JournalError> {
        let number = |score: Option<f32>| score.map_or("off".to_owned(), |score| score.to_string());
        let fields: fn(&Self) -> [(&'static str, String); 8] = |header| {
            [
                ("format", header.format.clone()),
                ("game", header.game.clone()),
                ("rules", header.rules.clone()),
                ("player A", header.a.clone()),
                ("player B", header.b.clone()),
                ("the files of player A", header.a_contents.clone()),
                ("the files of player B", header.b_contents.clone()),
                ("seed", header.seed.to_string()),
            ]
        };
        let openings = [self, found].map(|header| ("first opening", header.opening.clone()));
        let adjudication = [self, found].map(|header| {
            let (resign, draw) = (number(header.resign), number(header.draw));
            ("adjudication", format!("resign {resign}, draw {draw}, plies {}", header.plies))
        });
        let mine = fields(self).into_iter().chain([openings[0].clone(), adjudication[0].clone()]);
        let theirs =
            fields(found).into_iter().chain([openings[1].clone(), adjudication[1].clone()]);
        for ((what, expected), (_, found)) in mine.zip(theirs) {
            if expected != found {
                let path = path.to_owned();
                return Err(JournalError::OtherMatch { path, what, expected, found });
            }
        }
        Ok(())
    }
}

impl GameLine {
    fn new(of: &Match<'_>, game: &PlayedGame) -> Self {
        let start = of.opening(game.index).state().position();
        let [white, black] = of.names(game.index).map(str::to_owned);
        Self {
            game: game.index,
            white,
            black,
            opening: start.fen(),
            moves: move_texts(start, &game.steps).join(" "),
            result: result_text(Some(game.outcome())).to_owned(),
            reason: game.ending.to_string(),
            note: game.note.clone(),
        }
    }
}

/// The texts of the whole moves that `steps` are, from `start` on.
fn move_texts(start: &Position, steps: &[Step]) -> Vec<String> {
    let mut position = start.clone();
    let (mut texts, mut first) = (Vec::new(), 0);
    let mut before = start.clone();
    for (i, &step) in steps.iter().enumerate() {
        position.play(step);
        if !position.mid_move() {
            texts.push(before.text_of(&steps[first..=i]));
            before.clone_from(&position);
            first = i + 1;
        }
    }
    texts
}

/// The game that `line` tells of, played through by the rules; none if it is beyond the end of a
/// match that is shorter than it was.
fn read_game(line: &str, of: &Match<'_>) -> Result<Option<PlayedGame>, String> {
    let line: GameLine = serde_json::from_str(line).map_err(|error| error.to_string())?;
    if line.game >= of.settings.games as usize {
        return Ok(None);
    }
    let opening = of.opening(line.game);
    let mut state: History = opening.state().clone();
    let expect = |what: &str, expected: &str, found: &str| match expected == found {
        true => Ok(()),
        false => Err(format!("{what}: expected `{expected}`, found `{found}`")),
    };
    expect("opening", &state.position().fen(), &line.opening)?;
    let mut steps = Vec::new();
    for text in line.moves.split_ascii_whitespace() {
        if let Some(end) = state.end() {
            return Err(format!("`{text}` follows the end of the game: {end}"));
        }
        let chosen: Move = state.position().parse_move(text).map_err(|error| error.to_string())?;
        chosen.steps().iter().for_each(|&step| state.play(step));
        steps.extend_from_slice(chosen.steps());
    }
    let ending: Ending = line.reason.parse()?;
    let by_rule = state.end();
    match (ending, by_rule) {
        (Ending::Rule(reason), Some(end)) if end.reason == reason => {
            expect("result", result_text(Some(end.outcome)), &line.result)?;
        }
        (Ending::Resignation | Ending::AgreedDraw | Ending::Forfeit, None) => {}
        (_, Some(end)) => return Err(format!("the game is over by the rules: {end}")),
        (_, None) => return Err("the game is not over".to_owned()),
    }
    let mut game = PlayedGame {
        index: line.game,
        score: 0,
        plies: state.plies(),
        ending,
        steps,
        evaluations: 0,
        note: line.note,
    };
    let scores = [1, 0, -1].into_iter();
    let score = scores.map(|score| PlayedGame { score, ..game.clone() });
    let found = score.into_iter().find(|game| result_text(Some(game.outcome())) == line.result);
    game.score = found.ok_or_else(|| format!("`{}` is no result", line.result))?.score;
    Ok(Some(game))
}

impl Match<'_> {
    /// The names of White and Black in game `index`.
    #[must_use]
    pub fn names(&self, index: usize) -> [&str; 2] {
        let names = [self.a.name(), self.b.name()];
        if index.is_multiple_of(2) { names } else { [names[1], names[0]] }
    }

    /// A game of the match in the manner of PGN, its opening included.
    #[must_use]
    pub fn text_of(&self, played: &PlayedGame) -> String {
        let opening = self.opening(played.index);
        let [white, black] = self.names(played.index);
        let (outcome, game): (_, &Game) = (Some(played.outcome()), self.game());
        let before = opening.moves().iter().flat_map(|of| of.steps());
        let steps: Vec<Step> = before.chain(&played.steps).copied().collect();
        let ending = match &played.note {
            None => played.ending.to_string(),
            Some(note) => format!("{}: {note}", played.ending),
        };
        let headers = [
            ("Variant", game.id),
            ("FEN", &opening.start().fen()),
            ("White", white),
            ("Black", black),
            ("Result", result_text(outcome)),
            ("Termination", &ending),
            ("Round", &(played.index + 1).to_string()),
            ("Seed", &format!("{:016x}", self.seed(played.index))),
            ("OpeningPlies", &opening.moves().len().to_string()),
            ("Plies", &played.plies.to_string()),
        ];
        game_text(&headers, opening.start(), &steps, outcome)
    }
}
