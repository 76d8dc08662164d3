//! [`Worker`]: one thread of matches, with many games at a time and one batch for each network.

use std::sync::Arc;

use games::{History, Side, State, Step};
use search::{Answers, Evaluator, EvaluatorError, EvaluatorSource, Query};

use crate::adjudication::Opinions;
use crate::player::{Entrant, Player, Thought};
use crate::seeds::derived;
use crate::{Adjudication, Ending, Match, MatchError, PlayedGame};

/// A game that is to be played.
#[derive(Debug)]
pub(crate) struct Job<'m> {
    /// The number of the match.
    pub(crate) row: usize,
    /// The number of the game in its match.
    pub(crate) index: usize,
    entrants: [&'m Entrant; 2],
    start: &'m History,
    /// The colour of player 0.
    first: Side,
    seed: u64,
    adjudication: Adjudication,
}

impl<'m> Job<'m> {
    /// Game `index` of `of`, which is match `row`.
    pub(crate) fn new(row: usize, index: usize, of: &Match<'m>) -> Self {
        Self {
            row,
            index,
            entrants: [of.a, of.b],
            start: of.opening(index).state(),
            first: Side::ALL[index % 2],
            seed: of.seed(index),
            adjudication: of.settings.adjudication,
        }
    }
}

/// A game under way. Player 0 is A, player 1 is B.
struct Seat<'m> {
    job: Job<'m>,
    state: History,
    players: [Box<dyn Player>; 2],
    /// The networks of the players.
    nets: [Option<usize>; 2],
    /// Whose evaluation the game waits for.
    waiting: Option<usize>,
    opinions: Opinions,
    steps: Vec<Step>,
    evaluations: u64,
}

impl Seat<'_> {
    /// Plays on until a player waits for an evaluation (nothing is returned) or the game is over.
    /// Gives up, with nobody waiting, when `stopped`.
    fn advance(&mut self, stopped: &dyn Fn() -> bool) -> Option<PlayedGame> {
        while !stopped() {
            if !self.state.position().mid_move()
                && let Some(end) = self.state.end()
            {
                return Some(
                    self.over(end.outcome.score(self.job.first), Ending::Rule(end.reason)),
                );
            }
            let side = self.state.side_to_move();
            let mover = usize::from(side != self.job.first);
            match self.players[mover].think() {
                Thought::NeedsEvaluation => {
                    self.waiting = Some(mover);
                    return None;
                }
                Thought::Chosen(step) => {
                    let opinion = self.players[mover].opinion();
                    self.state.play(step);
                    self.steps.push(step);
                    self.players.iter_mut().for_each(|player| player.observe(step));
                    if let Some(game) = self.adjudicated(side, opinion) {
                        return Some(game);
                    }
                }
                Thought::Resigns => return Some(self.given_up(mover, Ending::Resignation)),
                Thought::Forfeits => return Some(self.given_up(mover, Ending::Forfeit)),
            }
        }
        None
    }

    /// The game, if it goes on by the rules and the players agree how it ends.
    fn adjudicated(&mut self, mover: Side, opinion: Option<f32>) -> Option<PlayedGame> {
        if self.state.position().mid_move() {
            return None;
        }
        let white = self.opinions.after_move(&self.job.adjudication, mover, opinion)?;
        if self.state.end().is_some() {
            return None;
        }
        let score = if self.job.first == Side::White { white } else { -white };
        Some(self.over(score, if white == 0 { Ending::AgreedDraw } else { Ending::Resignation }))
    }

    /// The game, which player `mover` has given up.
    fn given_up(&mut self, mover: usize, ending: Ending) -> PlayedGame {
        let score = if mover == 0 { -1 } else { 1 };
        let name = self.job.entrants[mover].name();
        let words = self.players[mover].last_words().unwrap_or_default();
        let note = Some(format!("{name} {words}"));
        PlayedGame { note, ..self.over(score, ending) }
    }

    /// The game, which is over.
    fn over(&mut self, score: i8, ending: Ending) -> PlayedGame {
        PlayedGame {
            index: self.job.index,
            score,
            plies: self.state.plies(),
            ending,
            steps: std::mem::take(&mut self.steps),
            evaluations: self.evaluations,
            note: None,
        }
    }

    /// The player that waits for an evaluation by network `net`.
    fn waiting_for(&self, net: usize) -> Option<usize> {
        self.waiting.filter(|&player| self.nets[player] == Some(net))
    }
}

/// One network of the matches, with this thread's evaluator.
struct Net {
    source: Arc<dyn EvaluatorSource>,
    evaluator: Box<dyn Evaluator>,
    /// A player that it plays for.
    player: String,
}

