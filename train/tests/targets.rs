use std::collections::BTreeMap;

use games::{Cell, Game, History, Side, State, Step};
use model::EncodedSample;
use search::{Algorithm, GumbelSettings, PuctSettings, SearchSettings};
use selfplay::{GameRecord, SelfPlaySettings, read_shard, write_shard};
use train::{ReplayWindow, Row, Sample, make_samples, rows_of};

use crate::data::{everything, games, games_with};

/// A sample, so that it does not depend on the order of anything.
#[derive(Debug, PartialEq)]
struct Seen {
    marks: Vec<(u16, Cell)>,
    policy: BTreeMap<u32, u32>,
    reply: BTreeMap<u32, u32>,
    holders: Vec<u8>,
}

fn distribution(steps: &[Step], policy: &[f32]) -> BTreeMap<u32, u32> {
    assert_eq!(steps.len(), policy.len());
    steps.iter().map(|step| step.bits()).zip(policy.iter().map(|p| p.to_bits())).collect()
}

fn seen(sample: &Sample) -> Seen {
    let mut marks = sample.input.features().marks().to_vec();
    marks.sort_unstable();
    let reply = sample.reply.as_ref().unwrap();
    Seen {
        marks,
        policy: distribution(sample.input.steps(), &sample.policy),
        reply: distribution(&reply.steps, &reply.policy),
        holders: sample.holders.clone().unwrap(),
    }
}

/// What row `index` of `record` must be like: the whole game is played again on the mapped board, and
/// looked at from there without any map but the turn for the mover.
fn expected(record: &GameRecord, index: usize, symmetry: Option<usize>) -> Seen {
    let game = record.game;
    let image = |side: Side, step: Step| {
        let turned = game.turned(side, step);
        let mapped = symmetry.map_or(turned, |symmetry| game.mapped(symmetry, turned));
        game.turned(side, mapped)
    };
    // The original beside it, for the canonical order of the targets.
    let (mut original, mut history) = (History::new(game.start()), History::new(game.start()));
    let mut found: Option<(Side, Seen)> = None;
    let mut answered = false;
    for (now, step) in record.steps.iter().enumerate() {
        let side = history.side_to_move();
        let mut legal = Vec::new();
        original.steps(&mut legal);
        legal.sort_unstable();
        let images: Vec<Step> = legal.iter().map(|&step| image(side, step)).collect();
        let mut policy = Vec::new();
        if let Some(target) = &step.target {
            target.write(legal.len(), &mut policy);
        }
        if now == index {
            let input = EncodedSample::new(&history, &images, None);
            let mut marks = input.features().marks().to_vec();
            marks.sort_unstable();
            let policy = distribution(input.steps(), &policy);
            found =
                Some((side, Seen { marks, policy, reply: BTreeMap::new(), holders: Vec::new() }));
        } else if let Some((mover, seen)) = &mut found
            && side != *mover
            && !answered
        {
            answered = true;
            if !policy.is_empty() {
                let steps: Vec<Step> =
                    images.iter().map(|&step| game.turned(*mover, step)).collect();
                seen.reply = distribution(&steps, &policy);
            }
        }
        history.play(image(side, step.played));
        original.play(step.played);
    }
    let (mover, mut seen) = found.unwrap();
    let holder = |cell: Cell| match history.position().side_at(cell) {
        Some(side) => u8::from(side != mover),
        None => 2,
    };
    let turned =
        |cell: Cell| if mover == Side::White { cell } else { game.colour_turn[cell.index()] };
    // The turn is an involution: who holds what a cell of the turned board comes from.
    seen.holders = game.geometry.cells().map(|cell| holder(turned(cell))).collect();
    seen
}

/// Whether `symmetry` maps the start of `game` onto itself.
fn keeps_the_start(game: &'static Game, symmetry: usize) -> bool {
    let start = History::new(game.start());
    let mut marks = [None, Some(symmetry)]
        .map(|symmetry| EncodedSample::new(&start, &[], symmetry).features().marks().to_vec());
    marks.iter_mut().for_each(|marks| marks.sort_unstable());
    marks[0] == marks[1] && game.symmetries[symmetry].holds(start.position())
}

