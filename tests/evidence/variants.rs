//! What Fairy-Stockfish makes of the variants file that it is given: PyPI's `pyffish`, which is that
//! program as a package, lists the legal moves of the same positions.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use games::{Dialect, Game, Position, Trace, Vector};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore as _, SeedableRng as _};
use serde::de::DeserializeOwned;

use crate::program::raja;
use crate::python::python_with;

/// The release that is asked.
const RELEASE: &str = "pyffish==0.0.90";

/// Reads a variants file and lines `[variant, position]`; prints the legal moves of each position,
/// and which of them are drops of pawns with which the game is over.
const SCRIPT: &str = r#"
import json, sys
import pyffish
pyffish.load_variant_config(open(sys.argv[1]).read())
for line in open(sys.argv[2]):
    variant, fen = json.loads(line)
    moves = pyffish.legal_moves(variant, fen, [])
    drops = [move for move in moves if move.startswith("P@")]
    print(json.dumps([moves, [m for m in drops if not pyffish.legal_moves(variant, fen, [m])]]))
"#;

/// How many positions of each game are compared at least.
const POSITIONS: usize = 3000;

/// How long the random games are at most, in plies.
const PLIES: usize = 200;

/// Compares the legal moves of every game that is expressed.
pub(crate) fn have_the_same_moves() {
    let Some(python) = python_with("pyffish", RELEASE) else {
        println!("{RELEASE} is not installed and pip does not install it: no moves are compared");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let [file, asked] = ["variants.ini", "positions.jsonl"].map(|name| folder.path().join(name));
    let text = raja(&["uci", "--variants-ini"]).done();
    std::fs::write(&file, &text).unwrap();
    for game in Game::all() {
        let Some(lacks) = lacks(&text, game) else { continue };
        let positions = positions(game, start(&text, game));
        let line = |position: &Position| {
            serde_json::json!([game.id, Dialect::Uci.fen(position)]).to_string() + "\n"
        };
        std::fs::write(&asked, positions.iter().map(line).collect::<String>()).unwrap();
        let mut command = Command::new(&python);
        let output = command.args(["-c", SCRIPT]).args([&file, &asked]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let answers = String::from_utf8(output.stdout).unwrap();
        assert_eq!(answers.lines().count(), positions.len());
        let mut counted = Counted::default();
        for (position, answer) in positions.iter().zip(answers.lines()) {
            let (theirs, mates) = serde_json::from_str(answer).unwrap();
            counted.compare(&lacks, position, theirs, &mates);
        }
        println!(
            "{:15} {} positions with the same {} moves, and {} that are lacking",
            game.id,
            positions.len(),
            counted.same,
            counted.lacking
        );
    }
}

/// What `text`, the variants file, says that is lacking in `game`; none if it is not expressed.
fn lacks(text: &str, game: &Game) -> Option<String> {
    let mut lines = text.lines();
    lines.find(|line| line.starts_with(&format!("# {}: expressed", game.id)))?;
    Some(lines.take_while(|line| line.starts_with("#  ")).collect())
}

/// Where the section of `game` in `text` starts from; none if there is no section, because the game
/// is one that Fairy-Stockfish plays of itself.
fn start(text: &str, game: &'static Game) -> Option<Position> {
    let section = format!("[{}]", game.id);
    let fen = text.lines().skip_while(|line| *line != section).nth(1)?;
    let fen = fen.strip_prefix("startFen = ").unwrap();
    Some(Dialect::Uci.parse_fen(game, fen).unwrap())
}

/// Positions of `game`: the recorded ones, and some of random games. If these have a `start` of
/// their own, all positions are without the rights of kings and rooks and without spent pawns.
fn positions(game: &'static Game, start: Option<Position>) -> Vec<Position> {
    let own = start.is_none();
    let start = start.unwrap_or_else(|| game.start());
    let rights = |position: &Position| position.fen().split(' ').nth(2) != Some("-");
    let mut positions = recorded(game);
    positions.retain(|position| own || !rights(position));
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    while positions.len() < POSITIONS {
        let mut position = start.clone();
        for _ in 0..PLIES {
            if own || !rights(&position) {
                positions.push(position.clone());
            }
            let moves = position.moves().unwrap();
            if moves.is_empty() {
                break;
            }
            position.play_move(&moves[random.next_u64() as usize % moves.len()]);
        }
    }
    positions
}

/// The positions of the vectors and traces.
fn recorded(game: &Game) -> Vec<Position> {
    let vectors = lines::<Vector>("vectors", game).into_iter().map(|vector| vector.fen);
    let fens: BTreeSet<String> = vectors.collect();
    let mut positions: Vec<Position> =
        fens.iter().map(|fen| game.parse_fen(fen).unwrap()).collect();
    for trace in lines::<Trace>("traces", game) {
        let mut position = game.parse_fen(&trace.fen).unwrap();
        for text in &trace.moves {
            positions.push(position.clone());
            let chosen = position.parse_move(text).unwrap();
            position.play_move(&chosen);
        }
        positions.push(position);
    }
    positions
}

/// The lines of a file of `game`; none if there is no such file.
fn lines<T: DeserializeOwned>(folder: &str, game: &Game) -> Vec<T> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("games/tests").join(folder);
    let text = std::fs::read_to_string(folder.join(format!("{}.jsonl", game.id)));
    let text = text.unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// How many moves were compared.
#[derive(Default)]
struct Counted {
    same: usize,
    /// Those that the file says to be lacking.
    lacking: usize,
}

impl Counted {
    /// Compares the moves of `position`; `theirs` are those of Fairy-Stockfish, `mates` those of
    /// them that drop a pawn and end the game.
    fn compare(
        &mut self,
        lacks: &str,
        position: &Position,
        mut theirs: BTreeSet<String>,
        mates: &BTreeSet<String>,
    ) {
        let ranks = position.game().geometry.extent()[1].to_string();
        let ends = |number: &str| number == "1" || number == ranks;
        let moves = position.moves().unwrap();
        let mut own: BTreeSet<String> =
            moves.iter().map(|played| Dialect::Uci.move_text(position, played)).collect();
        let total = own.len() + theirs.len();
        if lacks.contains("promotion on rank") {
            own.retain(|text| !promotion(text) || numbers(text).is_some_and(|[_, to]| ends(to)));
        }
        if lacks.contains("as they walk along it") {
            theirs.retain(|text| {
                !promotion(text) || numbers(text).is_none_or(|[from, _]| !ends(from))
            });
        }
        if lacks.contains("pawn drops that give mate") {
            theirs.retain(|text| !mates.contains(text));
        }
        assert_eq!(own, theirs, "{}: {}", position.game().id, Dialect::Uci.fen(position));
        self.same += own.len();
        self.lacking += total - own.len() - theirs.len();
    }
}

/// Whether `text` is the move of a pawn that becomes another piece.
fn promotion(text: &str) -> bool {
    text.ends_with(|c: char| c.is_ascii_lowercase())
}

/// The numbers of the ranks that a move leads from and to; none if it is a drop.
fn numbers(text: &str) -> Option<[&str; 2]> {
    let mut numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    Some([numbers.next()?, numbers.next()?])
}
