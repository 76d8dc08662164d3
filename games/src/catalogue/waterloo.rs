//! Waterloo, 3rd edition: rulebook page `waterloo.md`.

use super::grand;
use crate::families::chess::{
    Declaration, King, Piece, Zone, ZoneCells, entry as enter, leaper, ring,
};
use crate::game::{Basics, Entry};
use crate::{Example, Guide, PieceGuide, Repetition, Ruling, Section};

/// The catalogue entry.
pub(crate) fn entry() -> Entry {
    // Ruling 3: three kinds of neighbours, eight cells each. These jumps are N(2).
    let two_cells = [leaper(0, 2), leaper(2, 2)].concat();
    let piece = Piece::new;
    let basics = Basics {
        id: "waterloo",
        title: "Waterloo",
        edition: "3rd edition, 2015-12-26",
        geometry: grand::board(),
        // Ruling 1: the kings face each other.
        start: "rmcakqacmr/ggbnnnnbgg/pppppppppp/10/10/10/10/PPPPPPPPPP/GGBNNNNBGG/RMCAKQACMR \
                w Kk - - 0 1",
        repetition: Repetition::drawn_at(3),
        maximum_plies: 400,
        guide: guide(),
    };
    let declaration = Declaration {
        king: King { leaps_until_checked: ring(2), ..King::orthodox() },
        pieces: [
            vec![
                piece('S', "spy", 300, ring(1), vec![]),
                grand::knight(),
                piece('G', "guard", 500, [ring(1), two_cells].concat(), vec![]),
            ],
            grand::sliders(('A', "adviser"), ('Q', "queen")),
        ]
        .concat(),
        // Ruling 5: a pawn may stay one even on rank 10, where it has no move left.
        promotion: vec![
            Zone { cells: ZoneCells::Rank(8), pieces: "S", optional: true },
            Zone { cells: ZoneCells::Rank(9), pieces: "NGB", optional: true },
            Zone { cells: ZoneCells::Rank(10), pieces: "CRMAQ", optional: true },
        ],
        ..Declaration::orthodox()
    };
    enter(basics, &declaration)
}

fn guide() -> Guide {
    let piece = PieceGuide::new;
    Guide {
        summary: "Grand chess on a hundred cells with jumping guards. Pawns may promote on three \
                  ranks, each time to what belongs there, or not at all. The king jumps two cells \
                  far until he is checked. Checkmate wins.",
        board: grand::SHOWN_ON,
        pieces: [
            vec![
                piece(
                    "K",
                    "King",
                    "One cell in any direction. Until he is checked for the first time also jumps \
                     to any cell two away, which he attacks as well.",
                )
                .on(grand::LEAPING_KING),
            ],
            grand::slider_guides(("Q", "Queen"), ("A", "Adviser")),
            vec![
                piece(
                    "G",
                    "Guard",
                    "One cell in any direction, or two straight or diagonally, over anything.",
                ),
                grand::KNIGHT,
                piece("S", "Spy", "One cell in any direction. There is none at the start."),
                grand::PAWN,
            ],
        ]
        .concat(),
        sections: vec![
            Section {
                title: "Promotion",
                text: "A pawn that arrives on the eighth rank may become a spy, on the ninth a \
                       knight, guard or bishop, on the tenth a cardinal, rook, marshal, adviser or \
                       queen. It may always stay a pawn; on the tenth rank it then has no move \
                       left. Only pawns promote.",
            },
            grand::LEAP_RIGHT,
            Section {
                title: "End of the game",
                text: "Checkmate wins, stalemate draws. There is no castling.",
            },
        ],
        examples: vec![
            Example {
                title: "A guard jumps",
                text: "It passes over the pieces next to it, its own and others.",
                fen: "k9/10/10/10/4p5/3PGP4/4p5/10/10/9K w - - - 0 1",
                moves: "e5",
            },
            grand::EN_PASSANT,
        ],
        rulings: vec![
            grand::KINGS_FACE,
            Ruling::Reading(
                "The three kinds of neighbours are the eight cells around, the eight two cells \
                 away in a line, and the eight of the knight; not rings of cells.",
            ),
            Ruling::Reading(
                "On the ninth and tenth rank a pawn becomes what stands there at the start; a \
                 pawn that declines on the tenth stays there for good.",
            ),
            Ruling::Reading(
                "The spy goes one cell in any direction; the page names no other move of it.",
            ),
        ],
    }
}
