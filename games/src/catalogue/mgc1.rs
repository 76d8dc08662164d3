//! Modern Grand Chess, first edition, and Incomplete Modern Grand Chess, the same game without
//! some kinds of pieces: rulebook page `mgc1.md`.

use super::{grand, mgc};
use crate::families::chess::{Declaration, King, Zone, ZoneCells, entry as enter, ring};
use crate::game::{Basics, Entry};
use crate::{Guide, Repetition, Ruling, Section};

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
        let pieces = mgc::pieces(('R', "rook"), ('F', "ferz"));
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
            geometry: grand::board(),
            start: "rgmfqkfmgr/nhbeccebhn/pppppppppp/10/10/10/10/PPPPPPPPPP/NHBECCEBHN/RGMFKQFMGR \
                    w Kk - - 0 1",
            repetition: Repetition::drawn_at(3),
            maximum_plies: 400,
            guide: guide(self),
        };
        let declaration = Declaration {
            turn: [true, true, false, false],
            // Ruling 1.
            pawn: mgc::pawn(),
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
    let mut pieces = mgc::piece_guides(
        "One cell in any direction. Until he is checked for the first time also jumps to any cell \
         at distance two, which he attacks as well.",
        ("R", "Rook"),
        ("F", "Ferz"),
    );
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
        board: grand::SHOWN_ON,
        pieces,
        sections: vec![
            Section {
                title: "Promotion",
                text: "A pawn that arrives on the last rank has to become one of the pieces played \
                       with, but not a king. If there is no other kind it stays a pawn.",
            },
            mgc::LEAP_RIGHT,
            mgc::END,
            Section {
                title: "Incomplete games",
                text: "Before a game the players may agree to leave out kinds of pieces, the same \
                       for both sides; the others keep their cells. Such a game is called \
                       `mgc1-no-` and the letters of these kinds, for example `mgc1-no-NE`. Any \
                       kinds but the king may go, except that without pawns and cardinals the \
                       queens have to go too.",
            },
        ],
        examples: vec![mgc::SPENT],
        rulings: vec![
            Ruling::Reading(
                "Pawns move as in the second edition: ahead or sideways, never back, and the first \
                 jump gains at least one rank.",
            ),
            mgc::WALKED,
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
