//! Wrong usage in one line, instead of the paragraph clap has for it.

use std::error::Error as _;
use std::process::ExitCode;

use ::games::UnknownGame;
use arena::PlayerSpecError;
use clap::CommandFactory as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::failure::{self, WRONG_INPUT};
use crate::play::UnknownSitter;
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
    let text = error.to_string();
    let usage = text.lines().find_map(|line| line.strip_prefix("Usage: "));
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(ContextValue::String(found)) = error.get(ContextKind::InvalidSubcommand)
    {
        let cli = Cli::command();
        let parent = command_in(&cli, usage.unwrap_or_default());
        let names: Vec<&str> = parent.get_subcommands().map(clap::Command::get_name).collect();
        return format!("unknown command `{found}`: the commands are {}", names.join(", "));
    }
    // These name what they are about themselves.
    if error.kind() == ErrorKind::ValueValidation
        && let Some(source) = error.source()
        && (source.is::<UnknownGame>()
            || source.is::<PlayerSpecError>()
            || source.is::<UnknownSitter>())
    {
        return source.to_string();
    }
    let paragraph = text.split("\n\n").next().unwrap_or(&text);
    let problem = failure::one_line(paragraph.trim_start_matches("error: "));
    match usage {
        Some(usage) => format!("{problem} (usage: {usage})"),
        None => problem,
    }
}

/// The command that a line of usage such as `raja net <COMMAND>` is about.
fn command_in<'c>(cli: &'c clap::Command, usage: &str) -> &'c clap::Command {
    usage
        .split_ascii_whitespace()
        .skip(1)
        .map_while({
            let mut command = cli;
            move |word| {
                command = command.find_subcommand(word)?;
                Some(command)
            }
        })
        .last()
        .unwrap_or(cli)
}
