//! [`Rules`]: a declaration compiled into tables.

use super::attacks::{Leap, Line, Slide, Table};
use super::declaration::{Castling, Declaration, FirstMove, Lines, Pawn};
use crate::notation::{Fields, read_placement};
use crate::{Cell, CellSet, Geometry, Offset, Side, zobrist};

/// The kind of pieces that are pawns, an index into [`Rules::kinds`].
pub(super) const PAWN: usize = 0;

/// The royal kind, an index into [`Rules::kinds`].
pub(super) const KING: usize = 1;

/// The most kinds of pieces a game has.
pub(super) const MOST_KINDS: usize = 12;

/// The rules of one chess-like game.
#[derive(Debug)]
pub(crate) struct Rules<const W: usize> {
    pub(super) id: &'static str,
    pub(super) geometry: Geometry,
    pub(super) start: &'static str,
    pub(super) cells: CellSet<W>,
    pub(super) kinds: Vec<Kind>,
    pub(super) leaps: Vec<Leap<W>>,
    pub(super) slides: Vec<Slide<W>>,
    /// The jumps a king has as long as its leap right lasts, besides those in `leaps`.
    pub(super) king_leap: Leap<W>,
    /// The bit of each side's leap right, or 0.
    pub(super) leap_right: [u8; 2],
    pub(super) pawn: PawnTables<W>,
    /// The kind of piece that a step of kind `i + 1` promotes to.
    pub(super) promotions: Vec<usize>,
    pub(super) zones: Vec<ZoneTables<W>>,
    /// Each side's castlings, in the order of the kinds of steps.
    pub(super) castlings: [Vec<CastlingTables<W>>; 2],
    /// The rights in the order of the rights field, White's first; bit `i` stands for `rights[i]`.
    pub(super) rights: Vec<Right>,
    /// For each cell, the rights that end when a piece leaves it or arrives there.
    pub(super) rights_lost: Vec<u8>,
    pub(super) keys: Keys,
}

/// A kind of pieces.
#[derive(Debug)]
pub(super) struct Kind {
    pub(super) letter: char,
    pub(super) name: &'static str,
    pub(super) value: i32,
    /// Its jumps, an index into [`Rules::leaps`]; of a pawn, its captures.
    pub(super) leap: usize,
    /// Its slides, indices into [`Rules::slides`].
    pub(super) slides: Vec<usize>,
}

/// A right that a side has until it loses it.
#[derive(Debug)]
pub(super) struct Right {
    pub(super) side: Side,
    pub(super) letter: char,
    pub(super) name: &'static str,
}

/// What only pawns do. Tables are by side and cell.
#[derive(Debug)]
pub(super) struct PawnTables<const W: usize> {
    /// The cells it steps to without capturing.
    pub(super) steps: [Table<W>; 2],
    /// The steps that can be taken back by another pawn move, so that they do not reset the clock.
    pub(super) retractable: [Table<W>; 2],
    pub(super) first: [Vec<First<W>>; 2],
    /// Whether a pawn on a starting cell may be spent.
    pub(super) tracks_spent: bool,
    /// The cells where pawns stand at the start.
    pub(super) homes: [CellSet<W>; 2],
    /// The cells where a pawn can ever stand.
    pub(super) stands: [CellSet<W>; 2],
    /// For the cell that a pawn of the side has just passed over with its first move, where that
    /// pawn stands now.
    pub(super) passed: [Vec<Option<Cell>>; 2],
}

/// The first move of a pawn on one cell; empty unless pawns of its side start there.
#[derive(Debug, Clone, Copy)]
pub(super) struct First<const W: usize> {
    pub(super) to: CellSet<W>,
    /// The cells passed over, which must be empty; nothing if the move is a jump.
    pub(super) over: CellSet<W>,
}

/// A promotion zone.
#[derive(Debug)]
pub(super) struct ZoneTables<const W: usize> {
    /// The cells, for each side.
    pub(super) cells: [CellSet<W>; 2],
    /// The kinds of steps that promote here.
    pub(super) step_kinds: Vec<u8>,
    pub(super) optional: bool,
}

/// A castling of one side.
#[derive(Debug)]
pub(super) struct CastlingTables<const W: usize> {
    pub(super) name: &'static str,
    pub(super) step_kind: u8,
    pub(super) right: u8,
    pub(super) king: [Cell; 2],
    pub(super) rooks: Vec<[Cell; 2]>,
    /// The kind of the rooks.
    pub(super) rook: usize,
    pub(super) must_be_empty: CellSet<W>,
    pub(super) must_be_safe: CellSet<W>,
}

