//! How a [`Declaration`] becomes [`Rules`].

use super::attacks::{Leap, Line, Slide, Table};
use super::declaration::{Castling, Declaration, FirstMove, Lines, Pawn, Piece, ZoneCells};
use super::rules::{
    CastlingTables, Crowning, Held, Keys, Kind, MOST_HELD, MOST_KINDS, MOST_OF_A_KIND, PAWN,
    PawnMoves, PawnTables, Right, Rules, ZoneTables,
};
use crate::game::Basics;
use crate::notation::{Fields, read_placement};
use crate::{Cell, CellSet, Geometry, Offset, Side, Step};

impl<const W: usize> Rules<W> {
    /// Compiles `game`.
    ///
    /// # Panics
    /// If the declaration contradicts itself: games are written in the source.
    pub(super) fn compile(basics: &Basics, game: &Declaration) -> Self {
        let geometry = &basics.geometry;
        let board = TurnedBoard { geometry, turn: geometry.mirrored(game.turn) };
        let start = Start::read(basics);
        let mut rules = Self {
            id: basics.id,
            geometry: geometry.clone(),
            start: basics.start,
            left_out: Vec::new(),
            cells: CellSet::first_cells(geometry.cell_count()),
            kinds: Vec::new(),
            leaps: Vec::new(),
            slides: Vec::new(),
            king_leap: board.leap(&game.king.leaps_until_checked),
            leap_right: [0; 2],
            king_doubles: board.king_doubles(&game.king.double_move),
            double_right: [0; 2],
            pawn: board.pawn(&game.pawn, &start),
            promotions: Vec::new(),
            zones: Vec::new(),
            two_kings: game.king.second.is_some(),
            crowning: None,
            turning: Step::PLAIN,
            turning_zone: [CellSet::EMPTY; 2],
            held: Vec::new(),
            first_drop: 0,
            files: board.files(),
            stalemate: game.stalemate,
            castlings: [Vec::new(), Vec::new()],
            rights: Vec::new(),
            rights_lost: vec![0; geometry.cell_count()],
            keys: Keys::new(0, 0),
        };
        let piece = |letter, name, value, leaps: &Vec<Offset>| {
            Piece::new(letter, name, value, leaps.clone(), Vec::new())
        };
        rules.add_kind(&board, &piece('P', "pawn", 100, &game.pawn.captures));
        let second = game.king.second.unwrap_or(0);
        rules.add_kind(&board, &piece('K', "king", second, &game.king.leaps));
        for piece in &game.pieces {
            rules.add_kind(&board, piece);
        }
        rules.add_turning(&board, game);
        assert!(rules.kinds.len() <= MOST_KINDS, "{}: too many kinds of pieces", rules.id);
        let kind = |letter| rules.kind_of_letter(letter).expect("a declared kind is left out");
        rules.left_out = game.left_out.chars().map(kind).collect();
        rules.add_promotions(&board, game);
        for side in Side::ALL {
            // With two kings there is a right for each, and it is not one of the letters.
            if !game.king.leaps_until_checked.is_empty() && !rules.two_kings {
                rules.leap_right[side.index()] = rules.add_right(side, 'K', "leap");
            }
            if !game.king.double_move.is_empty() {
                rules.double_right[side.index()] = rules.add_right(side, 'D', "double move");
            }
            for (i, castling) in game.castling.iter().enumerate() {
                let step_kind = (1 + rules.promotions.len() + i) as u8;
                rules.add_castling(&board, side, castling, step_kind, &start);
            }
        }
        rules.add_hands(game, &start);
        for kind in 0..rules.kinds.len() {
            rules.kinds[kind].stuck = rules.stuck_cells(kind);
        }
        assert!(
            rules.two_kings || rules.crowning.is_none(),
            "{}: pawns become kings where a side may have two",
            rules.id
        );
        assert!(
            !rules.two_kings || rules.rights.is_empty(),
            "{}: the rights field lists either letters or kings",
            rules.id
        );
        rules.pawn.stands = rules.pawn_cells(&board, &game.pawn);
        rules.pawn.changes = rules.pawn_changes();
        rules.keys = Keys::new(geometry.cell_count(), rules.rights.len());
        rules
    }

