//! Chess Guru: rulebook page `guru.md`.

use super::grand;
use crate::families::chess::{Castling, Declaration, Zone, ZoneCells, entry as enter};
use crate::game::{Basics, Entry};
use crate::{Example, Guide, PieceGuide, Repetition, Ruling, Section};

/// The catalogue entry.
pub(crate) fn entry() -> Entry {
    let basics = Basics {
        id: "guru",
        title: "Chess Guru",
        edition: "edition of 2010-06-03",
        geometry: grand::board(),
        start: "rrmqakqmrr/nnbbccbbnn/pppppppppp/10/10/10/10/PPPPPPPPPP/NNBBCCBBNN/RRMQKAQMRR \
                w KQkq - - 0 1",
        repetition: Repetition::drawn_at(3),
        maximum_plies: 400,
        guide: guide(),
    };
    let declaration = Declaration {
        turn: [true, true, false, false],
        pieces: [vec![grand::knight()], grand::sliders(('Q', "queen"), ('A', "raja"))].concat(),
        // Ruling 2: both rooks of a wing move, the farther one behind the nearer.
        castling: vec![
            Castling {
                letter: 'K',
                name: "short castling",
                king: ["e1", "b1"],
                rooks: vec![["b1", "d1"], ["a1", "c1"]],
                must_be_empty: vec!["c1", "d1"],
                must_be_safe: vec!["e1", "d1", "c1", "b1"],
            },
            Castling {
                letter: 'Q',
                name: "long castling",
                king: ["e1", "h1"],
                rooks: vec![["i1", "f1"], ["k1", "g1"]],
                must_be_empty: vec!["f1", "g1", "h1"],
                must_be_safe: vec!["e1", "f1", "g1", "h1"],
            },
        ],
        // Ruling 3.
        promotion: vec![Zone { cells: ZoneCells::Rank(10), pieces: "NBCRMQA", optional: false }],
        ..Declaration::orthodox()
    };
    enter(basics, &declaration)
}

fn guide() -> Guide {
    let piece = PieceGuide::new;
    Guide {
        summary: "Chess on a hundred cells with the compounds of its pieces, two of most, and four \
                  rooks a side. Both rooks of a wing take part in castling. Checkmate wins.",
        board: grand::SHOWN_ON,
        pieces: [
            vec![
                piece("K", "King", "One cell in any direction, never onto an attacked cell.")
                    .on("k9/10/10/10/10/4*5/10/5r4/10/10 w - - - 0 1"),
            ],
            grand::slider_guides(("A", "Raja"), ("Q", "Queen")),
            vec![grand::KNIGHT, grand::PAWN],
        ]
        .concat(),
        sections: vec![
            Section {
                title: "Castling",
                text: "King and both rooks of a wing move at once, if none of the three has moved \
                       before and nothing stands between king and nearer rook. The king may be \
                       neither in check nor pass or reach an attacked cell. White's short \
                       castling: king e1-b1, rooks b1-d1 and a1-c1; the long one: king e1-h1, \
                       rooks i1-f1 and k1-g1. Black's are the same after a half turn of the board.",
            },
            Section {
                title: "Promotion",
                text: "A pawn that arrives on the last rank becomes any piece but a king.",
            },
            Section { title: "End of the game", text: "Checkmate wins, stalemate draws." },
        ],
        examples: vec![
            Example {
                title: "Castling to both wings",
                text: "The king goes three cells; the rooks come to stand beside him.",
                fen: "5k4/10/10/10/10/10/10/PP6PP/10/RR2K3RR w KQ - - 0 1",
                moves: "e1",
            },
            grand::EN_PASSANT,
        ],
        rulings: vec![
            Ruling::Reading(
                "Black's pawns start on the eighth rank: on the ninth, where the list has them, \
                 other pieces stand.",
            ),
            Ruling::Reading(
                "Castling has the conditions of chess, for the king and two rooks that have not \
                 moved; attacked rooks do not hinder it.",
            ),
            Ruling::Reading("First step, en passant and promotion of pawns are those of chess."),
        ],
    }
}
