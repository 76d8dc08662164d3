//! [`Game`]: one entry of the catalogue.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::families::{bermuda, chess, draughts, polyforms, stacks};
use crate::guide::Guide;
use crate::variants_ini::Variant;
use crate::{Cell, FenError, Geometry, History, Position, Repetition, Side, Step, catalogue};

/// Goes up when a rule, the order of kinds or of cells, or the meaning of a plane changes for any
/// game: old checkpoints are then refused, not misread.
const RULES_VERSION: u32 = 1;

/// A game of the catalogue: its rules and everything that other crates need to know about it.
#[derive(Debug)]
pub struct Game {
    /// The short name used on the command line, such as `mgc`.
    pub id: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The family whose generator plays it.
    pub family: &'static str,
    /// Edition and source: the rulebook page, or the body whose rules a control game follows.
    pub edition: &'static str,
    /// The board.
    pub geometry: Geometry,
    /// The kinds of steps in the order of [`Step::kind`]; kind 0 is a plain step.
    pub kinds: Vec<String>,
    /// The names of the input planes, the family's first, then the history's.
    pub planes: Vec<String>,
    /// What it means that a position recurs.
    pub repetition: Repetition,
    /// A game of this many plies is adjudicated: a draw, unless its rules say otherwise.
    pub maximum_plies: u32,
    /// Where each cell goes when the board is turned for Black, an involution.
    pub colour_turn: Vec<Cell>,
    /// The other maps of the board onto itself that keep the rules; the identity is not listed.
    pub symmetries: Vec<Symmetry>,
    /// What players have to be told; [`Game::page`] is made from it.
    pub guide: Guide,
    /// What a checkpoint or record must match to belong to these rules.
    pub fingerprint: u64,
    /// What `colour_turn` makes of the kinds of steps, by kind.
    turned_kinds: Vec<KindImage>,
    /// The same for each of `symmetries`.
    mapped_kinds: Vec<Vec<KindImage>>,
    /// What Fairy-Stockfish can be told of the game.
    pub(crate) variant: Variant,
    rules: Rules,
}

/// A map of the board onto itself that commutes with play, for the side that plays up the board.
#[derive(Debug, Clone)]
pub struct Symmetry {
    /// What it does, for people.
    pub name: &'static str,
    /// Where each cell goes, a permutation.
    pub cells: Vec<Cell>,
    /// Whether it needs a position without castling rights.
    pub without_castling: bool,
}

impl Symmetry {
    /// Whether the map commutes with play from `position`.
    #[must_use]
    pub fn holds(&self, position: &Position) -> bool {
        !(self.without_castling && position.castling_rights())
    }
}

/// What becomes of the steps of a kind under a map of the board.
///
/// A piece of several cells is addressed by its lowest cell. The image of that cell need not be the
/// lowest of the image, which is the piece in another orientation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KindImage {
    /// The kind of the image.
    pub(crate) kind: u8,
    /// How far, in cell numbers, the lowest cell of the image lies behind the image of the lowest.
    pub(crate) shift: i16,
}

impl KindImage {
    /// What becomes of kind number `kind` if its steps are addressed by single cells.
    pub(crate) fn same(kind: usize) -> Self {
        Self { kind: kind as u8, shift: 0 }
    }
}

/// The image of `step` under a map of the board: where the cells go, and what becomes of the kinds.
#[inline]
fn map_step(cells: &[Cell], kinds: &[KindImage], step: Step) -> Step {
    let KindImage { kind, shift } = kinds[usize::from(step.kind())];
    let image = |cell: Cell| cells[cell.index()].moved(shift.into());
    Step::new(kind, image(step.from()), image(step.to()))
}

