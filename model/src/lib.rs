//! The network: everything between a position and libtorch.

#![forbid(unsafe_code)]

pub mod device;
pub mod doctor;
