//! `raja bench selfplay`: self-play against the speed of its own network.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use games::{Game, History, Step};
use model::device::{DeviceChoice, DeviceList};
use model::{Checkpoint, InputShape, Network, NetworkSettings};
use search::{EvaluatorError, Query};
use selfplay::{Answered, Client, Evaluators, Goal, Net, Pool, Progress, Run, Spent, Throughput};
use serde::Serialize;
use train::{NetEvaluators, Settings};

use super::clock::Clock;
use crate::failure::Verdict;
use crate::{input, nets};

/// Self-play, and in turns with it the same network alone on the batches that self-play made
///
/// Their ratio says how much of the network's speed self-play reaches. Evaluations are answers of the
/// network; what the search finds elsewhere does not count.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The id of the game, as `raja games` lists it; that of the configuration, or cheskers, if left out
    #[arg(value_parser = Game::by_id)]
    game: Option<&'static Game>,
    /// Take network, search and self-play from this configuration, such as configs/quick.toml
    #[arg(long, value_name = "CONFIG")]
    config: Option<PathBuf>,
    /// Use another value for a key of the configuration
    #[arg(long = "set", value_name = "TABLE.KEY=VALUE")]
    overrides: Vec<String>,
    /// A checkpoint, or blocks and channels of an untrained network, such as 6x96
    #[arg(long, value_name = "BxC|CHECKPOINT")]
    net: Option<String>,
    /// How many threads play; 0 is one a core
    #[arg(long, value_name = "N")]
    threads: Option<u16>,
    /// How many games a thread plays at a time
    #[arg(long, value_name = "N")]
    games: Option<u32>,
    /// Where the network runs: auto, cpu, cuda or cuda:N; several GPUs separated by commas
    #[arg(long)]
    device: Option<DeviceList>,
    /// For how long, half of it self-play
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    seconds: u32,
    /// Print a JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// What is measured when there is no configuration.
const PLAIN: &str = "[run]\ngame = \"cheskers\"\n[selfplay.search]\nsimulations = 32\n";

/// How long self-play and the network alone take turns for: short, so that other programs disturb both.
const TURN: Duration = Duration::from_millis(250);

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let settings = settings(args)?;
    let game = settings.game();
    let (name, network) = network(args, &settings)?;
    let Settings { run, selfplay, .. } = &settings;
    let evaluators = nets::evaluators(&name, &network, &run.device, run.precision, selfplay.batch)?;
    let mut bench = Bench::new(&settings, &evaluators)?;
    let time = Duration::from_secs(args.seconds.into());
    bench.warm_up(time / 4)?;
    while bench.elapsed() < time {
        bench.play(TURN)?;
        bench.evaluate(TURN)?;
    }
    let Bench { workers, played, alone, .. } = bench;
    let report = Report {
        game: game.id,
        network: name,
        mflop: network.settings().flops(InputShape::of(game)) as f64 / 1e6,
        precision: format!("{:?}", evaluators.precision()).to_lowercase(),
        engine: evaluators.engine(),
        devices: evaluators.devices().len(),
        threads: workers,
        games_per_thread: selfplay.games_per_worker,
        simulations: selfplay.search.simulations,
        inner_look_ahead: selfplay.search.inner_look_ahead,
        ..Report::new(&played, &alone, workers)
    };
    if args.json {
        input::write_json(&report, out)?;
    } else {
        report.write(out)?;
    }
    Ok(Verdict::Done)
}

/// The configuration with what the command line says besides.
fn settings(args: &Args) -> anyhow::Result<Settings> {
    let mut overrides = Vec::new();
    if let Some(game) = args.game {
        overrides.push(format!("run.game={}", game.id));
    }
    if let Some(device) = &args.device {
        overrides.push(format!("run.device={device}"));
    }
    if let Some(threads) = args.threads {
        overrides.push(format!("selfplay.workers={threads}"));
    }
    if let Some(games) = args.games {
        overrides.push(format!("selfplay.games_per_worker={games}"));
    }
    overrides.extend(args.overrides.iter().cloned());
    Ok(match &args.config {
        Some(file) => Settings::load(file, &overrides)?,
        None => Settings::parse(Path::new("--set"), PLAIN, &overrides)?,
    })
}

