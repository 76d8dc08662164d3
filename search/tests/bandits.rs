use games::{Side, State, Step};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search::{
    Algorithm, Answers, Evaluator, EvaluatorError, GumbelSettings, Query, SearchSettings, Searcher,
    Wdl,
};

use crate::support::{Endless, gumbel, run};

/// A bandit: every step leads to positions whose values the evaluator knows exactly. The root's own
/// value is that of the priors, as the theorem wants it.
struct Bandit {
    logits: Vec<f32>,
    /// The score of each step for White, who moves at the root.
    q: Vec<f32>,
}

impl Bandit {
    fn random(rng: &mut impl Rng) -> Self {
        let arms = rng.random_range(2..=20);
        Self {
            logits: (0..arms).map(|_| rng.random_range(-2.0..2.0)).collect(),
            q: (0..arms).map(|_| rng.random_range(-1.0..1.0)).collect(),
        }
    }

    fn priors(&self) -> Vec<f32> {
        let sum: f32 = self.logits.iter().map(|logit| logit.exp()).sum();
        self.logits.iter().map(|logit| logit.exp() / sum).collect()
    }

    fn value_of_priors(&self) -> f32 {
        self.priors().iter().zip(&self.q).map(|(prior, q)| prior * q).sum()
    }

    fn q_of(&self, step: Step) -> f32 {
        let arm = (0..self.q.len()).find(|&arm| Endless::step(arm as u16) == step);
        self.q[arm.expect("an arm")]
    }

    fn searcher(&self, settings: SearchSettings, seed: u64) -> Searcher<Endless> {
        Searcher::new(Endless::new(self.q.len() as u16, 3), settings, seed)
    }
}

impl Evaluator<Endless> for Bandit {
    fn evaluate(
        &mut self,
        queries: &[Query<'_, Endless>],
        answers: &mut Answers,
    ) -> Result<(), EvaluatorError> {
        answers.clear();
        for query in queries {
            let (score, logits) = match query.state.first {
                None => (self.value_of_priors(), self.logits.clone()),
                Some(step) => (self.q_of(step), vec![0.0; query.steps.len()]),
            };
            let win = f32::midpoint(1.0, score);
            let white = Wdl { win, draw: 0.0, loss: 1.0 - win };
            answers.push(white.seen_by(query.state.side_to_move()), logits);
        }
        Ok(())
    }
}

#[test]
fn every_q_of_a_bandit_is_exact() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for seed in 0..50 {
        let mut bandit = Bandit::random(&mut rng);
        let mut searcher = bandit.searcher(gumbel(), seed);
        assert_eq!(searcher.root().side_to_move(), Side::White);
        let decision = run(&mut searcher, &mut bandit, 40, true);
        for candidate in decision.candidates.iter().filter(|candidate| candidate.visits > 0) {
            assert!((candidate.q - bandit.q_of(candidate.step)).abs() < 1e-5, "{candidate:?}");
        }
    }
}

/// The theorem of the paper: the expected q of the chosen step, and of the improved policy, is at
/// least that of the priors, for every number of simulations.
#[test]
fn the_policy_improves_with_any_number_of_simulations() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    for simulations in 2..=16 {
        let (mut chosen, mut improved, mut before) = (0.0, 0.0, 0.0);
        for _ in 0..100 {
            let mut bandit = Bandit::random(&mut rng);
            let (mut chosen_here, trials) = (0.0, 50);
            for _ in 0..trials {
                let mut searcher = bandit.searcher(gumbel(), rng.random());
                let decision = run(&mut searcher, &mut bandit, simulations, true);
                chosen_here += bandit.q_of(decision.step) / trials as f32;
                let of_target = decision.candidates.iter().map(|c| c.target * bandit.q_of(c.step));
                improved += of_target.sum::<f32>() / trials as f32;
            }
            let prior = bandit.value_of_priors();
            assert!(chosen_here > prior - 0.12, "{simulations}: {chosen_here} < {prior}");
            chosen += chosen_here;
            before += prior;
        }
        assert!(chosen > before + 10.0, "{simulations}: {chosen} against {before}");
        assert!(improved > before + 10.0, "{simulations}: {improved} against {before}");
    }
}

