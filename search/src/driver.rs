//! [`search`]: one game, one evaluator.

use std::sync::atomic::{AtomicBool, Ordering};

use games::State;

use crate::{Answers, Evaluator, EvaluatorError, Gathered, Searcher};

/// Runs the search that was [started](Searcher::start) to its end, or until `stop` is set. At least
/// the root is evaluated, so that there is a [decision](Searcher::decision).
///
/// # Errors
/// If an evaluation failed. The search stands where it was and can go on.
pub fn search<S: State>(
    searcher: &mut Searcher<S>,
    evaluator: &mut dyn Evaluator<S>,
    stop: &AtomicBool,
) -> Result<(), EvaluatorError> {
    let mut answers = Answers::default();
    let mut first = true;
    while searcher.gather() == Gathered::Leaf {
        if !first && stop.load(Ordering::Relaxed) {
            break;
        }
        first = false;
        let queries: Vec<_> = searcher.queries().collect();
        let asked = queries.len();
        evaluator.evaluate(&queries, &mut answers)?;
        for index in 0..asked {
            searcher.apply(answers.get(index));
        }
    }
    Ok(())
}
