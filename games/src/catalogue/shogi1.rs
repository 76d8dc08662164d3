//! Modern Shogi, 1st edition: rulebook page `shogi.md`.

use super::shogi;
use crate::families::chess::{
    DIAGONAL, Declaration, ORTHOGONAL, Piece, entry as enter, leaper, ring,
};
use crate::game::Entry;
use crate::{Guide, PieceGuide, Ruling, Section};

/// The catalogue entry.
pub(crate) fn entry() -> Entry {
    let piece = Piece::new;
    let step_or_leap = || [ring(1), leaper(1, 2)].concat();
    let basics = shogi::basics(
        "shogi1",
        "Modern Shogi, 1st edition",
        "1st edition, 2011-04-22",
        "r7r/1bbgkgnn1/ppppppppp/9/9/9/PPPPPPPPP/1BBGKGNN1/R7R w - - - 0 1",
        guide(),
    );
    let declaration = Declaration {
        pieces: vec![
            piece('G', "general", 700, ring(1), vec![]),
            piece('R', "rook", 1000, vec![], vec![ORTHOGONAL]),
            piece('B', "bishop", 850, vec![], vec![DIAGONAL]),
            piece('N', "knight", 650, leaper(1, 2), vec![]),
        ],
        hands: "RBGNP",
        ..shogi::turning_into(vec![
            piece('G', "marshal", 1200, step_or_leap(), vec![]),
            piece('R', "dragon", 1400, ring(1), vec![ORTHOGONAL]),
            piece('B', "episcope", 1200, ring(1), vec![DIAGONAL]),
            piece('N', "ninja", 1200, step_or_leap(), vec![]),
            piece('P', "pionnier", 700, ring(1), vec![]),
        ])
    };
    enter(basics, &declaration)
}

/// What both editions say about promotion.
pub(super) const PROMOTION: Section = Section {
    title: "Promotion",
    text: "The zone is the three farthest ranks. Any piece but the king may promote with a move \
           that begins or ends there; a pawn that reaches the last rank has to. It stays promoted \
           until it is captured.",
};

/// The pieces that both editions share, by their units.
pub(super) fn shared_piece(unit: &'static str) -> PieceGuide {
    let (name, text) = match unit {
        "K" => ("King", "One cell in any direction."),
        "G" => ("General", "One cell in any direction, but he is no king."),
        "R" => ("Rook", "Files and ranks."),
        "+R" => ("Dragon", "Files and ranks, and one cell in any direction."),
        "+B" => ("Episcope", "Diagonals, and one cell in any direction."),
        "P" => ("Pawn", "One cell straight ahead, capturing as it moves."),
        _ => ("Pionnier", "One cell in any direction."),
    };
    let board = (unit == "K").then_some("3k5/9/9/4p4/9/4*1p2/9/9/9 w - - - 0 1");
    PieceGuide { unit, name, text, board }
}

/// The rulings that hold in both editions.
pub(super) fn shared_rulings() -> Vec<Ruling> {
    vec![
        Ruling::Reading(
            "White moves first and is the first player of shogi; what the author does not mention \
             is as in shogi: drops, the zone of three ranks, promotion by choice.",
        ),
        Ruling::Reading(
            "The aim is said to be the capture of the king; it is played as check and checkmate, \
             which comes to the same.",
        ),
        Ruling::Reading("Pawns capture straight ahead, as in shogi: no other way is given."),
        Ruling::Reading(
            "Two kings in the opposite camps are not counted out by points: such a game goes on \
             until another rule ends it.",
        ),
    ]
}

fn guide() -> Guide {
    let piece = PieceGuide::new;
    let shared = shared_piece;
    let mut rulings = shared_rulings();
    rulings.push(Ruling::Reconstruction(
        "The drawing is lost. Both tables put the bishops on files b and c and the knights on g \
         and h, so the armies mirror each other across the middle rank.",
    ));
    Guide {
        summary: "Shogi with full knights, generals in place of golds and silvers, and two rooks \
                  and two bishops a side. Captured pieces come back on the captor's side; \
                  checkmate wins.",
        board: "3k5/9/9/4p4/9/4*1p2/9/9/5K3 w - - - 0 1",
        pieces: vec![
            shared("K"),
            shared("G"),
            piece("+G", "Marshal", "One cell in any direction, or the knight's jump."),
            shared("R"),
            shared("+R"),
            piece("B", "Bishop", "Diagonals."),
            shared("+B"),
            piece("N", "Knight", "Two cells along a file or rank and one aside, over anything."),
            piece("+N", "Ninja", "The knight's jump, or one cell in any direction."),
            shared("P"),
            shared("+P"),
        ],
        sections: [vec![PROMOTION], shogi::shared_sections()].concat(),
        examples: vec![],
        rulings,
    }
}
