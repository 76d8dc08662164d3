//! [`Rules`]: what the generator looks things up in.

use std::ops::Range;

use super::declaration::{Adjudication, Capture, Class, Declaration, Motion, Slave, Uses};
use super::motions::MotionTables;
use super::position::StacksPosition;
use super::stack::{
    FIRST_LAYER, MOST_LAYERS, Motions, Moves, ROYAL, SLAVE, Stacks, Unit, layers_of,
};
use crate::game::Basics;
use crate::lines::Lines;
use crate::{Cell, CellSet, Geometry, Side, Step, zobrist};

/// The rules of one game, compiled.
pub(crate) struct Rules {
    pub(super) id: &'static str,
    pub(super) geometry: Geometry,
    pub(super) lines: Lines<2>,
    /// All cells.
    pub(super) cells: CellSet<2>,
    pub(super) motions: Vec<MotionTables>,
    pub(super) stacks: Stacks,
    pub(super) classes: Vec<ClassTables>,
    /// Which stacks have a part that captures with which motion.
    pub(super) attacks: Vec<Attack>,
    pub(super) slave: Option<SlaveTables>,
    pub(super) royal: RoyalTables,
    /// Whether captures are jumps.
    pub(super) jumps: bool,
    /// The layers of the stacks that have a part which has to go on jumping.
    pub(super) goes_on: Unit,
    pub(super) check: bool,
    pub(super) adjudication: Adjudication,
    /// The last rank of each side.
    pub(super) last_rank: [CellSet<2>; 2],
    /// What the layers are called and what a piece is worth for being in them.
    pub(super) layers: Vec<Layer>,
    pub(super) start: &'static str,
    pub(super) keys: Keys,
}

/// A layer of the board, as in [`Unit`].
#[derive(Debug)]
pub(super) struct Layer {
    /// None if the game has no such pieces.
    pub(super) name: Option<String>,
    pub(super) value: i32,
}

/// A class of checkers.
#[derive(Debug)]
pub(super) struct ClassTables {
    /// As in [`super::Class`].
    pub(super) letter: &'static str,
    pub(super) men: bool,
    pub(super) most: usize,
    /// How many sizes there are.
    pub(super) sizes: usize,
    /// The layers of which each of its stacks is in at least one.
    pub(super) first_of_size: Unit,
}

/// A motion with which the stacks in some layers capture, be it with a part.
#[derive(Debug)]
pub(super) struct Attack {
    /// All of these layers.
    pub(super) layers: Unit,
    pub(super) motion: usize,
}

/// The slaves.
#[derive(Debug)]
pub(super) struct SlaveTables {
    pub(super) letter: char,
    pub(super) moves: Moves,
    /// What the first move adds.
    pub(super) first: Moves,
    /// The home rank of each side.
    pub(super) homes: [CellSet<2>; 2],
    /// Where a slave can ever stand.
    pub(super) stands: [CellSet<2>; 2],
    /// The stacks it may become.
    pub(super) promotions: Vec<u8>,
}

impl SlaveTables {
    /// Whether it matters if a slave on its home rank has moved.
    #[inline]
    pub(super) fn tracks_spent(&self) -> bool {
        !self.first.quiet.is_empty()
    }
}

/// The royal piece.
#[derive(Debug)]
pub(super) struct RoyalTables {
    pub(super) letter: char,
    pub(super) moves: Moves,
    /// What the leap right adds.
    pub(super) leaps: Moves,
    pub(super) in_hand: bool,
}

impl RoyalTables {
    /// Whether the game knows a leap right.
    pub(super) fn leaps(&self) -> bool {
        self.leaps != Moves::default()
    }
}

/// What a kind of step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StepKind {
    /// The slave or royal piece on the cell moves.
    Plain,
    /// This part of the stack on the cell moves.
    Part(u8),
    /// The slave on the cell moves and becomes this stack.
    Promotion(u8),
    /// The royal piece comes from the hand.
    Setting,
}

impl std::fmt::Debug for Rules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Rules").field(&self.id).finish()
    }
}

/// Collects motions, each of them once.
struct MotionList(Vec<Motion>);

impl MotionList {
    fn number(&mut self, motion: &Motion) -> usize {
        self.0.iter().position(|known| known == motion).unwrap_or_else(|| {
            self.0.push(motion.clone());
            self.0.len() - 1
        })
    }

    fn moves(&mut self, motion: &Motion, uses: Uses) -> Moves {
        let mut motions = Motions::default();
        motions.insert(self.number(motion));
        let none = Motions::default();
        Moves {
            quiet: if uses == Uses::Captures { none } else { motions },
            captures: if uses == Uses::Quiet { none } else { motions },
        }
    }

    fn all(&mut self, motions: &[(Motion, Uses)]) -> Moves {
        motions
            .iter()
            .fold(Moves::default(), |all, (motion, uses)| all.or(self.moves(motion, *uses)))
    }
}

