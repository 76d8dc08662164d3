//! Modern Grand Chess, first edition, and Incomplete Modern Grand Chess, the same game without
//! some kinds of pieces: rulebook page `mgc1.md`.

use crate::families::chess::{
    DIAGONAL, Declaration, FirstMove, King, ORTHOGONAL, Pawn, Piece, Zone, ZoneCells,
    entry as enter, offset, ring,
};
use crate::game::{Basics, Entry};
use crate::{Example, Geometry, Guide, PieceGuide, Repetition, Ruling, Section};

/// How the members are called that are not listed.
pub(crate) const FORM: &str = "mgc1-no-LETTERS";

/// What [`FORM`] begins with.
const PREFIX: &str = "mgc1-no-";

/// Every kind but the king, in the order of names.
const KINDS: &str = "PHNBECRGMFQ";

/// The kinds of pieces that a member of the family is played with.
pub(crate) struct Army {
    /// The letters of the kinds left out, in the order of [`KINDS`].
    left_out: String,
}

impl Army {
    /// All kinds.
    pub(crate) const COMPLETE: Self = Self { left_out: String::new() };

    /// Without the pieces that go to the neighbouring cells (ruling 7).
    pub(crate) fn incomplete() -> Self {
        Self { left_out: "NEG".to_owned() }
    }

    /// The kinds of chess (ruling 7).
    pub(crate) fn simple() -> Self {
        Self { left_out: "NECGMQ".to_owned() }
    }

    /// The army of the game called `id`; `None` if that does not begin as [`FORM`] does. The
    /// letters may come in any order.
    ///
    /// # Errors
    /// If the letters are no set of kinds that may be left out.
    pub(crate) fn of_id(id: &str) -> Option<Result<Self, String>> {
        id.strip_prefix(PREFIX).map(Self::without)
    }

    fn without(letters: &str) -> Result<Self, String> {
        if letters.is_empty() {
            return Err(format!("`{PREFIX}` is followed by some of {KINDS}"));
        }
        for (at, letter) in letters.char_indices() {
            if !KINDS.contains(letter) {
                return Err(format!("`{PREFIX}` is followed by some of {KINDS}, not `{letter}`"));
            }
            if letters[..at].contains(letter) {
                return Err(format!("`{letter}` is left out twice"));
            }
        }
        let left_out = |kind: &char| letters.contains(*kind);
        if left_out(&'P') && left_out(&'C') && !left_out(&'Q') {
            let problem = "without P and C the queens attack both kings from the start, \
                           so Q has to be left out too";
            return Err(problem.to_owned());
        }
        Ok(Self { left_out: KINDS.chars().filter(left_out).collect() })
    }

    /// The id of the game played with it.
    pub(crate) fn id(&self) -> String {
        match self.left_out.as_str() {
            "" => "mgc1".to_owned(),
            "NEG" => "mgc1-incomplete".to_owned(),
            "NECGMQ" => "mgc1-simple".to_owned(),
            letters => format!("{PREFIX}{letters}"),
        }
    }

    fn title(&self) -> String {
        match self.left_out.as_str() {
            "" => "Modern Grand Chess, first edition".to_owned(),
            "NEG" => "Incomplete Modern Grand Chess".to_owned(),
            "NECGMQ" => "Simple Modern Grand Chess".to_owned(),
            letters => format!("Modern Grand Chess without {letters}"),
        }
    }

    /// The catalogue entry of the game played with it.
    pub(crate) fn entry(&self) -> Entry {
        let piece = Piece::new;
        let pieces = vec![
            piece('H', "horse", 450, ring(2), vec![]),
            piece('N', "ninja", 700, [ring(1), ring(2)].concat(), vec![]),
            piece('B', "bishop", 350, vec![], vec![DIAGONAL]),
            piece('E', "episcope", 550, ring(1), vec![DIAGONAL]),
            piece('C', "cardinal", 850, ring(2), vec![DIAGONAL]),
            piece('R', "rook", 550, vec![], vec![ORTHOGONAL]),
            piece('G', "general", 750, ring(1), vec![ORTHOGONAL]),
            piece('M', "marshal", 1050, ring(2), vec![ORTHOGONAL]),
            piece('F', "ferz", 950, vec![], vec![ORTHOGONAL, DIAGONAL]),
            piece('Q', "queen", 1450, ring(2), vec![ORTHOGONAL, DIAGONAL]),
        ];
        // Rulings 3 and 6: obligatory, to a kind that is being played with. Where there is none
        // the pawn stays one.
        let letters = pieces.iter().map(|piece| piece.letter);
        let kinds: String = letters.filter(|&letter| !self.left_out.contains(letter)).collect();
        let promotion = match kinds.is_empty() {
            true => vec![],
            false => {
                vec![Zone { cells: ZoneCells::Rank(10), pieces: kinds.leak(), optional: false }]
            }
        };
        let basics = Basics {
            id: self.id().leak(),
            title: self.title().leak(),
            edition: "first edition, 2010-07-20",
            geometry: Geometry::rectangle("abcdefghik", 10),
            start: "rgmfqkfmgr/nhbeccebhn/pppppppppp/10/10/10/10/PPPPPPPPPP/NHBECCEBHN/RGMFKQFMGR \
                    w Kk - - 0 1",
            repetition: Repetition::drawn_at(3),
            maximum_plies: 400,
            guide: guide(self),
        };
        let declaration = Declaration {
            turn: [true, true, false, false],
            // Ruling 1: steps never go back, the first jump gains ground.
            pawn: Pawn {
                steps: vec![offset(-1, 0), offset(1, 0), offset(-1, 1), offset(0, 1), offset(1, 1)],
                captures: vec![offset(-1, 1), offset(1, 1)],
                first: FirstMove::Jump(vec![
                    offset(-2, 1),
                    offset(2, 1),
                    offset(-2, 2),
                    offset(-1, 2),
                    offset(0, 2),
                    offset(1, 2),
                    offset(2, 2),
                ]),
                anywhere: false,
            },
            king: King { leaps_until_checked: ring(2), ..King::orthodox() },
            pieces,
            promotion,
            left_out: self.left_out.clone().leak(),
            ..Declaration::orthodox()
        };
        enter(basics, &declaration)
    }
}

