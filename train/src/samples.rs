//! From rows of games to samples: positions with everything that is to be learned of them.

use games::{Cell, Game, History, Side, State, Step};
use model::{EncodedSample, NetworkSettings};
use rand::{Rng, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use search::Wdl;
use selfplay::{ReplayError, Replayer};

use crate::schedule::material_share;
use crate::settings::LearnerSettings;
use crate::window::Row;

/// What is to be learned of each row.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Targets {
    /// The share of the search's root value in the value target; the rest is the result.
    pub value_mix: f32,
    /// The share of the final material in the result of games that nobody has won.
    pub material: f32,
    /// The lead, in hundredths of a pawn, that counts as 76% of a won game (tanh 1) there.
    pub material_scale: f32,
    /// The opponent's answer.
    pub reply: bool,
    /// Who holds each cell at the end.
    pub occupancy: bool,
    /// Whether positions are mapped by a random symmetry of the board.
    pub symmetries: bool,
}

impl Targets {
    /// The targets at `step` of a run.
    #[must_use]
    pub fn at(step: i64, settings: &LearnerSettings, network: &NetworkSettings) -> Self {
        Self {
            value_mix: settings.value_mix,
            material: material_share(step, settings),
            material_scale: settings.material_scale,
            reply: network.reply && settings.reply_weight > 0.0,
            occupancy: network.occupancy && settings.occupancy_weight > 0.0,
            symmetries: settings.symmetries,
        }
    }

    /// Whether the last position of the game is needed.
    fn asks_for_the_end(&self) -> bool {
        self.occupancy || self.material > 0.0
    }
}

/// A row made ready for the network, on any thread.
#[derive(Debug, Clone)]
pub struct Sample {
    /// The position, turned for the mover and mapped by a random symmetry that holds.
    pub input: EncodedSample,
    /// The search's policy: one probability a legal step, summing to 1.
    pub policy: Vec<f32>,
    /// The value target from the mover's side: win, draw, loss.
    pub wdl: [f32; 3],
    /// Steps to the end of the game over 50, so that the loss is of the size of the others; `None`
    /// if the game was cut off before its end.
    pub moves_left: Option<f32>,
    /// The opponent's answer, if asked for.
    pub reply: Option<Reply>,
    /// Who holds each cell at the end, on the board of `input`, if asked for: 0 the mover, 1 the
    /// other, 2 nobody; 0 everywhere if the game was cut off.
    pub holders: Option<Vec<u8>>,
}

/// What the opponent could answer to the move that was played, on the board of the sample, and what
/// the opponent's search made of it; empty if there was no answer or no full search for one.
#[derive(Debug, Clone, Default)]
pub struct Reply {
    /// The legal steps.
    pub steps: Vec<Step>,
    /// One probability a step, summing to 1.
    pub policy: Vec<f32>,
}

/// Steps to the end of the game that count as 1 in the moves-left target.
pub(crate) const MOVES_LEFT_SCALE: f32 = 50.0;

/// How the network sees the board: turned for the mover, mapped by a symmetry.
#[derive(Debug, Clone, Copy)]
struct View {
    game: &'static Game,
    mover: Side,
    symmetry: Option<usize>,
}

impl View {
    fn step(self, step: Step) -> Step {
        let turned = self.game.turned(self.mover, step);
        self.symmetry.map_or(turned, |index| self.game.mapped(index, turned))
    }

    fn cell(self, cell: Cell) -> Cell {
        let turned = match self.mover {
            Side::White => cell,
            Side::Black => self.game.colour_turn[cell.index()],
        };
        self.symmetry.map_or(turned, |index| self.game.symmetries[index].cells[turned.index()])
    }
}

