//! What has to hold of every game.

use std::collections::BTreeSet;

use games::{Cell, Features, Game, History, Outcome, Position, Side, State, Step};

use crate::sample;
use crate::turned::{self, Map, all_steps};

/// Both positions are the same: to the eye, to the search and to the network.
#[track_caller]
fn assert_same(found: &Position, expected: &Position) {
    let fen = expected.fen();
    assert_eq!(found.fen(), fen);
    assert_eq!(found.key(), expected.key(), "key of {fen}");
    assert_eq!(found.side_to_move(), expected.side_to_move(), "side to move of {fen}");
    assert_eq!(found.clock(), expected.clock(), "clock of {fen}");
    assert_eq!(found.mid_move(), expected.mid_move(), "mid-move of {fen}");
    assert_eq!(found.outcome(), expected.outcome(), "outcome of {fen}");
    assert_eq!(all_steps(found), all_steps(expected), "steps of {fen}");
    let features = |position: &Position| turned::features(&History::new(position.clone()));
    assert_eq!(features(found), features(expected), "features of {fen}");
}

#[test]
fn a_position_is_what_its_string_says() {
    for game in Game::all() {
        for fen in sample::vector_fens(game) {
            assert_eq!(game.parse_fen(&fen).map(|position| position.fen()), Ok(fen));
        }
        // Also: the key kept up move by move is the key made afresh.
        sample::for_each_state(game, &mut |history| {
            let position = history.position();
            if !position.mid_move() {
                assert_same(position, &game.parse_fen(&position.fen()).unwrap());
            }
        });
    }
}

#[test]
fn each_move_leads_where_its_string_says() {
    for game in Game::all() {
        for position in sample::vector_positions(game) {
            for chosen in position.moves().unwrap().into_iter().step_by(sample::one_in(game)) {
                let mut next = position.clone();
                next.play_move(&chosen);
                assert!(!next.mid_move(), "{chosen:?} from {} is not complete", position.fen());
                assert_ne!(next.side_to_move(), position.side_to_move());
                assert_same(&next, &game.parse_fen(&next.fen()).unwrap());
            }
        }
    }
}

#[test]
fn moves_and_texts_are_unique_and_name_each_other() {
    for game in Game::all() {
        sample::for_each_state(game, &mut |history| {
            let position = history.position();
            if position.mid_move() {
                return;
            }
            let moves = position.moves().unwrap();
            let fen = position.fen();
            assert_eq!(BTreeSet::from_iter(&moves).len(), moves.len(), "moves of {fen}");
            let texts = position.move_texts().unwrap();
            assert!(texts.is_sorted_by(|a, b| a < b), "move texts of {fen}: {texts:?}");
            assert_eq!(texts.len(), moves.len());
            if let Some(beginning) = texts.first().map(|text| &text[..text.len().min(3)]) {
                let fitting = texts.iter().filter(|text| text.starts_with(beginning));
                let fitting: Vec<String> = fitting.cloned().collect();
                assert_eq!(position.move_texts_beginning(beginning), Ok(fitting));
            }
            for chosen in moves.into_iter().step_by(sample::one_in(game)) {
                let text = position.move_text(&chosen);
                assert_eq!(position.parse_move(&text), Ok(chosen), "`{text}` in {fen}");
            }
        });
    }
}

#[test]
fn moves_are_counted_as_they_are_listed() {
    for game in Game::all() {
        sample::for_each_state(game, &mut |history| {
            let position = history.position();
            if let Some(count) = position.count_moves() {
                assert_eq!(count, position.moves().unwrap().len(), "moves of {}", position.fen());
            }
        });
    }
}

#[test]
fn steps_and_outcomes_agree() {
    for game in Game::all() {
        let kinds = game.kinds.len();
        sample::for_each_state(game, &mut |history| {
            let position = history.position();
            let fen = position.fen();
            let mut found = Vec::new();
            let outcome = position.steps(&mut found);
            assert_eq!(outcome, position.outcome(), "{fen}");
            assert_eq!(outcome.is_some(), found.is_empty(), "{fen}");
            assert_eq!(BTreeSet::from_iter(&found).len(), found.len(), "steps of {fen}");
            assert!(found.iter().all(|step| usize::from(step.kind()) < kinds), "steps of {fen}");
            if position.mid_move() {
                assert_eq!(outcome, None, "a move has to be completed: {fen}");
            }
            found.clear();
            assert_eq!(history.steps(&mut found), history.outcome(), "{fen}");
            assert_eq!(history.outcome().is_some(), found.is_empty(), "{fen}");
            if outcome.is_some() {
                assert_eq!(history.outcome(), outcome, "rules come before counters: {fen}");
            }
            if history.outcome().is_some() {
                assert_eq!(history.foregone(), history.outcome(), "{fen}");
            }
        });
    }
}

