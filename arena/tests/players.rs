//! What each player plays on small positions with one right answer.

use std::collections::BTreeSet;

use arena::{Line, PlayerSpec, Solo};
use games::{Game, History, Position, State};

use crate::support::{entrant, position};

/// The text of the move that `player` plays from `position`.
fn played(player: &str, position: &Position, seed: u64) -> String {
    let entrant = entrant(player, position.game());
    let mut solo = Solo::new(&entrant, History::new(position.clone()), seed).unwrap();
    position.move_text(&solo.choose_move().unwrap())
}

const ALL: [&str; 7] = [
    "random",
    "greedy",
    "alphabeta:1",
    "alphabeta:2",
    "mcts:30",
    "net:scripted@16",
    "net:scripted@1",
];

/// The queen may jump over the king or over either of two rooks.
const HANGING_KING: &str = "8/8/3k4/8/r2Q1r2/8/8/K7 w - - - 0 1";

#[test]
fn a_hanging_king_is_taken() {
    let white = position("cheskers", HANGING_KING);
    let black = position("cheskers", "7k/8/8/2R1q2R/8/4K3/8/8 b - - - 0 1");
    for player in ["greedy", "alphabeta:1", "alphabeta:3", "mcts:200", "net:scripted@16"] {
        for seed in 0..5 {
            let text = played(player, &white, seed);
            assert!(["d4d7", "d4d8"].contains(&&text[..4]), "{player}: {text}");
            let text = played(player, &black, seed);
            assert!(["e5e2", "e5e1"].contains(&&text[..4]), "{player}: {text}");
        }
    }
}

#[test]
fn captured_and_promoted_value_count_together() {
    // a8=Q wins a queen for a pawn, axb8=Q a rook besides, exd4 a queen.
    let both = position("chess", "1r5k/P7/8/8/3q4/4P3/8/7K w - - - 0 1");
    let text = played("greedy", &both, 1);
    assert!(text.starts_with("a7b8"), "{text}");
    // All jumps of a move count: the knight takes two pawns, the king could take one.
    let chain = position("cheskers", "7k/8/4p3/8/3p4/2N5/p7/K7 w - - - 0 1");
    for seed in 0..5 {
        assert_eq!(played("greedy", &chain, seed), "c3e5e7");
    }
}

#[test]
fn the_nearer_win_is_taken() {
    // Both rook moves to the last rank mate; depth 3 sees slower mates after most other moves.
    let mates = position("chess", "6k1/5ppp/8/8/8/8/8/RR4K1 w - - - 0 1");
    for player in ["alphabeta:1", "alphabeta:3", "greedy"] {
        let texts: BTreeSet<_> = (0..20).map(|seed| played(player, &mates, seed)).collect();
        assert_eq!(Vec::from_iter(texts), ["a1a8", "b1b8"], "{player}: each of the best");
    }
}

#[test]
fn a_mate_in_two_is_seen_at_depth_three() {
    // 1.Kg6 and any king move, 2.Ra8#; at depth 3 it is a forced win like no other.
    let state = position("chess", "7k/8/5K2/8/8/8/8/R7 w - - - 0 1");
    for seed in 0..10 {
        let text = played("alphabeta:3", &state, seed);
        assert!(["f6g6", "f6f7"].contains(&text.as_str()), "{text}");
    }
}

#[test]
fn every_player_plays_every_game_legally_and_repeats_with_its_seed() {
    for game in Game::all() {
        for player in ALL {
            if player == "alphabeta:2" && PlayerSpec::most_depth(game) < 2 {
                continue;
            }
            let moves = |seed| {
                let mut solo =
                    Solo::new(&entrant(player, game), History::new(game.start()), seed).unwrap();
                let mut line = Line::new(game.start());
                while line.moves().len() < 12 && line.state().outcome().is_none() {
                    let legal = line.state().position().move_texts().unwrap();
                    let chosen = solo.choose_move().unwrap();
                    let text = line.state().position().move_text(&chosen);
                    assert!(legal.contains(&text), "{player}: {text}");
                    line.play(chosen);
                }
                line.texts()
            };
            let first = moves(1);
            assert_eq!(first, moves(1), "{} {player}", game.id);
            // Two seeds may agree where a win is near.
            if !player.starts_with("net") {
                assert!((2..8).any(|seed| moves(seed) != first), "{} {player}", game.id);
            }
        }
    }
}

#[test]
fn a_line_can_be_taken_back_and_played_on() {
    for game in Game::all() {
        let mut line = Line::new(game.start());
        let mut solo = Solo::new(&entrant("random", game), History::new(game.start()), 3).unwrap();
        let mut fens = vec![game.start().fen()];
        for _ in 0..6 {
            line.play(solo.choose_move().unwrap());
            fens.push(line.state().position().fen());
        }
        for left in (0..6).rev() {
            assert!(line.undo().is_some());
            assert_eq!(line.moves().len(), left);
            assert_eq!(line.state().position().fen(), fens[left]);
            assert_eq!(line.state().plies() as usize, left);
        }
        assert_eq!(line.undo(), None);
        solo.new_game(line.state(), 3);
        line.play(solo.choose_move().unwrap());
        assert_eq!(line.state().position().fen(), fens[1], "the same seed, the same move");
    }
}

#[test]
fn a_network_that_cannot_be_loaded_is_an_error_in_words() {
    let nets = |_: &'static Game, path: &std::path::Path| Err(format!("no {}", path.display()));
    let spec = "net:x/y.safetensors@9".parse().unwrap();
    let error = arena::Entrant::new(&spec, &Game::all()[0], &nets).unwrap_err();
    assert_eq!(error.to_string(), "player `net:x/y.safetensors@9`: no x/y.safetensors");
}

#[test]
fn at_a_temperature_a_network_varies_and_repeats_with_its_seed() {
    let start = Game::by_id("chess").unwrap().start();
    let first = |player: &str, seeds: std::ops::Range<u64>| -> BTreeSet<String> {
        seeds.map(|seed| played(player, &start, seed)).collect()
    };
    assert_eq!(first("net:scripted@16", 0..9).len(), 1);
    assert!(first("net:scripted@16,t=50", 0..9).len() > 2);
    assert_eq!(first("net:scripted@16,t=50", 3..4), first("net:scripted@16,t=50", 3..4));
    assert!(!entrant("net:scripted@16,t=50", start.game()).is_noise_free());
}
