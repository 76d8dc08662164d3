use games::{Game, Side};
use selfplay::Resignation;
use tch::{Device, Kind, Tensor};
use train::{
    Learner, LearnerSettings, OptimizerChoice, PrecisionChoice, ReplayWindow, Row, Targets,
    make_samples, rows_of,
};

use crate::data::{batch, games, tiny};

const ADAM: OptimizerChoice = OptimizerChoice::AdamW;

fn settings() -> LearnerSettings {
    LearnerSettings { warm_up: 5, precision: PrecisionChoice::Fp32, ..LearnerSettings::default() }
}

fn window(game: &'static Game) -> ReplayWindow {
    let mut window = ReplayWindow::default();
    games(game, 12).into_iter().for_each(|record| window.push(record));
    window
}

/// All numbers of a checkpoint, bit by bit.
fn bits(learner: &Learner) -> Vec<(String, Vec<u32>)> {
    let checkpoint = learner.checkpoint(Default::default());
    let tensors = checkpoint.tensors.iter();
    let of = |tensor: &Tensor| Vec::<f32>::try_from(tensor.flatten(0, -1)).unwrap();
    tensors.map(|(name, t)| (name.clone(), of(t).into_iter().map(f32::to_bits).collect())).collect()
}

#[test]
fn targets_are_distributions_over_the_legal_steps() {
    for game in Game::all() {
        let mut window = ReplayWindow::default();
        games(game, 2).into_iter().for_each(|record| window.push(record));
        let batch = batch(game, &window, 32, 1);
        assert_eq!(batch.input.size, 32, "{}", game.id);
        let sums = Tensor::zeros([32], (Kind::Float, Device::Cpu)).index_add(
            0,
            &batch.input.samples,
            &batch.policy.policy,
        );
        assert!((sums - 1.0).abs().max().double_value(&[]) < 1e-4, "{}", game.id);
        let chances = batch.wdl.sum_dim_intlist([1_i64].as_slice(), false, Kind::Float);
        assert!((chances - 1.0).abs().max().double_value(&[]) < 1e-2, "{}", game.id);
        assert!(batch.moves_left.min().double_value(&[]) > 0.0, "{}", game.id);
    }
}

/// A game that was cut off has no result and no end: its positions learn what the search thought, and
/// leave the moves left alone.
#[test]
fn games_that_were_cut_off_teach_the_search_s_values_only() {
    let game = Game::by_id("chess").unwrap();
    let mut window = ReplayWindow::default();
    for mut record in games(game, 4) {
        record.steps.truncate(record.steps.len() / 2);
        record.end = None;
        window.push(record);
    }
    let mut batch = batch(game, &window, 16, 1);
    assert_eq!(batch.ended.sum(Kind::Float).double_value(&[]), 0.0);
    let whole_draws = batch.wdl.select(1, 1).ge(0.99).all().int64_value(&[]);
    assert_eq!(whole_draws, 0, "no result is made up");
    let mut learner = Learner::new(&tiny(), ADAM, game, Device::Cpu, 1).unwrap();
    assert_eq!(learner.step(&batch, &settings(), 0.0).unwrap().moves_left, 0.0);
    batch.ended += 1.0;
    assert!(learner.step(&batch, &settings(), 0.0).unwrap().moves_left > 0.0);
}

/// A resigned game has a result, but nobody knows how long it would have lasted.
#[test]
fn who_resigns_has_lost() {
    let game = Game::by_id("chess").unwrap();
    let mut record = games(game, 1).remove(0);
    record.steps.truncate(record.steps.len() / 2);
    record.end = None;
    // A move of chess is one step, and White begins.
    let mover = |index: usize| [Side::White, Side::Black][index % 2];
    let step = record.steps.len();
    record.resignation = Some(Resignation { side: mover(step), step: step as u32 });
    record.check().unwrap();
    let row = |index| Row { record: &record, index: index as usize };
    let rows: Vec<Row<'_>> = rows_of(&record).into_iter().map(row).collect();
    let samples = make_samples(game, &rows, &Targets::default(), 1).unwrap();
    assert!(rows.len() > 10);
    for (row, sample) in rows.iter().zip(samples) {
        let lost = mover(row.index) == mover(step);
        assert_eq!(sample.wdl, if lost { [0.0, 0.0, 1.0] } else { [1.0, 0.0, 0.0] });
        assert_eq!(sample.moves_left, None);
    }
}

