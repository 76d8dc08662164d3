//! Texts that are nearly right, and what has to hold of whatever is made of them.
//!
//! Everyday tests look at some of them, always the same; the long tests look for minutes, each time
//! at others.

use std::collections::BTreeSet;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use games::{Features, Game, History, Position, State, Step};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::{sample, turned};

/// Whole moves that are played from a position.
const PLIES: usize = 4;

/// Steps of a state that are tried.
const TRIED: usize = 8;

/// Bytes that reading or listing may use, besides some for each byte of a text.
const MOST_BYTES: u64 = 1 << 25;

/// No single question takes nearly so long, however busy the machine is.
const MOST_TIME: Duration = Duration::from_secs(30);

/// Letters that one edit adds.
const MOST_LETTERS: usize = 10_000;

/// Good position strings of a game, and the units that stand in them.
pub(crate) struct Pool {
    fens: Vec<String>,
    units: Vec<String>,
}

/// The pool of `game`: its vectors, and positions of random games.
pub(crate) fn pool(game: &'static Game) -> &'static Pool {
    static POOLS: LazyLock<Mutex<Vec<(&str, &'static Pool)>>> = LazyLock::new(Mutex::default);
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(&(_, pool)) = pools.iter().find(|(id, _)| *id == game.id) {
        return pool;
    }
    let mut fens = sample::vector_fens(game);
    for seed in 50..52 {
        sample::random_game(game, seed, &mut |history| {
            if !history.position().mid_move() && history.plies() % 7 == 0 {
                fens.push(history.position().fen());
            }
        });
    }
    let placements = fens.iter().map(|fen| fen.split(' ').next().expect("a first field"));
    let units = placements.flat_map(|placement| turned::units(&game.geometry, placement));
    let units: BTreeSet<String> = units.map(|(_, unit)| unit).collect();
    // Once for each game, for as long as the tests run.
    let pool = Box::leak(Box::new(Pool { fens, units: units.into_iter().collect() }));
    pools.push((game.id, pool));
    pool
}

/// One change of a text.
#[derive(Debug, Clone)]
enum Edit {
    Insert(Index, String),
    Replace(Index, char),
    Delete(Index),
    Swap(Index, Index),
    Cut(Index),
    /// What stands between two places, so often.
    Repeat(Index, Index, usize),
    /// A field, by the same field of another string.
    Field(Index, String),
}

/// Pieces of text that mean something somewhere, or nearly.
const SNIPPETS: [&str; 36] = [
    "0",
    "00",
    "1",
    "9",
    "10",
    "99",
    "65536",
    "4294967296",
    "99999999999999999999",
    "-1",
    "+1",
    "1e9",
    "0x1",
    "(",
    ")",
    "[",
    "]",
    "()",
    "[]",
    "(((",
    "]]]",
    "(1",
    "[0]",
    "+",
    "++",
    "|",
    "||",
    "/",
    "//",
    " ",
    "  ",
    "\t",
    "\n",
    "\0",
    " extra",
    "é",
];

/// A letter that means something somewhere, or any character at all.
fn letter() -> impl Strategy<Value = char> + Clone {
    let meant = "PNBRQKpnbrqkwHLGMACESTUVWXYZhlgmace0123456789abcdefghik /|-=:+*()[],";
    prop_oneof![9 => select(meant.chars().collect::<Vec<_>>()), 1 => any::<char>()].boxed()
}

fn edit(fields: &'static [String]) -> impl Strategy<Value = Edit> {
    let inserted =
        prop_oneof![letter().prop_map(String::from), select(&SNIPPETS[..]).prop_map(str::to_owned)];
    let repeated =
        (any::<Index>(), any::<Index>(), prop_oneof![4 => 1..4_usize, 1 => 1..MOST_LETTERS]);
    prop_oneof![
        3 => (any::<Index>(), inserted).prop_map(|(at, text)| Edit::Insert(at, text)),
        3 => (any::<Index>(), letter()).prop_map(|(at, letter)| Edit::Replace(at, letter)),
        3 => any::<Index>().prop_map(Edit::Delete),
        3 => any::<(Index, Index)>().prop_map(|(a, b)| Edit::Swap(a, b)),
        1 => any::<Index>().prop_map(Edit::Cut),
        1 => repeated.prop_map(|(a, b, times)| Edit::Repeat(a, b, times)),
        3 => (any::<Index>(), select(fields)).prop_map(|(at, other)| Edit::Field(at, other)),
    ]
}

fn edited(text: &str, edits: &[Edit]) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for edit in edits {
        let length = text.len();
        if length == 0 {
            break;
        }
        match edit {
            Edit::Insert(at, other) => {
                let at = at.index(length + 1);
                text.splice(at..at, other.chars());
            }
            Edit::Replace(at, letter) => text[at.index(length)] = *letter,
            Edit::Delete(at) => drop(text.remove(at.index(length))),
            Edit::Swap(a, b) => text.swap(a.index(length), b.index(length)),
            Edit::Cut(at) => text.truncate(at.index(length)),
            Edit::Repeat(a, b, times) => {
                let (a, b) = (a.index(length), b.index(length));
                let part = text[a.min(b)..=a.max(b)].to_vec();
                let times = (*times).min(MOST_LETTERS / part.len());
                text.splice(a.min(b)..a.min(b), part.repeat(times));
            }
            Edit::Field(at, other) => {
                let whole: String = text.iter().collect();
                let mut fields: Vec<&str> = whole.split(' ').collect();
                let at = at.index(fields.len());
                if let Some(field) = other.split(' ').nth(at) {
                    fields[at] = field;
                }
                text = fields.join(" ").chars().collect();
            }
        }
    }
    text.into_iter().collect()
}

/// Any bytes as text, any mix of characters that mean something, or a string of another game.
pub(crate) fn noise() -> impl Strategy<Value = String> {
    let bytes = prop::collection::vec(any::<u8>(), 0..300);
    let letters = prop::collection::vec(letter(), 0..200);
    let games = select(Game::all().iter().collect::<Vec<_>>());
    let foreign = (games, any::<Index>())
        .prop_map(|(game, chosen)| chosen.get::<String>(&pool(game).fens).clone());
    prop_oneof![
        bytes.prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        letters.prop_map(String::from_iter),
        foreign,
    ]
}

/// Position strings of `game` with a few changes.
pub(crate) fn spoilt_strings(game: &'static Game) -> impl Strategy<Value = String> {
    let fens = &pool(game).fens;
    (select(&fens[..]), prop::collection::vec(edit(fens), 1..5))
        .prop_map(|(fen, edits)| edited(&fen, &edits))
}

/// Position strings of `game` with other units, or none, on some cells: mostly well written.
pub(crate) fn other_placements(game: &'static Game) -> impl Strategy<Value = String> {
    let Pool { fens, units } = pool(game);
    let unit = prop::option::of(select(&units[..]));
    let changes = prop::collection::vec((any::<Index>(), unit), 1..12);
    let cleared = prop_oneof![3 => Just(None), 1 => any::<u64>().prop_map(Some)];
    let other = prop_oneof![2 => Just(Vec::new()), 1 => prop::collection::vec(edit(fens), 1)];
    (select(&fens[..]), cleared, changes, other).prop_map(|(fen, cleared, changes, edits)| {
        let geometry = &game.geometry;
        let (written, rest) = fen.split_once(' ').expect("several fields");
        let mut placement = vec![None; geometry.cell_count()];
        for (cell, unit) in turned::units(geometry, written) {
            // A few or many fewer pieces, chosen by the bits of a number.
            let kept = cleared.is_none_or(|bits| bits >> (cell.index() % 64) & 1 != 0);
            placement[cell.index()] = Some(unit).filter(|_| kept);
        }
        for (at, unit) in changes {
            placement[at.index(geometry.cell_count())] = unit;
        }
        edited(&format!("{} {rest}", turned::placement_text(geometry, &placement)), &edits)
    })
}

/// A position of `game`, and the text of one of its moves with a few changes, or any text.
pub(crate) fn spoilt_moves(game: &'static Game) -> impl Strategy<Value = (String, String)> {
    let fens = &pool(game).fens;
    let edits = prop::collection::vec(edit(fens), 0..4);
    let spoilt = (select(&fens[..]), any::<u64>(), edits).prop_map(|(fen, seed, edits)| {
        let position = game.parse_fen(&fen).expect("a string of the pool");
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let steps = random_move(&position, &mut random);
        let text = edited(&position.text_of(&steps), &edits);
        (fen, text)
    });
    prop_oneof![4 => spoilt, 1 => (select(&fens[..]), noise())]
}

/// The steps of a whole move, chosen one by one; none if the game is over.
fn random_move(position: &Position, random: &mut Xoshiro256PlusPlus) -> Vec<Step> {
    let mut next = position.clone();
    let mut steps = Vec::new();
    while let Some(step) = sample::random_step(&next, random) {
        next.play(step);
        steps.push(step);
        if !next.mid_move() {
            break;
        }
    }
    steps
}

/// Each map of the board takes the position to one that is accepted, has the same steps, and is
/// played from to the same end.
fn check_maps(position: &Position, random: &mut Xoshiro256PlusPlus) {
    let game = position.game();
    for map in turned::maps(position) {
        let fen = position.fen();
        let image = map.fen(position);
        let mut twin = game
            .parse_fen(&image)
            .unwrap_or_else(|error| panic!("{error}: {image} is {fen} mapped"));
        let mut next = position.clone();
        let mut played = String::new();
        for step in random_move(position, random) {
            let steps = map.steps(&next, &twin, &played);
            assert_eq!(steps_of(&twin), steps.iter().map(|&(_, image)| image).collect(), "{fen}");
            let chosen = steps.into_iter().find(|&(own, _)| own == step);
            let (_, image) = chosen.expect("the step is one of the legal ones");
            next.write_step(step, &mut played);
            next.play(step);
            twin.play(image);
        }
        assert_eq!(twin.outcome(), next.outcome().map(|outcome| map.outcome(outcome)), "{fen}");
        let image =
            game.parse_fen(&map.fen(&next)).unwrap_or_else(|error| panic!("{error}: {fen}"));
        assert_eq!((twin.key(), twin.clock()), (image.key(), image.clock()), "{fen}");
    }
}

fn steps_of(position: &Position) -> BTreeSet<Step> {
    let mut steps = Vec::new();
    position.steps(&mut steps);
    BTreeSet::from_iter(steps)
}

/// Shows `check` so many values. A failure is told by its smallest example, and by `seed`, which
/// brings the same values again.
pub(crate) fn run<S: Strategy>(
    (game, what): (&Game, &str),
    (cases, seed): (u32, u64),
    values: S,
    check: impl Fn(S::Value),
) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let checked = |value| {
        check(value);
        Ok(())
    };
    if let Err(error) = TestRunner::new_with_rng(config, random).run(&values, checked) {
        panic!("{what} of {}, seed {seed}: {error}", game.id);
    }
}

