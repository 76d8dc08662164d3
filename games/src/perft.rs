//! Counting the leaves of the move tree, the yardstick of a move generator.

use crate::{MOST_MOVES, Move, Position, State, Step, TooManyMoves};

/// The number of sequences of `depth` whole moves from `position`. Draws by repetition, by the
/// hundred-ply rule and by length are ignored; a finished position counts 0 at depth 1 and more.
///
/// # Errors
/// [`TooManyMoves`] if a position on the way has more moves than the rules ever list.
pub fn perft(position: &Position, depth: u32) -> Result<u64, TooManyMoves> {
    below(position, depth, &mut Vec::new())
}

fn below(position: &Position, depth: u32, steps: &mut Vec<Step>) -> Result<u64, TooManyMoves> {
    if depth == 0 {
        return Ok(1);
    }
    if depth == 1
        && let Some(moves) = position.count_moves()
    {
        return Ok(moves as u64);
    }
    count(position, depth, steps, &mut 0)
}

/// Counts below `position`. `steps` is a stack shared by all plies; `moves` counts the whole moves
/// of the position in which the move under way began.
fn count(
    position: &Position,
    depth: u32,
    steps: &mut Vec<Step>,
    moves: &mut usize,
) -> Result<u64, TooManyMoves> {
    let start = steps.len();
    position.steps(steps);
    let mut nodes = 0;
    for i in start..steps.len() {
        let mut next = position.clone();
        next.play(steps[i]);
        if next.mid_move() {
            nodes += count(&next, depth, steps, moves)?;
            continue;
        }
        *moves += 1;
        if *moves > MOST_MOVES {
            return Err(TooManyMoves);
        }
        nodes += below(&next, depth - 1, steps)?;
    }
    steps.truncate(start);
    Ok(nodes)
}

/// The nodes below each whole move of `position`, in generation order.
///
/// # Errors
/// As [`perft`].
pub fn divide(position: &Position, depth: u32) -> Result<Vec<(Move, u64)>, TooManyMoves> {
    position
        .moves()?
        .into_iter()
        .map(|chosen| {
            let mut next = position.clone();
            next.play_move(&chosen);
            perft(&next, depth.saturating_sub(1)).map(|nodes| (chosen, nodes))
        })
        .collect()
}
