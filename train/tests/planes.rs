use std::path::Path;

use games::{Game, History, State, Step};
use model::InputShape;
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use search::Wdl;
use selfplay::{
    Choice, GameRecord, NetSpan, Policy, RootValues, StepRecord, read_shard, write_shard,
};
use tch::{Device, Kind};
use train::{ReplayWindow, Targets, TrainingBatch, make_samples};

/// A position and what the planes of counters, rights and hands must say of it: those listed their
/// number, and all others 0.
struct Case {
    game: &'static str,
    /// The start of the game; its usual one if empty.
    fen: &'static str,
    /// Moves before the position.
    moves: &'static [&'static str],
    /// Names and what is on all cells; or, where cells differ, how many are marked.
    planes: &'static [(&'static str, f32)],
}

const ROYAL_SHUFFLE: [&str; 8] = ["e1e2", "e9e8", "e2e1", "e8e9", "e1e2", "e9e8", "e2e1", "e8e9"];

/// A rook that checks with every move, until the position recurs.
const CHECKS: [&str; 5] = ["d1e1", "e9d9", "e1d1", "d9e9", "d1e1"];

/// A part of the planes' name for each thing that a position has beyond its pieces.
const SCALARS: [&str; 7] = ["right", "hand", "clock", "occurred", "ever since", "spent", "leaping"];

