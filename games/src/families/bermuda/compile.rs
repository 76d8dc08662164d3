//! How a [`Declaration`] becomes [`Rules`].

use super::declaration::{Castling, Declaration};
use super::rules::{
    CastlingTables, KINDS, KING, Kind, LOWER, PAWN, Rules, complement, complements, is_upper,
};
use crate::families::chess::{Keys, PawnMoves, Piece, Slide, TurnedBoard};
use crate::game::Basics;
use crate::notation::{Fields, read_placement};
use crate::{Cell, CellSet, Geometry, Offset, Side};

impl Rules {
    /// Compiles `game`.
    ///
    /// # Panics
    /// If the declaration contradicts itself: games are written in the source.
    pub(super) fn compile(basics: &Basics, game: &Declaration) -> Self {
        let geometry = &basics.geometry;
        let across = geometry.taps().last().expect("a board has neighbours");
        assert!(
            geometry.cells().all(|cell| across[cell.index()] == Some(complement(cell))),
            "the boards are the words of a set"
        );
        let board = TurnedBoard { geometry, turn: geometry.mirrored([true, true, false, false]) };
        let pawns: [Vec<_>; 2] = Side::ALL.map(|side| {
            geometry.cells().map(|cell| pawn_moves(&board, side, cell, game.forward)).collect()
        });
        let ahead = |cell| geometry.shifted(cell, game.forward[usize::from(is_upper(cell))], 1);
        let last_ranks =
            board.both_sets(geometry.cells().filter(|&cell| ahead(cell).is_none()).collect());
        let mut rules = Self {
            id: basics.id,
            geometry: geometry.clone(),
            start: basics.start,
            kinds: Vec::new(),
            slides: Vec::new(),
            passed: [passed(&pawns[0]), passed(&pawns[1])],
            stands: board.both_sets(pawn_cells(&pawns[0], last_ranks[0])),
            pawns,
            last_ranks,
            promotions: Vec::new(),
            castlings: [Vec::new(), Vec::new()],
            rook: KING,
            rights: game.rights,
            rights_lost: vec![0; geometry.cell_count()],
            keys: Keys::new(geometry.cell_count(), game.rights.len()),
        };
        let pawn = Piece::new('P', "pawn", 100, vec![], vec![]);
        for piece in [&pawn].into_iter().chain(&game.pieces) {
            rules.add_kind(&board, piece);
        }
        assert_eq!((rules.kinds.len(), rules.kinds[PAWN].letter), (KINDS, 'P'));
        rules.promotions = game
            .promotion
            .chars()
            .map(|letter| rules.kind_of_letter(letter).expect("pawns become declared pieces"))
            .collect();
        for castling in &game.castling {
            Side::ALL.into_iter().for_each(|side| rules.add_castling(&board, side, castling));
        }
        rules.rook = rules.piece_at_start(rules.castlings[0][0].rook[0]);
        rules
    }

    fn add_kind(&mut self, board: &TurnedBoard<'_>, piece: &Piece) {
        let slides = piece.slides.iter().map(|&lines| {
            let slide: Slide<2> = board.slide(lines);
            let known = self.slides.iter().position(|known| known.lines == slide.lines);
            known.unwrap_or_else(|| {
                self.slides.push(slide);
                self.slides.len() - 1
            })
        });
        self.kinds.push(Kind {
            letter: piece.letter,
            name: piece.name,
            value: piece.value,
            slides: slides.collect(),
            leaps: board.table(&piece.leaps),
        });
    }

    fn add_castling(&mut self, board: &TurnedBoard<'_>, side: Side, castling: &Castling) {
        let cell = |name: &str| {
            let cell = board.geometry.cell(name).expect("castling is declared with cells");
            board.turned(side, cell)
        };
        let (king, rook) = (castling.king.map(cell), castling.rook.map(cell));
        let letter = castling.letters[side.index()];
        let bit = self.rights.chars().position(|right| right == letter).expect("a listed right");
        let right = 1 << bit;
        for home in [king[0], rook[0]] {
            self.rights_lost[home.index()] |= right;
        }
        let between = between(board.geometry, king[0], rook[0]);
        self.castlings[side.index()].push(CastlingTables { right, king, rook, between });
    }

    /// The kind of the piece that stands on `cell` when a game starts.
    fn piece_at_start(&self, cell: Cell) -> usize {
        let mut found = None;
        Fields::split(self.start)
            .and_then(|fields| {
                read_placement(&self.geometry, &fields.placement, |unit, at, _| {
                    if at == cell {
                        found = unit.chars().next();
                    }
                    Ok(())
                })
            })
            .expect("a game is declared with a position to start from");
        found.and_then(|letter| self.kind_of_letter(letter)).expect("castling moves a piece")
    }
}

/// The cells between two cells in line.
fn between(geometry: &Geometry, from: Cell, to: Cell) -> CellSet<2> {
    let [a, b] = [from, to].map(|cell| geometry.coordinates(cell));
    let along: Offset =
        std::array::from_fn(|axis| (i16::from(b[axis]) - i16::from(a[axis])).signum() as i8);
    geometry.ray(from, along).take_while(|&cell| cell != to).collect()
}

/// The moves of a pawn of `side` on `cell`.
fn pawn_moves(
    board: &TurnedBoard<'_>,
    side: Side,
    cell: Cell,
    forward: [Offset; 2],
) -> PawnMoves<2> {
    let whites = board.turned(side, cell);
    let ahead = forward[usize::from(is_upper(cell))];
    let at =
        |offset, times| Some(board.turned(side, board.geometry.shifted(whites, offset, times)?));
    let aside = |sign: i8| [ahead[0] + sign * ahead[1], ahead[1] + sign * ahead[0], 0, 0];
    let second_rank = at(ahead, -1).is_some() && at(ahead, -2).is_none();
    let double = |times| at(ahead, times).filter(|_| second_rank).into_iter().collect();
    PawnMoves {
        steps: at(ahead, 1).into_iter().collect(),
        captures: [1, -1].into_iter().filter_map(|sign| at(aside(sign), 1)).collect(),
        first: double(2),
        over: double(1),
    }
}

/// For each cell, from where to where a pawn has gone that has just passed over it.
fn passed(pawns: &[PawnMoves<2>]) -> Vec<Option<[Cell; 2]>> {
    let mut passed = vec![None; pawns.len()];
    for (from, moves) in (0..).map(Cell::from_index).zip(pawns) {
        if let Some((over, to)) = moves.over.first().zip(moves.first.first()) {
            passed[over.index()] = Some([from, to]);
        }
    }
    passed
}

/// The cells to which White's pawns ever come from their second ranks, by their own moves without
/// being promoted or pushed down.
fn pawn_cells(pawns: &[PawnMoves<2>], last_ranks: CellSet<2>) -> CellSet<2> {
    let cells = (0..pawns.len()).map(Cell::from_index);
    let mut stands: CellSet<2> =
        cells.filter(|cell| !pawns[cell.index()].first.is_empty()).collect();
    loop {
        let mut next = stands;
        stands.for_each(|cell| {
            let moves = &pawns[cell.index()];
            let captures = moves.captures - last_ranks;
            next |= (moves.steps | moves.first) - last_ranks;
            next |= captures | (complements(captures & LOWER) - last_ranks);
        });
        next |= complements(stands - LOWER);
        if next == stands {
            return stands;
        }
        stands = next;
    }
}
