//! What numbers of games allow to say: shares with intervals, and logistic regression on rows that
//! come in clusters. Knows nothing of games.
//!
//! ```
//! use statistics::Estimate;
//! // 10 of 100, by Wilson.
//! let share = Estimate::of_share(10, 100).unwrap();
//! assert!((share.low - 0.0552).abs() < 1e-4 && (share.high - 0.1744).abs() < 1e-4);
//! ```

mod estimate;
mod logistic;

pub use estimate::{Estimate, Z, mean_and_variance};
pub use logistic::{Fit, Sample};
