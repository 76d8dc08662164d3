//! [`GameRecord`]: one game of self-play, with what its searches found.

use games::{End, Game, Outcome, Side, Step};
use half::f16;
use search::Wdl;

use crate::resignation::Resignation;

/// How far the rounded chances of a distribution may sum from 1.
pub(crate) const SUM_TOLERANCE: f32 = 1e-2;

/// One game: where it started, every step with its search, and how it ended.
///
/// A record holds steps and no planes, so new planes, heads or targets need no new games, and
/// [`GameRecord::check`] verifies it with the rules alone.
#[derive(Debug, Clone)]
pub struct GameRecord {
    /// The game; its fingerprint is written beside the records.
    pub game: &'static Game,
    /// The seed that all chance in this game came from; different in every game of a run.
    pub seed: u64,
    /// The position string of the start.
    pub start: String,
    /// The networks that played, in the order of their first steps. Never empty; the first begins
    /// with step 0. Further ones are there if the network was replaced during the game.
    pub nets: Vec<NetSpan>,
    /// The steps in the order of play.
    pub steps: Vec<StepRecord>,
    /// How the rules ended the game; `None` if a side resigned it, or it was cut off and nothing is
    /// known about its value.
    pub end: Option<End>,
    /// The first resignation in the game, heard or not.
    pub resignation: Option<Resignation>,
}

/// A network and the step of a game from which on it was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetSpan {
    /// Index into [`GameRecord::steps`].
    pub first_step: u32,
    /// The network's id.
    pub net: String,
}

/// One step of a game. Values are seen from the side that played it.
#[derive(Debug, Clone, PartialEq)]
pub struct StepRecord {
    /// The step played.
    pub played: Step,
    /// The number of legal steps. Indices below count these in canonical order, that is sorted.
    pub legal: u16,
    /// How the step was chosen.
    pub choice: Choice,
    /// The result of the position, if the search has proved it.
    pub proven: Option<Verdict>,
    /// What network and search said; `None` exactly for [`Choice::Forced`].
    pub values: Option<RootValues>,
    /// The improved policy; there for [`Choice::Full`] only.
    pub target: Option<Policy>,
    /// The steps that the search visited or proved, by ascending index.
    pub visited: Box<[Visited]>,
}

/// How a step was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Choice {
    /// By a full search, whose policy is worth learning.
    Full,
    /// By a cheap search that only moved the game on.
    Cheap,
    /// Sampled from the network's policy, for variety in the opening. The result of the game says
    /// little about the positions before such a step.
    Opening,
    /// It was the only legal step, or the outcome was foregone whatever was played: the first
    /// legal step then. Nothing was searched.
    Forced,
}

impl Choice {
    /// All of them, in the order of their numbers on disk.
    pub const ALL: [Self; 4] = [Self::Full, Self::Cheap, Self::Opening, Self::Forced];
}

/// A proven result, seen from the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The side to move wins.
    Win,
    /// Neither side can win.
    Draw,
    /// The side to move loses.
    Loss,
}

impl Verdict {
    /// All of them, in the order of their numbers on disk.
    pub const ALL: [Self; 3] = [Self::Win, Self::Draw, Self::Loss];

    /// What `outcome` is to `side`.
    #[must_use]
    pub fn of(outcome: Outcome, side: Side) -> Self {
        match outcome.score(side) {
            1 => Self::Win,
            0 => Self::Draw,
            _ => Self::Loss,
        }
    }

    /// As chances, all on one result.
    #[must_use]
    pub fn wdl(self) -> Wdl {
        match self {
            Self::Win => Wdl { win: 1.0, draw: 0.0, loss: 0.0 },
            Self::Draw => Wdl { win: 0.0, draw: 1.0, loss: 0.0 },
            Self::Loss => Wdl { win: 0.0, draw: 0.0, loss: 1.0 },
        }
    }
}

/// The values of a searched position, seen from the side to move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RootValues {
    /// The network's own opinion of the position; none if the root was decided without it.
    pub raw: Option<Wdl16>,
    /// The opinion after the search.
    pub searched: Wdl16,
}

/// [`Wdl`] in half precision, as it is kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wdl16 {
    /// The chance that this side wins.
    pub win: f16,
    /// The chance of a draw.
    pub draw: f16,
    /// The chance that this side loses.
    pub loss: f16,
}

impl From<Wdl> for Wdl16 {
    /// Scales the chances to a sum of 1: those of a network in half precision miss it a little.
    fn from(wdl: Wdl) -> Self {
        let sum = wdl.win + wdl.draw + wdl.loss;
        let rounded = |chance: f32| f16::from_f32(chance / sum);
        Self { win: rounded(wdl.win), draw: rounded(wdl.draw), loss: rounded(wdl.loss) }
    }
}

