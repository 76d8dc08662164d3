//! [`Position`]: the enum of families, and what every family provides.

use crate::families::{bermuda, chess, draughts, polyforms, stacks};
use crate::turn::Turn;
use crate::{Cell, Features, Game, Key, Outcome, Picture, Side, State, Step};

/// What a family of games provides for its positions. [`Position`] passes each call on.
///
/// All of it is without past: repetition, the hundred-ply rule and maximum length are
/// [`crate::History`]'s.
pub(crate) trait Board: Clone {
    /// The id of the game.
    fn id(&self) -> &'static str;
    /// The side to move and the counters.
    fn turn(&self) -> Turn;
    /// As [`State::steps`].
    fn steps(&self, into: &mut Vec<Step>) -> Option<Outcome>;
    /// As [`State::play`].
    fn play(&mut self, step: Step);
    /// As [`State::outcome`], without collecting the steps.
    fn outcome(&self) -> Option<Outcome>;
    /// As [`State::foregone`].
    fn foregone(&self) -> Option<Outcome> {
        self.outcome()
    }
    /// As [`State::open_after`].
    fn open_after(&self, steps: &[Step], into: &mut Vec<bool>) {
        into.resize(into.len() + steps.len(), false);
    }
    /// As [`State::key`], kept up incrementally.
    fn key(&self) -> Key;
    /// Whether a move is under way, so that the same side plays the next step.
    fn mid_move(&self) -> bool {
        false
    }
    /// What a game comes to that reaches its maximum length here.
    fn adjudicated(&self) -> Outcome {
        Outcome::Draw
    }
    /// The number of legal whole moves, if it can be had without playing any.
    fn count_moves(&self) -> Option<usize>;
    /// Whether the side to move stands in check; asked only of games in which perpetual check
    /// loses.
    fn is_check(&self) -> bool {
        false
    }
    /// Whether a side may still castle, now or later.
    fn castling_rights(&self) -> bool {
        false
    }
    /// Appends what `step` adds to the text of the whole move.
    fn write_step(&self, step: Step, into: &mut String);
    /// Appends the seven-field position string. Between the steps of a move there is none that
    /// could be read back; the placement is then that of the moment.
    fn write_fen(&self, into: &mut String);
    /// Appends the features of the family's own planes, in board cells, from the mover's side.
    fn features(&self, into: &mut Features);
    /// As [`Position::count_pieces`].
    fn count_pieces(&self, side: Side, visit: impl FnMut(PieceCount));
    /// As [`Position::material`].
    fn material(&self, side: Side) -> i32 {
        let mut sum = 0;
        self.count_pieces(side, |kind| sum += kind.value * kind.count as i32);
        sum
    }
    /// Whose piece stands on `cell`.
    fn side_at(&self, cell: Cell) -> Option<Side>;
    /// Appends the piece on `cell` as the position string writes it; nothing if there is none.
    fn write_unit(&self, cell: Cell, into: &mut String);
    /// Writes game and position string, for people who look for faults.
    fn describe(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut fen = String::new();
        self.write_fen(&mut fen);
        write!(f, "{} {fen}", self.id())
    }
}

/// The pieces of one kind that a side has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PieceCount {
    /// The name of the kind.
    pub name: &'static str,
    /// What one of them is worth in hundredths of a pawn, as those players count that look at
    /// nothing else; 0 if it cannot be lost before the game is.
    pub value: i32,
    /// How many there are.
    pub count: usize,
}

/// A position of any game, without its past. Lists the families, as does `Rules` in `game.rs`.
#[derive(Debug, Clone)]
pub enum Position {
    /// A chess-like game on at most 64 cells.
    Chess1(chess::ChessPosition<1>),
    /// A chess-like game on at most 128 cells.
    Chess2(chess::ChessPosition<2>),
    /// A jump-capture game.
    Draughts(draughts::DraughtsPosition),
    /// A game on two boards.
    Bermuda(bermuda::BermudaPosition),
    /// A game of stacks.
    Stacks(stacks::StacksPosition),
    /// Polyforms on at most 128 cells, one checker a cell.
    Polyominoes(polyforms::PolyformPosition<2, 1>),
    /// Polyforms on at most 128 cells, up to two checkers a cell.
    Polystacks(polyforms::PolyformPosition<2, 2>),
    /// Polyforms on at most 768 cells, one checker a cell.
    Polycubes(polyforms::PolyformPosition<12, 1>),
}

/// Evaluates `$call` with `$board` bound to the family's own position.
macro_rules! each {
    ($position:expr, $board:ident => $call:expr) => {
        match $position {
            Position::Chess1($board) => $call,
            Position::Chess2($board) => $call,
            Position::Draughts($board) => $call,
            Position::Bermuda($board) => $call,
            Position::Stacks($board) => $call,
            Position::Polyominoes($board) => $call,
            Position::Polystacks($board) => $call,
            Position::Polycubes($board) => $call,
        }
    };
}

