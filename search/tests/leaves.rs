//! Several states of one search that wait for their evaluations at a time.

use games::{Game, History, State, Step};
use proptest::prelude::*;
use search::{
    Answer, Answers, Branch, Ended, EvaluationCache, Evaluator, Gathered, SearchSettings, Searcher,
    Wdl,
};

use crate::support::{Endless, Hashed, Noughts, Script, blind, gumbel, puct, run};

fn with_leaves(settings: SearchSettings, leaves: usize) -> SearchSettings {
    SearchSettings { leaves, ..settings }
}

/// Answers all states that wait.
fn answer_all<S: State>(searcher: &mut Searcher<S>) {
    let mut answers = Answers::default();
    let queries: Vec<_> = searcher.queries().collect();
    let asked = queries.len();
    Hashed.evaluate(&queries, &mut answers).expect("it never fails");
    (0..asked).for_each(|index| searcher.apply(answers.get(index)));
}

/// The tree computed again: every node that is not proven has the visits and the sums of its own
/// evaluation, which `raw` tells for White, and of all its children.
fn check_sums<S: State>(searcher: &Searcher<S>) {
    let branches = searcher.branches();
    let mut line: Vec<Step> = Vec::new();
    for (index, node) in branches.iter().enumerate() {
        line.truncate(node.depth.saturating_sub(1));
        line.extend(node.step);
        if node.proven.is_some() {
            continue;
        }
        let mut state = searcher.root().clone();
        line.iter().for_each(|&step| state.play(step));
        let mut steps = Vec::new();
        state.steps(&mut steps);
        let mut answers = Answers::default();
        let query = search::Query { state: &state, steps: &steps };
        Hashed.evaluate(&[query], &mut answers).expect("it never fails");
        let raw = answers.get(0).value.seen_by(state.side_to_move());
        let below = branches[index + 1..].iter().take_while(|below| below.depth > node.depth);
        let children: Vec<&Branch> = below.filter(|below| below.depth == node.depth + 1).collect();
        let visits: u32 = children.iter().map(|child| child.visits).sum();
        assert_eq!(node.visits, 1 + visits, "{line:?}");
        // A child that was proven late has been visited with other values before.
        if children.iter().all(|child| child.proven.is_none()) {
            let sum = |part: fn(Wdl) -> f32| {
                let below: f32 = children.iter().map(|c| part(c.value) * c.visits as f32).sum();
                (part(raw) + below) / node.visits as f32
            };
            assert!((sum(|value| value.win) - node.value.win).abs() < 1e-4, "{line:?}");
            assert!((sum(|value| value.loss) - node.value.loss).abs() < 1e-4, "{line:?}");
        }
    }
}

