//! [`Dialect`]: positions and moves as the protocols of chess programs write them.

use std::borrow::Cow;

use crate::{Cell, FenError, Game, Geometry, Move, MoveError, Position, UnknownGame};

/// How a protocol writes positions and moves.
///
/// Of chess-like games on rectangles:
///
/// | | here | [`Dialect::Uci`] | [`Dialect::Cecp`] |
/// |---|---|---|---|
/// | the last cell of ten by ten | `k10` | `j10` | `j9` |
/// | promotion | `e7e8=Q` | `e7e8q` | `e7e8q` |
/// | a piece that turns over | `e6e7+` | `e6e7+` | `e6e7+` |
/// | drop | `P*e5` | `P@e5` | `P@e5` |
/// | castling | `e1g1` | `e1g1` | `e1g1` |
/// | pieces in hand | `... w - - 2Pp 0 1` | `...[PPp] w - - 0 1` | `...[PPp] w - - 0 1` |
///
/// A move that declines to turn the piece over is also read with `=` behind it, as XBoard writes it:
/// `e6e7=`. The files of the protocols are the letters of the alphabet without a gap. Of other games
/// no program but this one knows the board: they are written as everywhere else here.
///
/// ```
/// use games::{Dialect, Game};
/// let start = Game::by_id("mgc")?.start();
/// let pawn = start.parse_move("k2k4")?;
/// assert_eq!(Dialect::Uci.move_text(&start, &pawn), "j2j4");
/// assert_eq!(Dialect::Cecp.move_text(&start, &pawn), "j1j3");
/// assert_eq!(Dialect::Cecp.parse_move(&start, "j1j3")?, pawn);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// UCI with `UCI_Variant`, as Fairy-Stockfish speaks it: ranks count from 1.
    Uci,
    /// The protocol of XBoard: the ranks of a board that has exactly ten count from 0.
    Cecp,
}

impl Dialect {
    /// The game that CECP is named for, and plays unless told otherwise.
    pub const NORMAL: &str = "normal";