/// The cells of `ranks`, counted from 0 on the side of `side`.
fn ranks_of(geometry: &Geometry, side: Side, ranks: impl std::ops::RangeBounds<u8>) -> CellSet<2> {
    let relative = |cell| {
        let [_, rank, ..] = geometry.coordinates(cell);
        if side == Side::White { rank } else { geometry.extent()[1] - 1 - rank }
    };
    geometry.cells().filter(|&cell| ranks.contains(&relative(cell))).collect()
}

impl Rules {
    /// The tables of a declared game.
    ///
    /// # Panics
    /// If the declaration contradicts itself: games are written in the source.
    pub(super) fn compile(basics: &Basics, declaration: &Declaration) -> Self {
        let geometry = &basics.geometry;
        let mut list = MotionList(Vec::new());
        let mut of_class = |class: &Class| {
            class.modes.iter().map(|mode| list.moves(&mode.motion, mode.uses)).collect()
        };
        let moves: Vec<Vec<Moves>> = declaration.classes.iter().map(&mut of_class).collect();
        let (jumps, goes_on) = match declaration.capture {
            Capture::Arrival => (false, ""),
            Capture::Jump { goes_on } => (true, goes_on),
        };
        let stacks = Stacks::compile(&declaration.classes, goes_on, &moves);
        let last = geometry.extent()[1] - 1;
        let royal = &declaration.royal;
        let slave = declaration.slave.as_ref().map(|slave| {
            let first = match slave.first.is_empty() {
                true => Moves::default(),
                false => list.moves(&Motion::Leap(slave.first.clone()), Uses::Quiet),
            };
            SlaveTables::new(slave, list.all(&slave.moves), first, jumps, &stacks, geometry)
        });
        let royal = RoyalTables {
            letter: royal.letter,
            moves: list.all(&royal.moves),
            leaps: list.all(&royal.leaps),
            in_hand: royal.in_hand,
        };
        let mut rules = Self {
            id: basics.id,
            lines: Lines::new(geometry),
            cells: geometry.cells().collect(),
            motions: list.0.iter().map(|motion| MotionTables::new(motion, geometry)).collect(),
            classes: Vec::new(),
            attacks: Vec::new(),
            slave,
            royal,
            jumps,
            goes_on: stacks.goes_on(),
            stacks,
            check: declaration.check,
            adjudication: declaration.adjudication,
            last_rank: Side::ALL.map(|side| ranks_of(geometry, side, last..)),
            layers: vec![
                Layer { name: Some(declaration.royal.name.to_owned()), value: 0 },
                Layer {
                    name: declaration.slave.as_ref().map(|slave| slave.name.to_owned()),
                    value: declaration.slave.as_ref().map_or(0, |slave| slave.value),
                },
            ],
            start: basics.start,
            keys: Keys::new(geometry.cell_count()),
            geometry: geometry.clone(),
        };
        rules.compile_classes(declaration, &moves);
        rules
    }

    fn compile_classes(&mut self, declaration: &Declaration, moves: &[Vec<Moves>]) {
        for (class, moves) in declaration.classes.iter().zip(moves) {
            let first = self.layers.len();
            let sizes = class.values.len();
            self.classes.push(ClassTables {
                letter: class.letter,
                men: class.men,
                most: class.most,
                sizes,
                first_of_size: layers_of(&vec![1; sizes], class.most, first),
            });
            for (mode, moves) in class.modes.iter().zip(moves) {
                let layers = layers_of(&mode.when.least(sizes), class.most, first);
                self.attacks.extend(moves.captures.each().map(|motion| Attack { layers, motion }));
            }
            for (size, &value) in (1..).zip(&class.values) {
                for nth in 0..class.most {
                    let second = if nth == 0 { "" } else { " double" };
                    let name = Some(format!("{}{size}{second}", class.name));
                    self.layers.push(Layer { name, value });
                }
            }
        }
    }

    /// The position the game starts from.
    pub(crate) fn start(&'static self) -> StacksPosition {
        self.parse_fen(self.start).expect("a game is declared with a position to start from")
    }

    /// The names of the kinds of steps, in the order of [`Rules::step_kind`].
    pub(super) fn step_kinds(&self) -> Vec<String> {
        let mut kinds = vec!["plain".to_owned()];
        kinds.extend(self.stacks.all().iter().skip(1).map(|stack| stack.text.clone()));
        kinds.extend(
            self.promotions().iter().map(|&number| format!("={}", self.stacks.get(number).text)),
        );
        if self.royal.in_hand {
            kinds.push(format!("{}*", self.royal.letter));
        }
        kinds
    }

    /// What kind of step `step` is.
    #[inline]
    pub(super) fn step_kind(&self, step: Step) -> StepKind {
        let kind = usize::from(step.kind());
        let first_promotion = self.stacks.all().len();
        if kind == 0 {
            StepKind::Plain
        } else if kind < first_promotion {
            StepKind::Part(step.kind())
        } else if let Some(&number) = self.promotions().get(kind - first_promotion) {
            StepKind::Promotion(number)
        } else {
            StepKind::Setting
        }
    }

