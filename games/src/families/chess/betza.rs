//! How pieces move, in Betza's notation as Fairy-Stockfish reads it: a letter for each way to go,
//! `m` before it if it only moves so, `c` if it only captures, `i` if it does so from its first
//! place, then the directions; behind it how far a piece slides.

use super::declaration::{FirstMove, Lines, Pawn, Piece, leaper};
use crate::Offset;

/// Letters, each with how far it goes along the one axis and along the other.
type Letters = [(&'static str, [i8; 2])];

/// The letters of jumps.
const JUMPS: &Letters = &[
    ("W", [1, 0]),
    ("F", [1, 1]),
    ("D", [2, 0]),
    ("N", [2, 1]),
    ("A", [2, 2]),
    ("H", [3, 0]),
    ("L", [3, 1]),
    ("J", [3, 2]),
    ("G", [3, 3]),
];

/// The letters of slides.
const SLIDES: &Letters = &[("R", [1, 0]), ("B", [1, 1])];

/// The letters that stand for two others.
const PAIRS: [(&str, [&str; 2]); 2] = [("K", ["W", "F"]), ("Q", ["R", "B"])];

/// Whether a word for directions covers an offset, given its cells aside and ahead.
type Covers = fn(i8, i8) -> bool;

/// The words for directions, none of which knows left from right. The first that fits is taken.
const DIRECTIONS: [(&str, Covers); 4] = [
    ("", |_, _| true),
    ("f", |aside, ahead| ahead >= aside.abs()),
    ("fh", |_, ahead| ahead > 0),
    ("fs", |_, ahead| ahead >= 0),
];

/// How `piece` moves; none if the notation has no words for it.
pub(super) fn of_piece(piece: &Piece) -> Option<String> {
    let mut parts = Vec::new();
    for lines in &piece.slides {
        parts.extend(of_lines(lines)?);
    }
    parts.extend(of_offsets("", JUMPS, &piece.leaps)?);
    parts.extend(of_offsets("m", JUMPS, &piece.quiet)?);
    Some(joined(parts))
}

/// How a piece moves that only jumps, as [`of_piece`].
pub(super) fn of_leaps(leaps: &[Offset]) -> Option<String> {
    of_offsets("", JUMPS, leaps).map(joined)
}

/// How `pawn` moves, without a double step, as [`of_piece`].
pub(super) fn of_pawn(pawn: &Pawn) -> Option<String> {
    let mut parts = of_offsets("m", JUMPS, &pawn.steps)?;
    parts.extend(of_offsets("c", JUMPS, &pawn.captures)?);
    if let FirstMove::Jump(jumps) = &pawn.first {
        parts.extend(of_offsets("im", JUMPS, jumps)?);
    }
    Some(joined(parts))
}

fn of_lines(lines: &Lines) -> Option<Vec<String>> {
    let back = lines.along.iter().filter(|_| lines.both_ways).map(|offset| offset.map(|by| -by));
    let along: Vec<Offset> = lines.along.iter().copied().chain(back).collect();
    let range = match lines.range {
        usize::MAX => String::new(),
        range @ 1..=9 => range.to_string(),
        _ => return None,
    };
    let parts = of_offsets("", SLIDES, &along)?;
    Some(parts.into_iter().map(|part| part + &range).collect())
}

/// The letters for `offsets`, each behind `how` and the directions.
fn of_offsets(how: &str, letters: &Letters, offsets: &[Offset]) -> Option<Vec<String>> {
    let (mut parts, mut told) = (Vec::new(), 0);
    for &(letter, [far, near]) in letters {
        let all = leaper(far, near);
        let meant: Vec<&Offset> = offsets.iter().filter(|offset| all.contains(offset)).collect();
        if meant.is_empty() {
            continue;
        }
        told += meant.len();
        let (directions, _) = DIRECTIONS.iter().find(|(_, covers)| {
            all.iter().all(|offset| covers(offset[0], offset[1]) == meant.contains(&offset))
        })?;
        parts.push(format!("{how}{directions}{letter}"));
    }
    (told == offsets.len()).then_some(parts)
}

/// The notation made of `parts`, with one letter for two where there is one.
fn joined(mut parts: Vec<String>) -> String {
    for (both, two) in PAIRS {
        if let Some(at) = parts.windows(2).position(|pair| pair == two) {
            parts.splice(at..at + 2, [both.to_owned()]);
        }
    }
    parts.concat()
}

#[cfg(test)]
mod tests {
    use super::super::declaration::{AHEAD, DIAGONAL, ORTHOGONAL, offset, ring};
    use super::*;

    fn check(leaps: Vec<Offset>, slides: Vec<Lines>, expected: Option<&str>) {
        let piece = Piece::new('X', "test piece", 0, leaps, slides);
        assert_eq!(of_piece(&piece).as_deref(), expected);
    }

    #[test]
    fn pieces_are_told_by_their_letters() {
        check(ring(1), vec![], Some("K"));
        check(ring(2), vec![], Some("DNA"));
        check([ring(1), ring(3)].concat(), vec![], Some("KHLJG"));
        check(leaper(1, 2), vec![ORTHOGONAL, DIAGONAL], Some("QN"));
        check(vec![], vec![ORTHOGONAL.up_to(2), DIAGONAL.up_to(2)], Some("R2B2"));
        check(vec![], vec![AHEAD], Some("fR"));
        check([leaper(1, 1), vec![offset(0, 1)]].concat(), vec![], Some("fWF"));
        check(vec![offset(-1, 2), offset(1, 2)], vec![], Some("fN"));
        let bishop = Piece::new('B', "bishop", 0, vec![], vec![DIAGONAL]);
        let bishop = Piece { quiet: leaper(0, 1), ..bishop };
        assert_eq!(of_piece(&bishop).as_deref(), Some("BmW"));
        assert_eq!(of_pawn(&Pawn::orthodox()).as_deref(), Some("mfWcfF"));
        assert_eq!(of_leaps(&ring(1)).as_deref(), Some("K"));
    }

    #[test]
    fn what_has_no_letters_is_not_told() {
        check(ring(4), vec![], None);
        check(vec![offset(1, 0)], vec![], None);
        check(vec![offset(0, -1)], vec![], None);
        check(vec![], vec![DIAGONAL.up_to(10)], None);
    }
}
