//! English draughts (checkers), a control game: its perft counts are published.
//!
//! Written for the eight ranks of a chessboard: `M` is a man and `K` a king, on the dark cells, a1
//! among them. The rules let Black, the darker men, begin at the bottom of the diagram. Here the
//! side that begins is White as in every game, with capital letters, and plays up the board.

use crate::families::draughts::{Declaration, Piece, entry as enter};
use crate::game::{Basics, Entry};
use crate::lines::{DIAGONAL, FORWARD_DIAGONAL};
use crate::{Example, Geometry, Guide, PieceGuide, Repetition, Section};

/// The catalogue entry.
pub(crate) fn entry() -> Entry {
    let basics = Basics {
        id: "english-draughts",
        title: "English draughts",
        edition: "rules of the World Checkers/Draughts Federation; control game",
        geometry: Geometry::rectangle("abcdefgh", 8),
        start: "1m1m1m1m/m1m1m1m1/1m1m1m1m/8/8/M1M1M1M1/1M1M1M1M/M1M1M1M1 w - - - 0 1",
        repetition: Repetition::drawn_at(3),
        maximum_plies: 200,
        guide: guide(),
    };
    let declaration = Declaration {
        dark_cells_only: true,
        stuck_loses: true,
        pieces: vec![
            Piece {
                continues: true,
                promotes_to: Some('K'),
                resets_clock: true,
                ..Piece::short('M', "man", 100, FORWARD_DIAGONAL)
            },
            Piece { continues: true, ..Piece::short('K', "king", 140, DIAGONAL) },
        ],
    };
    enter(basics, declaration)
}

fn guide() -> Guide {
    let piece = PieceGuide::new;
    Guide {
        summary: "Checkers as it is played in Britain and America: men and short kings on the \
                  dark cells, captures by jumping over. Whoever can capture must. Whoever cannot \
                  move has lost.",
        board: "7k/8/8/8/3*4/8/8/8 w - - - 0 1",
        pieces: vec![
            piece("M", "Man", "One cell diagonally ahead. Jumps ahead only."),
            piece("K", "King", "One cell along a diagonal, ahead or back. Jumps both ways."),
        ],
        sections: vec![
            Section {
                title: "Capturing",
                text: "A piece jumps diagonally over an adjacent enemy to the empty cell right \
                       behind it, and must go on with the same piece as long as it can jump. What \
                       was jumped over leaves the board. If there is a capture, one must be made; \
                       of several the player chooses any, the shortest too.",
            },
            Section {
                title: "Promotion",
                text: "A man that arrives on the last rank becomes a king, and its move ends, even \
                       if the king could jump on.",
            },
            Section {
                title: "End of the game",
                text: "A side that cannot move, because it has no piece left or all are blocked, \
                       has lost. Captures and moves of men restart the clock.",
            },
            Section {
                title: "Who begins",
                text: "The rule books let the darker men begin and number the 32 cells. Here the \
                       side that begins is called White, as in all games, and cells have the names \
                       of a chessboard.",
            },
        ],
        examples: vec![
            Example {
                title: "Any route",
                text: "One piece or two: both captures are complete, so both are legal.",
                fen: "8/8/3m1m2/8/1m1m4/2M5/8/6M1 w - - - 0 1",
                moves: "c3",
            },
            Example {
                title: "A king's round",
                text: "Four jumps, one way round or the other, and back to where it began.",
                fen: "8/8/8/2m1m3/8/2m1m3/3K4/8 w - - - 7 50",
                moves: "d2",
            },
        ],
        rulings: vec![],
    }
}
