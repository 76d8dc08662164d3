//! One short random game as text: what the rules say at every state, for people to read.

use std::fmt::{self, Write as _};

use games::{Features, Game, History, State, Step};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

/// How many whole moves are shown.
const PLIES: u32 = 24;
/// The same on boards of hundreds of cells, where every picture is long.
const LONG_PLIES: u32 = 8;
/// The planes are drawn after every so many moves, and in the middle of each move.
const PLANES_EVERY: u32 = 8;
/// Of so many steps at most the texts are shown, evenly chosen from the sorted list.
const STEPS: usize = 500;
/// Any other would do; it is part of the files.
const SEED: u64 = 1;

/// The text of `playthroughs/ID.txt`.
pub(crate) fn playthrough(game: &'static Game) -> String {
    let mut text = String::new();
    write_game(game, &mut text).expect("a String takes all text");
    text
}

fn write_game(game: &'static Game, text: &mut String) -> fmt::Result {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut history = History::new(game.start());
    writeln!(text, "{} ({}), {}", game.title, game.id, game.edition)?;
    writeln!(text, "kinds: {}", game.kinds.join(", "))?;
    let plies = if game.geometry.cell_count() > 128 { LONG_PLIES } else { PLIES };
    loop {
        write_state(&history, text)?;
        let mut steps = Vec::new();
        if history.steps(&mut steps).is_some() || history.plies() == plies {
            return Ok(());
        }
        let step = steps[(random.next_u64() % steps.len() as u64) as usize];
        writeln!(text, "\n==== {}", step_text(&history, step))?;
        history.play(step);
    }
}

fn step_text(history: &History, step: Step) -> String {
    let mut text = String::new();
    history.position().write_step(step, &mut text);
    text
}

fn write_state(history: &History, text: &mut String) -> fmt::Result {
    let position = history.position();
    writeln!(text, "\n{}", position.draw())?;
    if position.mid_move() {
        writeln!(text, "ply {}, {} has to go on", history.plies(), position.side_to_move())?;
    } else {
        writeln!(text, "ply {}: {}", history.plies(), position.fen())?;
    }
    match history.end() {
        Some(end) => writeln!(text, "over: {end}")?,
        None => {
            let mut steps = Vec::new();
            history.steps(&mut steps);
            let mut texts: Vec<String> =
                steps.iter().map(|&step| step_text(history, step)).collect();
            texts.sort_unstable();
            let count = texts.len();
            let shown: Vec<String> = texts.into_iter().step_by(count.div_ceil(STEPS)).collect();
            let some = if shown.len() < count { " among them" } else { "" };
            writeln!(text, "steps, {count}{some}: {}", shown.join(" "))?;
        }
    }
    if position.mid_move() || history.plies().is_multiple_of(PLANES_EVERY) {
        write_planes(history, text)?;
    }
    Ok(())
}

/// The planes that are not empty, as the network sees them: with the mover playing up.
fn write_planes(history: &History, text: &mut String) -> fmt::Result {
    let game = history.game();
    let mut features = Features::default();
    history.features(&mut features);
    for (plane, name) in (0..).zip(&game.planes) {
        let marks = features.marks().iter().filter(|mark| mark.0 == plane);
        let mut cells: Vec<_> = marks.map(|mark| mark.1).collect();
        cells.sort_unstable();
        let mut words: Vec<String> =
            cells.into_iter().map(|cell| game.geometry.name(cell).to_owned()).collect();
        let fills = features.fills().iter().filter(|fill| fill.0 == plane);
        words.extend(fills.map(|fill| format!("all {}", fill.1)));
        if !words.is_empty() {
            writeln!(text, "  {name}: {}", words.join(" "))?;
        }
    }
    Ok(())
}
