//! Wrong usage in one line, instead of the paragraph clap has for it.

use std::error::Error as _;
use std::process::ExitCode;

use clap::CommandFactory as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::failure::{self, WRONG_INPUT};
use crate::{Cli, progress};

/// Prints what clap has to say instead of running a command, and returns the exit code.
pub(crate) fn explain(error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // Nobody has to be there to read it.
            let _ = error.print();
            ExitCode::SUCCESS
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            WRONG_INPUT.into()
        }
        _ => {
            progress::say(format_args!("raja: {}", sentence(error)));
            WRONG_INPUT.into()
        }
    }
}

fn sentence(error: &clap::Error) -> String {
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(ContextValue::String(found)) = error.get(ContextKind::InvalidSubcommand)
    {
        let cli = Cli::command();
        let names: Vec<&str> = cli.get_subcommands().map(clap::Command::get_name).collect();
        return format!("unknown command `{found}`: the commands are {}", names.join(", "));
    }
    // A game or player that does not exist says so itself.
    if error.kind() == ErrorKind::ValueValidation
        && let Some(source) = error.source()
        && source.is::<::games::UnknownGame>()
    {
        return source.to_string();
    }
    let text = error.to_string();
    let paragraph = text.split("\n\n").next().unwrap_or(&text);
    let problem = failure::one_line(paragraph.trim_start_matches("error: "));
    match text.lines().find_map(|line| line.strip_prefix("Usage: ")) {
        Some(usage) => format!("{problem} (usage: {usage})"),
        None => problem,
    }
}