impl From<Wdl16> for Wdl {
    fn from(wdl: Wdl16) -> Self {
        Self { win: wdl.win.to_f32(), draw: wdl.draw.to_f32(), loss: wdl.loss.to_f32() }
    }
}

/// What the search learnt about one step of the root.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Visited {
    /// Which legal step, in canonical order.
    pub index: u16,
    /// The result, if proven: seen from the side that plays the step.
    pub proven: Option<Verdict>,
    /// Simulations that went through it.
    pub visits: u32,
    /// Its expected score, -1 to 1, seen from the side that plays the step.
    pub q: f16,
    /// The network's probability of it.
    pub prior: f16,
}

/// A distribution over the legal steps of a position.
#[derive(Debug, Clone, PartialEq)]
pub enum Policy {
    /// One probability a legal step, in canonical order.
    Dense(Box<[f16]>),
    /// For positions with more than [`Policy::MOST_DENSE`] legal steps.
    Sparse {
        /// (index in canonical order, probability) by ascending index, at least one.
        listed: Box<[(u16, f16)]>,
        /// The probability of all other steps together.
        rest: f16,
    },
}

impl Policy {
    /// Up to so many legal steps are kept one by one.
    pub const MOST_DENSE: usize = 512;
    /// So many unvisited steps are kept one by one above [`Policy::MOST_DENSE`].
    pub const BEST_UNVISITED: usize = 64;

    /// Keeps `probabilities`, one a legal step in canonical order: all of them if they are not too
    /// many, otherwise those of the steps that are `visited` and of the best others.
    ///
    /// # Panics
    /// If there are more than 65,536 steps; no game has a third of that.
    #[must_use]
    pub fn new(probabilities: &[f32], visited: impl Fn(usize) -> bool) -> Self {
        if probabilities.len() <= Self::MOST_DENSE {
            return Self::Dense(probabilities.iter().map(|&p| f16::from_f32(p)).collect());
        }
        let (mut kept, mut others): (Vec<usize>, Vec<usize>) =
            (0..probabilities.len()).partition(|&index| visited(index));
        let best_first = |&a: &usize, &b: &usize| probabilities[b].total_cmp(&probabilities[a]);
        others.sort_by(best_first);
        kept.extend(others.drain(..others.len().min(Self::BEST_UNVISITED)));
        kept.sort_unstable();
        let listed = kept
            .iter()
            .map(|&index| {
                let narrow = u16::try_from(index).expect("a position has at most 65,536 steps");
                (narrow, f16::from_f32(probabilities[index]))
            })
            .collect();
        let rest: f32 = others.iter().map(|&index| probabilities[index]).sum();
        Self::Sparse { listed, rest: f16::from_f32(rest) }
    }

    /// Replaces `into` by one probability for each of `legal` steps in canonical order, summing to
    /// 1. The rest of a sparse policy is spread evenly over the steps that are not listed.
    pub fn write(&self, legal: usize, into: &mut Vec<f32>) {
        into.clear();
        match self {
            Self::Dense(dense) => into.extend(dense.iter().map(|p| p.to_f32())),
            Self::Sparse { listed, rest } => {
                let others = legal.saturating_sub(listed.len()).max(1);
                into.resize(legal, rest.to_f32() / others as f32);
                for &(index, p) in listed {
                    into[usize::from(index)] = p.to_f32();
                }
            }
        }
        let sum: f64 = into.iter().copied().map(f64::from).sum();
        let scale = (1.0 / sum) as f32;
        into.iter_mut().for_each(|p| *p *= scale);
    }

    /// The sum before rounding is repaired: close to 1 in every valid policy.
    pub(crate) fn sum(&self) -> f32 {
        match self {
            Self::Dense(dense) => dense.iter().map(|p| p.to_f32()).sum(),
            Self::Sparse { listed, rest } => {
                listed.iter().map(|(_, p)| p.to_f32()).sum::<f32>() + rest.to_f32()
            }
        }
    }
}

impl GameRecord {
    /// Who won, by the rules or because the other side resigned; `None` if the game was cut off.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        match self.end {
            Some(end) => Some(end.outcome),
            None => self.resigned().map(|side| Outcome::Win(side.other())),
        }
    }

    /// The result seen from `side`; `None` if the game was cut off.
    #[must_use]
    pub fn result(&self, side: Side) -> Option<Verdict> {
        self.outcome().map(|outcome| Verdict::of(outcome, side))
    }

    /// The side whose resignation ended the game.
    #[must_use]
    pub fn resigned(&self) -> Option<Side> {
        let last = self.resignation.filter(|found| found.step as usize == self.steps.len());
        last.map(|found| found.side)
    }

    /// Why the game is over, in words.
    #[must_use]
    pub fn reason(&self) -> String {
        match self.end {
            Some(end) => end.reason.to_string(),
            None if self.resigned().is_some() => "resignation".to_owned(),
            None => "cut off".to_owned(),
        }
    }

    /// The index of the first step after the last one sampled for variety: from there on the
    /// result of the game is that of the players' own play.
    #[must_use]
    pub fn opening_len(&self) -> usize {
        let last = self.steps.iter().rposition(|step| step.choice == Choice::Opening);
        last.map_or(0, |index| index + 1)
    }

    /// The id of the network that was asked at step `index`.
    #[must_use]
    pub fn net_at(&self, index: usize) -> &str {
        let spans = self.nets.iter().rev();
        let mut begun = spans.skip_while(|span| span.first_step as usize > index);
        begun.next().map_or("", |span| &span.net)
    }
}

