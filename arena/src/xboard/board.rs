//! What a user interface has to be told of a game that it does not know: its board and pieces, and
//! where a piece may go.

use std::collections::BTreeMap;

use games::{Cell, Dialect, FenError, Game, Position};

/// The letters of pieces in the order of the tables of user interfaces, which have pictures for them.
/// The last place, behind these, is the king's, where he would be taken to castle whenever he goes more
/// than one cell to the side. So he has that of a crowned rook, unless he never goes so far.
const PICTURES: &str = "PNBRQFEACWMOHIKGDVLSU";

/// How far behind a piece that turns over its other side stands in the table. There are fewer of them,
/// or the table would be longer than older user interfaces take.
const OTHER_SIDE: usize = 11;

/// The line that defines `game`: which letters are which pieces, the size of the board, how many
/// kinds may be held, the game of the user interface whose ways it follows, and the start. None if it
/// knows the game, or has no such boards.
pub(super) fn setup(game: &Game) -> Option<String> {
    // Of the others that user interfaces know by name none is played here.
    if [Dialect::NORMAL, "shogi"].contains(&&*Dialect::Cecp.variant(game)) {
        return None;
    }
    let [files, ranks] = Dialect::Cecp.extent(game)?;
    let units = game.guide.pieces.iter().map(|piece| piece.unit);
    let (turned, plain): (Vec<&str>, Vec<&str>) = units.partition(|unit| unit.starts_with('+'));
    let table = table(&plain, &turned)?;
    // Pieces that turn over are those that come back from the hand.
    let (parent, held) = match turned.as_slice() {
        [] => ("fairy", 0),
        _ => ("shogi", plain.len() - 1),
    };
    let start = Dialect::Cecp.fen(&game.start());
    Some(format!("setup ({table}) {files}x{ranks}+{held}_{parent} {start}"))
}

/// Reads a position as user interfaces write it. They tell of castling and en passant as chess has
/// them, also in games that have neither or other ones: if that makes it impossible, placement, side
/// and numbers are what counts.
pub(super) fn read(game: &'static Game, fen: &str) -> Result<Position, FenError> {
    Dialect::Cecp.parse_fen(game, fen).or_else(|error| {
        let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
        let [placement, side, _, _, clock, fullmove] = fields[..] else { return Err(error) };
        let plain = format!("{placement} {side} - - {clock} {fullmove}");
        Dialect::Cecp.parse_fen(game, &plain).map_err(|_| error)
    })
}

/// The start of the game in place of `position` if they differ in rights only, of which user interfaces
/// know nothing in games that have to be [set up](setup).
pub(super) fn with_rights(position: Position) -> Position {
    let start = position.game().start();
    let but_for_rights = |position: &Position| {
        let fen = position.fen();
        let fields: Vec<&str> = fen.split(' ').collect();
        [fields[0], fields[1], fields[4]].map(str::to_owned)
    };
    let is_start = but_for_rights(&position) == but_for_rights(&start);
    if is_start && setup(position.game()).is_some() { start } else { position }
}

/// The table of pieces, White's and then Black's; none if there are more of them than pictures.
fn table(plain: &[&str], turned: &[&str]) -> Option<String> {
    // The kings of games in which pieces turn over go one cell.
    let (places, last) =
        if turned.is_empty() { (PICTURES.len(), '.') } else { (OTHER_SIDE - 1, 'K') };
    let mut table = vec!['.'; places];
    let mut others = Vec::new();
    let letters = plain.iter().filter_map(|unit| unit.chars().next());
    for letter in letters.filter(|&letter| letter != last) {
        match PICTURES.find(letter) {
            Some(place) if place < places => table[place] = letter,
            _ => others.push(letter),
        }
    }
    for letter in others {
        *table.iter_mut().rfind(|place| **place == '.')? = letter;
    }
    if !turned.is_empty() {
        let turns = |letter: &char| turned.iter().any(|unit| unit.ends_with(*letter));
        let sides = table.iter().map(|letter| if turns(letter) { '+' } else { '.' });
        table = [&table[..], &['.'], &sides.collect::<Vec<_>>()].concat();
    }
    table.push(last);
    let white: String = table.into_iter().collect();
    Some(format!("{white}{}", white.to_ascii_lowercase()))
}

/// What a move to a cell is.
#[derive(Debug, Default)]
struct Target {
    /// Whether the piece may stay what it is.
    plain: bool,
    /// The letters of what it may become.
    promotions: Vec<char>,
}