/// The network and what to call it.
fn network(args: &Args, settings: &Settings) -> anyhow::Result<(String, Network)> {
    let (cpu, _) = DeviceChoice::Cpu.resolve()?;
    let game = settings.game();
    let size = match &args.net {
        None => settings.network,
        Some(text) => match sizes(text) {
            Some((blocks, channels)) => NetworkSettings { blocks, channels, ..settings.network },
            None => {
                let network = Checkpoint::load(Path::new(text), game)?.network(game, cpu);
                return Ok((text.clone(), network));
            }
        },
    };
    let name = format!("{}x{}", size.blocks, size.channels);
    let network = Network::new(&size, game, cpu, 1).with_context(|| name.clone())?;
    Ok((name, network))
}

/// Blocks and channels out of `6x96`.
fn sizes(text: &str) -> Option<(usize, usize)> {
    let (blocks, channels) = text.split_once('x')?;
    Some((blocks.parse().ok()?, channels.parse().ok()?))
}

/// Self-play and its network, taking turns.
struct Bench<'a> {
    evaluators: &'a NetEvaluators,
    pool: Pool,
    workers: usize,
    progress: Progress,
    /// Batches of self-play: for each worker, its groups' latest.
    batches: Vec<Vec<Batch>>,
    states: usize,
    played: Measured,
    alone: Measured,
}

/// States with their legal steps.
type Batch = Vec<(History, Vec<Step>)>;

/// What was done in some time.
#[derive(Default)]
struct Measured {
    throughput: Throughput,
    /// Clock and processor.
    seconds: f64,
    processor_seconds: f64,
}

impl Measured {
    /// Adds the time since `clock` was started.
    fn add(&mut self, clock: Clock) {
        self.seconds += clock.wall();
        self.processor_seconds += clock.busy();
    }
}

impl<'a> Bench<'a> {
    fn new(settings: &Settings, evaluators: &'a NetEvaluators) -> anyhow::Result<Self> {
        let Settings { selfplay, run, .. } = settings;
        let (played, alone) = Default::default();
        Ok(Self {
            evaluators,
            pool: Pool::new(settings.game(), *selfplay, run.seed)?,
            workers: selfplay.worker_count(),
            progress: Progress::new(),
            batches: Vec::new(),
            states: 0,
            played,
            alone,
        })
    }

    fn elapsed(&self) -> Duration {
        Duration::from_secs_f64(self.played.seconds + self.alone.seconds)
    }

    /// Plays until games are in all stages, and takes samples of the batches.
    fn warm_up(&mut self, time: Duration) -> anyhow::Result<()> {
        run_for(&mut self.pool, self.evaluators, &Progress::new(), time)?;
        let sampler = Sampler { inner: self.evaluators, taken: Mutex::new(Vec::new()) };
        run_for(&mut self.pool, &sampler, &Progress::new(), TURN)?;
        let taken = sampler.taken.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.states = taken.iter().flatten().map(Vec::len).max().unwrap_or(0);
        self.batches = taken;
        Ok(())
    }

    /// Self-play for a turn.
    fn play(&mut self, time: Duration) -> anyhow::Result<()> {
        let clock = Clock::of_all_threads();
        let throughput = run_for(&mut self.pool, self.evaluators, &self.progress, time)?;
        self.played.add(clock);
        // The progress has all turns.
        let before = Throughput::default();
        self.played.throughput = self.progress.total().since(&before, throughput.elapsed);
        Ok(())
    }

    /// The network alone for a turn: as many threads, the same batches, as many on their way.
    fn evaluate(&mut self, time: Duration) -> anyhow::Result<()> {
        let clock = Clock::of_all_threads();
        let Self { evaluators, batches, states, .. } = self;
        let spent: Result<Vec<(u64, Spent)>, EvaluatorError> = thread::scope(|scope| {
            let threads: Vec<_> = batches
                .iter()
                .map(|batches| scope.spawn(|| evaluate_for(*evaluators, batches, *states, time)))
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().expect("evaluators do not panic"))
                .collect()
        });
        self.alone.add(clock);
        for (evaluations, spent) in spent? {
            self.alone.throughput.evaluations += evaluations;
            self.alone.throughput.encoding += spent.encoding;
            self.alone.throughput.network += spent.network;
            self.alone.throughput.batches += spent.batches;
        }
        Ok(())
    }
}

