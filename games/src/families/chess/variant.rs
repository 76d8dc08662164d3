//! What a variants file of Fairy-Stockfish can say of a declared game.

use std::fmt::{Display, Write as _};

use super::betza;
use super::declaration::{Declaration, FirstMove, Stalemate, Zone, ZoneCells};
use crate::game::Basics;
use crate::variants_ini::{OWN, Variant};
use crate::{CellSet, Geometry};

/// The most files and ranks of a board of Fairy-Stockfish.
const LARGEST: [usize; 2] = [12, 10];

/// The letter of pawns.
const PAWN: &str = "p";

/// How the pawns of chess move, without their double step.
const PAWN_OF_CHESS: &str = "mfWcfF";

/// Pieces that Fairy-Stockfish knows by name, and how they move. It plays them better than those
/// that it is only told of.
const PREDEFINED: [(&str, &str); 13] = [
    ("pawn", PAWN_OF_CHESS),
    ("shogiPawn", "mfWcfW"),
    ("knight", "N"),
    ("bishop", "B"),
    ("rook", "R"),
    ("queen", "Q"),
    ("archbishop", "BN"),
    ("chancellor", "RN"),
    ("amazon", "QN"),
    ("bers", "RK"),
    ("dragonHorse", "BK"),
    ("commoner", "K"),
    ("centaur", "KN"),
];

/// What can be said of the game that `basics` and `game` declare; `homes` are the cells where
/// White's pawns start.
pub(super) fn variant<const W: usize>(
    basics: &Basics,
    game: &Declaration,
    homes: CellSet<W>,
) -> Variant {
    if OWN.contains(&basics.id) {
        let lacks = mating_drops(game).into_iter().collect();
        return Variant::Expressed { options: String::new(), lacks };
    }
    let geometry = &basics.geometry;
    let Some(board @ [files, ranks]) = geometry.rectangle_extent() else {
        return Variant::Inexpressible("the board is no rectangle".to_owned());
    };
    if files > LARGEST[0] || ranks > LARGEST[1] {
        let [files, ranks] = LARGEST;
        let reason = format!("the board is larger than {files} files by {ranks} ranks");
        return Variant::Inexpressible(reason);
    }
    let section = Section { basics, game, board, home: home_rank(geometry, homes) };
    match section.options() {
        Ok(options) => Variant::Expressed { options, lacks: section.lacks() },
        Err(reason) => Variant::Inexpressible(reason),
    }
}

/// The rank, from 1, that `homes` fill, if they fill just one.
fn home_rank<const W: usize>(geometry: &Geometry, homes: CellSet<W>) -> Option<usize> {
    let rank = |cell| usize::from(geometry.coordinates(cell)[1]);
    let first = rank(homes.iter().next()?);
    let filled = geometry.cells().filter(|&cell| rank(cell) == first).collect::<CellSet<W>>();
    (filled == homes).then_some(first + 1)
}

/// What is lacking where pawns may not be dropped with mate.
fn mating_drops(game: &Declaration) -> Option<String> {
    let drops = game.hands.contains('P');
    drops.then(|| "pawn drops that give mate: they are legal, and lose".to_owned())
}

/// How the piece called `name` moves, if there is notation for it.
fn told(name: &str, moves: Option<String>) -> Result<String, String> {
    moves.ok_or_else(|| format!("there is no notation for how the {name} moves"))
}

/// A game that is to be told.
struct Section<'d> {
    basics: &'d Basics,
    game: &'d Declaration,
    /// Files and ranks.
    board: [usize; 2],
    /// The rank, from 1, where White's pawns start, if that is one whole rank.
    home: Option<usize>,
}

