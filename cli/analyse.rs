//! `raja analyse`: what a network thinks of a position, or of many.

mod json;
pub(crate) mod table;

use std::io::{IsTerminal as _, Write};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;
use arena::{AnalysisError, Analyst, Found, Limit, Line, watch};
use console::Term;
use model::device::DeviceChoice;
use search::EvaluatorSource;

use crate::failure::Verdict;
use crate::input::{self, Start};
use crate::interrupt;
use crate::nets::Nets;

/// Say what a network thinks of a position: the best moves and what will follow
///
/// On a terminal the table is shown while the search goes on, as far as it fits. With --json many
/// positions are read from standard input, one JSON object a line, and answered as they are done;
/// docs/analyse.md has the schema.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    start: Start,
    /// Moves played from there, between blanks
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,
    /// The checkpoint of the network; random rollouts judge positions without one
    #[arg(long, value_name = "PATH")]
    net: Option<PathBuf>,
    /// What ends the search of a position: simulations, or time as 500ms
    #[arg(long, value_name = "SIMS", default_value = "800", value_parser = parse_limit)]
    limit: Limit,
    /// Search until Ctrl-C
    #[arg(long, conflicts_with_all = ["limit", "json"])]
    infinite: bool,
    /// Moves that are told of
    #[arg(long, value_name = "K", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..))]
    lines: u16,
    /// Read positions from standard input and print answers, as JSON lines
    #[arg(long)]
    json: bool,
    /// Threads that evaluate positions; 0: one a core
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: u16,
    /// Positions that are evaluated together in each thread
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=1024))]
    batch: u16,
    /// Where the network runs: auto, cpu, cuda or cuda:N
    #[arg(long, default_value_t = DeviceChoice::Auto)]
    device: DeviceChoice,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    model::single_threaded();
    let line = line(args)?;
    let network = match &args.net {
        Some(path) => {
            let source = Nets::on(args.device)?.open(args.start.game, path)?;
            Some(Arc::new(source) as Arc<dyn EvaluatorSource>)
        }
        None => None,
    };
    let threads = input::threads(args.threads);
    if args.json {
        let Limit::Simulations(simulations) = args.limit else {
            bail!("--json is limited by simulations, not by {}", args.limit);
        };
        let analyst = Analyst::new(network, threads, args.batch.into());
        json::answer(&analyst, &line, simulations, args.lines.into(), out)?;
        return Ok(Verdict::Done);
    }
    if let Some(end) = line.state().end() {
        writeln!(out, "the game is over: {end}")?;
        return Ok(Verdict::Done);
    }
    let analyst = Analyst::new(network, threads, usize::from(args.batch).min(MOST_LEAVES));
    let limit = (!args.infinite).then_some(args.limit);
    let stop = interrupt::flag()?;
    let terminal = Term::stdout();
    let live = std::io::stdout().is_terminal()
        && std::env::var_os("TERM").is_none_or(|name| name != "dumb");
    let mut drawn = 0;
    let mut show = |found: &Found, rate: f64, last: bool| {
        if drawn > 0 {
            // Back to the first line of the table, and away with it.
            write!(out, "\x1b[{drawn}F\x1b[J")?;
        }
        let table = table::draw(line.state(), found, rate);
        if last {
            out.write_all(table.as_bytes())?;
        } else if live {
            let fitting = table::cut(&table, terminal.size());
            drawn = fitting.lines().count();
            out.write_all(fitting.as_bytes())?;
        }
        out.flush()
    };
    match watch(&analyst, &line, limit, args.lines.into(), &mut show, stop) {
        Ok(()) => Ok(Verdict::Done),
        Err(AnalysisError::Show(error)) => Err(error.into()),
        Err(error) => Err(error.into()),
    }
}

/// The most states of one search that are evaluated together: the more of them wait, the less each
/// simulation knows of the others.
pub(crate) const MOST_LEAVES: usize = 8;

/// Simulations or a time: evaluated positions are not counted here.
fn parse_limit(text: &str) -> Result<Limit, String> {
    match text.parse() {
        Ok(Limit::Nodes(_)) => Err("expected simulations, or milliseconds as 500ms".to_owned()),
        Ok(limit) => Ok(limit),
        Err(error) => Err(error.to_string()),
    }
}

/// The position to analyse, or the one that those of --json start from unless they say otherwise.
fn line(args: &Args) -> anyhow::Result<Line> {
    let mut line = Line::new(args.start.position()?);
    for text in args.moves.split_ascii_whitespace() {
        line.play(line.state().position().parse_move(text)?);
    }
    Ok(line)
}
