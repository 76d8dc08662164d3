//! [`Player`]: a seat at one game, and [`Entrant`]: who can take seats.

use std::path::Path;
use std::sync::Arc;

use games::{Game, History, Step};
use search::{Answer, EvaluatorSource, Query, SearchSettings};

use crate::contents::{contents_of, files_of};
use crate::outside::Engine;
use crate::players::{
    Greedy, LookAhead, MctsPlayer, NetPlayer, OutsidePlayer, PlannedPlayer, RandomPlayer,
};
use crate::{Limit, Patience, PlayerSpec, file_name};

/// What a player wants next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thought {
    /// The state of [`Player::query`] has to be evaluated and [`Player::answer`] called before it
    /// can think on.
    NeedsEvaluation,
    /// This step; the player waits until it is told by [`Player::observe`] what is played.
    Chosen(Step),
    /// No step: it takes the game for lost. [`Player::last_words`] say who has resigned.
    Resigns,
    /// No step: it cannot go on, for the reason that [`Player::last_words`] are.
    Forfeits,
}

/// One side of one game, as a machine that can be stepped.
///
/// Networks are only fast in batches, so a player does not call its evaluator: whoever runs many
/// games collects the queries of all seats and answers them together. A single game is run by
/// [`crate::Solo`]. What a player chooses depends on the game, its seed and the answers only, unless
/// it plays by the clock or is another program.
pub trait Player: Send {
    /// Starts a game that stands at `state`, with `seed` for its random choices.
    fn new_game(&mut self, state: &History, seed: u64);

    /// Takes note of a step that has been played, by whichever side.
    fn observe(&mut self, step: Step);

    /// Thinks about the step to play now, until it has chosen or needs an evaluation. Not to be
    /// called when the game is over.
    fn think(&mut self) -> Thought;

    /// What it expects to score, from -1 to 1, as it saw it when it last searched for a step; none
    /// if it never judges positions.
    fn opinion(&self) -> Option<f32> {
        None
    }

    /// After [`Thought::Resigns`] or [`Thought::Forfeits`], what has happened, in words that follow
    /// the player's name.
    fn last_words(&self) -> Option<&str> {
        None
    }

    /// The state to be evaluated, after [`Thought::NeedsEvaluation`].
    ///
    /// # Panics
    /// If the player is waiting for none.
    fn query(&self) -> Query<'_> {
        panic!("this player never needs an evaluation")
    }

    /// The evaluation of [`Player::query`], from the view of the side to move there.
    ///
    /// # Panics
    /// If the player is waiting for none.
    fn answer(&mut self, answer: Answer<'_>) {
        panic!("this player never needs an evaluation: {answer:?}")
    }
}

