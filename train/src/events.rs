//! [`Event`]: what a run tells its user while it works. Libraries never print.

use selfplay::Resignations;
use serde::{Deserialize, Serialize};

use crate::resigning::FalseResignations;
use crate::validation::Validation;

/// Something that happened in a run, for a progress bar or a log line.
#[derive(Debug, Clone, PartialEq)]
pub enum Event<'a> {
    /// One sentence: a device that had to be replaced, a run that goes on, a wait.
    Note(&'a str),
    /// A file of the run has been written, or what was to be added to one. However the process ends
    /// now, the run goes on from there.
    Saved,
    /// Games of this generation are being played.
    Generating {
        /// Which generation, counted from 0.
        generation: u32,
        /// Games finished so far.
        games: u32,
        /// Games to finish.
        goal: u32,
        /// Rows to learn from so far in the run.
        rows: u64,
        /// Rows before the learner takes its first step.
        minimum: u64,
        /// Positions evaluated per second in this sitting's part of the generation.
        evaluations_per_second: f64,
    },
    /// The learner is at work on this generation.
    Learning {
        /// Which generation, counted from 0.
        generation: u32,
        /// Steps taken in the run so far.
        step: i64,
        /// Steps the learner takes before the next games.
        due: i64,
        /// The losses of the last step.
        losses: Losses,
    },
    /// The games of a checkpoint at the gate are being played.
    Gating {
        /// Which checkpoint.
        checkpoint: u32,
        /// Games finished.
        games: u32,
        /// The most games there may be.
        most: u32,
    },
    /// A generation is complete and its checkpoint saved.
    Generation(&'a GenerationReport),
    /// The games of the strength table or of the ladder are being played.
    Measuring {
        /// Which row of the table or checkpoint of the ladder, counted from 1.
        row: usize,
        /// Rows in the table, or checkpoints whose games are played now.
        rows: usize,
        /// Games finished in this row.
        games: u32,
        /// Games of this row.
        goal: u32,
    },
}

/// Receives the events of a run, from two threads where games are played while the learner learns.
pub trait Observer: Sync {
    /// Shows `event`.
    fn event(&self, event: &Event<'_>);
}

/// Mean losses over some steps.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Losses {
    /// Cross-entropy of the policy against the search's target, in nats.
    pub policy: f64,
    /// Entropy of the search's targets, in nats: what the policy loss cannot fall below.
    pub target_entropy: f64,
    /// Cross-entropy of win, draw and loss against the value target, in nats.
    pub value: f64,
    /// Huber loss of the moves left; 0 without that head, as the next three.
    pub moves_left: f64,
    /// Cross-entropy of the soft policy, in nats.
    pub soft_policy: f64,
    /// Cross-entropy of the opponent's answer, in nats.
    pub reply: f64,
    /// Cross-entropy of a cell's holder at the end, in nats.
    pub occupancy: f64,
    /// Norm of the gradient before clipping.
    pub gradient: f64,
}

/// One line of `metrics.jsonl`: what a generation did.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct GenerationReport {
    /// Which generation, counted from 0.
    pub generation: u32,
    /// Learner steps in the run so far.
    pub step: i64,
    /// Games in the run so far.
    pub games: u64,
    /// Rows to learn from in the run so far.
    pub rows: u64,
    /// Rows in the replay window.
    pub window: u64,
    /// Share of this generation's games that White won.
    pub white: f64,
    /// Share of this generation's games that were drawn.
    pub draws: f64,
    /// Mean length of this generation's games in steps.
    pub length: f64,
    /// The resignations of this generation; none where nobody may resign.
    #[serde(default)]
    pub resignations: Option<Resignations>,
    /// How often resigning was wrong lately; none where nobody may resign or nothing was played out.
    #[serde(default)]
    pub false_resignations: Option<FalseResignations>,
    /// Mean losses of this generation's steps; none if it took none.
    pub losses: Option<Losses>,
    /// The losses on games kept out of training; none without a step or such games.
    #[serde(default)]
    pub validation: Option<Validation>,
    /// The learning rate of the last step.
    pub rate: f64,
    /// Positions evaluated per second of self-play.
    pub evaluations_per_second: f64,
    /// Share of the states that were found among remembered evaluations.
    pub cache_hits: f64,
    /// Mean share of a full batch that an evaluation carried.
    pub batch_fill: f64,
    /// Searches that ended early because their trees were full.
    pub full_trees: u64,
    /// Seconds of self-play in this generation.
    pub selfplay_seconds: f64,
    /// Seconds of learning in this generation.
    pub learning_seconds: f64,
    /// The share of them that the learner waited for batches.
    #[serde(default)]
    pub learner_waiting: f64,
    /// Seconds of training in the run so far.
    pub seconds: f64,
    /// When this was written, in seconds since 1970.
    #[serde(default)]
    pub time: f64,
    /// Resident memory of the process in MiB.
    pub memory_mib: f64,
    /// The most that was resident at a time since the process began, in MiB.
    pub peak_memory_mib: f64,
}

impl GenerationReport {
    /// Share of this generation's games that Black won.
    #[must_use]
    pub fn black(&self) -> f64 {
        (1.0 - self.white - self.draws).max(0.0)
    }
}

impl std::fmt::Display for Losses {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "policy {}, value {}", self.policy, self.value)?;
        for (name, loss) in [
            ("moves left", self.moves_left),
            ("soft policy", self.soft_policy),
            ("reply", self.reply),
            ("occupancy", self.occupancy),
        ] {
            if loss != 0.0 {
                write!(f, ", {name} {loss}")?;
            }
        }
        write!(f, ", gradient {}", self.gradient)
    }
}

impl Losses {
    /// Adds the losses of another step.
    pub(crate) fn add(&mut self, other: &Self) {
        self.policy += other.policy;
        self.target_entropy += other.target_entropy;
        self.value += other.value;
        self.moves_left += other.moves_left;
        self.soft_policy += other.soft_policy;
        self.reply += other.reply;
        self.occupancy += other.occupancy;
        self.gradient += other.gradient;
    }

    /// The mean of what was added up over `steps`, if there are any.
    pub(crate) fn over(self, steps: i64) -> Option<Self> {
        let mean = |sum: f64| sum / steps as f64;
        (steps > 0).then(|| Self {
            policy: mean(self.policy),
            target_entropy: mean(self.target_entropy),
            value: mean(self.value),
            moves_left: mean(self.moves_left),
            soft_policy: mean(self.soft_policy),
            reply: mean(self.reply),
            occupancy: mean(self.occupancy),
            gradient: mean(self.gradient),
        })
    }
}
