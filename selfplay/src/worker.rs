//! [`Worker`]: the games of one thread.

use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use crossbeam::channel::Sender;
use games::{Game, History};
use search::{CacheUsage, EvaluationCache, EvaluatorError, Query};

use crate::evaluators::{Answered, Client, Evaluators, Net};
use crate::goal::Standing;
use crate::pool::SelfPlayError;
use crate::progress::{Progress, Round};
use crate::seat::{Finished, Seat, Turn};
use crate::settings::SelfPlaySettings;

/// Plays as many games at a time as the settings say, in groups: one state from each game of a group
/// makes a batch, and when its answers are there, what they allow is played.
#[derive(Debug)]
pub(crate) struct Worker {
    index: usize,
    game: &'static Game,
    settings: SelfPlaySettings,
    /// The pool's seed.
    seed: u64,
    start: History,
    seats: Vec<Seat>,
    groups: Vec<Group>,
    /// Answers of the newest network that this worker has heard of.
    cache: EvaluationCache,
    /// No queries, but room for those of a batch.
    room: Vec<Query<'static>>,
}

/// Games whose states travel together.
#[derive(Debug)]
struct Group {
    seats: Range<usize>,
    /// The seats that wait for an answer.
    waiting: Vec<usize>,
}

/// What a worker shares with the others.
pub(crate) struct Job<'a> {
    pub(crate) evaluators: &'a dyn Evaluators,
    pub(crate) standing: &'a Standing<'a>,
    pub(crate) progress: &'a Progress,
    pub(crate) finished: Sender<Finished>,
}

impl Worker {
    pub(crate) fn new(
        game: &'static Game,
        settings: SelfPlaySettings,
        seed: u64,
        index: usize,
    ) -> Self {
        let start = History::new(game.start());
        let (seats, groups) = (Vec::new(), Vec::new());
        let cache = EvaluationCache::new(settings.cache_bytes);
        Self { index, game, settings, seed, start, seats, groups, cache, room: Vec::new() }
    }

    pub(crate) fn index(&self) -> usize {
        self.index
    }

    /// The numbers of the games under way.
    pub(crate) fn under_way(&self) -> impl Iterator<Item = u64> {
        self.seats.iter().filter_map(Seat::number)
    }

    /// Forgets the games under way, whose state nobody can vouch for after a panic.
    pub(crate) fn abandon_games(&mut self) {
        self.seats.clear();
    }

    /// Plays until the run is over or no game is left.
    pub(crate) fn play(&mut self, job: &Job<'_>) -> Result<(), SelfPlayError> {
        let worker = self.index;
        let failed = |error| SelfPlayError::Evaluator { worker, error };
        let states = self.form_groups(job.evaluators.lanes());
        let mut client = job.evaluators.client(self.groups.len(), states).map_err(failed)?;
        let mut net = client.net();
        let Self { seats, start, settings, cache, .. } = &mut *self;
        seats.resize_with(settings.games_per_worker, || Seat::new(start, settings));
        cache.forget();
        let mut rounds = Rounds { job, round: Round::default(), last: Instant::now() };
        let mut on_their_way = 0;
        for group in 0..self.groups.len() {
            self.gather(group, &net, &mut rounds)?;
            on_their_way += usize::from(self.send(group, client.as_mut()).map_err(failed)?);
        }
        while on_their_way > 0 {
            let group =
                self.receive(client.as_mut(), &mut net, &mut rounds.round).map_err(failed)?;
            rounds.round.spent = client.take_spent();
            rounds.count();
            on_their_way -= 1;
            if !job.standing.is_over() {
                self.gather(group, &net, &mut rounds)?;
                on_their_way += usize::from(self.send(group, client.as_mut()).map_err(failed)?);
            }
        }
        rounds.round.spent = client.take_spent();
        rounds.count();
        Ok(())
    }

    /// Parts the seats into groups of about one size: at least `lanes`, if there are so many seats.
    /// Returns the size of the largest.
    fn form_groups(&mut self, lanes: usize) -> usize {
        let SelfPlaySettings { games_per_worker, batch, .. } = self.settings;
        let count = games_per_worker.div_ceil(batch).max(lanes).min(games_per_worker);
        let bound = |index: usize| games_per_worker * index / count;
        let group = |index| Group { seats: bound(index)..bound(index + 1), waiting: Vec::new() };
        self.groups = (0..count).map(group).collect();
        games_per_worker.div_ceil(count)
    }

