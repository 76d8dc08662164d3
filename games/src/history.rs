//! [`History`]: a position and the past that draws depend on.

use crate::{Features, Game, Key, Outcome, Position, Side, State, Step, zobrist};

/// Why a game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// The game's own winning condition (checkmate, a captured king) or stalemate.
    Rules,
    /// The position has occurred as often as the game allows.
    Repetition,
    /// It has, and one side alone has given check with all its moves in between: it loses.
    PerpetualCheck,
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
            Self::PerpetualCheck => "perpetual check",
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

/// What it means in a game that a position recurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repetition {
    /// A position that occurs this often ends the game, in a draw unless
    /// [`Repetition::perpetual_check_loses`].
    pub limit: usize,
    /// Whether a side loses if all its moves from the first of these occurrences to the last one
    /// have given check. If both sides' moves have, the game is drawn all the same.
    pub perpetual_check_loses: bool,
    /// Whether a position can recur after moves that set the clock of the hundred-ply rule back:
    /// where captured pieces return to the board, nothing is irreversible.
    pub outlasts_clock: bool,
}

impl Repetition {
    /// The rule of chess: a draw, and nothing recurs once the clock has been set back.
    #[must_use]
    pub const fn drawn_at(limit: usize) -> Self {
        Self { limit, perpetual_check_loses: false, outlasts_clock: false }
    }

    /// The same where captured pieces come back to the board, so that a position can recur after
    /// any move.
    #[must_use]
    pub const fn drawn_across_captures(limit: usize) -> Self {
        Self { outlasts_clock: true, ..Self::drawn_at(limit) }
    }
}

/// The clock of the hundred-ply rule, as coarse as the network sees it: plies 0 to 49, 50 to 74,
/// 75 to 87, 88 and more.
const CLOCK_BUCKETS: [u32; 4] = [0, 50, 75, 88];

/// How often the position has occurred.
const OCCURRENCE_PLANES: [&str; 2] = ["occurred once before", "occurred twice before"];

/// Whose moves since then have all given check, in games that ask.
const CHECK_PLANES: [&str; 2] = ["I have checked ever since", "they have checked ever since"];

/// The clock of the hundred-ply rule.
const CLOCK_PLANES: [&str; 3] = ["clock 50-74", "clock 75-87", "clock 88+"];

/// What the network is shown of a game besides the position.
struct Shown {
    /// How often the position has occurred before: 0, 1, or 2 and more.
    occurrences: usize,
    /// Whether all moves of the mover and of its opponent have given check since it first occurred.
    checked: [bool; 2],
    /// The bucket of the clock.
    clock: usize,
}

impl Shown {
    /// A number for each value.
    fn index(&self) -> u64 {
        let bits = self.occurrences << 4 | self.clock << 2;
        bits as u64 | u64::from(self.checked[0]) << 1 | u64::from(self.checked[1])
    }
}

/// The ply at which the hundred-ply rule draws.
const HUNDRED_PLIES: u32 = 100;

/// A game in progress: the position, the keys that can recur, and its length.
///
/// Repetition, the hundred-ply rule and maximum length live here, once for all families; they are
/// looked at between whole moves only. The position a game starts from counts as an occurrence.
#[derive(Debug)]
pub struct History {
    game: &'static Game,
    position: Position,
    /// Keys of the positions between moves that can still recur, the current one last.
    keys: Vec<Key>,
    /// For each of these positions, how many moves in a row have given check that the side which
    /// moved last had made up to there. Empty if the game does not ask.
    checks: Vec<u16>,
    plies: u32,
}

impl Clone for History {
    fn clone(&self) -> Self {
        Self {
            position: self.position.clone(),
            keys: self.keys.clone(),
            checks: self.checks.clone(),
            ..*self
        }
    }

    /// Keeps the allocation, so that a search can come back to its root without one.
    fn clone_from(&mut self, source: &Self) {
        self.game = source.game;
        self.position.clone_from(&source.position);
        self.keys.clone_from(&source.keys);
        self.checks.clone_from(&source.checks);
        self.plies = source.plies;
    }
}

