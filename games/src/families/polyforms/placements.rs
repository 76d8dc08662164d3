//! All pieces of the side to move together: which of them can move, and in how many ways.
//!
//! The board is shifted once for each offset that matters, so that bit `c` of a shifted set tells of
//! the cell at that offset from corner `c`. Where a shape stands, and where it can step, are then
//! intersections of such sets, for all corners at once.

use std::ops::ControlFlow;

use super::position::PolyformPosition;
use super::rules::{Captures, Further, Look, MOST_OFFSETS, Orientation, Rules, Slide};
use crate::{CellSet, MOST_MOVES, Outcome, Step};

/// The checkers of both sides around all corners, by level and offset.
struct Around<'p, const W: usize, const K: usize> {
    position: &'p PolyformPosition<W, K>,
    rules: &'static Rules<W, K>,
    own: [[CellSet<W>; MOST_OFFSETS]; K],
    enemy: [[CellSet<W>; MOST_OFFSETS]; K],
}

/// Where a piece finds room far from its own cells: to stand, and to pass.
#[derive(Clone, Copy)]
struct Rooms<const W: usize> {
    open: CellSet<W>,
    free: CellSet<W>,
}

/// The union of the sets that `looks` ask for.
#[inline]
fn any<const W: usize, const K: usize>(
    around: &[[CellSet<W>; MOST_OFFSETS]; K],
    looks: &[Look],
) -> CellSet<W> {
    looks.iter().fold(CellSet::EMPTY, |found, look| {
        found | around[usize::from(look.level)][usize::from(look.offset)]
    })
}

impl<'p, const W: usize, const K: usize> Around<'p, W, K> {
    /// The board at all offsets.
    fn new(position: &'p PolyformPosition<W, K>) -> Self {
        Self::at_first(position, position.rules.offsets.len())
    }

    /// The board at the first `count` offsets; it stays empty at the others.
    fn at_first(position: &'p PolyformPosition<W, K>, count: usize) -> Self {
        let rules = position.rules;
        let empty = [[CellSet::EMPTY; MOST_OFFSETS]; K];
        let mut around = Self { position, rules, own: empty, enemy: empty };
        let [own, enemy] = [position.turn.side, position.turn.side.other()]
            .map(|side| &position.levels[side.index()]);
        for level in 0..K {
            for (offset, &by) in rules.offsets[..count].iter().enumerate() {
                around.own[level][offset] = own[level].shifted(-by);
                around.enemy[level][offset] = enemy[level].shifted(-by);
            }
        }
        around
    }

    /// The places of all pieces of one orientation.
    #[inline]
    fn placed(&self, orientation: &Orientation) -> CellSet<W> {
        let fits = self.rules.frames[orientation.frame].fits;
        orientation.placed.iter().fold(fits, |placed, look| {
            placed & self.own[usize::from(look.level)][usize::from(look.offset)]
        })
    }

    /// Calls `visit` with the pieces in `placed` that can go 1, 2... steps of a slide, and the
    /// number, until none can or `visit` breaks.
    #[inline]
    fn follow(
        &self,
        orientation: &Orientation,
        slide: &Slide,
        placed: CellSet<W>,
        rooms: &mut Option<Rooms<W>>,
        mut visit: impl FnMut(u8, CellSet<W>) -> ControlFlow<()>,
    ) {
        let leaves = self.rules.frames[orientation.frame].leaves[slide.vector];
        let by = self.rules.vectors[slide.vector];
        let mut going = placed;
        if !going.meets(leaves) {
            return;
        }
        let mut far = None;
        for n in 1..=slide.last {
            let back = -by * (i32::from(n) - 1);
            let ends;
            if let Some(looks) = slide.near.get(usize::from(n) - 1) {
                ends = self.near_ends(slide, looks, going & leaves.shifted(back));
                going = ends - any(&self.enemy, looks);
            } else {
                // From the place before the last step, as seen from the first.
                let far = far.get_or_insert_with(|| {
                    let rooms = rooms.get_or_insert_with(|| self.rooms(orientation));
                    [rooms.open, rooms.free].map(|room| leaves & room.shifted(-by))
                });
                ends = going & far[0].shifted(back);
                going &= far[1].shifted(back);
            }
            if ends.is_empty() || visit(n, ends).is_break() {
                return;
            }
        }
    }

    /// The pieces in `going` that can end a slide where `looks` look.
    #[inline]
    fn near_ends(&self, slide: &Slide, looks: &[Look], going: CellSet<W>) -> CellSet<W> {
        let ends = going - any(&self.own, looks);
        let enemies = || {
            looks
                .iter()
                .fold(CellSet::EMPTY, |found, look| found | self.enemy[0][usize::from(look.offset)])
        };
        match slide.captures {
            Captures::May => ends,
            Captures::Never => ends - enemies(),
            Captures::Must => ends & enemies(),
        }
    }