/// The random numbers of the position key.
#[derive(Debug)]
pub(super) struct Keys {
    pub(super) black_to_move: u64,
    /// For each set of rights.
    pub(super) rights: Vec<u64>,
    /// For each en-passant cell.
    pub(super) en_passant: Vec<u64>,
    /// For each cell with a spent pawn.
    pub(super) spent: Vec<u64>,
    /// For each cell of a White pawn, of a Black pawn, of a White king, and so on.
    pieces: Vec<u64>,
}

impl Keys {
    fn new(cells: usize, rights: usize) -> Self {
        let mut numbers = (0..).map(zobrist::number);
        let mut take = |count| numbers.by_ref().take(count).collect::<Vec<_>>();
        Self {
            black_to_move: take(1)[0],
            rights: take(1 << rights),
            en_passant: take(cells),
            spent: take(cells),
            pieces: take(2 * MOST_KINDS * cells),
        }
    }

    /// The number of a piece of `kind` and `side` on `cell`.
    #[inline]
    pub(super) fn piece(&self, kind: usize, side: Side, cell: Cell) -> u64 {
        self.pieces[(kind * 2 + side.index()) * self.spent.len() + cell.index()]
    }
}

impl<const W: usize> Rules<W> {
    /// Compiles `game`.
    ///
    /// # Panics
    /// If the declaration contradicts itself: games are written in the source.
    pub(super) fn compile(game: &Declaration) -> Self {
        let board = Board { geometry: &game.geometry, turn: game.geometry.mirrored(game.turn) };
        let start = Start::read(game);
        let mut rules = Self {
            id: game.id,
            geometry: game.geometry.clone(),
            start: game.start,
            cells: CellSet::first_cells(game.geometry.cell_count()),
            kinds: Vec::new(),
            leaps: Vec::new(),
            slides: Vec::new(),
            king_leap: board.leap(&game.king.leaps_until_checked),
            leap_right: [0; 2],
            pawn: board.pawn(&game.pawn, &start),
            promotions: Vec::new(),
            zones: Vec::new(),
            castlings: [Vec::new(), Vec::new()],
            rights: Vec::new(),
            rights_lost: vec![0; game.geometry.cell_count()],
            keys: Keys::new(0, 0),
        };
        rules.add_kind(&board, ('P', "pawn", 100), &game.pawn.captures, &[]);
        rules.add_kind(&board, ('K', "king", 0), &game.king.leaps, &[]);
        for piece in &game.pieces {
            let id = (piece.letter, piece.name, piece.value);
            rules.add_kind(&board, id, &piece.leaps, &piece.slides);
        }
        assert!(rules.kinds.len() <= MOST_KINDS, "{}: too many kinds of pieces", game.id);
        rules.add_promotions(&board, game);
        for side in Side::ALL {
            if !game.king.leaps_until_checked.is_empty() {
                rules.leap_right[side.index()] = rules.add_right(side, 'K', "leap");
            }
            for (i, castling) in game.castling.iter().enumerate() {
                let step_kind = (1 + rules.promotions.len() + i) as u8;
                rules.add_castling(&board, side, castling, step_kind, &start);
            }
        }
        rules.pawn.stands = rules.pawn_cells(&board);
        rules.keys = Keys::new(game.geometry.cell_count(), rules.rights.len());
        rules
    }