/// Runs `pool` for some time.
fn run_for(
    pool: &mut Pool,
    evaluators: &dyn Evaluators,
    progress: &Progress,
    time: Duration,
) -> anyhow::Result<Throughput> {
    let stop = AtomicBool::new(false);
    let run = Run { evaluators, goal: Goal::Games(u64::MAX), stop: &stop, progress };
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(time);
            stop.store(true, Ordering::Relaxed);
        });
        Ok(pool.run(&run, &mut |_| Ok(()))?)
    })
}

/// Has batches evaluated over and over for some time.
fn evaluate_for(
    evaluators: &dyn Evaluators,
    batches: &[Batch],
    states: usize,
    time: Duration,
) -> Result<(u64, Spent), EvaluatorError> {
    let began = Instant::now();
    let mut client = evaluators.client(batches.len(), states)?;
    let queries: Vec<Vec<Query<'_>>> = batches
        .iter()
        .map(|batch| batch.iter().map(|(state, steps)| Query { state, steps }).collect())
        .collect();
    let mut evaluations = 0;
    let mut on_their_way = 0;
    for (group, queries) in queries.iter().enumerate() {
        client.send(group, queries, queries.len())?;
        on_their_way += 1;
    }
    while on_their_way > 0 {
        let Answered { group, answers, .. } = client.receive()?;
        evaluations += answers.len() as u64;
        on_their_way -= 1;
        if began.elapsed() < time {
            client.send(group, &queries[group], queries[group].len())?;
            on_their_way += 1;
        }
    }
    Ok((evaluations, client.take_spent()))
}

/// Evaluators that keep a copy of the last batch of each worker's groups.
struct Sampler<'a> {
    inner: &'a dyn Evaluators,
    taken: Mutex<Vec<Vec<Batch>>>,
}

struct SamplingClient<'a> {
    inner: Box<dyn Client + 'a>,
    latest: Vec<Batch>,
    into: &'a Mutex<Vec<Vec<Batch>>>,
}

impl Evaluators for Sampler<'_> {
    fn lanes(&self) -> usize {
        self.inner.lanes()
    }

    fn client(&self, groups: usize, states: usize) -> Result<Box<dyn Client + '_>, EvaluatorError> {
        let inner = self.inner.client(groups, states)?;
        Ok(Box::new(SamplingClient { inner, latest: vec![Vec::new(); groups], into: &self.taken }))
    }
}

impl Client for SamplingClient<'_> {
    fn net(&self) -> Arc<Net> {
        self.inner.net()
    }

    fn send(
        &mut self,
        group: usize,
        queries: &[Query<'_>],
        seats: usize,
    ) -> Result<(), EvaluatorError> {
        let copy = |query: &Query<'_>| (query.state.clone(), query.steps.to_vec());
        self.latest[group] = queries.iter().map(copy).collect();
        self.inner.send(group, queries, seats)
    }

    fn receive(&mut self) -> Result<Answered<'_>, EvaluatorError> {
        self.inner.receive()
    }

    fn take_spent(&mut self) -> Spent {
        self.inner.take_spent()
    }
}

impl Drop for SamplingClient<'_> {
    fn drop(&mut self) {
        let mut into = self.into.lock().unwrap_or_else(PoisonError::into_inner);
        into.push(std::mem::take(&mut self.latest));
    }
}

/// The figures. Times of workers are shares of all workers' time on the clock.
#[derive(Debug, Default, Serialize)]
struct Report {
    game: &'static str,
    network: String,
    /// Million operations a position.
    mflop: f64,
    precision: String,
    engine: &'static str,
    /// Threads that feed devices; 0 where each worker computes itself.
    devices: usize,
    threads: usize,
    games_per_thread: usize,
    simulations: u32,
    inner_look_ahead: usize,
    /// Seconds of self-play.
    seconds: f64,
    positions_per_second: f64,
    evaluations_per_second: f64,
    network_evaluations_per_second: f64,
    ratio: f64,
    /// Of the states that were asked about, those whose evaluation was remembered. They do not count
    /// as evaluations.
    cache_hits: f64,
    /// The ratio by processor time, which counts when other programs run as well.
    processor_ratio: Option<f64>,
    batch: f64,
    batch_fill: f64,
    longest_stall_ms: f64,
    network_share: f64,
    tree_share: f64,
    encoding_share: f64,
    waiting_share: f64,
    other_share: f64,
    tree_us: f64,
    encoding_us: f64,
    network_us: f64,
}