    fn add_kind(&mut self, board: &TurnedBoard<'_>, piece: &Piece) {
        let kind = self.kinds.len() as u8;
        let leap = board.leap(&piece.leaps);
        let leap = self.leaps.iter().position(|known| known.to == leap.to).unwrap_or_else(|| {
            self.leaps.push(leap);
            self.leaps.len() - 1
        });
        if !piece.leaps.is_empty() {
            self.leaps[leap].kinds.push(kind);
        }
        let slides = piece.slides.iter().map(|&lines| {
            let slide = board.slide(lines);
            let known = |known: &Slide<W>| known.lines == slide.lines && known.into == slide.into;
            let slide = self.slides.iter().position(known).unwrap_or_else(|| {
                self.slides.push(slide);
                self.slides.len() - 1
            });
            self.slides[slide].kinds.push(kind);
            slide
        });
        let slides = slides.collect();
        let quiet = |_: &Offset| board.both_tables(board.table(&piece.quiet));
        self.kinds.push(Kind {
            letter: piece.letter,
            turned: false,
            name: piece.name,
            value: piece.value,
            leap,
            slides,
            peculiar: !piece.quiet.is_empty(),
            quiet: piece.quiet.first().map(quiet),
            stuck: [CellSet::EMPTY; 2],
            turns_into: None,
            held: None,
        });
    }

    /// Adds the other sides of pieces.
    fn add_turning(&mut self, board: &TurnedBoard<'_>, game: &Declaration) {
        let Some(turning) = &game.turning else { return };
        for piece in &turning.pieces {
            let face = self.kind_of_letter(piece.letter).expect("declared kinds turn over");
            self.kinds[face].turns_into = Some(self.kinds.len());
            self.kinds[face].peculiar = true;
            self.add_kind(board, piece);
            self.kinds.last_mut().expect("a kind was added").turned = true;
        }
        let near = board.geometry.extent()[1] - turning.ranks;
        let in_zone = |&cell: &Cell| board.geometry.coordinates(cell)[1] >= near;
        self.turning_zone = board.both_sets(board.geometry.cells().filter(in_zone).collect());
    }

    /// Adds what hands hold, and numbers the steps that turn and drop. They follow the castlings.
    fn add_hands(&mut self, game: &Declaration, start: &Start<W>) {
        let mut next = (1 + self.promotions.len() + game.castling.len()) as u8;
        if game.turning.is_some() {
            self.turning = next;
            next += 1;
        }
        self.first_drop = next;
        for letter in game.hands.chars() {
            let kind = self.kind_of_letter(letter).expect("hands hold declared kinds");
            let held = Some(self.held.len());
            self.kinds[kind].held = held;
            if let Some(turned) = self.kinds[kind].turns_into {
                self.kinds[turned].held = held;
            }
            let same = |unit: &&Option<char>| unit.is_some_and(|c| c.eq_ignore_ascii_case(&letter));
            let most = start.letters.iter().filter(same).count();
            assert!(most <= MOST_OF_A_KIND, "{}: too many of {letter}", self.id);
            self.held.push(Held { kind, most: most as u8 });
        }
        assert!(self.held.len() <= MOST_HELD, "{}: too many kinds in hand", self.id);
    }

    /// For each side, the cells from where a piece of `kind` could not move on an empty board.
    fn stuck_cells(&self, kind: usize) -> [CellSet<W>; 2] {
        let tables = &self.kinds[kind];
        Side::ALL.map(|side| {
            let moves = |cell: &Cell| {
                let i = cell.index();
                let mut to = self.leaps[tables.leap].to[side.index()][i];
                for &slide in &tables.slides {
                    to |= self.slides[slide].reach(*cell, side, CellSet::EMPTY);
                }
                if let Some(quiet) = &tables.quiet {
                    to |= quiet[side.index()][i];
                }
                if kind == PAWN {
                    let moves = &self.pawn.moves[side.index()][i];
                    to |= moves.steps | moves.first;
                }
                to.is_empty()
            };
            self.geometry.cells().filter(moves).collect()
        })
    }