/// Of games whose start every symmetry keeps: others have no start to play a mapped game from.
#[test]
fn every_target_is_mapped_with_its_position() {
    let mut mapped = 0;
    for id in
        ["english-draughts", "shogi2", "chips", "pyramids-cheskers", "brilliant", "omino", "doseki"]
    {
        let game = Game::by_id(id).unwrap();
        let symmetries = 0..game.symmetries.len();
        assert!(symmetries.clone().all(|symmetry| keeps_the_start(game, symmetry)), "{id}");
        let record = &games(game, 1)[0];
        let rows = rows_of(record);
        for index in rows.iter().step_by(rows.len().div_ceil(4)).map(|&index| index as usize) {
            let row = Row { record, index };
            let views = std::iter::once(None).chain(symmetries.clone().map(Some));
            let views: Vec<Seen> = views.map(|view| expected(record, index, view)).collect();
            for seed in 0..3 {
                let seed = 1000 * seed + index as u64;
                let sample = make_samples(game, &[row], &everything(), seed).unwrap().remove(0);
                let view = views.iter().position(|view| *view == seen(&sample));
                assert!(view.is_some(), "{id}, step {index}: {sample:?}");
                mapped += usize::from(view > Some(0));
            }
        }
    }
    assert!(mapped > 9, "{mapped} samples were mapped");
}

/// A network trained on NaN or on steps that are not legal would forget everything.
#[test]
fn targets_are_valid_at_any_temperature_and_with_a_single_simulation() {
    let folder = tempfile::tempdir().unwrap();
    let algorithms =
        [Algorithm::Gumbel(GumbelSettings::default()), Algorithm::Puct(PuctSettings::default())];
    for (number, temperature) in [0.0, 0.2, 1.0, 10.0].into_iter().enumerate() {
        for algorithm in algorithms {
            for id in ["cheskers", "shogi", "nomino"] {
                let game = Game::by_id(id).unwrap();
                let settings = SelfPlaySettings {
                    workers: 1,
                    games_per_worker: 2,
                    search: SearchSettings { simulations: 1, algorithm, ..Default::default() },
                    temperature,
                    late_temperature: temperature,
                    opening_temperature: temperature.max(0.01),
                    cut_off_plies: Some(24),
                    ..SelfPlaySettings::default()
                };
                let path = folder.path().join(format!("{number}.games.zst"));
                let played = games_with(game, settings, 2);
                write_shard(&path, game, &played).unwrap();
                let read = read_shard(&path, game).unwrap();
                assert!(read.bad.is_empty() && read.games.len() == played.len());
                let mut window = ReplayWindow::default();
                read.games.into_iter().for_each(|record| window.push(record));
                check(game, &window, &format!("{id} at temperature {temperature}"));
                std::fs::remove_file(&path).unwrap();
            }
        }
    }
}

fn check(game: &'static Game, window: &ReplayWindow, what: &str) {
    use rand::SeedableRng as _;
    let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
    let rows = window.sample(16, &mut rng);
    for (row, sample) in rows.iter().zip(make_samples(game, &rows, &everything(), 1).unwrap()) {
        let reply = sample.reply.unwrap();
        let legal = usize::from(row.record.steps[row.index].legal);
        assert_eq!((sample.policy.len(), sample.input.steps().len()), (legal, legal), "{what}");
        assert_eq!(reply.policy.len(), reply.steps.len(), "{what}");
        let distributions = [&sample.policy[..], &sample.wdl[..], &reply.policy[..]];
        for distribution in distributions.into_iter().filter(|list| !list.is_empty()) {
            assert!(distribution.iter().all(|p| (0.0..=1.0 + 1e-6).contains(p)), "{what}");
            let sum: f32 = distribution.iter().sum();
            assert!((sum - 1.0).abs() < 1e-2, "{what}: {sum}");
        }
        let sum: f32 = sample.policy.iter().sum();
        assert!((sum - 1.0).abs() < 1e-5, "{what}: {sum}");
    }
}