    /// What the protocol calls `game`: its id, but for the game that is [`Dialect::NORMAL`], and for
    /// those that XBoard would take for one that it knows, since only digits follow its name.
    #[must_use]
    pub fn variant(self, game: &Game) -> Cow<'static, str> {
        const KNOWN: &str = "shogi";
        match (self, game.id) {
            (Self::Cecp, "chess") => Self::NORMAL.into(),
            (Self::Cecp, id) if id != KNOWN && id.starts_with(KNOWN) => {
                format!("modern-{id}").into()
            }
            (_, id) => id.into(),
        }
    }

    /// The game that the protocol calls `variant`, or whose id it is.
    ///
    /// # Errors
    /// If there is none; the message lists the ids.
    pub fn game(self, variant: &str) -> Result<&'static Game, UnknownGame> {
        let named = Game::all().iter().find(|game| self.variant(game) == variant);
        named.map_or_else(|| Game::by_id(variant), Ok)
    }

    /// The files and ranks of the board of `game`, if other programs know such boards.
    #[must_use]
    pub fn extent(self, game: &Game) -> Option<[usize; 2]> {
        self.board(game)?;
        game.geometry.rectangle_extent()
    }

    /// Splits `text` after the cell that it begins with, if there is one and other programs know such
    /// boards.
    #[must_use]
    pub fn split_cell<'t>(self, game: &Game, text: &'t str) -> Option<(Cell, &'t str)> {
        self.board(game)?.split(text)
    }

    /// The text of `played`, which must be legal in `position`.
    #[must_use]
    pub fn move_text(self, position: &Position, played: &Move) -> String {
        let own = position.move_text(played);
        match self.board(position.game()) {
            Some(board) => board.move_to(&own),
            None => own,
        }
    }

    /// Reads a move. The letter of a promotion may have either case.
    ///
    /// # Errors
    /// If `text` is no legal move of `position` in this dialect; the error says which are, as they
    /// are written here.
    pub fn parse_move(self, position: &Position, text: &str) -> Result<Move, MoveError> {
        let own = match self.board(position.game()) {
            // The empty text is never a move.
            Some(board) => board.move_from(text).unwrap_or_default(),
            None => text.to_owned(),
        };
        position.parse_move(&own).map_err(|error| MoveError { text: text.to_owned(), ..error })
    }

    /// The position string of `position`.
    #[must_use]
    pub fn fen(self, position: &Position) -> String {
        let own = position.fen();
        let Some(board) = self.board(position.game()) else { return own };
        let fields: Vec<&str> = own.split(' ').collect();
        let &[placement, side, rights, en_passant, hands, clock, fullmove] = fields.as_slice()
        else {
            unreachable!("a position string has seven fields")
        };
        let hands = if hands == "-" { String::new() } else { format!("[{}]", spelt_out(hands)) };
        let [rights, en_passant] = [rights, en_passant].map(|field| board.cells_to(field));
        format!("{placement}{hands} {side} {rights} {en_passant} {clock} {fullmove}")
    }

    /// Reads a position string: one of this dialect, in which hands stand in brackets behind the
    /// placement or are left out, but also one of the seven fields that are usual here. All behind
    /// the side may be left out, from the right, and before that the numbers alone or the other two:
    /// XBoard writes `placement side clock fullmove` where a game has neither castling nor en passant.
    /// The number of the move may be 0, which is read as 1.
    ///
    /// # Errors
    /// If it is no position of `game`. The columns of the error are those of the text as it would
    /// be written here.
    pub fn parse_fen(self, game: &'static Game, text: &str) -> Result<Position, FenError> {
        let fields: Vec<&str> = text.trim_ascii().split(' ').collect();
        let read = || {
            let board = self.board(game)?;
            let (&[placement, side], more) = fields.split_first_chunk()?;
            let is_number = |field: &&str| field.chars().all(|c| c.is_ascii_digit());
            let (state, numbers) =
                more.split_at(more.iter().position(is_number).unwrap_or(more.len()));
            let [rights, en_passant] =
                filled(state, ["-", "-"])?.map(|field| board.cells_from(field));
            let [clock, fullmove] = filled(numbers, ["0", "1"])?;
            // Some programs count from 0.
            let fullmove = if fullmove == "0" { "1" } else { fullmove };
            let bracket = placement.strip_suffix(']').and_then(|rest| rest.split_once('['));
            let (placement, held) = bracket.unwrap_or((placement, ""));
            let hands = game.hands_text(held.trim_start_matches('-'));
            Some(format!("{placement} {side} {rights} {en_passant} {hands} {clock} {fullmove}"))
        };
        game.parse_fen(&read().unwrap_or_else(|| text.to_owned()))
    }

    /// The board of `game`, if other programs know such boards.
    fn board(self, game: &Game) -> Option<Board<'_>> {
        let geometry = &game.geometry;
        let [files, ranks] = geometry.rectangle_extent()?;
        let first_rank = if self == Self::Cecp && ranks == 10 { 0 } else { 1 };
        let chess_like = game.family == "chess";
        (chess_like && files <= 26).then_some(Board { geometry, first_rank })
    }
}

/// A rectangle whose cells are to be called otherwise.
#[derive(Clone, Copy)]
struct Board<'g> {
    geometry: &'g Geometry,
    /// The number of the rank nearest to White.
    first_rank: u8,
}

