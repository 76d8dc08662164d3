//! [`Process`]: another program, spoken to in lines, that may do anything at any time.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::stderr::Stderr;

/// What is wrong with a program, in words that follow its name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Fault(pub(crate) String);

/// Longer lines are taken apart.
const MOST_OF_A_LINE: u64 = 1 << 16;

/// Lines of the program that wait to be read; it has to wait when there are more.
const WAITING_LINES: usize = 256;

/// Lines for the program that it has not read; more than a game has moves.
const UNREAD_LINES: usize = 4096;

/// How long a program may take to end when it is told to.
const FAREWELL: Duration = Duration::from_secs(1);

/// How long the last words of a program that has ended are waited for.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// A running program. Threads read and write its pipes, so that whatever it does or leaves undone,
/// nobody waits for it longer than he wants to. It has a process group of its own: an interrupt from
/// the keyboard does not reach it, and its children end with it.
pub(crate) struct Process {
    child: Child,
    input: SyncSender<String>,
    output: Receiver<String>,
    errors: JoinHandle<()>,
    /// What it has said last, since it was last asked.
    said: Option<String>,
    last_error: Arc<Mutex<Option<String>>>,
    /// Whether it is not worth a farewell.
    lost: bool,
}

impl Process {
    /// Starts the program `command[0]` with the arguments behind it.
    pub(crate) fn start(command: &[String], stderr: &Arc<Stderr>) -> Result<Self, Fault> {
        let mut child = Command::new(&command[0])
            .args(&command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|error| Fault(format!("cannot be started: {error}")))?;
        let mut stdin = child.stdin.take().expect("piped");
        let stdout = child.stdout.take().expect("piped");
        let errors = child.stderr.take().expect("piped");
        let (input, lines) = mpsc::sync_channel::<String>(UNREAD_LINES);
        std::thread::spawn(move || {
            for line in lines {
                if stdin.write_all(format!("{line}\n").as_bytes()).is_err() {
                    break;
                }
            }
        });
        let (sender, output) = mpsc::sync_channel(WAITING_LINES);
        std::thread::spawn(move || for_each_line(stdout, |line| sender.send(line).is_ok()));
        let last_error = Arc::new(Mutex::new(None));
        let (stderr, last) = (stderr.clone(), last_error.clone());
        let errors = std::thread::spawn(move || {
            for_each_line(errors, |line| {
                stderr.write(&line);
                *last.lock().unwrap_or_else(PoisonError::into_inner) = Some(line);
                true
            });
        });
        Ok(Self { child, input, output, errors, said: None, last_error, lost: false })
    }

    /// Says `line`, which asks for nothing.
    pub(crate) fn tell(&mut self, line: &str) -> Result<(), Fault> {
        // A program that has ended is found out by what it does not answer.
        match self.input.try_send(line.to_owned()) {
            Err(mpsc::TrySendError::Full(_)) => {
                self.lost = true;
                Err(Fault(format!("does not read what it is told{}", self.last_words())))
            }
            _ => Ok(()),
        }
    }

    /// Says `line` and reads until `answer` finds what it looks for in a line.
    pub(crate) fn ask<T>(
        &mut self,
        line: &str,
        patience: Duration,
        mut answer: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Fault> {
        self.said = None;
        self.tell(line)?;
        let deadline = Instant::now() + patience;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let silent = if left.is_zero() {
                Err(RecvTimeoutError::Timeout)
            } else {
                self.output.recv_timeout(left)
            };
            match silent {
                Ok(said) => {
                    if let Some(found) = answer(&said) {
                        return Ok(found);
                    }
                    if !said.is_empty() {
                        self.said = Some(said);
                    }
                }
                Err(silence) => return Err(self.gives_no_answer(line, patience, silence)),
            }
        }
    }

    fn gives_no_answer(
        &mut self,
        asked: &str,
        patience: Duration,
        silence: RecvTimeoutError,
    ) -> Fault {
        self.lost = true;
        let what = match silence {
            RecvTimeoutError::Timeout => {
                format!("did not answer `{asked}` within {} s", patience.as_secs_f64())
            }
            RecvTimeoutError::Disconnected => match self.status() {
                Some(status) => format!("ended ({status}) instead of answering `{asked}`"),
                None => format!("closed its output instead of answering `{asked}`"),
            },
        };
        Fault(what + &self.last_words())
    }

    /// How it ended, if it did.
    fn status(&mut self) -> Option<ExitStatus> {
        let found = wait_for(LAST_WORDS, || match self.child.try_wait() {
            Ok(None) => None,
            Ok(Some(status)) => Some(Some(status)),
            Err(_) => Some(None),
        });
        found.flatten()
    }

    /// What it has said last, on both its ways to say something, as the end of a sentence.
    fn last_words(&self) -> String {
        wait_for(LAST_WORDS, || self.errors.is_finished().then_some(()));
        let error = self.last_error.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match (self.said.as_deref().map(shortened), error.as_deref().map(shortened)) {
            (None, None) => String::new(),
            (Some(said), None) => format!("; it last said `{said}`"),
            (None, Some(error)) => format!("; its last error was `{error}`"),
            (Some(said), Some(error)) => {
                format!("; it last said `{said}`, and its last error was `{error}`")
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.lost && self.tell("quit").is_ok() {
            let deadline = Instant::now() + FAREWELL;
            // Its output is closed when it ends. What it says until then is of no interest.
            while let left = deadline.saturating_duration_since(Instant::now())
                && !left.is_zero()
                && self.output.recv_timeout(left).is_ok()
            {}
        }
        // If it has been waited for, its number may be that of another process by now.
        if matches!(self.child.try_wait(), Ok(None)) {
            // It may end just now; then there is nothing left to do.
            let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
            let _ = self.child.wait();
        }
    }
}

/// Calls `take` with each line of `pipe` until there are no more, or until it says that it is enough.
fn for_each_line(pipe: impl Read, mut take: impl FnMut(String) -> bool) {
    let mut pipe = BufReader::new(pipe);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match pipe.by_ref().take(MOST_OF_A_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) if take(String::from_utf8_lossy(&bytes).trim_ascii().to_owned()) => {}
            Ok(_) => return,
        }
    }
}

/// What `find` finds within `patience`.
fn wait_for<T>(patience: Duration, mut find: impl FnMut() -> Option<T>) -> Option<T> {
    let deadline = Instant::now() + patience;
    loop {
        match find() {
            None if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(2)),
            found => return found,
        }
    }
}

/// The beginning of `text`, for a message.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 120;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
