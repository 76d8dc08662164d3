//! The program `raja`.
//!
//! Results go to stdout, everything else to stderr. The exit code is 0 if the work is done, 1 if a
//! check or a match condition was not met, 2 for wrong usage or input, 3 if the machine is at fault.

mod analyse;
mod bench;
mod check_vectors;
mod contest;
mod doctor;
mod engine;
mod failure;
mod games;
mod input;
mod interrupt;
mod ladder;
mod moves;
mod net;
mod nets;
mod perft;
mod play;
mod plot;
mod progress;
mod records;
mod replay;
mod result;
mod rules;
mod selfplay;
mod show;
mod sprt;
mod status;
mod tournament;
mod train;
mod uci;
mod usage;
mod versus;
mod xboard;

use std::io::{BufWriter, ErrorKind, Write};
use std::process::ExitCode;

use clap::Parser;
use failure::Verdict;

/// Self-play reinforcement learning for unusual board games
#[derive(Debug, Parser)]
#[command(name = "raja", version, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Games(games::Args),
    Rules(rules::Args),
    Show(show::Args),
    Moves(moves::Args),
    Perft(perft::Args),
    Result(result::Args),
    Replay(replay::Args),
    CheckVectors(check_vectors::Args),
    Train(train::Args),
    Status(status::Args),
    Plot(plot::Args),
    Selfplay(selfplay::Args),
    Match(versus::Args),
    Sprt(sprt::Args),
    Tournament(tournament::Args),
    Ladder(ladder::Args),
    Play(play::Args),
    Uci(uci::Args),
    Xboard(xboard::Args),
    Analyse(analyse::Args),
    Records(records::Args),
    Doctor(doctor::Args),
    Net(net::Args),
    Bench(bench::Args),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage::explain(&error),
    };
    let mut out = BufWriter::new(std::io::stdout().lock());
    let verdict = run(&cli.command, &mut out).and_then(|verdict| match out.flush() {
        // A verdict is what it is, whoever reads the results.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(verdict),
    });
    match verdict {
        Ok(verdict) => verdict.exit_code().into(),
        Err(error) if failure::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            progress::say(format_args!("raja: {}", failure::sentence(&error)));
            failure::exit_code(&error).into()
        }
    }
}

fn run(command: &Command, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    match command {
        Command::Games(args) => games::run(args, out),
        Command::Rules(args) => rules::run(args, out),
        Command::Show(args) => show::run(args, out),
        Command::Moves(args) => moves::run(args, out),
        Command::Perft(args) => perft::run(args, out),
        Command::Result(args) => result::run(args, out),
        Command::Replay(args) => replay::run(args, out),
        Command::CheckVectors(args) => check_vectors::run(args, out),
        Command::Train(args) => train::run(args, out),
        Command::Status(args) => status::run(args, out),
        Command::Plot(args) => plot::run(args, out),
        Command::Selfplay(args) => selfplay::run(args, out),
        Command::Match(args) => versus::run(args, out),
        Command::Sprt(args) => sprt::run(args, out),
        Command::Tournament(args) => tournament::run(args, out),
        Command::Ladder(args) => ladder::run(args, out),
        Command::Play(args) => play::run(args, out),
        Command::Uci(args) => uci::run(args, out),
        Command::Xboard(args) => xboard::run(args, out),
        Command::Analyse(args) => analyse::run(args, out),
        Command::Records(args) => records::run(args, out),
        Command::Doctor(args) => doctor::run(args, out),
        Command::Net(args) => net::run(args, out),
        Command::Bench(args) => bench::run(args, out),
    }
}
