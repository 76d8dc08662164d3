//! `raja analyse`: one position as a table, many as JSON lines.

use serde_json::{Value, json};

use crate::networks;
use crate::program::{fed, raja};

#[test]
fn a_position_is_told_of_as_a_table() {
    let net = networks::tiny("cheskers");
    let args = ["analyse", "cheskers", "--net", net.file(), "--limit", "40", "--lines", "3"];
    let out = raja(&args).done();
    let lines: Vec<&str> = out.lines().collect();
    assert!(
        lines[0].starts_with("white: win ") && lines[0].contains(" after 40 visits, "),
        "{out}"
    );
    assert!(lines[0].contains("; at first sight win "), "{out}");
    assert!(lines[1].starts_with("move  visits   prior    win   draw   loss  line"), "{out}");
    assert_eq!(lines.len(), 5, "{out}");

    // What is proven needs no network.
    let fen = "8/8/8/3k4/3P4/8/8/3K4 w - - - 0 1";
    let out = raja(&["analyse", "cheskers", "--fen", fen, "--limit", "5"]).done();
    assert!(out.starts_with("white: proven: white in 1 steps"), "{out}");
    let best = out.lines().nth(2).unwrap();
    assert!(best.starts_with("d4d6") && best.contains("(wins in 1)"), "{out}");
    let over = ["analyse", "cheskers", "--fen", fen, "--moves", "d4d6"];
    assert_eq!(raja(&over).done(), "the game is over: white (rules)\n");
    raja(&["analyse", "cheskers", "--moves", "e2e5"]).code.filter(|&code| code == 2).unwrap();
}

#[test]
fn every_question_is_answered_by_its_id() {
    let net = networks::tiny("cheskers");
    let mut questions = Vec::new();
    for id in 0..20 {
        // Those that come first take longest.
        let simulations = 60 - id;
        let question = json!({ "id": id, "simulations": simulations });
        questions.extend(format!("{question}\n").bytes());
    }
    questions.extend(
        b"{\"id\": \"moved\", \"moves\": [\"e2e3\"], \"lines\": 2}\n\
         {\"id\": \"over\", \"fen\": \"8/8/8/3k4/3P4/8/8/3K4 w - - - 0 1\", \"moves\": [\"d4d6\"]}\n\
         \n{\"id\": [1], \"moves\": [\"e2e5\"]}\n{\"id\": 99, \"depth\": 5}\nnonsense\n\
         {\"simulations\": 0}\n{\"id\": \"\xff\"}\n",
    );
    let base = ["analyse", "cheskers", "--net", net.file(), "--json", "--limit", "10"];
    let ask = |more: &[&str]| -> Vec<Value> {
        let out = fed(&[&base, more].concat(), &questions).done();
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let answers = ask(&["--batch", "8"]);
    assert_eq!(answers.len(), 27);
    let of = |answers: &[Value], id: Value| {
        answers.iter().find(|answer| answer["id"] == id).cloned().unwrap_or_else(|| panic!("{id}"))
    };
    for id in 0..20 {
        let answer = of(&answers, json!(id));
        assert_eq!(answer["visits"], 60 - id, "{answer}");
        assert_eq!(answer["moves"].as_array().unwrap().len(), 8);
        let chances = answer["wdl"].as_array().unwrap().iter().map(|c| c.as_f64().unwrap());
        assert!((chances.sum::<f64>() - 1.0).abs() < 0.01, "{answer}");
    }
    let moved = of(&answers, json!("moved"));
    assert_eq!((&moved["side"], &moved["visits"]), (&json!("black"), &json!(10)));
    assert_eq!(moved["moves"].as_array().unwrap().len(), 2);
    let first = &moved["moves"][0];
    assert_eq!(first["move"], first["line"][0], "{moved}");
    let over = of(&answers, json!("over"));
    assert_eq!((&over["result"], &over["reason"]), (&json!("white"), &json!("rules")));
    let keys: Vec<&str> = over.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["fen", "id", "moves", "reason", "result", "side"]);
    assert_eq!(over["moves"], json!([]));
    let error = |id: Value| of(&answers, id)["error"].as_str().unwrap().to_owned();
    assert!(error(json!([1])).starts_with("`e2e5` is not a legal move here: legal are "));
    assert!(error(json!(99)).starts_with("unknown field `depth`"));
    assert_eq!(answers.iter().filter(|answer| answer["id"].is_null()).count(), 3, "{answers:?}");

    // Batches and threads change the order, and of a network no more than the last bits.
    let sorted = |answers: Vec<Value>| {
        let told =
            |answer: Value| ["id", "visits", "error", "result"].map(|key| answer[key].to_string());
        let mut told: Vec<[String; 4]> = answers.into_iter().map(told).collect();
        told.sort();
        told
    };
    assert_eq!(sorted(ask(&["--batch", "1", "--threads", "2"])), sorted(answers));
}

#[test]
fn limits_that_do_not_fit_are_refused() {
    raja(&["analyse", "cheskers", "--json", "--limit", "50ms"])
        .refused(2, "--json is limited by simulations, not by 50ms");
    let message = "expected simulations, or milliseconds as 500ms";
    raja(&["analyse", "cheskers", "--limit", "9nodes"])
        .refused(2, &format!("invalid value '9nodes' for '--limit <SIMS>': {message}"));
}
