//! [`Process`]: another program, spoken to in lines, that may do anything at any time.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

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
    /// Whether it has been waited for: from then on its number may be that of another process.
    reaped: bool,
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
        let (said, lost, reaped) = (None, false, false);
        Ok(Self { child, input, output, errors, said, last_error, lost, reaped })
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
        // What came in time counts, however late it is read. That is no more than may wait, and the
        // line that has no room yet.
        let mut late = WAITING_LINES + 1;
        while late > 0 {
            late -= usize::from(Instant::now() >= deadline);
            let Some(said) = self.hear(line, deadline)? else { break };
            if let Some(found) = answer(&said) {
                return Ok(found);
            }
        }
        Err(self.has_not_answered(line, patience))
    }

    /// What it says next after it was asked so, if it says anything before `deadline`, or has said it
    /// already.
    pub(crate) fn hear(&mut self, asked: &str, deadline: Instant) -> Result<Option<String>, Fault> {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.output.recv_timeout(left) {
            Ok(said) => {
                if !said.is_empty() {
                    self.said = Some(said.clone());
                }
                Ok(Some(said))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.has_fallen_silent(asked)),
        }
    }

    /// The fault that it has not answered in time.
    pub(crate) fn has_not_answered(&mut self, asked: &str, patience: Duration) -> Fault {
        self.lost = true;
        let what = format!("did not answer `{asked}` within {} s", patience.as_secs_f64());
        Fault(what + &self.last_words())
    }

    /// The fault that it will never answer.
    fn has_fallen_silent(&mut self, asked: &str) -> Fault {
        self.lost = true;
        let what = match self.status() {
            Some(status) => format!("ended ({status}) instead of answering `{asked}`"),
            None => format!("closed its output instead of answering `{asked}`"),
        };
        Fault(what + &self.last_words())
    }

    /// How it ended, if it did; then its children have ended too.
    fn status(&mut self) -> Option<ExitStatus> {
        // It is only looked at: as long as nobody has waited for it, its group keeps its number.
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let pid = Pid::from_child(&self.child);
        wait_for(LAST_WORDS, || waitid(WaitId::Pid(pid), look).ok().flatten())?;
        self.end()
    }

    /// Ends it and its children, also those that have outlived it; how it ended.
    fn end(&mut self) -> Option<ExitStatus> {
        if !self.reaped {
            // If all have ended just now, there is nothing to do.
            let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
            self.reaped = true;
        }
        self.child.wait().ok()
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
        self.end();
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Longer than any answer takes on a busy machine.
    const LONG: Duration = Duration::from_secs(60);

    fn shell(script: &str) -> Process {
        let command = ["sh", "-c", script].map(str::to_owned);
        Process::start(&command, &Arc::default()).unwrap()
    }

    #[test]
    fn an_answer_that_has_come_counts_even_if_it_is_read_late() {
        let mut process = shell("echo noise; echo answer; read line");
        let is_answer = |line: &str| (line == "answer").then_some(());
        let read_late = || process.ask("go", Duration::ZERO, is_answer).ok();
        wait_for(LONG, read_late).unwrap();
        // What never ends does not count.
        let mut flood = shell("while echo more; do :; done");
        flood.ask("", LONG, |line| (line == "more").then_some(())).unwrap();
        assert!(flood.ask("go", Duration::ZERO, is_answer).is_err());
    }

    /// Whether the process with this number is there, and has not ended.
    fn lives(pid: &str) -> bool {
        let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        state.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
    }

    #[test]
    fn children_end_with_a_program_even_if_it_has_ended_before_them() {
        let said = |process: &mut Process| {
            process
                .ask("", LONG, |line| Some(line.to_owned()).filter(|pid| !pid.is_empty()))
                .unwrap()
        };
        // The child has the output of the program or none.
        for (script, ends) in [
            ("sleep 600 & echo $!", false),
            ("sleep 600 >/dev/null 2>&1 & echo $!", true),
            ("sleep 600 & echo $!; read line; read line", false),
        ] {
            let mut process = shell(script);
            let child = said(&mut process);
            assert!(lives(&child), "{script}");
            if ends {
                let fault = process.ask("go", LONG, |_| None::<()>).unwrap_err();
                assert_eq!(fault.0, "ended (exit status: 0) instead of answering `go`");
            }
            drop(process);
            assert!(wait_for(LONG, || (!lives(&child)).then_some(())).is_some(), "{script}");
        }
    }
}
