//! The training loop: replay window, learner, run folder, and [`run()`] that ties them together.
//!
//! A run plays games with the averaged network and fits the network to the newest games, in turns or
//! at the same time; see [`run()`]. Libraries never print: what happens is told to an [`Observer`].

mod alarms;
mod batch;
mod clock;
mod disk;
mod entrants;
mod evaluators;
mod events;
mod gate;
mod ladder;
mod layers;
mod learner;
mod loss;
mod measure;
pub mod memory;
mod need;
mod optimizer;
mod phase;
mod player;
mod replay;
mod resigning;
mod resume;
mod run;
mod run_files;
mod run_folder;
mod samples;
mod schedule;
mod seeds;
mod settings;
mod status;
mod surprise;
mod tensorboard;
mod trainer;
mod validation;
mod window;

pub use alarms::{Alarm, alarms};
pub use batch::{PolicyTargets, ReplyTargets, TrainingBatch};
pub use clock::ClockChoice;
pub use evaluators::NetEvaluators;
pub use events::{Event, GenerationReport, Losses, Observer};
pub use gate::{Gate, GateSettings};
pub use ladder::{LadderSettings, rate_checkpoints};
pub use learner::{LearnError, Learner};
pub use measure::{Strength, measure};
pub use need::{MemoryError, MemoryNeed};
pub use optimizer::{Optimizer, OptimizerChoice, StepSize};
pub use phase::{Grouped, Phase};
pub use replay::{GameRows, Replay};
pub use resigning::FalseResignations;
pub use run::{RunError, RunRequest, RunSummary, run};
pub use run_files::RunFiles;
pub use run_folder::{Generated, RunFolder, RunFolderError, RunState};
pub use samples::{Reply, Sample, Targets, make_samples};
pub use schedule::{
    average_share, learning_rate, material_share, progress, steps_due, window_rows,
};
pub use settings::{
    Concurrency, LearnerSettings, PrecisionChoice, ReplaySettings, RunSettings, Settings,
    SettingsError, TableSettings,
};
pub use status::{Disk, Rated, Rates, Status};
pub use tensorboard::{EventFile, Scalar, read_events};
pub use validation::Validation;
pub use window::{ReplayWindow, Row, rows_of};
