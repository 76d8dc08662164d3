//! Positions analysed: one for as long as one likes, many in one batch.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;

use arena::{AnalysisError, AnalysisTask, Analyst, Line, Question, analyse_all, watch};
use games::{Game, History};

use crate::support::{GO_ON, Scripted, game};

/// Questions about the starts of all games, and one without a task.
fn ask(analyst: &Analyst) -> BTreeMap<String, Result<u64, String>> {
    let (sender, questions) = channel();
    for game in Game::all() {
        let state = History::new(game.start());
        let task = Some(AnalysisTask { state, simulations: 12, lines: 2 });
        sender.send(Question { tag: game.id, task }).unwrap();
    }
    sender.send(Question { tag: "nothing", task: None }).unwrap();
    drop(sender);
    let mut answers = BTreeMap::new();
    analyse_all(analyst, questions, &mut |tag, found| {
        let answer = found.map_or(Ok(0), |found| {
            found.map(|found| found.nodes).map_err(|error| error.to_string())
        });
        assert!(answers.insert(tag.to_owned(), answer).is_none(), "{tag}");
        Ok(())
    })
    .unwrap();
    assert_eq!(answers.len(), Game::all().len() + 1);
    assert_eq!(answers.remove("nothing"), Some(Ok(0)));
    answers
}

#[test]
fn all_questions_are_answered_in_full_batches() {
    let scripted = Scripted::default();
    let batches = Arc::clone(&scripted.batches);
    let answers = ask(&Analyst::new(Some(Arc::new(scripted)), 1, 16));
    assert!(answers.values().all(|answer| *answer == Ok(12)), "{answers:?}");
    assert!(batches.lock().unwrap().iter().filter(|&&batch| batch == 16).count() > 10);
    let answers = ask(&Analyst::new(None, 3, 4));
    assert!(answers.values().all(|answer| *answer == Ok(12)), "{answers:?}");
}

#[test]
fn a_network_that_fails_is_told_of_in_every_answer() {
    let fails_after = 2;
    let failing = || Some(Arc::new(Scripted { fails_after, ..Scripted::default() }) as Arc<_>);
    let answers = ask(&Analyst::new(failing(), 1, 64));
    assert!(answers.values().all(Result::is_err), "{answers:?}");
    let line = Line::new(game("chess").start());
    let limit = Some(100.into());
    let watched =
        watch(&Analyst::new(failing(), 1, 1), &line, limit, 3, &mut |_, _, _| Ok(()), &GO_ON);
    assert!(matches!(watched, Err(AnalysisError::Evaluator(_))), "{watched:?}");
}

#[test]
fn a_position_is_watched_until_its_limit_or_a_stop() {
    let line = Line::new(game("chess").start());
    let analyst = Analyst::new(None, 1, 1);
    let mut last = Vec::new();
    let mut show = |found: &arena::Found, _: f64, is_last: bool| {
        last.push((found.nodes, found.lines.len(), is_last));
        Ok(())
    };
    watch(&analyst, &line, Some(50.into()), 3, &mut show, &GO_ON).unwrap();
    assert_eq!(last.last(), Some(&(50, 3, true)));
    let stop = AtomicBool::new(false);
    let mut shown = 0;
    let mut show = |_: &arena::Found, _: f64, is_last: bool| {
        shown += 1;
        stop.store(true, Ordering::Relaxed);
        assert!(shown < 100 || is_last);
        Ok(())
    };
    watch(&analyst, &line, None, 3, &mut show, &stop).unwrap();
}