impl Section<'_> {
    /// The options of the section, a line each, but for the start.
    ///
    /// # Errors
    /// In words, if there are none for these rules.
    fn options(&self) -> Result<String, String> {
        if self.game.king.second.is_some() {
            return Err("a side may have two kings".to_owned());
        }
        let mut options = Options(String::new());
        let [files, ranks] = self.board;
        options.set("maxRank", ranks);
        options.set("maxFile", files);
        let pieces = self.pieces()?;
        for (name, value) in &pieces {
            options.set(name, value);
        }
        if !pieces.iter().any(|(name, _)| name == "pawn") {
            options.set("nMoveRuleTypes", PAWN);
        }
        self.tell_promotion(&mut options);
        self.tell_first_moves(&mut options)?;
        options.set("castling", false);
        self.tell_hands(&mut options);
        self.tell_ends(&mut options);
        Ok(options.0)
    }

    /// The options for the pieces: the name of each, and its letter, with how it moves where the
    /// name does not say that.
    fn pieces(&self) -> Result<Vec<(String, String)>, String> {
        let mut predefined = PREDEFINED.to_vec();
        let mut custom = 0;
        let named = self.movers()?.into_iter().map(|(letter, moves)| {
            let letter = letter.to_ascii_lowercase();
            if let Some(known) = predefined.iter().position(|&(_, known)| known == moves) {
                // Each name is for one piece only.
                return (predefined.remove(known).0.to_owned(), letter.to_string());
            }
            custom += 1;
            (format!("customPiece{custom}"), format!("{letter}:{moves}"))
        });
        let mut pieces: Vec<_> = named.collect();
        let king = match told("king", betza::of_leaps(&self.game.king.leaps))?.as_str() {
            "K" => "k".to_owned(),
            moves => format!("k:{moves}"),
        };
        pieces.push(("king".to_owned(), king));
        Ok(pieces)
    }

    /// The letter of every piece but the king, and how it moves.
    fn movers(&self) -> Result<Vec<(char, String)>, String> {
        let game = self.game;
        let mut movers = vec![('P', told("pawn", betza::of_pawn(&game.pawn))?)];
        let turned = self.turned().map(|(_, letter)| letter);
        let other_sides = game.turning.iter().flat_map(|turning| &turning.pieces).zip(turned);
        let plain = game.pieces.iter().map(|piece| (piece, piece.letter));
        for (piece, letter) in plain.chain(other_sides) {
            movers.push((letter, told(piece.name, betza::of_piece(piece))?));
        }
        Ok(movers)
    }

    /// The letter of each piece that turns over, and one that the game does not use for its other
    /// side.
    fn turned(&self) -> impl Iterator<Item = (char, char)> {
        let used = |letter: &char| {
            "PK".contains(*letter) || self.game.pieces.iter().any(|piece| piece.letter == *letter)
        };
        let free = ('A'..='Z').filter(move |letter| !used(letter));
        let pieces = self.game.turning.iter().flat_map(|turning| &turning.pieces);
        pieces.map(|piece| piece.letter).zip(free)
    }

    /// The zone on the last rank.
    fn last_zone(&self) -> Option<&Zone> {
        let last = |zone: &&Zone| zone.rank() == Some(self.board[1]);
        self.game.promotion.iter().find(last)
    }

    fn tell_promotion(&self, options: &mut Options) {
        let ranks = self.board[1];
        let near = match (&self.game.turning, self.last_zone()) {
            (Some(turning), _) => ranks + 1 - usize::from(turning.ranks),
            (None, Some(_)) => ranks,
            // A rank that there is not.
            (None, None) => ranks + 1,
        };
        options.set("promotionRank", near);
        options.set_regions("promotionRegion", [near..=ranks, 1..=ranks + 1 - near]);
        if let Some(zone) = self.last_zone() {
            options.set("promotionPawnTypes", PAWN);
            options.set("promotionPieceTypes", zone.pieces.to_ascii_lowercase());
            options.set("mandatoryPawnPromotion", !zone.optional);
        }
        let turned = |(face, other): (char, char)| format!("{face}:{other}").to_ascii_lowercase();
        let turned: Vec<String> = self.turned().map(turned).collect();
        if !turned.is_empty() {
            options.set("promotedPieceType", turned.join(" "));
            options.set("immobilityIllegal", true);
        }
    }

    fn tell_first_moves(&self, options: &mut Options) -> Result<(), String> {
        let pawn = &self.game.pawn;
        if let FirstMove::Plain = pawn.first {
            options.set("doubleStep", false);
            return Ok(());
        }
        let of_chess = betza::of_pawn(pawn).is_some_and(|moves| moves == PAWN_OF_CHESS);
        if !of_chess && matches!(pawn.first, FirstMove::Double(_)) {
            return Err("its pawns take double steps but are not those of chess".to_owned());
        }
        let home = self.home.ok_or("its pawns do not start on one whole rank")?;
        options.set("doubleStepRank", home);
        let blacks = self.board[1] + 1 - home;
        options.set_regions("doubleStepRegion", [home..=home, blacks..=blacks]);
        Ok(())
    }

    fn tell_hands(&self, options: &mut Options) {
        if self.game.hands.is_empty() {
            return;
        }
        options.set("pieceDrops", true);
        options.set("capturesToHand", true);
        options.set("dropNoDoubled", PAWN);
        options.set("shogiPawnDropMateIllegal", true);
    }

    fn tell_ends(&self, options: &mut Options) {
        if self.game.stalemate == Stalemate::Loses {
            options.set("stalemateValue", "loss");
        }
        let repetition = self.basics.repetition;
        options.set("nFoldRule", repetition.limit);
        options.set("perpetualCheckIllegal", repetition.perpetual_check_loses);
    }

    /// The rules for which there are no options, in words.
    fn lacks(&self) -> Vec<String> {
        let game = self.game;
        let along_the_rank = game.pawn.steps.iter().any(|step| step[1] == 0);
        let stays = along_the_rank && self.last_zone().is_some_and(|zone| zone.optional);
        let jumps = matches!(game.pawn.first, FirstMove::Jump(_));
        let castling = game.castling.iter().map(|castling| 1 + castling.rooks.len()).max();
        let lacking = [
            (!game.king.leaps_until_checked.is_empty())
                .then(|| "the leaps of kings that have never been checked".to_owned()),
            (!game.king.double_move.is_empty()).then(|| "the double moves of kings".to_owned()),
            castling.map(|pieces| format!("castling, which moves {pieces} pieces")),
            self.nearer_zones(),
            stays.then(|| {
                "pawns that stay pawns on the last rank: they may promote as they walk along it"
                    .to_owned()
            }),
            (jumps && along_the_rank).then(|| {
                "pawns that have walked along their first rank: they keep their first jump"
                    .to_owned()
            }),
            jumps.then(|| "releases before March 2023, which know no first jumps".to_owned()),
            mating_drops(game),
        ];
        lacking.into_iter().flatten().collect()
    }

    /// What is lacking where pawns promote before the last rank: there is one list of pieces for
    /// all ranks.
    fn nearer_zones(&self) -> Option<String> {
        let nearer = self.game.promotion.iter().filter_map(Zone::rank);
        let nearer: Vec<String> =
            nearer.filter(|&rank| rank < self.board[1]).map(|rank| rank.to_string()).collect();
        let word = if nearer.len() > 1 { "ranks" } else { "rank" };
        (!nearer.is_empty()).then(|| format!("promotion on {word} {}", nearer.join(" and ")))
    }
}