/// Searches with answers for whole batches, and looks at every batch.
fn search_in_batches<S: State>(searcher: &mut Searcher<S>, simulations: u32, leaves: usize) {
    searcher.start(simulations, true);
    while searcher.gather() == Gathered::Leaf {
        let waiting = searcher.queries().len();
        assert!((1..=leaves).contains(&waiting));
        assert_eq!(searcher.gather(), Gathered::Leaf, "asked twice, said twice");
        assert_eq!(searcher.queries().len(), waiting);
        let mut keys: Vec<_> = searcher.queries().map(|query| query.state.key()).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), waiting, "no state waits twice");
        answer_all(searcher);
    }
    assert_eq!(searcher.queries().len(), 0);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 60,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn visits_are_exact_and_sums_are_those_of_a_fresh_computation(
        leaves in 1_usize..20,
        simulations in 0_u32..300,
        legal in 1_u16..40,
        later in 1_u16..8,
        seed: u64,
    ) {
        for settings in [gumbel(), puct()] {
            let settings = with_leaves(settings, leaves);
            let mut searcher = Searcher::new(Endless::new(legal, later), settings, seed);
            search_in_batches(&mut searcher, simulations, leaves);
            let decision = searcher.decision();
            prop_assert_eq!(decision.simulations, simulations);
            let visits: u32 = decision.candidates.iter().map(|c| c.visits).sum();
            prop_assert_eq!(visits, simulations);
            prop_assert_eq!(decision.ended, Ended::Spent);
            check_sums(&searcher);
            searcher.advance(decision.step);
            search_in_batches(&mut searcher, simulations, leaves);
            check_sums(&searcher);
        }
    }

    /// What waits and is given up leaves no trace: not in the tree, not in any later search.
    #[test]
    fn what_is_abandoned_has_not_been(
        leaves in 2_usize..20,
        simulations in 1_u32..100,
        answered in 0_usize..20,
        noise: bool,
        seed: u64,
    ) {
        for settings in [gumbel(), puct()] {
            let settings = with_leaves(settings, leaves);
            let mut searcher = Searcher::new(Endless::new(9, 5), settings, seed);
            searcher.start(simulations, noise);
            prop_assert_eq!(searcher.gather(), Gathered::Leaf);
            answer_all(&mut searcher);
            for _ in 0..3 {
                if searcher.gather() == Gathered::Done {
                    break;
                }
                // Some are answered; the rest waits on.
                let many = answered.min(searcher.queries().len());
                for _ in 0..many {
                    let mut answers = Answers::default();
                    Hashed.evaluate(&[searcher.query()], &mut answers).expect("it never fails");
                    searcher.apply(answers.get(0));
                }
            }
            let mut twin = Searcher::new(Endless::new(9, 5), settings, seed);
            let before = searcher.branches();
            searcher.start(simulations, false);
            prop_assert_eq!(searcher.queries().len(), 0);
            prop_assert_eq!(&searcher.branches(), &before);
            check_sums(&searcher);
            // From the same tree the same search follows, whatever waited before.
            searcher.reset(&Endless::new(9, 5));
            run(&mut searcher, &mut Hashed, simulations, false);
            run(&mut twin, &mut Hashed, simulations, false);
            prop_assert_eq!(searcher.branches(), twin.branches());
        }
    }
}

#[test]
fn abandoned_simulations_do_not_count_as_visits() {
    for settings in [gumbel(), puct()] {
        let settings = with_leaves(settings, 8);
        let start = Endless::new(9, 5);
        let [mut one, mut other] = [(); 2].map(|()| Searcher::new(start, settings, 1));
        for searcher in [&mut one, &mut other] {
            run(searcher, &mut Hashed, 100, false);
        }
        // One search begins and is given up with eight states waiting; both go on alike.
        one.start(1_000, false);
        assert_eq!(one.gather(), Gathered::Leaf);
        assert!(one.queries().len() > 1);
        for searcher in [&mut one, &mut other] {
            run(searcher, &mut Hashed, 300, false);
        }
        assert_eq!(one.branches(), other.branches());
        // The same with a step played in between.
        let step = one.decision().step;
        one.start(1_000, false);
        assert_eq!(one.gather(), Gathered::Leaf);
        for searcher in [&mut one, &mut other] {
            searcher.advance(step);
            run(searcher, &mut Hashed, 500, false);
        }
        assert_eq!(one.branches(), other.branches());
    }
}

#[test]
fn answers_go_to_their_own_states() {
    // Values by state: with a mix-up of the order the sums could not come out.
    let mut searcher = Searcher::new(Noughts::new(true), with_leaves(blind(puct()), 7), 1);
    for simulations in [50, 200] {
        search_in_batches(&mut searcher, simulations, 7);
        check_sums(&searcher);
    }
    let chess = History::new(Game::by_id("chess").unwrap().start());
    let mut searcher = Searcher::new(chess, with_leaves(gumbel(), 16), 1);
    search_in_batches(&mut searcher, 200, 16);
    check_sums(&searcher);
}

#[test]
fn candidates_of_a_phase_wait_together() {
    let mut searcher = Searcher::new(Endless::new(30, 30), with_leaves(gumbel(), 64), 1);
    searcher.start(64, true);
    let mut batches = Vec::new();
    while searcher.gather() == Gathered::Leaf {
        batches.push(searcher.queries().len());
        answer_all(&mut searcher);
    }
    // The root; 16 candidates; 8 twice, the second time below nodes that are new; and so on.
    assert_eq!(batches[..2], [1, 16]);
    assert_eq!(batches.iter().sum::<usize>(), 65);
    assert!(batches.len() < 20, "{batches:?}");
}

