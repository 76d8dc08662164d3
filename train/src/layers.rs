//! [`layers`]: a configuration and those that it extends, as tables that lie over one another.

use std::path::{Path, PathBuf};

use crate::settings::SettingsError;

/// The key at the top of a configuration that names the one it differs from.
const EXTENDS: &str = "extends";

/// The table whose only entry is a choice: another choice replaces it.
const CHOICE: &str = "selfplay.search.algorithm";

/// A configuration file by itself.
pub(crate) struct Layer {
    pub(crate) file: PathBuf,
    pub(crate) table: toml::Table,
}

impl Layer {
    /// Whether it has the key, written with its tables: `learner.batch`.
    pub(crate) fn names(&self, key: &str) -> bool {
        let mut parts = key.split('.');
        let first = parts.next().and_then(|part| self.table.get(part));
        parts.try_fold(first, |value, part| Some(value?.get(part))).flatten().is_some()
    }
}

/// The configuration `text` of `file`, the one that it extends before it, and so on.
pub(crate) fn layers(file: &Path, text: &str) -> Result<Vec<Layer>, SettingsError> {
    let mut layers: Vec<Layer> = Vec::new();
    let (mut file, mut text) = (file.to_owned(), text.to_owned());
    loop {
        let mut table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
            SettingsError::Syntax { file: file.clone(), problem: one_line(&error, &text) }
        })?;
        let base = table.remove(EXTENDS);
        layers.push(Layer { file, table });
        let Some(base) = base else { break };
        let extending = &layers[layers.len() - 1].file;
        let wrong = |problem: &str| SettingsError::Key {
            origin: extending.display().to_string(),
            key: EXTENDS.to_owned(),
            problem: problem.to_owned(),
        };
        let base = base.as_str().ok_or_else(|| wrong("expected the name of a file"))?;
        let base = extending.parent().unwrap_or(Path::new("")).join(base);
        if layers.iter().any(|layer| layer.file == base) {
            return Err(wrong("the configuration extends itself"));
        }
        text = read(&base)?;
        file = base;
    }
    layers.reverse();
    Ok(layers)
}

/// Lays `upper` over `table`, which is at the key `place`; keys that only `table` has stay.
pub(crate) fn merge(table: &mut toml::Table, upper: &toml::Table, place: &str) {
    if place == CHOICE && !upper.keys().eq(table.keys()) {
        table.clear();
    }
    for (key, value) in upper {
        let place = if place.is_empty() { key.clone() } else { format!("{place}.{key}") };
        match (table.get_mut(key), value) {
            (Some(toml::Value::Table(lower)), toml::Value::Table(upper)) => {
                merge(lower, upper, &place);
            }
            _ => {
                table.insert(key.clone(), value.clone());
            }
        }
    }
}

/// The text of a configuration.
pub(crate) fn read(file: &Path) -> Result<String, SettingsError> {
    std::fs::read_to_string(file)
        .map_err(|source| SettingsError::Read { file: file.to_owned(), source })
}

/// Lays one `table.key=value` over the file's table and returns the key.
pub(crate) fn lay_over(table: &mut toml::Table, text: &str) -> Result<String, SettingsError> {
    let wrong = |problem: &str| SettingsError::Key {
        origin: "--set".to_owned(),
        key: text.to_owned(),
        problem: problem.to_owned(),
    };
    let (key, value) = text.split_once('=').ok_or_else(|| wrong("expected key=value"))?;
    // What is no TOML value is taken as a string, so that `--set run.device=cpu` needs no quotes.
    let value = format!("value = {value}")
        .parse::<toml::Table>()
        .ok()
        .and_then(|mut parsed| parsed.remove("value"))
        .unwrap_or_else(|| toml::Value::String(value.to_owned()));
    let mut path: Vec<&str> = key.split('.').collect();
    let last = path.pop().expect("split yields at least one part");
    let mut inner = table;
    for part in path {
        inner = inner
            .entry(part)
            .or_insert_with(|| toml::Value::Table(toml::Table::new()))
            .as_table_mut()
            .ok_or_else(|| wrong("expected a key inside a table"))?;
    }
    inner.insert(last.to_owned(), value);
    Ok(key.to_owned())
}

/// A syntax error as one line with its place.
fn one_line(error: &toml::de::Error, text: &str) -> String {
    let before = &text[..error.span().map_or(0, |span| span.start).min(text.len())];
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
    format!("line {line}, column {column}: {}", error.message().replace('\n', " "))
}