/// What a worker needs from outside.
pub(crate) struct Desk<'a, 'm> {
    /// The next game to play, until there are no more.
    pub(crate) next: &'a dyn Fn() -> Option<Job<'m>>,
    /// Takes the result of a game.
    pub(crate) report: &'a dyn Fn(&Job<'m>, PlayedGame),
    /// Takes the evaluations spent on a game that is given up.
    pub(crate) drop: &'a dyn Fn(&Job<'m>, u64),
    /// Whether to give up.
    pub(crate) stopped: &'a dyn Fn() -> bool,
}

/// Plays games, as many at a time as it has seats. The games may be of different matches: the tail
/// of one is then filled up with games of the next, and players with the same network share
/// batches.
pub(crate) struct Worker<'m> {
    nets: Vec<Net>,
    seats: Vec<Seat<'m>>,
    most_seats: usize,
    answers: Answers,
}

impl<'m> Worker<'m> {
    pub(crate) fn new(most_seats: usize) -> Self {
        Self { nets: Vec::new(), seats: Vec::new(), most_seats, answers: Answers::default() }
    }

    /// Plays the games that `desk` gives until there are no more, or until it is stopped.
    pub(crate) fn run(&mut self, desk: &Desk<'_, 'm>) -> Result<(), MatchError> {
        loop {
            self.fill(desk)?;
            if self.seats.is_empty() || (desk.stopped)() {
                self.seats.drain(..).for_each(|seat| (desk.drop)(&seat.job, seat.evaluations));
                return Ok(());
            }
            self.evaluate()?;
            for i in (0..self.seats.len()).rev() {
                if let Some(game) = self.seats[i].advance(desk.stopped) {
                    let seat = self.seats.swap_remove(i);
                    (desk.report)(&seat.job, game);
                }
            }
        }
    }

    /// Fills the empty seats with games that wait for an evaluation. Those that never do are
    /// played here, one after the other.
    fn fill(&mut self, desk: &Desk<'_, 'm>) -> Result<(), MatchError> {
        while self.seats.len() < self.most_seats && !(desk.stopped)() {
            let Some(job) = (desk.next)() else { break };
            let mut seat = self.seat(job)?;
            match seat.advance(desk.stopped) {
                Some(game) => (desk.report)(&seat.job, game),
                None => self.seats.push(seat),
            }
        }
        Ok(())
    }

    fn seat(&mut self, job: Job<'m>) -> Result<Seat<'m>, MatchError> {
        let [a, b] = job.entrants;
        // A program that cannot be started any more loses no games: they are played another time.
        a.get_ready().and_then(|()| b.get_ready()).map_err(MatchError::Player)?;
        let nets = [self.net_of(a)?, self.net_of(b)?];
        let player = |number: usize| {
            job.entrants[number].player(job.start, derived(job.seed, &[number as u64]))
        };
        let players = [player(0), player(1)];
        let opinions = Opinions::default();
        let (state, steps) = (job.start.clone(), Vec::new());
        Ok(Seat { state, players, nets, waiting: None, opinions, steps, evaluations: 0, job })
    }

    /// The number of the network that `entrant` plays by.
    fn net_of(&mut self, entrant: &Entrant) -> Result<Option<usize>, MatchError> {
        let Some(source) = entrant.source() else { return Ok(None) };
        if let Some(known) = self.nets.iter().position(|net| Arc::ptr_eq(&net.source, source)) {
            return Ok(Some(known));
        }
        let player = entrant.name().to_owned();
        match source.evaluator() {
            Ok(evaluator) => self.nets.push(Net { source: source.clone(), evaluator, player }),
            Err(error) => return Err(MatchError::Evaluator { player, error }),
        }
        Ok(Some(self.nets.len() - 1))
    }

    /// Answers all games that wait, one batch for each network.
    fn evaluate(&mut self) -> Result<(), MatchError> {
        for (number, net) in self.nets.iter_mut().enumerate() {
            let queries: Vec<Query<'_>> = self
                .seats
                .iter()
                .filter_map(|seat| Some(seat.players[seat.waiting_for(number)?].query()))
                .collect();
            let asked = queries.len();
            if asked == 0 {
                continue;
            }
            let evaluated = net.evaluator.evaluate(&queries, &mut self.answers);
            let answered = evaluated.and_then(|()| match self.answers.len() {
                found if found == asked => Ok(()),
                found => Err(EvaluatorError(format!("{found} answers to {asked} queries"))),
            });
            answered
                .map_err(|error| MatchError::Evaluator { player: net.player.clone(), error })?;
            let mut next = 0;
            for seat in &mut self.seats {
                if let Some(player) = seat.waiting_for(number) {
                    seat.players[player].answer(self.answers.get(next));
                    seat.waiting = None;
                    seat.evaluations += 1;
                    next += 1;
                }
            }
        }
        Ok(())
    }
}
