//! `raja bench search`: how fast the tree search is when evaluations cost nothing.

use std::io::Write;

use games::{Game, History, Key, State as _, Step};
use search::{
    Algorithm, Answer, Gathered, GumbelSettings, PuctSettings, SearchSettings, Searcher, Wdl,
};
use serde::Serialize;

use super::Listed;
use super::clock::Clock;
use crate::failure::Verdict;
use crate::input;

/// Simulations a second of processor time, with a free evaluator, about a second for each algorithm
///
/// Gumbel with 64 simulations a step and PUCT with 800, all other settings as they are without a
/// configuration. Priors and values are hashed from the position, so that trees grow deep; the
/// game is played on by what the searches choose, and the tree is kept.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    listed: Listed,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let games = args.listed.games();
    let width = games.iter().map(|game| game.id.len()).max().unwrap_or(0);
    let mut found = Vec::new();
    for game in games {
        for (name, settings) in searches() {
            let speed = Speed::of(game, name, settings);
            if args.listed.json {
                found.push(speed);
                continue;
            }
            let Speed { game, algorithm, simulations_per_second: rate, .. } = speed;
            let (many, rate) = (settings.simulations, rate / 1e3);
            writeln!(out, "{game:width$}  {algorithm:<6} {many:>4}  {rate:7.0} k simulations/s")?;
            // It takes a while, and somebody may be watching.
            out.flush()?;
        }
    }
    if args.listed.json {
        input::write_json(&found, out)?;
    }
    Ok(Verdict::Done)
}

/// What is measured: the algorithms with numbers of simulations that suit them.
fn searches() -> [(&'static str, SearchSettings); 2] {
    let with = |simulations, algorithm| SearchSettings {
        simulations,
        algorithm,
        ..SearchSettings::default()
    };
    [
        ("gumbel", with(64, Algorithm::Gumbel(GumbelSettings::default()))),
        ("puct", with(800, Algorithm::Puct(PuctSettings::default()))),
    ]
}

/// How fast the searches of some games were.
#[derive(Debug, Serialize)]
struct Speed {
    game: &'static str,
    algorithm: &'static str,
    settings: SearchSettings,
    simulations: u64,
    /// Those of them that asked the evaluator, and the roots.
    evaluations: u64,
    /// Of processor time.
    seconds: f64,
    simulations_per_second: f64,
}

impl Speed {
    /// Seconds that are measured.
    const TIME: f64 = 1.0;

    /// Searches one game after the other.
    fn of(game: &'static Game, algorithm: &'static str, settings: SearchSettings) -> Self {
        let start = History::new(game.start());
        let mut searcher = Searcher::new(start.clone(), settings, 1);
        let mut logits = Vec::new();
        let clock = Clock::start();
        let (mut simulations, mut evaluations) = (0, 0);
        loop {
            searcher.start(settings.simulations, true);
            while searcher.gather() == Gathered::Leaf {
                let query = searcher.query();
                let value = answer(query.state.key(), query.steps, &mut logits);
                searcher.apply(Answer { value, logits: &logits });
                evaluations += 1;
            }
            let decision = searcher.decision();
            simulations += u64::from(decision.simulations);
            let seconds = clock.busy();
            if seconds > Self::TIME {
                return Self {
                    game: game.id,
                    algorithm,
                    settings,
                    simulations,
                    evaluations,
                    seconds,
                    simulations_per_second: simulations as f64 / seconds,
                };
            }
            searcher.advance(decision.step);
            if searcher.root().outcome().is_some() {
                searcher.reset(&start);
            }
        }
    }
}

/// A value near the even game, and logits from 0 to 4.
fn answer(key: Key, steps: &[Step], logits: &mut Vec<f32>) -> Wdl {
    let mut bits = key | 1;
    let mut next = || {
        bits = bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ bits >> 32;
        (bits >> 40) as f32 / (1 << 24) as f32
    };
    logits.clear();
    logits.extend(steps.iter().map(|_| 4.0 * next()));
    let win = 0.4 + 0.2 * next();
    Wdl { win, draw: 0.0, loss: 1.0 - win }
}
