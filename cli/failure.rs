//! How a command that could not do its work tells so: one sentence, and whose fault it is.

use std::error::Error;
use std::io;

use arena::{
    AnalysisError, BookError, JournalError, LockError, MatchError, RoundError, SoloError,
    StandingsError,
};
use model::device::DeviceError;
use search::EvaluatorError;
use selfplay::{SelfPlayError, ShardError};
use train::{RunError, RunFolderError};

/// What a command that ran to its end has to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The work is done.
    Done,
    /// The work is done, and a check or a condition was not met.
    NotMet,
}

impl Verdict {
    /// `Done` if `met`.
    pub(crate) fn of(met: bool) -> Self {
        if met { Self::Done } else { Self::NotMet }
    }

    /// The exit code of the program.
    pub(crate) fn exit_code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::NotMet => 1,
        }
    }
}

/// The exit code for wrong usage or wrong input.
pub(crate) const WRONG_INPUT: u8 = 2;
/// The exit code when the machine is at fault: a device, the disk, another process.
const ENVIRONMENT: u8 = 3;

/// The exit code for `error`: whatever is not known to be the fault of the machine is a fault of the
/// input.
pub(crate) fn exit_code(error: &anyhow::Error) -> u8 {
    if error.chain().any(is_environment) { ENVIRONMENT } else { WRONG_INPUT }
}

/// Whether the machine is at fault, as far as `error` alone tells: not its causes, but errors that
/// it stands for without naming them as causes.
fn is_environment(error: &(dyn Error + 'static)) -> bool {
    if let Some(error) = error.downcast_ref::<io::Error>() {
        is_environment_io(error)
    } else if let Some(error) = error.downcast_ref::<DeviceError>() {
        !matches!(error, DeviceError::Unknown(_))
    } else if let Some(error) = error.downcast_ref::<RunFolderError>() {
        matches!(error, RunFolderError::Held { .. })
    } else if let Some(error) = error.downcast_ref::<LockError>() {
        matches!(error, LockError::Held { .. })
    } else if let Some(ShardError::Io { error, .. }) = error.downcast_ref() {
        is_environment_io(error)
    } else if let Some(BookError::Io { error, .. }) = error.downcast_ref() {
        is_environment_io(error)
    } else if let Some(StandingsError::Io { error, .. }) = error.downcast_ref() {
        is_environment_io(error)
    } else if let Some(error) = error.downcast_ref::<SoloError>() {
        matches!(error, SoloError::Evaluator(_) | SoloError::Forfeited { .. })
    } else if let Some(error) = error.downcast_ref::<AnalysisError>() {
        matches!(error, AnalysisError::Evaluator(_))
    } else if let Some(error) = error.downcast_ref::<MatchError>() {
        match error {
            MatchError::Evaluator { .. } => true,
            MatchError::Journal(JournalError::Io { error, .. }) => is_environment_io(error),
            _ => false,
        }
    } else if let Some(error) = error.downcast_ref::<RoundError>() {
        match error {
            RoundError::Match(error) => is_environment(error),
            RoundError::Standings(error) => is_environment(error),
        }
    } else if let Some(error) = error.downcast_ref::<SelfPlayError>() {
        match error {
            SelfPlayError::Delivery(refusal) => is_environment(refusal.as_ref()),
            _ => true,
        }
    } else if let Some(error) = error.downcast_ref::<RunError>() {
        match error {
            RunError::Device(error) => is_environment(error),
            RunError::Folder(error) => is_environment(error),
            RunError::Shard(error) => is_environment(error),
            RunError::SelfPlay(error) => is_environment(error),
            RunError::Book(error) => is_environment(error),
            RunError::Match(error) => is_environment(error),
            RunError::Round(error) => is_environment(error),
            RunError::Standings(error) => is_environment(error),
            _ => false,
        }
    } else {
        error.is::<EvaluatorError>()
    }
}

/// Whether the system failed where the user could not know better.
fn is_environment_io(error: &io::Error) -> bool {
    !matches!(
        error.kind(),
        io::ErrorKind::NotFound
            | io::ErrorKind::AlreadyExists
            | io::ErrorKind::IsADirectory
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::InvalidFilename
            | io::ErrorKind::InvalidInput
            | io::ErrorKind::InvalidData
            | io::ErrorKind::UnexpectedEof
    )
}

/// Whether `error` only says that nobody reads our results any more, as in `raja moves chess | head -1`.
///
/// A bare [`io::Error`] comes from writing results and from nowhere else: all others have a context.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    written(error).is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// `error` in one line.
pub(crate) fn sentence(error: &anyhow::Error) -> String {
    let mut sentence = match written(error) {
        Some(_) => "cannot write the results".to_owned(),
        None => String::new(),
    };
    for cause in error.chain() {
        let text = cause.to_string();
        // Some errors say all that their causes say, some leave it to them.
        if !sentence.contains(&text) {
            if !sentence.is_empty() {
                sentence.push_str(": ");
            }
            sentence.push_str(&text);
        }
    }
    one_line(&sentence)
}

/// `text` with its line breaks turned into spaces.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn written(error: &anyhow::Error) -> Option<&io::Error> {
    // Not `error.downcast_ref`, which looks behind contexts.
    error.chain().next()?.downcast_ref()
}
