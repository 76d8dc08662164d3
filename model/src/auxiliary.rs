//! The heads that only help the training: what they have to predict makes the trunk see more. A
//! network that plays has none of them.

use games::Step;
use tch::{Device, Kind, Tensor};

use crate::encode::{Batch, InputShape};
use crate::heads::PolicyHead;
use crate::layers::Linear;
use crate::parameters::Parameters;
use crate::settings::NetworkSettings;

/// What a pass computes besides policy and value. What is not asked for, or has no head in the
/// network, costs nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Extras<'b> {
    /// The plies left.
    pub moves_left: bool,
    /// The softer policy.
    pub soft_policy: bool,
    /// Who holds each cell at the end.
    pub occupancy: bool,
    /// The opponent's possible answers.
    pub reply: Option<&'b StepAddresses>,
}

/// Steps of a batch's samples, one sample after the other: int64 `[steps]` each.
#[derive(Debug)]
pub struct StepAddresses {
    /// The kind of each step.
    pub kinds: Tensor,
    /// The cell it leaves, as a row of `[batch * cells]`.
    pub from: Tensor,
    /// The cell it reaches, likewise.
    pub to: Tensor,
}

impl StepAddresses {
    /// The addresses on `device` of `steps`, some or none a sample, as the network sees the board.
    #[must_use]
    pub fn new<'s>(
        shape: InputShape,
        steps: impl Iterator<Item = &'s [Step]>,
        device: Device,
    ) -> Self {
        let (mut kinds, mut from, mut to) = (Vec::new(), Vec::new(), Vec::new());
        for (sample, steps) in steps.enumerate() {
            let row = sample * shape.cells();
            for step in steps {
                kinds.push(i64::from(step.kind()));
                from.push((row + step.from().index()) as i64);
                to.push((row + step.to().index()) as i64);
            }
        }
        let tensor = |list: &[i64]| Tensor::from_slice(list).to_device(device);
        Self { kinds: tensor(&kinds), from: tensor(&from), to: tensor(&to) }
    }
}

/// The heads on the trunk's cells; that of the moves left shares the value head's hidden layer.
#[derive(Debug)]
pub(crate) struct AuxiliaryHeads {
    soft_policy: Option<PolicyHead>,
    reply: Option<PolicyHead>,
    occupancy: Option<Linear>,
}

/// What they say: see [`crate::Outputs`].
#[derive(Debug)]
pub(crate) struct AuxiliaryOutputs {
    pub(crate) soft_policy: Option<Tensor>,
    pub(crate) reply: Option<Tensor>,
    pub(crate) occupancy: Option<Tensor>,
}

impl AuxiliaryHeads {
    /// The heads that `settings` name. To be made after all else: then the other weights of a seed do
    /// not depend on them.
    pub(crate) fn new(
        parameters: &mut Parameters,
        settings: &NetworkSettings,
        shape: InputShape,
    ) -> Self {
        let mut policy =
            |there: bool, name| there.then(|| PolicyHead::new(parameters, name, settings, shape));
        let soft_policy = policy(settings.soft_policy, "soft_policy");
        let reply = policy(settings.reply, "reply");
        let occupancy = settings
            .occupancy
            .then(|| Linear::new(parameters, "occupancy", settings.channels as i64, 3, 0.1));
        Self { soft_policy, reply, occupancy }
    }

    /// From the trunk's `[batch * cells, channels]`.
    pub(crate) fn forward(
        &self,
        cells: &Tensor,
        batch: &Batch,
        extras: &Extras<'_>,
    ) -> AuxiliaryOutputs {
        let soft_policy = self.soft_policy.as_ref().filter(|_| extras.soft_policy);
        let occupancy = self.occupancy.as_ref().filter(|_| extras.occupancy);
        AuxiliaryOutputs {
            soft_policy: soft_policy.map(|head| head.forward(cells, batch)),
            reply: self
                .reply
                .as_ref()
                .zip(extras.reply)
                .map(|(head, steps)| head.forward_at(cells, steps)),
            occupancy: occupancy.map(|head| head.forward(cells).to_kind(Kind::Float)),
        }
    }
}
