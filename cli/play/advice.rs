//! [`Adviser`]: a network's opinion of a position.

use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

use games::{History, State as _, Step};
use search::{
    Candidate, Decision, Ended, Evaluator, EvaluatorError, Proof, SearchSettings, Searcher, Wdl,
    search,
};

/// A network that is asked for its opinion.
pub(super) struct Adviser {
    pub(super) evaluator: Box<dyn Evaluator>,
    /// Simulations of the search behind an opinion.
    pub(super) simulations: u32,
}

/// Moves that an opinion lists.
const MOST_LISTED: usize = 8;

impl Adviser {
    /// What the network thinks of `state`, which is not over, from the view of the side to move.
    pub(super) fn opinion(&mut self, state: &History, seed: u64) -> Result<String, EvaluatorError> {
        let mut searcher = Searcher::new(state.clone(), SearchSettings::default(), seed);
        let decision = self.decide(&mut searcher)?;
        let mut best = vec![decision.step];
        searcher.advance(decision.step);
        while searcher.root().position().mid_move() && searcher.root().outcome().is_none() {
            let next = self.decide(&mut searcher)?.step;
            searcher.advance(next);
            best.push(next);
        }
        Ok(in_words(state, &decision, &best))
    }

    fn decide(&mut self, searcher: &mut Searcher<History>) -> Result<Decision, EvaluatorError> {
        searcher.start(self.simulations, false);
        search(searcher, self.evaluator.as_mut(), &AtomicBool::new(false))?;
        Ok(searcher.decision())
    }
}

/// An opinion; `best` are the steps of the move it would play.
fn in_words(state: &History, decision: &Decision, best: &[Step]) -> String {
    let side = state.side_to_move();
    let mut text = match decision.proven {
        Some(proof) => format!("{side}: {}", proof_in_words(proof)),
        None => format!("{side}: {}", chances(decision.value)),
    };
    let simulations = decision.simulations;
    let ended = match decision.ended {
        Ended::TreeFull => format!(" ({})", decision.ended),
        Ended::Stopped | Ended::Spent | Ended::Proven => String::new(),
    };
    match decision.raw {
        Some(raw) => {
            let first = chances(raw);
            write!(text, " after {simulations} simulations{ended}; at first sight {first}")
        }
        None => write!(text, ", seen without the network"),
    }
    .expect("a String takes all text");
    text.push('\n');

    let mut candidates: Vec<&Candidate> = decision.candidates.iter().collect();
    // The step it would play first, then by how much the search looked at them.
    candidates.sort_by(|a, b| {
        let rank = |c: &Candidate| (c.step == decision.step, c.visits, c.prior);
        rank(b).partial_cmp(&rank(a)).expect("priors are numbers")
    });
    for candidate in candidates.into_iter().take(MOST_LISTED) {
        let moved = match candidate.step == decision.step {
            true => state.position().text_of(best),
            false => beginning(state, candidate.step),
        };
        writeln!(text, "{}", line(&moved, candidate)).expect("a String takes all text");
    }
    text
}

/// The text of the move that `step` is, or of what it begins.
fn beginning(state: &History, step: Step) -> String {
    let text = state.position().text_of(&[step]);
    let mut next = state.position().clone();
    next.play(step);
    if next.mid_move() { text + "..." } else { text }
}

/// A candidate in one line: its move, and what speaks for it.
fn line(moved: &str, candidate: &Candidate) -> String {
    let Candidate { visits, prior, q, .. } = *candidate;
    let mut line =
        format!("  {moved:12} {visits:>6} visits   prior {:>5.1}%   score {q:+.2}", prior * 100.0);
    if let Some(proof) = candidate.proven {
        write!(line, "   {}", proof_in_words(proof)).expect("a String takes all text");
    }
    line
}

fn chances(value: Wdl) -> String {
    let [win, draw, loss] = [value.win, value.draw, value.loss].map(|chance| chance * 100.0);
    format!("win {win:.0}%, draw {draw:.0}%, loss {loss:.0}%")
}

fn proof_in_words(proof: Proof) -> String {
    format!("proven: {} in {} steps", proof.outcome, proof.steps)
}