/// Where the piece on `from` may go.
fn targets(position: &Position, from: Cell) -> BTreeMap<Cell, Target> {
    let game = position.game();
    let mut targets: BTreeMap<Cell, Target> = BTreeMap::new();
    for played in position.moves().unwrap_or_default() {
        let text = Dialect::Cecp.move_text(position, &played);
        // Drops do not begin with a cell. A piece that only turns over is left to the user interface.
        let Some((start, rest)) = Dialect::Cecp.split_cell(game, &text) else { continue };
        let to = Dialect::Cecp.split_cell(game, rest).filter(|_| start == from);
        let Some((to, rest)) = to else { continue };
        let target = targets.entry(to).or_default();
        match rest.chars().next().filter(char::is_ascii_lowercase) {
            Some(letter) => target.promotions.push(letter.to_ascii_uppercase()),
            None => target.plain = true,
        }
    }
    targets
}

/// The line that marks the cells where the piece on `square` may go: yellow, red for a capture,
/// magenta and blue for a promotion with and without a choice.
pub(super) fn highlight(position: &Position, square: &str) -> Option<String> {
    let game = position.game();
    let targets = targets(position, cell(game, square)?);
    let colour = |at: Cell| {
        let target = targets.get(&at)?;
        Some(match target.promotions.len() {
            0 if position.side_at(at).is_some() => 'R',
            0 => 'Y',
            1 if !target.plain => 'B',
            _ => 'M',
        })
    };
    let rows = game.geometry.diagrams().iter().flat_map(|part| &part.rows);
    let rows = rows.map(|row| marks(row.iter().map(|&at| colour(at))));
    Some(format!("highlight {}", rows.collect::<Vec<_>>().join("/")))
}

/// A row of marks as position strings write pieces, with numbers of cells that have none.
fn marks(row: impl Iterator<Item = Option<char>>) -> String {
    let (mut text, mut without) = (String::new(), 0);
    for mark in row {
        match mark {
            None => without += 1,
            Some(mark) => {
                push_number(&mut text, std::mem::take(&mut without));
                text.push(mark);
            }
        }
    }
    push_number(&mut text, without);
    text
}

/// Appends `number` unless it is 0.
fn push_number(text: &mut String, number: usize) {
    if number > 0 {
        text.push_str(&number.to_string());
    }
}

/// The line that offers what the piece on `from` may become on `to`, itself included if it may stay
/// what it is.
pub(super) fn choice(position: &Position, from: &str, to: &str) -> Option<String> {
    let game = position.game();
    let [from, to] = [cell(game, from)?, cell(game, to)?];
    let target = targets(position, from).remove(&to)?;
    let mut letters: String = target.promotions.into_iter().collect();
    if letters.is_empty() {
        return None;
    }
    if target.plain {
        letters.push_str(&position.unit(from)?.to_ascii_uppercase());
    }
    Some(format!("choice {letters}"))
}

/// The cell called `square`.
fn cell(game: &Game, square: &str) -> Option<Cell> {
    let (cell, rest) = Dialect::Cecp.split_cell(game, square)?;
    rest.is_empty().then_some(cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_of_a_game_that_is_set_up_has_a_picture_of_its_own() {
        let mut games = 0;
        for game in Game::all() {
            let Some(setup) = setup(game) else { continue };
            games += 1;
            let table = setup.split(['(', ')']).nth(1).unwrap();
            let (white, black) = table.split_at(table.len() / 2);
            assert_eq!(white.to_ascii_lowercase(), black, "{setup}");
            assert!(white.len() <= PICTURES.len() + 1, "{setup}");
            for unit in game.guide.pieces.iter().map(|piece| piece.unit) {
                let letter = unit.chars().last().unwrap();
                assert_eq!(white.matches(letter).count(), 1, "{}: {setup}", game.id);
                if unit.starts_with('+') {
                    let other = white.find(letter).unwrap() + OTHER_SIDE;
                    assert_eq!(white.as_bytes()[other], b'+', "{}: {setup}", game.id);
                }
            }
        }
        assert!(games >= 8, "{games} games are set up");
    }

    #[test]
    fn a_game_is_set_up_unless_its_board_is_not_flat_or_it_is_known() {
        let setup = |id: &str| setup(Game::by_id(id).unwrap());
        assert_eq!(
            setup("mgc").unwrap(),
            "setup (PNB.Q.EAC.M.H.KG..L...pnb.q.eac.m.h.kg..l...) 10x10+0_fairy \
             lgmaqkamgl/hncebbecnh/pppppppppp/10/10/10/10/PPPPPPPPPP/HNCEBBECNH/LGMAKQAMGL w Kk - 0 1"
        );
        assert_eq!(
            setup("shogi2").unwrap(),
            "setup (P.BR....HG.+.++....++Kp.br....hg.+.++....++k) 9x9+5_shogi \
             r7r/1hbgkgbh1/ppppppppp/9/9/9/PPPPPPPPP/1HBGKGBH1/R7R w - - 0 1"
        );
        for id in ["chess", "shogi", "cubic", "brilliant", "bermuda", "cheskers", "chips", "omino"]
        {
            assert_eq!(setup(id), None, "{id}");
        }
    }
}
