//! What is read off the trunk: a logit for each legal step, chances of win, draw and loss, plies left.

use tch::{Kind, Tensor};

use crate::auxiliary::StepAddresses;
use crate::encode::{Batch, InputShape};
use crate::layers::{Linear, Norm, board_of, pool};
use crate::parameters::Parameters;
use crate::settings::NetworkSettings;

/// Scores steps by their kind and the two cells they touch.
///
/// `logit(kind, from, to) = sum_d e[kind,d] q[from,d] k[to,d] + a[kind].u[from] + b[kind].w[to]`,
/// where q, k (`policy_dim` numbers a cell) and u, w (`policy_cell_dim`) are linear in the trunk's
/// channels at that cell and e, a, b are learned for each kind. There is no dense list of all steps,
/// so the size of the head does not depend on how many steps a game knows.
#[derive(Debug)]
pub(crate) struct PolicyHead {
    /// Channels to `[q, u]`.
    pub(crate) from: Linear,
    /// Channels to `[k, w]`.
    pub(crate) to: Linear,
    /// fp32 `[kinds, policy_dim]`: e.
    pub(crate) product: Tensor,
    /// fp32 `[kinds, policy_cell_dim]`: a.
    pub(crate) leaving: Tensor,
    /// fp32 `[kinds, policy_cell_dim]`: b.
    pub(crate) reaching: Tensor,
}

/// Chances of win, draw and loss from the trunk pooled over the board.
#[derive(Debug)]
pub(crate) struct ValueHead {
    /// Channels to `value_channels` of each cell; its bias is the normalisation's.
    pub(crate) reduce: Tensor,
    pub(crate) norm: Norm,
    pub(crate) hidden: Linear,
    pub(crate) wdl: Linear,
    moves_left: Option<Linear>,
    shape: InputShape,
}

impl PolicyHead {
    /// A head whose tensors are called `name`.
    pub(crate) fn new(
        parameters: &mut Parameters,
        name: &str,
        settings: &NetworkSettings,
        shape: InputShape,
    ) -> Self {
        let channels = settings.channels as i64;
        let (dim, cell_dim) = (settings.policy_dim as i64, settings.policy_cell_dim as i64);
        let kinds = shape.kinds as i64;
        // All kinds start alike and all steps with about the same logit, a tenth of one apart.
        let even = 1.0 / (dim as f64).sqrt();
        let mut linear = |part| {
            Linear::new(parameters, &format!("{name}.{part}"), channels, dim + cell_dim, 0.3)
        };
        let (from, to) = (linear("from"), linear("to"));
        let mut table = |part: &str, size, mean| {
            parameters.normal(format!("{name}.{part}"), &[kinds, size], mean, 0.1 * even)
        };
        Self {
            from,
            to,
            product: table("product", dim, even),
            leaving: table("leaving", cell_dim, 0.0),
            reaching: table("reaching", cell_dim, 0.0),
        }
    }

    /// Logits of the legal steps, fp32 `[steps]`, from the trunk's `[batch * cells, channels]`.
    pub(crate) fn forward(&self, cells: &Tensor, batch: &Batch) -> Tensor {
        self.score(cells, [&batch.kinds, &batch.from, &batch.to])
    }

    /// The same of other steps than the legal ones.
    pub(crate) fn forward_at(&self, cells: &Tensor, steps: &StepAddresses) -> Tensor {
        self.score(cells, [&steps.kinds, &steps.from, &steps.to])
    }

    fn score(&self, cells: &Tensor, [kinds, from, to]: [&Tensor; 3]) -> Tensor {
        let sizes = [self.product.size()[1], self.leaving.size()[1]];
        let rows = |cell: &Linear, index: &Tensor| {
            let rows = cell.forward(cells).index_select(0, index).to_kind(Kind::Float);
            rows.split_with_sizes(sizes, 1)
        };
        let (from, to) = (rows(&self.from, from), rows(&self.to, to));
        let of_kind = |table: &Tensor| table.index_select(0, kinds);
        let sum = |product: Tensor| product.sum_dim_intlist([1_i64].as_slice(), false, Kind::Float);
        sum(of_kind(&self.product) * &from[0] * &to[0])
            + sum(of_kind(&self.leaving) * &from[1])
            + sum(of_kind(&self.reaching) * &to[1])
    }
}

impl PolicyHead {
    /// fp32 `[kinds, policy_dim + 2 * policy_cell_dim]`: `[e, a, b]`, the weights of the products of
    /// `[q, u, 1]` at a step's from cell and `[k, 1, w]` at its to cell.
    pub(crate) fn kind_rows(&self) -> Tensor {
        Tensor::cat(&[&self.product, &self.leaving, &self.reaching], 1).detach()
    }
}

impl ValueHead {
    pub(crate) fn new(
        parameters: &mut Parameters,
        settings: &NetworkSettings,
        shape: InputShape,
    ) -> Self {
        let channels = settings.channels as i64;
        let (pooled, hidden) = (settings.value_channels as i64, settings.value_hidden as i64);
        let deviation = (2.0 / channels as f64).sqrt();
        Self {
            reduce: parameters.normal("value.reduce".into(), &[pooled, channels], 0.0, deviation),
            norm: Norm::new(parameters, "value.norm", pooled, 1.0),
            hidden: Linear::new(parameters, "value.hidden", 2 * pooled, hidden, 1.0),
            wdl: Linear::new(parameters, "value.wdl", hidden, 3, 0.1),
            moves_left: settings
                .moves_left
                .then(|| Linear::new(parameters, "value.moves_left", hidden, 1, 0.1)),
            shape,
        }
    }

    /// From the trunk's `[batch * cells, channels]`: logits of win, draw and loss for the side to
    /// move, fp32 `[batch, 3]`, and if asked and known the plies left, at least 0, fp32 `[batch]`.
    pub(crate) fn forward(
        &self,
        cells: &Tensor,
        train: bool,
        moves_left: bool,
    ) -> (Tensor, Option<Tensor>) {
        let reduced = cells.linear(&self.reduce.to_kind(cells.kind()), None::<Tensor>);
        let active = self.norm.forward(&reduced, train).relu();
        let pooled = pool(&board_of(&active, self.shape)).expect("sizes fit by construction");
        let hidden = self.hidden.forward(&pooled).relu();
        let moves_left = self
            .moves_left
            .as_ref()
            .filter(|_| moves_left)
            .map(|head| head.forward(&hidden).squeeze_dim(1).softplus() * MOVES_LEFT_UNIT);
        (self.wdl.forward(&hidden), moves_left)
    }
}

/// The plies that one unit of the moves-left head stands for, so that its weights are of the size of
/// the others.
const MOVES_LEFT_UNIT: f64 = 20.0;
