//! [`Talk`]: an engine that is led by the lines of another program.
//!
//! The session of a protocol is the only one that writes: lines of the other program and what the
//! search tells come to it in one queue. So every answer belongs to its search: whatever changes the
//! position or the engine ends the search first, and waits for its answer.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use games::Game;
use search::EvaluatorSource;

use super::options::Touched;
use super::{Engine, EngineOptions, EngineSettings, Judge, Told};
use crate::NetLoader;

/// What comes to a session.
pub(crate) enum Event {
    /// A line of the other program.
    Line(String),
    /// There will be no more.
    End,
    /// Something the search has to say.
    Told(Told),
}

/// Sends what the search tells, and in the end that there will be nothing more.
struct Teller(Sender<Option<Event>>);

impl Drop for Teller {
    fn drop(&mut self) {
        let _ = self.0.send(None);
    }
}

/// An engine and its options, and all that comes from it and from another program.
pub(crate) struct Talk<'a> {
    pub(crate) engine: Engine,
    options: EngineOptions,
    nets: &'a dyn NetLoader,
    /// The network that was loaded last, and for what.
    loaded: Option<(&'static str, PathBuf, Arc<dyn EvaluatorSource>)>,
    /// Whether the engine has to be configured anew.
    stale: bool,
    /// None when the thread of the search has ended.
    events: Receiver<Option<Event>>,
    /// What has come while an answer was waited for.
    backlog: VecDeque<Event>,
}

impl<'a> Talk<'a> {
    /// Starts to read the lines of `input`.
    pub(crate) fn begin(
        input: impl BufRead + Send + 'static,
        nets: &'a dyn NetLoader,
        options: EngineOptions,
    ) -> Self {
        let (sender, events) = channel();
        let teller = Teller(sender.clone());
        std::thread::spawn(move || read_lines(input, &sender));
        let engine = Engine::new(move |told| {
            // Nobody listens any more after the end of the talk.
            let _ = teller.0.send(Some(Event::Told(told)));
        });
        let backlog = VecDeque::new();
        Self { engine, options, nets, loaded: None, stale: true, events, backlog }
    }

    /// What comes next; it is waited for.
    ///
    /// # Errors
    /// If the search has failed, so that it will never answer.
    pub(crate) fn next(&mut self) -> io::Result<Event> {
        match self.backlog.pop_front() {
            Some(event) => Ok(event),
            None => self.receive(),
        }
    }

    /// What the search tells next; it is waited for, and lines that come first are kept.
    pub(crate) fn next_told(&mut self) -> io::Result<Told> {
        loop {
            match self.receive()? {
                Event::Told(told) => return Ok(told),
                event => self.backlog.push_back(event),
            }
        }
    }

    fn receive(&self) -> io::Result<Event> {
        let event = self.events.recv().ok().flatten();
        event.ok_or_else(|| io::Error::other("the search has failed"))
    }

    /// Whether lines wait that have been kept.
    pub(crate) fn has_kept_lines(&self) -> bool {
        !self.backlog.is_empty()
    }

    pub(crate) fn options(&self) -> &EngineOptions {
        &self.options
    }

    /// Sets an option, as [`EngineOptions::set`] does. Nothing may be searched meanwhile.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<Touched, String> {
        let touched = self.options.set(name, value)?;
        self.stale |= touched != Touched::Manners;
        Ok(touched)
    }

    /// Plays `game` from now on. Nothing may be searched meanwhile.
    pub(crate) fn set_game(&mut self, game: &'static Game) {
        self.stale |= self.options.game.id != game.id;
        self.options.game = game;
    }

    /// Gets the engine ready for its next search.
    ///
    /// # Errors
    /// If the network cannot be used; the search does without it, as the sentence says.
    pub(crate) fn prepare(&mut self) -> Result<(), String> {
        if !std::mem::take(&mut self.stale) {
            return Ok(());
        }
        let (judge, ready) = match self.network() {
            Ok(Some(source)) => (Judge::Net(source), Ok(())),
            Ok(None) => (Judge::Rollouts, Ok(())),
            Err(problem) => {
                let problem = format!("{problem}; random rollouts judge positions instead");
                (Judge::Rollouts, Err(problem))
            }
        };
        let search = self.options.search_settings(matches!(judge, Judge::Net(_)));
        let threads = self.options.threads as usize;
        self.engine.configure(EngineSettings { judge, search, threads });
        ready
    }

    /// The network that is to be used, if there is one.
    fn network(&mut self) -> Result<Option<Arc<dyn EvaluatorSource>>, String> {
        let Some(path) = &self.options.net else { return Ok(None) };
        let game = self.options.game;
        match &self.loaded {
            Some((id, file, source)) if *id == game.id && file == path => {
                Ok(Some(Arc::clone(source)))
            }
            _ => {
                let source = self.nets.load(game, path)?;
                self.loaded = Some((game.id, path.clone(), Arc::clone(&source)));
                Ok(Some(source))
            }
        }
    }
}

/// Sends the lines of `input`. What is no UTF-8 in them is replaced.
fn read_lines(mut input: impl BufRead, to: &Sender<Option<Event>>) {
    let mut bytes = Vec::new();
    // An input that fails has ended.
    while input.read_until(b'\n', &mut bytes).is_ok_and(|length| length > 0) {
        let line = String::from_utf8_lossy(&bytes).into_owned();
        bytes.clear();
        if to.send(Some(Event::Line(line))).is_err() {
            return;
        }
    }
    let _ = to.send(Some(Event::End));
}