#[test]
fn random_games_end_in_time_and_as_foretold() {
    for game in Game::all() {
        for seed in 100..110 {
            let mut foregone = None;
            let mut end = None;
            sample::random_game(game, seed, &mut |history| {
                assert!(history.plies() <= game.maximum_plies, "{}", game.id);
                if foregone.is_some() {
                    assert_eq!(history.foregone(), foregone, "{}", history.position().fen());
                }
                foregone = history.foregone();
                end = history.end();
            });
            let end = end.expect("a game without steps is over");
            assert_eq!(Some(end.outcome), foregone, "{}, seed {seed}", game.id);
        }
    }
}

#[test]
fn whoever_moved_last_has_not_lost_by_it() {
    for game in Game::all() {
        sample::for_each_state(game, &mut |history| {
            let position = history.position();
            if let Some(Outcome::Win(side)) = position.outcome() {
                assert_eq!(side, position.side_to_move().other(), "{}", position.fen());
            }
        });
    }
}

#[test]
fn only_listed_texts_are_accepted() {
    /// Positions of each game on which all pairs of cells are tried.
    const POSITIONS: usize = 2;
    for game in Game::all() {
        for position in sample::vector_positions(game).iter().rev().take(POSITIONS) {
            let texts = position.move_texts().unwrap();
            let cells = || game.geometry.cells();
            let pairs = cells().flat_map(|from| cells().map(move |to| (from, to)));
            // A refusal lists what is legal, so that many moves leave time for few texts. The
            // numbers are prime: every cell has its turn.
            let one_in = match texts.len() {
                0..=200 => 1,
                201..=2000 => 7,
                _ => 20_011,
            };
            let dash = if texts.iter().any(|text| text.contains('-')) { "-" } else { "" };
            for (from, to) in pairs.step_by(one_in) {
                let [from, to] = [from, to].map(|cell| game.geometry.name(cell));
                let text = format!("{from}{dash}{to}");
                let listed = texts.binary_search(&text).is_ok();
                let accepted = position.parse_move(&text).is_ok();
                assert_eq!(accepted, listed, "`{text}` in {}", position.fen());
            }
            for text in texts.iter().step_by(one_in) {
                for wrong in [
                    format!("{text}="),
                    format!("{text} "),
                    format!(" {text}"),
                    text.to_uppercase(),
                ] {
                    // In capital letters it may be a move on another board.
                    let listed = texts.contains(&wrong);
                    let accepted = position.parse_move(&wrong).is_ok();
                    assert_eq!(accepted, listed, "`{wrong}` in {}", position.fen());
                }
            }
        }
    }
}

/// Checks that `map` commutes with every move from `position`, which is between moves. Shows
/// `check` each state on the way with its image, and the steps of both.
fn check_map(
    map: &Map,
    position: &Position,
    check: &mut impl FnMut(&Position, &Position, &[(Step, Step)]),
) {
    let twin = position.game().parse_fen(&map.fen(position)).unwrap_or_else(|error| {
        panic!("the image of {} is no position: {error}: {}", position.fen(), map.fen(position))
    });
    check_twins(map, position, &twin, "", check);
}

/// Checks that `twin` is the image of `position`, and stays it until the move is complete of which
/// `played` is the text.
fn check_twins(
    map: &Map,
    position: &Position,
    twin: &Position,
    played: &str,
    check: &mut impl FnMut(&Position, &Position, &[(Step, Step)]),
) {
    let fen = position.fen();
    assert_eq!(twin.side_to_move(), map.side(position.side_to_move()), "{fen}");
    assert_eq!(twin.mid_move(), position.mid_move(), "{fen}");
    assert_eq!(twin.outcome(), position.outcome().map(|outcome| map.outcome(outcome)), "{fen}");
    assert_eq!(twin.foregone(), position.foregone().map(|outcome| map.outcome(outcome)), "{fen}");
    for side in Side::ALL {
        assert_eq!(twin.material(map.side(side)), position.material(side), "{fen}");
    }
    let steps = map.steps(position, twin, played);
    let images: BTreeSet<Step> = steps.iter().map(|&(_, image)| image).collect();
    assert_eq!(images, BTreeSet::from_iter(all_steps(twin)), "{fen}");
    check(position, twin, &steps);
    let one_in = if position.mid_move() { 1 } else { sample::one_in(position.game()) };
    for (step, image) in steps.into_iter().step_by(one_in) {
        let (mut next, mut next_twin) = (position.clone(), twin.clone());
        next.play(step);
        next_twin.play(image);
        assert_eq!(next_twin.mid_move(), next.mid_move(), "{fen} after {step:?}");
        if next.mid_move() {
            let mut played = played.to_owned();
            position.write_step(step, &mut played);
            check_twins(map, &next, &next_twin, &played, check);
        } else {
            let image = position.game().parse_fen(&map.fen(&next)).expect("images are positions");
            assert_eq!(next_twin.key(), image.key(), "{fen} after {step:?}");
            assert_eq!(next_twin.clock(), image.clock(), "{fen} after {step:?}");
        }
    }
}

