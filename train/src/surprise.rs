//! How much a search has found out: the weights of the rows of a game.

use selfplay::StepRecord;

/// Priors below this are taken for it: half precision knows no smaller ones well.
const LEAST_PRIOR: f64 = 1e-6;

/// The divergence of the search's policy from the network's, in nats: 0 if the network knew it all, or
/// was not asked because looking one ply ahead was enough. `buffer` is memory to be used again.
///
/// Records keep the priors of visited steps. All others share what is left of both distributions: the
/// completed-Q policy raises or lowers all of them by one factor, so nothing is lost by taking them
/// together.
fn surprise(step: &StepRecord, buffer: &mut Vec<f32>) -> f64 {
    let Some(target) = &step.target else { return 0.0 };
    // The priors of such a root are made up.
    if step.values.is_none_or(|values| values.raw.is_none()) {
        return 0.0;
    }
    target.write(usize::from(step.legal), buffer);
    let term = |target: f64, prior: f64| match target > 0.0 {
        true => target * (target / prior.max(LEAST_PRIOR)).ln(),
        false => 0.0,
    };
    let (mut sum, mut target_left, mut prior_left) = (0.0, 1.0, 1.0);
    for visited in &step.visited {
        let target = f64::from(buffer[usize::from(visited.index)]);
        let prior = visited.prior.to_f64();
        sum += term(target, prior);
        target_left -= target;
        prior_left -= prior;
    }
    (sum + term(target_left, prior_left)).max(0.0)
}

/// For each of `steps`, the chance that a row drawn from them is this one or an earlier one: the
/// share `surprise` of it in proportion to what was found out there, the rest evenly (KataGo's policy
/// surprise weighting). The last is 1.
pub(crate) fn chances<'s>(
    steps: impl ExactSizeIterator<Item = &'s StepRecord>,
    share: f64,
) -> Box<[f32]> {
    let even = 1.0 / steps.len().max(1) as f64;
    let mut buffer = Vec::new();
    let found: Vec<f64> = steps.map(|step| surprise(step, &mut buffer)).collect();
    let all: f64 = found.iter().sum();
    let of = |found: f64| if all > 1e-9 { found / all } else { even };
    let mut sum = 0.0;
    let chances = found.into_iter().map(|found| {
        sum += (1.0 - share) * even + share * of(found);
        sum as f32
    });
    let mut chances: Box<[f32]> = chances.collect();
    // Whatever the rounding.
    if let Some(last) = chances.last_mut() {
        *last = 1.0;
    }
    chances
}

#[cfg(test)]
mod tests {
    use half::f16;
    use search::Wdl;
    use selfplay::{Choice, Policy, RootValues, Visited, Wdl16};

    use super::*;

    /// A search of a position with four legal steps, of which the first was visited.
    fn step(prior: f32, target: [f32; 4]) -> StepRecord {
        let visited = Visited {
            index: 0,
            proven: None,
            visits: 3,
            q: f16::ZERO,
            prior: f16::from_f32(prior),
        };
        let even = Wdl16::from(Wdl { win: 0.5, draw: 0.0, loss: 0.5 });
        StepRecord {
            played: games::Step::from_bits(0),
            legal: 4,
            choice: Choice::Full,
            proven: None,
            values: Some(RootValues { raw: Some(even), searched: even }),
            target: Some(Policy::new(&target, |_| true)),
            visited: Box::new([visited]),
        }
    }

    #[test]
    fn surprise_is_the_divergence_from_the_prior() {
        let mut buffer = Vec::new();
        let mut of = |step: StepRecord| surprise(&step, &mut buffer);
        assert!(of(step(0.25, [0.25; 4])) < 1e-6);
        // 0.5 ln(0.5 / 0.125) + 0.5 ln(0.5 / 0.875)
        let half = of(step(0.125, [0.5, 0.25, 0.125, 0.125]));
        assert!((half - 0.413_34).abs() < 1e-3, "{half}");
        assert!(of(step(0.0, [1.0, 0.0, 0.0, 0.0])).is_finite());
    }

    /// A mate that is seen without the network is not news: its priors are made up.
    #[test]
    fn what_the_network_was_not_asked_is_no_surprise() {
        let mut seen = step(0.25, [1.0, 0.0, 0.0, 0.0]);
        assert!(surprise(&seen, &mut Vec::new()) > 1.0);
        seen.values.as_mut().unwrap().raw = None;
        assert_eq!(surprise(&seen, &mut Vec::new()), 0.0);
    }

    #[test]
    fn rows_with_news_are_drawn_more_often() {
        let steps = [step(0.25, [0.25; 4]), step(0.125, [0.5, 0.25, 0.125, 0.125])];
        assert_eq!(*chances(steps.iter(), 0.0), [0.5, 1.0]);
        assert_eq!(*chances(steps.iter(), 0.5), [0.25, 1.0]);
        assert_eq!(*chances(steps[..1].iter(), 0.5), [1.0]);
        assert!(chances([].iter(), 0.5).is_empty());
    }
}
