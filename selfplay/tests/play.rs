use std::collections::HashSet;

use search::{Algorithm, Uniform};
use selfplay::{Choice, GameRecord, Goal, Policy, RecordStats, SelfPlaySettings};

use crate::support::{Hashed, cheskers, contents, games, pool, run, settings};

#[test]
fn the_same_seed_gives_the_same_games() {
    let settings = SelfPlaySettings { full_share: 0.5, cheap_simulations: 2, ..settings(1, 5) };
    let first = contents(&games(settings, 7, 12));
    assert_eq!(first, contents(&games(settings, 7, 12)));
    assert_ne!(first, contents(&games(settings, 8, 12)));
}

#[test]
fn a_game_depends_on_its_seed_alone() {
    let one_by_one = games(settings(1, 1), 3, 6);
    let at_a_time = games(settings(1, 6), 3, 6);
    let (mut one_by_one, mut at_a_time) = (contents(&one_by_one), contents(&at_a_time));
    one_by_one.sort_unstable();
    at_a_time.sort_unstable();
    assert_eq!(one_by_one, at_a_time);
}

#[test]
fn sittings_that_go_on_with_the_numbers_play_the_games_of_one() {
    let settings = SelfPlaySettings { reproducible: true, ..settings(3, 2) };
    let play = |first: u64, count: u64| {
        let mut pool = pool(settings, 7);
        pool.number_from(first);
        let (records, outcome) = run(&mut pool, &Hashed, "none", Goal::AllOf(count));
        outcome.unwrap();
        records
    };
    let whole = play(5, 12);
    let parts = [play(5, 3), play(8, 1), play(9, 8)].concat();
    assert_eq!(contents(&parts), contents(&whole));
    let seeds = whole.iter().map(|record| record.seed);
    assert!(seeds.eq((5..17).map(|number| selfplay::game_seed(7, number))), "no gap, none twice");
}

#[test]
fn any_number_of_workers_and_games_comes_to_an_end() {
    for workers in [1, 2, 3, 8] {
        for seats in [1, 7, 64] {
            for goal in [1, 5, 40] {
                let mut pool = pool(settings(workers, seats), 1);
                let (records, outcome) = run(&mut pool, &Uniform, "none", Goal::AllOf(goal));
                let throughput = outcome.unwrap();
                assert_eq!(records.len() as u64, goal, "{workers} workers, {seats} games");
                assert_eq!(throughput.games, goal);
                assert_eq!(pool.games_under_way(), 0);
                let seeds: HashSet<u64> = records.iter().map(|record| record.seed).collect();
                assert_eq!(seeds.len(), records.len(), "no two games alike");
                let steps: usize = records.iter().map(|record| record.steps.len()).sum();
                assert_eq!(throughput.steps, steps as u64);
            }
        }
    }
}

#[test]
fn games_go_on_in_the_next_run_under_its_network() {
    // What is remembered goes with its network, and games would end in another order.
    let settings = SelfPlaySettings { cache_bytes: 0, ..settings(1, 8) };
    let mut whole = pool(settings, 5);
    let (expected, _) = run(&mut whole, &Hashed, "a", Goal::Games(20));
    let mut parts = pool(settings, 5);
    let (mut records, first) = run(&mut parts, &Hashed, "a", Goal::Games(6));
    assert_eq!(first.unwrap().games, 6, "one worker stops at the goal");
    assert_eq!(records.len(), 6);
    assert!(parts.games_under_way() >= 7);
    let (more, _) = run(&mut parts, &Hashed, "b", Goal::Games(14));
    records.extend(more);

    assert!(records.iter().take(6).all(|record| record.nets.len() == 1));
    let swapped: Vec<&GameRecord> =
        records.iter().filter(|record| record.nets.len() == 2).collect();
    // Not those that came to an end without a further question.
    assert!(swapped.len() >= 4, "{} games saw both networks", swapped.len());
    for record in swapped {
        let span = record.nets[1].first_step as usize;
        assert_eq!(record.net_at(span - 1), "a");
        assert_eq!(record.net_at(span), "b");
        assert_eq!(record.net_at(record.steps.len()), "b");
    }
    // The interruption itself changes nothing.
    for (record, expected) in records.iter().zip(&expected) {
        assert_eq!((record.seed, &record.steps), (expected.seed, &expected.steps));
    }
    // To the end, and none is left.
    let under_way = parts.games_under_way() as u64;
    let (rest, _) = run(&mut parts, &Hashed, "b", Goal::AllOf(1));
    assert_eq!(rest.len() as u64, under_way);
    assert_eq!(parts.games_under_way(), 0);
}