/// What is wrong with one step of a record, or with the record as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// No step was legal.
    #[error("it has no legal steps")]
    NoLegalSteps,
    /// The form of the policy does not suit the number of legal steps.
    #[error("the policy is not made for the number of legal steps")]
    PolicyShape,
    /// An index is too large or out of order.
    #[error("an index of a legal step is out of range or out of order")]
    Index,
    /// A probability of the policy is negative or no number.
    #[error("the policy has an entry that is no probability")]
    PolicyEntry,
    /// The policy is no distribution.
    #[error("the policy does not sum to 1")]
    PolicySum,
    /// A value is not made of three chances.
    #[error("a value is not three chances that sum to 1")]
    Value,
    /// A Q is not a score, or a prior no probability.
    #[error("a visited step has a Q outside -1 to 1 or a prior outside 0 to 1")]
    Visited,
    /// A searched step without values, a full search without policy, or the other way round.
    #[error("the step lacks what its way of choosing must leave, or has too much")]
    Choice,
    /// The networks do not begin with step 0, or are out of order.
    #[error("the networks do not cover the game")]
    Nets,
}

impl StepRecord {
    /// Everything that can be checked without the rules.
    pub(crate) fn fault(&self) -> Option<Fault> {
        let legal = usize::from(self.legal);
        let searched = self.choice != Choice::Forced;
        let bare = self.visited.is_empty() && self.proven.is_none();
        if legal == 0 {
            return Some(Fault::NoLegalSteps);
        }
        if searched != self.values.is_some()
            || (self.choice == Choice::Full) != self.target.is_some()
            || !(searched || bare)
        {
            return Some(Fault::Choice);
        }
        if let Some(values) = &self.values
            && !(values.searched.is_valid() && values.raw.is_none_or(Wdl16::is_valid))
        {
            return Some(Fault::Value);
        }
        if !ascending(self.visited.iter().map(|visited| visited.index), legal) {
            return Some(Fault::Index);
        }
        if !self.visited.iter().all(Visited::is_valid) {
            return Some(Fault::Visited);
        }
        self.target.as_ref().and_then(|target| target.fault(legal))
    }
}

impl Policy {
    fn fault(&self, legal: usize) -> Option<Fault> {
        let probability = |p: &f16| (0.0..=1.0 + SUM_TOLERANCE).contains(&p.to_f32());
        let entries_hold = match self {
            Self::Dense(dense) => {
                if dense.len() != legal || legal > Self::MOST_DENSE {
                    return Some(Fault::PolicyShape);
                }
                dense.iter().all(probability)
            }
            Self::Sparse { listed, rest } => {
                if listed.is_empty() || legal <= Self::MOST_DENSE {
                    return Some(Fault::PolicyShape);
                }
                if !ascending(listed.iter().map(|&(index, _)| index), legal) {
                    return Some(Fault::Index);
                }
                listed.iter().all(|(_, p)| probability(p)) && probability(rest)
            }
        };
        if !entries_hold {
            return Some(Fault::PolicyEntry);
        }
        // Written so that a sum that is no number is a fault too.
        let sums = (self.sum() - 1.0).abs() <= SUM_TOLERANCE;
        if sums { None } else { Some(Fault::PolicySum) }
    }
}

impl Visited {
    fn is_valid(&self) -> bool {
        let (q, prior) = (self.q.to_f32(), self.prior.to_f32());
        (-1.0..=1.0).contains(&q) && (0.0..=1.0).contains(&prior)
    }
}

impl Wdl16 {
    fn is_valid(self) -> bool {
        let chances = [self.win.to_f32(), self.draw.to_f32(), self.loss.to_f32()];
        let sum: f32 = chances.iter().sum();
        chances.iter().all(|chance| (0.0..=1.0).contains(chance))
            && (sum - 1.0).abs() <= SUM_TOLERANCE
    }
}

/// Whether `indices` ascend strictly and stay below `limit`.
fn ascending(indices: impl Iterator<Item = u16>, limit: usize) -> bool {
    let mut least = 0;
    for index in indices.map(usize::from) {
        if index < least || index >= limit {
            return false;
        }
        least = index + 1;
    }
    true
}
