//! The network: everything between a position and libtorch.
//!
//! On the way in, [`EncodedSample`] and [`BatchBuilder`] turn a state and its legal steps into a
//! [`Batch`] of tensors. [`Network`] is what is trained; [`TorchSource`] is the same network folded for
//! playing, behind the interface of `search`: computed by libtorch, or on some processors, quicker, by
//! `native`. [`Checkpoint`] keeps a network in a file and refuses files that are damaged or belong to
//! something else. [`device`] chooses where all this runs, [`doctor`] says why.
//!
//! Boards are tensors `[batch, channels, rows, columns]`, channels last in memory: a row of channels for
//! each cell, in the order of the cells' numbers. On rectangles rows and columns are ranks and files, on
//! other boards each cell is a row; only `stencil` knows who is whose neighbour. Values are seen from the side to move, and the board is
//! turned so that this side plays up.

#![deny(unsafe_code)]

mod auxiliary;
mod checkpoint;
pub mod device;
pub mod doctor;
mod encode;
mod evaluator;
mod files;
mod folded;
mod heads;
mod layers;
#[allow(unsafe_code, reason = "vector instructions have no safe loads and stores")]
mod native;
mod network;
mod packed;
mod parameters;
mod settings;
mod shared;
mod speed;
mod stencil;
pub mod tensors;

pub use auxiliary::{Extras, StepAddresses};
pub use checkpoint::{Checkpoint, CheckpointError, FORMAT_VERSION, Manifest};
pub use encode::{Batch, BatchBuilder, ENCODING_VERSION, EncodedSample, InputShape};
pub use evaluator::{PackedEvaluator, TorchEvaluator, TorchSource, single_threaded};
pub use files::{WriteError, write_atomically};
pub use network::{Network, Outputs, Precision};
pub use packed::PackedBatch;
pub use parameters::{Parameter, ParameterMismatch};
pub use settings::{NetworkSettings, SettingsError};
pub use shared::{PackedQueries, TorchDevices};
pub use speed::{MatrixProduct, PlainEvaluator};
pub use tensors::TensorsError;
