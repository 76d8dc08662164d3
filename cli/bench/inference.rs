//! `raja bench inference`: how fast the network is alone.

use std::io::Write;
use std::str::FromStr;

use anyhow::Context as _;
use games::{Game, History, State, Step};
use model::device::DeviceChoice;
use model::{InputShape, MatrixProduct, Network, NetworkSettings, PlainEvaluator, Precision};
use model::{TorchSource, device};
use search::{Answers, Evaluator, Query};
use serde::Serialize;

use super::clock::Clock;
use crate::failure::Verdict;
use crate::input;

/// Positions a second of an untrained network on one thread, encoding and answers included
///
/// Beside it what libtorch makes of large matrix products, and the same network the plain way: fp32,
/// nothing folded, one plane of cells behind the other, in batches of 64. Everything is measured in turns
/// and in the quickest call; on the processor in seconds that the thread has run.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The id of the game, as `raja games` lists it
    #[arg(value_parser = Game::by_id, default_value = "cheskers")]
    game: &'static Game,
    /// Blocks and channels of the network
    #[arg(long, value_name = "BxC", default_value = "6x96")]
    net: Size,
    /// The sizes of batches, separated by commas
    #[arg(
        long,
        value_name = "N,...",
        value_delimiter = ',',
        default_values_t = [1, 8, 32, 64, 128, 256],
        value_parser = clap::value_parser!(u32).range(1..=1 << 16)
    )]
    batches: Vec<u32>,
    /// Where the network runs: auto, cpu, cuda or cuda:N
    #[arg(long, default_value_t)]
    device: DeviceChoice,
    /// For how long each figure is taken, in seconds
    #[arg(long, value_name = "S", default_value = "1", value_parser = seconds)]
    seconds: f64,
    /// Print a JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// Blocks and channels of a network.
#[derive(Debug, Clone, Copy)]
struct Size {
    blocks: usize,
    channels: usize,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = |(blocks, channels): (&str, &str)| {
            Some(Self { blocks: blocks.parse().ok()?, channels: channels.parse().ok()? })
        };
        text.split_once('x')
            .and_then(read)
            .ok_or_else(|| "expected blocks and channels, such as 6x96".to_owned())
    }
}

/// A time that can be waited for.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number from 0 to 3600".to_owned()),
    }
}

/// The batches of the plain way.
const PLAIN_BATCH: usize = 64;
/// Rows of the matrices on a processor: where one or the other is quickest. A GPU takes larger ones.
const ROWS: [u32; 2] = [512, 1024];
const ROWS_ON_GPU: [u32; 2] = [4096, 8192];
/// How often each figure has its turn.
const TURNS: u32 = 4;

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    model::single_threaded();
    let report = measure(args)?;
    if args.json {
        input::write_json(&report, out)?;
    } else {
        report.write(out)?;
    }
    Ok(Verdict::Done)
}

fn measure(args: &Args) -> anyhow::Result<Report> {
    let (device, _) = args.device.resolve()?;
    let on_gpu = device.is_cuda();
    let Size { blocks, channels } = args.net;
    let settings = NetworkSettings { blocks, channels, ..NetworkSettings::default() };
    let network = || Network::new(&settings, args.game, device, 1);
    let flops = settings.flops(InputShape::of(args.game)) as f64;
    let batches: Vec<usize> = args.batches.iter().map(|&batch| batch as usize).collect();
    let most = batches.iter().copied().fold(PLAIN_BATCH, usize::max);
    let moments = moments(args.game, most);
    let queries: Vec<Query<'_>> =
        moments.iter().map(|(state, steps)| Query { state, steps }).collect();

    let chosen = TorchSource::new(&network()?, device, Precision::best_for(device));
    let mut precisions = vec![Precision::Fp32];
    // Elsewhere it is emulated, and takes minutes.
    if on_gpu || device::bf16_fast() {
        precisions.push(Precision::Bf16);
    }
    let mut sources = Vec::new();
    for &precision in &precisions {
        sources.push(TorchSource::with_libtorch(&network()?, device, precision));
    }
    if chosen.engine() != sources[0].engine() {
        sources.push(TorchSource::new(&network()?, device, chosen.precision()));
    }

    // Each figure is a closure that does `work` in a call.
    let mut figures: Vec<Figure<'_>> = Vec::new();
    for &precision in &precisions {
        for rows in if on_gpu { ROWS_ON_GPU } else { ROWS } {
            let product = MatrixProduct::new(device, precision, rows)?;
            let work = product.flops() as f64;
            figures.push(Figure::new(work, move || Ok(product.compute()?)));
        }
    }
    let plain = PlainEvaluator::new(network()?);
    figures.push(Figure::of_evaluator(plain, &queries[..PLAIN_BATCH]));
    for source in &sources {
        for &batch in &batches {
            figures.push(Figure::of_evaluator(source.torch_evaluator(), &queries[..batch]));
        }
    }
    for _ in 0..TURNS {
        for figure in &mut figures {
            figure.measure(args.seconds / f64::from(TURNS), on_gpu)?;
        }
    }

    let mut rates = figures.iter().map(Figure::rate);
    let mut products = Vec::new();
    for &precision in &precisions {
        let rate = rates.by_ref().take(ROWS.len()).fold(0.0, f64::max);
        products.push(Products { precision, gflops: rate / 1e9 });
    }
    let plain = rates.next().context("the plain way has a figure")?;
    let engines = sources.iter().map(|source| {
        let rates: Vec<Rate> = batches
            .iter()
            .zip(rates.by_ref())
            .map(|(&batch, rate)| Rate { batch, positions_per_second: rate })
            .collect();
        let best = rates.iter().map(|rate| rate.positions_per_second).fold(0.0, f64::max);
        let products = products.iter().find(|products| products.precision == source.precision());
        let gflops = best * flops / 1e9;
        EngineReport {
            engine: source.engine(),
            precision: source.precision(),
            chosen: (source.engine(), source.precision()) == (chosen.engine(), chosen.precision()),
            rates,
            gflops,
            of_products: products.map_or(f64::NAN, |products| gflops / products.gflops),
            over_plain: best / plain,
        }
    });
    Ok(Report {
        game: args.game.id,
        blocks,
        channels,
        flops_per_position: flops,
        device: args.device_name(on_gpu)?,
        engines: engines.collect(),
        products,
        plain_positions_per_second: plain,
    })
}