#[test]
fn ten_steps_saved_and_read_are_as_good_as_twenty_straight() {
    tch::set_num_threads(1);
    let game = Game::by_id("cheskers").unwrap();
    let window = window(game);
    for optimizer in [ADAM, OptimizerChoice::Sgd] {
        let rate = if optimizer == ADAM { 2e-3 } else { 2e-2 };
        let settings = LearnerSettings { optimizer, rate, ..settings() };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("learner.safetensors");
        let step = |learner: &mut Learner, seed| {
            learner.step(&batch(game, &window, 16, seed), &settings, 0.0).unwrap();
        };
        let mut straight = Learner::new(&tiny(), optimizer, game, Device::Cpu, 3).unwrap();
        (0..10).for_each(|seed| step(&mut straight, seed));
        straight.save(&path, 7).unwrap();
        (10..20).for_each(|seed| step(&mut straight, seed));

        let load = |optimizer| Learner::load(&path, &tiny(), optimizer, game, Device::Cpu);
        let (mut resumed, generation) = load(optimizer).unwrap();
        assert_eq!((generation, resumed.steps()), (7, 10));
        (10..20).for_each(|seed| step(&mut resumed, seed));
        assert_eq!(bits(&resumed), bits(&straight), "{optimizer}");

        // The comparison can fail: without the moments the steps are other ones.
        let weights = folder.path().join("weights.safetensors");
        let (saved, _) = load(optimizer).unwrap();
        saved.checkpoint(Default::default()).save(&weights).unwrap();
        let mut fresh =
            Learner::from_checkpoint(&weights, &tiny(), optimizer, game, Device::Cpu, 1).unwrap();
        (10..20).for_each(|seed| step(&mut fresh, seed));
        assert_ne!(bits(&fresh), bits(&straight), "{optimizer}");

        let other = if optimizer == ADAM { OptimizerChoice::Sgd } else { ADAM };
        let error = load(other).map(|_| ()).unwrap_err().to_string();
        assert!(
            error.ends_with(&format!("it is the state of {optimizer}, not of {other}")),
            "{error}"
        );
    }
}

/// The learner's file of a run from before there was a choice.
#[test]
fn a_learner_of_format_1_goes_on_with_adam() {
    let game = Game::by_id("cheskers").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("learner.safetensors");
    let learner = Learner::new(&tiny(), ADAM, game, Device::Cpu, 3).unwrap();
    learner.save(&path, 4).unwrap();
    let mut file = model::tensors::read(&path).unwrap();
    let stamp = file.metadata.get_mut("raja-learner").unwrap();
    let older = stamp.replace("\"format\":2", "\"format\":1");
    *stamp = older.replace(",\"optimizer\":\"adamw\"", "");
    assert!(!stamp.contains("adamw") && stamp.contains("\"format\":1"), "{stamp}");
    model::tensors::write(&path, &file.tensors, &file.metadata).unwrap();
    let (loaded, generation) = Learner::load(&path, &tiny(), ADAM, game, Device::Cpu).unwrap();
    assert_eq!((bits(&loaded), generation), (bits(&learner), 4));
}

#[test]
fn a_run_can_start_from_a_checkpoint_that_has_other_heads_for_training() {
    let game = Game::by_id("cheskers").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.safetensors");
    let fewer = model::NetworkSettings { reply: false, occupancy: false, ..tiny() };
    let before = Learner::new(&fewer, ADAM, game, Device::Cpu, 3).unwrap();
    before.checkpoint(Default::default()).save(&path).unwrap();
    let start = |network| Learner::from_checkpoint(&path, &network, ADAM, game, Device::Cpu, 9);
    let after = bits(&start(tiny()).unwrap());
    assert!(bits(&before).iter().all(|tensor| after.contains(tensor)));
    assert!(after.iter().any(|(name, _)| name.starts_with("reply.")));
    let wider = model::NetworkSettings { channels: 16, ..tiny() };
    let error = start(wider).map(|_| ()).unwrap_err().to_string();
    assert!(error.ends_with("its network has other sizes than [network] says"), "{error}");
}

