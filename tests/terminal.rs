//! The program on a terminal, which `script` of util-linux makes.

use std::io::{BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::rivals;

/// How long the program may take to show something.
const PATIENCE: Duration = Duration::from_secs(120);

/// The program on a terminal.
struct Terminal {
    child: Child,
    keys: ChildStdin,
    output: Receiver<u8>,
    /// All that has been shown.
    shown: String,
}

impl Terminal {
    /// Runs the program on a terminal of so many rows and columns, if there is `script`.
    fn running(args: &str, term: &str, [rows, columns]: [u16; 2]) -> Option<Self> {
        let Some(script) = rivals::installed("script") else {
            println!("script is not installed (apt install bsdutils): skipped");
            return None;
        };
        let raja = env!("CARGO_BIN_EXE_raja");
        let command = format!("stty rows {rows} cols {columns}; exec '{raja}' {args}");
        let mut child = Command::new(script)
            .args(["--quiet", "--return", "--command", &command, "/dev/null"])
            .env("TERM", term)
            .env("SHELL", "/bin/sh")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let keys = child.stdin.take().unwrap();
        let stdout = child.stdout.take().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            BufReader::new(stdout)
                .bytes()
                .map_while(Result::ok)
                .try_for_each(|byte| sender.send(byte))
        });
        Some(Self { child, keys, output, shown: String::new() })
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits until `text` is shown, and returns all up to there that has not been returned.
    #[track_caller]
    fn until(&mut self, text: &str) -> String {
        let begun = Instant::now();
        while !self.shown.contains(text) {
            let left = PATIENCE.saturating_sub(begun.elapsed());
            let byte = self.output.recv_timeout(left);
            self.shown.push(byte.unwrap_or_else(|_| panic!("{text:?}: {:?}", self.shown)).into());
        }
        std::mem::take(&mut self.shown)
    }

    /// Waits until the program ends: its exit code, and all that has not been returned.
    fn end(mut self) -> (Option<i32>, String) {
        let code = self.child.wait().unwrap().code();
        self.shown.extend(self.output.iter().map(char::from));
        (code, self.shown)
    }
}

#[test]
fn a_table_that_is_drawn_again_fits_the_terminal() {
    let args = "analyse cheskers --limit 1800ms";
    let Some(terminal) = Terminal::running(args, "xterm", [6, 40]) else { return };
    let (code, shown) = terminal.end();
    assert_eq!(code, Some(0), "{shown:?}");
    let tables: Vec<&str> = shown.split("\x1b[5F\x1b[J").collect();
    assert!(tables.len() > 1, "{shown:?}");
    let (last, live) = tables.split_last().unwrap();
    for table in live {
        let widths: Vec<usize> = table.lines().map(|line| line.trim_end().len()).collect();
        assert!(widths.len() == 5 && widths.iter().all(|&width| width <= 40), "{table:?}");
    }
    assert!(last.lines().count() == 10 && !last.contains('\x1b'), "{last:?}");

    let Some(terminal) = Terminal::running(args, "dumb", [6, 40]) else { return };
    let (code, shown) = terminal.end();
    assert!(code == Some(0) && !shown.contains('\x1b'), "{shown:?}");
    assert_eq!(shown.lines().count(), 10, "{shown:?}");
}

#[test]
fn breaking_off_ends_a_line_or_a_search_before_it_ends_the_game() {
    const BREAK: &str = "\x03";
    let Some(mut terminal) = Terminal::running("play cheskers", "xterm", [50, 100]) else { return };
    terminal.until("> ");
    terminal.press("e2e");
    terminal.until("e2e");
    terminal.press(BREAK);
    terminal.until("> ");
    terminal.press("hint 1000000\r");
    terminal.until("hint 1000000");
    // The search begins when the line has been taken.
    terminal.until("\n");
    std::thread::sleep(Duration::from_millis(1500));
    terminal.press(BREAK);
    let hint = terminal.until("> ");
    assert!(hint.contains(" visits, ") && !hint.contains("after 1000000 visits"), "{hint}");
    terminal.press("fen\r");
    terminal.until("/PPPPPPPP/RNBKQBNR w ");
    terminal.until("> ");
    terminal.press(BREAK);
    let (code, shown) = terminal.end();
    assert_eq!(code, Some(0), "{shown}");
}
