//! [`NetworkSettings`]: the sizes of a network.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::encode::InputShape;

/// The sizes of a network: all that, with the game, decides the shape of every weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NetworkSettings {
    /// Residual blocks of two convolutions each; 0 to 200.
    pub blocks: usize,
    /// Channels of the trunk; 1 to 4096. Multiples of 16 run best on processors, of 64 on GPUs.
    pub channels: usize,
    /// Every how many blocks one has global pooling; 0 for none.
    pub pooling_every: usize,
    /// Length of the vectors whose product scores a step's two cells together; 1 to 1024.
    pub policy_dim: usize,
    /// Length of the vectors that score each of a step's cells alone; 1 to 1024.
    pub policy_cell_dim: usize,
    /// Channels that the value head pools over the board; 1 to 4096.
    pub value_channels: usize,
    /// Units of the value head's hidden layer; 1 to 4096.
    pub value_hidden: usize,
    /// Whether there is a head that predicts how many plies are left, for training only.
    pub moves_left: bool,
    /// Whether there is a second policy head that learns a softer target, for training only.
    pub soft_policy: bool,
    /// Whether there is a policy head for the opponent's answer, for training only.
    pub reply: bool,
    /// Whether there is a head that predicts who holds each cell at the end, for training only.
    pub occupancy: bool,
}

impl Default for NetworkSettings {
    /// A small network, right for a board of 64 cells and a processor.
    ///
    /// Checkpoints of format 1 lack the keys that came later and take them from here: the heads of
    /// these keys must stay off.
    fn default() -> Self {
        Self {
            blocks: 5,
            channels: 48,
            pooling_every: 2,
            policy_dim: 32,
            policy_cell_dim: 8,
            value_channels: 16,
            value_hidden: 32,
            moves_left: true,
            soft_policy: false,
            reply: false,
            occupancy: false,
        }
    }
}

/// A size that no network can have.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{key}: expected a whole number from {least} to {most}, found {found}")]
pub struct SettingsError {
    /// The setting.
    pub key: &'static str,
    /// The least it may be.
    pub least: usize,
    /// The most it may be.
    pub most: usize,
    /// What it is.
    pub found: usize,
}

impl NetworkSettings {
    /// Checks every size.
    ///
    /// # Errors
    /// If one is out of its range; the first is named.
    pub fn validate(&self) -> Result<(), SettingsError> {
        let ranges = [
            ("blocks", self.blocks, 0, 200),
            ("channels", self.channels, 1, 4096),
            ("pooling_every", self.pooling_every, 0, 200),
            ("policy_dim", self.policy_dim, 1, 1024),
            ("policy_cell_dim", self.policy_cell_dim, 1, 1024),
            ("value_channels", self.value_channels, 1, 4096),
            ("value_hidden", self.value_hidden, 1, 4096),
        ];
        match ranges.into_iter().find(|&(_, found, least, most)| !(least..=most).contains(&found)) {
            Some((key, found, least, most)) => Err(SettingsError { key, least, most, found }),
            None => Ok(()),
        }
    }

    /// Whether networks of these settings and of `other` play with the same tensors: all is equal but
    /// the heads that are for training only.
    #[must_use]
    pub fn plays_like(&self, other: &Self) -> bool {
        let Self { moves_left, soft_policy, reply, occupancy, .. } = *self;
        Self { moves_left, soft_policy, reply, occupancy, ..*other } == *self
    }

    /// Whether block `index`, counted from 0, has global pooling.
    #[must_use]
    pub fn pools(&self, index: usize) -> bool {
        self.pooling_every > 0 && (index + 1).is_multiple_of(self.pooling_every)
    }

    /// Floating-point operations to evaluate one position, a multiplication and an addition counted
    /// as two. Legal steps and elementwise work are left out: they are a few per cent.
    #[must_use]
    pub fn flops(&self, shape: InputShape) -> u64 {
        let convolutions =
            shape.taps * self.channels * (shape.planes + 2 * self.blocks * self.channels);
        let policy = 2 * self.channels * (self.policy_dim + self.policy_cell_dim);
        let value = self.channels * self.value_channels;
        let pooling = (0..self.blocks).filter(|&block| self.pools(block)).count();
        let alone =
            pooling * 2 * self.channels.pow(2) + self.value_hidden * (2 * self.value_channels + 3);
        2 * (shape.cells() * (convolutions + policy + value) + alone) as u64
    }
}