/// A head whose weight is 0 is not computed, does not move, and leaves the others alone.
#[test]
fn a_head_that_is_switched_off_is_as_good_as_none() {
    tch::set_num_threads(1);
    let game = Game::by_id("cheskers").unwrap();
    let off = LearnerSettings {
        moves_left_weight: 0.0,
        soft_policy_weight: 0.0,
        reply_weight: 0.0,
        occupancy_weight: 0.0,
        ..settings()
    };
    let none = model::NetworkSettings { moves_left: false, soft_policy: false, ..tiny() };
    let none = model::NetworkSettings { reply: false, occupancy: false, ..none };
    let learned = |network, settings| {
        let mut learner = Learner::new(&network, ADAM, game, Device::Cpu, 3).unwrap();
        let start = bits(&learner);
        for seed in 0..4 {
            let batch = batch(game, &window(game), 16, seed);
            let losses = learner.step(&batch, &settings, 0.0).unwrap();
            let extra = [losses.moves_left, losses.soft_policy, losses.reply, losses.occupancy];
            let positive = extra.iter().filter(|&&loss| loss > 0.0).count();
            assert_eq!(positive, if settings == off { 0 } else { 4 }, "{losses}");
        }
        (start, bits(&learner))
    };
    let (start, switched_off) = learned(tiny(), off);
    let (_, without) = learned(none, off);
    let heads = ["value.moves_left.", "soft_policy.", "reply.", "occupancy."];
    let is_extra = |name: &str| heads.iter().any(|head| name.starts_with(head));
    for (index, tensor) in switched_off.iter().enumerate() {
        assert!(if is_extra(&tensor.0) {
            *tensor == start[index]
        } else {
            without.contains(tensor)
        });
    }
    let (_, switched_on) = learned(tiny(), settings());
    let moved = start.iter().zip(&switched_on).filter(|(a, b)| a != b).count();
    assert_eq!(moved, start.len(), "all heads learn");
}

#[test]
fn sixteen_positions_are_learned_by_heart() {
    // So small a network is learned many times as fast by one thread as by several that wait for
    // each other on a busy machine.
    tch::set_num_threads(1);
    let game = Game::by_id("cheskers").unwrap();
    let mut batch = batch(game, &window(game), 16, 9);
    // A search that knows nothing has next to nothing to teach: each sample's first step is right.
    let first_steps = batch.policy.places.remainder(batch.policy.widest).eq(0);
    batch.policy.policy = first_steps.to_kind(Kind::Float);
    let settings = LearnerSettings { rate: 0.01, soft_policy_weight: 1.0, ..settings() };
    let network = model::NetworkSettings { channels: 16, policy_dim: 16, ..tiny() };
    let mut learner = Learner::new(&network, ADAM, game, Device::Cpu, 1).unwrap();
    let before = learner.step(&batch, &settings, 0.0).unwrap();
    let mut after = before;
    for _ in 0..300 {
        after = learner.step(&batch, &settings, 0.0).unwrap();
    }
    assert!(before.target_entropy < 1e-6, "{before:?}");
    assert!(before.policy > 1.0, "nothing to learn: {before:?}");
    assert!(after.policy < 0.05, "{before:?} -> {after:?}");
    assert!(after.value < 0.25 * before.value + 0.3, "value {before:?} -> {after:?}");
    assert!(after.moves_left < before.moves_left, "{before:?} -> {after:?}");
    assert!(after.soft_policy < 0.05 && before.soft_policy > 1.0, "{before:?} -> {after:?}");
    assert!(after.reply < before.reply, "{before:?} -> {after:?}");
    assert!(after.occupancy < 0.1 && before.occupancy > 0.5, "{before:?} -> {after:?}");
    let total = |losses: &train::Losses| losses.policy + losses.value + losses.soft_policy;
    assert!(total(&after) < 0.4 * total(&before), "{before:?} -> {after:?}");
}

#[test]
fn a_loss_that_is_not_finite_stops_and_spoils_nothing() {
    let game = Game::by_id("cheskers").unwrap();
    let mut batch = batch(game, &window(game), 16, 9);
    let mut learner = Learner::new(&tiny(), ADAM, game, Device::Cpu, 1).unwrap();
    learner.step(&batch, &settings(), 0.0).unwrap();
    let before = bits(&learner);
    batch.wdl *= f64::NAN;
    let error = learner.step(&batch, &settings(), 0.0).unwrap_err().to_string();
    assert!(error.starts_with("training failed at step 1: the loss is not finite"), "{error}");
    assert_eq!(learner.steps(), 1);
    let differ = bits(&learner).iter().zip(&before).filter(|(a, b)| a != b).count();
    assert_eq!(differ, 0);
}

#[test]
fn a_learner_of_something_else_is_refused_in_one_sentence() {
    let [chess, cheskers] = ["chess", "cheskers"].map(|id| Game::by_id(id).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("learner.safetensors");
    Learner::new(&tiny(), ADAM, cheskers, Device::Cpu, 1).unwrap().save(&path, 0).unwrap();
    let load = |settings: &model::NetworkSettings, game| {
        Learner::load(&path, settings, ADAM, game, Device::Cpu).map(|_| ()).unwrap_err().to_string()
    };
    let error = load(&tiny(), chess);
    assert!(
        error.ends_with("does not belong to this run: it is for other rules than those of chess")
    );
    let wider = model::NetworkSettings { channels: 16, ..tiny() };
    let error = load(&wider, cheskers);
    assert!(error.contains("is missing or has another shape"), "{error}");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    assert!(
        load(&tiny(), cheskers).ends_with("is damaged: its contents do not match its checksum")
    );
}
