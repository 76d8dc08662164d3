//! [`Worker`]: the games of one thread.

use std::time::Instant;

use crossbeam::channel::Sender;
use games::{Game, History};
use search::{Answers, Evaluator, EvaluatorError, EvaluatorSource, Query};

use crate::goal::Standing;
use crate::pool::SelfPlayError;
use crate::progress::{Progress, Round};
use crate::record::GameRecord;
use crate::seat::{Seat, Turn};
use crate::settings::SelfPlaySettings;

/// Plays as many games at a time as the settings say, in rounds: one state from each game, one
/// batch, and what the answers allow to be played.
#[derive(Debug)]
pub(crate) struct Worker {
    index: usize,
    game: &'static Game,
    settings: SelfPlaySettings,
    /// The pool's seed.
    seed: u64,
    /// Games begun by this worker since the pool was made.
    begun: u64,
    start: History,
    seats: Vec<Seat>,
    /// The seats that wait for an answer.
    waiting: Vec<usize>,
    answers: Answers,
}

/// What a worker shares with the others.
pub(crate) struct Job<'a> {
    pub(crate) source: &'a dyn EvaluatorSource,
    pub(crate) net: &'a str,
    pub(crate) standing: &'a Standing<'a>,
    pub(crate) progress: &'a Progress,
    pub(crate) finished: Sender<GameRecord>,
}

impl Worker {
    pub(crate) fn new(
        game: &'static Game,
        settings: SelfPlaySettings,
        seed: u64,
        index: usize,
    ) -> Self {
        Self {
            index,
            game,
            settings,
            seed,
            begun: 0,
            start: History::new(game.start()),
            seats: Vec::new(),
            waiting: Vec::new(),
            answers: Answers::default(),
        }
    }

    pub(crate) fn index(&self) -> usize {
        self.index
    }

    pub(crate) fn games_under_way(&self) -> usize {
        self.seats.iter().filter(|seat| !seat.is_free()).count()
    }

    /// Forgets the games under way, whose state nobody can vouch for after a panic.
    pub(crate) fn abandon_games(&mut self) {
        self.seats.clear();
    }

    /// Plays until the run is over or no game is left.
    pub(crate) fn play(&mut self, job: &Job<'_>) -> Result<(), SelfPlayError> {
        let worker = self.index;
        let failed = |error| SelfPlayError::Evaluator { worker, error };
        let mut evaluator = job.source.evaluator().map_err(failed)?;
        let Self { seats, start, settings, .. } = &mut *self;
        seats.resize_with(settings.games_per_worker, || Seat::new(start, settings));
        seats.iter_mut().for_each(|seat| seat.adopt(job.net));
        loop {
            let mut round = Round { seats: self.seats.len(), ..Round::default() };
            let goes_on = self.gather(job, &mut round);
            let goes_on = match goes_on {
                Ok(true) => {
                    self.evaluate(evaluator.as_mut(), &mut round).map(|()| true).map_err(failed)
                }
                other => other,
            };
            job.progress.add(&round);
            if !goes_on? {
                return Ok(());
            }
        }
    }

    /// Plays every game to the next state that needs an evaluation, and new games in place of those
    /// that end. Returns whether any state is waiting and the run is not over.
    fn gather(&mut self, job: &Job<'_>, round: &mut Round) -> Result<bool, SelfPlayError> {
        let began = Instant::now();
        self.waiting.clear();
        for index in 0..self.seats.len() {
            if self.fill_seat(index, job, round)? {
                self.waiting.push(index);
            }
            if job.standing.is_over() {
                break;
            }
        }
        round.tree += began.elapsed().saturating_sub(round.delivery);
        Ok(!self.waiting.is_empty() && !job.standing.is_over())
    }

    /// Plays in one seat until a state needs an evaluation. Returns whether one does: not if the
    /// run is over or no game is left to begin.
    fn fill_seat(
        &mut self,
        index: usize,
        job: &Job<'_>,
        round: &mut Round,
    ) -> Result<bool, SelfPlayError> {
        while !job.standing.is_over() {
            let seat = &mut self.seats[index];
            if seat.is_free() {
                if !job.standing.begin_game() {
                    return Ok(false);
                }
                let seed = game_seed(self.seed, self.index, self.begun);
                self.begun += 1;
                seat.begin(self.game, &self.start, seed, job.net, &self.settings);
            }
            let before = seat.steps();
            let turn = seat.play_on(&self.settings);
            let record = match turn {
                Turn::Leaf => {
                    round.steps += (seat.steps() - before) as u64;
                    return Ok(true);
                }
                Turn::Over(record) => record,
            };
            round.steps += (record.steps.len() - before) as u64;
            round.games += 1;
            let (worker, seed) = (self.index, record.seed);
            record.check().map_err(|error| SelfPlayError::Record { worker, seed, error })?;
            job.standing.end_game(record.steps.len());
            let asked = Instant::now();
            let gone = job.finished.send(record).is_err();
            round.delivery += asked.elapsed();
            if gone {
                // Nobody takes games any more: the run is being given up.
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// Has the waiting states evaluated in one batch and gives the answers back.
    fn evaluate(
        &mut self,
        evaluator: &mut dyn Evaluator,
        round: &mut Round,
    ) -> Result<(), EvaluatorError> {
        let began = Instant::now();
        let queries: Vec<Query<'_>> =
            self.waiting.iter().map(|&index| self.seats[index].query()).collect();
        evaluator.evaluate(&queries, &mut self.answers)?;
        let (asked, answered) = (queries.len(), self.answers.len());
        drop(queries);
        round.evaluator += began.elapsed();
        if asked != answered {
            return Err(EvaluatorError(format!("{answered} answers to {asked} queries")));
        }
        let began = Instant::now();
        round.evaluations += answered;
        for (answer, &index) in self.waiting.iter().enumerate() {
            let seat = &mut self.seats[index];
            seat.apply(self.answers.get(answer));
            round.repaired += seat.newly_repaired();
        }
        round.tree += began.elapsed();
        Ok(())
    }
}

/// The seed of a game: different for every game of every worker.
fn game_seed(pool_seed: u64, worker: usize, number: u64) -> u64 {
    let mut hasher = blake3::Hasher::new();
    for part in [pool_seed, worker as u64, number] {
        hasher.update(&part.to_le_bytes());
    }
    u64::from_le_bytes(*hasher.finalize().as_bytes().first_chunk().expect("32 bytes"))
}
