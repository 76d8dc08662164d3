//! The move generators beside that of Debian's `fairy-stockfish`, which plays on many boards too.
//!
//! Both count the leaves of a tree from the start, on one thread and the last ply in bulk, each
//! round one after the other. What is compared is leaves a second of processor time, start-up left
//! out; each keeps its best of some rounds.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::program::program;
use crate::rivals::fairy_stockfish;

/// How often everything is measured.
const ROUNDS: usize = 3;

/// A game of ours, and one of theirs that is as near to it as any.
struct Pair {
    game: &'static str,
    depth: u32,
    variant: &'static str,
    variant_depth: u32,
    /// How many times as fast ours has to be.
    at_least: f64,
}

const fn pair(game: &'static str, depth: u32, variant: &'static str, variant_depth: u32) -> Pair {
    Pair { game, depth, variant, variant_depth, at_least: 0.0 }
}

const PAIRS: &[Pair] = &[
    Pair { at_least: 2.0, ..pair("chess", 6, "chess", 5) },
    Pair { at_least: 2.0, ..pair("shogi", 5, "shogi", 4) },
    Pair { at_least: 1.5, ..pair("mgc", 4, "grand", 4) },
    Pair { at_least: 1.5, ..pair("agc", 5, "grand", 4) },
    Pair { at_least: 1.5, ..pair("guru", 5, "grand", 4) },
];

/// Measures all [`PAIRS`] whose game is in the catalogue, and prints how they compare.
pub(crate) fn compare() {
    let Some(rival) = rival() else {
        println!(
            "fairy-stockfish is not installed and `apt-get install fairy-stockfish` does not \
             install it: nothing is compared with it"
        );
        return;
    };
    for pair in PAIRS {
        if games::Game::by_id(pair.game).is_err() {
            println!("{}: not in the catalogue", pair.game);
            continue;
        }
        let (mut own, mut theirs) = (0.0_f64, 0.0_f64);
        for _ in 0..ROUNDS {
            own = own.max(own_speed(pair));
            theirs = theirs.max(rival_speed(&rival, pair));
        }
        let times = own / theirs;
        println!(
            "{:6} {:7.2} million leaves/s, {} of fairy-stockfish {:6.2}: {times:.1} times as fast",
            pair.game,
            own / 1e6,
            pair.variant,
            theirs / 1e6,
        );
        assert!(times >= pair.at_least, "expected {} times at least", pair.at_least);
    }
}

/// The program, installed if that is possible.
fn rival() -> Option<PathBuf> {
    fairy_stockfish().or_else(|| {
        println!("installing fairy-stockfish");
        let install = ["install", "--yes", "--no-install-recommends", "fairy-stockfish"];
        let quiet = || Stdio::null();
        let apt = Command::new("apt-get").args(install).stdout(quiet()).stderr(quiet()).status();
        apt.is_ok_and(|status| status.success()).then(fairy_stockfish)?
    })
}

/// Leaves a second of our generator.
fn own_speed(pair: &Pair) -> f64 {
    let count = |depth: u32| {
        let mut command = program(&["perft", pair.game, &depth.to_string()]);
        let (text, seconds) = clocked(&mut command, "");
        (number_behind(&text, "nodes "), seconds)
    };
    let (_, start_up) = count(0);
    let (leaves, seconds) = count(pair.depth);
    leaves / (seconds - start_up)
}

/// Leaves a second of theirs.
fn rival_speed(rival: &PathBuf, pair: &Pair) -> f64 {
    let run = |last: &str| {
        let variant = pair.variant;
        let script = format!(
            "uci\nsetoption name UCI_Variant value {variant}\nposition startpos\n{last}quit\n"
        );
        clocked(&mut Command::new(rival), &script)
    };
    let (_, start_up) = run("");
    let (text, seconds) = run(&format!("go perft {}\n", pair.variant_depth));
    number_behind(&text, "Nodes searched: ") / (seconds - start_up)
}

/// The number behind `words` in `text`.
fn number_behind(text: &str, words: &str) -> f64 {
    let rest = text.split(words).nth(1).expect("the program counts");
    let digits = rest.split(|c: char| !c.is_ascii_digit()).next();
    digits.and_then(|digits| digits.parse().ok()).expect("a number")
}

/// Runs `command` with `input`; what it wrote and the processor seconds it took.
fn clocked(command: &mut Command, input: &str) -> (String, f64) {
    let before = seconds_of_children();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program is there");
    child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let seconds = seconds_of_children() - before;
    (String::from_utf8(output.stdout).expect("the program writes UTF-8"), seconds)
}

/// The processor seconds that all processes have taken that this one has waited for.
fn seconds_of_children() -> f64 {
    /// Linux counts these hundredths of seconds on every machine.
    const TICKS_A_SECOND: f64 = 100.0;
    let text = std::fs::read_to_string("/proc/self/stat").expect("this is Linux");
    // The fields behind the name, which stands in parentheses, begin with number 3.
    let fields: Vec<&str> = text.rsplit(')').next().unwrap().split_whitespace().collect();
    let ticks = |field: usize| fields[field - 3].parse::<f64>().expect("a number");
    (ticks(16) + ticks(17)) / TICKS_A_SECOND
}
