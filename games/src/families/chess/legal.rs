//! Which moves there are.
//!
//! Legal moves are made directly: king moves by the cells the enemy attacks, everything else by
//! the cells that answer a check and by the lines of pins. Only an en-passant capture, which takes
//! two pieces off one line at once, is tried out.
//!
//! Steps come in bulk; drops have no cell to come from.

use std::ops::ControlFlow;

use super::declaration::Stalemate;
use super::position::ChessPosition;
use super::rules::{KING, Kind, PAWN};
use crate::families::bulk::Bulk;
use crate::{Cell, CellSet, Outcome, Side, Step};

impl<const W: usize> Bulk<W> for ChessPosition<W> {
    // Never with an empty set of targets.
    fn visit_steps<B>(
        &self,
        mut visit: impl FnMut(u8, Option<Cell>, CellSet<W>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (enemy, own) = (self.turn.side.other(), self.sides[self.turn.side.index()]);
        let bound = self.bound_king(self.turn.side);
        // Without the king, so that it cannot hide behind itself.
        let attacked = bound.map_or(CellSet::EMPTY, |king| {
            self.attacked_by(enemy, self.occupied() - CellSet::of(king))
        });
        self.kings(self.turn.side)
            .try_for_each(|king| self.king_steps(king, attacked, &mut visit))?;
        self.en_passant_captures(bound, &mut visit)?;
        let crowned = bound.map_or(CellSet::EMPTY, |_| self.crowned());
        self.crownings(crowned - own, &mut visit)?;
        let goal = match bound.filter(|&king| attacked.has(king)) {
            Some(king) => self.answers(king),
            None => {
                self.castlings(attacked, &mut visit)?;
                self.rules.cells
            }
        };
        let goal = goal - own;
        if goal.is_empty() {
            return ControlFlow::Continue(());
        }
        let pinned = match bound {
            Some(king) => self.pinned_steps(king, goal, &mut visit)?,
            None => CellSet::EMPTY,
        };
        let free = own - pinned;
        let pawn_goal = goal - crowned;
        (self.kinds[PAWN] & free)
            .try_for_each(|from| self.pawn_steps(from, pawn_goal, &mut visit))?;
        for (kind, &pieces) in self.rules.kinds.iter().zip(&self.kinds).skip(KING + 1) {
            let mut pieces = pieces & free;
            if kind.peculiar {
                self.peculiar_steps(kind, pieces, goal, &mut visit)?;
                pieces = CellSet::EMPTY;
            }
            pieces.try_for_each(|from| {
                let targets = self.reach(kind, from) & goal;
                some(targets, |targets| visit(Step::PLAIN, Some(from), targets))
            })?;
        }
        if self.rules.held.is_empty() {
            return ControlFlow::Continue(());
        }
        self.drops(goal - self.occupied(), &mut visit)
    }

    fn can_move(&self) -> bool {
        self.moves_freely() || self.visit_steps(|_, _, _| ControlFlow::Break(())).is_break()
    }

    /// Checkmate or stalemate.
    fn stuck(&self) -> Outcome {
        if self.rules.stalemate == Stalemate::Loses || self.in_check(self.turn.side) {
            Outcome::Win(self.turn.side.other())
        } else {
            Outcome::Draw
        }
    }
}

impl<const W: usize> ChessPosition<W> {
    /// Whether the side to move is not in check and has a plain step of a piece that stands on no
    /// line of its king, so that nothing can pin it. Nearly always so, and found much sooner than
    /// the first legal step, which needs all attacks of the enemy.
    fn moves_freely(&self) -> bool {
        let (side, own) = (self.turn.side, self.sides[self.turn.side.index()]);
        let mut free = own;
        if let Some(king) = self.bound_king(side) {
            if self.is_king_attacked(king, side) {
                return false;
            }
            for slide in &self.rules.slides {
                for line in slide.towards(king, side.other()) {
                    free = free - line.both();
                }
            }
        }
        let plain = self.rules.cells - own - self.rules.pawn.changes[side.index()];
        let pawns = self.kinds[PAWN] & free;
        let pieces = || self.rules.kinds.iter().zip(&self.kinds).skip(KING + 1);
        pawns.iter().any(|from| self.pawn_targets(from).meets(plain))
            || pieces().filter(|(kind, _)| !kind.peculiar).any(|(kind, &of_kind)| {
                (of_kind & free).iter().any(|from| !(self.reach(kind, from) - own).is_empty())
            })
    }

