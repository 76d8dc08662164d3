//! `raja records`: recorded games as text, and their statistics.

use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use games::Game;
use selfplay::{Facts, GameRecord, RecordStats, Shard};
use serde::Serialize;

use crate::failure::Verdict;
use crate::{input, progress};

/// What is said if there is nothing to learn facts from.
const NO_RESULT: &str = "no game with a result in these files";

/// Read recorded games
#[derive(Debug, clap::Args)]
#[command(subcommand_value_name = "cat|stats")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Print the games in the manner of PGN
    Cat {
        /// Files of records, or folders of such files, or of runs
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Take only the last games of the files, so many; a folder's files are in order
        #[arg(long, value_name = "GAMES", value_parser = clap::value_parser!(u32).range(1..))]
        last: Option<u32>,
    },
    /// Count results, lengths, kinds of steps
    Stats {
        /// Files of records, or folders of such files, or of runs
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Print what the games tell of the game they are of instead, as Markdown: first-move score,
        /// draws, length, branching, how games end, and piece values fitted to the results
        #[arg(long)]
        facts: bool,
        /// Take only the last games of the files, so many; a folder's files are in order
        #[arg(long, value_name = "GAMES", value_parser = clap::value_parser!(u32).range(1..))]
        last: Option<u32>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    match &args.action {
        Action::Cat { files, last } => cat(files, *last, out),
        Action::Stats { files, facts: true, last, json } => facts(files, *last, *json, out),
        Action::Stats { files, facts: false, last, json } => stats(files, *last, *json, out),
    }
}

fn cat(files: &[PathBuf], last: Option<u32>, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let mut first = true;
    let mut write = |text: &str| -> std::io::Result<()> {
        let gap = if std::mem::take(&mut first) { "" } else { "\n" };
        write!(out, "{gap}{text}")
    };
    // The last shard comes first then, and is to be written last.
    let mut held_back = Vec::new();
    let verdict = for_each_shard(files, last, game_of, |shard| {
        let texts = shard.games.iter().map(GameRecord::to_text);
        if last.is_some() {
            held_back.push(texts.collect::<Result<Vec<_>, _>>()?);
            return Ok(());
        }
        for text in texts {
            write(&text?)?;
        }
        Ok(())
    })?;
    held_back.iter().rev().flatten().try_for_each(|text| write(text))?;
    Ok(verdict)
}

fn stats(
    files: &[PathBuf],
    last: Option<u32>,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<Verdict> {
    let mut stats = RecordStats::default();
    let verdict = for_each_shard(files, last, game_of, |shard| {
        stats.add_shard(shard);
        Ok(())
    })?;
    tell(&stats, json, out)?;
    Ok(verdict)
}

fn facts(
    files: &[PathBuf],
    last: Option<u32>,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<Verdict> {
    let first = shards(files)?.into_iter().next().context(NO_RESULT)?;
    let game = game_of(&first)?;
    let mut facts = Facts::new(game);
    let verdict = for_each_shard(
        files,
        last,
        |_| Ok(game),
        |shard| shard.games.iter().try_for_each(|record| facts.add(record)).map_err(Into::into),
    )?;
    tell(&facts.finish().context(NO_RESULT)?, json, out)?;
    Ok(verdict)
}

/// Writes `findings` for people or for programs.
fn tell(
    findings: &(impl Display + Serialize),
    json: bool,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    if json { input::write_json(findings, out) } else { writeln!(out, "{findings}") }
}

/// Shows `visit` the shards, of the game that `game` says; if only the `last` games are wanted, the
/// last shard first, so that no others need be read. Parts that are spoilt are told, and that is a
/// check not met.
fn for_each_shard(
    files: &[PathBuf],
    last: Option<u32>,
    game: impl Fn(&Path) -> anyhow::Result<&'static Game>,
    mut visit: impl FnMut(&Shard) -> anyhow::Result<()>,
) -> anyhow::Result<Verdict> {
    let mut sound = true;
    let mut paths = shards(files)?;
    if last.is_some() {
        paths.reverse();
    }
    let mut wanted = last.map_or(usize::MAX, |last| last as usize);
    for path in paths {
        if wanted == 0 {
            break;
        }
        let mut shard = selfplay::read_shard(&path, game(&path)?)?;
        for bad in &shard.bad {
            sound = false;
            progress::say(bad);
        }
        shard.games.drain(..shard.games.len().saturating_sub(wanted));
        wanted -= shard.games.len();
        visit(&shard)?;
    }
    Ok(Verdict::of(sound))
}

/// The game that a shard says it is of.
fn game_of(path: &Path) -> anyhow::Result<&'static Game> {
    Ok(Game::by_id(&selfplay::shard_game(path)?)?)
}

/// The files themselves, and those in the folders among them: in a run's, those of its games.
fn shards(files: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for file in files {
        if !file.is_dir() {
            paths.push(Path::to_owned(file));
            continue;
        }
        let mut found = selfplay::list_shards(file)?;
        let games = file.join("games");
        if found.is_empty() && games.is_dir() {
            found = selfplay::list_shards(&games)?;
        }
        if found.is_empty() {
            bail!("{}: there are no records in this folder", file.display());
        }
        paths.extend(found.into_iter().map(|(_, path)| path));
    }
    Ok(paths)
}
