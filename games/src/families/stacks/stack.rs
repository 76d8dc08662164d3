//! [`Stacks`]: all stacks of a game by number, and how they divide and unite.

use super::declaration::{Class, When};

/// What stands on a cell, as the set of the layers it is in. Nothing is 0.
///
/// A layer is a kind of checker counted once: a stack with two checkers of a size is in two layers,
/// one with one in the first of them only. So the cells of a layer are those whose stack holds at
/// least one, or two, of a size.
pub(super) type Unit = u16;

/// The layer of royal pieces.
pub(super) const ROYAL: usize = 0;
/// The layer of slaves.
pub(super) const SLAVE: usize = 1;
/// The first layer of checkers.
pub(super) const FIRST_LAYER: usize = 2;
/// The most layers a game has.
pub(super) const MOST_LAYERS: usize = 14;

/// The number of no stack at all.
pub(super) const NOTHING: u8 = 0;

/// A set of motions, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Motions(u32);

impl Motions {
    /// The most motions a game has.
    pub(super) const MOST: usize = 20;

    pub(super) fn insert(&mut self, motion: usize) {
        assert!(motion < Self::MOST, "a game has at most {} motions", Self::MOST);
        self.0 |= 1 << motion;
    }

    #[inline]
    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The members of either set.
    #[inline]
    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The members, lowest number first.
    #[inline]
    pub(super) fn each(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let motion = rest.trailing_zeros() as usize;
            rest &= rest.wrapping_sub(1);
            (motion < 32).then_some(motion)
        })
    }
}

/// The motions of something that moves, by what they are good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Moves {
    pub(super) quiet: Motions,
    pub(super) captures: Motions,
}

impl Moves {
    /// The motions of either.
    #[inline]
    pub(super) const fn or(self, other: Self) -> Self {
        Self { quiet: self.quiet.or(other.quiet), captures: self.captures.or(other.captures) }
    }

    /// All motions, whatever they are good for.
    #[inline]
    pub(super) const fn all(self) -> Motions {
        self.quiet.or(self.captures)
    }
}

/// One stack.
#[derive(Debug)]
pub(super) struct Stack {
    pub(super) class: usize,
    pub(super) unit: Unit,
    /// Its letter, if it has one, and its sizes: `134`, `p1133`.
    pub(super) text: String,
    /// The sizes alone.
    pub(super) sizes: String,
    /// The numbers of its parts, itself included.
    pub(super) parts: Vec<u8>,
    /// How it moves as a whole.
    pub(super) moves: Moves,
    /// How its parts move, all together.
    pub(super) reach: Moves,
    /// A stack of its class that is in one of these layers cannot take it in.
    pub(super) conflicts: Unit,
    /// Whether it holds no two checkers of a size.
    pub(super) is_single: bool,
    /// The stack of two of each size it holds.
    pub(super) doubled: u8,
    /// Whether it has to go on jumping while it can.
    pub(super) goes_on: bool,
}

/// All stacks of a game, numbered from 1; number 0 is an empty cell.
#[derive(Debug)]
pub(super) struct Stacks {
    stacks: Vec<Stack>,
    /// The number of a unit, by its layers without those below [`FIRST_LAYER`].
    numbers: Vec<u8>,
    /// For each whole and part, what the part leaves.
    rests: Vec<u8>,
    /// For each two stacks of a class that can unite, what they become.
    unions: Vec<u8>,
}

/// How many checkers of each size, size 1 first.
type Counts = Vec<usize>;

/// The counts that a text of digits stands for.
fn counts_of(sizes: &str, most_size: usize) -> Counts {
    let mut counts = vec![0; most_size];
    for size in sizes.chars() {
        let size = size.to_digit(10).expect("sizes are digits") as usize;
        counts[size - 1] += 1;
    }
    counts
}

fn holds(whole: &[usize], part: &[usize]) -> bool {
    whole.iter().zip(part).all(|(whole, part)| whole >= part)
}

impl When {
    /// The least stack that meets the condition.
    pub(super) fn least(self, most_size: usize) -> Counts {
        match self {
            Self::Has(sizes) | Self::Is(sizes) => counts_of(sizes, most_size),
            Self::One(size) => counts_of(&size.to_string(), most_size),
        }
    }

    fn is_met(self, counts: &[usize]) -> bool {
        let least = self.least(counts.len());
        match self {
            Self::Has(_) => holds(counts, &least),
            Self::One(_) => least.iter().zip(counts).all(|(&one, &count)| one == 0 || count == 1),
            Self::Is(_) => *counts == least,
        }
    }
}

