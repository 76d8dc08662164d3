//! [`Found`]: what a search has found about a position and its moves.

use games::{History, Move, Outcome, Position, State as _, Step};
use search::{Decision, Proof, Searcher, Variation, Wdl};

/// What a search has found about a position. Values are seen by the side to move.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Visits of all steps of the root, those that the tree was kept with included.
    pub nodes: u64,
    /// The expected result.
    pub value: Wdl,
    /// The network's own opinion, without a search; none if it was not asked.
    pub raw: Option<Wdl>,
    /// What is proven.
    pub proven: Option<Proof>,
    /// The moves, the best first.
    pub lines: Vec<FoundLine>,
}

/// A move, what a search has found about it, and what it expects after it.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundLine {
    /// The steps that all this is about: of a move of several steps the first ones, up to the one
    /// that was searched.
    pub beginning: Vec<Step>,
    /// The line in whole moves, as far as they are complete.
    pub moves: Vec<Move>,
    /// The expected result.
    pub value: Wdl,
    /// What is proven, in steps from the position that was searched.
    pub proven: Option<Proof>,
    /// Visits.
    pub visits: u32,
    /// The network's probability of the step.
    pub prior: f32,
}

impl Found {
    /// What `searcher` has found, whose `decision` this is, about at most so many moves. Its root is
    /// reached from `start` by `played`, the first steps of the move to be chosen.
    pub(crate) fn of(
        searcher: &Searcher<History>,
        decision: &Decision,
        start: &Position,
        played: &[Step],
        lines: usize,
    ) -> Self {
        let line = |variation: Variation| {
            let candidate = variation.candidate;
            let steps = |steps: &[Step]| [played, steps].concat();
            let from_root = |proof: Proof| Proof { steps: proof.steps.saturating_add(1), ..proof };
            FoundLine {
                beginning: steps(&[candidate.step]),
                moves: whole_moves(start, &steps(&variation.steps)),
                value: variation.value,
                proven: candidate.proven.map(from_root),
                visits: candidate.visits,
                prior: candidate.prior,
            }
        };
        Self {
            nodes: decision.candidates.iter().map(|candidate| u64::from(candidate.visits)).sum(),
            value: decision.value,
            raw: decision.raw,
            proven: decision.proven,
            lines: variations(searcher, decision, lines).into_iter().map(line).collect(),
        }
    }
}

impl FoundLine {
    /// The text of the move in `position`, which was searched; of one that is not complete what it
    /// begins with, and dots.
    #[must_use]
    pub fn text(&self, position: &Position) -> String {
        let mut after = position.clone();
        self.beginning.iter().for_each(|&step| after.play(step));
        let text = position.text_of(&self.beginning);
        if after.mid_move() { text + "..." } else { text }
    }

    /// The texts of the moves from `position` on, which was searched.
    #[must_use]
    pub fn line_texts(&self, position: &Position) -> Vec<String> {
        let mut position = position.clone();
        let text = |chosen: &Move| {
            let text = position.move_text(chosen);
            position.play_move(chosen);
            text
        };
        self.moves.iter().map(text).collect()
    }
}

/// As [`Searcher::variations`], with the winning step at the end of a line that it leaves out: what
/// the search has seen by looking ahead is not in its tree.
pub(super) fn variations(
    searcher: &Searcher<History>,
    decision: &Decision,
    most: usize,
) -> Vec<Variation> {
    let mut variations = searcher.variations(decision, most);
    for Variation { candidate, steps, .. } in &mut variations {
        if candidate.proven.is_some_and(|proof| usize::from(proof.steps) == steps.len()) {
            steps.extend(winning_step(searcher.root(), steps));
        }
    }
    variations
}

/// A step that wins at once after `line`.
fn winning_step(root: &History, line: &[Step]) -> Option<Step> {
    let (mut state, mut steps) = (root.clone(), Vec::new());
    line.iter().for_each(|&step| state.play(step));
    state.steps(&mut steps);
    let won = Some(Outcome::Win(state.side_to_move()));
    steps.into_iter().find(|&step| {
        let mut next = state.clone();
        next.play(step);
        next.foregone() == won
    })
}

/// The complete moves that `steps` make from `start` on.
pub(super) fn whole_moves(start: &Position, steps: &[Step]) -> Vec<Move> {
    let (mut position, mut first, mut moves) = (start.clone(), 0, Vec::new());
    for (index, &step) in steps.iter().enumerate() {
        position.play(step);
        if !position.mid_move() {
            moves.push(Move::new(&steps[first..=index]));
            first = index + 1;
        }
    }
    moves
}
