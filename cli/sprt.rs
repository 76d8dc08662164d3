//! `raja sprt`: a match that ends when it has said enough.

use std::io::Write;

use arena::{Elo, Match, MatchResult, Progress, Sprt, SprtVerdict};
use serde::Serialize;

use crate::contest::{self, Contest};
use crate::failure::Verdict;
use crate::progress::{self, Meter};
use crate::{input, interrupt};

/// Test whether A is stronger than B by elo1 (H1) rather than by elo0 (H0), with as few games as that
/// takes
///
/// A sequential probability ratio test on pairs of games; one that cannot tell, because the truth is
/// half way, ends with the likelier of the two, H0 if both are alike. Exits with code 0 if H1 is
/// accepted, with 1 if H0 is or if the games did not suffice. The same command goes on with a test
/// that was stopped.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    contest: Contest,
    /// The Elo difference A - B under H0
    #[arg(long, value_name = "ELO", default_value_t = Sprt::default().elo0, allow_negative_numbers = true)]
    elo0: f64,
    /// The Elo difference A - B under H1, greater than that under H0
    #[arg(long, value_name = "ELO", default_value_t = Sprt::default().elo1, allow_negative_numbers = true)]
    elo1: f64,
    /// The chance to accept H1 if H0 is true
    #[arg(long, value_name = "CHANCE", default_value_t = Sprt::default().alpha)]
    alpha: f64,
    /// The chance to accept H0 if H1 is true
    #[arg(long, value_name = "CHANCE", default_value_t = Sprt::default().beta)]
    beta: f64,
    /// Give up after so many games, an even number
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = input::even)]
    max_games: u32,
}

/// Openings for players of which one at least varies its play: from one opening they play many games.
const ENOUGH_OPENINGS: usize = 1_000;

/// The result as JSON.
#[derive(Debug, Serialize)]
struct Report {
    sprt: Sprt,
    verdict: SprtVerdict,
    log_likelihood_ratio: f64,
    bounds: [f64; 2],
    elo: Elo,
    result: MatchResult,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let &Args { ref contest, elo0, elo1, alpha, beta, max_games } = args;
    let sprt = Sprt { elo0, elo1, alpha, beta };
    sprt.check()?;
    let [a, b] = contest.entrants()?;
    let folder = contest.folder(&format!("sprt-{elo0}-{elo1}-{alpha}-{beta}"), [&a, &b])?;
    let stop = interrupt::flag()?;
    let vary = !(a.may_repeat() && b.may_repeat());
    let openings = max_games as usize / 2;
    let openings = if vary { openings.min(ENOUGH_OPENINGS) } else { openings };
    let Some(book) = contest.rules.book(contest.game, openings, stop)? else {
        return Ok(Verdict::NotMet);
    };
    let max_games = match book.lines.len() {
        found @ 1.. if !vary && found < openings => {
            progress::say(format_args!(
                "there are {found} openings for players that repeat themselves: {} games at most",
                2 * found
            ));
            2 * found as u32
        }
        _ => max_games,
    };
    let prepared = Match::new(&a, &b, &book, contest.rules.settings(max_games))?.until(sprt)?;
    let [lower, upper] = sprt.bounds();
    let meter = Meter::new();
    let show = |so_far: &Progress<'_>| {
        let ratio = sprt.log_likelihood_ratio(&so_far.counted.pentanomial);
        meter.show(
            "game",
            so_far.finished.into(),
            so_far.games.into(),
            format_args!("{}  LLR {ratio:+.2} [{lower:.2}, {upper:.2}]", so_far.score),
        );
    };
    let result = folder.play(&prepared, &meter, &show, stop)?;
    drop(meter);
    let report = Report {
        sprt,
        verdict: sprt.verdict(&result.pentanomial),
        log_likelihood_ratio: sprt.log_likelihood_ratio(&result.pentanomial),
        bounds: sprt.bounds(),
        elo: result.elo(),
        result,
    };
    input::save_json(&report, &folder.join("sprt.json"))?;
    if contest.json {
        input::write_json(&report, out)?;
    } else {
        contest::tell(&report.result, out)?;
        let ratio = report.log_likelihood_ratio;
        let lasted =
            match report.verdict != SprtVerdict::Undecided && lower < ratio && ratio < upper {
                true => ", as the likelier one after the longest time that a test may take",
                false => "",
            };
        writeln!(out, "LLR {ratio:+.2} [{lower:.2}, {upper:.2}]: {}{lasted}", report.verdict)?;
    }
    Ok(Verdict::of(report.verdict == SprtVerdict::AcceptH1))
}