#[test]
fn remembered_evaluations_change_nothing_but_the_work() {
    let played = |cache_bytes| {
        let settings = SelfPlaySettings { cache_bytes, reproducible: true, ..settings(1, 8) };
        let (records, outcome) = run(&mut pool(settings, 3), &Hashed, "a", Goal::AllOf(30));
        (contents(&records), outcome.unwrap())
    };
    let (expected, without) = played(0);
    let (found, with) = played(1 << 20);
    assert_eq!(found, expected);
    assert_eq!((without.looked_up, without.found, without.cache_hits()), (0, 0, 0.0));
    assert!(with.found > 0, "{with:?}");
    assert_eq!(with.evaluations + with.found, without.evaluations);
    // The answers to a batch are remembered after it.
    assert!(with.looked_up >= with.evaluations + with.found);
}

#[test]
fn a_goal_of_steps_counts_those_of_finished_games() {
    let (records, outcome) = run(&mut pool(settings(2, 4), 5), &Hashed, "a", Goal::Steps(500));
    let steps: usize = records.iter().map(|record| record.steps.len()).sum();
    assert!(steps >= 500);
    assert!(outcome.unwrap().steps >= 500);
    let nothing = run(&mut pool(settings(2, 4), 5), &Hashed, "a", Goal::Games(0)).0;
    assert!(nothing.is_empty());
}

#[test]
fn targets_are_valid_at_every_temperature_and_with_one_simulation() {
    for simulations in [1, 5] {
        for temperature in [0.0, 0.2, 1.0, 10.0] {
            for puct in [false, true] {
                let mut settings = SelfPlaySettings {
                    temperature,
                    late_temperature: temperature,
                    opening_temperature: temperature.max(0.01),
                    ..settings(1, 16)
                };
                settings.search.simulations = simulations;
                if puct {
                    settings.search.algorithm = Algorithm::Puct(Default::default());
                }
                for record in games(settings, 11, 16) {
                    check_targets(&record);
                }
            }
        }
    }
}

fn check_targets(record: &GameRecord) {
    let mut dense = Vec::new();
    record
        .replay(|moment| {
            let Some(target) = &moment.step.target else { return };
            target.write(moment.legal.len(), &mut dense);
            assert_eq!(dense.len(), moment.legal.len());
            assert!(dense.iter().all(|p| p.is_finite() && *p >= 0.0));
            assert!((dense.iter().copied().map(f64::from).sum::<f64>() - 1.0).abs() < 1e-5);
        })
        .unwrap();
}

#[test]
fn openings_and_cheap_searches_are_marked_and_leave_no_target() {
    let settings = SelfPlaySettings {
        opening_least: 3,
        opening_most: 5,
        full_share: 0.25,
        cheap_simulations: 1,
        ..settings(1, 16)
    };
    let records = games(settings, 2, 32);
    let count = |choice| {
        let steps = records.iter().flat_map(|record| &record.steps);
        steps.filter(|step| step.choice == choice).count()
    };
    let (full, cheap) = (count(Choice::Full) as f32, count(Choice::Cheap) as f32);
    let share = full / (full + cheap);
    assert!((0.2..0.45).contains(&share), "a quarter, and what was proven: {share}");
    for record in &records {
        let mut plies = Vec::new();
        record
            .replay(|moment| {
                let step = moment.step;
                assert_eq!(step.target.is_some(), step.choice == Choice::Full);
                if step.choice == Choice::Opening {
                    plies.push(moment.history.plies());
                    assert!(moment.index < record.opening_len());
                }
                if step.choice == Choice::Forced {
                    assert!(moment.legal.len() == 1 || moment.history.position().mid_move());
                }
            })
            .unwrap();
        assert!(plies.iter().all(|&ply| ply < 5), "{plies:?}");
        assert!(plies.len() >= 3, "{plies:?}");
    }
}

#[test]
fn openings_are_many_and_leave_a_game_to_play() {
    let counted = |opening_temperature, opening_least, opening_most| {
        let openings = SelfPlaySettings {
            opening_temperature,
            opening_least,
            opening_most,
            ..settings(1, 16)
        };
        let records = games(openings, 4, 40);
        let mut stats = RecordStats::default();
        records.iter().for_each(|record| stats.add(record));
        // What comes behind an opening is neither over nor, most of the time, proven at once.
        let first = |record: &GameRecord| record.steps.get(record.opening_len()).unwrap().proven;
        let open = records.iter().filter(|record| first(record).is_none());
        assert!(open.count() >= 38, "{stats}");
        let told = stats.to_string();
        assert!(told.contains(&format!("\n  openings   {} (", stats.openings)), "{told}");
        stats.openings
    };
    assert!(counted(1.0, 4, 8) >= 38);
    assert_eq!(counted(1.0, 0, 0), 1, "all games have the same one");
    // Nearly the network's first choice, for one of two lengths.
    assert!(counted(0.01, 3, 4) <= 4);
}