const CASES: [Case; 25] = [
    Case {
        game: "chess",
        fen: "r3k3/8/8/8/8/8/8/4K2R w Kq - 60 40",
        moves: &[],
        planes: &[
            ("my short castling right", 1.0),
            ("their long castling right", 1.0),
            ("clock 50-74", 1.0),
        ],
    },
    Case {
        game: "chess",
        fen: "r3k3/8/8/8/8/8/8/4K2R b Kq - 80 40",
        moves: &[],
        planes: &[
            ("my long castling right", 1.0),
            ("their short castling right", 1.0),
            ("clock 75-87", 1.0),
        ],
    },
    Case {
        game: "chess",
        fen: "4k3/8/8/8/8/8/8/4K2R b - - 90 40",
        moves: &[],
        planes: &[("clock 88+", 1.0)],
    },
    Case {
        game: "chess",
        fen: "4k3/8/8/8/8/8/8/4K2R w - - 3 40",
        moves: &["h1h2", "e8e7", "h2h1", "e7e8"],
        planes: &[("occurred once before", 1.0)],
    },
    Case {
        game: "shogi",
        fen: "",
        moves: &ROYAL_SHUFFLE,
        planes: &[("occurred twice before", 1.0)],
    },
    Case {
        game: "shogi",
        fen: "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL b - - RGgsn5p 0 1",
        moves: &[],
        planes: &[
            ("my gold in hand", 0.25),
            ("my silver in hand", 0.25),
            ("my knight in hand", 0.25),
            ("my pawn in hand", 5.0 / 18.0),
            ("their rook in hand", 0.5),
            ("their gold in hand", 0.25),
        ],
    },
    Case {
        game: "shogi",
        fen: "4k4/9/9/9/9/9/9/9/4K4 w - - RB2G3S2N3L12Prbgs2nl6p 0 1",
        moves: &[],
        planes: &[
            ("my rook in hand", 0.5),
            ("my bishop in hand", 0.5),
            ("my gold in hand", 0.5),
            ("my silver in hand", 0.75),
            ("my knight in hand", 0.5),
            ("my lance in hand", 0.75),
            ("my pawn in hand", 12.0 / 18.0),
            ("their rook in hand", 0.5),
            ("their bishop in hand", 0.5),
            ("their gold in hand", 0.25),
            ("their silver in hand", 0.25),
            ("their knight in hand", 0.5),
            ("their lance in hand", 0.25),
            ("their pawn in hand", 6.0 / 18.0),
        ],
    },
    Case {
        game: "shogi2",
        fen: "1+B2p1p1+P/3hkg1+b1/P7p/5P+Pg1/7r1/p5Gh+h/1+p1P3P1/RH7/1RB2K3 w - - RG2Pb5p 0 65",
        moves: &[],
        planes: &[
            ("my rook in hand", 0.25),
            ("my general in hand", 0.25),
            ("my pawn in hand", 2.0 / 18.0),
            ("their bishop in hand", 0.25),
            ("their pawn in hand", 5.0 / 18.0),
        ],
    },
    Case {
        game: "shogi2",
        fen: "1r2g4/rb2k1b2/p1p2g1p1/h3ppB1p/1p1PP1P2/R1P2P3/1P1+p3PP/1HBG1G1H1/3K1R3 w - - H2p 1 20",
        moves: &[],
        planes: &[("my horse in hand", 0.25), ("their pawn in hand", 2.0 / 18.0)],
    },
    Case {
        game: "shogi",
        fen: "4k4/9/9/9/9/9/9/9/3R4K w - - - 0 1",
        moves: CHECKS.first_chunk::<4>().unwrap(),
        planes: &[("occurred once before", 1.0), ("I have checked ever since", 1.0)],
    },
    Case {
        game: "shogi",
        fen: "4k4/9/9/9/9/9/9/9/3R4K w - - - 0 1",
        moves: &CHECKS,
        planes: &[("occurred once before", 1.0), ("they have checked ever since", 1.0)],
    },
    Case {
        game: "agc",
        fen: "rmcakqacmr/nnbggggbnn/pppppppppp/10/10/10/10/PPPPPPPPPP/NNBGGGGBNN/RMCAKQACMR w Kkd - - 0 1",
        moves: &[],
        planes: &[
            ("my leap right", 1.0),
            ("their leap right", 1.0),
            ("their double move right", 1.0),
        ],
    },
    Case {
        game: "agc",
        fen: "rmcakqacmr/nnbggggbnn/pppppppppp/10/10/10/10/PPPPPPPPPP/NNBGGGGBNN/RMCAKQACMR b KDk - - 0 1",
        moves: &[],
        planes: &[
            ("my leap right", 1.0),
            ("their leap right", 1.0),
            ("their double move right", 1.0),
        ],
    },
    Case {
        game: "bermuda",
        fen: "r3k2r/8/8/8/8/8/8/R2K3R|R6r/8/8/K7/7k/8/8/R6r b AHe - - 0 1",
        moves: &[],
        planes: &[
            ("my right to castle with A1", 1.0),
            ("their right to castle with a1", 1.0),
            ("their right to castle with h1", 1.0),
        ],
    },
    Case {
        game: "bermuda",
        fen: "r3k2r/8/8/8/8/8/8/R2K3R|R6r/8/8/K7/7k/8/8/R6r w AHOEahoe - - 0 1",
        moves: &[],
        planes: &[
            ("my right to castle with A1", 1.0),
            ("my right to castle with A8", 1.0),
            ("my right to castle with a1", 1.0),
            ("my right to castle with h1", 1.0),
            ("their right to castle with A1", 1.0),
            ("their right to castle with A8", 1.0),
            ("their right to castle with a1", 1.0),
            ("their right to castle with h1", 1.0),
        ],
    },
    Case {
        game: "brilliant",
        fen: "rqkqr/pnpbpbpnp/1p1p1p1p1/9/9/9/PPPPPPPPP/RNQBKBQNR w e1 - - 0 1",
        moves: &[],
        planes: &[("my leaping kings", 1.0)],
    },
    Case {
        game: "brilliant",
        fen: "rqkqr/pnpbpbpnp/1p1p1p1p1/9/9/9/PPPPPPPPP/RNQBKBQNR b e1 - - 0 1",
        moves: &[],
        planes: &[("their leaping kings", 1.0)],
    },
    Case {
        game: "mgc",
        fen: "k9/10/10/10/10/10/10/5PP3/10/9K w -:f3g3 - - 0 1",
        moves: &[],
        planes: &[("my spent pawns", 2.0)],
    },
    Case {
        game: "mgc",
        fen: "k9/10/10/10/10/10/10/5PP3/10/9K b -:f3g3 - - 0 1",
        moves: &[],
        planes: &[("their spent pawns", 2.0)],
    },
    Case {
        game: "pyramids-weak",
        fen: "f8/9/9/9/9/9/3SS4/9/F8 b f:d3e3 - - 0 1",
        moves: &[],
        planes: &[("my leap right", 1.0), ("their spent slaves", 2.0)],
    },
    Case { game: "chips", fen: "", moves: &["K*a4"], planes: &[("my king in hand", 1.0)] },
    Case {
        game: "pyramids-strong",
        fen: "2(3)6/1S1S5/9/6f2/9/2[12]6/9/4[34]4/F8 w F - - 0 30",
        moves: &[],
        planes: &[("my leap right", 1.0)],
    },
    Case {
        game: "pyramids-strong",
        fen: "2(3)6/1S1S5/9/6f2/9/2[12]6/9/4[34]4/F8 b F - - 51 30",
        moves: &[],
        planes: &[("their leap right", 1.0), ("clock 50-74", 1.0)],
    },
    Case {
        game: "nomino",
        fen: "pp8/pp6PP/8PP/10/10/10/10/10/P8P/P8P w - - 6P2p 0 8",
        moves: &[],
        planes: &[("my hand", 0.375), ("their hand", 0.125)],
    },
    Case {
        game: "nomino",
        fen: "pp8/pp6PP/8PP/10/10/10/10/10/P8P/P8P b - - 6P2p 0 8",
        moves: &[],
        planes: &[("my hand", 0.125), ("their hand", 0.375)],
    },
];

