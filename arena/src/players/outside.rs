//! The player that is another program.

use std::sync::Arc;

use games::{History, Move, Position, State, Step};

use crate::outside::{Answer, Connection, Engine, Fault, Patience, Situation};
use crate::player::{Player, Thought};

/// A seat of an engine. Its process is borrowed when it first has to move, and given back if
/// nothing was wrong with it; otherwise the next game has a new one.
#[derive(Debug)]
pub(crate) struct OutsidePlayer {
    engine: Arc<Engine>,
    patience: Patience,
    connection: Option<Connection>,
    /// The game as the engine is told of it.
    start: Option<String>,
    moves: Vec<String>,
    /// The position before the move under way, its steps so far, and where they lead.
    before: Position,
    steps: Vec<Step>,
    now: Position,
    /// The move that the engine has chosen here.
    plan: Option<Move>,
    opinion: Option<f32>,
    end: Option<(Thought, String)>,
}

impl OutsidePlayer {
    pub(crate) fn new(engine: Arc<Engine>, patience: Patience, state: &History) -> Self {
        let position = state.position().clone();
        let mut player = Self {
            engine,
            patience,
            connection: None,
            start: None,
            moves: Vec::new(),
            before: position.clone(),
            steps: Vec::new(),
            now: position,
            plan: None,
            opinion: None,
            end: None,
        };
        player.new_game(state, 0);
        player
    }

    /// The move that the engine plays now.
    fn ask(&mut self) -> Result<Option<Move>, Fault> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.engine.begin(self.start.as_deref())?,
        };
        let situation = Situation {
            start: self.start.as_deref(),
            moves: &self.moves,
            mover: self.before.side_to_move(),
        };
        let said = connection.go(&self.engine, self.patience, &situation)?;
        self.opinion = said.opinion;
        let chosen = match said.answer {
            Answer::Resigns => None,
            Answer::Move(text) => {
                let read = self.engine.protocol.dialect().parse_move(&self.before, &text);
                let illegal = |_| Fault(format!("played `{text}`, which is not legal"));
                Some(read.map_err(illegal)?)
            }
        };
        self.connection = Some(connection);
        Ok(chosen)
    }

    fn give_back(&mut self) {
        if let Some(connection) = self.connection.take() {
            self.engine.give_back(connection);
        }
    }
}

impl Player for OutsidePlayer {
    fn new_game(&mut self, state: &History, _seed: u64) {
        self.give_back();
        let dialect = self.engine.protocol.dialect();
        let start = dialect.fen(state.position());
        self.start = (start != dialect.fen(&state.game().start())).then_some(start);
        self.moves.clear();
        self.before.clone_from(state.position());
        self.steps.clear();
        self.now.clone_from(state.position());
        (self.plan, self.opinion, self.end) = (None, None, None);
    }

    fn observe(&mut self, step: Step) {
        self.now.play(step);
        self.steps.push(step);
        if !self.now.mid_move() {
            let played = Move::new(&self.steps);
            self.moves.push(self.engine.protocol.dialect().move_text(&self.before, &played));
            self.before.clone_from(&self.now);
            self.steps.clear();
            self.plan = None;
        }
    }

    fn think(&mut self) -> Thought {
        if self.plan.is_none() && self.end.is_none() {
            match self.ask() {
                Ok(Some(chosen)) => self.plan = Some(chosen),
                Ok(None) => self.end = Some((Thought::Resigns, "resigned".to_owned())),
                Err(fault) => self.end = Some((Thought::Forfeits, fault.to_string())),
            }
        }
        match (&self.plan, &self.end) {
            (Some(chosen), _) => Thought::Chosen(chosen.steps()[self.steps.len()]),
            (None, Some((thought, _))) => *thought,
            (None, None) => unreachable!("it has been asked for a move"),
        }
    }

    fn opinion(&self) -> Option<f32> {
        self.opinion
    }

    fn last_words(&self) -> Option<&str> {
        self.end.as_ref().map(|(_, words)| words.as_str())
    }
}

impl Drop for OutsidePlayer {
    fn drop(&mut self) {
        self.give_back();
    }
}