    fn rooms(&self, orientation: &Orientation) -> Rooms<W> {
        let open = !any(&self.own, &orientation.blocked);
        Rooms { open, free: open - any(&self.enemy, &orientation.blocked) }
    }

    /// The slides of `orientation` that the side to move has.
    #[inline]
    fn slides<'o>(
        &self,
        orientation: &'o Orientation,
    ) -> impl Iterator<Item = &'o Slide> + use<'o, W, K> {
        let side = self.position.turn.side.index();
        orientation.slides.iter().filter(move |slide| slide.sides[side])
    }

    /// The pieces of one orientation that have a move.
    fn movers(&self, orientation: &Orientation) -> CellSet<W> {
        let placed = self.placed(orientation);
        if placed.is_empty() {
            return placed;
        }
        let mut stuck = placed;
        let mut rooms = None;
        for slide in self.slides(orientation) {
            let left = stuck;
            self.follow(orientation, slide, left, &mut rooms, |n, going| {
                if n < slide.first {
                    return ControlFlow::Continue(());
                }
                // Whoever can go further can go so far.
                stuck = stuck - going;
                ControlFlow::Break(())
            });
            if stuck.is_empty() {
                return placed;
            }
        }
        if let Further::SlideThenTwo(_) = orientation.further {
            // The few that have room for a step, but not for three in a row.
            let leaves = &self.rules.frames[orientation.frame].leaves;
            let starts = self.slides(orientation).fold(CellSet::EMPTY, |starts, slide| {
                let ends = self.near_ends(slide, &slide.near[0], stuck & leaves[slide.vector]);
                starts | (ends - any(&self.enemy, &slide.near[0]))
            });
            starts.for_each(|corner| {
                if !self.position.destinations(orientation, corner).is_empty() {
                    stuck.remove(corner);
                }
            });
        }
        placed - stuck
    }

    /// The number of moves of all pieces of one orientation.
    fn count(&self, orientation: &Orientation) -> usize {
        let mut count = 0;
        if let Further::Nothing = orientation.further {
            let placed = self.placed(orientation);
            if placed.is_empty() {
                return 0;
            }
            let mut rooms = None;
            for slide in self.slides(orientation) {
                self.follow(orientation, slide, placed, &mut rooms, |n, going| {
                    if n >= slide.first && slide.covered >> n & 1 == 0 {
                        count += going.len();
                    }
                    ControlFlow::Continue(())
                });
            }
        } else {
            let count_piece = |corner| {
                count += self.position.destinations(orientation, corner).len();
            };
            self.movers(orientation).for_each(count_piece);
        }
        count
    }
}

impl<const W: usize, const K: usize> PolyformPosition<W, K> {
    /// See [`crate::State::steps`].
    pub(super) fn list_steps(&self, into: &mut Vec<Step>) -> Option<Outcome> {
        if let Some(chosen) = self.chosen {
            let orientation = self.orientation(chosen.kind);
            let from = chosen.corner.moved(orientation.lowest);
            self.destinations(orientation, chosen.corner).for_each(|corner| {
                into.push(Step::new(chosen.kind, from, corner.moved(orientation.lowest)));
            });
            return None;
        }
        let start = into.len();
        let around = Around::new(self);
        for (kind, orientation) in (0..).zip(&self.rules.orientations) {
            around.movers(orientation).for_each(|corner| {
                let cell = corner.moved(orientation.lowest);
                into.push(Step::new(kind, cell, cell));
            });
        }
        let drop = self.rules.drop_kind();
        self.drops().for_each(|cell| into.push(Step::new(drop, cell, cell)));
        (into.len() == start).then_some(Outcome::Win(self.turn.side.other()))
    }

    /// Whether the side to move has a move.
    pub(super) fn can_move(&self) -> bool {
        if self.chosen.is_some() || !self.drops().is_empty() {
            return true;
        }
        // Nearly always a single checker can.
        let [single, others @ ..] = &self.rules.orientations[..] else { return false };
        if !Around::at_first(self, self.rules.single_offsets).movers(single).is_empty() {
            return true;
        }
        let around = Around::new(self);
        others.iter().any(|orientation| !around.movers(orientation).is_empty())
    }

    /// The number of whole moves, or of completions of the move under way; none past
    /// [`MOST_MOVES`].
    pub(super) fn count_whole_moves(&self) -> Option<usize> {
        if let Some(chosen) = self.chosen {
            return Some(self.destinations(self.orientation(chosen.kind), chosen.corner).len());
        }
        let around = Around::new(self);
        let pieces: usize = self.rules.orientations.iter().map(|o| around.count(o)).sum();
        let count = pieces + self.drops().len();
        (count <= MOST_MOVES).then_some(count)
    }
}