/// The rules of a game, as its family has compiled them.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rules {
    /// As in [`Position::Chess1`].
    Chess1(&'static chess::Rules<1>),
    /// As in [`Position::Chess2`].
    Chess2(&'static chess::Rules<2>),
    /// As in [`Position::Draughts`].
    Draughts(&'static draughts::Rules),
    /// As in [`Position::Bermuda`].
    Bermuda(&'static bermuda::Rules),
    /// As in [`Position::Stacks`].
    Stacks(&'static stacks::Rules),
    /// As in [`Position::Polyominoes`].
    Polyominoes(&'static polyforms::Rules<2, 1>),
    /// As in [`Position::Polystacks`].
    Polystacks(&'static polyforms::Rules<2, 2>),
    /// As in [`Position::Polycubes`].
    Polycubes(&'static polyforms::Rules<12, 1>),
}

impl Rules {
    /// What becomes of each of the first `count` kinds under a map of the board.
    fn kind_images(self, count: usize, cells: &[Cell]) -> Vec<KindImage> {
        match self {
            Self::Polyominoes(rules) => rules.kind_images(cells),
            Self::Polystacks(rules) => rules.kind_images(cells),
            Self::Polycubes(rules) => rules.kind_images(cells),
            _ => (0..count).map(KindImage::same).collect(),
        }
    }
}

/// What a game is declared with, whatever its family. The fields of the same names are those of
/// [`Game`].
#[derive(Debug)]
pub(crate) struct Basics {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) edition: &'static str,
    pub(crate) geometry: Geometry,
    /// The position string of the start.
    pub(crate) start: &'static str,
    pub(crate) repetition: Repetition,
    pub(crate) maximum_plies: u32,
    pub(crate) guide: Guide,
}

/// What a family tells about a game to enter it into the catalogue.
pub(crate) struct Entry {
    pub(crate) basics: Basics,
    pub(crate) family: &'static str,
    pub(crate) kinds: Vec<String>,
    pub(crate) planes: Vec<String>,
    /// What the fingerprint covers besides, in any words: rules that another reading of the rulebook
    /// would change although kinds and planes keep their names. Where it is empty, only
    /// [`RULES_VERSION`] tells of such a change.
    pub(crate) readings: String,
    pub(crate) colour_turn: Vec<Cell>,
    pub(crate) symmetries: Vec<Symmetry>,
    /// What Fairy-Stockfish can be told of the game.
    pub(crate) variant: Variant,
    pub(crate) rules: Rules,
}

/// No game has this id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown game `{id}`: {problem}")]
pub struct UnknownGame {
    /// What was asked for.
    pub id: String,
    /// Which games there are, or what is wrong with an id that is nearly one.
    pub problem: String,
}

static CATALOGUE: LazyLock<Vec<Game>> =
    LazyLock::new(|| catalogue::entries().into_iter().map(Game::new).collect());

/// The unlisted games that have been asked for; they live as long as the program.
static UNLISTED: Mutex<BTreeMap<String, &Game>> = Mutex::new(BTreeMap::new());

impl Game {
    /// Every listed game, in the order of the catalogue.
    #[must_use]
    pub fn all() -> &'static [Self] {
        &CATALOGUE
    }

    /// The game called `id`, which may be one that is not listed.
    ///
    /// ```
    /// use games::Game;
    /// assert_eq!(Game::by_id("mgc1-no-QP")?.id, "mgc1-no-PQ");
    /// assert_eq!(Game::by_id("mgc1-no-NEG")?.id, "mgc1-incomplete");
    /// # Ok::<(), games::UnknownGame>(())
    /// ```
    ///
    /// # Errors
    /// If there is none; the message lists them all.
    pub fn by_id(id: &str) -> Result<&'static Self, UnknownGame> {
        let listed = |id: &str| Self::all().iter().find(|game| game.id == id);
        if let Some(game) = listed(id) {
            return Ok(game);
        }
        let unknown = |problem| UnknownGame { id: id.to_owned(), problem };
        let Some(named) = catalogue::unlisted(id) else {
            let ids: Vec<_> = Self::all().iter().map(|game| game.id).collect();
            let ids = ids.join(", ");
            return Err(unknown(format!("the games are {ids} and {}", catalogue::UNLISTED)));
        };
        let (id, entry) = named.map_err(unknown)?;
        if let Some(game) = listed(&id) {
            return Ok(game);
        }
        let mut made = UNLISTED.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(made.entry(id).or_insert_with(|| Box::leak(Box::new(Self::new(entry())))))
    }

    /// The game that `entry` tells of.
    pub(crate) fn new(entry: Entry) -> Self {
        let basics = entry.basics;
        let mut planes = entry.planes;
        planes.extend(History::planes(basics.repetition).map(str::to_owned));
        let mut hasher = blake3::Hasher::new();
        let mut word = |text: &str| {
            hasher.update(text.as_bytes()).update(b"\0");
        };
        word(basics.id);
        word(&RULES_VERSION.to_string());
        word(&format!("{}/{:?}", basics.maximum_plies, basics.repetition));
        for list in [&entry.kinds, &planes] {
            list.iter().for_each(|name| word(name));
            word("");
        }
        basics.geometry.cells().for_each(|cell| word(basics.geometry.name(cell)));
        if !entry.readings.is_empty() {
            word(&entry.readings);
        }
        let fingerprint =
            u64::from_le_bytes(*hasher.finalize().as_bytes().first_chunk().expect("32 bytes"));
        let images = |cells: &[Cell]| entry.rules.kind_images(entry.kinds.len(), cells);
        let turned_kinds = images(&entry.colour_turn);
        let mapped_kinds = entry.symmetries.iter().map(|map| images(&map.cells)).collect();
        Self {
            id: basics.id,
            title: basics.title,
            family: entry.family,
            edition: basics.edition,
            geometry: basics.geometry,
            kinds: entry.kinds,
            planes,
            repetition: basics.repetition,
            maximum_plies: basics.maximum_plies,
            colour_turn: entry.colour_turn,
            symmetries: entry.symmetries,
            guide: basics.guide,
            fingerprint,
            turned_kinds,
            mapped_kinds,
            variant: entry.variant,
            rules: entry.rules,
        }
    }

    /// The position the game starts from.
    #[must_use]
    pub fn start(&self) -> Position {
        match self.rules {
            Rules::Chess1(rules) => Position::Chess1(rules.start()),
            Rules::Chess2(rules) => Position::Chess2(rules.start()),
            Rules::Draughts(rules) => Position::Draughts(rules.start()),
            Rules::Bermuda(rules) => Position::Bermuda(rules.start()),
            Rules::Stacks(rules) => Position::Stacks(rules.start()),
            Rules::Polyominoes(rules) => Position::Polyominoes(rules.start()),
            Rules::Polystacks(rules) => Position::Polystacks(rules.start()),
            Rules::Polycubes(rules) => Position::Polycubes(rules.start()),
        }
    }

    /// Reads a position string.
    ///
    /// # Errors
    /// If the text is not a position of this game; the error names the field and the column.
    pub fn parse_fen(&self, text: &str) -> Result<Position, FenError> {
        match self.rules {
            Rules::Chess1(rules) => rules.parse_fen(text).map(Position::Chess1),
            Rules::Chess2(rules) => rules.parse_fen(text).map(Position::Chess2),
            Rules::Draughts(rules) => rules.parse_fen(text).map(Position::Draughts),
            Rules::Bermuda(rules) => rules.parse_fen(text).map(Position::Bermuda),
            Rules::Stacks(rules) => rules.parse_fen(text).map(Position::Stacks),
            Rules::Polyominoes(rules) => rules.parse_fen(text).map(Position::Polyominoes),
            Rules::Polystacks(rules) => rules.parse_fen(text).map(Position::Polystacks),
            Rules::Polycubes(rules) => rules.parse_fen(text).map(Position::Polycubes),
        }
    }

    /// The hands field of a position string for the pieces in `letters`, one letter each in any
    /// order. What is no piece in hand is left for [`Game::parse_fen`] to refuse.
    pub(crate) fn hands_text(&self, letters: &str) -> String {
        match self.rules {
            Rules::Chess1(rules) => rules.hands_text(letters),
            Rules::Chess2(rules) => rules.hands_text(letters),
            _ if letters.is_empty() => "-".to_owned(),
            _ => letters.to_owned(),
        }
    }

    /// `step` as it looks on the board turned for `mover`, who then plays up.
    #[inline]
    #[must_use]
    pub fn turned(&self, mover: Side, step: Step) -> Step {
        match mover {
            Side::White => step,
            Side::Black => map_step(&self.colour_turn, &self.turned_kinds, step),
        }
    }

    /// The step that `step` becomes under number `symmetry` of [`Game::symmetries`].
    #[inline]
    #[must_use]
    pub fn mapped(&self, symmetry: usize, step: Step) -> Step {
        map_step(&self.symmetries[symmetry].cells, &self.mapped_kinds[symmetry], step)
    }
}