/// Where q counts for nothing, the chosen step is a sample of the priors, whatever the budget.
#[test]
fn without_q_the_chosen_step_is_a_sample_of_the_priors() {
    let algorithm = Algorithm::Gumbel(GumbelSettings { c_scale: 1e-9, ..Default::default() });
    let settings = SearchSettings { algorithm, ..gumbel() };
    let mut bandit = Bandit { logits: vec![0.0, 1.0, 2.0, -1.0], q: vec![0.9, -0.3, 0.1, 0.5] };
    for simulations in [1, 2, 3, 8, 21] {
        let mut searcher = bandit.searcher(settings, simulations.into());
        let mut counts = [0; 4];
        let trials = 4_000;
        for _ in 0..trials {
            searcher.reset(&Endless::new(4, 3));
            let step = run(&mut searcher, &mut bandit, simulations, true).step;
            let arm = (0..4).find(|&arm| Endless::step(arm as u16) == step).expect("an arm");
            counts[arm] += 1;
        }
        for (count, prior) in counts.iter().zip(bandit.priors()) {
            let share = *count as f32 / trials as f32;
            assert!((share - prior).abs() < 0.03, "{simulations}: {counts:?}");
        }
    }
}

/// The target is softmax(logits + sigma(completed q)), computed here a second time.
#[test]
fn the_target_is_the_improved_policy() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    for seed in 0..100 {
        let mut bandit = Bandit::random(&mut rng);
        let mut searcher = bandit.searcher(gumbel(), seed);
        let decision = run(&mut searcher, &mut bandit, 12, true);
        let most = decision.candidates.iter().map(|candidate| candidate.visits).max().unwrap_or(0);
        let raw = decision.raw.map_or(f32::NAN, Wdl::score);
        let visited = || decision.candidates.iter().filter(|candidate| candidate.visits > 0);
        let mass: f32 = visited().map(|candidate| candidate.prior).sum();
        let mean: f32 =
            visited().map(|candidate| candidate.prior * candidate.q).sum::<f32>() / mass;
        let mixed = (raw + 12.0 * mean) / 13.0;
        assert!((decision.value.score() - mixed).abs() < 1e-5);
        let weight = |candidate: &search::Candidate| {
            let q = if candidate.visits > 0 { candidate.q } else { mixed };
            candidate.prior * ((50.0 + most as f32) * (q + 1.0) / 2.0).exp()
        };
        let sum: f32 = decision.candidates.iter().map(weight).sum();
        for candidate in &decision.candidates {
            assert!((candidate.target - weight(candidate) / sum).abs() < 1e-3);
        }
    }
}

/// In a match there is no noise: the likeliest steps are the candidates and the best of them wins.
#[test]
fn without_noise_the_best_of_the_likeliest_is_chosen() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    for seed in 0..100 {
        let mut bandit = Bandit::random(&mut rng);
        let mut searcher = bandit.searcher(gumbel(), seed);
        let decision = run(&mut searcher, &mut bandit, 64, false);
        let mut order: Vec<_> = (0..bandit.q.len()).collect();
        order.sort_by(|&a, &b| bandit.logits[b].total_cmp(&bandit.logits[a]));
        order.truncate(16);
        let most = decision.candidates.iter().map(|candidate| candidate.visits).max().unwrap_or(0);
        let score = |arm: usize| bandit.logits[arm] + (50.0 + most as f32) * bandit.q[arm] / 2.0;
        let best = order.iter().copied().max_by(|&a, &b| score(a).total_cmp(&score(b)));
        // Two steps as good as each other in an early phase may fall to either side.
        let chosen = (0..bandit.q.len()).find(|&arm| Endless::step(arm as u16) == decision.step);
        let (best, chosen) = (best.expect("an arm"), chosen.expect("an arm"));
        assert!(score(chosen) > score(best) - 0.5, "{chosen} instead of {best}");
    }
}