impl Sample {
    /// Makes a sample of `row`.
    ///
    /// # Errors
    /// If the rules do not confirm the record.
    fn new(
        row: Row<'_>,
        replayer: &mut Replayer,
        targets: &Targets,
        rng: &mut impl Rng,
    ) -> Result<Self, ReplayError> {
        let moment = replayer.sample_at(row.record, row.index)?;
        let symmetry = if targets.symmetries { random_symmetry(moment.history, rng) } else { None };
        let mover = moment.history.side_to_move();
        let view = View { game: row.record.game, mover, symmetry };
        let mut policy = Vec::new();
        let target = moment.step.target.as_ref().expect("a row has a policy target");
        target.write(moment.legal.len(), &mut policy);
        let input = EncodedSample::new(moment.history, moment.legal, symmetry);
        let searched = moment.step.values.as_ref().expect("a row was searched").searched.into();
        let reply = if targets.reply { Some(Reply::new(row, replayer, view)?) } else { None };
        let ended = row.record.end.is_some();
        let (mut lead, mut holders) = (0, None);
        if targets.asks_for_the_end() {
            let last = replayer.last(row.record).position();
            lead = last.material(mover) - last.material(mover.other());
            holders = targets.occupancy.then(|| {
                let geometry = &view.game.geometry;
                let mut holders = vec![0; geometry.cell_count()];
                for cell in geometry.cells().filter(|_| ended) {
                    holders[view.cell(cell).index()] = match last.side_at(cell) {
                        Some(side) => u8::from(side != mover),
                        None => 2,
                    };
                }
                holders
            });
        }
        Ok(Self {
            input,
            policy,
            wdl: value_target(row, mover, searched, lead, targets),
            moves_left: ended
                .then(|| (row.record.steps.len() - row.index) as f32 / MOVES_LEFT_SCALE),
            reply,
            holders,
        })
    }
}

impl Reply {
    /// The answer to the position that `replayer` has just shown of `row`'s game.
    fn new(row: Row<'_>, replayer: &mut Replayer, view: View) -> Result<Self, ReplayError> {
        let Some(moment) = replayer.answer(row.record)? else { return Ok(Self::default()) };
        let Some(target) = &moment.step.target else { return Ok(Self::default()) };
        let mut policy = Vec::new();
        target.write(moment.legal.len(), &mut policy);
        Ok(Self { steps: moment.legal.iter().map(|&step| view.step(step)).collect(), policy })
    }
}

/// The identity or one of the symmetries that hold here, all equally likely.
fn random_symmetry(history: &History, rng: &mut impl Rng) -> Option<usize> {
    let symmetries = &history.game().symmetries;
    let drawn = rng.random_range(0..=symmetries.len());
    let index = drawn.checked_sub(1)?;
    symmetries[index].holds(history.position()).then_some(index)
}

/// The result of the game mixed with what the search thought of the position, and, where nobody has
/// won, with the `lead` in material that `mover` had in the end.
fn value_target(
    row: Row<'_>,
    mover: Side,
    searched: Wdl,
    lead: i32,
    targets: &Targets,
) -> [f32; 3] {
    let numbers = |wdl: Wdl| [wdl.win, wdl.draw, wdl.loss];
    let mixed = |from: [f32; 3], to: [f32; 3], share: f32| {
        [0, 1, 2].map(|i| from[i] + (to[i] - from[i]) * share)
    };
    let result = row.record.result(mover).map(|result| numbers(result.wdl()));
    let searched = numbers(searched);
    let known = result.map_or(searched, |result| mixed(result, searched, targets.value_mix));
    if targets.material == 0.0 || result.is_some_and(|[win, _, loss]| win + loss > 0.0) {
        return known;
    }
    let score = (lead as f32 / targets.material_scale).tanh();
    mixed(known, [score.max(0.0), 1.0 - score.abs(), (-score).max(0.0)], targets.material)
}

/// Makes the samples of `rows` on all threads of the pool that this is called from. Equal seeds
/// choose equal symmetries.
///
/// # Errors
/// If the rules do not confirm a record.
pub fn make_samples(
    game: &'static Game,
    rows: &[Row<'_>],
    targets: &Targets,
    seed: u64,
) -> Result<Vec<Sample>, ReplayError> {
    rows.par_iter()
        .enumerate()
        .map_init(
            || Replayer::new(game),
            |replayer, (index, &row)| {
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_add(index as u64));
                Sample::new(row, replayer, targets, &mut rng)
            },
        )
        .collect()
}