impl Args {
    /// What computes.
    fn device_name(&self, on_gpu: bool) -> anyhow::Result<String> {
        if on_gpu {
            return Ok(self.device.to_string());
        }
        Ok(device::cpu_name().unwrap_or_else(|| "processor".to_owned()))
    }
}

/// Something that is done over and over again.
struct Figure<'a> {
    /// What a call gets done.
    work: f64,
    call: Box<dyn FnMut() -> anyhow::Result<()> + 'a>,
    /// Seconds of the quickest call.
    best: f64,
    warm: bool,
}

impl<'a> Figure<'a> {
    fn new(work: f64, call: impl FnMut() -> anyhow::Result<()> + 'a) -> Self {
        Self { work, call: Box::new(call), best: f64::INFINITY, warm: false }
    }

    fn of_evaluator(mut evaluator: impl Evaluator + 'a, queries: &'a [Query<'a>]) -> Self {
        let mut answers = Answers::default();
        Self::new(queries.len() as f64, move || Ok(evaluator.evaluate(queries, &mut answers)?))
    }

    /// Works for so many seconds, one call at least.
    fn measure(&mut self, seconds: f64, on_gpu: bool) -> anyhow::Result<()> {
        if !self.warm {
            // libtorch chooses its kernels and takes memory.
            (self.call)()?;
            self.warm = true;
        }
        let start = Clock::start();
        loop {
            let clock = Clock::start();
            (self.call)()?;
            // A thread that waits for a GPU does not run.
            self.best = self.best.min(if on_gpu { clock.wall() } else { clock.busy() });
            if start.wall() >= seconds {
                return Ok(());
            }
        }
    }

    /// What it gets done in a second.
    fn rate(&self) -> f64 {
        self.work / self.best
    }
}

/// So many states of games with their legal steps. The network takes as long for one as for another; the
/// steps are chosen so that games differ and end.
fn moments(game: &'static Game, count: usize) -> Vec<(History, Vec<Step>)> {
    let mut moments = Vec::with_capacity(count);
    let mut history = History::new(game.start());
    while moments.len() < count {
        let mut steps = Vec::new();
        if history.steps(&mut steps).is_some() {
            history = History::new(game.start());
            continue;
        }
        let chosen = steps[moments.len() * 7919 % steps.len()];
        moments.push((history.clone(), steps));
        history.play(chosen);
    }
    moments
}

#[derive(Debug, Serialize)]
struct Report {
    game: &'static str,
    blocks: usize,
    channels: usize,
    flops_per_position: f64,
    device: String,
    /// The rate of matrix products.
    products: Vec<Products>,
    plain_positions_per_second: f64,
    engines: Vec<EngineReport>,
}

#[derive(Debug, Serialize)]
struct Products {
    precision: Precision,
    gflops: f64,
}

#[derive(Debug, Serialize)]
struct EngineReport {
    engine: &'static str,
    precision: Precision,
    /// Whether it is what raja plays with.
    chosen: bool,
    rates: Vec<Rate>,
    /// In the best of the batches, like what follows.
    gflops: f64,
    /// The fraction of the rate of matrix products in the same precision.
    of_products: f64,
    /// Times the positions of the plain way.
    over_plain: f64,
}

#[derive(Debug, Serialize)]
struct Rate {
    batch: usize,
    positions_per_second: f64,
}

impl Report {
    fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let Self { game, blocks, channels, device, .. } = self;
        let mflop = self.flops_per_position / 1e6;
        writeln!(
            out,
            "{game} {blocks}x{channels}: {mflop:.1} MFLOP a position; {device}, one thread"
        )?;
        for Products { precision, gflops } in &self.products {
            writeln!(out, "matrix products in {}: {gflops:.0} GFLOP/s", word(*precision))?;
        }
        let plain = self.plain_positions_per_second;
        writeln!(out, "plain fp32, batch {PLAIN_BATCH}: {plain:.0} positions/s")?;
        write!(out, "\n{:<18}", "positions/s, batch")?;
        for rate in self.engines.first().map_or(&[][..], |engine| &engine.rates) {
            write!(out, "{:>8}", rate.batch)?;
        }
        writeln!(out, "   GFLOP/s  of products  x plain")?;
        for engine in &self.engines {
            write!(out, "{:<18}", format!("{} {}", word(engine.precision), engine.engine))?;
            for rate in &engine.rates {
                write!(out, "{:>8.0}", rate.positions_per_second)?;
            }
            let EngineReport { gflops, of_products, over_plain, .. } = engine;
            write!(out, "{gflops:>10.0}{:>12.0}%{over_plain:>9.2}", of_products * 100.0)?;
            writeln!(out, "{}", if engine.chosen { "  <- plays" } else { "" })?;
        }
        Ok(())
    }
}

fn word(precision: Precision) -> &'static str {
    match precision {
        Precision::Fp32 => "fp32",
        Precision::Bf16 => "bf16",
    }
}
