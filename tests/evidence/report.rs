//! [`Report`]: a page of `docs/evidence/`, written by the part of the evidence that it shows.

use std::fmt::{Display, Write as _};
use std::path::{Path, PathBuf};

use arena::{Elo, MatchResult, share_of};

use crate::program::raja;

/// A page in Markdown.
#[derive(Debug)]
pub(crate) struct Report {
    /// The file without its suffix.
    name: String,
    text: String,
}

impl Report {
    pub(crate) fn new(name: &str, title: &str) -> Self {
        let text =
            format!("# {title}\n\nWritten by `make evidence`; see [the other pages](README.md).\n");
        Self { name: name.to_owned(), text }
    }

    pub(crate) fn section(&mut self, title: &str) {
        write!(self.text, "\n## {title}\n").unwrap();
    }

    pub(crate) fn paragraph(&mut self, text: impl Display) {
        write!(self.text, "\n{text}\n").unwrap();
    }

    pub(crate) fn code(&mut self, text: impl Display) {
        write!(self.text, "\n```\n{text}\n```\n").unwrap();
    }

    /// Rows of as many cells as there are `columns`.
    pub(crate) fn table<const N: usize>(
        &mut self,
        columns: [&str; N],
        rows: impl IntoIterator<Item = [String; N]>,
    ) {
        let ruler = "|---".repeat(N);
        write!(self.text, "\n| {} |\n{ruler}|\n", columns.join(" | ")).unwrap();
        for row in rows {
            writeln!(self.text, "| {} |", row.join(" | ")).unwrap();
        }
    }

    /// Matches, a row each.
    pub(crate) fn matches<'r>(&mut self, results: impl IntoIterator<Item = &'r MatchResult>) {
        let columns = ["player", "opponent", "games", "score", "won, drawn, lost", "Elo"];
        let rows = results.into_iter().map(|result| {
            let MatchResult { a, b, score, copies, .. } = result;
            let left_out = match copies {
                0 => String::new(),
                _ => format!(" and {} copies", 2 * copies),
            };
            let elo = result.elo();
            let share = with_interval(score.share(), &elo);
            [
                a.clone(),
                b.clone(),
                format!("{}{left_out}", score.games()),
                share,
                score.to_string(),
                elo.to_string(),
            ]
        });
        self.table(columns, rows);
    }

    /// Puts the page into its place, and prints it.
    pub(crate) fn write(self) {
        println!("{}", self.text);
        put(&path(&self.name), &self.text);
    }
}

/// The file of a page.
fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/evidence").join(format!("{name}.md"))
}

fn put(path: &Path, text: &str) {
    model::write_atomically(path, |file| file.write_all(text.as_bytes())).unwrap();
}

/// Puts the results of the page `name` into the table over all pages that begins with these columns,
/// in the place of those it has, with the scores against `opponents`.
pub(crate) fn put_into_overview(
    name: &str,
    title: &str,
    opponents: &[&str],
    results: &[&MatchResult],
) {
    let overview = path("README");
    let text = std::fs::read_to_string(&overview).unwrap();
    let head =
        format!("| game | {} |\n|{}\n", opponents.join(" | "), "---|".repeat(1 + opponents.len()));
    let (before, rest) = text.split_once(&head).unwrap();
    let end = rest.find("\n\n").map_or(rest.len(), |at| at + 1);
    let (rows, after) = rest.split_at(end);
    let link = format!("| [{title}]({name}.md) |");
    let mut rows: Vec<String> =
        rows.lines().filter(|row| !row.starts_with(&link)).map(str::to_owned).collect();
    let cells = results.iter().map(|result| with_interval(result.score.share(), &result.elo()));
    rows.push(format!("{link} {} |", cells.collect::<Vec<_>>().join(" | ")));
    rows.sort_unstable();
    put(&overview, &format!("{before}{head}{}\n{after}", rows.join("\n")));
}

/// A share of the points in per cent, with the bounds that belong to those of the Elo difference.
fn with_interval(share: f64, elo: &Elo) -> String {
    let percent = |elo: f64| 100.0 * share_of(elo);
    let low = elo.low.map_or(0.0, percent);
    let high = elo.high.map_or(100.0, percent);
    format!("{:.1}% [{low:.1}, {high:.1}]", share * 100.0)
}

/// What the figures were taken on: processor, threads, and how networks are computed.
pub(crate) fn machine() -> String {
    let doctor = raja(&["doctor"]).done();
    let line = |label: &str| {
        let found = doctor.lines().find_map(|line| line.strip_prefix(label));
        let found = found.unwrap_or_else(|| panic!("no `{label}` in {doctor}"));
        // What follows is about other networks than these.
        found.split(';').next().unwrap_or(found).trim()
    };
    format!(
        "{}, {} threads; networks in {}",
        line("processor"),
        line("threads"),
        line("CPU inference")
    )
}
