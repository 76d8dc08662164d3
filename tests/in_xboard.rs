//! Debian's `xboard`, on a screen that nobody sees, with our program on both sides of the board.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use games::{Dialect, Game};

use crate::rivals::installed;

/// The programs that it takes: a screen and XBoard.
pub(crate) struct Programs {
    screen: PathBuf,
    xboard: PathBuf,
}

impl Programs {
    /// Them, or none after saying that there is nothing to test without them.
    pub(crate) fn found_or_skip() -> Option<Self> {
        match (installed("Xvfb"), installed("xboard")) {
            (Some(screen), Some(xboard)) => Some(Self { screen, xboard }),
            _ => {
                println!("xboard is not installed (apt install xboard xvfb): skipped");
                None
            }
        }
    }

    /// A match of `games` games of `game` by XBoard's rules for matches: every game has to end by
    /// the rules of the game, no move may be refused, and nobody may complain.
    pub(crate) fn play(&self, game: &'static Game, games: usize) {
        let variant = Dialect::Cecp.variant(game);
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        let (texts, talk) = (path("games.pgn"), path("debug.log"));
        let screen = Screen::new(&self.screen);
        let engine = format!("{} xboard {}", env!("CARGO_BIN_EXE_raja"), game.id);
        let ran = Command::new(&self.xboard)
            .args([
                "-fcp",
                &engine,
                "-scp",
                &engine,
                "-variant",
                &variant,
                "-testLegality",
                "false",
            ])
            .args(["-mg", &games.to_string(), "-st", "1", "-firstNPS", "30", "-secondNPS", "30"])
            .args(["-sgf", &texts, "-debug", "-nameOfDebugFile", &talk, "-soundProgram", "true"])
            .args(["-popupExitMessage", "false", "-saveSettingsOnExit", "false"])
            .env("DISPLAY", &screen.name)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&ran.stderr);
        let score = said.lines().find_map(|line| line.split_once("final score ")).expect(&said).1;
        let counted: usize = score.split('-').map(|games| games.parse::<usize>().unwrap()).sum();
        assert_eq!(counted, games, "{said}");
        let texts = std::fs::read_to_string(texts).unwrap();
        let by_the_rules = texts.lines().filter(|line| {
            line.starts_with("{white (")
                || line.starts_with("{black (")
                || line.starts_with("{draw (")
        });
        assert_eq!(by_the_rules.count(), games, "{texts}");
        let talk = String::from_utf8_lossy(&std::fs::read(talk).unwrap()).into_owned();
        for complaint in ["Illegal move", "Error (", "tellusererror"] {
            let said = talk.lines().find(|line| line.contains(complaint));
            assert_eq!(said, None, "{texts}");
        }
    }
}

/// A screen in memory.
struct Screen {
    server: Child,
    name: String,
}

impl Screen {
    fn new(program: &Path) -> Self {
        let mut server = Command::new(program)
            .args(["-displayfd", "1", "-screen", "0", "1280x1024x24"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        Self { server, name: format!(":{}", number.trim()) }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
