use std::collections::HashMap;

use games::{End, EndReason, Outcome, Side, State};
use search::{Answers, Evaluator, EvaluatorError, EvaluatorSource, Query, Wdl};
use selfplay::{
    Choice, GameRecord, Goal, RecordStats, ReplayError, Resignation, Resignations,
    SelfPlaySettings, Verdict, read_shard, shard_path, write_shard,
};

use crate::support::{Hashed, cheskers, contents, pool, run, settings};

/// The policies of [`Hashed`], with the same opinion of every position: White's chances.
#[derive(Debug, Clone, Copy)]
struct Convinced(Wdl);

/// Black is as good as lost, wherever it stands.
const BLACK_IS_LOST: Convinced = Convinced(Wdl { win: 0.96, draw: 0.02, loss: 0.02 });

impl Evaluator for Convinced {
    fn evaluate(
        &mut self,
        queries: &[Query<'_>],
        answers: &mut Answers,
    ) -> Result<(), EvaluatorError> {
        let mut policies = Answers::default();
        Hashed.evaluate(queries, &mut policies)?;
        answers.clear();
        for (index, query) in queries.iter().enumerate() {
            let value = self.0.seen_by(query.state.side_to_move());
            answers.push(value, policies.get(index).logits.iter().copied());
        }
        Ok(())
    }
}

impl EvaluatorSource for Convinced {
    fn evaluator(&self) -> Result<Box<dyn Evaluator>, EvaluatorError> {
        Ok(Box::new(*self))
    }
}

/// Sides resign in the third lost move in a row, and a third of the games is played out.
fn resigning(workers: usize) -> SelfPlaySettings {
    SelfPlaySettings {
        resign_plies: 3,
        resign_played_out: 0.33,
        reproducible: true,
        ..settings(workers, 6)
    }
}

/// Games of players who are convinced that Black is lost.
fn convinced(settings: SelfPlaySettings) -> Vec<GameRecord> {
    let (records, outcome) = run(&mut pool(settings, 5), &BLACK_IS_LOST, "a", Goal::AllOf(60));
    outcome.unwrap();
    records
}

#[test]
fn a_side_resigns_in_its_last_lost_move_of_a_row() {
    let records = convinced(resigning(1));
    let resigned = records.iter().filter(|record| record.resigned().is_some());
    assert!((20..60).contains(&resigned.count()));
    for record in &records {
        let Some(Resignation { side, step }) = record.resignation else { continue };
        assert_eq!(side, Side::Black);
        // Searched moves of Black before it, up to there.
        let mut searched = 0;
        record
            .replay(|moment| {
                let moves =
                    moment.history.side_to_move() == side && !moment.history.position().mid_move();
                let thought = !matches!(moment.step.choice, Choice::Opening | Choice::Forced);
                let counts = moves && thought && moment.step.proven.is_none();
                searched += u32::from(counts && moment.index < step as usize);
            })
            .unwrap();
        assert_eq!(searched, 2);
    }
}

#[test]
fn a_resigned_game_is_lost_and_says_so() {
    let records = convinced(resigning(1));
    for record in records.iter().filter(|record| record.resigned().is_some()) {
        assert_eq!((record.end, record.outcome()), (None, Some(Outcome::Win(Side::White))));
        assert_eq!(record.result(Side::Black), Some(Verdict::Loss));
        let text = record.to_text().unwrap();
        assert!(text.contains("[Result \"1-0\"]\n[Termination \"resignation\"]\n"), "{text}");
        assert!(text.ends_with(" 1-0\n"), "{text}");
    }
    let mut stats = RecordStats::default();
    records.iter().for_each(|record| stats.add(record));
    let resigned = stats.resignations.resigned;
    assert_eq!((stats.reasons["resignation"], stats.cut_off), (resigned, 0));
    assert!(stats.white_wins >= resigned);
    let told = stats.to_string();
    assert!(told.contains(&format!("  ended by   resignation: {resigned} (")), "{told}");
    assert!(told.contains(" after a resignation, wrong in "), "{told}");
}

#[test]
fn what_is_played_out_tells_how_often_resigning_is_wrong() {
    let records = convinced(resigning(1));
    let mut found = Resignations::default();
    records.iter().for_each(|record| found.add(record));
    let played_out: Vec<&GameRecord> = records
        .iter()
        .filter(|record| record.resignation.is_some() && record.resigned().is_none())
        .collect();
    // The rules ended them, and Black, who was convinced to lose, did well in many.
    let not_lost = played_out.iter().filter(|record| {
        let outcome = record.end.unwrap().outcome;
        outcome != Outcome::Win(Side::White)
    });
    let (games, wrong) = (played_out.len() as u64, not_lost.count() as u64);
    assert!((8..32).contains(&games) && wrong > 0 && wrong < games, "{wrong} of {games}");
    assert_eq!((found.played_out, found.wrong), (games, wrong));
    assert_eq!(found.wrong_share(), Some(wrong as f64 / games as f64));
    assert_eq!(Resignations::default().wrong_share(), None);
    // A game that was cut off after a resignation tells nothing.
    let cut_off = SelfPlaySettings {
        cut_off_plies: Some(20),
        resign_plies: 1,
        resign_played_out: 1.0,
        ..resigning(1)
    };
    let records = convinced(cut_off);
    let known = records.iter().filter(|record| record.end.is_some()).count() as u64;
    let mut found = Resignations::default();
    records.iter().for_each(|record| found.add(record));
    assert!(found.resigned == 0 && found.played_out <= known && known < 60, "{found:?}");
}

/// So the games of a seed are those they have always been where nobody resigns.
#[test]
fn up_to_its_resignation_a_game_is_what_it_is_without() {
    let whole = convinced(SelfPlaySettings { resign_plies: 0, ..resigning(1) });
    assert!(whole.iter().all(|record| record.resignation.is_none()));
    let whole: HashMap<u64, GameRecord> = whole.into_iter().map(|r| (r.seed, r)).collect();
    for record in convinced(resigning(1)) {
        let same = &whole[&record.seed];
        assert_eq!(record.steps, same.steps[..record.steps.len()]);
        if record.resigned().is_none() {
            assert_eq!((record.steps.len(), record.end), (same.steps.len(), same.end));
        }
    }
}

#[test]
fn resigning_is_reproducible_on_any_number_of_threads() {
    let expected = contents(&convinced(resigning(1)));
    assert_eq!(contents(&convinced(resigning(3))), expected);
}

#[test]
fn nobody_resigns_a_draw() {
    let drawish = Convinced(Wdl { win: 0.08, draw: 0.84, loss: 0.08 });
    let settings = SelfPlaySettings { resign_plies: 1, ..resigning(1) };
    let (records, outcome) = run(&mut pool(settings, 5), &drawish, "a", Goal::AllOf(10));
    outcome.unwrap();
    assert!(records.iter().all(|record| record.resignation.is_none()));
}

#[test]
fn only_resignations_that_could_be_are_confirmed() {
    let records = convinced(resigning(1));
    let resigned = records.iter().find(|record| record.resigned().is_some()).unwrap();
    let played_out = |record: &&GameRecord| {
        record.resignation.is_some_and(|found| (found.step as usize) < record.steps.len())
    };
    let played_out = records.iter().find(played_out).unwrap();
    let refused = |record: &GameRecord, change: &dyn Fn(&mut GameRecord)| {
        let mut record = record.clone();
        change(&mut record);
        record.check().unwrap_err()
    };
    for record in [resigned, played_out] {
        let Resignation { side, step } = record.resignation.unwrap();
        let index = step as usize;
        let error = refused(record, &|r| {
            r.resignation = Some(Resignation { side: side.other(), step });
        });
        assert_eq!(error, ReplayError::Resignation { index, side: side.other() });
        let told = format!("before step {index}: white cannot have resigned there");
        assert_eq!(error.to_string(), told);
        let beyond = record.steps.len() as u32 + 1;
        let error = refused(record, &|r| {
            r.resignation = Some(Resignation { side, step: beyond });
        });
        assert_eq!(error, ReplayError::Resignation { index: beyond as usize, side });
    }
    // Nobody resigns after the end, nor within a move.
    let last = played_out.steps.len();
    for side in [Side::White, Side::Black] {
        let after = Resignation { side, step: last as u32 };
        let error = refused(played_out, &|r| r.resignation = Some(after));
        assert_eq!(error, ReplayError::Resignation { index: last, side });
    }
    let mut within = None;
    let find = |record: &GameRecord| {
        record.replay(|moment| {
            if moment.history.position().mid_move() {
                within = Some((record.clone(), moment.index, moment.history.side_to_move()));
            }
        })
    };
    records.iter().try_for_each(find).unwrap();
    let (record, index, side) = within.expect("moves of several steps are common");
    let there = Resignation { side, step: index as u32 };
    let error = refused(&record, &|r| r.resignation = Some(there));
    assert_eq!(error, ReplayError::Resignation { index, side });
    // A result by the rules, or none at all, is another matter.
    let end = End { outcome: Outcome::Win(Side::White), reason: EndReason::Rules };
    assert!(matches!(refused(resigned, &|r| r.end = Some(end)), ReplayError::End { .. }));
    let mut cut_off = resigned.clone();
    cut_off.resignation = None;
    cut_off.check().unwrap();
    assert_eq!((cut_off.outcome(), cut_off.reason().as_str()), (None, "cut off"));
}

#[test]
fn resignations_survive_their_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = shard_path(folder.path(), 1);
    let records = convinced(resigning(1));
    write_shard(&path, cheskers(), &records).unwrap();
    let shard = read_shard(&path, cheskers()).unwrap();
    assert!(shard.bad.is_empty());
    assert_eq!(contents(&shard.games), contents(&records));
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.truncate(bytes.len() / 2);
    std::fs::write(&path, &bytes).unwrap();
    let shard = read_shard(&path, cheskers()).unwrap();
    assert_eq!(contents(&shard.games), contents(&records[..shard.games.len()]));
}