impl Position {
    /// The game this is a position of.
    #[must_use]
    pub fn game(&self) -> &'static Game {
        Game::by_id(each!(self, board => board.id())).expect("positions come from the catalogue")
    }

    /// Whether a move is under way, so that the same side plays the next step.
    #[inline]
    #[must_use]
    pub fn mid_move(&self) -> bool {
        each!(self, board => board.mid_move())
    }

    /// Plies since the last irreversible move, as the FEN counts them.
    #[inline]
    #[must_use]
    pub fn clock(&self) -> u32 {
        each!(self, board => board.turn().clock.into())
    }

    /// Whether the side to move stands in check; asked only of games in which perpetual check
    /// loses.
    pub(crate) fn is_check(&self) -> bool {
        each!(self, board => board.is_check())
    }

    /// What a game comes to that reaches its maximum length here.
    pub(crate) fn adjudicated(&self) -> Outcome {
        each!(self, board => board.adjudicated())
    }

    /// Whether a side may still castle, now or later.
    #[must_use]
    pub fn castling_rights(&self) -> bool {
        each!(self, board => board.castling_rights())
    }

    /// The number of legal whole moves, if it can be had without playing any.
    #[inline]
    #[must_use]
    pub fn count_moves(&self) -> Option<usize> {
        each!(self, board => board.count_moves())
    }

    /// The position string: seven fields, as in the rulebook. Undefined between the steps of a
    /// move, where the rulebook has no notation.
    #[must_use]
    pub fn fen(&self) -> String {
        let mut fen = String::new();
        each!(self, board => board.write_fen(&mut fen));
        fen
    }

    /// Appends what `step` adds to the text of the whole move it belongs to.
    pub fn write_step(&self, step: Step, into: &mut String) {
        each!(self, board => board.write_step(step, into));
    }

    /// Appends the features of the family's planes, in board cells, seen by the side to move.
    pub(crate) fn features(&self, into: &mut Features) {
        each!(self, board => board.features(into));
    }

    /// Shows `visit` how many pieces of each kind `side` has, on the board and in hand: all kinds of
    /// the game in an order that is always the same, those that it has none of too. In games of
    /// stacks a checker of each size is a piece, in games of polyforms every checker is.
    pub fn count_pieces(&self, side: Side, visit: impl FnMut(PieceCount)) {
        each!(self, board => board.count_pieces(side, visit));
    }

    /// The pieces of `side` in hundredths of a pawn, as its game values them.
    #[must_use]
    pub fn material(&self, side: Side) -> i32 {
        each!(self, board => board.material(side))
    }

    /// Whose piece stands on `cell`.
    #[must_use]
    pub fn side_at(&self, cell: Cell) -> Option<Side> {
        each!(self, board => board.side_at(cell))
    }

    /// What stands on `cell`, as the position string writes it.
    #[must_use]
    pub fn unit(&self, cell: Cell) -> Option<String> {
        let mut unit = String::new();
        each!(self, board => board.write_unit(cell, &mut unit));
        (!unit.is_empty()).then_some(unit)
    }

    /// The board, for people: pieces as in the position string, `.` for an empty cell, and
    /// below it what the players hold in hand.
    #[must_use]
    pub fn picture(&self) -> Picture {
        let unit = |cell| self.unit(cell).unwrap_or_else(|| ".".to_owned());
        let mut picture = self.game().geometry.picture(unit);
        let fen = self.fen();
        let hands = fen.split(' ').nth(4).unwrap_or("-");
        if hands != "-" {
            picture.push_line("");
            for side in Side::ALL {
                let held = hands_of(hands, side);
                let held = if held.is_empty() { "nothing" } else { &held };
                picture.push_line(&format!("     {side} holds {held}"));
            }
        }
        picture
    }

    /// [`Position::picture`] as plain text.
    #[must_use]
    pub fn draw(&self) -> String {
        self.picture().to_string()
    }
}

/// The units of one side in the hands of a position string (`2Pgr`: two `P` of White, `g` and `r`
/// of Black), apart.
fn hands_of(hands: &str, side: Side) -> String {
    let units = hands.split_inclusive(|c: char| !c.is_ascii_digit());
    let of_side = |unit: &&str| match side {
        Side::White => unit.ends_with(|c: char| c.is_ascii_uppercase()),
        Side::Black => unit.ends_with(|c: char| c.is_ascii_lowercase()),
    };
    units.filter(of_side).collect::<Vec<_>>().join(" ")
}

impl State for Position {
    #[inline]
    fn side_to_move(&self) -> Side {
        each!(self, board => board.turn().side)
    }

    fn steps(&self, into: &mut Vec<Step>) -> Option<Outcome> {
        each!(self, board => board.steps(into))
    }

    fn play(&mut self, step: Step) {
        each!(self, board => board.play(step));
    }

    fn outcome(&self) -> Option<Outcome> {
        each!(self, board => board.outcome())
    }

    fn foregone(&self) -> Option<Outcome> {
        each!(self, board => board.foregone())
    }

    fn open_after(&self, steps: &[Step], into: &mut Vec<bool>) {
        each!(self, board => board.open_after(steps, into));
    }

    #[inline]
    fn key(&self) -> Key {
        each!(self, board => board.key())
    }
}
