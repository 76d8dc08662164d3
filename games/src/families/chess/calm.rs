//! Which steps surely leave the game open, found without playing them.

use super::position::ChessPosition;
use super::rules::{KING, MOST_KINDS, PAWN};
use crate::{CellSet, Step};

/// What tells of a step that it neither gives check nor takes the enemy's last move.
struct Calm<const W: usize> {
    /// For each kind, the cells from which a piece of the mover attacks the enemy's king.
    checks: [CellSet<W>; MOST_KINDS],
    /// The cells of the lines on which a slider of the mover stands with that king: what leaves
    /// one may uncover a check.
    screens: CellSet<W>,
    /// The cells where an arrival may take the moves of the pieces that are known to have one.
    vital: CellSet<W>,
}

impl<const W: usize> ChessPosition<W> {
    /// As [`crate::State::open_after`].
    pub(super) fn find_open(&self, steps: &[Step], into: &mut Vec<bool>) {
        let Some(calm) = self.calm() else { return into.resize(into.len() + steps.len(), false) };
        let passed = self.en_passant.map_or(CellSet::EMPTY, CellSet::of);
        // A captured king leaves one that must not be attacked.
        let vital = calm.vital | passed | self.kinds[KING];
        let mut last = None;
        into.extend(steps.iter().map(|&step| {
            let (from, to) = (step.from(), step.to());
            let kind = if step.kind() == Step::PLAIN {
                if calm.screens.has(from) {
                    return false;
                }
                // Steps come piece by piece.
                match last {
                    Some((cell, kind)) if cell == from => kind,
                    _ => {
                        let Some(kind) = self.kind_at(from) else { return false };
                        last = Some((from, kind));
                        kind
                    }
                }
            } else {
                let Some(held) = self.rules.dropped(step) else { return false };
                self.rules.held[held].kind
            };
            !vital.has(to) && !calm.checks[kind].has(to)
        }));
    }

    /// None if the enemy stands in check, or no move of it is found quickly.
    fn calm(&self) -> Option<Calm<W>> {
        let (rules, side, enemy) = (self.rules, self.turn.side, self.turn.side.other());
        let (own, theirs) = (self.sides[side.index()], self.sides[enemy.index()]);
        let mut checks = [CellSet::EMPTY; MOST_KINDS];
        let (mut screens, mut lines) = (CellSet::EMPTY, CellSet::EMPTY);
        if let Some(king) = self.bound_king(enemy) {
            if self.is_king_attacked(king, enemy) {
                return None;
            }
            for (checks, kind) in checks.iter_mut().zip(&rules.kinds) {
                *checks = rules.leaps[kind.leap].from[side.index()][king.index()];
            }
            checks[KING] |= rules.king_leap.from[side.index()][king.index()];
            for slide in &rules.slides {
                let sliders = self.of_kinds(&slide.kinds) & own;
                let mut reach = CellSet::EMPTY;
                for line in slide.towards(king, side) {
                    lines |= line.both();
                    if line.both().meets(sliders) {
                        screens |= line.both();
                    }
                    reach |= line.reach(self.occupied());
                }
                for &kind in &slide.kinds {
                    checks[usize::from(kind)] |= reach;
                }
            }
        }
        // Off the lines of its king nothing is pinned. A pawn can step unless its goal is taken, a
        // piece that attacks a cell without a piece of its own can go there or to what stands in
        // its way; both unless they are captured. Two of them are not stopped by one arrival.
        let free = theirs - lines;
        let goal = rules.cells - self.occupied() - rules.pawn.changes[enemy.index()];
        let pawns = (self.kinds[PAWN] & free).iter().filter_map(|from| {
            let steps = rules.pawn.moves[enemy.index()][from.index()].steps & goal;
            steps.first().map(|to| CellSet::of(from) | CellSet::of(to))
        });
        let kinds = rules.kinds.iter().zip(&self.kinds).skip(KING + 1);
        let pieces = kinds.filter(|(kind, _)| !kind.peculiar).flat_map(|(kind, &of_kind)| {
            let mobile = move |from: &_| !(self.reach_of(enemy, kind, *from) - theirs).is_empty();
            (of_kind & free).iter().filter(mobile).map(CellSet::of)
        });
        let mut mobile = pawns.chain(pieces);
        let first = mobile.next()?;
        let vital = mobile.next().map_or(first, |second| first & second);
        Some(Calm { checks, screens, vital })
    }
}
