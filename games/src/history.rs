//! [`History`]: a position and the past that draws depend on.

use crate::{Features, Game, Key, Outcome, Position, Side, State, Step};

/// Why a game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// The game's own winning condition (checkmate, a captured king) or stalemate.
    Rules,
    /// The position has occurred as often as the game allows.
    Repetition,
    /// A hundred plies without an irreversible move.
    HundredPlies,
    /// The game's maximum length; the game is adjudicated.
    MaximumLength,
}

impl std::fmt::Display for EndReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Rules => "rules",
            Self::Repetition => "repetition",
            Self::HundredPlies => "hundred plies",
            Self::MaximumLength => "maximum length",
        })
    }
}

/// How and why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct End {
    /// Who won.
    pub outcome: Outcome,
    /// Which rule ended the game.
    pub reason: EndReason,
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.outcome, self.reason)
    }
}

/// The clock of the hundred-ply rule, as coarse as the network sees it: plies 0 to 49, 50 to 74,
/// 75 to 87, 88 and more.
const CLOCK_BUCKETS: [u32; 4] = [0, 50, 75, 88];

/// The ply at which the hundred-ply rule draws.
const HUNDRED_PLIES: u32 = 100;

/// A game in progress: the position, the keys since the last irreversible move, and its length.
///
/// Repetition, the hundred-ply rule and maximum length live here, once for all families; they are
/// looked at between whole moves only. The position a game starts from counts as an occurrence.
#[derive(Debug)]
pub struct History {
    game: &'static Game,
    position: Position,
    /// Keys of the positions between moves since the last irreversible one, the current one last.
    keys: Vec<Key>,
    plies: u32,
}

impl Clone for History {
    fn clone(&self) -> Self {
        Self { position: self.position.clone(), keys: self.keys.clone(), ..*self }
    }

    /// Keeps the allocation, so that a search can come back to its root without one.
    fn clone_from(&mut self, source: &Self) {
        self.game = source.game;
        self.position.clone_from(&source.position);
        self.keys.clone_from(&source.keys);
        self.plies = source.plies;
    }
}

impl History {
    /// A game that starts from `position`.
    #[must_use]
    pub fn new(position: Position) -> Self {
        Self { game: position.game(), keys: vec![position.key()], position, plies: 0 }
    }

    /// The game being played.
    #[must_use]
    pub fn game(&self) -> &'static Game {
        self.game
    }

    /// The position now.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Whole moves played since the start of this history.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// How often the position now has occurred before, as far as it can recur.
    #[must_use]
    pub fn repetitions(&self) -> usize {
        let (&now, past) = self.keys.split_last().expect("the current key is always there");
        past.iter().filter(|&&key| key == now).count()
    }

    /// How and why the game is over, if it is.
    #[must_use]
    pub fn end(&self) -> Option<End> {
        match self.position.outcome() {
            Some(outcome) => Some(End { outcome, reason: EndReason::Rules }),
            None => self.drawn_by(),
        }
    }

    /// The draw by the rules of this module, for a position that is not over by its own.
    fn drawn_by(&self) -> Option<End> {
        let reason = if self.position.mid_move() {
            return None;
        } else if self.position.clock() >= HUNDRED_PLIES {
            EndReason::HundredPlies
        } else if self.repetitions() + 1 >= self.game.repetition_limit {
            EndReason::Repetition
        } else if self.plies >= self.game.maximum_plies {
            EndReason::MaximumLength
        } else {
            return None;
        };
        Some(End { outcome: Outcome::Draw, reason })
    }

    /// Replaces `into` by everything the network is shown of this state, turned so that the mover
    /// plays up the board.
    pub fn features(&self, into: &mut Features) {
        into.clear();
        self.position.features(into);
        if self.side_to_move() == Side::Black {
            into.map_cells(&self.game.colour_turn);
        }
        let shared = self.game.planes.len() - History::planes().len();
        match self.repetitions() {
            0 => {}
            1 => into.fill(shared, 1.0),
            _ => into.fill(shared + 1, 1.0),
        }
        let bucket = self.clock_bucket();
        if bucket > 0 {
            into.fill(shared + 1 + bucket, 1.0);
        }
    }

    /// The clock of the hundred-ply rule as the network sees it: 0 to 3.
    #[must_use]
    pub fn clock_bucket(&self) -> usize {
        CLOCK_BUCKETS.iter().rposition(|&from| self.position.clock() >= from).unwrap_or(0)
    }

    /// The names of the planes that the history adds behind the family's.
    pub(crate) fn planes() -> [&'static str; 5] {
        ["occurred once before", "occurred twice before", "clock 50-74", "clock 75-87", "clock 88+"]
    }
}

impl State for History {
    fn side_to_move(&self) -> Side {
        self.position.side_to_move()
    }

    fn steps(&self, into: &mut Vec<Step>) -> Option<Outcome> {
        let start = into.len();
        let outcome = self.position.steps(into);
        // A side that has lost or has no move comes before the counters (rulebook, README).
        if outcome.is_none()
            && let Some(end) = self.drawn_by()
        {
            into.truncate(start);
            return Some(end.outcome);
        }
        outcome
    }

    fn play(&mut self, step: Step) {
        self.position.play(step);
        if self.position.mid_move() {
            return;
        }
        self.plies += 1;
        if self.position.clock() == 0 {
            self.keys.clear();
        }
        self.keys.push(self.position.key());
    }

    fn outcome(&self) -> Option<Outcome> {
        self.end().map(|end| end.outcome)
    }

    fn foregone(&self) -> Option<Outcome> {
        self.position.foregone().or_else(|| self.drawn_by().map(|end| end.outcome))
    }

    fn key(&self) -> Key {
        self.position.key()
    }
}