/// The guide of the member with `army`.
fn guide(army: &Army) -> Guide {
    let piece = PieceGuide::new;
    let mut pieces = vec![
        piece(
            "K",
            "King",
            "One cell in any direction. Until he is checked for the first time also jumps to \
                 any cell at distance two, which he attacks as well.",
        )
        .on("k9/10/10/10/10/4*1p3/10/10/10/10 w K - - 0 1"),
        piece("Q", "Queen", "Files, ranks, diagonals, and jumps at distance two."),
        piece("F", "Ferz", "Files, ranks and diagonals."),
        piece("M", "Marshal", "Files and ranks, and jumps at distance two."),
        piece("G", "General", "Files and ranks, and one cell in any direction."),
        piece("R", "Rook", "Files and ranks."),
        piece("C", "Cardinal", "Diagonals, and jumps at distance two."),
        piece("E", "Episcope", "Diagonals, and one cell in any direction."),
        piece("B", "Bishop", "Diagonals."),
        piece("N", "Ninja", "Any cell at distance one or two."),
        piece("H", "Horse", "Any cell at distance two, over anything."),
        piece(
            "P",
            "Pawn",
            "One cell to an empty cell that does not lie behind it. As its first move it may \
                 jump to an empty cell at distance two that gains ground. Captures one cell \
                 diagonally ahead, and nothing else.",
        )
        .on("k9/10/10/10/10/10/3p6/4*5/10/9K w - - - 0 1"),
    ];
    pieces.retain(|piece| !army.left_out.contains(piece.unit));
    Guide {
        summary: match army.left_out.as_str() {
            "" => {
                "Grand chess on a hundred cells, as first published. Every piece is made of three \
                 movements: along files and ranks, along diagonals, and jumps to near cells. \
                 Checkmate wins."
            }
            _ => {
                "The first edition of Modern Grand Chess with some kinds of pieces left out, to \
                 learn it by. Checkmate wins."
            }
        },
        board: "k9/10/10/4p5/10/4*1p3/10/2p7/10/9K w - - - 0 1",
        pieces,
        sections: vec![
            Section {
                title: "Promotion",
                text: "A pawn that arrives on the last rank has to become one of the pieces played \
                       with, but not a king. If there is no other kind it stays a pawn.",
            },
            Section {
                title: "The leap right",
                text: "A king that stands in check when his side is to move has lost his jumps for \
                       good, also as an answer to that check. Jumping does not use the right up. \
                       While it lasts, the enemy king cannot come near.",
            },
            Section {
                title: "End of the game",
                text: "Checkmate wins, stalemate draws. There is no castling and no en passant. A \
                       pawn step that changes rank, and a capture, restart the clock.",
            },
            Section {
                title: "Incomplete games",
                text: "Before a game the players may agree to leave out kinds of pieces, the same \
                       for both sides; the others keep their cells. Such a game is called \
                       `mgc1-no-` and the letters of these kinds, for example `mgc1-no-NE`. Any \
                       kinds but the king may go, except that without pawns and cardinals the \
                       queens have to go too.",
            },
        ],
        examples: vec![Example {
            title: "A spent pawn",
            text: "The pawn on f3 has stepped there from e3 along the rank, so its first move is \
                   over; the rights field lists it.",
            fen: "k9/10/10/10/10/10/10/5P4/10/9K w -:f3 - - 0 1",
            moves: "f3",
        }],
        rulings: vec![
            Ruling::Reading(
                "Pawns move as in the second edition: ahead or sideways, never back, and the first \
                 jump gains at least one rank.",
            ),
            Ruling::Reading(
                "A pawn that walks along its first rank has made its first move, hence the list of \
                 spent pawns in the position string.",
            ),
            Ruling::Reading(
                "Promotion is obligatory: only the second edition lets a pawn stay a pawn.",
            ),
            Ruling::Reading(
                "Kinds are left out as a whole and for both sides, and nothing promotes to them.",
            ),
            Ruling::Reconstruction(
                "Which kinds `mgc1-incomplete` and `mgc1-simple` leave out: their diagrams are \
                 lost. The simple game has the kinds of chess, the incomplete one adds those that \
                 join a slider and a jump.",
            ),
        ],
    }
}
