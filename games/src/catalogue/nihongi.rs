//! Nihongi, the sister of the cubic chess in four dimensions: rulebook page `nihongi.md`.

use super::cubic::{self, Sister};
use crate::game::Entry;
use crate::{Example, Geometry, Guide};

/// The catalogue entry.
pub(crate) fn entry() -> Entry {
    cubic::entry(Sister {
        id: "nihongi",
        title: "Nihongi",
        edition: "edition of 2010-06-03",
        geometry: Geometry::blocks(3, 4, 9),
        axes: 4,
        orders: &[
            "xywz", "xzyw", "xzwy", "xwyz", "xwzy", "yxzw", "yxwz", "yzxw", "yzwx", "ywxz", "ywzx",
            "zxyw", "zxwy", "zyxw", "zywx", "zwxy", "zwyx", "wxyz", "wxzy", "wyxz", "wyzx", "wzxy",
            "wzyx",
        ],
        far_corner: &["i9"],
        // A horse on the central cell reaches 40 cells, half the board.
        values: [450, 400, 300, 800],
        start: "4ppbqk/5pbrr/6phh/7pp/P7p/PP7/HHP6/RRBP5/KQBPP4 w Kk - - 0 1",
        guide: guide(),
    })
}

fn guide() -> Guide {
    Guide {
        summary: "Chess in four dimensions, on a tesseract of 3 x 3 x 3 x 3 cells, with fifteen \
                  men a side. Pieces move along one, two or three of the four axes at once. \
                  Checkmate wins.",
        board: "8k/9/9/5p3/4*p3/9/9/9/K8 w - - - 0 1",
        pieces: cubic::pieces("8k/9/9/9/3p*4/9/9/9/9 w K - - 0 1"),
        sections: cubic::sections(
            "The diagram shows nine blocks of nine cells. Two axes run inside a block, the third \
             from block to block along a row of blocks, the fourth from row to row. So a1 has the \
             neighbours b1, a2, d1 and a4; c1 and d1 only look like neighbours.",
            "A white pawn on i9, a black one on a1 becomes a queen, rook, bishop or horse.",
        ),
        examples: vec![Example {
            title: "The first check",
            text: "The rook on a7 gives check along the fourth axis. The king has lost his D-steps, \
                   so none of e2, b5, d5 and e4 can be reached.",
            fen: "8k/9/r8/9/9/9/9/9/K8 w k - - 1 20",
            moves: "a1",
        }],
        rulings: cubic::rulings(
            "The picture is lost. A block is taken to stand for two more coordinates, as in the \
             slicing of a sudoku which the text mentions. White's nine men around the king then \
             fill exactly one block, and Black's army is White's reflected in the centre.",
        ),
    }
}
