//! [`Guide`]: what a player has to be told about a game, as data of its catalogue file.

/// The words and positions from which the page of a game is made ([`crate::Game::page`]).
///
/// How pieces move is not drawn by hand: the page asks the rules, so it cannot be wrong.
#[derive(Debug, Clone)]
pub struct Guide {
    /// One paragraph: what kind of game it is and how it is won.
    pub summary: &'static str,
    /// A position string of the game, except that `*` stands on the cell of the piece to be shown.
    /// It is White's turn, and the piece can move.
    pub board: &'static str,
    /// The pieces, each shown on `board`.
    pub pieces: Vec<PieceGuide>,
    /// The rest of the rules, one titled paragraph each: promotion, rights, the end of the game.
    pub sections: Vec<Section>,
    /// Positions that show a rule at work.
    pub examples: Vec<Example>,
    /// What was decided where the author is silent.
    pub rulings: Vec<Ruling>,
}

/// A kind of piece.
#[derive(Debug, Clone)]
pub struct PieceGuide {
    /// White's piece as the position string writes it: `N`, `+B`, `[134]`.
    pub unit: &'static str,
    /// What it is called.
    pub name: &'static str,
    /// How it moves, in words.
    pub text: &'static str,
    /// Its own board in place of [`Guide::board`], if that does not show the piece well.
    pub board: Option<&'static str>,
}

impl PieceGuide {
    /// A piece shown on [`Guide::board`].
    #[must_use]
    pub const fn new(unit: &'static str, name: &'static str, text: &'static str) -> Self {
        Self { unit, name, text, board: None }
    }

    /// The piece shown on a board of its own.
    #[must_use]
    pub const fn on(self, board: &'static str) -> Self {
        Self { board: Some(board), ..self }
    }
}

/// A titled paragraph.
#[derive(Debug, Clone)]
pub struct Section {
    /// The heading.
    pub title: &'static str,
    /// Markdown.
    pub text: &'static str,
}

/// A position and some of its moves.
#[derive(Debug, Clone)]
pub struct Example {
    /// The heading.
    pub title: &'static str,
    /// What there is to see.
    pub text: &'static str,
    /// The position string.
    pub fen: &'static str,
    /// What the texts of the moves shown begin with: a cell, `P*`, the cells of a shape.
    pub moves: &'static str,
}

/// A decision about a rule.
#[derive(Debug, Clone)]
pub enum Ruling {
    /// The author's words allow more than one reading; this one is played.
    Reading(&'static str),
    /// The author's text or diagram is lost; this is inferred.
    Reconstruction(&'static str),
}