/// The layers of a stack whose class begins at layer `first`.
pub(super) fn layers_of(counts: &[usize], most: usize, first: usize) -> Unit {
    let layers = counts.iter().enumerate().flat_map(|(size, &count)| {
        assert!(count <= most, "a stack has at most {most} checkers of a size");
        (0..count).map(move |nth| first + size * most + nth)
    });
    layers.fold(0, |unit, layer| unit | 1 << layer)
}

impl Stacks {
    /// The stacks of `classes`. A moving part that holds `goes_on` goes on jumping, if that is not
    /// empty; `moves` are the motions of each class's modes.
    pub(super) fn compile(classes: &[Class], goes_on: &str, moves: &[Vec<Moves>]) -> Self {
        let mut stacks = vec![Stack {
            class: 0,
            unit: 0,
            text: String::new(),
            sizes: String::new(),
            parts: Vec::new(),
            moves: Moves::default(),
            reach: Moves::default(),
            conflicts: 0,
            is_single: true,
            doubled: NOTHING,
            goes_on: false,
        }];
        let mut all_counts = vec![Counts::new()];
        let mut first_layers = Vec::new();
        let mut first_layer = FIRST_LAYER;
        for (number, class) in classes.iter().enumerate() {
            let sizes = class.values.len();
            let base = class.most + 1;
            first_layers.push(first_layer);
            for mut code in 1..base.pow(sizes as u32) {
                let mut counts = Counts::new();
                for _ in 0..sizes {
                    counts.push(code % base);
                    code /= base;
                }
                let digits: String = (1..)
                    .zip(&counts)
                    .flat_map(|(size, &count)| std::iter::repeat_n(size.to_string(), count))
                    .collect();
                let met = class.modes.iter().zip(&moves[number]);
                let met = met.filter(|(mode, _)| mode.when.is_met(&counts));
                // The layer that a size would reach with one checker too many.
                let full = counts.iter().enumerate().filter(|&(_, &count)| count > 0);
                let conflicts =
                    full.map(|(size, count)| first_layer + size * class.most + class.most - count);
                stacks.push(Stack {
                    class: number,
                    unit: layers_of(&counts, class.most, first_layer),
                    text: format!("{}{digits}", class.letter),
                    sizes: digits,
                    parts: Vec::new(),
                    moves: met.fold(Moves::default(), |all, (_, &moves)| all.or(moves)),
                    reach: Moves::default(),
                    conflicts: conflicts.fold(0, |unit, layer| unit | 1 << layer),
                    is_single: counts.iter().all(|&count| count < 2),
                    doubled: NOTHING,
                    goes_on: !goes_on.is_empty() && holds(&counts, &counts_of(goes_on, sizes)),
                });
                all_counts.push(counts);
            }
            first_layer += sizes * class.most;
        }
        assert!(first_layer <= MOST_LAYERS, "a game has at most {MOST_LAYERS} layers");
        assert!(stacks.len() <= 128, "the kinds of steps fit a byte");
        let mut compiled = Self {
            numbers: vec![NOTHING; 1 << (first_layer - FIRST_LAYER)],
            rests: vec![NOTHING; stacks.len() * stacks.len()],
            unions: vec![NOTHING; stacks.len() * stacks.len()],
            stacks,
        };
        for (number, stack) in compiled.stacks.iter().enumerate() {
            compiled.numbers[usize::from(stack.unit >> FIRST_LAYER)] = number as u8;
        }
        compiled.relate(&all_counts, classes, &first_layers);
        compiled
    }

    /// Fills in what relates stacks to each other.
    fn relate(&mut self, all_counts: &[Counts], classes: &[Class], first_layers: &[usize]) {
        let count = self.stacks.len();
        for whole in 1..count {
            let class = self.stacks[whole].class;
            let most = classes[class].most;
            let number = |counts: &Counts| {
                let fits = counts.iter().all(|&count| count <= most);
                fits.then(|| self.number(layers_of(counts, most, first_layers[class])))
            };
            let doubled = all_counts[whole].iter().map(|&n| if n > 0 { 2 } else { 0 }).collect();
            let doubled = number(&doubled).unwrap_or(NOTHING);
            let (mut parts, mut reach) = (Vec::new(), Moves::default());
            let (mut rests, mut unions) = (vec![NOTHING; count], vec![NOTHING; count]);
            for part in (1..count).filter(|&part| self.stacks[part].class == class) {
                let pairs = || all_counts[whole].iter().zip(&all_counts[part]);
                let sum = pairs().map(|(a, b)| a + b).collect();
                unions[part] = number(&sum).unwrap_or(NOTHING);
                if holds(&all_counts[whole], &all_counts[part]) {
                    let rest = pairs().map(|(a, b)| a - b).collect();
                    rests[part] = number(&rest).unwrap_or(NOTHING);
                    reach = reach.or(self.stacks[part].moves);
                    parts.push(part as u8);
                }
            }
            self.rests[whole * count..][..count].copy_from_slice(&rests);
            self.unions[whole * count..][..count].copy_from_slice(&unions);
            let stack = &mut self.stacks[whole];
            (stack.parts, stack.reach, stack.doubled) = (parts, reach, doubled);
        }
    }

