//! Where one piece can go.

use super::position::PolyformPosition;
use super::rules::{Captures, Further, Orientation, Rules};
use crate::{Cell, CellSet, Offset};

/// Where a piece would find something in its way, in corners, once it has been lifted.
struct Lifted<const W: usize> {
    /// It cannot stand: own checkers take too much room.
    closed: CellSet<W>,
    /// It cannot pass: checkers of both sides do.
    blocked: CellSet<W>,
    /// Enemies stand here.
    enemies: CellSet<W>,
}

impl<const W: usize, const K: usize> PolyformPosition<W, K> {
    /// The corners to which the piece of the side to move at `corner` can go.
    pub(super) fn destinations(&self, orientation: &Orientation, corner: Cell) -> CellSet<W> {
        let rules = self.rules;
        let leaves = &rules.frames[orientation.frame].leaves;
        let lifted = self.lift(orientation, corner);
        let mut ends = CellSet::EMPTY;
        for slide in orientation.slides.iter().filter(|slide| slide.sides[self.turn.side.index()]) {
            let (leaves, by) = (leaves[slide.vector], rules.vectors[slide.vector]);
            let mut at = corner;
            for n in 1..=slide.last {
                if !leaves.has(at) {
                    break;
                }
                at = at.moved(by);
                if lifted.closed.has(at) {
                    break;
                }
                let allowed = match slide.captures {
                    Captures::May => true,
                    Captures::Never => !lifted.enemies.has(at),
                    Captures::Must => lifted.enemies.has(at),
                };
                if n >= slide.first && allowed {
                    ends.insert(at);
                }
                if lifted.blocked.has(at) {
                    break;
                }
            }
        }
        match &orientation.further {
            Further::Nothing => return ends,
            Further::Rebound(offsets) => {
                for &offset in offsets {
                    ends |= rebounds(rules, orientation, corner, offset, &lifted);
                }
            }
            Further::SlideThenTwo(vectors) => {
                ends |= slides_then_two(rules, orientation, corner, vectors, &lifted);
            }
        }
        ends.remove(corner);
        ends
    }

    /// Lifts a piece of the side to move off the board.
    fn lift(&self, orientation: &Orientation, corner: Cell) -> Lifted<W> {
        let mut own = self.levels[self.turn.side.index()];
        let enemy = &self.levels[self.turn.side.other().index()];
        for part in &orientation.parts {
            let cell = corner.moved(part.by);
            let standing = own.iter().take_while(|level| level.has(cell)).count();
            own[standing - part.checkers..standing].iter_mut().for_each(|level| level.remove(cell));
        }
        let [mut closed, mut blocked, mut enemies] = [CellSet::EMPTY; 3];
        for part in &orientation.parts {
            // With one checker more than this there is no room for the part.
            let level = K - part.checkers;
            closed |= own[level].shifted(-part.by);
            blocked |= enemy[level].shifted(-part.by);
            if level > 0 {
                enemies |= enemy[0].shifted(-part.by);
            }
        }
        Lifted { closed, blocked: blocked | closed, enemies: enemies | blocked }
    }
}

/// Where a piece comes that goes from `corner` by `offset`, turning back in files or in ranks
/// before a step that would leave the board (rulebook: mirror mode).
fn rebounds<const W: usize, const K: usize>(
    rules: &Rules<W, K>,
    orientation: &Orientation,
    corner: Cell,
    mut offset: Offset,
    lifted: &Lifted<W>,
) -> CellSet<W> {
    let fits = rules.frames[orientation.frame].fits;
    let next = |from: Cell, offset: Offset| {
        rules.geometry.shifted(from, offset, 1).filter(|&to| fits.has(to))
    };
    let mut ends = CellSet::EMPTY;
    let mut at = corner;
    let mut first = None;
    loop {
        for axis in 0..2 {
            let mut along = [0; 4];
            along[axis] = offset[axis];
            if next(at, along).is_none() {
                offset[axis] = -offset[axis];
            }
        }
        // The way there and back is a ring: it comes round to its first step.
        if *first.get_or_insert((at, offset)) == (at, offset) && !ends.is_empty() {
            return ends;
        }
        let Some(to) = next(at, offset).filter(|&to| !lifted.closed.has(to)) else { return ends };
        ends.insert(to);
        if lifted.blocked.has(to) {
            return ends;
        }
        at = to;
    }
}

/// Where a piece comes that first goes any number of steps by one of `vectors`, through free places
/// only, then exactly two by one of them.
fn slides_then_two<const W: usize, const K: usize>(
    rules: &Rules<W, K>,
    orientation: &Orientation,
    corner: Cell,
    vectors: &[usize],
    lifted: &Lifted<W>,
) -> CellSet<W> {
    let leaves = &rules.frames[orientation.frame].leaves;
    let mut halfway = CellSet::EMPTY;
    for &vector in vectors {
        let mut at = corner;
        while leaves[vector].has(at) {
            at = at.moved(rules.vectors[vector]);
            if lifted.blocked.has(at) {
                break;
            }
            halfway.insert(at);
        }
    }
    let mut ends = CellSet::EMPTY;
    for &vector in vectors {
        let step = |from: CellSet<W>| (from & leaves[vector]).shifted(rules.vectors[vector]);
        ends |= step(step(halfway) - lifted.blocked) - lifted.closed;
    }
    ends
}