/// What `act` returns, if it does not use more memory at once than is fit for a text so long, or
/// much more time than anything should take.
#[track_caller]
fn measured<T>(text: &str, act: impl FnOnce() -> T) -> T {
    let (begin, mut value) = (Instant::now(), None);
    let used = allocation_counter::measure(|| value = Some(act())).bytes_max;
    let most = MOST_BYTES + 100 * text.len() as u64;
    assert!(used <= most, "{used} bytes for a text of {}: {text:.200}", text.len());
    assert!(begin.elapsed() < MOST_TIME, "{:?}: {text:.200}", begin.elapsed());
    value.expect("it has been called")
}

/// A position string is refused at a place that exists, or is a position that everything can be
/// asked of and played from.
pub(crate) fn check_string(game: &'static Game, text: &str) {
    match measured(text, || game.parse_fen(text)) {
        Ok(position) => check_position(position),
        Err(error) => {
            let columns = 1..=text.chars().count() + 1;
            assert!(columns.contains(&error.column), "{error}: {text:?}");
        }
    }
}

/// A text is accepted as a move of the position `fen` if and only if it is the text of one.
pub(crate) fn check_move(game: &'static Game, fen: &str, text: &str) {
    let position = game.parse_fen(fen).expect("a string of the pool");
    match measured(text, || position.parse_move(text)) {
        Ok(found) => assert_eq!(position.move_text(&found), text, "{fen}"),
        Err(error) => assert_ne!(error.legal, "", "{fen}"),
    }
}

