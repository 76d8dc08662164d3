use games::{Game, Side, State};
use model::{BatchBuilder, EncodedSample, InputShape};
use tch::Device;

use crate::samples::{batch, moments, numbers};

#[test]
fn planes_are_the_features_cell_by_cell() {
    for game in Game::all() {
        let shape = InputShape::of(game);
        let moments = moments(game, 50, 1);
        let batch = batch(&moments);
        let [rows, columns] = shape.board;
        assert_eq!(shape.cells(), game.geometry.cell_count(), "{}", game.id);
        let size = [50, shape.planes, rows, columns].map(|n| n as i64);
        assert_eq!(batch.planes.size(), size);
        for (index, moment) in moments.iter().enumerate() {
            let mut features = games::Features::default();
            moment.history.features(&mut features);
            let planes = batch.planes.get(index as i64);
            for &(plane, cell) in features.marks() {
                let (row, column) = (cell.index() / columns, cell.index() % columns);
                let at = [i64::from(plane), row as i64, column as i64];
                assert_eq!(planes.double_value(&at), 1.0, "{}: {at:?}", game.id);
            }
            let filled: f32 = features.fills().iter().map(|&(_, v)| v * shape.cells() as f32).sum();
            let total = features.marks().len() as f32 + filled;
            assert!((numbers(&planes).iter().sum::<f32>() - total).abs() < 1e-3);
        }
    }
}

#[test]
fn steps_are_turned_for_the_mover_and_numbered_by_sample() {
    for game in Game::all() {
        let shape = InputShape::of(game);
        let moments = moments(game, 30, 2);
        assert!(moments.iter().any(|m| m.history.side_to_move() == Side::Black));
        let batch = batch(&moments);
        let list = |tensor| Vec::<i64>::try_from(tensor).unwrap();
        let (kinds, from) = (list(&batch.kinds), list(&batch.from));
        let (to, samples) = (list(&batch.to), list(&batch.samples));
        let mut at = 0;
        for (index, moment) in moments.iter().enumerate() {
            for &step in &moment.steps {
                let turned = game.turned(moment.history.side_to_move(), step);
                let row = |cell: games::Cell| (index * shape.cells() + cell.index()) as i64;
                assert_eq!(kinds[at], i64::from(turned.kind()));
                assert_eq!((from[at], to[at]), (row(turned.from()), row(turned.to())));
                assert_eq!(samples[at], index as i64);
                at += 1;
            }
        }
        assert_eq!(batch.steps(), at as i64);
        assert_eq!(batch.size, 30);
    }
}

#[test]
fn a_symmetry_maps_planes_and_steps_alike() {
    for game in Game::all() {
        for (index, symmetry) in game.symmetries.iter().enumerate() {
            for moment in moments(game, 20, 3) {
                let plain = EncodedSample::new(&moment.history, &moment.steps, None);
                let mapped = EncodedSample::new(&moment.history, &moment.steps, Some(index));
                for (&(plane, cell), &image) in
                    plain.features().marks().iter().zip(mapped.features().marks())
                {
                    assert_eq!(image, (plane, symmetry.cells[cell.index()]));
                }
                assert_eq!(plain.features().fills(), mapped.features().fills());
                let steps: Vec<_> =
                    plain.steps().iter().map(|&step| game.mapped(index, step)).collect();
                assert_eq!(steps, mapped.steps());
            }
        }
    }
}

#[test]
fn a_builder_starts_afresh_after_clear() {
    let game = Game::by_id("cheskers").unwrap();
    let mut builder = BatchBuilder::new(InputShape::of(game));
    let mut fill = |moments: &[crate::samples::Moment]| {
        builder.clear();
        assert!(builder.is_empty());
        for moment in moments {
            builder.push(&EncodedSample::new(&moment.history, &moment.steps, None));
        }
        builder.batch(Device::Cpu)
    };
    let (first, second) = (moments(game, 9, 4), moments(game, 5, 5));
    fill(&first);
    let reused = fill(&second);
    let fresh = batch(&second);
    assert_eq!(numbers(&reused.planes), numbers(&fresh.planes));
    assert_eq!(reused.from, fresh.from);
    assert_eq!(reused.samples, fresh.samples);
}