/// The legal step that is written `text`.
fn step(history: &History, text: &str) -> Step {
    let mut steps = Vec::new();
    history.steps(&mut steps);
    let written = |&step: &Step| {
        let mut written = String::new();
        history.position().write_step(step, &mut written);
        written == text
    };
    steps.into_iter().find(written).unwrap_or_else(|| panic!("{text} is not legal"))
}

/// A game of full searches that found nothing: the moves of `case` and one more step.
fn record(case: &Case) -> GameRecord {
    let game = Game::by_id(case.game).unwrap();
    let start = if case.fen.is_empty() { game.start() } else { game.parse_fen(case.fen).unwrap() };
    let mut history = History::new(start);
    let mut record = GameRecord {
        game,
        seed: 1,
        start: history.position().fen(),
        nets: vec![NetSpan { first_step: 0, net: "none".to_owned() }],
        steps: Vec::new(),
        end: None,
        resignation: None,
    };
    let mut legal = Vec::new();
    for index in 0..=case.moves.len() {
        legal.clear();
        assert_eq!(history.steps(&mut legal), None, "{} {}", case.game, case.fen);
        let played = case.moves.get(index).map_or(legal[0], |text| step(&history, text));
        let even = vec![1.0 / legal.len() as f32; legal.len()];
        record.steps.push(StepRecord {
            played,
            legal: legal.len() as u16,
            choice: Choice::Full,
            proven: None,
            values: Some(RootValues {
                raw: None,
                searched: Wdl { win: 0.25, draw: 0.5, loss: 0.25 }.into(),
            }),
            target: Some(Policy::new(&even, |_| true)),
            visited: Box::default(),
        });
        history.play(played);
    }
    record.end = history.end();
    record
}

/// The planes of the last position of `record`, after a way through a file: the value on all cells, or
/// the sum of different ones.
fn planes(record: &GameRecord, folder: &Path) -> Vec<(String, f32)> {
    let game = record.game;
    let path = folder.join("case.games.zst");
    write_shard(&path, game, std::slice::from_ref(record)).unwrap();
    let mut window = ReplayWindow::default();
    read_shard(&path, game).unwrap().games.into_iter().for_each(|read| window.push(read));
    std::fs::remove_file(&path).unwrap();
    let drawn = window.sample(400, &mut Xoshiro256PlusPlus::seed_from_u64(1));
    let row = drawn.into_iter().find(|row| row.index + 1 == record.steps.len()).unwrap();
    let samples = make_samples(game, &[row], &Targets::default(), 1).unwrap();
    let batch = TrainingBatch::new(InputShape::of(game), &samples, Device::Cpu);
    let planes = batch.input.planes.flatten(2, 3).squeeze_dim(0);
    let value = |plane: usize| {
        let cells = planes.get(plane as i64);
        let first = cells.double_value(&[0]);
        let even = cells.eq(first).all().int64_value(&[]) == 1;
        if even { first as f32 } else { cells.sum(Kind::Float).double_value(&[]) as f32 }
    };
    game.planes.iter().enumerate().map(|(plane, name)| (name.clone(), value(plane))).collect()
}

/// A trainer whose counters never reach the network learns for months without anyone noticing.
#[test]
fn counters_rights_and_hands_survive_from_the_rules_to_the_tensor() {
    let folder = tempfile::tempdir().unwrap();
    let is_scalar = |name: &str| SCALARS.iter().any(|part| name.contains(part));
    let whosever = |name: &str| {
        let name = name.strip_prefix("my ").or_else(|| name.strip_prefix("their "));
        name.map(str::to_owned)
    };
    let mut seen = std::collections::BTreeSet::new();
    for case in &CASES {
        let Case { game, fen, moves, planes: expected } = case;
        let mut checked = 0;
        for (name, found) in planes(&record(case), folder.path()) {
            let listed = expected.iter().find(|(listed, _)| *listed == name);
            if let Some(&(_, value)) = listed {
                assert!((found - value).abs() < 1e-6, "{game} {fen} {moves:?}: {name} {found}");
                seen.insert(whosever(&name).unwrap_or(name));
                checked += 1;
            } else if is_scalar(&name) {
                assert_eq!(found, 0.0, "{game} {fen} {moves:?}: {name}");
            }
        }
        assert_eq!(checked, expected.len(), "{game} has no such planes: {expected:?}");
    }
    for game in Game::all() {
        for name in game.planes.iter().filter(|name| is_scalar(name)) {
            let name = whosever(name).unwrap_or_else(|| name.clone());
            assert!(seen.contains(&name), "{}: no case has {name}", game.id);
        }
    }
}