    /// Plays every game of a group to the next state that needs an evaluation, and new games in place
    /// of those that end.
    fn gather(
        &mut self,
        group: usize,
        net: &Arc<Net>,
        rounds: &mut Rounds<'_>,
    ) -> Result<(), SelfPlayError> {
        let (began, delivery) = (Instant::now(), rounds.round.delivery);
        let before = self.cache.usage();
        self.groups[group].waiting.clear();
        for index in self.groups[group].seats.clone() {
            if self.fill_seat(index, net, rounds)? {
                self.groups[group].waiting.push(index);
            }
        }
        if rounds.job.standing.is_over() {
            self.groups[group].waiting.clear();
        }
        let CacheUsage { asked, found } = self.cache.usage();
        rounds.round.looked_up += asked - before.asked;
        rounds.round.found += found - before.found;
        let delivery = rounds.round.delivery - delivery;
        rounds.round.tree += began.elapsed().saturating_sub(delivery);
        Ok(())
    }

    /// Plays in one seat until a state needs an evaluation. Returns whether one does: not if the
    /// run is over or no game is left to begin.
    fn fill_seat(
        &mut self,
        index: usize,
        net: &Arc<Net>,
        rounds: &mut Rounds<'_>,
    ) -> Result<bool, SelfPlayError> {
        let Rounds { job, round, .. } = rounds;
        while !job.standing.is_over() {
            let seat = &mut self.seats[index];
            if seat.is_free() {
                let Some(number) = job.standing.begin_game() else { return Ok(false) };
                let seed_and_number = (self.seed, number);
                seat.begin(self.game, &self.start, seed_and_number, net, &self.settings);
            }
            let before = seat.steps();
            let turn = seat.play_on(&self.settings, &mut self.cache, net);
            round.full_trees += seat.newly_full();
            let finished = match turn {
                Turn::Leaf => {
                    round.steps += (seat.steps() - before) as u64;
                    return Ok(true);
                }
                Turn::Over(finished) => finished,
            };
            let record = &finished.record;
            round.steps += (record.steps.len() - before) as u64;
            round.games += 1;
            let (worker, seed) = (self.index, record.seed);
            record.check().map_err(|error| SelfPlayError::Record { worker, seed, error })?;
            job.standing.end_game(record.steps.len());
            let asked = Instant::now();
            let gone = job.finished.send(finished).is_err();
            round.delivery += asked.elapsed();
            if gone {
                // Nobody takes games any more: the run is being given up.
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// Sends the states that wait in a group. Returns whether there are any.
    fn send(&mut self, group: usize, client: &mut dyn Client) -> Result<bool, EvaluatorError> {
        let Group { seats, waiting } = &self.groups[group];
        if waiting.is_empty() {
            return Ok(false);
        }
        let mut queries = emptied(std::mem::take(&mut self.room));
        queries.extend(waiting.iter().map(|&index| self.seats[index].query()));
        let sent = client.send(group, &queries, seats.len());
        self.room = emptied(queries);
        sent.map(|()| true)
    }

    /// Gives the next answers that come to the seats that wait for them, and sets `net` if they are by a
    /// newer network. Returns their group.
    fn receive(
        &mut self,
        client: &mut dyn Client,
        net: &mut Arc<Net>,
        round: &mut Round,
    ) -> Result<usize, EvaluatorError> {
        let Answered { group, answers, net: by } = client.receive()?;
        let waiting = &self.groups[group].waiting;
        let (asked, answered) = (waiting.len(), answers.len());
        if asked != answered {
            return Err(EvaluatorError(format!("{answered} answers to {asked} queries")));
        }
        let began = Instant::now();
        if by.number > net.number {
            self.cache.forget();
            net.clone_from(by);
        }
        round.evaluations += asked as u64;
        for (index, &seat) in waiting.iter().enumerate() {
            let (seat, answer) = (&mut self.seats[seat], answers.get(index));
            // Another device may still have been at work with the network before.
            if by.number == net.number {
                self.cache.put(&seat.query(), answer);
            }
            seat.adopt(by);
            seat.apply(answer);
            round.repaired += seat.newly_repaired();
        }
        round.tree += began.elapsed();
        Ok(group)
    }
}

/// What a worker does, counted round by round.
struct Rounds<'a> {
    job: &'a Job<'a>,
    round: Round,
    /// When the last round ended.
    last: Instant,
}

impl Rounds<'_> {
    /// Ends a round.
    fn count(&mut self) {
        let now = Instant::now();
        self.round.stall = now - std::mem::replace(&mut self.last, now);
        self.job.progress.add(&self.round);
        self.round = Round::default();
    }
}

/// The same list without its queries, for others: collecting in place keeps the memory.
fn emptied<'b>(mut queries: Vec<Query<'_>>) -> Vec<Query<'b>> {
    queries.clear();
    queries.into_iter().map(|_| unreachable!("the list is empty")).collect()
}