impl Board<'_> {
    fn name(self, cell: Cell) -> String {
        let [file, rank, ..] = self.geometry.coordinates(cell);
        format!("{}{}", char::from(b'a' + file), rank + self.first_rank)
    }

    /// Splits `text` after the name of a cell in the dialect, which takes all digits that follow.
    fn split(self, text: &str) -> Option<(Cell, &str)> {
        let mut letters = text.chars();
        let file = letters.next().filter(char::is_ascii_lowercase)? as u8 - b'a';
        let digits = letters.as_str();
        let rest = digits.trim_start_matches(|c: char| c.is_ascii_digit());
        let number = &digits[..digits.len() - rest.len()];
        let rank: u8 = number.parse().ok()?;
        // One cell has one name.
        let rank = rank.checked_sub(self.first_rank).filter(|_| rank.to_string() == number)?;
        Some((self.geometry.at([file.into(), rank.into(), 0, 0])?, rest))
    }

    /// A move as it is written here, in the dialect.
    fn move_to(self, own: &str) -> String {
        match own.split_once('=') {
            Some((cells, piece)) => self.cells_to(cells) + &piece.to_ascii_lowercase(),
            None => self.cells_to(own).replace('*', "@"),
        }
    }

    /// A move of the dialect as it would be written here; none if nothing is written so.
    fn move_from(self, text: &str) -> Option<String> {
        let name = |cell| self.geometry.name(cell);
        if let Some((piece, cell)) = text.split_once('@') {
            let (cell, rest) = self.split(cell)?;
            return rest.is_empty().then(|| format!("{piece}*{}", name(cell)));
        }
        let (from, rest) = self.split(text)?;
        let (to, rest) = self.split(rest)?;
        let cells = format!("{}{}", name(from), name(to));
        let mut letters = rest.chars();
        match (letters.next(), letters.as_str()) {
            (None, _) | (Some('='), "") => Some(cells),
            (Some('+'), "") => Some(cells + "+"),
            (Some(piece), "") if piece.is_ascii_alphabetic() => {
                Some(format!("{cells}={}", piece.to_ascii_uppercase()))
            }
            _ => None,
        }
    }

    /// `own` with every cell in it called as in the dialect.
    fn cells_to(self, own: &str) -> String {
        renamed(own, |text| self.geometry.split_cell(text), |cell| self.name(cell))
    }

    /// The reverse of [`Board::cells_to`].
    fn cells_from(self, text: &str) -> String {
        renamed(text, |text| self.split(text), |cell| self.geometry.name(cell).to_owned())
    }
}

/// `fields`, and in place of those that are missing the usual ones; none if there are too many.
fn filled<'t>(fields: &[&'t str], usual: [&'t str; 2]) -> Option<[&'t str; 2]> {
    match *fields {
        [] => Some(usual),
        [first] => Some([first, usual[1]]),
        [first, second] => Some([first, second]),
        _ => None,
    }
}

/// `text` with every cell that `split` finds replaced by its `name`.
fn renamed<'t>(
    text: &'t str,
    split: impl Fn(&'t str) -> Option<(Cell, &'t str)>,
    name: impl Fn(Cell) -> String,
) -> String {
    let (mut rest, mut into) = (text, String::new());
    while let Some(letter) = rest.chars().next() {
        rest = match split(rest) {
            Some((cell, after)) => {
                into.push_str(&name(cell));
                after
            }
            None => {
                into.push(letter);
                &rest[letter.len_utf8()..]
            }
        };
    }
    into
}

