//! The legal steps: marches, and the legs of jump moves.

use std::ops::ControlFlow;

use super::position::DraughtsPosition;
use super::rules::{Kind, Rules};
use crate::{Cell, CellSet, MOST_MOVES, Outcome, Step};

impl Rules {
    /// Where `kind`, coming from `from`, lands behind the first piece in each direction, if that
    /// piece is in `over` and the cell right behind it is empty (rulings R5 and R7).
    #[inline]
    fn landings(
        &self,
        kind: &Kind,
        from: Cell,
        over: CellSet<1>,
        occupied: CellSet<1>,
    ) -> CellSet<1> {
        if !over.meets(kind.jumped[from.index()]) {
            return CellSet::EMPTY;
        }
        self.lines.landings(kind.jumps, from, over, occupied) & kind.landings[from.index()]
    }

    /// Where `kind` marches from `from`.
    #[inline]
    fn march_ends(
        &self,
        kind: &Kind,
        from: Cell,
        own: CellSet<1>,
        occupied: CellSet<1>,
    ) -> CellSet<1> {
        let mut ends = if kind.slides {
            kind.marches.each().fold(CellSet::EMPTY, |ends, direction| {
                ends | self.lines.run(direction, from, occupied)
            }) & kind.march_ends[from.index()]
        } else {
            kind.march_ends[from.index()] - occupied
        };
        if kind.leaps {
            (kind.leap_ends[from.index()] - occupied).for_each(|end| {
                if own.meets(self.lines.between(from, end)) {
                    ends.insert(end);
                }
            });
        }
        ends
    }

    /// Adds to `count` the whole moves that a piece of kind `kind` on `from` can go on with, the
    /// next leg ending in `landings`. `occupied` is without the piece itself. Stops counting soon
    /// after [`MOST_MOVES`].
    ///
    /// Out of line: captures are rare, and the loop over all pieces keeps its registers.
    #[inline(never)]
    fn count_routes(
        &self,
        kind: &Kind,
        from: Cell,
        landings: CellSet<1>,
        enemy: CellSet<1>,
        occupied: CellSet<1>,
        count: &mut usize,
    ) {
        if !kind.continues {
            *count += landings.len();
            return;
        }
        let next = |from, enemy, occupied| self.landings(kind, from, enemy, occupied);
        let _ =
            self.lines.follow_jumps(from, landings, (enemy, occupied), &next, &mut |_, ends| {
                *count += usize::from(ends);
                if *count > MOST_MOVES { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
    }
}

impl DraughtsPosition {
    /// Calls `visit` with each piece of the side to move.
    #[inline]
    fn for_each_piece(&self, mut visit: impl FnMut(&'static Kind, Cell)) {
        let own = self.pieces(self.turn.side);
        for (kinds, &cells) in self.rules.kinds.iter().zip(&self.kinds) {
            let kind = &kinds[self.turn.side.index()];
            (cells & own).for_each(|cell| visit(kind, cell));
        }
    }

    /// Where the piece of kind `kind` on `from` can jump to.
    #[inline]
    pub(super) fn jumps(&self, kind: &Kind, from: Cell) -> CellSet<1> {
        self.rules.landings(kind, from, self.pieces(self.turn.side.other()), self.occupied())
    }

    /// Where the piece of kind `kind` on `from` can march to, if marches are legal.
    #[inline]
    pub(super) fn marches(&self, kind: &Kind, from: Cell) -> CellSet<1> {
        self.rules.march_ends(kind, from, self.pieces(self.turn.side), self.occupied())
    }

    /// Whether any piece of the side to move can jump, so that marches are illegal (ruling R3).
    pub(super) fn can_jump(&self) -> bool {
        let mut found = false;
        self.for_each_piece(|kind, from| found = found || !self.jumps(kind, from).is_empty());
        found
    }

    /// Whether any piece of the side to move can march.
    pub(super) fn can_march(&self) -> bool {
        let mut found = false;
        self.for_each_piece(|kind, from| found = found || !self.marches(kind, from).is_empty());
        found
    }

    /// See [`crate::State::steps`].
    pub(super) fn collect_steps(&self, into: &mut Vec<Step>) -> Option<Outcome> {
        if let Some(from) = self.capturing {
            let kind = self.kind_on(from).expect("the capturing piece is on the board");
            let kind = &self.rules.kinds[kind][self.turn.side.index()];
            self.jumps(kind, from).for_each(|to| into.push(Step::plain(from, to)));
            return None;
        }
        if !self.has_royal(self.turn.side) {
            return Some(Outcome::Win(self.turn.side.other()));
        }
        let start = into.len();
        self.for_each_piece(|kind, from| {
            self.jumps(kind, from).for_each(|to| into.push(Step::plain(from, to)));
        });
        if into.len() == start {
            self.for_each_piece(|kind, from| {
                self.marches(kind, from).for_each(|to| into.push(Step::plain(from, to)));
            });
        }
        (into.len() == start).then(|| self.stuck())
    }

    /// The number of whole moves. Routes of captures are followed on the sets alone, without
    /// playing them; past [`MOST_MOVES`] there is no answer.
    pub(super) fn count_whole_moves(&self) -> Option<usize> {
        if self.capturing.is_none() && !self.has_royal(self.turn.side) {
            return Some(0);
        }
        let (enemy, occupied) = (self.pieces(self.turn.side.other()), self.occupied());
        let mut count = 0;
        self.for_each_piece(|kind, from| {
            if self.capturing.is_none_or(|cell| cell == from) && count <= MOST_MOVES {
                let landings = self.jumps(kind, from);
                if !landings.is_empty() {
                    let others = occupied - CellSet::of(from);
                    self.rules.count_routes(kind, from, landings, enemy, others, &mut count);
                }
            }
        });
        if count == 0 {
            self.for_each_piece(|kind, from| count += self.marches(kind, from).len());
        }
        (count <= MOST_MOVES).then_some(count)
    }
}
