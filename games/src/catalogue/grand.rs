//! What games on a hundred cells share: the board; and for `agc`, `guru` and `waterloo`, whose pages
//! tell of the same pieces, the knight, the pawn and all that slides.

use crate::families::chess::{DIAGONAL, ORTHOGONAL, Piece, leaper};
use crate::{Example, Geometry, PieceGuide, Ruling, Section};

/// The board: there is no file j.
pub(super) fn board() -> Geometry {
    Geometry::rectangle("abcdefghik", 10)
}

/// The knight of chess.
pub(super) fn knight() -> Piece {
    Piece::new('N', "knight", 300, leaper(1, 2), vec![])
}

/// The pieces that slide, some of which also leap as a knight. Letter and name of the two that
/// slide along all lines are given, the leaping one last.
pub(super) fn sliders(plain: (char, &'static str), leaping: (char, &'static str)) -> Vec<Piece> {
    let leap = || leaper(1, 2);
    let piece = Piece::new;
    vec![
        piece('B', "bishop", 350, vec![], vec![DIAGONAL]),
        piece('C', "cardinal", 750, leap(), vec![DIAGONAL]),
        piece('R', "rook", 550, vec![], vec![ORTHOGONAL]),
        piece('M', "marshal", 900, leap(), vec![ORTHOGONAL]),
        piece(plain.0, plain.1, 950, vec![], vec![ORTHOGONAL, DIAGONAL]),
        piece(leaping.0, leaping.1, 1250, leap(), vec![ORTHOGONAL, DIAGONAL]),
    ]
}

/// The board on which pieces are shown.
pub(super) const SHOWN_ON: &str = "k9/10/10/4p5/10/4*1p3/10/2p7/10/9K w - - - 0 1";

/// The board on which a king with the right to leap is shown.
pub(super) const LEAPING_KING: &str = "k9/10/10/10/10/4*1p3/10/10/10/10 w K - - 0 1";

/// The board on which pawns are shown.
pub(super) const PAWN_SHOWN_ON: &str = "k9/10/10/10/10/10/3p6/4*5/10/9K w - - - 0 1";

/// What is told of [`sliders`], the strongest first.
pub(super) fn slider_guides(
    leaping: (&'static str, &'static str),
    plain: (&'static str, &'static str),
) -> Vec<PieceGuide> {
    let piece = PieceGuide::new;
    vec![
        piece(leaping.0, leaping.1, "Files, ranks, diagonals, and the knight's leap."),
        piece(plain.0, plain.1, "Files, ranks and diagonals."),
        piece("M", "Marshal", "Files and ranks, and the knight's leap."),
        piece("R", "Rook", "Files and ranks."),
        piece("C", "Cardinal", "Diagonals, and the knight's leap."),
        piece("B", "Bishop", "Diagonals."),
    ]
}

/// What is told of the knight.
pub(super) const KNIGHT: PieceGuide =
    PieceGuide::new("N", "Knight", "Two cells along a file or rank and one aside, over anything.");

/// What is told of the pawn of chess.
pub(super) const PAWN: PieceGuide = PieceGuide::new(
    "P",
    "Pawn",
    "One cell ahead, from its first place also two; captures diagonally ahead, also en passant.",
)
.on(PAWN_SHOWN_ON);

/// The leap right, where kings leap.
pub(super) const LEAP_RIGHT: Section = Section {
    title: "The leap right",
    text: "A king that stands in check when his side is to move has lost his leaps for good, also \
           as an answer to that check. Leaping does not use the right up. While it lasts, the enemy \
           king cannot come near.",
};

/// A capture en passant.
pub(super) const EN_PASSANT: Example = Example {
    title: "En passant",
    text: "The pawn has just gone two cells and is taken on the cell that it passed over.",
    fen: "k9/10/10/10/4pP4/10/10/10/10/9K w - e7 - 0 1",
    moves: "f6",
};

/// How the kings of the author's later games stand.
pub(super) const KINGS_FACE: Ruling = Ruling::Reading(
    "Black's king stands on e10, opposite White's, as the list of pieces says; a remark on symmetry \
     about the centre would have him on f10.",
);