impl Zone {
    /// The rank, from 1, that it is, counted from the pawn's own side.
    fn rank(&self) -> Option<usize> {
        match self.cells {
            ZoneCells::Rank(rank) => Some(rank.into()),
            ZoneCells::Named(_) => None,
        }
    }
}

/// Options as they are written.
struct Options(String);

impl Options {
    fn set(&mut self, name: &str, value: impl Display) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.0, "{name} = {value}");
    }

    /// Sets the option `name` of White and that of Black to all cells of their ranks.
    fn set_regions(&mut self, name: &str, ranks: [std::ops::RangeInclusive<usize>; 2]) {
        for (side, ranks) in ["White", "Black"].into_iter().zip(ranks) {
            let ranks: Vec<String> = ranks.map(|rank| format!("*{rank}")).collect();
            let cells = if ranks.is_empty() { "-".to_owned() } else { ranks.join(" ") };
            self.set(&format!("{name}{side}"), cells);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::declaration::{King, Pawn, Piece, offset, ring};
    use super::*;
    use crate::{Guide, Repetition};

    /// Why a game with pawns on `homes` cannot be told.
    #[track_caller]
    fn refused(files: &str, homes: &[&str], game: &Declaration, reason: &str) {
        let geometry = Geometry::rectangle(files, 8);
        let homes = homes.iter().map(|name| geometry.cell(name).unwrap()).collect::<CellSet<2>>();
        let guide = Guide {
            summary: "",
            board: "",
            pieces: vec![],
            sections: vec![],
            examples: vec![],
            rulings: vec![],
        };
        let basics = Basics {
            id: "test",
            title: "",
            edition: "",
            geometry,
            start: "",
            repetition: Repetition::drawn_at(3),
            maximum_plies: 100,
            guide,
        };
        match variant(&basics, game, homes) {
            Variant::Inexpressible(found) => assert_eq!(found, reason),
            Variant::Expressed { options, .. } => panic!("{options}"),
        }
    }

    #[test]
    fn rules_without_options_are_named() {
        let chess = Declaration::orthodox;
        let whole = ["a2", "b2", "c2"];
        refused("abcdefghijklm", &[], &chess(), "the board is larger than 12 files by 10 ranks");
        let two = Declaration { king: King { second: Some(1), ..King::orthodox() }, ..chess() };
        refused("abc", &whole, &two, "a side may have two kings");
        let crab = Piece::new('C', "crab", 1, vec![offset(1, 2)], vec![]);
        let crabs = Declaration { pieces: vec![crab], ..chess() };
        refused("abc", &whole, &crabs, "there is no notation for how the crab moves");
        let pawn = Pawn { captures: ring(1), ..Pawn::orthodox() };
        let pawns = Declaration { pawn, ..chess() };
        let reason = "its pawns take double steps but are not those of chess";
        refused("abc", &whole, &pawns, reason);
        refused("abc", &whole[..2], &chess(), "its pawns do not start on one whole rank");
    }
}
