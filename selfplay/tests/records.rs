use games::{End, EndReason, History, Outcome, Side, State};
use half::f16;
use selfplay::{
    Choice, Fault, GameRecord, NetSpan, Policy, RecordStats, ReplayError, Replayer, StepRecord,
};

use crate::support::{cheskers, games, settings};

fn record() -> GameRecord {
    games(settings(1, 1), 21, 1).remove(0)
}

#[test]
fn what_is_wrong_with_a_record_is_found() {
    let good = record();
    good.check().unwrap();
    let at = good.steps.iter().position(|step| step.choice == Choice::Full).unwrap();
    let legal = usize::from(good.steps[at].legal);
    let spoil = |spoil: &dyn Fn(&mut GameRecord)| {
        let mut record = good.clone();
        spoil(&mut record);
        record.check().unwrap_err()
    };
    let spoil_step = |change: &dyn Fn(&mut StepRecord)| spoil(&|r| change(&mut r.steps[at]));
    let fault = |fault| ReplayError::Step { index: at, fault };
    let policy = |probabilities: Vec<f32>| {
        spoil_step(&|step| {
            let halves = probabilities.iter().map(|&p| f16::from_f32(p)).collect();
            step.target = Some(Policy::Dense(halves));
        })
    };

    let even = vec![1.0 / legal as f32; legal];
    let with_first = |first: f32| [&[first], &even[1..]].concat();
    assert_eq!(policy(with_first(f32::NAN)), fault(Fault::PolicyEntry));
    assert_eq!(policy(with_first(f32::INFINITY)), fault(Fault::PolicyEntry));
    assert_eq!(policy(with_first(-0.1)), fault(Fault::PolicyEntry));
    assert_eq!(policy(with_first(0.9)), fault(Fault::PolicySum));
    assert_eq!(policy(vec![0.0; legal]), fault(Fault::PolicySum));
    assert_eq!(policy(vec![1.0 / (legal + 1) as f32; legal + 1]), fault(Fault::PolicyShape));
    assert_eq!(spoil_step(&|step| step.target = None), fault(Fault::Choice));
    assert_eq!(spoil_step(&|step| step.values = None), fault(Fault::Choice));
    assert_eq!(spoil_step(&|step| step.choice = Choice::Cheap), fault(Fault::Choice));
    assert_eq!(spoil_step(&|step| step.visited[0].q = f16::NAN), fault(Fault::Visited));
    assert_eq!(spoil_step(&|step| step.visited[0].prior = f16::NAN), fault(Fault::Visited));
    assert_eq!(spoil_step(&|step| step.visited[0].index = 60_000), fault(Fault::Index));
    assert_eq!(spoil_step(&|step| step.visited.reverse()), fault(Fault::Index));
    assert_eq!(
        spoil_step(&|step| step.values.as_mut().unwrap().searched.win = f16::NAN),
        fault(Fault::Value)
    );
    assert_eq!(
        spoil_step(&|step| step.values.as_mut().unwrap().raw.as_mut().unwrap().loss = f16::ONE),
        fault(Fault::Value)
    );
    let recorded = legal + 1;
    assert_eq!(
        spoil_step(&|step| {
            step.legal += 1;
            step.target =
                Some(Policy::Dense(vec![f16::from_f32(1.0 / recorded as f32); recorded].into()));
        }),
        ReplayError::LegalSteps { index: at, recorded, found: legal }
    );
    let foreign = games::Step::from_bits(u32::MAX);
    assert_eq!(
        spoil_step(&|step| step.played = foreign),
        ReplayError::Illegal { index: at, played: foreign }
    );
    assert!(matches!(spoil(&|r| r.steps.truncate(at)), ReplayError::End { .. }));
    assert!(matches!(spoil(&|r| r.end = None), ReplayError::End { .. }));
    let other = End { outcome: Outcome::Draw, reason: EndReason::HundredPlies };
    assert!(matches!(spoil(&|r| r.end = Some(other)), ReplayError::End { .. }));
    let len = good.steps.len();
    assert!(matches!(
        spoil(&|r| r.steps.push(r.steps[at].clone())),
        ReplayError::Over { index, .. } if index == len
    ));
    assert!(matches!(spoil(&|r| r.start = "nonsense".to_owned()), ReplayError::Start(_)));
    assert_eq!(spoil(&|r| r.nets.clear()), ReplayError::Record(Fault::Nets));
    assert_eq!(
        spoil(&|r| r.nets.push(NetSpan { first_step: 0, net: "b".to_owned() })),
        ReplayError::Record(Fault::Nets)
    );
}

