//! `raja check-vectors`: the rules against files of what they have to give.

use std::io::Write;
use std::path::PathBuf;

use games::Game;
use rayon::prelude::*;

use crate::failure::Verdict;
use crate::input;

/// Check the rules against files of vectors or traces, one JSON object a line
///
/// Prints what fails; the last line is `N passed, M failed`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The id of the game, as `raja games` lists it
    #[arg(value_parser = Game::by_id)]
    game: &'static Game,
    /// The files; `-` reads standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let (mut passed, mut failed) = (0, 0);
    for file in &args.files {
        let text = input::read_text(file)?;
        let lines: Vec<(usize, &str)> =
            (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty()).collect();
        anyhow::ensure!(!lines.is_empty(), "{}: there are no vectors in it", file.display());
        let checks: Vec<_> = lines
            .par_iter()
            .map(|&(number, line)| (number, games::check_line(args.game, line)))
            .collect();
        for (number, check) in checks {
            match check {
                Ok(()) => passed += 1,
                Err(error) => {
                    failed += 1;
                    writeln!(out, "{}:{number}: {error}", file.display())?;
                }
            }
        }
    }
    writeln!(out, "{passed} passed, {failed} failed")?;
    Ok(Verdict::of(failed == 0))
}
