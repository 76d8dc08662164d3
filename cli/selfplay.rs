//! `raja selfplay`: games of a network against itself, as records.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use games::Game;
use model::Checkpoint;
use model::device::{DeviceChoice, DeviceList};
use search::{SearchSettings, Uniform};
use selfplay::{
    Evaluators, Goal, LocalEvaluators, Pool, RecordStats, Run, SelfPlaySettings, ShardWriter,
};
use train::PrecisionChoice;

use crate::failure::Verdict;
use crate::interrupt;
use crate::nets;
use crate::progress::{self, Meter};

/// Play games of a network against itself and write their records
///
/// The records go into a new file in the folder; its name and statistics are printed.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The id of the game, as `raja games` lists it
    #[arg(value_parser = Game::by_id)]
    game: &'static Game,
    /// A checkpoint, or `uniform`: a network that knows nothing
    #[arg(long, value_name = "NET")]
    net: PathBuf,
    /// How many games to play
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// The folder of the records
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Simulations of a search
    #[arg(long, value_name = "N", default_value_t = SelfPlaySettings::default().search.simulations)]
    sims: u32,
    /// The seed of all random choices
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How many threads play; 0 is one a core
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: u16,
    /// How many games a thread plays at a time: the size of its batches, or of two on a GPU
    #[arg(long, value_name = "N", default_value_t = SelfPlaySettings::default().games_per_worker)]
    batch: usize,
    /// Cut games off after so many plies, without a result: for a quick look at long games
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    cut_off: Option<u32>,
    /// Play the games that the seed stands for in the same order on any number of threads
    #[arg(long)]
    reproducible: bool,
    /// Where the network runs: auto, cpu, cuda or cuda:N; several GPUs separated by commas
    #[arg(long, default_value_t = DeviceList::default())]
    device: DeviceList,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let defaults = SelfPlaySettings::default();
    let settings = SelfPlaySettings {
        workers: args.threads.into(),
        games_per_worker: args.batch,
        reproducible: args.reproducible,
        search: SearchSettings { simulations: args.sims, ..defaults.search },
        cut_off_plies: args.cut_off,
        ..defaults
    };
    let mut pool = Pool::new(args.game, settings, args.seed)?;
    let evaluators = evaluators(args, settings.batch)?;
    std::fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let path = next_shard(&args.out)?;
    let stop = interrupt::flag()?;

    let run = Run {
        evaluators: evaluators.as_ref(),
        goal: Goal::AllOf(args.games.into()),
        stop,
        progress: &selfplay::Progress::new(),
    };
    let mut writer = ShardWriter::create(&path, args.game)?;
    let mut stats = RecordStats::default();
    let meter = Meter::new();
    let throughput = pool.run(&run, &mut |record| {
        writer.push(&record)?;
        stats.add(&record);
        let steps = format_args!("{} steps", stats.steps);
        meter.show("game", stats.games, args.games.into(), steps);
        Ok(())
    })?;
    writer.finish()?;
    drop(meter);

    writeln!(out, "{}\n{stats}", path.display())?;
    progress::say(format_args!(
        "{:.1} s, {:.0} evaluations/s, {:.0}% more remembered, batches {:.0}% full, {:.0} MiB of memory at most",
        throughput.elapsed.as_secs_f64(),
        throughput.evaluations_per_second(),
        throughput.found as f64 / (throughput.evaluations.max(1) as f64) * 100.0,
        throughput.batch_fill() * 100.0,
        train::memory::peak_mib()
    ));
    Ok(Verdict::of(stats.games >= args.games.into()))
}

fn evaluators(args: &Args, batch: usize) -> anyhow::Result<Box<dyn Evaluators>> {
    let net = args.net.display().to_string();
    if net == "uniform" {
        return Ok(Box::new(LocalEvaluators::new(&net, Arc::new(Uniform))));
    }
    let (cpu, _) = DeviceChoice::Cpu.resolve()?;
    let network = Checkpoint::load(&args.net, args.game)?.network(args.game, cpu);
    Ok(Box::new(nets::evaluators(&net, &network, &args.device, PrecisionChoice::Auto, batch)?))
}

/// The name of the shard behind the last one in `folder`.
fn next_shard(folder: &Path) -> anyhow::Result<PathBuf> {
    let last = selfplay::list_shards(folder)?.last().map_or(0, |&(number, _)| number);
    let next =
        last.checked_add(1).context("the folder's last file has the highest number there is")?;
    Ok(selfplay::shard_path(folder, next))
}