    fn add_promotions(&mut self, board: &TurnedBoard<'_>, game: &Declaration) {
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
            let step_kinds: Vec<u8> = step_kinds.collect();
            let cells = board.both_sets(board.zone(&zone.cells));
            if zone.pieces == "K" {
                self.crowning = Some(Crowning { cells, step_kind: step_kinds[0] });
            } else {
                assert!(!zone.pieces.contains('K'), "{}: a king is no choice", self.id);
                self.zones.push(ZoneTables { cells, step_kinds, optional: zone.optional });
            }
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
        board: &TurnedBoard<'_>,
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

    /// The cells where an arriving pawn may promote or turn over.
    fn pawn_changes(&self) -> [CellSet<W>; 2] {
        let turning = if self.kinds[PAWN].turns_into.is_some() {
            self.turning_zone
        } else {
            [CellSet::EMPTY; 2]
        };
        let both = |changes: [CellSet<W>; 2], zone: &ZoneTables<W>| {
            Side::ALL.map(|side| changes[side.index()] | zone.cells[side.index()])
        };
        self.zones.iter().fold(turning, both)
    }

    /// The cells where pawns can be dropped if they can. Otherwise those a pawn can reach from
    /// where its side's pawns start, or all if it may stand anywhere, without those where it has to
    /// promote.
    fn pawn_cells(&self, board: &TurnedBoard<'_>, pawn: &Pawn) -> [CellSet<W>; 2] {
        if self.kinds[PAWN].held.is_some() {
            return self.kinds[PAWN].stuck.map(|stuck| self.cells - stuck);
        }
        let compulsory = self.zones.iter().filter(|zone| !zone.optional);
        let left = compulsory.fold(CellSet::EMPTY, |left, zone| left | zone.cells[0]);
        let mut stands = if pawn.anywhere { self.cells - left } else { self.pawn.homes[0] };
        loop {
            let mut next = stands;
            stands.for_each(|cell| {
                let moves = &self.pawn.moves[0][cell.index()];
                next |= (moves.steps | moves.captures | moves.first) - left;
            });
            if next == stands {
                return board.both_sets(stands);
            }
            stands = next;
        }
    }
}

/// The start of a game, needed before there are rules to read it with.
struct Start<const W: usize> {
    letters: Vec<Option<char>>,
    /// The cells of each side's pawns.
    pawns: [CellSet<W>; 2],
}

impl<const W: usize> Start<W> {
    fn read(basics: &Basics) -> Self {
        let mut letters = vec![None; basics.geometry.cell_count()];
        Fields::split(basics.start)
            .and_then(|fields| {
                read_placement(&basics.geometry, &fields.placement, |unit, cell, _| {
                    letters[cell.index()] = unit.chars().next();
                    Ok(())
                })
            })
            .expect("a game is declared with a position to start from");
        let pawns = ['P', 'p'].map(|pawn| {
            basics.geometry.cells().filter(|cell| letters[cell.index()] == Some(pawn)).collect()
        });
        Self { letters, pawns }
    }

    fn letter(&self, cell: Cell) -> Option<char> {
        self.letters[cell.index()]
    }
}

/// Makes tables of a board that is turned for Black.
pub(in crate::families) struct TurnedBoard<'d> {
    pub(in crate::families) geometry: &'d Geometry,
    pub(in crate::families) turn: Vec<Cell>,
}

