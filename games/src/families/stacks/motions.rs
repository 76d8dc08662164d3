//! Where pieces get: the tables of one motion, and what they come to in a position.

use super::declaration::Motion;
use super::position::StacksPosition;
use super::rules::Rules;
use super::stack::{Motions, ROYAL, SLAVE};
use crate::lines::Directions;
use crate::{Cell, CellSet, Geometry, Side};

/// A set of cells for each cell of the board.
type Table = Vec<CellSet<2>>;

/// A motion, compiled.
#[derive(Debug)]
pub(super) struct MotionTables {
    /// The lines along which pieces in between stop it, if any can.
    slides: Option<Directions>,
    /// For each side and cell, where it ends on an empty board.
    ends: [Table; 2],
    /// For each side and cell, from where it ends there.
    origins: [Table; 2],
    /// The lines along which a jump takes place, for games of jumps.
    jumps: Option<Directions>,
    /// For each cell, where a piece can stand that is jumped over.
    jumped: Table,
    /// For each cell, where a jump may land.
    landings: Table,
}

impl MotionTables {
    pub(super) fn new(motion: &Motion, geometry: &Geometry) -> Self {
        let of_every_cell =
            |ends: &dyn Fn(Cell) -> CellSet<2>| -> Table { geometry.cells().map(ends).collect() };
        let along = |directions: Directions, farthest: usize| {
            of_every_cell(&|from| {
                let rays = directions.offsets().map(|offset| geometry.ray(from, offset));
                rays.flat_map(|ray| ray.take(farthest)).collect()
            })
        };
        let ends = Side::ALL.map(|side| match motion {
            Motion::Leap(offsets) => of_every_cell(&|from| {
                let turned = |&[files, ranks, ..]: &[i8; 4]| match side {
                    Side::White => [files, ranks, 0, 0],
                    Side::Black => [-files, -ranks, 0, 0],
                };
                offsets.iter().filter_map(|o| geometry.shifted(from, turned(o), 1)).collect()
            }),
            &Motion::Slide(directions, farthest) => along(directions, farthest),
            &Motion::Fly(directions) => along(directions, usize::MAX),
        });
        let origins = ends.each_ref().map(|ends| {
            of_every_cell(&|to| {
                geometry.cells().filter(|from| ends[from.index()].has(to)).collect()
            })
        });
        let (slides, jumps, [jumped, landings]) = match *motion {
            Motion::Slide(directions, farthest) => {
                let behind = along(directions, farthest.saturating_add(1));
                let adjacent = along(directions, 1);
                let landings = behind.iter().zip(adjacent).map(|(&behind, next)| behind - next);
                let tables = [along(directions, farthest), landings.collect()];
                ((farthest > 1).then_some(directions), Some(directions), tables)
            }
            Motion::Leap(_) | Motion::Fly(_) => (None, None, [Table::new(), Table::new()]),
        };
        Self { slides, ends, origins, jumps, jumped, landings }
    }
}

impl Rules {
    /// Where `motion` leads a piece of `side` from `from`, whatever stands there.
    #[inline]
    pub(super) fn ends(
        &self,
        motion: usize,
        side: Side,
        from: Cell,
        occupied: CellSet<2>,
    ) -> CellSet<2> {
        let motion = &self.motions[motion];
        let ends = motion.ends[side.index()][from.index()];
        match motion.slides {
            None => ends,
            Some(directions) => ends & self.reach(directions, from, occupied),
        }
    }

    /// The cells in `directions` of `from` up to the first occupied ones, these included.
    #[inline]
    fn reach(&self, directions: Directions, from: Cell, occupied: CellSet<2>) -> CellSet<2> {
        directions.each().fold(CellSet::EMPTY, |reach, direction| {
            reach | self.lines.reach(direction, from, occupied)
        })
    }

    /// As [`Rules::ends`], of any of `motions`.
    #[inline]
    pub(super) fn all_ends(
        &self,
        motions: Motions,
        side: Side,
        from: Cell,
        occupied: CellSet<2>,
    ) -> CellSet<2> {
        motions
            .each()
            .fold(CellSet::EMPTY, |ends, motion| ends | self.ends(motion, side, from, occupied))
    }

    /// Where a piece on `from` lands that jumps with any of `motions` over one of `over`.
    #[inline]
    pub(super) fn landings(
        &self,
        motions: Motions,
        from: Cell,
        over: CellSet<2>,
        occupied: CellSet<2>,
    ) -> CellSet<2> {
        motions.each().fold(CellSet::EMPTY, |landings, motion| {
            let motion = &self.motions[motion];
            let Some(directions) = motion.jumps else { return landings };
            if !over.meets(motion.jumped[from.index()]) {
                return landings;
            }
            let behind = self.lines.landings(directions, from, over, occupied);
            landings | (behind & motion.landings[from.index()])
        })
    }
}

impl StacksPosition {
    /// Calls `visit` with each motion that pieces of `side` capture with, and these pieces.
    #[inline]
    pub(super) fn for_each_attack(&self, side: Side, mut visit: impl FnMut(usize, CellSet<2>)) {
        let (rules, own) = (self.rules, self.sides[side.index()]);
        for attack in &rules.attacks {
            visit(attack.motion, self.in_all_layers(attack.layers) & own);
        }
        if let Some(slave) = &rules.slave {
            let slaves = self.layers[SLAVE] & own;
            slave.moves.captures.each().for_each(|motion| visit(motion, slaves));
        }
        let royal = self.layers[ROYAL] & own;
        self.royal_moves(side).captures.each().for_each(|motion| visit(motion, royal));
    }

    /// The pieces of `side` that attack `cell` with `motion`, of those in `pieces`.
    #[inline]
    pub(super) fn attackers(
        &self,
        motion: usize,
        side: Side,
        pieces: CellSet<2>,
        cell: Cell,
    ) -> CellSet<2> {
        let tables = &self.rules.motions[motion];
        let attackers = tables.origins[side.index()][cell.index()] & pieces;
        match tables.slides {
            Some(directions) if !attackers.is_empty() => {
                attackers & self.rules.reach(directions, cell, self.occupied())
            }
            _ => attackers,
        }
    }

    /// Whether pieces in between stop `motion`.
    #[inline]
    pub(super) fn slides(&self, motion: usize) -> Option<Directions> {
        self.rules.motions[motion].slides
    }

    /// The cells from where `motion` leads a piece of `side` to `cell` on an empty board.
    #[inline]
    pub(super) fn origins(&self, motion: usize, side: Side, cell: Cell) -> CellSet<2> {
        self.rules.motions[motion].origins[side.index()][cell.index()]
    }
}
