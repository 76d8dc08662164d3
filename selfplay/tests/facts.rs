//! Facts about a game against what its records say one by one.

use games::{End, EndReason, Outcome, Position, Side};
use selfplay::{Facts, GameFacts, GameRecord};

use crate::support::{cheskers, games, settings};

fn facts(records: &[GameRecord]) -> Option<GameFacts> {
    let mut facts = Facts::new(cheskers());
    records.iter().for_each(|record| facts.add(record).unwrap());
    facts.finish()
}

/// Whole moves of a record.
fn plies(record: &GameRecord) -> u32 {
    let mut plies = 0;
    record.replay(|moment| plies += u32::from(!moment.history.position().mid_move())).unwrap();
    plies
}

#[test]
fn games_are_counted_as_they_were_played() {
    let mut records = games(settings(1, 8), 1, 24);
    let facts_of_all = facts(&records).unwrap();
    let ended = |outcome| records.iter().filter(|of| of.outcome() == Some(outcome)).count() as u64;
    let wins = Side::ALL.map(|side| ended(Outcome::Win(side)));
    let GameFacts { first_wins, second_wins, draws, .. } = facts_of_all;
    assert_eq!([first_wins, second_wins, draws], [wins[0], wins[1], ended(Outcome::Draw)]);
    let score = (wins[0] as f64 + draws as f64 / 2.0) / 24.0;
    assert!((facts_of_all.first_score.value - score).abs() < 1e-12);
    assert_eq!(facts_of_all.draw_share.value, draws as f64 / 24.0);

    let mut lengths: Vec<u32> = records.iter().map(plies).collect();
    lengths.sort_unstable();
    assert_eq!(facts_of_all.plies, lengths.iter().copied().map(u64::from).sum::<u64>());
    let length = facts_of_all.length;
    assert_eq!((length.median, length.longest), (lengths[11], lengths[23]));
    assert_eq!((length.lower_quartile, length.upper_quartile), (lengths[5], lengths[17]));
    // A jump over two pieces is two steps.
    let steps: u64 = records.iter().map(|record| record.steps.len() as u64).sum();
    assert!(facts_of_all.steps == steps && steps > facts_of_all.plies);
    let legal: u64 =
        records.iter().flat_map(|of| &of.steps).map(|step| u64::from(step.legal)).sum();
    assert_eq!(facts_of_all.legal_steps.unwrap().mean, legal as f64 / steps as f64);
    assert_eq!(facts_of_all.endings.iter().map(|ending| ending.games).sum::<u64>(), 24);

    for record in &mut records[..4] {
        (record.end, record.resignation) = (None, None);
    }
    let fewer = facts(&records).unwrap();
    assert_eq!((fewer.games, fewer.cut_off), (20, 4));
    assert_eq!(facts(&records[..4]), None);
}

/// Pawns of a side, the first kind of the game.
fn pawns(position: &Position, side: Side) -> usize {
    let mut counts = Vec::new();
    position.count_pieces(side, |kind| counts.push(kind.count));
    counts[0]
}

/// Games won by the side that has more pawns in the end.
#[test]
fn pieces_that_decide_games_are_worth_something() {
    let mut records = games(settings(1, 32), 2, 160);
    for record in &mut records {
        let mut left = [0; 2];
        record
            .replay(|moment| left = Side::ALL.map(|side| pawns(moment.history.position(), side)))
            .unwrap();
        let winner = if left[0] >= left[1] { Side::White } else { Side::Black };
        let end = End { outcome: Outcome::Win(winner), reason: EndReason::Rules };
        (record.end, record.resignation) = (Some(end), None);
    }
    let facts = facts(&records).unwrap();
    let values = facts.piece_values.as_ref().unwrap();
    assert_eq!(values.unit.as_deref(), Some("pawn"));
    let pawn = &values.kinds[0];
    assert_eq!(pawn.name, "pawn");
    assert!(pawn.log_odds.unwrap().is_positive() && pawn.games > 100, "{pawn:?}");
    assert!((pawn.value.unwrap().value - 1.0).abs() < 1e-9);
    // The king is lost with the game.
    assert!(values.kinds.iter().all(|kind| kind.name != "king"), "{values:?}");
    let page = facts.to_string();
    assert!(page.contains("\n| pawn | 1.00 | 1.00 to 1.00 |"), "{page}");
}

#[test]
fn games_that_all_end_alike_give_no_values() {
    let mut records = games(settings(1, 8), 3, 8);
    for record in &mut records {
        let end = End { outcome: Outcome::Draw, reason: EndReason::Repetition };
        (record.end, record.resignation) = (Some(end), None);
    }
    let facts = facts(&records).unwrap();
    assert_eq!((facts.draws, facts.piece_values.as_ref()), (8, None));
    assert_eq!(facts.endings[0].reason, "repetition");
    assert!(facts.to_string().contains("\nNo piece values: "), "{facts}");
}