/// Plays some moves from a position that was accepted, and looks at each state on the way.
fn check_position(position: Position) {
    let game = position.game();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(position.key());
    check_maps(&position, &mut random);
    let mut history = History::new(position);
    for _ in 0..PLIES {
        let position = history.position();
        let fen = position.fen();
        let again = game.parse_fen(&fen).unwrap_or_else(|error| panic!("{error}: {fen}"));
        assert_eq!((again.fen(), again.key()), (fen.clone(), position.key()), "{fen}");
        let steps = random_move(position, &mut random);
        if steps.is_empty() {
            check_state(&history, &mut random);
            return;
        }
        let text = position.text_of(&steps);
        let read = position.parse_move(&text).map(|found| found.steps().to_vec());
        assert_eq!(read.as_ref(), Ok(&steps), "`{text}` in {fen}");
        for step in steps {
            check_state(&history, &mut random);
            history.play(step);
        }
    }
    check_state(&history, &mut random);
}

/// All that a search, a network or a person asks of a state.
fn check_state(history: &History, random: &mut Xoshiro256PlusPlus) {
    let (game, position) = (history.game(), history.position());
    let fen = position.fen();
    let mut steps = Vec::new();
    let outcome = measured("", || position.steps(&mut steps));
    assert_eq!(position.outcome(), outcome, "{fen}");
    assert_eq!(outcome.is_some(), steps.is_empty(), "{fen}");
    // Records count the legal steps in 16 bits.
    assert!(steps.len() <= usize::from(u16::MAX), "{} steps: {fen}", steps.len());
    assert_eq!(BTreeSet::from_iter(&steps).len(), steps.len(), "steps of {fen}");
    let counted = position.count_moves();
    if let Some(count) = counted {
        assert_eq!(count == 0, steps.is_empty(), "{fen}");
    }
    let mut features = Features::default();
    history.features(&mut features);
    let cells = game.geometry.cell_count();
    let marks = features.marks().iter();
    assert!(marks.clone().all(|(_, cell)| cell.index() < cells), "{fen}");
    let planes = marks.map(|mark| mark.0).chain(features.fills().iter().map(|fill| fill.0));
    assert!(planes.max().is_none_or(|last| usize::from(last) < game.planes.len()), "{fen}");
    let _ = (position.draw(), history.end(), history.foregone(), position.castling_rights());
    for _ in 0..TRIED.min(steps.len()) {
        let step = sample::choose(&steps, random);
        assert!(usize::from(step.kind()) < game.kinds.len(), "{step:?} in {fen}");
        let mut next = position.clone();
        next.play(step);
        let _ = (next.foregone(), next.fen(), next.clock());
        if !next.mid_move() {
            assert_ne!(next.side_to_move(), position.side_to_move(), "{step:?} in {fen}");
        }
    }
}