    /// All stacks by number; the first is none.
    pub(super) fn all(&self) -> &[Stack] {
        &self.stacks
    }

    /// The layers that all stacks which go on jumping share; none if there are no such stacks.
    pub(super) fn goes_on(&self) -> Unit {
        let units = self.stacks.iter().filter(|stack| stack.goes_on).map(|stack| stack.unit);
        units.reduce(|shared, unit| shared & unit).unwrap_or_default()
    }

    /// The stack with this number.
    #[inline]
    pub(super) fn get(&self, number: u8) -> &Stack {
        &self.stacks[usize::from(number)]
    }

    /// The number of the stack that is in these layers.
    #[inline]
    pub(super) fn number(&self, unit: Unit) -> u8 {
        self.numbers[usize::from(unit >> FIRST_LAYER)]
    }

    /// What stays of `whole` when `part` moves.
    #[inline]
    pub(super) fn rest(&self, whole: u8, part: u8) -> u8 {
        self.rests[usize::from(whole) * self.stacks.len() + usize::from(part)]
    }

    /// What `part` makes of `whole` by arriving there; `part` itself on an empty cell.
    #[inline]
    pub(super) fn union(&self, whole: u8, part: u8) -> u8 {
        if whole == NOTHING {
            return part;
        }
        self.unions[usize::from(whole) * self.stacks.len() + usize::from(part)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two small classes: one without equal checkers, one with.
    fn stacks() -> Stacks {
        let class = |letter, most| Class {
            letter,
            name: "",
            values: vec![100, 200],
            most,
            modes: vec![],
            men: false,
        };
        Stacks::compile(&[class("a", 1), class("b", 2)], "1", &[vec![], vec![]])
    }

    fn named(stacks: &Stacks, text: &str) -> u8 {
        stacks.all().iter().position(|stack| stack.text == text).expect("a stack") as u8
    }

    #[test]
    fn every_stack_has_a_name_and_a_number() {
        let stacks = stacks();
        let names: Vec<&str> = stacks.all().iter().map(|stack| stack.text.as_str()).collect();
        let expected =
            ["", "a1", "a2", "a12", "b1", "b11", "b2", "b12", "b112", "b22", "b122", "b1122"];
        assert_eq!(names, expected);
        for (number, stack) in stacks.all().iter().enumerate() {
            assert_eq!(usize::from(stacks.number(stack.unit)), number, "{}", stack.text);
            assert_eq!(stack.goes_on, stack.sizes.contains('1'));
        }
    }

    #[test]
    fn parts_and_rests_make_the_whole_again() {
        let stacks = stacks();
        for whole in 1..stacks.all().len() as u8 {
            for &part in &stacks.get(whole).parts {
                let rest = stacks.rest(whole, part);
                assert_eq!(rest == NOTHING, part == whole);
                assert_eq!(stacks.union(rest, part), whole);
            }
        }
        let names = |text: &str| {
            let parts = &stacks.get(named(&stacks, text)).parts;
            parts.iter().map(|&part| stacks.get(part).sizes.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(names("a12"), ["1", "2", "12"]);
        assert_eq!(names("b112"), ["1", "11", "2", "12", "112"]);
    }

    #[test]
    fn stacks_unite_unless_they_conflict() {
        let stacks = stacks();
        for (a, one) in stacks.all().iter().enumerate().skip(1) {
            for (b, other) in stacks.all().iter().enumerate().skip(1) {
                let unites = stacks.union(a as u8, b as u8) != NOTHING;
                let fits = one.class == other.class && other.conflicts & one.unit == 0;
                assert_eq!(unites, fits, "{} and {}", one.text, other.text);
            }
        }
        let union = |a, b| stacks.get(stacks.union(named(&stacks, a), named(&stacks, b)));
        assert_eq!(union("b1", "b12").text, "b112");
        assert_eq!(stacks.get(named(&stacks, "b12")).doubled, named(&stacks, "b1122"));
    }
}