    fn add_kind(
        &mut self,
        board: &Board<'_>,
        (letter, name, value): (char, &'static str, i32),
        leaps: &[Offset],
        slides: &[Lines],
    ) {
        let kind = self.kinds.len() as u8;
        let leap = board.leap(leaps);
        let leap = self.leaps.iter().position(|known| known.to == leap.to).unwrap_or_else(|| {
            self.leaps.push(leap);
            self.leaps.len() - 1
        });
        if !leaps.is_empty() {
            self.leaps[leap].kinds.push(kind);
        }
        let slides = slides.iter().map(|lines| {
            let slide = board.slide(lines);
            let known = |known: &Slide<W>| known.lines == slide.lines;
            let slide = self.slides.iter().position(known).unwrap_or_else(|| {
                self.slides.push(slide);
                self.slides.len() - 1
            });
            self.slides[slide].kinds.push(kind);
            slide
        });
        let slides = slides.collect();
        self.kinds.push(Kind { letter, name, value, leap, slides });
    }

    fn add_promotions(&mut self, board: &Board<'_>, game: &Declaration) {
        for zone in &game.promotion {
            let step_kinds = zone.pieces.chars().map(|letter| {
                let kind = self.kind_of_letter(letter).expect("pieces promote to declared kinds");
                let known = self.promotions.iter().position(|&promoted| promoted == kind);
                let index = known.unwrap_or_else(|| {
                    self.promotions.push(kind);
                    self.promotions.len() - 1
                });
                (index + 1) as u8
            });
            let step_kinds = step_kinds.collect();
            let on_rank = |&cell: &Cell| board.geometry.coordinates(cell)[1] + 1 == zone.rank;
            let cells = board.both_sets(board.geometry.cells().filter(on_rank).collect());
            self.zones.push(ZoneTables { cells, step_kinds, optional: zone.optional });
        }
    }

    /// Adds a right and returns its bit.
    fn add_right(&mut self, side: Side, letter: char, name: &'static str) -> u8 {
        let bit = 1u8.checked_shl(self.rights.len() as u32).expect("a game has at most 8 rights");
        self.rights.push(Right { side, letter, name });
        bit
    }

    fn add_castling(
        &mut self,
        board: &Board<'_>,
        side: Side,
        castling: &Castling,
        step_kind: u8,
        start: &Start<W>,
    ) {
        let cell = |name: &str| {
            let cell = board.geometry.cell(name).expect("castling is declared with cells");
            board.turned(side, cell)
        };
        let cells = |names: &[&str]| names.iter().map(|name| cell(name)).collect();
        let right = self.add_right(side, castling.letter, castling.name);
        let king = castling.king.map(cell);
        let rooks: Vec<_> = castling.rooks.iter().map(|rook| rook.map(cell)).collect();
        for home in rooks.iter().chain([&king]).map(|path| path[0]) {
            self.rights_lost[home.index()] |= right;
        }
        let letter = start.letter(rooks[0][0]).expect("castling moves a piece");
        self.castlings[side.index()].push(CastlingTables {
            name: castling.name,
            step_kind,
            right,
            king,
            rook: self.kind_of_letter(letter).expect("castling moves a declared kind"),
            rooks,
            must_be_empty: cells(&castling.must_be_empty),
            must_be_safe: cells(&castling.must_be_safe),
        });
    }

    /// The cells a pawn can reach from where its side's pawns start, without those where it has
    /// to promote.
    fn pawn_cells(&self, board: &Board<'_>) -> [CellSet<W>; 2] {
        let captures = &self.leaps[self.kinds[PAWN].leap].to[Side::White.index()];
        let (steps, first) = (&self.pawn.steps[0], &self.pawn.first[0]);
        let compulsory = self.zones.iter().filter(|zone| !zone.optional);
        let left = compulsory.fold(CellSet::EMPTY, |left, zone| left | zone.cells[0]);
        let mut stands = self.pawn.homes[0];
        loop {
            let mut next = stands;
            stands.for_each(|cell| {
                let i = cell.index();
                next |= (steps[i] | captures[i] | first[i].to) - left;
            });
            if next == stands {
                return board.both_sets(stands);
            }
            stands = next;
        }
    }

    /// The kind written `letter`, in either case.
    pub(super) fn kind_of_letter(&self, letter: char) -> Option<usize> {
        let letter = letter.to_ascii_uppercase();
        self.kinds.iter().position(|kind| kind.letter == letter)
    }

    /// The names of the kinds of steps.
    pub(super) fn step_kinds(&self) -> Vec<String> {
        let promotions =
            self.promotions.iter().map(|&kind| format!("={}", self.kinds[kind].letter));
        let castlings = self.castlings[0].iter().map(|castling| castling.name.to_owned());
        ["plain".to_owned()].into_iter().chain(promotions).chain(castlings).collect()
    }
}

/// The start of a game, needed before there are rules to read it with.
struct Start<const W: usize> {
    letters: Vec<Option<char>>,
    /// The cells of each side's pawns.
    pawns: [CellSet<W>; 2],
}

impl<const W: usize> Start<W> {
    fn read(game: &Declaration) -> Self {
        let mut letters = vec![None; game.geometry.cell_count()];
        Fields::split(game.start)
            .and_then(|fields| {
                read_placement(&game.geometry, &fields.placement, |letter, cell, _| {
                    letters[cell.index()] = Some(letter);
                    Ok(())
                })
            })
            .expect("a game is declared with a position to start from");
        let pawns = ['P', 'p'].map(|pawn| {
            game.geometry.cells().filter(|cell| letters[cell.index()] == Some(pawn)).collect()
        });
        Self { letters, pawns }
    }

