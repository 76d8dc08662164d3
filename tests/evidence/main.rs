//! The figures that the documents claim, measured again; `make evidence` runs them and prints, and
//! `make evidence PART=name` those whose names have it in them. What trains for long goes on where
//! it was stopped and writes its page of `docs/evidence/`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(clippy::print_stdout, reason = "the figures are what it is for")]

mod ablations;
mod fairy_stockfish;
#[allow(dead_code, reason = "the everyday tests use all of it")]
#[path = "../killing.rs"]
mod killing;
mod learning;
mod long_run;
#[allow(dead_code, reason = "the everyday tests use all of it")]
#[path = "../program.rs"]
mod program;
mod python;
mod report;
#[allow(dead_code, reason = "the everyday tests use all of it")]
#[path = "../rivals.rs"]
mod rivals;
mod tensorboard;
mod training;
mod variants;

use ablations::{Arm, DEFAULT, compare};
use learning::learn;
use program::raja;

/// Leaf nodes a second, one thread, bulk counting.
#[test]
fn move_generators() {
    print!("{}", raja(&["bench", "movegen"]).done());
    for (game, depth, nodes) in [("chess", "6", 119_060_324), ("mgc", "4", 203_063_804_u64)] {
        let ran = raja(&["perft", game, depth]);
        println!("perft {game} {depth}: {}", ran.err.trim());
        assert_eq!(ran.done(), format!("nodes {nodes}\n"));
    }
}

/// The same beside another program.
#[test]
fn move_generators_beside_fairy_stockfish() {
    fairy_stockfish::compare();
}

/// The games as Fairy-Stockfish is told of them, beside the rules.
#[test]
fn variants_of_fairy_stockfish() {
    variants::have_the_same_moves();
}

/// The network alone: a large one on ten by ten squares, and the quick one.
#[test]
fn inference() {
    for (game, net) in [("mgc", "10x128"), ("cheskers", "4x32")] {
        print!("{}", raja(&["bench", "inference", game, "--net", net]).done());
    }
}

/// The search alone: Gumbel with 64 simulations and PUCT with 800.
#[test]
fn search() {
    for game in ["cheskers", "chess", "mgc"] {
        print!("{}", raja(&["bench", "search", game]).done());
    }
}

/// How much of its network's speed self-play reaches: the quick run, and a network of 6x96.
#[test]
fn self_play() {
    let quick = ["bench", "selfplay", "--config", "configs/quick.toml", "--seconds", "20"];
    let large = ["bench", "selfplay", "mgc", "--net", "6x96", "--seconds", "30"];
    print!("{}\n{}", raja(&quick).done(), raja(&large).done());
}

/// The players that need no network, against each other: what the strength table stands on.
#[test]
fn reference_players() {
    let pairings = [
        ("greedy", "random"),
        ("alphabeta:2", "random"),
        ("alphabeta:3", "alphabeta:2"),
        ("mcts:100", "alphabeta:2"),
    ];
    for (a, b) in pairings {
        let folder = tempfile::tempdir().unwrap();
        let out = ["--threads", "2", "--out", folder.path().to_str().unwrap()];
        print!(
            "{}",
            raja(&[&["match", "cheskers", a, b, "--games", "400"], &out[..]].concat()).done()
        );
    }
}

/// The figures of a run that was killed, as TensorBoard shows them.
#[test]
fn figures_in_tensorboard() {
    tensorboard::reads_the_same_numbers();
}

/// `make train`: the default run with its strength table. About 16 minutes.
#[test]
fn the_default_run() {
    print!("{}", raja(&["train", "configs/quick.toml", "--run", "evidence"]).done());
}

/// A quarter of an hour of training on two cores, its strength table, and first facts of the game.
#[test]
fn learning_cheskers() {
    let opponents =
        r#"table.opponents=["random", "greedy", "alphabeta:1", "alphabeta:2", "alphabeta:3"]"#;
    learn("configs/quick.toml", &["table.games=200", opponents]);
}

/// Likewise.
#[test]
fn learning_pyramids_cheskers_7() {
    learn("configs/pyramids-cheskers-7-cpu.toml", &[]);
}

/// Likewise.
#[test]
fn learning_cubic() {
    learn("configs/cubic-cpu.toml", &[]);
}

/// Likewise.
#[test]
fn learning_nihongi() {
    learn("configs/nihongi-cpu.toml", &[]);
}

/// Likewise.
#[test]
fn learning_brilliant() {
    learn("configs/brilliant-cpu.toml", &[]);
}

/// Likewise.
#[test]
fn learning_shogi2() {
    learn("configs/shogi2-cpu.toml", &[]);
}

/// Forty minutes of the default run.
#[test]
fn long_run() {
    long_run::measure();
}

/// Gumbel against PUCT.
#[test]
fn ablation_of_the_search() {
    let puct = Arm { name: "puct", sets: &["selfplay.search.algorithm={puct={}}"] };
    compare("ablation-search", "Gumbel or PUCT", &[[DEFAULT, puct]]);
}

/// All heads for training only, and none of them.
#[test]
fn ablation_of_the_heads() {
    let none = Arm { name: "no-heads", sets: &["network.moves_left=false"] };
    let all = Arm {
        name: "all-heads",
        sets: &["network.soft_policy=true", "network.reply=true", "network.occupancy=true"],
    };
    compare("ablation-heads", "Heads that only help the training", &[[all, none], [DEFAULT, none]]);
}

/// Symmetries.
#[test]
fn ablation_of_the_symmetries() {
    let off = Arm { name: "no-symmetries", sets: &["learner.symmetries=false"] };
    compare("ablation-symmetries", "Symmetries of the board", &[[DEFAULT, off]]);
}