    /// The steps of `king` to cells not in `attacked`.
    fn king_steps<B>(
        &self,
        king: Cell,
        attacked: CellSet<W>,
        visit: &mut impl FnMut(u8, Option<Cell>, CellSet<W>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let side = self.turn.side.index();
        let mut targets = self.reach(&self.rules.kinds[KING], king);
        if self.leaping_kings(self.turn.side).has(king) {
            targets |= self.rules.king_leap.to[side][king.index()];
        }
        if self.rights & self.rules.double_right[side] != 0 {
            for &[over, to] in &self.rules.king_doubles[side][king.index()] {
                if !attacked.has(over) && !self.occupied().has(over) && !self.occupied().has(to) {
                    targets.insert(to);
                }
            }
        }
        let targets = targets - self.sides[side] - attacked;
        some(targets, |targets| visit(Step::PLAIN, Some(king), targets))
    }

    /// The castlings of a side that is not in check.
    fn castlings<B>(
        &self,
        attacked: CellSet<W>,
        visit: &mut impl FnMut(u8, Option<Cell>, CellSet<W>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for castling in &self.rules.castlings[self.turn.side.index()] {
            if self.rights & castling.right != 0
                && !castling.must_be_empty.meets(self.occupied())
                && !castling.must_be_safe.meets(attacked)
            {
                let [from, to] = castling.king;
                visit(castling.step_kind, Some(from), CellSet::of(to))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Captures en passant that do not leave `king`, if that is bound, attacked.
    fn en_passant_captures<B>(
        &self,
        king: Option<Cell>,
        visit: &mut impl FnMut(u8, Option<Cell>, CellSet<W>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Some(to) = self.en_passant else { return ControlFlow::Continue(()) };
        let enemy = self.turn.side.other();
        let taken = self.rules.pawn.passed[enemy.index()][to.index()];
        let taken = CellSet::of(taken.expect("a pawn has passed over the en-passant cell"));
        let captures = self.rules.pawn_captures();
        let pawns = self.kinds[PAWN] & self.sides[self.turn.side.index()];
        (captures.from[self.turn.side.index()][to.index()] & pawns).try_for_each(|from| {
            let occupied = (self.occupied() - taken - CellSet::of(from)) | CellSet::of(to);
            let pieces = self.sides[enemy.index()] - taken;
            if king.is_some_and(|king| self.is_attacked(king, enemy, pieces, occupied)) {
                return ControlFlow::Continue(());
            }
            visit(Step::PLAIN, Some(from), CellSet::of(to))
        })
    }

    /// The promotions to a second king on `crowned`, after which neither check nor pin matters.
    fn crownings<B>(
        &self,
        crowned: CellSet<W>,
        visit: &mut impl FnMut(u8, Option<Cell>, CellSet<W>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Some(crowning) = &self.rules.crowning else { return ControlFlow::Continue(()) };
        let pawns = self.kinds[PAWN] & self.sides[self.turn.side.index()];
        pawns.try_for_each(|from| {
            let targets = self.pawn_targets(from) & crowned;
            some(targets, |targets| visit(crowning.step_kind, Some(from), targets))
        })
    }

    /// The cells where pawns of a side with one king become kings.
    #[inline]
    fn crowned(&self) -> CellSet<W> {
        let crowning = self.rules.crowning.as_ref();
        crowning.map_or(CellSet::EMPTY, |crowning| crowning.cells[self.turn.side.index()])
    }

    /// The cells where a step of any piece but the king ends every attack on `king`, which is
    /// attacked: a slide can be blocked or its slider captured, a jump only captured.
    fn answers(&self, king: Cell) -> CellSet<W> {
        let enemy = self.turn.side.other();
        let pieces = self.sides[enemy.index()];
        let mut answers = self.rules.cells;
        self.leapers_at(king, enemy, pieces).for_each(|leaper| answers &= CellSet::of(leaper));
        for slide in &self.rules.slides {
            let sliders = self.of_kinds(&slide.kinds) & pieces;
            for line in slide.towards(king, enemy) {
                (line.reach(self.occupied()) & sliders)
                    .for_each(|slider| answers &= line.path(king, slider));
            }
        }
        answers
    }

    /// Visits the steps of all pieces that are pinned to `king`, and returns these.
    fn pinned_steps<B>(
        &self,
        king: Cell,
        goal: CellSet<W>,
        visit: &mut impl FnMut(u8, Option<Cell>, CellSet<W>) -> ControlFlow<B>,
    ) -> ControlFlow<B, CellSet<W>> {
        let own = self.sides[self.turn.side.index()];
        let enemy = self.turn.side.other();
        let mut pinned = CellSet::EMPTY;
        for slide in &self.rules.slides {
            let sliders = self.of_kinds(&slide.kinds) & self.sides[enemy.index()];
            for line in slide.towards(king, enemy) {
                (line.both() & sliders).try_for_each(|slider| {
                    let path = line.path(king, slider);
                    let between = (path & self.occupied()) - CellSet::of(slider);
                    let Some(piece) = between.first() else { return ControlFlow::Continue(()) };
                    if between != CellSet::of(piece) || !own.has(piece) {
                        return ControlFlow::Continue(());
                    }
                    pinned.insert(piece);
                    let kind = self.kind_at(piece).expect("a side's pieces have kinds");
                    let goal = goal & path;
                    if kind == PAWN {
                        return self.pawn_steps(piece, goal - self.crowned(), visit);
                    }
                    let kind = &self.rules.kinds[kind];
                    if kind.peculiar {
                        return self.peculiar_steps(kind, CellSet::of(piece), goal, visit);
                    }
                    let targets = self.reach(kind, piece) & goal;
                    some(targets, |targets| visit(Step::PLAIN, Some(piece), targets))
                })?;
            }
        }
        ControlFlow::Continue(pinned)
    }

    /// The cells that a piece of `kind` and of the side to move attacks from `from`.
    #[inline]
    pub(super) fn reach(&self, kind: &Kind<W>, from: Cell) -> CellSet<W> {
        self.reach_of(self.turn.side, kind, from)
    }

    /// The same for a piece of `side`.
    #[inline]
    pub(super) fn reach_of(&self, side: Side, kind: &Kind<W>, from: Cell) -> CellSet<W> {
        let mut reach = self.rules.leaps[kind.leap].to[side.index()][from.index()];
        for &slide in &kind.slides {
            reach |= self.rules.slides[slide].reach(from, side, self.occupied());
        }
        reach
    }

    /// The cells that the pawn on `from` could go to if its own side were not in its way, captures
    /// en passant left out.
    #[inline]
    fn pawn_targets(&self, from: Cell) -> CellSet<W> {
        let enemy = self.sides[self.turn.side.other().index()];
        let moves = &self.rules.pawn.moves[self.turn.side.index()][from.index()];
        let mut quiet = moves.steps;
        if !self.spent.has(from) && !moves.over.meets(self.occupied()) {
            quiet |= moves.first;
        }
        (quiet - enemy) | (moves.captures & enemy)
    }

    /// The steps to `goal` of the pawn on `from` but for captures en passant and crownings, which
    /// `goal` has to leave out.
    fn pawn_steps<B>(
        &self,
        from: Cell,
        goal: CellSet<W>,
        visit: &mut impl FnMut(u8, Option<Cell>, CellSet<W>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut targets = self.pawn_targets(from) & goal;
        if targets.meets(self.rules.pawn.changes[self.turn.side.index()]) {
            targets = self.pawn_promotions(from, targets, visit)?;
        }
        some(targets, |targets| visit(Step::PLAIN, Some(from), targets))
    }

    /// Visits the promotions among the steps from `from` to `targets`, and returns the cells where
    /// the pawn may arrive as a pawn.
    #[inline(never)]
    fn pawn_promotions<B>(
        &self,
        from: Cell,
        mut targets: CellSet<W>,
        visit: &mut impl FnMut(u8, Option<Cell>, CellSet<W>) -> ControlFlow<B>,
    ) -> ControlFlow<B, CellSet<W>> {
        let side = self.turn.side.index();
        for zone in &self.rules.zones {
            let cells = zone.cells[side];
            let arrived = targets & cells;
            if arrived.is_empty() || cells.has(from) {
                continue;
            }
            for &kind in &zone.step_kinds {
                visit(kind, Some(from), arrived)?;
            }
            if !zone.optional {
                targets = targets - arrived;
            }
        }
        self.turning_steps(&self.rules.kinds[PAWN], from, targets, visit)
    }
}

/// Calls `visit` unless `targets` is empty.
#[inline]
pub(super) fn some<B, const W: usize>(
    targets: CellSet<W>,
    visit: impl FnOnce(CellSet<W>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    if targets.is_empty() { ControlFlow::Continue(()) } else { visit(targets) }
}