impl Report {
    /// The figures of `workers` threads; the rest is left empty.
    fn new(played: &Measured, alone: &Measured, workers: usize) -> Self {
        let Measured { throughput, seconds, processor_seconds } = played;
        let evaluations = throughput.evaluations as f64;
        // Where workers compute themselves, the network alone does not have to encode.
        let encoding = alone.throughput.encoding.as_secs_f64();
        let local = throughput.waiting.is_zero();
        let network_seconds =
            if local { alone.seconds - encoding / workers as f64 } else { alone.seconds };
        let network_rate = alone.throughput.evaluations as f64 / network_seconds;
        let processor_ratio = local.then(|| {
            let network =
                alone.throughput.evaluations as f64 / (alone.processor_seconds - encoding);
            evaluations / processor_seconds / network
        });
        let all = seconds * workers as f64;
        let share = |time: Duration| time.as_secs_f64() / all;
        let [network_share, tree_share, encoding_share, waiting_share] = [
            if local { throughput.network } else { Duration::ZERO },
            throughput.tree,
            throughput.encoding,
            throughput.waiting,
        ]
        .map(share);
        let each = |time: Duration| time.as_secs_f64() * 1e6 / evaluations.max(1.0);
        Self {
            seconds: *seconds,
            positions_per_second: throughput.steps as f64 / seconds,
            evaluations_per_second: evaluations / seconds,
            network_evaluations_per_second: network_rate,
            ratio: evaluations / seconds / network_rate,
            cache_hits: throughput.cache_hits(),
            processor_ratio,
            batch: evaluations / (throughput.batches as f64).max(1.0),
            batch_fill: throughput.batch_fill(),
            longest_stall_ms: throughput.longest_stall.as_secs_f64() * 1e3,
            network_share,
            tree_share,
            encoding_share,
            waiting_share,
            other_share: 1.0 - network_share - tree_share - encoding_share - waiting_share,
            tree_us: each(throughput.tree),
            encoding_us: each(throughput.encoding),
            network_us: each(throughput.network),
            ..Self::default()
        }
    }

    fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let Self { game, network, mflop, precision, engine, threads, games_per_thread, .. } = self;
        let devices = match self.devices {
            0 => String::new(),
            devices => format!(" on {devices} devices"),
        };
        writeln!(
            out,
            "{game}, network {network} ({mflop:.1} MFLOP) in {precision} by {engine}{devices}, \
             {threads} threads of {games_per_thread} games, {} simulations, {:.1} s each",
            self.simulations, self.seconds
        )?;
        writeln!(
            out,
            "self-play      {:9.0} evaluations/s  {:9.0} positions/s",
            self.evaluations_per_second, self.positions_per_second
        )?;
        writeln!(out, "network alone  {:9.0} evaluations/s", self.network_evaluations_per_second)?;
        write!(out, "ratio          {:9.3}", self.ratio)?;
        match self.processor_ratio {
            Some(ratio) => writeln!(out, " on the clock, {ratio:.3} by processor time")?,
            None => writeln!(out)?,
        }
        writeln!(
            out,
            "batches        {:9.1} states, {:.1}% full, longest stall {:.1} ms; {:.1}% remembered",
            self.batch,
            self.batch_fill * 100.0,
            self.longest_stall_ms,
            self.cache_hits * 100.0
        )?;
        writeln!(out, "threads' time       share   us an evaluation")?;
        for (part, share, each) in [
            ("network", self.network_share, Some(self.network_us)),
            ("tree", self.tree_share, Some(self.tree_us)),
            ("encoding", self.encoding_share, Some(self.encoding_us)),
            ("waiting", self.waiting_share, None),
            ("other", self.other_share, None),
        ] {
            write!(out, "  {part:10}  {:10.1}%", share * 100.0)?;
            match each {
                Some(each) => writeln!(out, "  {each:10.2}")?,
                None => writeln!(out)?,
            }
        }
        Ok(())
    }
}
