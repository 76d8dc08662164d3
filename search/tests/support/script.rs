//! [`Script`]: a game whose whole tree is written as text.

use std::sync::Arc;

use games::{Cell, Key, Outcome, Side, State, Step};

/// A position in a scripted game.
///
/// `w[..]` and `b[..]` are positions with White or Black to move and the positions behind their
/// steps in the brackets; `W`, `B` and `=` are finished games. Sides need not alternate.
/// `w!B[..]` is a position that is not over but foregone: Black has won whatever follows.
#[derive(Debug, Clone)]
pub(crate) struct Script {
    nodes: Arc<[Node]>,
    at: usize,
}

#[derive(Debug)]
enum Node {
    Over(Outcome),
    Inner { side: Side, foregone: Option<Outcome>, children: Vec<usize> },
}

impl Script {
    /// The game with this text. Panics if it is not one.
    pub(crate) fn new(text: &str) -> Self {
        let mut parser = Parser {
            rest: text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect(),
            nodes: Vec::new(),
        };
        parser.rest.reverse();
        let at = parser.node();
        assert!(parser.rest.is_empty(), "text behind the tree");
        Self { nodes: parser.nodes.into(), at }
    }

    /// The step with this index.
    pub(crate) fn step(index: usize) -> Step {
        let cell = Cell::new(index as u16);
        Step::plain(cell, cell)
    }

    /// The outcome under best play and the steps to it: the winner hurries, the loser delays.
    pub(crate) fn solve(&self) -> (Outcome, usize) {
        match &self.nodes[self.at] {
            Node::Over(outcome) | Node::Inner { foregone: Some(outcome), .. } => (*outcome, 0),
            Node::Inner { side, children, .. } => children
                .iter()
                .map(|&at| Self { nodes: self.nodes.clone(), at }.solve())
                .max_by_key(|&(outcome, steps)| {
                    let steps = steps as i64;
                    let score = outcome.score(*side);
                    (score, if score == 1 { -steps } else { steps })
                })
                .map(|(outcome, steps)| (outcome, steps + 1))
                .expect("every position has a step"),
        }
    }
}

struct Parser {
    /// What is still to be read, the next byte last.
    rest: Vec<u8>,
    nodes: Vec<Node>,
}

impl Parser {
    fn node(&mut self) -> usize {
        let node = match self.rest.pop().expect("the text ends early") {
            b'w' => self.inner(Side::White),
            b'b' => self.inner(Side::Black),
            byte => Node::Over(Self::outcome(byte)),
        };
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn inner(&mut self, side: Side) -> Node {
        let mut foregone = None;
        if self.rest.last() == Some(&b'!') {
            self.rest.pop();
            foregone = self.rest.pop().map(Self::outcome);
        }
        assert_eq!(self.rest.pop(), Some(b'['), "a position has steps");
        let mut children = Vec::new();
        while self.rest.last() != Some(&b']') {
            children.push(self.node());
        }
        self.rest.pop();
        assert!(!children.is_empty(), "every position has a step");
        Node::Inner { side, foregone, children }
    }

    fn outcome(byte: u8) -> Outcome {
        match byte {
            b'W' => Outcome::Win(Side::White),
            b'B' => Outcome::Win(Side::Black),
            b'=' => Outcome::Draw,
            byte => panic!("no outcome: {}", byte as char),
        }
    }
}

impl State for Script {
    fn side_to_move(&self) -> Side {
        match &self.nodes[self.at] {
            // Nobody may ask; the answer is wrong for one of the two games in the tests.
            Node::Over(_) => Side::White,
            Node::Inner { side, .. } => *side,
        }
    }

    fn steps(&self, into: &mut Vec<Step>) -> Option<Outcome> {
        match &self.nodes[self.at] {
            Node::Over(outcome) => Some(*outcome),
            Node::Inner { children, .. } => {
                into.extend((0..children.len()).map(Self::step));
                None
            }
        }
    }

    fn play(&mut self, step: Step) {
        let Node::Inner { children, .. } = &self.nodes[self.at] else { panic!("the game is over") };
        self.at = children[step.from().index()];
    }

    fn foregone(&self) -> Option<Outcome> {
        match &self.nodes[self.at] {
            Node::Over(outcome) => Some(*outcome),
            Node::Inner { foregone, .. } => *foregone,
        }
    }

    fn key(&self) -> Key {
        self.at as Key
    }
}
