//! Many positions, asked and answered as JSON lines.

use std::io::{BufRead as _, Write};
use std::sync::mpsc::sync_channel;

use arena::{AnalysisTask, Analyst, Found, FoundLine, Line, Question, analyse_all};
use games::{History, State as _};
use search::{Proof, Wdl};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{failure, input};

/// Questions that are read ahead of those that are being answered.
const AHEAD: usize = 64;

/// A line of input.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    /// What the answer comes with.
    #[serde(default)]
    id: Value,
    fen: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    simulations: Option<u32>,
    lines: Option<usize>,
}

/// What an answer is made of.
enum Tag {
    /// The id and the position, which is searched.
    Searched(Value, Box<History>),
    /// All of it: no search is needed.
    Known(Value),
}

/// Answers the lines of standard input until it ends. `line`, `simulations` and `lines` are for
/// those that do not say.
pub(super) fn answer(
    analyst: &Analyst,
    line: &Line,
    simulations: u32,
    lines: usize,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let (sender, questions) = sync_channel(AHEAD);
    let line = line.clone();
    let reader = std::thread::spawn(move || -> std::io::Result<()> {
        for text in std::io::stdin().lock().split(b'\n') {
            let text = text?;
            if text.trim_ascii().is_empty() {
                continue;
            }
            if sender.send(question(&text, &line, simulations, lines)).is_err() {
                break;
            }
        }
        Ok(())
    });
    analyse_all(analyst, questions, &mut |tag, found| {
        let answer = match (tag, found) {
            (Tag::Known(answer), _) => answer,
            (Tag::Searched(id, state), Some(Ok(found))) => found_as_json(&id, &state, &found),
            (Tag::Searched(id, _), Some(Err(error))) => error_as_json(&id, &error.to_string()),
            (Tag::Searched(..), None) => unreachable!("what is searched has an answer"),
        };
        serde_json::to_writer(&mut *out, &answer)?;
        writeln!(out)?;
        out.flush()
    })?;
    match reader.join() {
        Ok(read) => Ok(read.map_err(|error| anyhow::anyhow!("standard input: {error}"))?),
        Err(_) => anyhow::bail!("the reader of standard input has failed"),
    }
}

/// The question that `text` asks.
fn question(text: &[u8], line: &Line, simulations: u32, lines: usize) -> Question<Tag> {
    let known = |answer| Question { tag: Tag::Known(answer), task: None };
    let request: Request = match serde_json::from_slice(text) {
        Ok(request) => request,
        Err(error) => {
            // The id may be there all the same.
            let value: Value = serde_json::from_slice(text).unwrap_or_default();
            return known(error_as_json(&value["id"], &error.to_string()));
        }
    };
    let state = match position(&request, line) {
        Ok(state) => state,
        Err(error) => return known(error_as_json(&request.id, &failure::sentence(&error))),
    };
    if let Some(end) = state.end() {
        return known(json!({
            "id": request.id,
            "fen": state.position().fen(),
            "side": state.side_to_move().to_string(),
            "result": input::result(&state),
            "reason": end.reason.to_string(),
            "moves": [],
        }));
    }
    let task = AnalysisTask {
        state: state.clone(),
        simulations: request.simulations.unwrap_or(simulations),
        lines: request.lines.unwrap_or(lines),
    };
    Question { tag: Tag::Searched(request.id, Box::new(state)), task: Some(task) }
}

fn error_as_json(id: &Value, error: &str) -> Value {
    json!({ "id": id, "error": error })
}

fn position(request: &Request, line: &Line) -> anyhow::Result<History> {
    const MOST: u32 = 1_000_000;
    if request.simulations.is_some_and(|simulations| !(1..=MOST).contains(&simulations)) {
        anyhow::bail!("expected simulations from 1 to {MOST}");
    }
    let mut line = match &request.fen {
        Some(fen) => Line::new(line.start().game().parse_fen(fen)?),
        None => line.clone(),
    };
    for text in &request.moves {
        line.play(line.state().position().parse_move(text)?);
    }
    Ok(line.state().clone())
}

fn found_as_json(id: &Value, state: &History, found: &Found) -> Value {
    let position = state.position();
    let line = |line: &FoundLine| {
        json!({
            "move": line.text(position),
            "visits": line.visits,
            "prior": rounded(line.prior),
            "wdl": wdl(line.value),
            "proven": proof(line.proven),
            "line": line.line_texts(position),
        })
    };
    json!({
        "id": id,
        "fen": position.fen(),
        "side": state.side_to_move().to_string(),
        "visits": found.nodes,
        "wdl": wdl(found.value),
        "raw": found.raw.map(wdl),
        "proven": proof(found.proven),
        "moves": found.lines.iter().map(line).collect::<Vec<_>>(),
    })
}

fn wdl(value: Wdl) -> Value {
    json!([value.win, value.draw, value.loss].map(rounded))
}

/// A probability to four places: more of them tell nothing.
fn rounded(chance: f32) -> f64 {
    (f64::from(chance) * 1e4).round() / 1e4
}

fn proof(proof: Option<Proof>) -> Value {
    proof.map_or(
        Value::Null,
        |proof| json!({ "result": proof.outcome.to_string(), "steps": proof.steps }),
    )
}
