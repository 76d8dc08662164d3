//! The 64-cell cubic chess, two starts: rulebook page `cubic.md`. Its sister in four dimensions is
//! `nihongi`.

use crate::families::chess::{
    Declaration, FirstMove, King, Pawn, Piece, Symmetries, Zone, ZoneCells, changing,
    entry as enter, lines_changing,
};
use crate::game::{Basics, Entry};
use crate::{Example, Geometry, Guide, PieceGuide, Repetition, Ruling, Section};

/// What a game played by these rules has of its own.
pub(super) struct Sister {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    pub(super) edition: &'static str,
    pub(super) geometry: Geometry,
    /// The number of axes of the board.
    pub(super) axes: usize,
    /// As in [`Symmetries::Axes`]: every order of the axes but the first.
    pub(super) orders: &'static [&'static str],
    /// Where Black's king starts.
    pub(super) far_corner: &'static [&'static str],
    /// Of horse, bishop, rook and queen, in hundredths of a pawn.
    pub(super) values: [i32; 4],
    pub(super) start: &'static str,
    pub(super) guide: Guide,
}

/// The catalogue entry of `sister`.
pub(super) fn entry(sister: Sister) -> Entry {
    let axes = sister.axes;
    let straight = changing(axes, 1);
    let spatial = changing(axes, 3);
    let (files, diagonals) = (lines_changing(axes, 1), lines_changing(axes, 2));
    // Rulings 3 to 5: one step ahead along any axis, with or without capturing, never two.
    let ahead: Vec<_> =
        straight.iter().copied().filter(|step| step.iter().all(|&along| along >= 0)).collect();
    let piece = Piece::new;
    let [horse, bishop, rook, queen] = sister.values;
    let basics = Basics {
        id: sister.id,
        title: sister.title,
        edition: sister.edition,
        geometry: sister.geometry,
        start: sister.start,
        repetition: Repetition::drawn_at(3),
        maximum_plies: 300,
        guide: sister.guide,
    };
    let declaration = Declaration {
        turn: [true; 4],
        symmetries: Symmetries::Axes(sister.orders),
        pawn: Pawn {
            steps: ahead.clone(),
            captures: ahead,
            first: FirstMove::Plain,
            anywhere: true,
        },
        king: King {
            leaps: straight.clone(),
            leaps_until_checked: spatial.clone(),
            ..King::orthodox()
        },
        pieces: vec![
            piece('H', "horse", horse, [straight, spatial].concat(), vec![]),
            piece('B', "bishop", bishop, vec![], vec![diagonals]),
            piece('R', "rook", rook, vec![], vec![files]),
            piece('Q', "queen", queen, vec![], vec![files, diagonals]),
        ],
        promotion: vec![Zone {
            cells: ZoneCells::Named(sister.far_corner),
            pieces: "HBRQ",
            optional: false,
        }],
        ..Declaration::orthodox()
    };
    enter(basics, &declaration)
}

/// The catalogue entry of one start on the cube.
fn on_cube(id: &'static str, title: &'static str, start: &'static str) -> Entry {
    entry(Sister {
        id,
        title,
        edition: "edition of 2010-06-03",
        geometry: Geometry::blocks(4, 3, 8),
        axes: 3,
        orders: &["xzy", "yxz", "yzx", "zxy", "zyx"],
        far_corner: &["h8"],
        values: [300, 350, 400, 850],
        start,
        guide: guide(),
    })
}

/// The catalogue entry of the symmetrical start.
pub(crate) fn symmetrical() -> Entry {
    let start = "1ppqphrk/2bp1pbr/3p2ph/7p/P7/HP2P3/RBP1PB2/KRHPQPP1 w Kk - - 0 1";
    on_cube("cubic", "Cubic chess, symmetrical start", start)
}

/// The catalogue entry of the asymmetrical start.
pub(crate) fn asymmetrical() -> Entry {
    let start = "1phpprqk/2ph1pbb/3p2pr/7p/P7/RP2P3/BBP1HP2/KQRPPHP1 w Kk - - 0 1";
    on_cube("cubic-asym", "Cubic chess, asymmetrical start", start)
}

