//! Running the built program.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Output, Stdio};

/// How a run of the program ended.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The exit code.
    pub(crate) code: Option<i32>,
    /// All of stdout.
    pub(crate) out: String,
    /// All of stderr.
    pub(crate) err: String,
}

impl Ran {
    /// The results of a run that has to end well.
    #[track_caller]
    pub(crate) fn done(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.out
    }

    /// Checks that the program refused in one sentence, `message`, without panic or backtrace.
    #[track_caller]
    pub(crate) fn refused(&self, code: i32, message: &str) {
        assert_eq!(self.err, format!("raja: {message}\n"));
        assert_eq!((self.code, self.out.as_str()), (Some(code), ""));
    }
}

/// The ids of all games, as a list in a sentence.
pub(crate) fn all_games() -> String {
    let ids: Vec<&str> = games::Game::all().iter().map(|game| game.id).collect();
    format!("{} and mgc1-no-LETTERS", ids.join(", "))
}

/// The program, to be run in the root of the repository.
pub(crate) fn program(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raja"));
    command.args(args).current_dir(env!("CARGO_MANIFEST_DIR")).env("RUST_BACKTRACE", "1");
    command
}

/// Starts the program in `folder`.
pub(crate) fn begun(folder: &Path, args: &[&str]) -> Child {
    program(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program was built")
}

/// Waits for `child`.
pub(crate) fn ended(child: Child) -> Ran {
    let Output { status, stdout, stderr } = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
    Ran { code: status.code(), out: text(stdout), err: text(stderr) }
}

/// Runs the program in `folder`.
pub(crate) fn within(folder: &Path, args: &[&str]) -> Ran {
    ended(begun(folder, args))
}

/// Runs the program with nothing on standard input.
pub(crate) fn raja(args: &[&str]) -> Ran {
    fed(args, "")
}

/// Runs the program with `input` on standard input.
pub(crate) fn fed(args: &[&str], input: &(impl AsRef<[u8]> + ?Sized)) -> Ran {
    let mut child = program(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program was built");
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.as_ref().to_owned();
    // The program may end without having read all of it.
    let feeder = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let ran = ended(child);
    feeder.join().expect("the feeder does not panic");
    ran
}

/// The program as an engine, what it reads, and the lines that it writes.
pub(crate) fn talking(args: &[&str]) -> (Child, ChildStdin, impl Iterator<Item = String> + use<>) {
    let mut child = program(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program was built");
    let to_engine = child.stdin.take().expect("piped");
    let lines = BufReader::new(child.stdout.take().expect("piped")).lines().map(Result::unwrap);
    (child, to_engine, lines)
}
