//! Each file of `tests/data` is one search: what was searched, with which settings, and the whole
//! tree it must end in. If a change of the search is wanted, copy the trees that the failing test
//! leaves (its message says where) over the old ones and read the difference before committing it.

use std::path::Path;

use games::{Outcome, Side, State};
use search::{Branch, Proof, SearchSettings, Searcher};
use serde_json::{Value, json};

use crate::support::{Hashed, Noughts, Script, blind, gumbel, puct, run};

/// Floats are stored with this many decimals, and compared within their last.
const DECIMALS: i32 = 5;

fn rounded(x: f32) -> Value {
    let scale = 10_f64.powi(DECIMALS);
    json!((f64::from(x) * scale).round() / scale)
}

fn proof(proof: Option<Proof>) -> Value {
    proof.map_or(Value::Null, |proof| {
        let winner = match proof.outcome {
            Outcome::Win(Side::White) => "white",
            Outcome::Win(Side::Black) => "black",
            Outcome::Draw => "draw",
        };
        json!([winner, proof.steps])
    })
}

fn node(branch: &Branch) -> Value {
    json!({
        "depth": branch.depth,
        "step": branch.step.map(|step| format!("{step:?}")),
        "prior": rounded(branch.prior),
        "visits": branch.visits,
        "white": [rounded(branch.value.win), rounded(branch.value.draw), rounded(branch.value.loss)],
        "proven": proof(branch.proven),
    })
}

/// Searches, and puts all of it into one JSON value.
fn tree<S: State>(root: S, settings: SearchSettings, simulations: u32, noise: bool) -> Value {
    let mut searcher = Searcher::new(root, settings, 1);
    let decision = run(&mut searcher, &mut Hashed, simulations, noise);
    let target: Vec<_> =
        decision.candidates.iter().map(|candidate| rounded(candidate.target)).collect();
    json!({
        "settings": settings,
        "simulations": simulations,
        "noise": noise,
        "step": format!("{:?}", decision.step),
        "value": rounded(decision.value.score()),
        "target": target,
        "nodes": searcher.branches().iter().map(node).collect::<Vec<_>>(),
    })
}

/// Equal, floats within one unit of the last decimal.
fn alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let difference = a.as_f64().unwrap_or(f64::NAN) - b.as_f64().unwrap_or(f64::NAN);
            difference.abs() < 1.5 * 10_f64.powi(-DECIMALS)
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| alike(a, b)))
        }
        _ => a == b,
    }
}

#[test]
fn golden_trees() {
    let script = "w[ w[b[w[B =] w[W =]] w[= B]] b[w[b[= B] B] b[w[W B] =]] b[= w[B b[W w[= B]]]] ]";
    let trees = [
        ("gumbel-script", tree(Script::new(script), blind(gumbel()), 40, false)),
        ("gumbel-script-noise", tree(Script::new(script), gumbel(), 40, true)),
        ("puct-script", tree(Script::new(script), blind(puct()), 60, false)),
        ("gumbel-noughts", tree(Noughts::new(false), gumbel(), 48, false)),
        ("gumbel-noughts-noise", tree(Noughts::new(false), gumbel(), 16, true)),
        ("puct-noughts", tree(Noughts::new(false), puct(), 64, false)),
        ("puct-noughts-noise", tree(Noughts::new(false), puct(), 64, true)),
        ("gumbel-double-noughts", tree(Noughts::new(true), gumbel(), 48, true)),
        ("puct-double-noughts", tree(Noughts::new(true), puct(), 64, true)),
    ];
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let found = Path::new(env!("CARGO_TARGET_TMPDIR")).join("golden");
    std::fs::create_dir_all(&found).expect("the target folder is ours");
    let mut different = Vec::new();
    for (name, tree) in trees {
        let file = format!("{name}.json");
        let text = std::fs::read_to_string(data.join(&file)).unwrap_or_default();
        let golden: Value = serde_json::from_str(&text).unwrap_or_default();
        if !alike(&golden, &tree) {
            let text = serde_json::to_string_pretty(&tree).expect("a tree is JSON") + "\n";
            std::fs::write(found.join(&file), text).expect("the target folder is ours");
            different.push(file);
        }
    }
    assert!(
        different.is_empty(),
        "{different:?} in {} differ from those in {}",
        found.display(),
        data.display()
    );
}
