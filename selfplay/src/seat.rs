//! [`Seat`]: one game in progress.

use std::sync::Arc;

use games::{Game, History, State, Step};
use half::f16;
use rand::{Rng, RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search::{Answer, Candidate, Decision, Ended, EvaluationCache, Gathered, Query, Searcher};

use crate::evaluators::Net;
use crate::record::{
    Choice, GameRecord, NetSpan, Policy, RootValues, StepRecord, Verdict, Visited,
};
use crate::resignation::{LosingPlies, Resignation, is_played_out};
use crate::settings::SelfPlaySettings;

/// Plays one game after the other.
#[derive(Debug)]
pub(crate) struct Seat {
    searcher: Searcher<History>,
    playing: Option<Playing>,
    legal: Vec<Step>,
    targets: Vec<f32>,
    /// Repaired evaluations that have been reported.
    repaired: u64,
    /// Searches that ended with a full tree and have not been reported yet.
    full_trees: u64,
}

/// What a game in progress has besides its search.
#[derive(Debug)]
struct Playing {
    /// The how many-th game of its pool it is, counted from 0.
    number: u64,
    record: GameRecord,
    /// The network that was asked last.
    adopted: Arc<Net>,
    /// Decides about openings and searches; the searcher has its own.
    rng: Xoshiro256PlusPlus,
    opening_plies: u32,
    losing: LosingPlies,
    /// The kind of the search under way; none between two steps.
    choice: Option<Choice>,
}

/// What a game has come to.
#[derive(Debug)]
pub(crate) enum Turn {
    /// A state needs its evaluation.
    Leaf,
    /// The game is over, and the seat is free.
    Over(Finished),
}

/// A game that is over.
#[derive(Debug)]
pub(crate) struct Finished {
    /// The how many-th game of its pool it is, counted from 0.
    pub(crate) number: u64,
    pub(crate) record: GameRecord,
}

impl Seat {
    /// A free seat.
    pub(crate) fn new(start: &History, settings: &SelfPlaySettings) -> Self {
        Self {
            searcher: Searcher::new(start.clone(), settings.search, 0),
            playing: None,
            legal: Vec::new(),
            targets: Vec::new(),
            repaired: 0,
            full_trees: 0,
        }
    }

    /// Whether no game is under way.
    pub(crate) fn is_free(&self) -> bool {
        self.playing.is_none()
    }

    /// The number of the game under way.
    pub(crate) fn number(&self) -> Option<u64> {
        self.playing.as_ref().map(|playing| playing.number)
    }

    /// Begins game `number` from `start`. All chance in it comes from the number and the pool's seed.
    pub(crate) fn begin(
        &mut self,
        game: &'static Game,
        start: &History,
        (pool_seed, number): (u64, u64),
        net: &Arc<Net>,
        settings: &SelfPlaySettings,
    ) {
        let seed = game_seed(pool_seed, number);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        self.searcher.reset(start);
        self.searcher.reseed(rng.next_u64());
        let opening_plies = rng.random_range(settings.opening_least..=settings.opening_most);
        let record = GameRecord {
            game,
            seed,
            start: start.position().fen(),
            nets: vec![NetSpan { first_step: 0, net: net.id.clone() }],
            steps: Vec::new(),
            end: None,
            resignation: None,
        };
        self.playing = Some(Playing {
            number,
            record,
            adopted: Arc::clone(net),
            rng,
            opening_plies,
            losing: LosingPlies::default(),
            choice: None,
        });
    }

    /// From the step under way on, network `net` is asked.
    pub(crate) fn adopt(&mut self, net: &Arc<Net>) {
        let Some(Playing { record, adopted, .. }) = &mut self.playing else { return };
        if Arc::ptr_eq(adopted, net) {
            return;
        }
        adopted.clone_from(net);
        let net = &net.id;
        let now = record.steps.len() as u32;
        record.nets.pop_if(|span| span.first_step == now);
        if record.nets.last().is_none_or(|span| span.net != *net) {
            record.nets.push(NetSpan { first_step: now, net: net.clone() });
        }
    }

    /// Plays on until a state needs its evaluation that `cache` does not have, whose answers are of
    /// network `net`, or the game is over. Asked again without an answer in between, it says the same
    /// again.
    ///
    /// # Panics
    /// If the seat is free.
    pub(crate) fn play_on(
        &mut self,
        settings: &SelfPlaySettings,
        cache: &mut EvaluationCache,
        net: &Arc<Net>,
    ) -> Turn {
        loop {
            let playing = self.playing.as_mut().expect("a game is under way");
            let goes_on = if let Some(choice) = playing.choice {
                let found = cache.usage().found;
                let gathered = self.searcher.gather_known(cache);
                if cache.usage().found > found {
                    self.adopt(net);
                }
                if gathered == Gathered::Leaf {
                    return Turn::Leaf;
                }
                self.play_decision(choice, settings)
            } else {
                self.begin_step(settings)
            };
            if !goes_on {
                let Playing { number, record, .. } =
                    self.playing.take().expect("a game is under way");
                return Turn::Over(Finished { number, record });
            }
        }
    }

    /// The state that needs its evaluation, after [`Turn::Leaf`].
    pub(crate) fn query(&self) -> Query<'_> {
        self.searcher.query()
    }

    /// Takes the evaluation of [`Seat::query`]'s state.
    pub(crate) fn apply(&mut self, answer: Answer<'_>) {
        self.searcher.apply(answer);
    }

    /// Evaluations repaired since this was last asked.
    pub(crate) fn newly_repaired(&mut self) -> u64 {
        let before = std::mem::replace(&mut self.repaired, self.searcher.repaired());
        self.repaired - before
    }

    /// Searches that ended early with a full tree since this was last asked.
    pub(crate) fn newly_full(&mut self) -> u64 {
        std::mem::take(&mut self.full_trees)
    }

    /// The number of steps played in the game under way.
    pub(crate) fn steps(&self) -> usize {
        self.playing.as_ref().map_or(0, |playing| playing.record.steps.len())
    }

    /// Starts the search of the next step, or plays the step at once if there is nothing to search.
    /// Returns whether the game goes on.
    fn begin_step(&mut self, settings: &SelfPlaySettings) -> bool {
        let playing = self.playing.as_mut().expect("a game is under way");
        let root = self.searcher.root();
        self.legal.clear();
        if root.steps(&mut self.legal).is_some() {
            playing.record.end = root.end();
            return false;
        }
        let plies = root.plies();
        let between_moves = !root.position().mid_move();
        if between_moves && settings.cut_off_plies.is_some_and(|most| plies >= most) {
            return false;
        }
        if self.legal.len() == 1 || root.foregone().is_some() {
            let forced = StepRecord {
                played: self.legal[0],
                legal: narrow(self.legal.len()),
                choice: Choice::Forced,
                proven: None,
                values: None,
                target: None,
                visited: Box::default(),
            };
            self.play(forced);
            return true;
        }
        let choice = if plies < playing.opening_plies {
            Choice::Opening
        } else if playing.rng.random::<f32>() < settings.full_share {
            Choice::Full
        } else {
            Choice::Cheap
        };
        playing.choice = Some(choice);
        match choice {
            Choice::Full => self.searcher.start(settings.search.simulations, true),
            Choice::Cheap => self.searcher.start(settings.cheap_simulations, false),
            Choice::Opening | Choice::Forced => self.searcher.start(0, false),
        }
        true
    }

    /// Plays what the search has come to, or resigns. Returns whether the game goes on.
    fn play_decision(&mut self, choice: Choice, settings: &SelfPlaySettings) -> bool {
        let decision = self.searcher.decision();
        self.full_trees += u64::from(decision.ended == Ended::TreeFull);
        if choice != Choice::Opening && self.resigns(&decision, settings) {
            return false;
        }
        // A proof is never left to chance, and always worth learning.
        let choice = if decision.proven.is_some() { Choice::Full } else { choice };
        let temperature = match choice {
            // Without simulations the improved policy is the network's own, lost steps left out.
            Choice::Opening => settings.opening_temperature,
            _ => settings.temperature_at(self.searcher.root().plies()),
        };
        let played = match decision.proven {
            Some(_) => decision.step,
            None => self.searcher.sample(&decision, temperature),
        };
        let step = self.record_of(played, choice, &decision);
        self.play(step);
        true
    }

    /// Whether the side to move ends the game by resigning. The first resignation of a game is
    /// recorded even if it is not heard.
    fn resigns(&mut self, decision: &Decision, settings: &SelfPlaySettings) -> bool {
        let root = self.searcher.root();
        let Playing { record, losing, .. } = self.playing.as_mut().expect("a game is under way");
        let side = root.side_to_move();
        if root.position().mid_move()
            || record.resignation.is_some()
            || !losing.gives_up(side, decision, settings)
        {
            return false;
        }
        record.resignation = Some(Resignation { side, step: record.steps.len() as u32 });
        !is_played_out(record.seed, settings.resign_played_out)
    }

    fn record_of(&mut self, played: Step, choice: Choice, decision: &Decision) -> StepRecord {
        let side = self.searcher.root().side_to_move();
        let candidates = &decision.candidates;
        let known = |candidate: &Candidate| candidate.visits > 0 || candidate.proven.is_some();
        let target = (choice == Choice::Full).then(|| {
            self.targets.clear();
            self.targets.extend(candidates.iter().map(|candidate| candidate.target));
            Policy::new(&self.targets, |index| known(&candidates[index]))
        });
        let visited = candidates.iter().enumerate().filter(|(_, candidate)| known(candidate));
        let visited = visited.map(|(index, candidate)| Visited {
            index: narrow(index),
            proven: candidate.proven.map(|proof| Verdict::of(proof.outcome, side)),
            visits: candidate.visits,
            // Chances may sum to a little more than 1, a score not.
            q: f16::from_f32(candidate.q.clamp(-1.0, 1.0)),
            prior: f16::from_f32(candidate.prior),
        });
        StepRecord {
            played,
            legal: narrow(candidates.len()),
            choice,
            proven: decision.proven.map(|proof| Verdict::of(proof.outcome, side)),
            values: Some(RootValues {
                raw: decision.raw.map(Into::into),
                searched: decision.value.into(),
            }),
            target,
            visited: visited.collect(),
        }
    }

    fn play(&mut self, step: StepRecord) {
        let playing = self.playing.as_mut().expect("a game is under way");
        playing.choice = None;
        self.searcher.advance(step.played);
        playing.record.steps.push(step);
    }
}

/// The seed of the game `number` of a pool with the seed `pool_seed`: different for every game of
/// every pool.
#[must_use]
pub fn game_seed(pool_seed: u64, number: u64) -> u64 {
    let mut hasher = blake3::Hasher::new();
    for part in [pool_seed, number] {
        hasher.update(&part.to_le_bytes());
    }
    u64::from_le_bytes(*hasher.finalize().as_bytes().first_chunk().expect("32 bytes"))
}

/// A number of legal steps, or an index into them, as records keep it.
fn narrow(count: usize) -> u16 {
    u16::try_from(count).expect("a position has at most 65,535 steps")
}