#[test]
fn small_games_are_solved_with_many_states_waiting() {
    let text = "w[ w[w[B B] w[B B]] w[w[B W] w[B B]] ]";
    for settings in [gumbel(), puct(), blind(gumbel()), blind(puct())] {
        for leaves in [1, 2, 5, 100] {
            let settings = with_leaves(settings, leaves);
            let mut searcher = Searcher::new(Script::new(text), settings, 7);
            let decision = run(&mut searcher, &mut Hashed, 200, true);
            assert_eq!(decision.step, Script::step(1));
            assert_eq!(decision.ended, Ended::Proven);
            assert_eq!(decision.proven.map(|proof| proof.steps), Some(3));
        }
    }
}

#[test]
fn a_single_way_waits_for_its_state() {
    for settings in [gumbel(), puct()] {
        let mut searcher = Searcher::new(Endless::new(1, 1), with_leaves(settings, 8), 1);
        searcher.start(20, true);
        while searcher.gather() == Gathered::Leaf {
            assert_eq!(searcher.queries().len(), 1);
            answer_all(&mut searcher);
        }
        assert_eq!(searcher.decision().simulations, 20);
    }
}

#[test]
fn known_states_do_not_wait() {
    let start = History::new(Game::by_id("cheskers").unwrap().start());
    for settings in [gumbel(), puct()] {
        let mut cache = EvaluationCache::new(1 << 22);
        let mut asked = Vec::new();
        for _ in 0..2 {
            let mut searcher = Searcher::new(start.clone(), with_leaves(settings, 8), 1);
            let mut answers = Answers::default();
            searcher.start(100, false);
            let mut count = 0;
            while searcher.gather_known(&mut cache) == Gathered::Leaf {
                count += searcher.queries().len();
                let queries: Vec<_> = searcher.queries().collect();
                Hashed.evaluate(&queries, &mut answers).expect("it never fails");
                for (index, query) in queries.iter().enumerate() {
                    cache.put(query, answers.get(index));
                }
                for index in 0..answers.len() {
                    searcher.apply(answers.get(index));
                }
            }
            assert_eq!(searcher.decision().simulations, 100);
            check_sums(&searcher);
            asked.push(count);
        }
        // Answers at once change what is selected, but little.
        assert!(asked[1] * 4 < asked[0] * 3, "{asked:?}");
    }
}

#[test]
fn endings_have_words() {
    let full = SearchSettings { tree_bytes: 1 << 16, ..puct() };
    for leaves in [1, 8] {
        let mut searcher = Searcher::new(Endless::new(30, 30), with_leaves(full, leaves), 5);
        let decision = run(&mut searcher, &mut Hashed, 1_000_000, false);
        assert_eq!(decision.ended.to_string(), "the tree is full");
        let mut searcher = Searcher::new(Endless::new(30, 30), with_leaves(puct(), leaves), 5);
        assert_eq!(run(&mut searcher, &mut Hashed, 10, false).ended, Ended::Spent);
        searcher.start(1_000, false);
        assert_eq!(searcher.gather(), Gathered::Leaf);
        assert_eq!(searcher.decision().ended, Ended::Stopped);
    }
}

#[test]
fn a_repaired_answer_counts_once() {
    let mut searcher = Searcher::new(Endless::new(9, 9), with_leaves(puct(), 4), 1);
    searcher.start(20, false);
    let mut asked = 0;
    let even = Wdl { win: 0.5, draw: 0.0, loss: 0.5 };
    while searcher.gather() == Gathered::Leaf {
        let waiting = searcher.queries().len();
        for _ in 0..waiting {
            asked += 1;
            searcher.apply(Answer { value: even, logits: &[f32::NAN; 9] });
        }
    }
    assert_eq!((searcher.repaired(), asked), (21, 21));
}
