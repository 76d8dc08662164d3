//! UCI, with `UCI_Variant` for games that are not chess.

use std::time::Duration;

use games::{Dialect, Game};

use super::process::{Fault, Process};
use super::{Answer, READY, Said, Situation, does_not_play};
use crate::{Limit, share_of};

/// What UCI calls the choice between games.
const VARIANT: &str = "UCI_Variant";

/// The game that engines play that have no choice.
const ONLY_GAME: &str = "chess";

/// Makes the acquaintance of a program and chooses `game`.
pub(super) fn greet(process: &mut Process, game: &Game) -> Result<(), Fault> {
    let mut variants = None;
    process.ask("uci", READY, |line| {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        if let ["option", "name", VARIANT, "type", "combo", rest @ ..] = words.as_slice() {
            let values = rest.windows(2).filter(|pair| pair[0] == "var");
            variants = Some(values.map(|pair| pair[1].to_owned()).collect::<Vec<_>>());
        }
        (line == "uciok").then_some(())
    })?;
    let variant = Dialect::Uci.variant(game);
    match variants {
        Some(variants) if variants.iter().any(|known| *known == variant) => {
            process.tell(&format!("setoption name {VARIANT} value {variant}"))?;
        }
        None if variant == ONLY_GAME => {}
        variants => {
            return Err(does_not_play(game, &variants.unwrap_or(vec![ONLY_GAME.to_owned()])));
        }
    }
    get_ready(process)
}

/// Begins a game.
pub(super) fn begin(process: &mut Process) -> Result<(), Fault> {
    process.tell("ucinewgame")?;
    get_ready(process)
}

fn get_ready(process: &mut Process) -> Result<(), Fault> {
    process.ask("isready", READY, |line| (line == "readyok").then_some(()))
}

/// Asks for a move.
pub(super) fn go(
    process: &mut Process,
    limit: Limit,
    patience: Duration,
    situation: &Situation<'_>,
) -> Result<Said, Fault> {
    let mut position = match situation.start {
        None => "position startpos".to_owned(),
        Some(fen) => format!("position fen {fen}"),
    };
    if !situation.moves.is_empty() {
        position.push_str(" moves ");
        position.push_str(&situation.moves.join(" "));
    }
    process.tell(&position)?;
    let go = match limit {
        // Refused before, by `PlayerSpec::check`.
        Limit::Nodes(nodes) | Limit::Simulations(nodes) => format!("go nodes {nodes}"),
        Limit::Milliseconds(time) => format!("go movetime {time}"),
    };
    let mut opinion = None;
    process.ask(&go, patience, |line| {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("info") => opinion = score(line).or(opinion),
            Some("bestmove") => {
                let answer = match words.next() {
                    Some("resign") => Answer::Resigns,
                    text => Answer::Move(text.unwrap_or_default().to_owned()),
                };
                return Some(Said { answer, opinion });
            }
            _ => {}
        }
        None
    })
}

/// What a line of information says about the score of the mover, from -1 to 1: a mate is certain, and
/// a lead of a hundredth of a pawn counts as one of an Elo point.
fn score(line: &str) -> Option<f32> {
    // Behind `string` stands a text for people.
    let words = line.split_ascii_whitespace().take_while(|&word| word != "string");
    let words: Vec<&str> = words.collect();
    if words.contains(&"lowerbound") || words.contains(&"upperbound") {
        return None;
    }
    let at = words.iter().position(|&word| word == "score")?;
    // Of several lines of play the first one is the best.
    let other_line = words.windows(2).any(|pair| pair[0] == "multipv" && pair[1] != "1");
    let number: f64 = words.get(at + 2)?.parse().ok().filter(|_| !other_line)?;
    match *words.get(at + 1)? {
        "cp" => Some((2.0 * share_of(number) - 1.0) as f32),
        // Mated now is `mate 0`.
        "mate" => Some(if number > 0.0 { 1.0 } else { -1.0 }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_from_lines_about_the_best_move() {
        let of = |text: &str| score(&format!("info depth 3 {text} nodes 30 pv e2e4"));
        assert_eq!(of("score cp 0"), Some(0.0));
        assert!((of("multipv 1 score cp 400").unwrap() - 9.0 / 11.0).abs() < 1e-6);
        assert_eq!(of("score mate 3"), Some(1.0));
        assert_eq!(of("score mate -1"), Some(-1.0));
        assert_eq!(of("score mate 0"), Some(-1.0));
        for none in ["multipv 2 score cp 50", "score", "score cp x", "score wdl 3 4 5", "string"] {
            assert_eq!(of(none), None, "{none}");
        }
        for none in ["score cp 50 lowerbound", "score cp 50 wdl 600 300 100 upperbound"] {
            assert_eq!(of(none), None, "{none}");
        }
        assert_eq!(score("info string score"), None);
        assert_eq!(score("info string classical score cp 100"), None);
        assert_eq!(score("info score cp 0 string score cp 100"), Some(0.0));
    }
}
