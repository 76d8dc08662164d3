//! `raja match`: two players, many games. (`match` is a keyword.)

use std::io::Write;

use arena::{Match, MatchResult, Progress, Row};

use crate::contest::{self, Contest};
use crate::failure::Verdict;
use crate::progress::{self, Meter};
use crate::{input, interrupt};

/// Let two players play a match; prints score and Elo difference, seen by A
///
/// Each opening is a few random moves that an alpha-beta search finds balanced, and is played with
/// both colours. The same command goes on with a match that was stopped, and with more --games it
/// makes the match longer.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    contest: Contest,
    /// How many games to play, an even number
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = input::even)]
    games: u32,
    /// Exit with code 1 unless A scores this many per cent
    #[arg(long, value_name = "PERCENT", value_parser = percent, allow_negative_numbers = true)]
    at_least: Option<f64>,
}

fn percent(text: &str) -> Result<f64, &'static str> {
    let found = text.parse().ok().filter(|found| (0.0..=100.0).contains(found));
    found.ok_or("expected a number from 0 to 100")
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let contest = &args.contest;
    let [a, b] = contest.entrants()?;
    let folder = contest.folder("match", [&a, &b])?;
    let stop = interrupt::flag()?;
    let Some(book) = contest.rules.book(contest.game, args.games as usize / 2, stop)? else {
        return Ok(Verdict::NotMet);
    };
    let prepared = Match::new(&a, &b, &book, contest.rules.settings(args.games))?;
    let meter = Meter::new();
    let show = |so_far: &Progress<'_>| {
        meter.show("game", so_far.finished.into(), so_far.games.into(), so_far.score);
    };
    let result = folder.play(&prepared, &meter, &show, stop)?;
    drop(meter);
    let row = Row::new(result);
    input::save_json(&row, &folder.join("match.json"))?;
    if contest.json {
        input::write_json(&row, out)?;
    } else {
        contest::tell(&row.result, out)?;
    }
    Ok(verdict(args, &row.result))
}

fn verdict(args: &Args, result: &MatchResult) -> Verdict {
    if !result.complete {
        progress::say(format_args!(
            "stopped: the {} games of complete pairs are counted, of which short games are more than \
             their share; the same command goes on",
            result.score.games()
        ));
        return Verdict::NotMet;
    }
    let percent = result.score.share() * 100.0;
    match args.at_least {
        Some(least) if percent < least => {
            progress::say(format_args!(
                "{} has {percent:.1}% and should have {least}% at least",
                result.a
            ));
            Verdict::NotMet
        }
        _ => Verdict::Done,
    }
}
