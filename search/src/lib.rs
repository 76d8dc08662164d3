//! Search trees and the interface of evaluators. No files, no printing, no torch.

mod evaluator;

pub use evaluator::{
    Answer, Answers, Evaluator, EvaluatorError, EvaluatorSource, Query, Uniform, Wdl,
};