impl TurnedBoard<'_> {
    /// What `cell` is called on the board as `side` sees it.
    pub(in crate::families) fn turned(&self, side: Side, cell: Cell) -> Cell {
        match side {
            Side::White => cell,
            Side::Black => self.turn[cell.index()],
        }
    }

    /// A set of White's and the same of Black.
    pub(in crate::families) fn both_sets<const W: usize>(
        &self,
        white: CellSet<W>,
    ) -> [CellSet<W>; 2] {
        [white, white.iter().map(|cell| self.turned(Side::Black, cell)).collect()]
    }

    /// A table of White's and the same of Black.
    fn both_tables<const W: usize>(&self, white: Table<W>) -> [Table<W>; 2] {
        let turned = |cell: Cell| self.both_sets(white[self.turn[cell.index()].index()])[1];
        let black = self.geometry.cells().map(turned).collect();
        [white, black]
    }

    fn zone<const W: usize>(&self, cells: &ZoneCells) -> CellSet<W> {
        match *cells {
            ZoneCells::Rank(rank) => {
                let on_rank = |&cell: &Cell| self.geometry.coordinates(cell)[1] + 1 == rank;
                self.geometry.cells().filter(on_rank).collect()
            }
            ZoneCells::Named(names) => {
                let cell = |&name| self.geometry.cell(name).expect("a zone is made of cells");
                names.iter().map(cell).collect()
            }
        }
    }

    /// For each cell, the cells of its file.
    fn files<const W: usize>(&self) -> Table<W> {
        let file = |cell| self.geometry.coordinates(cell)[0];
        let same = |cell| self.geometry.cells().filter(move |&other| file(other) == file(cell));
        self.geometry.cells().map(|cell| same(cell).collect()).collect()
    }

    /// For each cell, the cells of the board that lie at one of `offsets`.
    pub(in crate::families) fn table<const W: usize>(&self, offsets: &[Offset]) -> Table<W> {
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

    pub(in crate::families) fn slide<const W: usize>(&self, along: Lines) -> Slide<W> {
        let mut lines = Vec::new();
        let [out, into] = if along.both_ways {
            lines = self.lines(Side::White, along, &[1, -1]);
            [[0; 2]; 2]
        } else {
            [1, -1].map(|sign| {
                Side::ALL.map(|side| {
                    let start = lines.len();
                    lines.extend(self.lines(side, along, &[sign]));
                    start
                })
            })
        };
        Slide { lines, out, into, lines_per_cell: along.along.len(), kinds: Vec::new() }
    }

    /// For each cell, its lines as `side` sees the board: forwards if `signs` has 1, backwards if it
    /// has -1.
    fn lines<const W: usize>(&self, side: Side, lines: Lines, signs: &[i8]) -> Vec<Line<W>> {
        let line = |cell: Cell, offset: &Offset| {
            let ray = |sign: &i8| {
                let direction = offset.map(|step| sign * step);
                self.geometry.ray(self.turned(side, cell), direction).take(lines.range)
            };
            let seen = signs.iter().flat_map(ray);
            let cells: CellSet<W> = seen.map(|other| self.turned(side, other)).collect();
            Line {
                below: cells.iter().filter(|&other| other < cell).collect(),
                above: cells.iter().filter(|&other| other > cell).collect(),
            }
        };
        let through = |cell| lines.along.iter().map(move |offset| line(cell, offset));
        self.geometry.cells().flat_map(through).collect()
    }

    /// For each side and cell, the double moves of a king there: the cell between and the target.
    fn king_doubles(&self, steps: &[Offset]) -> [Vec<Vec<[Cell; 2]>>; 2] {
        Side::ALL.map(|side| {
            let doubles = |cell: Cell| {
                let at = |step, times| {
                    let to = self.geometry.shifted(self.turned(side, cell), step, times)?;
                    Some(self.turned(side, to))
                };
                steps.iter().filter_map(|&step| Some([at(step, 1)?, at(step, 2)?])).collect()
            };
            self.geometry.cells().map(doubles).collect()
        })
    }

    /// All of the tables but [`PawnTables::stands`], which depends on promotion.
    fn pawn<const W: usize>(&self, pawn: &Pawn, start: &Start<W>) -> PawnTables<W> {
        let steps = self.both_tables(self.table(&pawn.steps));
        let captures = self.both_tables(self.table(&pawn.captures));
        let mut passed = Side::ALL.map(|_| vec![None; self.geometry.cell_count()]);
        let moves = Side::ALL.map(|side| {
            let moves = |cell: Cell| {
                let mut moves = PawnMoves {
                    steps: steps[side.index()][cell.index()],
                    captures: captures[side.index()][cell.index()],
                    first: CellSet::EMPTY,
                    over: CellSet::EMPTY,
                };
                if start.pawns[side.index()].has(cell) {
                    self.add_first_move(side, cell, &pawn.first, &mut moves);
                }
                if let Some(over) = moves.over.first() {
                    passed[side.index()][over.index()] = moves.first.first();
                }
                moves
            };
            self.geometry.cells().map(moves).collect()
        });
        let retractable = steps.map(|steps: Table<W>| {
            let back = |from: Cell| {
                steps[from.index()].iter().filter(|to| steps[to.index()].has(from)).collect()
            };
            self.geometry.cells().map(back).collect()
        });
        PawnTables {
            moves,
            retractable,
            changes: [CellSet::EMPTY; 2],
            passes: matches!(pawn.first, FirstMove::Double(_)),
            tracks_spent: matches!(pawn.first, FirstMove::Jump(_)),
            homes: start.pawns,
            stands: [CellSet::EMPTY; 2],
            passed,
        }
    }

    /// Adds the first move of a pawn that starts on `home`.
    fn add_first_move<const W: usize>(
        &self,
        side: Side,
        home: Cell,
        declared: &FirstMove,
        moves: &mut PawnMoves<W>,
    ) {
        let at = |offset, times| {
            let to = self.geometry.shifted(self.turned(side, home), offset, times)?;
            Some(self.turned(side, to))
        };
        match declared {
            FirstMove::Plain => {}
            FirstMove::Jump(offsets) => {
                moves.first = offsets.iter().filter_map(|&offset| at(offset, 1)).collect();
            }
            &FirstMove::Double(step) => {
                moves.first = at(step, 2).into_iter().collect();
                moves.over = at(step, 1).into_iter().collect();
            }
        }
    }
}
