//! What a quarter of an hour of training is worth, and what the games of it say about the game.

use arena::MatchResult;
use games::Game;

use crate::program::raja;
use crate::report::{Report, machine, put_into_overview};
use crate::training::Trained;

/// Processor time, in minutes: a quarter of an hour on two cores.
const MINUTES: u32 = 30;

/// The games of the end of a run that the first facts are taken from.
const GAMES: &str = "2000";

/// Whom the last checkpoints meet.
const OPPONENTS: [&str; 6] =
    ["checkpoint 0", "random", "greedy", "alphabeta:1", "alphabeta:2", "alphabeta:3"];

/// Trains the preset, with further keys set to other values, and writes the page of its game.
pub(crate) fn learn(config: &str, others: &[&str]) {
    let settings = train::Settings::load(config.as_ref(), &[]).unwrap();
    let game = settings.game();
    let others: Vec<String> = others.iter().map(|&set| set.to_owned()).collect();
    let trained = Trained::new(config, &format!("evidence-{}", game.id), MINUTES, &others);
    page(game, &trained);
}

fn page(game: &'static Game, trained: &Trained) {
    let mut report = Report::new(game.id, &format!("{} (`{}`)", game.title, game.id));
    report.section("Learned");
    report.paragraph(trained.summary());
    report.paragraph(format!("On {}.", machine()));
    report.code(&trained.command);
    let strength = trained.files.strength().unwrap().unwrap();
    report.paragraph(format!(
        "Networks have {} simulations a step. Each opening is a few random moves that an alpha-beta \
         search finds balanced, and is played with both colours. Checkpoint 0 has learned nothing. \
         Intervals are of 95%, over pairs of games.",
        trained.settings.table.simulations,
    ));
    report.matches(strength.table.rows.iter().map(|row| &row.result));
    course(&mut report, trained);
    let games = format!("runs/evidence-{}/games", game.id);
    let facts = raja(&["records", "stats", "--facts", "--last", GAMES, &games]).done();
    // Its title is one of a section here.
    report.paragraph(facts.trim_end().replacen("# ", "## ", 1));
    report.write();
    let last = &strength.table.rows[0].result.a;
    let against = OPPONENTS.map(|opponent| {
        let mut results = strength.table.rows.iter().map(|row| &row.result);
        let is = |result: &&MatchResult| {
            result.a == *last && result.b.split('@').next().unwrap().trim() == opponent
        };
        results.find(is).unwrap()
    });
    put_into_overview(game.id, game.title, &OPPONENTS, &against);
}

/// How it went: about eight generations, evenly spread, the last one among them.
fn course(report: &mut Report, trained: &Trained) {
    report.section("Course");
    let columns = [
        "minutes",
        "games",
        "steps",
        "policy loss",
        "value loss",
        "White's score",
        "draws",
        "plies",
    ];
    let reports = &trained.reports;
    let every = reports.len().div_ceil(8);
    let shown = reports.iter().rev().step_by(every).collect::<Vec<_>>();
    let rows = shown.into_iter().rev().map(|at| {
        let loss = |of: fn(&train::Losses) -> f64| match &at.losses {
            Some(losses) => format!("{:.3}", of(losses)),
            None => "-".to_owned(),
        };
        [
            format!("{:.1}", at.seconds / 60.0),
            at.games.to_string(),
            at.step.to_string(),
            loss(|losses| losses.policy),
            loss(|losses| losses.value),
            format!("{:.0}%", (at.white + at.draws / 2.0) * 100.0),
            format!("{:.0}%", at.draws * 100.0),
            format!("{:.0}", at.length),
        ]
    });
    report.table(columns, rows);
}