/// Hands with each piece as a letter of its own: `2Pp` is `PPp`.
fn spelt_out(hands: &str) -> String {
    let (mut into, mut count) = (String::new(), 0);
    for letter in hands.chars() {
        match letter.to_digit(10) {
            Some(digit) => count = count * 10 + digit as usize,
            None => {
                into.extend(std::iter::repeat_n(letter, count.max(1)));
                count = 0;
            }
        }
    }
    into
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{RngCore as _, SeedableRng as _};

    use super::*;

    const BOTH: [Dialect; 2] = [Dialect::Uci, Dialect::Cecp];

    fn position(id: &str, fen: &str) -> Position {
        Game::by_id(id).unwrap().parse_fen(fen).unwrap()
    }

    #[test]
    fn every_cell_of_every_board_has_one_name() {
        for game in Game::all() {
            for dialect in BOTH {
                let Some(board) = dialect.board(game) else { continue };
                for cell in game.geometry.cells() {
                    let name = board.name(cell);
                    assert_eq!(board.split(&name), Some((cell, "")), "{}: {name}", game.id);
                    assert_eq!(board.split(&format!("{name}q")), Some((cell, "q")));
                }
            }
        }
        let cells = |dialect: Dialect, own: &str| {
            dialect.board(Game::by_id("mgc").unwrap()).unwrap().cells_to(own)
        };
        assert_eq!(cells(Dialect::Uci, "a1a10k1k10i9"), "a1a10j1j10i9");
        assert_eq!(cells(Dialect::Cecp, "a1a10k1k10i9"), "a0a9j0j9i8");
    }

    #[test]
    fn every_game_is_found_by_its_name_and_its_id() {
        for game in Game::all() {
            for dialect in BOTH {
                assert_eq!(dialect.game(&dialect.variant(game)).unwrap().id, game.id);
                assert_eq!(dialect.game(game.id).unwrap().id, game.id);
            }
        }
        let name = |id: &str| Dialect::Cecp.variant(Game::by_id(id).unwrap());
        let names = ["chess", "shogi", "shogi2", "mgc"].map(name);
        assert_eq!(names, ["normal", "shogi", "modern-shogi2", "mgc"]);
        Dialect::Uci.game("normal").unwrap_err();
    }

    #[test]
    fn names_of_another_dialect_are_refused() {
        let grand = Game::by_id("mgc").unwrap();
        let legal = |dialect: Dialect, text: &str| dialect.parse_move(&grand.start(), text).is_ok();
        assert!(legal(Dialect::Uci, "j2j4") && legal(Dialect::Cecp, "j1j3"));
        for text in ["k2k4", "j1j3", "j02j4", "j2j04", "J2J4", "j2", "", "j2j4x4", "ä2j4"] {
            assert!(!legal(Dialect::Uci, text), "{text}");
        }
        for text in ["k1k3", "j2j10", "j1j3+", "@j3", "P@j3", "e1g1=q"] {
            assert!(!legal(Dialect::Cecp, text), "{text}");
        }
        let error = Dialect::Uci.parse_move(&Game::by_id("chess").unwrap().start(), "e2e5");
        let error = error.unwrap_err().to_string();
        assert!(error.starts_with("`e2e5` is not a legal move here: legal are a2a3"), "{error}");
    }

    #[test]
    fn texts_of_chess_and_shogi_are_those_that_engines_use() {
        for dialect in BOTH {
            let check = |id: &str, fen: &str, own: &str, theirs: &str| {
                let position = position(id, fen);
                let played = position.parse_move(own).unwrap();
                assert_eq!(dialect.move_text(&position, &played), theirs);
                assert_eq!(dialect.parse_move(&position, theirs), Ok(played));
            };
            let chess = "r3k3/1P6/8/8/8/8/8/R3K2R w KQq - - 0 1";
            check("chess", chess, "b7a8=N", "b7a8n");
            check("chess", chess, "e1g1", "e1g1");
            check("chess", chess, "e1c1", "e1c1");
            let shogi = "4k4/9/9/4P4/9/9/9/9/4K4 w - - 2Gp 0 1";
            check("shogi", shogi, "e6e7", "e6e7");
            check("shogi", shogi, "e6e7+", "e6e7+");
            check("shogi", shogi, "G*e7", "G@e7");
            let position = position("shogi", shogi);
            let declined = dialect.parse_move(&position, "e6e7=");
            assert_eq!(declined, position.parse_move("e6e7"));
            for text in ["e6e7==", "e6e7=+", "e6e7+=", "G@e7="] {
                dialect.parse_move(&position, text).unwrap_err();
            }
            assert_eq!(dialect.fen(&position), "4k4/9/9/4P4/9/9/9/9/4K4[GGp] w - - 0 1");
        }
    }

    #[test]
    fn position_strings_keep_rights_and_hands() {
        let check = |dialect: Dialect, id: &str, own: &str, theirs: &str| {
            let position = position(id, own);
            assert_eq!(dialect.fen(&position), theirs);
            let game = position.game();
            for text in [theirs, &position.fen()] {
                assert_eq!(dialect.parse_fen(game, text).unwrap().fen(), own, "{text}");
            }
        };
        let spent = "k9/10/10/10/10/10/10/9P/10/9K w -:k3 - - 0 1";
        check(Dialect::Uci, "mgc", spent, "k9/10/10/10/10/10/10/9P/10/9K w -:j3 - 0 1");
        check(Dialect::Cecp, "mgc", spent, "k9/10/10/10/10/10/10/9P/10/9K w -:j2 - 0 1");
        let hands = "4k4/9/9/9/9/9/9/9/4K4 b - - 2R10P2b 3 40";
        let theirs = "4k4/9/9/9/9/9/9/9/4K4[RRPPPPPPPPPPbb] b - - 3 40";
        check(Dialect::Uci, "shogi", hands, theirs);
        let shogi = Game::by_id("shogi").unwrap();
        for hand in ["", "[]", "[-]"] {
            let text = format!("4k4/9/9/9/9/9/9/9/4K4{hand} w - - 0 1");
            let read = Dialect::Uci.parse_fen(shogi, &text).unwrap();
            assert_eq!(read.fen(), "4k4/9/9/9/9/9/9/9/4K4 w - - - 0 1");
        }
        for (rest, numbers) in [("3 40", "3 40"), ("- 3 40", "3 40"), ("", "0 1"), ("- -", "0 1")] {
            let text = format!("4k4/9/9/9/9/9/9/9/4K4[P] w {rest}");
            let read = Dialect::Cecp.parse_fen(shogi, &text).unwrap();
            assert_eq!(read.fen(), format!("4k4/9/9/9/9/9/9/9/4K4 w - - P {numbers}"), "{text}");
        }
        let from_0 = Dialect::Uci.parse_fen(shogi, "4k4/9/9/9/9/9/9/9/4K4 b - - 0 0").unwrap();
        assert_eq!(from_0.fen(), "4k4/9/9/9/9/9/9/9/4K4 b - - - 0 1");
        shogi.parse_fen("4k4/9/9/9/9/9/9/9/4K4 b - - - 0 0").unwrap_err();
        for rest in ["- - - 3 40", "- - 3 40 41", "- - 3 x"] {
            let text = format!("4k4/9/9/9/9/9/9/9/4K4[P] w {rest}");
            Dialect::Cecp.parse_fen(shogi, &text).unwrap_err();
        }
        let any_order = "4k4/9/9/9/9/9/9/9/4K4[pPRP] w - - 0 1";
        let read = Dialect::Uci.parse_fen(shogi, any_order).unwrap();
        assert_eq!(read.fen(), "4k4/9/9/9/9/9/9/9/4K4 w - - R2Pp 0 1");
        for fen in ["4k4/9/9/9/9/9/9/9/4K4[PX] w - - 0 1", "4k4[P/9/9/9/9/9/9/9/4K4 w - - 0 1"] {
            Dialect::Uci.parse_fen(shogi, fen).unwrap_err();
        }
    }

    /// Random games of all catalogue entries, each position and some of its moves there and back.
    #[test]
    fn what_is_written_is_read() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        for game in Game::all() {
            let mut position = game.start();
            for _ in 0..40 {
                // Games with very many moves are looked at where they have few.
                let Ok(moves) = position.moves() else { break };
                if moves.is_empty() {
                    break;
                }
                let some = moves.iter().step_by(moves.len() / 50 + 1);
                for (dialect, played) in some.flat_map(|played| BOTH.map(|d| (d, played))) {
                    let text = dialect.move_text(&position, played);
                    let read = dialect.parse_move(&position, &text);
                    assert_eq!(read.as_ref(), Ok(played), "{}: {text}", game.id);
                }
                for dialect in BOTH {
                    let fen = dialect.fen(&position);
                    let read = dialect.parse_fen(game, &fen).unwrap();
                    assert_eq!(read.fen(), position.fen(), "{}: {fen}", game.id);
                }
                position.play_move(&moves[random.next_u64() as usize % moves.len()]);
            }
        }
    }
}