#[test]
fn a_replayer_reaches_every_position() {
    let mut replayer = Replayer::new(cheskers());
    for record in games(settings(1, 4), 4, 4) {
        record
            .replay(|expected| {
                let found = replayer.sample_at(&record, expected.index).unwrap();
                assert_eq!(found.index, expected.index);
                assert_eq!(found.history.key(), expected.history.key());
                assert_eq!(found.history.plies(), expected.history.plies());
                assert_eq!(found.history.repetitions(), expected.history.repetitions());
                assert_eq!(found.legal, expected.legal);
                assert!(found.legal.is_sorted());
                assert_eq!(found.step, expected.step);
            })
            .unwrap();
        let steps = record.steps.len();
        let beyond = replayer.sample_at(&record, steps).unwrap_err();
        assert_eq!(beyond, ReplayError::NoSuchStep { index: steps, steps });
    }
}

#[test]
fn a_game_may_start_anywhere() {
    let mut record = record();
    let cut = {
        let mut begins = Vec::new();
        record
            .replay(|moment| {
                if !moment.history.position().mid_move() {
                    begins.push((moment.index, moment.history.position().fen()));
                }
            })
            .unwrap();
        begins.swap_remove(3)
    };
    let (index, fen) = cut;
    record.start = fen;
    record.steps.drain(..index);
    // The counters begin anew, so only a game that ends by its own rules ends as before.
    if record.end.is_some_and(|end| end.reason == EndReason::Rules) {
        record.check().unwrap();
    }
    let mut replayer = Replayer::new(cheskers());
    let moment = replayer.sample_at(&record, 0).unwrap();
    assert_eq!(moment.history.position().fen(), record.start);
    assert_eq!(moment.history.side_to_move(), Side::Black);
    assert!(record.to_text().is_err() || record.to_text().unwrap().contains("\n1... "));
}

#[test]
fn the_text_of_a_game_can_be_played() {
    for record in games(settings(1, 4), 9, 4) {
        let text = record.to_text().unwrap();
        let (headers, moves) = text.split_once("\n\n").unwrap();
        assert!(headers.contains("[Variant \"cheskers\"]"), "{text}");
        assert!(headers.contains(&format!("[FEN \"{}\"]", record.start)), "{text}");
        let mut words: Vec<&str> = moves.split_whitespace().collect();
        let result = words.pop().unwrap();
        assert!(headers.contains(&format!("[Result \"{result}\"]")), "{text}");
        assert!(moves.lines().all(|line| line.len() <= 80), "{text}");
        let mut history: History = record.start().unwrap();
        for word in words {
            if word.ends_with('.') {
                continue;
            }
            let played = history.position().parse_move(word).unwrap();
            played.steps().iter().for_each(|&step| history.play(step));
        }
        assert_eq!(history.end(), record.end);
    }
}

#[test]
fn statistics_add_up() {
    let mut records = games(settings(1, 8), 9, 20);
    records.push(records[3].clone());
    let mut stats = RecordStats::default();
    records.iter().for_each(|record| stats.add(record));
    assert_eq!((stats.games, stats.duplicates), (21, 1));
    assert_eq!(stats.white_wins + stats.black_wins + stats.draws + stats.cut_off, 21);
    assert_eq!(stats.reasons.values().sum::<u64>(), 21);
    assert_eq!(stats.full + stats.cheap + stats.opening + stats.forced, stats.steps);
    let steps: usize = records.iter().map(|record| record.steps.len()).sum();
    assert_eq!(stats.steps, steps as u64);
    assert!(stats.shortest as f64 <= stats.mean_steps());
    assert!(stats.mean_steps() <= stats.longest as f64);
    let text = stats.to_string();
    assert!(text.starts_with("games        21\n  duplicates 1 (4.8%)\n"), "{text}");
}
