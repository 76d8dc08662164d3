//! [`Solo`]: a player at a single game, evaluated on the spot.

use games::{History, Move, State, Step};
use search::{Answers, Evaluator, EvaluatorError};
use thiserror::Error;

use crate::player::{Entrant, Player, Thought};

/// A player that does not go on.
#[derive(Debug, Error)]
pub enum SoloError {
    /// Its evaluator has failed.
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    /// It takes the game for lost.
    #[error("it resigned")]
    Resigned,
    /// It is another program, and something is wrong with it.
    #[error("{player} {problem}")]
    Forfeited {
        /// The player.
        player: String,
        /// What is wrong, in words that follow the name.
        problem: String,
    },
}

/// A player with its own evaluator, for one game at a time: `raja play`, protocols, analysis.
///
/// ```
/// use arena::{Entrant, PlayerSpec, Solo};
/// use games::{Game, History};
/// let game = &Game::all()[0];
/// let nets = |_: &'static Game, _: &std::path::Path| Err("no networks here".to_owned());
/// let entrant = Entrant::new(&"greedy".parse()?, game, &nets)?;
/// let mut solo = Solo::new(&entrant, History::new(game.start()), 1)?;
/// let chosen = solo.choose_move()?;
/// assert!(game.start().move_texts()?.contains(&game.start().move_text(&chosen)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solo {
    name: String,
    state: History,
    player: Box<dyn Player>,
    evaluator: Option<Box<dyn Evaluator>>,
    answers: Answers,
}

impl Solo {
    /// Seats `entrant` at the game that stands at `state`, with `seed` for its random choices.
    ///
    /// # Errors
    /// If its network gives no evaluator.
    pub fn new(entrant: &Entrant, state: History, seed: u64) -> Result<Self, EvaluatorError> {
        let evaluator = entrant.source().map(|source| source.evaluator()).transpose()?;
        let player = entrant.player(&state, seed);
        let (name, answers) = (entrant.name().to_owned(), Answers::default());
        Ok(Self { name, state, player, evaluator, answers })
    }

    /// The game as the player knows it.
    #[must_use]
    pub fn state(&self) -> &History {
        &self.state
    }

    /// Goes to the game that stands at `state`: a new one, or the same after taking moves back.
    pub fn new_game(&mut self, state: &History, seed: u64) {
        self.state.clone_from(state);
        self.player.new_game(state, seed);
    }

    /// Tells the player a step that has been played, by whichever side.
    pub fn observe(&mut self, step: Step) {
        self.state.play(step);
        self.player.observe(step);
    }

    /// The step that the player would play now. It is not played: [`Solo::observe`] does that.
    ///
    /// # Errors
    /// If the evaluator fails, or the player gives the game up.
    ///
    /// # Panics
    /// If the game is over.
    pub fn choose(&mut self) -> Result<Step, SoloError> {
        assert!(self.state.outcome().is_none(), "the game is over");
        loop {
            match self.player.think() {
                Thought::Chosen(step) => return Ok(step),
                Thought::Resigns => return Err(SoloError::Resigned),
                Thought::Forfeits => {
                    let problem = self.player.last_words().unwrap_or_default().to_owned();
                    return Err(SoloError::Forfeited { player: self.name.clone(), problem });
                }
                Thought::NeedsEvaluation => {
                    let evaluator = self.evaluator.as_mut().expect("only networks have queries");
                    evaluator.evaluate(&[self.player.query()], &mut self.answers)?;
                    self.player.answer(self.answers.get(0));
                }
            }
        }
    }

    /// The rest of the move that the player chooses, which is the whole of it between moves. All
    /// its steps are played.
    ///
    /// # Errors
    /// As [`Solo::choose`].
    ///
    /// # Panics
    /// As [`Solo::choose`].
    pub fn choose_move(&mut self) -> Result<Move, SoloError> {
        let mut steps = Vec::new();
        loop {
            let step = self.choose()?;
            self.observe(step);
            steps.push(step);
            if !self.state.position().mid_move() {
                return Ok(Move::new(&steps));
            }
        }
    }
}

impl std::fmt::Debug for Solo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Solo").field("state", &self.state).finish_non_exhaustive()
    }
}
