//! The engine as other programs talk to it: transcripts, which are text files in `uci/` and
//! `xboard/`.
//!
//! A line `> TEXT` is sent to the engine once all answers above it have come; `< TEXT` is the next
//! answer, in which `*` stands for anything. Reports on a search that are not expected are passed
//! over: how many come depends on the clock. Everything else has to be there, and nothing more.
//! `> END` ends the input, as the end of the file does. `#` begins a comment.

use std::io::{self, BufRead, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use arena::{EngineOptions, NetLoader, serve_uci, serve_xboard};
use games::Game;
use search::{Answers, Evaluator, EvaluatorError, EvaluatorSource, Query, Uniform};

/// Longer than any answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// An input whose lines are sent from elsewhere.
struct Sent {
    lines: Receiver<Vec<u8>>,
    line: Vec<u8>,
    used: usize,
}

impl Read for Sent {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(into)?;
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for Sent {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.used == self.line.len() {
            (self.line, self.used) = (self.lines.recv().unwrap_or_default(), 0);
        }
        Ok(&self.line[self.used..])
    }

    fn consume(&mut self, length: usize) {
        self.used += length;
    }
}

/// An output whose lines are sent elsewhere.
struct Sending {
    lines: Sender<String>,
    line: Vec<u8>,
}

impl Write for Sending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8(std::mem::take(&mut self.line)).unwrap();
                self.lines.send(line).map_err(io::Error::other)?;
            } else {
                self.line.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        assert_eq!(self.line, b"", "only whole lines are flushed");
        Ok(())
    }
}

/// A network that fails at its first question.
struct Failing;

impl Evaluator for Failing {
    fn evaluate(&mut self, _: &[Query<'_>], _: &mut Answers) -> Result<(), EvaluatorError> {
        Err(EvaluatorError("out of memory".to_owned()))
    }
}

impl EvaluatorSource for Failing {
    fn evaluator(&self) -> Result<Box<dyn Evaluator>, EvaluatorError> {
        Ok(Box::new(Self))
    }
}

fn load(game: &'static Game, path: &Path) -> Result<Arc<dyn EvaluatorSource>, String> {
    match path.to_str() {
        Some("uniform") => Ok(Arc::new(Uniform)),
        Some("failing") => Ok(Arc::new(Failing)),
        _ => Err(format!("{} is no network for {}", path.display(), game.id)),
    }
}

/// A protocol.
#[derive(Clone, Copy)]
struct Protocol {
    serve: fn(Sent, &mut dyn Write, &dyn NetLoader, EngineOptions) -> io::Result<()>,
    /// Whether a line is a report on a search.
    is_report: fn(&str) -> bool,
}

const UCI: Protocol = Protocol {
    serve: |input, out, nets, options| serve_uci(input, out, nets, options),
    is_report: |line| line.starts_with("info depth "),
};

const XBOARD: Protocol = Protocol {
    serve: |input, out, nets, options| serve_xboard(input, out, nets, options),
    // Depth, score, time and nodes.
    is_report: |line| {
        let numbers = line.split(' ').take_while(|word| word.parse::<i64>().is_ok());
        numbers.count() >= 4
    },
};

/// Whether `text` is what `pattern` says.
fn matches(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(text) = text.strip_prefix(start) else { return false };
    (0..=text.len()).any(|at| text.is_char_boundary(at) && matches(rest, &text[at..]))
}

/// Plays a transcript.
fn play(protocol: Protocol, name: &str, transcript: &str) {
    let Protocol { serve, is_report } = protocol;
    let (to_engine, lines) = channel();
    let mut to_engine = Some(to_engine);
    let (answer, answers) = channel();
    let input = Sent { lines, line: Vec::new(), used: 0 };
    let engine = std::thread::spawn(move || {
        let mut out = Sending { lines: answer, line: Vec::new() };
        serve(input, &mut out, &load, EngineOptions::new(Game::by_id("chess").unwrap())).unwrap();
    });
    let next = || match answers.recv_timeout(PATIENCE) {
        Ok(line) => line,
        Err(error) => format!("no answer: {error}"),
    };
    for (number, line) in transcript.lines().enumerate() {
        let at = || format!("{name}:{}", number + 1);
        if line == "> END" {
            to_engine = None;
        } else if let Some(text) = line.strip_prefix("> ") {
            let to_engine = to_engine.as_ref().expect("nothing is sent behind the end");
            to_engine.send(format!("{text}\n").into_bytes()).unwrap();
        } else if let Some(expected) = line.strip_prefix("< ") {
            let (mut answer, mut passed_over) = (next(), Vec::new());
            while is_report(&answer) && !matches(expected, &answer) {
                passed_over.push(std::mem::replace(&mut answer, next()));
            }
            assert!(matches(expected, &answer), "{}: {answer}, behind {passed_over:#?}", at());
        } else {
            assert!(line.is_empty() || line.starts_with('#'), "{}: {line}", at());
        }
    }
    drop(to_engine);
    let more: Vec<String> = answers.iter().filter(|answer| !is_report(answer)).collect();
    assert_eq!(more, [""; 0], "{name}");
    engine.join().unwrap();
}

macro_rules! transcripts {
    ($protocol:ident $folder:literal: $($name:ident)*) => {
        $(#[test]
        fn $name() {
            let file = concat!($folder, "/", stringify!($name), ".txt");
            let transcript = include_str!(concat!($folder, "/", stringify!($name), ".txt"));
            super::play(super::$protocol, file, transcript);
        })*

        #[test]
        fn every_transcript_is_played() {
            let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
            let files = std::fs::read_dir(folder.join("tests").join($folder)).unwrap().count();
            assert_eq!([$(stringify!($name)),*].len(), files);
        }
    };
}

mod uci {
    transcripts! {
        UCI "uci":
        introduction options mate reports stopping pondering ends games notation questions mistakes
        failing
    }
}

mod xboard {
    transcripts! {
        XBOARD "xboard":
        introduction roles clocks stopping ends thinking analysis pondering taking_back variants
        highlights options mistakes failing
    }
}

#[test]
fn stars_stand_for_anything() {
    for (pattern, text) in [("a*", "abc"), ("a*", "a"), ("*c", "abc"), ("a*c*", "abcd"), ("", "")] {
        assert!(matches(pattern, text), "{pattern} {text}");
    }
    for (pattern, text) in [("a*", "b"), ("*c", "abcd"), ("ab", "abc"), ("a*b*c", "acb")] {
        assert!(!matches(pattern, text), "{pattern} {text}");
    }
}

/// The same talk gives the same answers, also with several threads, apart from the clock.
#[test]
fn searches_repeat() {
    let script = "setoption name Threads value 3\nsetoption name Net value NET\n\
                  position startpos moves e2e4\ngo nodes 100\n";
    let answers = |net: &str| {
        let input = io::Cursor::new(script.replace("NET", net).into_bytes());
        let mut out = Vec::new();
        serve_uci(input, &mut out, &load, EngineOptions::new(Game::by_id("chess").unwrap()))
            .unwrap();
        let text = String::from_utf8(out).unwrap();
        let without_clock = |line: &str| {
            let (found, clock) = line.split_once(" nps ").unwrap_or((line, ""));
            format!("{found} {}", clock.split_once(" pv ").unwrap_or_default().1)
        };
        // Reports in between depend on the clock.
        let last: Vec<String> = text.lines().rev().take(2).map(without_clock).collect();
        assert!(last[0].starts_with("bestmove ") && last[1].contains(" nodes 100 "), "{text}");
        last
    };
    for net in ["uniform", "<empty>"] {
        assert_eq!(answers(net), answers(net), "{net}");
    }
}