impl History {
    /// A game that starts from `position`.
    #[must_use]
    pub fn new(position: Position) -> Self {
        let game = position.game();
        // The move that led to the start is not known.
        let checks = if game.repetition.perpetual_check_loses { vec![0] } else { Vec::new() };
        Self { game, keys: vec![position.key()], checks, position, plies: 0 }
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
            None => self.ended_by(),
        }
    }

    /// The end by the rules of this module, for a position that is not over by its own.
    fn ended_by(&self) -> Option<End> {
        if self.position.mid_move() {
            return None;
        }
        let recurred = self.repetitions() + 1 >= self.game.repetition.limit;
        // A side that has lost comes before the counters (rulebook, README).
        if recurred && let Some(checker) = self.perpetual_checker() {
            let outcome = Outcome::Win(checker.other());
            return Some(End { outcome, reason: EndReason::PerpetualCheck });
        }
        let reason = if self.position.clock() >= HUNDRED_PLIES {
            EndReason::HundredPlies
        } else if recurred {
            EndReason::Repetition
        } else if self.plies >= self.game.maximum_plies {
            let outcome = self.position.adjudicated();
            return Some(End { outcome, reason: EndReason::MaximumLength });
        } else {
            return None;
        };
        Some(End { outcome: Outcome::Draw, reason })
    }

    /// Whether a rule of this module may end the game with the next step.
    fn may_end_soon(&self) -> bool {
        self.position.clock() + 1 >= HUNDRED_PLIES
            || self.plies + 1 >= self.game.maximum_plies
            || self.may_recur()
    }

    /// Whether the next position may occur as often as the game allows: one with the same side to
    /// move has all but once.
    fn may_recur(&self) -> bool {
        let enough = self.game.repetition.limit.saturating_sub(1);
        let past = || self.keys.iter().rev().skip(1).step_by(2);
        past().enumerate().any(|(index, key)| {
            let earlier = past().skip(index + 1).filter(|&other| other == key);
            earlier.count() + 1 >= enough
        })
    }

    /// Which of the side to move and its opponent has given check with every move since the
    /// position now first occurred; neither if it has not occurred before.
    fn checked_since(&self) -> [bool; 2] {
        let now = self.keys.len() - 1;
        let first = self.keys.iter().position(|&key| key == self.keys[now]).unwrap_or(now);
        if first == now || self.checks.is_empty() {
            return [false; 2];
        }
        // The same side moves in both positions, so each side has made half of the moves.
        [now - 1, now].map(|last| usize::from(self.checks[last]) >= (now - first) / 2)
    }

    /// The side that alone has given check with every move since the position now first occurred.
    fn perpetual_checker(&self) -> Option<Side> {
        match self.checked_since() {
            [true, false] => Some(self.side_to_move()),
            [false, true] => Some(self.side_to_move().other()),
            _ => None,
        }
    }

    /// Replaces `into` by everything the network is shown of this state, turned so that the mover
    /// plays up the board.
    pub fn features(&self, into: &mut Features) {
        into.clear();
        self.position.features(into);
        if self.side_to_move() == Side::Black {
            into.map_cells(&self.game.colour_turn);
        }
        let planes = self.game.planes.len();
        let first = planes - Self::planes(self.game.repetition).count();
        let Shown { occurrences, checked, clock } = self.shown();
        if occurrences > 0 {
            into.fill(first + occurrences - 1, 1.0);
        }
        for (whose, checked) in checked.into_iter().enumerate() {
            if checked {
                into.fill(first + OCCURRENCE_PLANES.len() + whose, 1.0);
            }
        }
        if clock > 0 {
            into.fill(planes - CLOCK_PLANES.len() + clock - 1, 1.0);
        }
    }

    /// What the network is shown of the past.
    fn shown(&self) -> Shown {
        Shown {
            occurrences: self.repetitions().min(OCCURRENCE_PLANES.len()),
            checked: self.checked_since(),
            clock: self.clock_bucket(),
        }
    }

    /// The clock of the hundred-ply rule as the network sees it: 0 to 3.
    #[must_use]
    pub fn clock_bucket(&self) -> usize {
        CLOCK_BUCKETS.iter().rposition(|&from| self.position.clock() >= from).unwrap_or(0)
    }

    /// The names of the planes that the history adds behind the family's.
    pub(crate) fn planes(repetition: Repetition) -> impl Iterator<Item = &'static str> {
        let checks = if repetition.perpetual_check_loses { &CHECK_PLANES[..] } else { &[] };
        OCCURRENCE_PLANES.iter().chain(checks).chain(&CLOCK_PLANES).copied()
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
            && let Some(end) = self.ended_by()
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
        let repetition = self.game.repetition;
        if self.position.clock() == 0 && !repetition.outlasts_clock {
            self.keys.clear();
            self.checks.clear();
        }
        self.keys.push(self.position.key());
        if repetition.perpetual_check_loses {
            let before = self.checks.len().checked_sub(2).map_or(0, |own| self.checks[own]);
            self.checks.push(if self.position.is_check() { before + 1 } else { 0 });
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.end().map(|end| end.outcome)
    }

    fn foregone(&self) -> Option<Outcome> {
        self.position.foregone().or_else(|| self.ended_by().map(|end| end.outcome))
    }

    fn open_after(&self, steps: &[Step], into: &mut Vec<bool>) {
        if self.may_end_soon() {
            into.resize(into.len() + steps.len(), false);
        } else {
            self.position.open_after(steps, into);
        }
    }

    fn key(&self) -> Key {
        self.position.key()
    }

    fn evaluation_key(&self) -> Key {
        // Positions take their numbers from the other end of the sequence.
        self.position.key() ^ zobrist::number(u64::MAX - 1 - self.shown().index())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three rounds of a rook that checks a king to and fro.
    fn perpetual() -> History {
        let game = Game::by_id("shogi").unwrap();
        let start = game.parse_fen("4k4/9/9/9/9/9/9/9/3R4K w - - - 0 1").unwrap();
        let mut history = History::new(start);
        for text in ["d1e1", "e9d9", "e1d1", "d9e9"].repeat(3) {
            let chosen = history.position().parse_move(text).unwrap();
            chosen.steps().iter().for_each(|&step| history.play(step));
        }
        history
    }

    /// No position is known in which both sides can check for ever: the runs of checks are made up.
    #[test]
    fn perpetual_check_by_both_sides_is_a_draw() {
        let mut history = perpetual();
        assert_eq!(history.checks, [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0]);
        let end = |outcome, reason| Some(End { outcome, reason });
        let black_wins = end(Outcome::Win(Side::Black), EndReason::PerpetualCheck);
        assert_eq!(history.end(), black_wins);
        history.checks = vec![0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6];
        assert_eq!(history.end(), end(Outcome::Draw, EndReason::Repetition));
        // Runs that began before the first occurrence count from there.
        history.checks = vec![9, 8, 10, 9, 11, 10, 12, 11, 13, 12, 14, 13, 15];
        assert_eq!(history.end(), end(Outcome::Draw, EndReason::Repetition));
        history.checks = vec![0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 0];
        assert_eq!(history.end(), black_wins);
        history.checks = vec![0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6];
        assert_eq!(history.end(), end(Outcome::Win(Side::White), EndReason::PerpetualCheck));
    }

    /// It counts as a loss before the hundred plies count as a draw.
    #[test]
    fn perpetual_check_comes_before_the_clock() {
        let game = Game::by_id("shogi").unwrap();
        let late = game.parse_fen("4k4/9/9/9/9/9/9/9/3R4K w - - - 88 1").unwrap();
        let mut history = perpetual();
        history.position = late;
        for text in ["d1e1", "e9d9", "e1d1", "d9e9"].repeat(3) {
            let step = history.position.parse_move(text).unwrap().steps()[0];
            history.position.play(step);
        }
        assert_eq!(history.position.clock(), HUNDRED_PLIES);
        assert_eq!(history.end().unwrap().reason, EndReason::PerpetualCheck);
    }
}