/// Loads networks for those who cannot do it themselves.
pub trait NetLoader {
    /// The network in the file `path`, which must have been made for `game`.
    ///
    /// # Errors
    /// In one sentence, why it cannot be loaded.
    fn load(&self, game: &'static Game, path: &Path) -> Result<Arc<dyn EvaluatorSource>, String>;
}

impl<F> NetLoader for F
where
    F: Fn(&'static Game, &Path) -> Result<Arc<dyn EvaluatorSource>, String>,
{
    fn load(&self, game: &'static Game, path: &Path) -> Result<Arc<dyn EvaluatorSource>, String> {
        self(game, path)
    }
}

/// A player that cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("player `{player}`: {problem}")]
pub struct PlayerError {
    /// The player.
    pub player: String,
    /// Why not.
    pub problem: String,
}

/// A player ready to take seats in any number of games.
#[derive(Clone)]
pub struct Entrant {
    name: String,
    contents: String,
    kind: Kind,
}

#[derive(Clone)]
enum Kind {
    Random,
    Greedy,
    AlphaBeta {
        depth: u32,
    },
    Mcts {
        limit: Limit,
    },
    Net {
        source: Arc<dyn EvaluatorSource>,
        settings: SearchSettings,
        limit: Limit,
        temperature: f32,
    },
    Engine {
        engine: Arc<Engine>,
        patience: Patience,
    },
}

impl Entrant {
    /// The player that `spec` describes, under the name that it is written with.
    ///
    /// # Errors
    /// If its network cannot be loaded, if the game is too large for it, or if it is another program
    /// that cannot be started or does not play the game.
    pub fn new(
        spec: &PlayerSpec,
        game: &'static Game,
        nets: &dyn NetLoader,
    ) -> Result<Self, PlayerError> {
        spec.check(game)?;
        let name = spec.to_string();
        let mut contents = String::new();
        let kind = match *spec {
            PlayerSpec::Random => Kind::Random,
            PlayerSpec::Greedy => Kind::Greedy,
            PlayerSpec::AlphaBeta { depth } => Kind::AlphaBeta { depth },
            PlayerSpec::Mcts { limit } => Kind::Mcts { limit },
            PlayerSpec::Net { ref path, limit, temperature } => match nets.load(game, path) {
                Ok(source) => {
                    let contents = contents_of([path.clone()]);
                    return Ok(Self { contents, ..Self::net(name, source, limit).at(temperature) });
                }
                Err(problem) => return Err(PlayerError { player: name, problem }),
            },
            PlayerSpec::Engine { protocol, ref command, limit } => {
                let words = PlayerSpec::words(command).unwrap_or_default();
                contents = contents_of(files_of(&words));
                match Engine::start(protocol, words, limit, game) {
                    Ok(engine) => {
                        Kind::Engine { engine: Arc::new(engine), patience: Patience::default() }
                    }
                    Err(fault) => {
                        let problem = format!("it {fault}");
                        return Err(PlayerError { player: name, problem });
                    }
                }
            }
        };
        Ok(Self { name, contents, kind })
    }

    /// A network that is loaded already, playing by Gumbel search without noise that ends at
    /// `limit`; a number is one of simulations a step.
    #[must_use]
    pub fn net(name: String, source: Arc<dyn EvaluatorSource>, limit: impl Into<Limit>) -> Self {
        Self::net_with(name, source, SearchSettings::default(), limit)
    }

    /// As [`Entrant::net`], with search settings of one's own.
    #[must_use]
    pub fn net_with(
        name: String,
        source: Arc<dyn EvaluatorSource>,
        settings: SearchSettings,
        limit: impl Into<Limit>,
    ) -> Self {
        let (limit, temperature) = (limit.into(), 0.0);
        let kind = Kind::Net { source, settings, limit, temperature };
        Self { name, contents: String::new(), kind }
    }

    /// The same player; if it is a network, its steps are drawn from what its search finds, at this
    /// temperature: 0 plays what it prefers, 1 draws from the policy that the search ends with, which
    /// is sharp, and the more the evener.
    #[must_use]
    pub fn at(mut self, given: f32) -> Self {
        if let Kind::Net { temperature, .. } = &mut self.kind {
            *temperature = given;
        }
        self
    }

    /// The same player, waited for so long if it is another program.
    #[must_use]
    pub fn with_patience(mut self, given: Patience) -> Self {
        if let Kind::Engine { patience, .. } = &mut self.kind {
            *patience = given;
        }
        self
    }

    /// If it is another program: appends what that has written and will write to its standard error
    /// to a file in `folder`, which is made when there is something to write.
    pub fn keep_stderr(&self, folder: &Path) {
        if let Kind::Engine { engine, .. } = &self.kind {
            engine.keep_stderr(&folder.join(format!("stderr_{}.txt", file_name(&self.name))));
        }
    }

    /// The same player under another name.
    #[must_use]
    pub fn named(self, name: String) -> Self {
        Self { name, ..self }
    }

    /// The name, for tables.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is made of besides its name, so that games of a checkpoint or a program are not taken
    /// for those of another one that has come into its place: the CRC-32C of the files that it is
    /// started from, separated by spaces. Empty if there are none.
    #[must_use]
    pub fn contents(&self) -> &str {
        &self.contents
    }

    /// Sees to it that it can take a seat at once, which is in question of another program only.
    ///
    /// # Errors
    /// If that is not running any more and cannot be started again.
    pub fn get_ready(&self) -> Result<(), PlayerError> {
        let Kind::Engine { engine, .. } = &self.kind else { return Ok(()) };
        let fault =
            |fault| PlayerError { player: self.name.clone(), problem: format!("it {fault}") };
        engine.get_ready().map_err(fault)
    }

    /// The network, if it plays by one.
    #[must_use]
    pub fn source(&self) -> Option<&Arc<dyn EvaluatorSource>> {
        match &self.kind {
            Kind::Net { source, .. } => Some(source),
            _ => None,
        }
    }

    /// Whether it would play a game from the same start the same way again: a network does unless
    /// it plays by the clock or at a temperature, and alpha-beta where no two moves are equally good, which is most of
    /// the time.
    #[must_use]
    pub fn is_noise_free(&self) -> bool {
        match self.kind {
            Kind::Random | Kind::Greedy | Kind::Mcts { .. } | Kind::Engine { .. } => false,
            Kind::AlphaBeta { .. } => true,
            Kind::Net { temperature, .. } => temperature == 0.0 && !self.is_timed(),
        }
    }

    /// Whether it may play a game from the same start the same way again, now and then or always. Of
    /// another program it is not known what its play depends on; that of raja's players with
    /// seeds differs from game to game.
    #[must_use]
    pub fn may_repeat(&self) -> bool {
        self.is_noise_free() || matches!(self.kind, Kind::Engine { .. })
    }

    /// Whether it plays by the clock or is another program, which is waited for: games must then not
    /// wait for each other.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        match self.kind {
            Kind::Mcts { limit } | Kind::Net { limit, .. } => limit.time().is_some(),
            Kind::Engine { .. } => true,
            Kind::Random | Kind::Greedy | Kind::AlphaBeta { .. } => false,
        }
    }

    /// A seat at a game that stands at `state`, with `seed` for its random choices.
    #[must_use]
    pub fn player(&self, state: &History, seed: u64) -> Box<dyn Player> {
        match &self.kind {
            Kind::Random => Box::new(RandomPlayer::new(state, seed)),
            Kind::Greedy => Box::new(PlannedPlayer::new(Greedy::default(), state, seed)),
            Kind::AlphaBeta { depth } => {
                Box::new(PlannedPlayer::new(LookAhead::new(*depth), state, seed))
            }
            Kind::Mcts { limit } => Box::new(MctsPlayer::new(*limit, state, seed)),
            Kind::Net { settings, limit, temperature, .. } => {
                Box::new(NetPlayer::new(*settings, *limit, *temperature, state, seed))
            }
            Kind::Engine { engine, patience } => {
                Box::new(OutsidePlayer::new(engine.clone(), *patience, state))
            }
        }
    }
}

impl std::fmt::Debug for Entrant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Entrant").field(&self.name).finish()
    }
}
