//! [`Engine`]: another program as a player, by UCI or by the protocol of XBoard.

mod cecp;
mod process;
mod stderr;
mod uci;

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use games::{Dialect, Game, Side};

pub(crate) use process::Fault;
use process::Process;
use stderr::Stderr;

use crate::Limit;

/// What an engine is spoken to in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EngineProtocol {
    /// UCI; games other than chess are chosen by the option `UCI_Variant`.
    Uci,
    /// The protocol of XBoard (CECP), version 2; games other than chess are chosen by `variant`.
    Xboard,
}

impl EngineProtocol {
    /// How it writes positions and moves.
    pub(crate) fn dialect(self) -> Dialect {
        match self {
            Self::Uci => Dialect::Uci,
            Self::Xboard => Dialect::Cecp,
        }
    }
}

impl std::fmt::Display for EngineProtocol {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Uci => "uci",
            Self::Xboard => "xboard",
        })
    }
}

/// How long an engine is waited for before its game is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Beyond the time that it has for a move.
    pub late: Duration,
    /// For a move that is not limited by time.
    pub search: Duration,
}

impl Default for Patience {
    /// Two seconds, since a machine may be busy; a minute.
    fn default() -> Self {
        Self { late: Duration::from_secs(2), search: Duration::from_secs(60) }
    }
}

/// How long a program may take to say who it is, and to get ready for a game: it may have to load a
/// network onto a GPU for either.
const READY: Duration = Duration::from_secs(30);

/// A player that is another program: how to start it, and its processes that play no game now.
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) protocol: EngineProtocol,
    pub(crate) game: &'static Game,
    command: Vec<String>,
    limit: Limit,
    stderr: Arc<Stderr>,
    idle: Mutex<Vec<Connection>>,
}

impl Engine {
    /// Starts `command`, a program and its arguments, and asks whether it plays `game`.
    ///
    /// `limit` is one of time, or with UCI one of nodes.
    pub(crate) fn start(
        protocol: EngineProtocol,
        command: Vec<String>,
        limit: Limit,
        game: &'static Game,
    ) -> Result<Self, Fault> {
        let (stderr, idle) = (Arc::default(), Mutex::default());
        let engine = Self { protocol, game, command, limit, stderr, idle };
        engine.give_back(engine.connect()?);
        Ok(engine)
    }

    /// Appends what its processes write to their standard error to the file `path`.
    pub(crate) fn keep_stderr(&self, path: &Path) {
        self.stderr.keep_in(path);
    }

    /// Has a process that plays no game, started if there is none.
    pub(crate) fn get_ready(&self) -> Result<(), Fault> {
        if self.lock().is_empty() {
            self.give_back(self.connect()?);
        }
        Ok(())
    }

    /// A process that has been told of a game that stands at `start`, the usual one if there is none.
    pub(crate) fn begin(&self, start: Option<&str>) -> Result<Connection, Fault> {
        loop {
            let idle = self.lock().pop();
            match idle {
                // One that has ended since its last game is no fault of this one.
                Some(mut old) => {
                    if old.begin(self, start).is_ok() {
                        return Ok(old);
                    }
                }
                None => {
                    let mut new = self.connect()?;
                    new.begin(self, start)?;
                    return Ok(new);
                }
            }
        }
    }

    /// Takes back a process that is in order; one that plays no other game is ended.
    pub(crate) fn give_back(&self, connection: Connection) {
        if connection.plays_on() {
            self.lock().push(connection);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn connect(&self) -> Result<Connection, Fault> {
        let mut process = Process::start(&self.command, &self.stderr)?;
        let talk = match self.protocol {
            EngineProtocol::Uci => {
                uci::greet(&mut process, self.game)?;
                Talk::Uci
            }
            EngineProtocol::Xboard => {
                let mut conversation = cecp::Conversation::default();
                conversation.greet(&mut process, self.game)?;
                Talk::Cecp(conversation)
            }
        };
        Ok(Connection { process, talk })
    }

    /// The time for a move, if it is limited by time.
    fn time(&self) -> Option<Duration> {
        self.limit.time()
    }
}

/// A process of an engine.
pub(crate) struct Connection {
    process: Process,
    talk: Talk,
}

enum Talk {
    Uci,
    Cecp(cecp::Conversation),
}

/// A game in the words of the protocol.
pub(crate) struct Situation<'a> {
    /// The position it started from; none for the usual one.
    pub(crate) start: Option<&'a str>,
    /// The moves since then.
    pub(crate) moves: &'a [String],
    /// Whose move it is.
    pub(crate) mover: Side,
}

/// What an engine does in its turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It plays what it writes so, legal or not.
    Move(String),
    Resigns,
}

/// An answer, and what the engine expects to score, from -1 to 1, if it has said so.
pub(crate) struct Said {
    pub(crate) answer: Answer,
    pub(crate) opinion: Option<f32>,
}

impl Connection {
    fn begin(&mut self, engine: &Engine, start: Option<&str>) -> Result<(), Fault> {
        match &mut self.talk {
            Talk::Uci => uci::begin(&mut self.process),
            Talk::Cecp(conversation) => conversation.begin(&mut self.process, engine, start),
        }
    }

    /// Whether it can be told of another game.
    fn plays_on(&self) -> bool {
        match &self.talk {
            Talk::Uci => true,
            Talk::Cecp(conversation) => conversation.plays_on(),
        }
    }

    /// Asks for a move of the game that has been begun.
    pub(crate) fn go(
        &mut self,
        engine: &Engine,
        patience: Patience,
        situation: &Situation<'_>,
    ) -> Result<Said, Fault> {
        let patience = engine.time().map_or(patience.search, |time| time + patience.late);
        match &mut self.talk {
            Talk::Uci => uci::go(&mut self.process, engine.limit, patience, situation),
            Talk::Cecp(conversation) => {
                conversation.go(&mut self.process, engine, patience, situation)
            }
        }
    }
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connection").finish_non_exhaustive()
    }
}

/// The fault of an engine that does not play `game` but `variants`.
fn does_not_play(game: &Game, variants: &[String]) -> Fault {
    const SHOWN: usize = 12;
    let mut list = variants[..variants.len().min(SHOWN)].join(", ");
    if variants.len() > SHOWN {
        list.push_str(&format!(" and {} more", variants.len() - SHOWN));
    }
    Fault(format!("does not play {}; it plays {list}", game.id))
}