/// Shows `check` the positions between moves on which maps are tried.
fn for_each_mapped(game: &'static Game, check: &mut impl FnMut(&Position)) {
    sample::vector_positions(game).iter().for_each(&mut *check);
    sample::some_states(game, 7, &mut |history| {
        if !history.position().mid_move() {
            check(history.position());
        }
    });
}

#[test]
fn the_turned_board_is_the_same_game() {
    for game in Game::all() {
        let map = Map { cells: game.colour_turn.clone(), swaps_sides: true };
        for_each_mapped(game, &mut |position| {
            check_map(&map, position, &mut |own, twin, steps| {
                let features = |state: &Position| turned::features(&History::new(state.clone()));
                assert_eq!(features(own), features(twin), "{}", own.fen());
                let mover = own.side_to_move();
                for &(step, image) in steps {
                    assert_eq!(game.turned(mover, step), game.turned(mover.other(), image));
                }
            });
        });
    }
}

#[test]
fn symmetries_keep_the_rules() {
    for game in Game::all() {
        for (index, symmetry) in game.symmetries.iter().enumerate() {
            // The map is one of the board as the mover sees it, playing up.
            let turn = &game.colour_turn;
            let black = turn.iter().map(|&cell| turn[symmetry.cells[cell.index()].index()]);
            let maps = [symmetry.cells.clone(), black.collect()]
                .map(|cells| Map { cells, swaps_sides: false });
            let mut held = 0;
            for_each_mapped(game, &mut |position| {
                if !symmetry.holds(position) {
                    return;
                }
                held += 1;
                let map = &maps[position.side_to_move().index()];
                check_map(map, position, &mut |own, twin, steps| {
                    let mut features = Features::default();
                    History::new(own.clone()).features(&mut features);
                    features.map_cells(&symmetry.cells);
                    let twin = History::new(twin.clone());
                    assert_eq!(turned::sorted(&features), turned::features(&twin));
                    let mover = own.side_to_move();
                    for &(step, image) in steps {
                        let seen = game.mapped(index, game.turned(mover, step));
                        assert_eq!(seen, game.turned(mover, image));
                    }
                });
            });
            assert!(held > 0, "{} was never tried in {}", symmetry.name, game.id);
        }
    }
}

#[test]
fn maps_are_a_group() {
    for game in Game::all() {
        let identity: Vec<_> = game.geometry.cells().collect();
        let after = |first: &[Cell], second: &[Cell]| -> Vec<_> {
            first.iter().map(|cell| second[cell.index()]).collect()
        };
        let turn = &game.colour_turn;
        assert_eq!(after(turn, turn), identity, "the turn of {} undoes itself", game.id);
        let mut maps: BTreeSet<_> = game.symmetries.iter().map(|s| s.cells.clone()).collect();
        assert!(!maps.contains(&identity), "{} lists the identity", game.id);
        assert_eq!(maps.len(), game.symmetries.len(), "{} lists a map twice", game.id);
        let names: BTreeSet<_> = game.symmetries.iter().map(|symmetry| symmetry.name).collect();
        assert_eq!(names.len(), maps.len(), "{} names two maps alike", game.id);
        maps.insert(identity);
        for (first, second) in maps.iter().flat_map(|a| maps.iter().map(move |b| (a, b))) {
            assert!(maps.contains(&after(first, second)), "{} lacks a symmetry", game.id);
        }
    }
}

#[test]
fn features_stay_within_the_named_planes() {
    for game in Game::all() {
        let names = BTreeSet::from_iter(&game.planes);
        assert_eq!(names.len(), game.planes.len(), "planes of {}", game.id);
        sample::for_each_state(game, &mut |history| {
            let features = turned::features(history);
            let (marks, fills) = (features.marks(), features.fills());
            let planes = marks.iter().map(|mark| mark.0).chain(fills.iter().map(|fill| fill.0));
            let last = planes.max().unwrap_or(0);
            assert!(usize::from(last) < game.planes.len(), "{}", history.position().fen());
            assert!(marks.is_sorted_by(|a, b| a < b), "a mark twice: {}", history.position().fen());
        });
    }
}