/// The pieces of this game and its sister.
pub(super) fn pieces(king: &'static str) -> Vec<PieceGuide> {
    let piece = PieceGuide::new;
    vec![
        piece(
            "K",
            "King",
            "One step along one axis. Until he is checked for the first time also one step along \
             three axes at once (mode D), and he attacks those cells as well.",
        )
        .on(king),
        piece("Q", "Queen", "Any distance along one axis, or along two at once."),
        piece("R", "Rook", "Any distance along one axis (mode O)."),
        piece("B", "Bishop", "Any distance along two axes at once (mode F)."),
        piece("H", "Horse", "One step along one axis, or along three at once."),
        piece(
            "P",
            "Pawn",
            "One step ahead along any one axis, towards the enemy king's corner, whether it \
             captures or not.",
        ),
    ]
}

/// The rules of this game and its sister that are not about one piece.
pub(super) fn sections(board: &'static str, promotion: &'static str) -> Vec<Section> {
    vec![
        Section { title: "The board", text: board },
        Section { title: "Promotion", text: promotion },
        Section {
            title: "The D-right",
            text: "A king that stands in check when his side is to move has lost his D-steps for \
                   good, also as an answer to that check. Moving, capturing and the D-steps \
                   themselves leave the right alone.",
        },
        Section {
            title: "End of the game",
            text: "Checkmate wins, stalemate draws. There is no double step, no en passant and no \
                   castling. A capture and a pawn move restart the clock.",
        },
    ]
}

/// The rulings of this game and its sister; `geometry` tells how the board was found.
pub(super) fn rulings(geometry: &'static str) -> Vec<Ruling> {
    vec![
        Ruling::Reconstruction(geometry),
        Ruling::Reading(
            "Pawns only go ahead: nothing is said of their direction, but the rest is as in \
             classical chess, and the promotion cell lies in the enemy's corner.",
        ),
        Ruling::Reading(
            "Promotion waits on the cell where the enemy king starts, is compulsory, and never \
             makes a king.",
        ),
        Ruling::Reading(
            "Legality is judged with the enemy king's D-right as it was before the move; only \
             then does a checked king lose it.",
        ),
    ]
}

fn guide() -> Guide {
    Guide {
        summary: "Chess in a cube of 4 x 4 x 4 cells. The armies start around opposite corners, \
                  pieces move along one, two or three axes at once. Checkmate wins.",
        board: "7k/8/8/8/8/6p1/5*1p/K7 w - - - 0 1",
        pieces: pieces("7k/8/8/8/8/8/4p*2/8 w K - - 0 1"),
        sections: sections(
            "The diagram shows the four layers of the cube, one beside or above the other: a1 to \
             d4 is the first, then e1 to h4, a5 to d8, and e5 to h8 the last. Cells in equal \
             places of consecutive layers are neighbours: a1 and e1, e1 and a5, a5 and e5. d1 and \
             e1 only look like it.",
            "A white pawn on h8, a black one on a1 becomes a queen, rook, bishop or horse.",
        ),
        examples: vec![
            Example {
                title: "The first check",
                text: "The rook on e1 gives check along the third axis. The king has lost his \
                       D-steps, so f2 is out of reach.",
                fen: "7k/8/8/8/8/8/8/K3r3 w k - - 1 20",
                moves: "a1",
            },
            Example {
                title: "Promotion",
                text: "From g8, h7 and d8 a pawn reaches the far corner.",
                fen: "8/7P/8/4k3/8/8/8/K7 w - - - 0 40",
                moves: "h7",
            },
        ],
        rulings: rulings(
            "The pictures are lost. The text names the four layers by their cells and numbers \
             them; the number of the layer is taken as the third coordinate. Both starts are then \
             compact, and Black's is White's reflected in the centre.",
        ),
    }
}