    fn letter(&self, cell: Cell) -> Option<char> {
        self.letters[cell.index()]
    }
}

/// Makes tables of a board that is turned for Black.
struct Board<'d> {
    geometry: &'d Geometry,
    turn: Vec<Cell>,
}

impl Board<'_> {
    /// What `cell` is called on the board as `side` sees it.
    fn turned(&self, side: Side, cell: Cell) -> Cell {
        match side {
            Side::White => cell,
            Side::Black => self.turn[cell.index()],
        }
    }

    /// A set of White's and the same of Black.
    fn both_sets<const W: usize>(&self, white: CellSet<W>) -> [CellSet<W>; 2] {
        [white, white.iter().map(|cell| self.turned(Side::Black, cell)).collect()]
    }

    /// A table of White's and the same of Black.
    fn both_tables<const W: usize>(&self, white: Table<W>) -> [Table<W>; 2] {
        let turned = |cell: Cell| self.both_sets(white[self.turn[cell.index()].index()])[1];
        let black = self.geometry.cells().map(turned).collect();
        [white, black]
    }

    /// For each cell, the cells of the board that lie at one of `offsets`.
    fn table<const W: usize>(&self, offsets: &[Offset]) -> Table<W> {
        let reached = |cell| offsets.iter().filter_map(move |&o| self.geometry.shifted(cell, o, 1));
        self.geometry.cells().map(|cell| reached(cell).collect()).collect()
    }

    fn leap<const W: usize>(&self, offsets: &[Offset]) -> Leap<W> {
        let back: Vec<Offset> = offsets.iter().map(|offset| offset.map(|step| -step)).collect();
        Leap {
            to: self.both_tables(self.table(offsets)),
            from: self.both_tables(self.table(&back)),
            kinds: Vec::new(),
        }
    }

    fn slide<const W: usize>(&self, directions: Lines) -> Slide<W> {
        let line = |cell: Cell, along: Offset| {
            let ray = |direction| self.geometry.ray(cell, direction);
            let cells: CellSet<W> = ray(along).chain(ray(along.map(|step| -step))).collect();
            Line {
                below: cells.iter().filter(|&other| other < cell).collect(),
                above: cells.iter().filter(|&other| other > cell).collect(),
            }
        };
        let through = |cell| directions.iter().map(move |&along| line(cell, along));
        Slide {
            lines: self.geometry.cells().flat_map(through).collect(),
            lines_per_cell: directions.len(),
            kinds: Vec::new(),
        }
    }

    /// All of the tables but [`PawnTables::stands`], which depends on promotion.
    fn pawn<const W: usize>(&self, pawn: &Pawn, start: &Start<W>) -> PawnTables<W> {
        let steps = self.both_tables(self.table(&pawn.steps));
        let retractable = Side::ALL.map(|side| {
            let steps = &steps[side.index()];
            let back = |from: Cell| {
                steps[from.index()].iter().filter(|to| steps[to.index()].has(from)).collect()
            };
            self.geometry.cells().map(back).collect()
        });
        let none = First { to: CellSet::EMPTY, over: CellSet::EMPTY };
        let mut first = Side::ALL.map(|_| vec![none; self.geometry.cell_count()]);
        let mut passed = Side::ALL.map(|_| vec![None; self.geometry.cell_count()]);
        for side in Side::ALL {
            start.pawns[side.index()].for_each(|home| {
                let at = |offset, times| {
                    let to = self.geometry.shifted(self.turned(side, home), offset, times);
                    to.map(|to| self.turned(side, to))
                };
                let (to, over): (CellSet<W>, _) = match &pawn.first {
                    FirstMove::Jump(offsets) => {
                        (offsets.iter().filter_map(|&offset| at(offset, 1)).collect(), None)
                    }
                    &FirstMove::Double(step) => (at(step, 2).into_iter().collect(), at(step, 1)),
                };
                if let Some(over) = over {
                    passed[side.index()][over.index()] = to.first();
                }
                first[side.index()][home.index()] = First { to, over: over.into_iter().collect() };
            });
        }
        PawnTables {
            steps,
            retractable,
            first,
            tracks_spent: matches!(pawn.first, FirstMove::Jump(_)),
            homes: start.pawns,
            stands: [CellSet::EMPTY; 2],
            passed,
        }
    }
}