    /// The kinds of the steps that promote, in the order of the promotions.
    #[inline]
    pub(super) fn promotion_kinds(&self) -> std::ops::Range<u8> {
        let first = self.stacks.all().len() as u8;
        first..first + self.promotions().len() as u8
    }

    /// The kind of a step that sets the royal piece.
    #[inline]
    pub(super) fn setting_kind(&self) -> u8 {
        self.promotion_kinds().end
    }

    /// The stacks that a slave may become.
    #[inline]
    fn promotions(&self) -> &[u8] {
        self.slave.as_ref().map_or(&[], |slave| &slave.promotions)
    }

    /// Whether it matters if a slave on its home rank has moved.
    #[inline]
    pub(super) fn tracks_spent(&self) -> bool {
        self.slave.as_ref().is_some_and(SlaveTables::tracks_spent)
    }

    /// The names of the input planes: each layer of the mover's and of the opponent's pieces, what
    /// else there is to know about either, and the stack that has to jump on.
    pub(super) fn planes(&self) -> Vec<String> {
        let mut planes = Vec::new();
        for owner in ["my", "their"] {
            planes.extend(self.plane_layers().map(|(_, name)| format!("{owner} {name}")));
        }
        let royal = self.layers[ROYAL].name.as_deref().unwrap_or_default();
        for owner in ["my", "their"] {
            if self.royal.leaps() {
                planes.push(format!("{owner} leap right"));
            }
            if self.royal.in_hand {
                planes.push(format!("{owner} {royal} in hand"));
            }
            if self.tracks_spent() {
                planes.push(format!("{owner} spent slaves"));
            }
        }
        if self.jumps {
            planes.push("capturing stack".to_owned());
        }
        planes
    }

    /// The layers of each kind of piece: of the royal piece, of slaves, and of checkers of each class
    /// and size, which may lie twice in a stack.
    pub(super) fn layers_of_kinds(&self) -> impl Iterator<Item = Range<usize>> {
        let checkers = self.classes.iter().flat_map(|class| {
            let first = class.first_of_size.trailing_zeros() as usize;
            (0..class.sizes).map(move |size| {
                let lowest = first + size * class.most;
                lowest..lowest + class.most
            })
        });
        [ROYAL, SLAVE].into_iter().map(|layer| layer..layer + 1).chain(checkers)
    }

    /// The layers that have input planes, with the names of these.
    pub(super) fn plane_layers(&self) -> impl Iterator<Item = (usize, &str)> {
        let layers = self.layers.iter().enumerate();
        layers.filter_map(|(layer, of)| of.name.as_deref().map(|name| (layer, name)))
    }
}

impl SlaveTables {
    fn new(
        slave: &Slave,
        moves: Moves,
        first: Moves,
        jumps: bool,
        stacks: &Stacks,
        geometry: &Geometry,
    ) -> Self {
        let (home, last) = (slave.home_rank - 1, geometry.extent()[1] - 1);
        // Only a jump can lead back behind the home rank.
        let lowest = if jumps { 0 } else { home };
        let may_become =
            |&number: &u8| (1..=slave.promotes_to).contains(&stacks.get(number).sizes.len());
        Self {
            letter: slave.letter,
            moves,
            first,
            homes: Side::ALL.map(|side| ranks_of(geometry, side, home..=home)),
            stands: Side::ALL.map(|side| ranks_of(geometry, side, lowest..last)),
            promotions: (0..stacks.all().len() as u8).filter(may_become).collect(),
        }
    }
}

/// The random numbers of the position key.
#[derive(Debug)]
pub(super) struct Keys {
    /// For each set of sides that have their leap right.
    pub(super) leaps: [u64; 4],
    /// For each set of sides that have their royal piece in hand.
    pub(super) hands: [u64; 4],
    /// For each cell with a spent slave.
    pub(super) spent: Vec<u64>,
    /// For each cell of a stack that has to jump on.
    pub(super) capturing: Vec<u64>,
    /// For each side and layer, for each cell.
    layers: Vec<[[u64; MOST_LAYERS]; 2]>,
}

impl Keys {
    fn new(cells: usize) -> Self {
        // The first is that of the side to move.
        let mut numbers = (1..).map(zobrist::number);
        let mut next = || numbers.next().expect("the sequence has no end");
        Self {
            leaps: std::array::from_fn(|_| next()),
            hands: std::array::from_fn(|_| next()),
            spent: (0..cells).map(|_| next()).collect(),
            capturing: (0..cells).map(|_| next()).collect(),
            layers: (0..cells)
                .map(|_| std::array::from_fn(|_| std::array::from_fn(|_| next())))
                .collect(),
        }
    }

    /// The number of a piece of `side` that is in `layer` on `cell`.
    #[inline]
    pub(super) fn layer(&self, side: Side, layer: usize, cell: Cell) -> u64 {
        self.layers[cell.index()][side.index()][layer]
    }
}

const _: () = assert!(ROYAL == 0 && SLAVE == 1 && FIRST_LAYER == 2, "the order of `Rules::layers`");