#[test]
fn games_differ() {
    let mut settings = settings(1, 32);
    settings.search.simulations = 16;
    let records = games(settings, 1, 64);
    let played: HashSet<Vec<u32>> = records
        .iter()
        .map(|record| record.steps.iter().map(|step| step.played.bits()).collect())
        .collect();
    assert!(played.len() >= 60, "{} of 64", played.len());
}

#[test]
fn a_cut_off_game_has_no_result() {
    let settings = SelfPlaySettings { cut_off_plies: Some(9), ..settings(1, 4) };
    let records = games(settings, 1, 8);
    let cut_off: Vec<&GameRecord> = records.iter().filter(|r| r.end.is_none()).collect();
    assert!(cut_off.len() >= 4, "few games are as short as that by themselves");
    for record in cut_off {
        assert_eq!(record.result(games::Side::White), None);
        let mut plies = 0;
        record.replay(|moment| plies = moment.history.plies()).unwrap();
        assert_eq!(plies, 8, "the last step begins or continues the ninth ply");
    }
}

#[test]
fn every_game_of_the_catalogue_can_be_played() {
    for game in games::Game::all() {
        let settings = SelfPlaySettings { cut_off_plies: Some(40), ..settings(1, 2) };
        let mut pool = selfplay::Pool::new(game, settings, 1).unwrap();
        let (records, outcome) = run(&mut pool, &Hashed, "hashed", Goal::AllOf(2));
        outcome.unwrap();
        assert_eq!(records.len(), 2, "{}", game.id);
    }
}

#[test]
fn large_policies_keep_the_visited_the_best_and_the_rest() {
    let count = 2_000;
    let weights: Vec<f32> = (0..count).map(|index| 1.0 / (1 + index) as f32).collect();
    let sum: f32 = weights.iter().sum();
    let probabilities: Vec<f32> = weights.iter().map(|weight| weight / sum).collect();
    let visited = [5_usize, 1_000, 1_999];
    let policy = Policy::new(&probabilities, |index| visited.contains(&index));
    let Policy::Sparse { listed, rest } = &policy else { panic!("{policy:?}") };
    assert_eq!(listed.len(), visited.len() + Policy::BEST_UNVISITED);
    assert!(listed.is_sorted());
    assert!(visited.iter().all(|&v| listed.iter().any(|&(index, _)| usize::from(index) == v)));
    let mut dense = Vec::new();
    policy.write(count, &mut dense);
    assert!((dense.iter().copied().map(f64::from).sum::<f64>() - 1.0).abs() < 1e-5);
    assert!((dense[1_000] / probabilities[1_000] - 1.0).abs() < 0.01);
    assert!((rest.to_f32() - 0.45).abs() < 0.05, "{rest}");
    assert!(matches!(Policy::new(&probabilities[..512], |_| false), Policy::Dense(_)));
}

#[test]
fn impossible_settings_are_named() {
    let check = |text: &str| {
        let settings: SelfPlaySettings = toml::from_str(text).unwrap();
        let error = selfplay::Pool::new(cheskers(), settings, 1).unwrap_err().to_string();
        (text.to_owned(), error)
    };
    for (text, error) in [
        check("games_per_worker = 0"),
        check("batch = 0"),
        check("cache_bytes = 99999999999"),
        check("full_share = 0.0"),
        check("full_share = nan"),
        check("full_share = 0.5\ncheap_simulations = 64"),
        check("opening_least = 7"),
        check("opening_temperature = 0.0"),
        check("temperature = -1.0"),
        check("late_temperature = inf"),
        check("resign_plies = 1001"),
        check("resign_score = 0.0"),
        check("resign_score = -1.0"),
        check("resign_score = nan"),
        check("resign_played_out = 1.1"),
        check("resign_played_out = nan"),
        check("cut_off_plies = 0"),
        check("search.simulations = 0"),
    ] {
        let key = text.lines().last().unwrap().split(" = ").next().unwrap();
        let key = if key == "opening_least" { "opening_most" } else { key };
        assert!(error.starts_with(&format!("{key}: expected ")), "{text}: {error}");
    }
    let unknown = toml::from_str::<SelfPlaySettings>("resign = true").unwrap_err().to_string();
    assert!(unknown.contains("unknown field `resign`"), "{unknown}");
    SelfPlaySettings::default().check().unwrap();
}
